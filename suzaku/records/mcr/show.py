"""A recorded match of MCR as text."""

from collections.abc import Iterator

from suzaku.mcr.botzone import write_tile
from suzaku.mcr.render.text import draw_text
from suzaku.records.mcr.read import read_matches
from suzaku.records.mcr.recorded import Recorded
from suzaku.records.mcr.replay import replay_recorded
from suzaku.records.replay import table_after


def show_match(game: Recorded, moves: bool = False) -> Iterator[str]:
    """The pieces of text that tell a match: who played, what happened if wanted, and the table at its end."""
    yield f"{game.id} ({game.format})"
    for seat, player in enumerate(game.players):
        yield f"  seat {seat}: {player or '-'}"
    if moves:
        for i, event in enumerate(game.events, 1):
            tile = f" {write_tile(event.tile)}" if event.tile >= 0 else ""
            yield f"  {i:3d} seat {event.seat} {event.verb}{tile}" if event.seat >= 0 else f"  {i:3d} {event.verb}"
    replayed = replay_recorded(game)
    if replayed.stored is None:
        yield f"Here the record and the rules disagree: {replayed.divergence}"
    else:
        yield draw_text(table_after(replayed.stored, len(replayed.stored.actions))[0])


def show_matches(text: bytes, name: str, most: int, moves: bool = False) -> list[str]:
    """At most so many matches of a text, a piece of text each."""
    return ["\n".join(show_match(game, moves)) for game in read_matches(text, name, most)]
