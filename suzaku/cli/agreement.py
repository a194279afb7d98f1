"""`suzaku agreement`: how often an agent decides as the recorded players did."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.cli import data as opt
from suzaku.cli.errors import clear_errors, complain

if TYPE_CHECKING:
    from rich.table import Table

    from suzaku.records.stored import Stored
    from suzaku.review.agreement import Agreement


ROWS = ("all", "all, not forced", "discard", "discard, not forced", "riichi", "chow", "pong", "kong", "win")


def agreement(
    records: Annotated[
        list[str],
        typer.Argument(
            metavar="RECORDS...",
            help="Files, folders or archives of records, a store, or games of the library: ids, page ...",
        ),
    ],
    agent: Annotated[str, typer.Option(help="Who is compared: shanten, heuristic, suphx ...")],
    player: Annotated[
        str, typer.Option(metavar="NAME", help="Only the decisions of this player. In a store, its hashed name.")
    ] = "",
    most: Annotated[int | None, typer.Option(min=1, help="Stop after so many games.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """How often an agent decides as the players of recorded games did, by type of decision.

    A discard counts by its tile. Riichi, chow, pong, kong and win count where they were possible, taken or not. A
    forced decision had one legal answer, such as the drawn tile after riichi. Top 3: the recorded answer is among the
    agent's best three, for agents that weigh their answers. Intervals are of 95 % and take games as independent.

    Examples:

    suzaku agreement games/ --agent shanten --most 100

    suzaku agreement page --player Aoi --agent suphx
    """
    with clear_errors():
        from suzaku.agents.agent import Follower
        from suzaku.agents.make import make_agent
        from suzaku.cli.compile import prepare
        from suzaku.records.stored import hash_name
        from suzaku.review.agreement import Agreement, measure

        found_games = _games(opt.saved_games(records))
        playing = make_agent(agent)
        if hasattr(playing, "offline"):
            raise ValueError(f"{agent} would adapt to every decision, for hours: name it without adapt")
        if isinstance(playing, Follower):
            raise ValueError(f"{agent} must follow a game from its start: it cannot be asked about recorded decisions")
        prepare("records.importing", f"{playing.game} {agent}")
        found, stopped = Agreement(), False
        with opt.counting("games") as count:
            try:
                for found in measure(playing, _of_game(found_games, playing.game, agent), hash_name(player)):
                    count(found.games, "")
                    if found.games == most:
                        break
            except KeyboardInterrupt:
                stopped = True
                typer.echo("Stopped. These are the games compared so far.", err=True)
            finally:
                playing.close()
        if not found.games and not stopped:
            raise ValueError(
                f"no game of {player!r} is among the records"
                if player
                else f"no game could be read from {' '.join(records)}; suzaku data verify says what is in them"
            )
        if json:
            _print_json(found, agent, player)
        else:
            from rich.console import Console

            Console().print(_table(found, agent, player))
        if stopped:
            raise typer.Exit(130)


def _of_game(games: "Iterator[tuple[str, Stored]]", game: str, agent: str) -> "Iterator[Stored]":
    """The games, while they are those that the agent plays."""
    for name, stored in games:
        if stored.game != game and not Path(name).exists():
            continue  # a source of the library may hold several games
        if stored.game != game:
            how = f"suzaku data {'show' if Path(name).is_file() else 'stats'} {name} reads it"
            raise ValueError(f"{name} holds a game of {stored.game}, and {agent} plays {game}: {how}")
        yield stored


def _games(inputs: list[str]) -> "Iterator[tuple[str, Stored]]":
    """The games of stores and of raw records, with where each is. What cannot be read is told on stderr."""
    from suzaku.records.library import in_library
    from suzaku.records.sources import find_files
    from suzaku.records.store import SUMMARY, Store

    stores = [name for name in inputs if (Path(name) / SUMMARY).exists() or any(Path(name).glob("part-*.parquet"))]
    opened = [Store(name) for name in stores]
    listed = {name: in_library(name) for name in inputs if name not in stores}
    files = find_files([name for name, found in listed.items() if found is None])

    def games() -> "Iterator[tuple[str, Stored]]":
        from suzaku.records.importing import import_item
        from suzaku.records.sources import read_items

        for store in opened:
            yield from ((str(store), stored) for stored in store.games())
        for name, found in listed.items():
            yield from ((name, stored) for stored in found or ())
        for item in read_items(files):
            outcome = import_item(item)
            for text in [*outcome.bad, *outcome.skipped]:
                complain(f"{outcome.name}: {text}")
            yield from ((outcome.name, stored) for stored in outcome.games)

    return games()


def _print_json(found: "Agreement", agent: str, player: str) -> None:
    import json

    types = {}
    for name in ROWS:
        count = found.counts.get(name)
        if count is None or not count.asked:
            continue
        share, half = count.share(count.alike)
        types[name] = {"decisions": sum(count.asked), "agreement": share, "interval": [share - half, share + half]}
        if count.near:
            near, half = count.share(count.near)
            types[name] |= {"top_3": near, "top_3_interval": [near - half, near + half]}
    typer.echo(json.dumps({"agent": agent, "player": player or None, "games": found.games, "types": types}, indent=2))


def _table(found: "Agreement", agent: str, player: str) -> "Table":
    from rich import box
    from rich.table import Table

    from suzaku.system import some

    who = f"player {player}" if player else "the players"
    title = f"{agent} and {who} of {some(found.games, 'game')}"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    scored = any(count.near for count in found.counts.values())
    for i, column in enumerate(("decision", "asked", "agreement, %", "top 3, %")[: 4 if scored else 3]):
        table.add_column(column, justify="right" if i else "left")
    for name in ROWS:
        count = found.counts.get(name)
        if count is None or not count.asked:
            continue
        shares = [count.share(right) for right in (count.alike, count.near) if right]
        cells = [f"{100 * share:.2f} ± {100 * half:.2f}" for share, half in shares]
        table.add_row(name, f"{sum(count.asked):,}", *cells)
    return table
