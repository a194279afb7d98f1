"""Game, rules and length as options of a command; what there is to choose from is looked up when help is shown."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from suzaku.game import Game

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
SaveName = Annotated[
    str,
    typer.Option(
        "--save",
        metavar="FORM",
        help="Also keep every game in FOLDER/games: as a record (FORMATS), or all in a store (store).",
        show_default=False,
    ),
]


class GameCommand(TyperCommand):
    """A command whose help names the games there are, or the rules of Riichi if it has no option for the game."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the help."""
        from suzaku.game import GAMES, game_named
        from suzaku.records.formats.write import formats_of

        chosen = any(param.name == "game" for param in self.params)
        games = [game_named(name) for name in (GAMES if chosen else ["riichi"])]
        words = {
            "GAMES": ", ".join(game.name for game in games),
            "PRESETS": _list(games, lambda game: game.presets),
            "LENGTHS": _list(games, lambda game: game.lengths),
            "FORMATS": _list(games, lambda game: formats_of(game.name)),
        }
        for param in self.params:
            help = getattr(param, "help", None)
            if help:
                for word, found in words.items():
                    help = help.replace(word, found)
                param.help = help  # type: ignore[attr-defined]
        super().format_help(ctx, formatter)


def _list(games: "list[Game]", names: "Callable[[Game], Iterable[str]]") -> str:
    """What every game has; with a word for the game if there are several."""
    lists = {game.name: ", ".join(names(game)) for game in games}
    if len(lists) == 1:
        return next(iter(lists.values()))
    return "; ".join(f"{name}: {found}" for name, found in lists.items() if found)
