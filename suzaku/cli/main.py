"""The command line `suzaku`: one file of this folder a command.

Nothing heavy is imported here or at the head of a command's file, so that help appears at once.
"""

import errno
import os
import sys
from typing import Annotated

import typer

from suzaku.cli.adapt import app as adapt
from suzaku.cli.agreement import agreement
from suzaku.cli.analyse import analyse
from suzaku.cli.arena import ArenaCommand, arena
from suzaku.cli.bot import BotCommand, bot
from suzaku.cli.data import app as data
from suzaku.cli.errors import Program, complain
from suzaku.cli.features import app as features
from suzaku.cli.model import app as model
from suzaku.cli.options import GameCommand
from suzaku.cli.play import play
from suzaku.cli.reward import app as reward
from suzaku.cli.train import app as train
from suzaku.cli.watch import watch

app = typer.Typer(
    name="suzaku",
    cls=Program,
    help="Suzaku, an open Mahjong AI.\n\nTry **suzaku play** first: a table in your browser.",
    epilog="Every command explains itself: suzaku COMMAND --help",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(cls=GameCommand)(play)
app.command(cls=GameCommand)(watch)
app.add_typer(features, name="features")
app.add_typer(data)
app.add_typer(model)
app.command(cls=GameCommand)(analyse)
app.command(cls=BotCommand)(bot)
app.command()(agreement)
app.command(cls=ArenaCommand)(arena)
app.add_typer(adapt)
app.add_typer(train, name="train")
app.add_typer(reward)


def run() -> None:
    """The command `suzaku`: what goes wrong with the output itself is one sentence, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without kanji shows question marks
    try:
        app(prog_name="suzaku")
    except OSError as problem:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (what is left in the buffer cannot be written either)
        if problem.errno == errno.EPIPE:  # the reader has seen enough
            os._exit(0)
        complain(f"the output cannot be written: {problem.strerror}")
        os._exit(2)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"suzaku {version('suzaku')}")
        except PackageNotFoundError:
            typer.echo("suzaku, run from its sources without being installed")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """The options before a command."""
