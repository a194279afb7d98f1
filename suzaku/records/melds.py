"""The tiles of a meld from the action and the called tile."""

from suzaku.records.game import RecordError
from suzaku.riichi import actions as act
from suzaku.tiles import KIND_OF, NAMES, RED, to_text


def red_of(kind: int) -> int:
    """The red five of a kind, or -1 if the kind has none."""
    return RED + kind // 9 if kind < 27 and kind % 9 == 4 else -1


def own_tiles(action: int, called: int) -> list[int]:
    """The tiles of the own hand that go into a chow, pong or open kong of the tile `called`."""
    kind = int(KIND_OF[called])
    if action < act.PONG:
        shape, red = (action - act.CHOW_LOW) % 3, action >= act.CHOW_LOW + act.CHOW_RED
        kinds = [k for k in range(kind - shape, kind - shape + 3) if k != kind]
        return [red_of(k) if red and red_of(k) >= 0 else k for k in kinds]
    if action == act.OPEN_KONG:
        return four_tiles(kind, without=called)
    return [red_of(kind) if action == act.PONG_RED else kind, kind]


def four_tiles(kind: int, without: int = -1, red_fives: bool = True) -> list[int]:
    """The four tiles of a kind, the red one first, or three of them."""
    red = red_of(kind) if red_fives else -1
    tiles = [red if red >= 0 else kind, kind, kind, kind]
    if without >= 0:
        tiles.remove(without)
    return tiles


def call_action(called: int, own: list[int]) -> int:
    """The action that makes a meld of a called tile and tiles of the own hand."""
    kind = int(KIND_OF[called])
    kinds = sorted(int(KIND_OF[tile]) for tile in own)
    red = any(tile >= RED for tile in own)
    if len(own) == 3 and set(kinds) == {kind}:
        return act.OPEN_KONG
    if len(own) == 2 and set(kinds) == {kind}:
        return act.PONG_RED if red else act.PONG
    low = min(kinds[0], kind)
    if len(own) == 2 and sorted([*kinds, kind]) == [low, low + 1, low + 2] and low < 27 and low % 9 < 7:
        return act.CHOW_LOW + kind - low + (act.CHOW_RED if red else 0)
    raise RecordError(f"{NAMES[called]} with {to_text(own)} is not a chow, pong or kong")
