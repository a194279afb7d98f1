"""`suzaku data show`: a recorded game in the terminal, round by round."""

from typing import Annotated

import typer

from suzaku.apps.errors import clear_errors


def show(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A record in any format, an archive with records, or - for standard input."
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
        from suzaku.apps.compiling.start import prepare
        from suzaku.records.formats.read import is_mcr, read_games
        from suzaku.records.game import RecordError, SkippedError
        from suzaku.records.importing.sources import find_files, read_items
        from suzaku.records.views.show import show_game, show_mcr

        files = find_files([file])
        prepare("records")
        shown = 0
        for item in read_items(files):
            if item.error:
                raise RecordError(f"{item.name}: {item.error}")
            if is_mcr(item.text):
                prepare("mcr")
                for text in show_mcr(item.text, item.name, most - shown, moves):
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
