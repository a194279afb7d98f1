"""What the commands of `suzaku data` share: options, progress, and lists of what could not be read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from suzaku.processes import cores

Inputs = Annotated[
    list[str],
    typer.Argument(metavar="IN...", help="Files, folders, globs or archives of records; - is standard input."),
]
StorePath = Annotated[str, typer.Argument(metavar="STORE", help="A folder that suzaku data import made.")]
MinDan = Annotated[
    int | None,
    typer.Option(
        min=0, max=20, help="Only games in which every player has this dan: 10 = first dan, 16 = seventh, 20 = Tenhou."
    ),
]
Since = Annotated[str, typer.Option(metavar="DATE", help="Only games from this date on, such as 20200101 or 2020.")]
Until = Annotated[str, typer.Option(metavar="DATE", help="Only games up to this date.")]
Length = Annotated[str, typer.Option(help="Only games of this length: east or hanchan.")]
Source = Annotated[
    str,
    typer.Option(metavar="PATTERN", help="Only games whose file name, or kind of table (houou, tokujou ...), matches."),
]
Workers = Annotated[int, typer.Option(min=0, help="Worker processes; 0 takes one for each core.")]


def worker_count(wanted: int) -> int:
    """The number of worker processes."""
    return wanted or cores()


def saved_games(inputs: list[str]) -> list[str]:
    """The inputs, with the games that a match has saved instead of the folder of the match."""
    found = []
    for name in inputs:
        if (Path(name) / "match.json").exists():
            from suzaku.arena.log import SAVED

            if not (Path(name) / SAVED).is_dir():
                raise ValueError(f"{name}: this match has saved no games; suzaku arena --save does")
            name = str(Path(name) / SAVED)
        found.append(name)
    return found


@contextmanager
def counting(label: str) -> Iterator[Callable[[int, str], None]]:
    """A progress line on stderr: call it with a count and some words."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    spinner = SpinnerColumn("line" if console.options.ascii_only else "dots")
    columns = (spinner, TextColumn(label + " {task.completed:,.0f} {task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, words: progress.update(task, completed=done, description=words)


def list_problems(title: str, problems: list[tuple[str, str]], most: int = 50) -> None:
    """List what could not be read, a line each, on stderr."""
    if not problems:
        return
    typer.echo(f"{title}:", err=True)
    for name, text in problems[:most]:
        typer.echo(f"  {name}: {text}", err=True)
    if len(problems) > most:
        typer.echo(f"  ... and {len(problems) - most} more", err=True)


def count_reasons(title: str, problems: list[tuple[str, str]]) -> None:
    """Say how many records were left out for each reason, with an example."""
    from collections import Counter

    first = {text: name for name, text in reversed(problems)}
    for text, n in Counter(text for _, text in problems).most_common():
        typer.echo(f"{title} {n}: {text} (such as {first[text]})", err=True)
