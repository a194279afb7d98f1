"""A recorded game as text, round by round."""

from collections.abc import Iterator

import numpy as np

from suzaku.records import replay_events as fl
from suzaku.records.statistics import dan_name
from suzaku.records.types import Game, RecordError
from suzaku.records.verify import RIICHI, describe, event_differs, new_table
from suzaku.riichi.loops import place_round
from suzaku.system import some


def show_game(game: Game, only: int | None = None, moves: bool = False) -> Iterator[str]:
    """The pieces of text that tell a game; `only` is the number of a round, counted from 1."""
    if only is not None and only > len(game.rounds):
        raise RecordError(f"{game.source}: the game has only {some(len(game.rounds), 'round')}")
    yield f"{game.id} ({game.format}), {some(len(game.rounds), 'round')}"
    for seat, player in enumerate(game.players):
        yield f"  seat {seat}: {player.name or '-'}" + (f", {dan_name(player.dan)}" if player.dan >= 0 else "")
    s = new_table(game)[0]
    legal = np.zeros(RIICHI.actions, np.bool_)
    out = np.empty(fl.MOST_ACTIONS, np.uint8)
    for number, recorded in enumerate(game.rounds, 1):
        place_round(s, recorded.wall)
        code, event, _ = fl.replay_events(RIICHI.tables(), s, recorded.hands, recorded.events, game.strict, legal, out)
        if only is None or number == only:
            yield f"\n--- round {number} of {len(game.rounds)} ---\n"
            if moves:
                yield "\n".join(f"  {i + 1:3d} {describe(row)}" for i, row in enumerate(recorded.events))
            yield RIICHI.text(s)
        if code != fl.AGREES:
            differs = event_differs(code, s, recorded, event, legal)
            yield f"Here the record and the rules disagree, at event {event + 1}: {differs}."
            return


def show_mcr(text: bytes, name: str, most: int, moves: bool = False) -> list[str]:
    """At most so many matches of MCR in a text, a piece of text each."""
    from suzaku.records.botzone_replay import show_matches  # Riichi needs none of its kernels

    return show_matches(text, name, most, moves)
