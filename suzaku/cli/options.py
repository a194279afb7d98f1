"""Options that commands share: game, rules, length, and a position to look at.

- Game, rules and length as options of a command. What there is to choose from is looked up when help is shown.
- A position to look at: out of a game of simple players, or out of a recorded one.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from suzaku.riichi import Table
    from suzaku.table.game import Game


PORT = 8686  # of the page, if no other is asked for
GameName = Annotated[str, typer.Option("--game", metavar="GAME", help="What is played: GAMES.")]
RulesText = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="RULES",
        help="A preset (PRESETS), the first if none is named, and switches: tenhou,bust=false",
    ),
]
LengthName = Annotated[
    str,
    typer.Option(
        "--length",
        metavar="LENGTH",
        help="The length of a game: LENGTHS. [default: that of the rules]",
        show_default=False,
    ),
]


class GameCommand(TyperCommand):
    """A command whose help names the games there are, or the rules of Riichi if it has no option for the game."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the help."""
        from suzaku.table.game import GAMES, game_named

        chosen = any(param.name == "game" for param in self.params)
        words = self.words([game_named(name) for name in (GAMES if chosen else ["riichi"])])
        for param in self.params:
            help = getattr(param, "help", None)
            if help:
                for word, found in words.items():
                    help = help.replace(word, found)
                param.help = help  # type: ignore[attr-defined]
        super().format_help(ctx, formatter)

    def words(self, games: "list[Game]") -> dict[str, str]:
        """What stands in the help for these words."""
        return {
            "GAMES": ", ".join(game.name for game in games),
            "PRESETS": list_of(games, lambda game: game.presets),
            "LENGTHS": list_of(games, lambda game: game.lengths),
        }


def list_of(games: "list[Game]", names: "Callable[[Game], Iterable[str]]") -> str:
    """A word that every game has, with the game's name if there are several."""
    lists = {game.name: ", ".join(names(game)) for game in games}
    if len(lists) == 1:
        return next(iter(lists.values()))
    return "; ".join(f"{name}: {found}" for name, found in lists.items() if found)


def position(seed: int, record: str | None, decisions: int, needed: str) -> "Table":
    """A table after some decisions. What `needed` names is compiled as well. ValueError if there is none."""
    return _played(seed, decisions, needed) if record is None else _recorded(record, decisions, needed)


def _played(seed: int, decisions: int, needed: str) -> "Table":
    """A table after some decisions of four simple players."""
    from suzaku.agents.simple import choose
    from suzaku.cli.compile import prepare
    from suzaku.hand.tables import tables
    from suzaku.riichi import Table

    prepare(needed, "riichi shanten")
    game = Table(seed=seed)
    for _ in range(decisions):
        game.act(int(choose(tables(), game.record, game.legal_mask())))
        if game.round_over:
            game.next_round()
        if game.game_over:
            raise ValueError(f"the game of seed {seed} is over before {decisions} decisions")
    return game


def _recorded(path: str, decisions: int, needed: str) -> "Table":
    """A table after some decisions of the first game of a record."""
    from suzaku.cli.compile import prepare
    from suzaku.records.importing import import_item
    from suzaku.records.sources import find_files, read_items
    from suzaku.records.stored import table_after
    from suzaku.records.types import RecordError
    from suzaku.riichi import Table

    files = find_files([path])
    prepare(needed, "records.importing")
    outcome = import_item(next(read_items(files)))
    if not outcome.games:
        raise RecordError(f"{outcome.name}: {(outcome.bad + outcome.skipped)[0]}")
    stored = outcome.games[0]
    if decisions >= len(stored.actions):
        raise ValueError(f"{path}: the game is over before {decisions} decisions")
    return Table.from_record(table_after(stored, decisions))
