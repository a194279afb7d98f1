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


class GameCommand(TyperCommand):
    """A command whose help names the games there are, or the rules of Riichi if it has no option for the game."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the help."""
        from suzaku.game import GAMES, game_named

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
    """What every game has; with a word for the game if there are several."""
    lists = {game.name: ", ".join(names(game)) for game in games}
    if len(lists) == 1:
        return next(iter(lists.values()))
    return "; ".join(f"{name}: {found}" for name, found in lists.items() if found)
