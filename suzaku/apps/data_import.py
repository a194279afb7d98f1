"""`suzaku data import`: records into a store."""

import time
from typing import Annotated

import typer

from suzaku.apps import data_options as opt
from suzaku.apps.errors import clear_errors


def import_(
    inputs: opt.Inputs,
    out: Annotated[str, typer.Option(metavar="STORE", help="The folder of the store; made if it is not there.")],
    min_dan: opt.MinDan = None,
    since: opt.Since = "",
    until: opt.Until = "",
    length: opt.Length = "",
    source: opt.Source = "",
    workers: opt.Workers = 0,
) -> None:
    """Import records into a store for learning: a Parquet folder with a row a game.

    Every game is played through the rules first; one that disagrees is reported and left out. Stored are the walls and
    the actions, so a hanchan takes about 1.5 KB, and players' names only as a hash. An interrupted import goes on
    after its last whole part of 512 files when the same command is given again; the same records always give the same
    bytes.

    Example: suzaku data import logs/ 'more/*.tar.xz' --out store --min-dan 16
    """
    with clear_errors("Nothing is half-written; the same command goes on after the last whole part (512 files)."):
        from suzaku.apps.compiling.start import prepare
        from suzaku.records.filters import Filters
        from suzaku.records.game import RecordError
        from suzaku.records.importing.import_records import check_folder, import_records
        from suzaku.records.importing.sources import find_files
        from suzaku.words import some

        filters = Filters(min_dan, since, until, length, source)
        check_folder(out)
        inputs = opt.saved_games(inputs)
        find_files(inputs)
        prepare("records")
        start = time.monotonic()
        with opt.counting("records") as count:
            report = import_records(
                inputs, out, filters, opt.worker_count(workers), lambda done, games: count(done, f"games {games:,}")
            )
        opt.count_reasons("skipped", report.skipped)
        opt.list_problems("not read", report.bad)
        seconds = time.monotonic() - start
        resumed = f", {report.resumed} of {some(report.parts, 'part')} there already" if report.resumed else ""
        if report.bad:
            typer.echo(f"not read: {some(len(report.bad), 'record')}, such as {report.bad[0][0]}")
        if report.games == 0:
            raise RecordError(f"{out}: no game was found, so no store was made")
        typer.echo(f"{out}: {some(report.games, 'game')}, {some(report.rounds, 'round')} in {seconds:.0f} s{resumed}")
