"""`suzaku arena`: agents play against each other."""

import enum
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.cli import data as opt
from suzaku.cli.errors import clear_errors, complain
from suzaku.cli.options import GameCommand, GameName, LengthName, RulesText, list_of

if TYPE_CHECKING:
    from suzaku.agents.agent import Agent
    from suzaku.agents.mjai.process import Limits
    from suzaku.arena.match import Match
    from suzaku.arena.play import Play, TableWorkers
    from suzaku.arena.summary import Summary
    from suzaku.table.game import Game


MANY = 1_000_000  # games, if --until alone is to end the match


class Mode(str, enum.Enum):
    """How the seats are shared out."""

    one = "1v3"
    two = "2v2"
    four = "4way"
    all = "24way"


class Print(str, enum.Enum):
    """What is printed at the end."""

    table = "table"
    json = "json"
    markdown = "markdown"


class ArenaCommand(GameCommand):
    """The command `arena`, whose help names the formats of records too."""

    def words(self, games: "list[Game]") -> dict[str, str]:
        """What stands in the help for these words."""
        from suzaku.records.formats import formats_of

        return {**super().words(games), "FORMATS": list_of(games, lambda game: formats_of(game.name))}


def arena(
    agents: Annotated[list[str], typer.Argument(metavar="A B [C D]", help="Agents: random, tsumogiri, shanten ...")],
    games: Annotated[int | None, typer.Option(min=1, help="Games, for each pairing in 1v3. [default: 1000]")] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Decides every deal.")] = 0,
    mode: Annotated[
        Mode | None,
        typer.Option(
            help="1v3: each agent but the last against three of the last. 4way: four rotations of four agents on each "
            "deal. 24way: all their seatings. [default: 1v3, of four agents 4way]"
        ),
    ] = None,
    game: GameName = "riichi",
    rules: RulesText = "",
    length: LengthName = "",
    until: Annotated[
        float | None, typer.Option(min=0.0, metavar="W", help="Stop when the average rank is known to ± W (95 %).")
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Keep games, figures and plots here, and go on from here.")
    ] = None,
    save: Annotated[
        str,
        typer.Option(
            metavar="FORM",
            help="Also keep every game in FOLDER/games: as a record (FORMATS), or all in a store (store).",
            show_default=False,
        ),
    ] = "",
    print_: Annotated[Print, typer.Option("--print", help="What to print at the end.")] = Print.table,
    tables: Annotated[
        int | None,
        typer.Option(min=1, max=65536, help="Tables of a worker. [default: 512, with programs of their own 4]"),
    ] = None,
    processes: Annotated[int, typer.Option(min=0, help="Worker processes. 0 takes one for each core.")] = 1,
    ray: Annotated[
        bool, typer.Option("--ray", help="Play on a Ray cluster, with a worker for each of its cores.")
    ] = False,
    answer_limit: Annotated[
        float,
        typer.Option(min=0.01, metavar="SECONDS", help="How long a program (mjai:, botzone:) may take for an answer."),
    ] = 5.0,
    start_limit: Annotated[
        float, typer.Option(min=0.01, metavar="SECONDS", help="The same for its first one: it may compile, or load.")
    ] = 180.0,
    sample: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Games in each sample of the stable rank. [default: all]")
    ] = None,
    times: Annotated[int, typer.Option(min=4, metavar="N", help="Samples of the stable rank.")] = 1000,
) -> None:
    """Let agents play against each other, and tell how sure the result is.

    Duplicate play: on every deal each agent sits in every seat, so that the noise of the deal cancels. The same seed
    gives the same games, with however many tables, processes or machines. Ctrl-C shows what was played so far. With
    --out the same command goes on from there.

    Example: suzaku arena shanten random --games 2000 --seed 1 --out runs/shanten-random
    """
    stopped = f"{out} keeps what was played; the same command goes on from there." if out else ""
    with clear_errors(stopped, Path(out) if out else None):
        from suzaku.agents.agent import check_game
        from suzaku.agents.make import cheats, make_agent
        from suzaku.agents.mjai.process import Limits
        from suzaku.agents.user_class import identity
        from suzaku.arena.log import Log
        from suzaku.arena.match import Match, usual_mode
        from suzaku.arena.play import Play
        from suzaku.arena.summary import summarise
        from suzaku.arena.table_worker import usual_tables
        from suzaku.cli.compile import prepare
        from suzaku.table.game import game_named

        chosen = mode.value if mode else usual_mode(len(agents), game_named(game).seats)
        match = Match(tuple(agents), chosen, seed, length, save, game, rules)
        if save and not out:
            raise ValueError("--save needs --out: the folder that takes the games")
        # what is wrong with one is said before anything starts
        made = {agent: make_agent(agent, game, cheating=True) for agent in agents}
        for name in filter(cheats, made):
            complain(f"{name} cheats: it sees the hidden tiles, and shows what perfect information is worth.")
        for agent in made.values():
            check_game(agent, game, "match")
        prepare(*(f"{game} {agent}" for agent in agents))
        folder = Path(out) if out else None
        wanted = games or (MANY if until is not None else 1000)
        log = Log(match, folder, {agent: identity(player) for agent, player in made.items()})
        play = Play(match, log, wanted, until)
        if log.notice:
            complain(log.notice)
        if until is None and log.whole > match.deals_for(wanted):
            held = log.whole * match.turns // match.pairings
            complain(f"{out} holds {held:,} games, more than {wanted:,}: the figures are of all.")
        elif games and until is None and (whole := match.deals_for(games) * match.turns // match.pairings) > games:
            complain(f"{whole:,} games instead of {games:,}: every deal is played once in each seating.")
        limits = Limits(answer_limit, start_limit)
        workers = _make_workers(match, tables or usual_tables(made.values()), processes, ray, made, limits)
        try:
            with _progress(play) as tell:
                played = play.run(workers, tell)
        finally:
            workers.close()
        if not len(played.rows):
            typer.echo(f"Stopped before a deal was wholly played. {stopped}".rstrip(), err=True)
            raise typer.Exit(130)
        if save:
            opt.list_games(log.store, f"arena/{log.store.resolve().parent.name}")
        summary = summarise(played, sample, times)
        if folder:
            _write(summary, folder)
        _print(summary, print_)
        if not played.complete:
            raise KeyboardInterrupt


def _make_workers(
    match: "Match", tables: int, processes: int, ray: bool, made: "dict[str, Agent]", limits: "Limits"
) -> "TableWorkers":
    from suzaku.arena.play import here, on_ray
    from suzaku.arena.play import processes as in_processes

    workers = opt.worker_count(processes)
    if not ray and workers == 1:
        return here(match, tables, made, limits)
    for agent in made.values():
        agent.close()  # each worker makes its own
    return on_ray(match, tables, limits) if ray else in_processes(match, tables, workers, limits)


@contextmanager
def _progress(play: "Play") -> "Iterator[Callable[[Play], None]]":
    """A bar on stderr with the running estimate. A line now and then where there is no terminal."""
    import time

    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from suzaku.arena.statistics import with_half

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeElapsedColumn(), TextColumn("left"))
    bar = Progress(
        *columns, TimeRemainingColumn(), TextColumn("{task.fields[now]}"), console=console, transient=True,
        disable=not console.is_terminal,
    )  # fmt: skip
    told = time.monotonic()
    with bar:
        task = bar.add_task("", total=play.total, completed=play.finished, now="")

        def tell(now: "Play") -> None:
            nonlocal told
            words = "  ".join(
                f"{name} {with_half(f'{mean:.3f}', half, 3)}" for name, mean, half in now.intervals(now.deals)
            )
            bar.update(task, completed=now.finished, now=words)
            if not console.is_terminal and time.monotonic() - told > 30:
                told = time.monotonic()
                line = f"{now.finished:,} of {now.total:,} games  {words}"
                console.print(line, soft_wrap=True, highlight=False)

        yield tell


def _write(summary: "Summary", folder: Path) -> None:
    """Figures and plots into the folder."""
    from suzaku import plots as figures
    from suzaku.arena import report
    from suzaku.arena import report as plots
    from suzaku.system import write_whole
    from suzaku.table.game import game_named

    write_whole(folder / "result.json", report.to_json(summary).encode())
    write_whole(folder / "result.md", report.to_markdown(summary).encode())
    if figures.have_matplotlib():
        if game_named(summary.game).ladder:
            plots.plot_stable(summary, folder / "stable.png")
        plots.plot_places(summary, folder / "places.png")
    else:
        complain(figures.NEEDED)


def _print(summary: "Summary", form: Print) -> None:
    from suzaku.arena import report

    if form is Print.json:
        typer.echo(report.to_json(summary), nl=False)
    elif form is Print.markdown:
        typer.echo(report.to_markdown(summary), nl=False)
    else:
        from rich.console import Console

        Console().print(report.to_rich(summary))
