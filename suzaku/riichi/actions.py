"""The numbered actions that a table can ask for.

| number   | action                                                                                             |
|----------|----------------------------------------------------------------------------------------------------|
| 0..36    | discard a tile of the hand (37 tiles: the 34 kinds, then the red fives 0m, 0p, 0s)                   |
| 37       | discard the tile just drawn                                                                         |
| 38       | riichi; the table then asks for the discard                                                        |
| 39..44   | chow with the called tile lowest, middle, highest; then the same three using the red five          |
| 45, 46   | pong; pong using the red five                                                                      |
| 47       | open kong                                                                                          |
| 48..81   | closed kong of a kind                                                                              |
| 82..115  | added kong of a kind                                                                               |
| 116      | win by self-draw                                                                                   |
| 117      | win on a discard, or by robbing a kong                                                             |
| 118      | abort with nine kinds of terminals and honours                                                     |
| 119      | pass                                                                                               |

Discards 0..36 are tiles that were in the hand before the draw: when the drawn tile is the only one of its kind, only
37 throws it.
"""

from suzaku.tiles import KINDS, NAMES, TILES, parse_one

DISCARD = 0
DISCARD_DRAWN = 37
RIICHI = 38
CHOW_LOW, CHOW_MIDDLE, CHOW_HIGH = 39, 40, 41
CHOW_RED = 3  # added to a chow: use the red five of the hand
PONG, PONG_RED = 45, 46
OPEN_KONG = 47
CLOSED_KONG = 48
ADDED_KONG = 82
WIN_DRAW = 116
WIN_DISCARD = 117
NINE_KINDS = 118
PASS = 119
ACTIONS = 120


def _name(action: int) -> str:
    if action < TILES:
        return f"discard {NAMES[action]}"
    if CLOSED_KONG <= action < CLOSED_KONG + KINDS:
        return f"closed kong {NAMES[action - CLOSED_KONG]}"
    if ADDED_KONG <= action < ADDED_KONG + KINDS:
        return f"added kong {NAMES[action - ADDED_KONG]}"
    return {
        DISCARD_DRAWN: "discard drawn tile",
        RIICHI: "riichi",
        CHOW_LOW: "chow low",
        CHOW_MIDDLE: "chow middle",
        CHOW_HIGH: "chow high",
        CHOW_LOW + CHOW_RED: "chow low red",
        CHOW_MIDDLE + CHOW_RED: "chow middle red",
        CHOW_HIGH + CHOW_RED: "chow high red",
        PONG: "pong",
        PONG_RED: "pong red",
        OPEN_KONG: "open kong",
        WIN_DRAW: "win by self-draw",
        WIN_DISCARD: "win on discard",
        NINE_KINDS: "nine kinds",
        PASS: "pass",
    }[action]


ACTION_NAMES = tuple(_name(action) for action in range(ACTIONS))
_NUMBER = {name: action for action, name in enumerate(ACTION_NAMES)}


def action_number(name: str) -> int:
    """The number of an action by its name; "5m" alone is short for "discard 5m"."""
    if name in _NUMBER:
        return _NUMBER[name]
    try:
        return parse_one(name)
    except ValueError:
        raise ValueError(f"{name!r} is not an action: expected one such as 'discard 5m', 'riichi' or 'pass'") from None
