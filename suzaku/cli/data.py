"""`suzaku data`: game records, from the world's formats to a store for learning.

- What the commands of `suzaku data` share: options, progress, and lists of what could not be read.
- `suzaku data import`: records into a store.
- `suzaku data export`: stored games as records again.
- `suzaku data list`: the games of the user's library.
- `suzaku data show`: a recorded game in the terminal, round by round.
- `suzaku data stats`: figures of a store.
- `suzaku data verify`: records against the rules.
- `suzaku data`: game records, from the world's formats to a store for learning.
"""

import enum
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.cli.errors import check_out, clear_errors, complain
from suzaku.cli.options import PORT
from suzaku.system import cores

if TYPE_CHECKING:
    from rich.table import Table

    from suzaku.records.statistics import Stats


Inputs = Annotated[
    list[str],
    typer.Argument(metavar="IN...", help="Files, folders, globs or archives of records. - is standard input."),
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
Workers = Annotated[int, typer.Option(min=0, help="Worker processes. 0 takes one for each core.")]


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


def list_games(store: str | Path, source: str) -> None:
    """Have the games of a store listed in the user's library, and say where the page shows them."""
    from urllib.parse import quote

    from suzaku.records.library import Library
    from suzaku.records.store import Store

    try:
        Library().add(Store(store), source)
    except (ValueError, OSError) as error:
        complain(error)
    else:
        complain(f"suzaku play shows these games at http://localhost:{PORT}/#/?source={quote(source)}")


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


def import_(
    inputs: Inputs,
    out: Annotated[str, typer.Option(metavar="STORE", help="The folder of the store. Made if it is not there.")],
    min_dan: MinDan = None,
    since: Since = "",
    until: Until = "",
    length: Length = "",
    source: Source = "",
    workers: Workers = 0,
) -> None:
    """Import records into a store for learning: a Parquet folder with a row a game.

    Every game is played through the rules first. One that disagrees is reported and left out. Stored are the walls and
    the actions, so a hanchan takes about 1.5 KB, and players' names only as a hash. An interrupted import goes on
    after its last whole part of 512 files when the same command is given again. The same records always give the same
    bytes.

    Example: suzaku data import logs/ 'more/*.tar.xz' --out store --min-dan 16
    """
    with clear_errors("Nothing is half-written; the same command goes on after the last whole part (512 files)."):
        from suzaku.cli.compile import prepare
        from suzaku.records.importing import check_folder, import_records
        from suzaku.records.sources import find_files
        from suzaku.records.store import Filters
        from suzaku.records.types import RecordError
        from suzaku.system import some

        filters = Filters(min_dan, since, until, length, source)
        check_folder(out)
        inputs = saved_games(inputs)
        find_files(inputs)
        prepare("records.importing")
        start = time.monotonic()
        with counting("records") as count:
            report = import_records(
                inputs, out, filters, worker_count(workers), lambda done, games: count(done, f"games {games:,}")
            )
        count_reasons("skipped", report.skipped)
        list_problems("not read", report.bad)
        seconds = time.monotonic() - start
        resumed = f", {report.resumed} of {some(report.parts, 'part')} there already" if report.resumed else ""
        if report.bad:
            typer.echo(f"not read: {some(len(report.bad), 'record')}, such as {report.bad[0][0]}")
        if report.games == 0:
            raise RecordError(f"{out}: no game was found, so no store was made")
        typer.echo(f"{out}: {some(report.games, 'game')}, {some(report.rounds, 'round')} in {seconds:.0f} s{resumed}")
        list_games(out, f"store/{Path(out).resolve().name}")


class Format(str, enum.Enum):
    """The formats that can be written."""

    mjai = "mjai"
    tenhou6 = "tenhou6"
    mjlog = "mjlog"
    botzone = "botzone"
    botzone_text = "botzone-text"


def export(
    store: Annotated[
        str, typer.Argument(metavar="STORE", help="A folder that suzaku data import made, or a game's ID.")
    ],
    format: Annotated[Format, typer.Option(help="The format to write: mjai is Mortal's, botzone is for MCR.")],
    game: Annotated[str, typer.Option(metavar="ID", help="The game of the store: its id, or how it begins.")] = "",
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Write here instead of to the terminal.")] = None,
) -> None:
    """Write a game of a store, or of the library, in another format.

    Example: suzaku data export store --format tenhou6 --game 2024041620gm-00a9 --out game.json
    """
    with clear_errors():
        from suzaku.cli.compile import prepare
        from suzaku.records.formats import write_stored
        from suzaku.records.library import one_in_library
        from suzaku.records.store import Store
        from suzaku.system import some, write_whole

        path = None if out is None else check_out(out)
        stored = (None if game else one_in_library(store)) or Store(store).find(game)
        prepare("records.importing" if stored.game == "riichi" else stored.game)
        text = write_stored(stored, format.value)
        if path is None:
            typer.echo(text.decode(), nl=False)
        else:
            write_whole(path, text)
            typer.echo(f"{out}: {stored.id}, {some(len(stored.walls), 'round')}")


def show(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A record in any format, an archive with records, - for standard input, or the id of a listed game.",
        ),
    ],
    round: Annotated[int | None, typer.Option(min=1, help="Only this round, counted from 1.")] = None,
    moves: Annotated[bool, typer.Option("--moves", help="Also list what happened, move by move.")] = False,
    most: Annotated[int, typer.Option(min=1, help="Of a file or archive with many games, so many.")] = 1,
) -> None:
    """Draw a recorded game: each round at its end, with rivers, melds, hands and the settlement.

    Example: suzaku data show game.mjlog --round 3 --moves
    """
    with clear_errors():
        from suzaku.cli.compile import prepare
        from suzaku.records.formats import is_mcr, read_games, write_stored
        from suzaku.records.library import one_in_library
        from suzaku.records.sources import Item, find_files, read_items
        from suzaku.records.to_events import to_events
        from suzaku.records.types import RecordError, SkippedError
        from suzaku.records.verify import show_game

        stored = one_in_library(file)
        files = [] if stored else find_files([file])
        prepare("records.importing")
        if stored and stored.game == "riichi":
            for text in show_game(to_events(stored), round, moves):
                typer.echo(text)
            return
        shown = 0
        for item in [Item(file, write_stored(stored, "botzone"))] if stored else read_items(files):
            if item.error:
                raise RecordError(f"{item.name}: {item.error}")
            if is_mcr(item.text):
                prepare("mcr")
                from suzaku.records.botzone_replay import show_matches  # Riichi needs none of its kernels

                for text in show_matches(item.text, item.name, most - shown, moves):
                    typer.echo(text)
                    shown += 1
                if shown == most:
                    return
                continue
            try:
                games = read_games(item.text, item.name)
            except (RecordError, SkippedError) as error:
                raise RecordError(f"{item.name}: {error}") from None
            for game in games:
                for text in show_game(game, round, moves):
                    typer.echo(text)
                shown += 1
                if shown == most:
                    return


