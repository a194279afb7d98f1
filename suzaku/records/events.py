"""What happened in a round, as a small array of integers: the form every reader produces and `replay_events` checks.

A row is (type, seat, a, b). Tiles are 0..36, actions are those of `suzaku.riichi.actions`.

| type      | a                                     | b                                           |
|-----------|---------------------------------------|---------------------------------------------|
| DRAW      | the tile                              |                                             |
| DISCARD   | the tile                              | 1: the drawn tile, 0: another one           |
| RIICHI    | (declared)                            |                                             |
| ACCEPTED  | (the riichi discard passed)           |                                             |
| CALL      | the action: chow, pong or open kong   | the seat called from + 4 x (the tile + 1)   |
| KONG      | the action: closed or added kong      |                                             |
| INDICATOR | the tile of a new dora indicator      |                                             |
| WIN       | the winning tile, or -1 if not told   | the seat won from, or the own seat          |
| DRAWN_END | the result: EXHAUSTED ... THREE_WINS  |                                             |
| LEAVE     | (the player is away from now on)      |                                             |
| RETURN    | (the player is back)                  |                                             |
"""

import numpy as np

DRAW, DISCARD, RIICHI, ACCEPTED, CALL, KONG, INDICATOR, WIN, DRAWN_END, LEAVE, RETURN = range(11)
NAMES = (
    "draw", "discard", "riichi", "riichi accepted", "call", "kong", "dora indicator", "win", "drawn round",
    "player leaves", "player returns",
)  # fmt: skip

Event = tuple[int, int, int, int]


def to_array(events: list[Event]) -> np.ndarray:
    """The events of a round as int16[n, 4]."""
    return np.array(events, np.int16).reshape(-1, 4)
