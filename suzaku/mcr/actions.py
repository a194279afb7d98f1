"""The numbered actions that a table can ask for.

| number   | action                                                                                          |
|----------|-------------------------------------------------------------------------------------------------|
| 0..33    | discard a tile of a kind                                                                        |
| 34..36   | chow with the claimed tile lowest, middle, highest; the table then asks for the discard         |
| 37       | pong; the table then asks for the discard                                                       |
| 38       | open kong                                                                                       |
| 39..72   | closed kong of a kind                                                                           |
| 73..106  | added kong of a kind                                                                            |
| 107      | win: by self-draw, on a discard, or by robbing a kong                                           |
| 108      | pass                                                                                            |
| 109..112 | foul of seat 0..3: it is fined and the hand ends; never legal, but records hold it              |
"""

from suzaku.tiles import KINDS, NAMES, parse_one

DISCARD = 0
CHOW_LOW, CHOW_MIDDLE, CHOW_HIGH = 34, 35, 36
PONG = 37
OPEN_KONG = 38
CLOSED_KONG = 39
ADDED_KONG = 73
WIN = 107
PASS = 108
FOUL = 109
ACTIONS = 113


def _name(action: int) -> str:
    if action < KINDS:
        return f"discard {NAMES[action]}"
    if CLOSED_KONG <= action < CLOSED_KONG + KINDS:
        return f"closed kong {NAMES[action - CLOSED_KONG]}"
    if ADDED_KONG <= action < ADDED_KONG + KINDS:
        return f"added kong {NAMES[action - ADDED_KONG]}"
    if action >= FOUL:
        return f"foul of seat {action - FOUL}"
    return {
        CHOW_LOW: "chow low",
        CHOW_MIDDLE: "chow middle",
        CHOW_HIGH: "chow high",
        PONG: "pong",
        OPEN_KONG: "open kong",
        WIN: "win",
        PASS: "pass",
    }[action]


ACTION_NAMES = tuple(_name(action) for action in range(ACTIONS))
_NUMBER = {name: action for action, name in enumerate(ACTION_NAMES)}


def action_number(name: str) -> int:
    """The number of an action by its name; "5m" alone is short for "discard 5m"."""
    if name in _NUMBER:
        return _NUMBER[name]
    try:
        tile = parse_one(name)
    except ValueError:
        tile = KINDS
    if tile >= KINDS:
        raise ValueError(f"{name!r} is not an action: expected one such as 'discard 5m', 'pong' or 'pass'")
    return tile