def list_(
    player: Annotated[str, typer.Option(metavar="NAME", help="Only games with this player, or with such a name.")] = "",
    source: Annotated[str, typer.Option(metavar="SOURCE", help="Only games of the page, arena/FOLDER ...")] = "",
    since: Since = "",
    most: Annotated[int, typer.Option(min=1, help="So many, the newest first.")] = 20,
) -> None:
    """List the games of your library: of the page, of matches that were saved, and of stores that were imported.

    Each line has date, id, source, game, and the players by place. suzaku data show ID draws a game.

    Example: suzaku data list --player Aoi --since 2026
    """
    with clear_errors():
        from suzaku.records.library import Library
        from suzaku.records.store import Filters
        from suzaku.system import some

        Filters(since=since)  # refuses what is no date
        library = Library()
        found = library.latest(most, source, player, since)
        for row in found:
            seats = sorted(range(len(row["ranks"])), key=row["ranks"].__getitem__)
            result = ", ".join(f"{row['names'][seat]} {row['scores'][seat]:,}" for seat in seats)
            typer.echo(f"{row['started'][:16]}  {row['id']}  {row['source']}  {row['game']}  {result}")
        if not found:
            held = ", ".join(f"{name} ({some(count, 'game')})" for name, count in library.sources())
            typer.echo(f"{library.path}: no such game is listed; there are {held or 'none'}", err=True)


