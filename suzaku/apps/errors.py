"""What goes wrong, in one sentence on stderr: exit code 2 for bad input, 1 where worker processes were lost."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from suzaku.files import why_not
from suzaku.words import say as complain
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
