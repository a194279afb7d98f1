"""Melds as mjlog writes them: one number with the tiles, the called one and where it came from."""

from suzaku.records import events as ev
from suzaku.records.game import RecordError
from suzaku.riichi import actions as act
from suzaku.tiles import RED, from_tenhou

CHOW_BIT, PONG_BIT, ADDED_BIT, NORTH_BIT = 4, 8, 16, 32


def called(source: int, tile: int) -> int:
    """The field b of a CALL event: the seat called from and the tile."""
    return source | (tile + 1) << 2


def read_meld(seat: int, code: int, red_fives: bool) -> ev.Event:
    """The event of an `N` tag."""
    if not 0 <= code < 1 << 16:
        raise RecordError(f"the meld {code} is not a 16-bit number")
    source = (seat + (code & 3)) % 4
    if code & CHOW_BIT:
        run, place = divmod(code >> 10, 3)
        if run >= 21:
            raise RecordError(f"the meld {code} is not a valid chow: it begins with tile {run}, expected 0 to 20")
        low = run // 7 * 9 + run % 7
        tiles = [from_tenhou((low + i) * 4 + (code >> (3 + 2 * i) & 3), red_fives) for i in range(3)]
        taken = tiles.pop(place)
        action = act.CHOW_LOW + place + (act.CHOW_RED if max(tiles) >= RED else 0)
        return ev.CALL, seat, action, called(source, taken)
    if code & (PONG_BIT | ADDED_BIT):
        kind, place = divmod(code >> 9, 3)
        if kind >= 34:
            raise RecordError(f"the meld {code} is not a valid pong: it is of kind {kind}, expected 0 to 33")
        if code & ADDED_BIT:
            return ev.KONG, seat, act.ADDED_KONG + kind, 0
        tiles = [from_tenhou(kind * 4 + i, red_fives) for i in range(4) if i != code >> 5 & 3]
        taken = tiles.pop(place)
        return ev.CALL, seat, act.PONG_RED if max(tiles) >= RED else act.PONG, called(source, taken)
    if code & NORTH_BIT:
        raise RecordError("a north tile is set aside, which only three players do")
    tile = code >> 8
    if tile >= 136:
        raise RecordError(f"the meld {code} is not a valid kong: it is of tile {tile}, expected 0 to 135")
    if code & 3:
        return ev.CALL, seat, act.OPEN_KONG, called(source, from_tenhou(tile, red_fives))
    return ev.KONG, seat, act.CLOSED_KONG + tile // 4, 0