def stats(
    store: StorePath,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also draw plots into this file (.png, .svg, .pdf). Needs matplotlib."),
    ] = None,
    min_dan: MinDan = None,
    since: Since = "",
    until: Until = "",
    length: Length = "",
    source: Source = "",
) -> None:
    """Show what a store holds: games, decisions of each type, players' dan, and the rates that players know.

    The win, deal-in, riichi and call rates are a check of the whole chain: at Tenhou's top table they are near 21, 12,
    17 and 34 per cent. Of MCR the fans are counted instead of the yaku.

    Example: suzaku data stats store --plot stats.png
    """
    with clear_errors():
        from rich.console import Console

        from suzaku.cli.compile import prepare
        from suzaku.records.statistics import collect_stats
        from suzaku.records.store import Filters, Store

        path = None if plot is None else check_out(plot)
        if path is not None:
            from suzaku.plots import check_plot

            check_plot(path)
        opened = Store(store)
        filters = Filters(min_dan, since, until, length, source)
        prepare("records.importing", *(["mcr"] if opened.has_games_of("mcr") else []))
        with counting("games") as count:
            found = collect_stats(opened, filters, progress=lambda n: count(n, f"of {len(opened):,}"))
        console = Console()
        for table in _tables(found):
            console.print(table)
        if path is not None:
            from suzaku.records.statistics import plot_stats

            plot_stats(found, path)
            typer.echo(f"plots: {plot}")


def _table(title: str, *columns: str) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left")
    return table


def _tables(found: "Stats") -> "list[Table]":
    from suzaku.records.statistics import dan_name
    from suzaku.system import amount

    t = found.counts
    store = _table("store", "", "")
    for name, value in [
        ("games", found.games), ("walls wholly known", found.known), ("rounds", int(t.rounds)),
        ("actions", int(t.actions)), ("actions of absent players", int(t.away)), ("bytes of the store", found.bytes),
    ]:  # fmt: skip
        store.add_row(name, f"{value:,}")
    types = _table("decisions", "type", "asked", "taken", "%")
    for name, asked, taken in found.decisions():
        types.add_row(
            name, f"{asked:,}", f"{taken:,}", f"{100 * taken / asked:.1f}" if asked and name != "discard" else ""
        )
    rates = _table("rates", "", "", "")
    for name, rate, unit in found.rates():
        rates.add_row(name, amount(rate, 0 if rate >= 1000 else 2), unit)
    dans = _table("players by dan", "dan", "seats")
    for dan, n in sorted(found.dan.items()):
        dans.add_row(dan_name(dan), f"{n:,}")
    results = _table("rounds by result", "result", "rounds", "%")
    for name, n in found.results():
        results.add_row(name, f"{n:,}", f"{100 * n / max(int(t.rounds), 1):.3f}")
    parts = _table(found.counted.parts_name, "", "wins", "%")
    for name, n in found.parts()[:20]:
        parts.add_row(name, f"{n:,}", f"{100 * n / max(int(t.wins), 1):.2f}")
    return [store, types, rates, dans, results, parts]


def verify(
    inputs: Inputs,
    workers: Workers = 0,
    most: Annotated[int, typer.Option(min=0, help="Draw the board of at most so many divergences.")] = 5,
) -> None:
    """Replay records through the rules and compare everything.

    Each recorded draw, action and indicator must be possible, each win's yaku, han, fu, points and payments equal, and
    each final score. At a divergence: the file, the round, the turn, what differs, and the board. Exit code 1 if there
    is any.

    Example: suzaku data verify logs/
    """
    with clear_errors():
        from suzaku.cli.compile import prepare
        from suzaku.records.importing import Pool, verify_item
        from suzaku.records.sources import find_files, read_items
        from suzaku.system import some

        files = find_files(saved_games(inputs))
        prepare("records.importing")
        start = time.monotonic()
        games = rounds = actions = drawn = diverged = 0
        bad: list[tuple[str, str]] = []
        skipped: list[tuple[str, str]] = []
        with counting("records") as count, Pool(verify_item, worker_count(workers)) as pool:
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
        count_reasons("skipped", skipped)
        list_problems("not right", bad)
        seconds = time.monotonic() - start
        counts = f"{some(games, 'game')}, {some(rounds, 'round')}, {some(actions, 'action')}"
        typer.echo(f"{counts} in {seconds:.0f} s: {some(diverged, 'divergence')}")
        if len(bad) > diverged:
            typer.echo(f"{some(len(bad) - diverged, 'file')} could not be read")
        if bad:
            raise typer.Exit(1 if diverged else 2)


app = typer.Typer(
    name="data",
    help=(
        "Game records: check them against the rules, and store them for learning.\n\n"
        "Reads Tenhou mjlog XML, tenhou.net/6 JSON and mjai JSON lines, gzipped or not, from files, folders, globs and "
        "archives (zip, tar, tar.gz, tar.xz) without unpacking."
    ),
    epilog="Start with: suzaku data verify FOLDER, then suzaku data import FOLDER --out STORE",
    no_args_is_help=True,
)
app.command(name="import")(import_)
app.command(name="list")(list_)
app.command()(verify)
app.command()(stats)
app.command()(show)
app.command()(export)
