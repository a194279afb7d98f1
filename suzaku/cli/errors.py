"""What goes wrong, in one sentence on stderr, of a command line too.

- What goes wrong, in one sentence on stderr: exit code 2 for bad input, 1 where worker processes were lost.
- A command line that cannot be understood, told as everything else that goes wrong: one sentence, exit code 2.
"""

import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from suzaku.system import did_you_mean, why_not
from suzaku.system import say as complain
from suzaku.workers import LostError

__all__ = ["check_out", "clear_errors", "complain", "need_torch"]


@contextmanager
def clear_errors(stopped: str = "", kept: Path | None = None) -> Iterator[None]:
    """Turn what is wrong with the input into one sentence and exit code 2, and Ctrl-C into `stopped` and 130.

    With the folder `kept`, `stopped` is said if anything is in it.
    """
    try:
        yield
        sys.stdout.flush()  # here, where a closed pipe can still be told from other trouble
    except ValueError as error:
        complain(error)
        raise typer.Exit(2) from None
    except LostError as error:
        complain(error)
        raise typer.Exit(1) from None
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        complain(f"{error.filename or 'a file'}: {why_not(error)}")
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        if kept is not None and not any(kept.glob("*")):
            stopped = "Nothing was written yet."
        typer.echo(f"Stopped. {stopped}".rstrip(), err=True)
        raise typer.Exit(130) from None


def need_torch(what: str) -> None:
    """ValueError where torch is missing, with what to install for `what` needs it."""
    import suzaku.networks  # noqa: F401  what it sets has to stand before torch is loaded

    try:
        import torch  # noqa: F401
    except ImportError:
        raise ValueError(f"{what} needs torch: pip install 'suzaku[train]'") from None


def check_out(name: str) -> Path:
    """The path of a file to be written, if it can be one."""
    path = Path(name)
    if not name:
        raise ValueError("the file to write has no name")
    if path.is_dir():
        raise ValueError(f"{name}: this is a folder; give the name of a file")
    if not path.parent.is_dir():
        raise ValueError(f"{name}: there is no folder {path.parent}")
    return path


USAGE_ERROR: Any = typer.BadParameter.__mro__[1]  # typer's own, or click's, by its version
VALUES = (  # what typer says of a value, and what we say
    (r"Input should be greater than or equal to (.+)", r"must be at least \1"),
    (r"Input should be less than or equal to (.+)", r"must be at most \1"),
    (r"Input should be greater than (.+)", r"must be more than \1"),
    (r"Input should be less than (.+)", r"must be less than \1"),
    (r"Input should be a valid integer.*", "must be a whole number"),
    (r"Input should be a valid number.*", "must be a number"),
    (r"(?:Value error, )?'?.*?'? is not one of (.+?)\.?", r"must be one of \1"),
)


class Program(TyperGroup):
    """The whole program."""

    def main(self, *args: Any, **named: Any) -> Any:
        """Run it and end, by default."""
        if not named.get("standalone_mode", True):
            return super().main(*args, **named)
        try:
            code = super().main(*args, **{**named, "standalone_mode": False})
        except USAGE_ERROR as error:
            if type(error).__name__ != "NoArgsIsHelpError":
                complain(sentence(error))
            elif error.message:  # else the help has been shown already
                error.show()
            sys.exit(error.exit_code)
        sys.exit(code if isinstance(code, int) else 0)


def sentence(error: Any) -> str:
    """What is wrong with a command line. `error` is one of typer's."""
    command: Any = error.ctx.command if error.ctx else None
    words = error.ctx.command_path.partition(" ")[2] if error.ctx else ""
    name = type(error).__name__
    if name == "NoSuchOption":
        known = [option for param in command.params for option in param.opts if option.startswith("--")]
        there = f"{words} has" if words else "there is"
        return f"{there} no option {error.option_name}; {did_you_mean(error.option_name, known)}"
    if found := re.match(r"No such command '(.*?)'", error.message):
        there = f"{words} has no command" if words else "there is no command"
        return f"{there} {found[1]}; {did_you_mean(found[1], command.commands)}"
    if name == "MissingParameter":
        return f"{words} needs {_hint(error)}; {error.ctx.command_path} --help explains it"
    if name == "BadOptionUsage":
        return f"{error.option_name} {'needs a' if 'requires' in error.message else 'takes no'} value"
    if found := re.match(r"Got unexpected extra argument\W*\w*\W* \((.*)\)", error.message):
        return f"{words} takes no {found[1]!r} here; {error.ctx.command_path} --help explains what it takes"
    if name == "BadParameter":
        for theirs, ours in VALUES:
            if found := re.fullmatch(theirs, error.message):
                return f"{_hint(error)} {found.expand(ours)}{_given(error)}"
        return f"{_hint(error)}: {error.message.rstrip('.')}"
    text = error.format_message().rstrip(".")
    return text[:1].lower() + text[1:]


def _hint(error: Any) -> str:
    """The option or argument that an error is about."""
    hint = error.param_hint or (error.param.get_error_hint() if error.param else "value")
    text = (hint if isinstance(hint, str) else " / ".join(hint)).replace("'", "")
    return text if text.startswith("-") else text.upper()


def _given(error: Any) -> str:
    """The value that was given, where it is known."""
    told: list[Any] = getattr(error.__cause__, "errors", list)()
    return f", not {told[0]['input']!r}" if told else ""
