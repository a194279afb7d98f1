"""`suzaku data verify`: records against the rules."""

import time
from typing import Annotated

import typer

from suzaku.apps import data_options as opt
from suzaku.apps.errors import clear_errors


def verify(
    inputs: opt.Inputs,
    workers: opt.Workers = 0,
    most: Annotated[int, typer.Option(min=0, help="Draw the board of at most so many divergences.")] = 5,
) -> None:
    """Replay records through the rules and compare everything.

    Each recorded draw, action and indicator must be possible, each win's yaku, han, fu, points and payments equal, and
    each final score. At a divergence: the file, the round, the turn, what differs, and the board. Exit code 1 if there
    is any.

    Example: suzaku data verify logs/
    """
    with clear_errors():
        from suzaku.apps.compiling.start import prepare
        from suzaku.records.importing.import_worker import verify_item
        from suzaku.records.importing.pool import Pool
        from suzaku.records.importing.sources import find_files, read_items
        from suzaku.words import some

        files = find_files(opt.saved_games(inputs))
        prepare("records")
        start = time.monotonic()
        games = rounds = actions = drawn = diverged = 0
        bad: list[tuple[str, str]] = []
        skipped: list[tuple[str, str]] = []
        with opt.counting("records") as count, Pool(verify_item, opt.worker_count(workers)) as pool:
            for done, outcome in enumerate(pool.map(read_items(files)), 1):
                games += outcome.found
                rounds += outcome.rounds
                actions += outcome.actions
                bad += [(outcome.name, text) for text in outcome.bad]
                skipped += [(outcome.name, text) for text in outcome.skipped]
                diverged += len(outcome.divergences)
                for text in outcome.divergences[: max(0, most - drawn)]:
                    typer.echo(text)
                    drawn += 1
                count(done, f"rounds {rounds:,}, {some(diverged, 'divergence')}")
        opt.count_reasons("skipped", skipped)
        opt.list_problems("not right", bad)
        seconds = time.monotonic() - start
        counts = f"{some(games, 'game')}, {some(rounds, 'round')}, {some(actions, 'action')}"
        typer.echo(f"{counts} in {seconds:.0f} s: {some(diverged, 'divergence')}")
        if len(bad) > diverged:
            typer.echo(f"{some(len(bad) - diverged, 'file')} could not be read")
        if bad:
            raise typer.Exit(1 if diverged else 2)
