"""What the asked seat may do, and of which types its decision is."""

import numpy as np

from suzaku.hand.shanten import shanten_keys, waits_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.riichi.claims import fill_claims, value_of
from suzaku.riichi.deal import bit, has
from suzaku.riichi.state import CALLED, CLAIM, PONG, RIICHI_DISCARD, ROB, TURN
from suzaku.tiles import KIND_OF, ORPHANS, RED

ALL_KINDS = np.uint64((1 << 34) - 1)
ORPHAN_MASK = np.uint64(ORPHANS)


@kernel
def tenpai_discards(tables, s, p):
    """Mask of the kinds whose discard leaves seat p's hand of 3n+2 tiles tenpai."""
    found = np.uint64(0)
    for suit in range(4):
        for i in range(9 if suit < 3 else 7):
            kind = 9 * suit + i
            if s.hand[p, kind] == 0:
                continue
            s.key[p, suit] -= POW5[i]
            if shanten_keys(tables, s.key[p, 0], s.key[p, 1], s.key[p, 2], s.key[p, 3], s.melds[p]) == 0:
                found |= bit(kind)
            s.key[p, suit] += POW5[i]
    return found


@kernel
def _can_riichi(tables, s, p):
    if s.open_melds[p] > 0 or s.left < s.rules.riichi_min_tiles or s.shanten[p] > 1:
        return False
    if s.rules.riichi_needs_points and s.scores[p] < 1000:
        return False
    if shanten_keys(tables, s.key[p, 0], s.key[p, 1], s.key[p, 2], s.key[p, 3], s.melds[p]) > 0:
        return False
    return tenpai_discards(tables, s, p) != 0


@kernel
def _kong_keeps_waits(tables, s, p, kind):
    """Whether seat p, which holds four tiles of a kind, waits for the same kinds after a kong of them as before."""
    suit, place = kind // 9, kind % 9
    s.hand[p, kind] -= 4
    s.key[p, suit] -= 4 * POW5[place]
    waits = waits_keys(tables, s.hand[p], s.key[p], s.melds[p] + 1)
    s.hand[p, kind] += 4
    s.key[p, suit] += 4 * POW5[place]
    return waits == s.waits[p]


@kernel
def _reads_as_triplet(tables, s, p, kind):
    """Whether a kong of `kind` changes neither the waits nor any reading of a riichi hand that just drew it.

    It is so when for every tile that would complete the hand, every reading has the three tiles as a triplet.
    """
    suit, place = kind // 9, kind % 9
    if suit == 3:
        return True
    before = np.int64(s.key[p, suit]) - POW5[place]  # the suit without the drawn tile
    for wait in range(34):
        if not has(s.waits[p], wait):
            continue
        key = before + POW5[wait % 9] if wait // 9 == suit else before
        reading = np.int64(tables.reading_of[key])
        if reading == 0:  # completes in another way: seven pairs hold no triplet
            return False
        while True:
            packed = tables.reading[reading - 1]
            if (packed >> np.uint64(place)) & np.uint64(1) == 0:
                return False
            if packed >> np.uint64(63) != 0:
                break
            reading += 1
    return True


@kernel
def _can_kong_in_riichi(tables, s, p, kind):
    """Whether seat p in riichi may make a closed kong of the kind it has just drawn."""
    if s.hand[p, kind] < 4 or s.left == 0 or s.kongs >= 4:
        return False
    if s.rules.riichi_kong_keeps_readings:
        return _reads_as_triplet(tables, s, p, kind)
    return _kong_keeps_waits(tables, s, p, kind)


@kernel
def _fill_discards(s, p, allowed, out):
    """Set the discards of the allowed kinds, the drawn tile apart."""
    for kind in range(34):
        n = s.hand[p, kind]
        if n == 0 or not has(allowed, kind):
            continue
        if kind < 27 and kind % 9 == 4:
            red = s.red[p, kind // 9]
            plain = n - red
            if s.drawn == kind:
                plain -= 1
            elif s.drawn == RED + kind // 9:
                red -= 1
            if plain > 0:
                out[kind] = True
            if red > 0:
                out[RED + kind // 9] = True
        elif n > 1 or s.drawn != kind:
            out[kind] = True
    if s.drawn >= 0 and has(allowed, KIND_OF[s.drawn]):
        out[act.DISCARD_DRAWN] = True


@kernel
def _fill_kongs(s, p, out):
    if s.left == 0 or s.kongs >= 4:
        return
    for kind in range(34):
        if s.hand[p, kind] == 4:
            out[act.CLOSED_KONG + kind] = True
    for i in range(s.melds[p]):
        if s.meld_type[p, i] == PONG and s.hand[p, s.meld_tile[p, i]] > 0:
            out[act.ADDED_KONG + s.meld_tile[p, i]] = True


@kernel
def _can_win_draw(tables, s, p):
    if not has(s.waits[p], KIND_OF[s.drawn]):
        return False
    return s.open_melds[p] == 0 or value_of(tables, s, p, s.drawn, True, False, 0)[0] != 0


@kernel
def _nine_kinds(s, p):
    n = 0
    for kind in range(34):
        if s.hand[p, kind] > 0 and has(ORPHAN_MASK, kind):
            n += 1
    return n >= 9


@kernel
def _fill_turn(tables, s, p, out):
    if _can_win_draw(tables, s, p):
        out[act.WIN_DRAW] = True
    if s.riichi[p]:
        out[act.DISCARD_DRAWN] = True
        kind = KIND_OF[s.drawn]
        if _can_kong_in_riichi(tables, s, p, kind):
            out[act.CLOSED_KONG + kind] = True
        return
    _fill_discards(s, p, ALL_KINDS, out)
    _fill_kongs(s, p, out)
    if _can_riichi(tables, s, p):
        out[act.RIICHI] = True
    if s.rules.abort_nine_kinds and s.unbroken and s.river_size[p] == 0 and _nine_kinds(s, p):
        out[act.NINE_KINDS] = True


@kernel
def fill_legal(tables, s, out):
    """Set out[action] for every action that the asked seat may take, and clear the rest."""
    out[:] = False
    p = s.seat
    if s.phase == TURN:
        _fill_turn(tables, s, p, out)
    elif s.phase == CALLED:
        _fill_discards(s, p, ~s.forbidden, out)
    elif s.phase == RIICHI_DISCARD:
        _fill_discards(s, p, tenpai_discards(tables, s, p), out)
    elif s.phase == CLAIM or s.phase == ROB:
        fill_claims(s, p, out)


# Types of decisions: what was being asked, whatever the answer.

TYPE_DISCARD, TYPE_RIICHI, TYPE_CHOW, TYPE_PONG, TYPE_KONG, TYPE_WIN, TYPE_NINE_KINDS = (1 << i for i in range(7))
DECISION_TYPES = {
    "discard": TYPE_DISCARD,  # a tile was discarded, and there was a choice
    "riichi": TYPE_RIICHI,  # riichi was possible
    "chow": TYPE_CHOW,  # a chow was possible ...
    "pong": TYPE_PONG,
    "kong": TYPE_KONG,  # open, closed or added
    "win": TYPE_WIN,
    "nine_kinds": TYPE_NINE_KINDS,
}
ALL = (1 << len(DECISION_TYPES)) - 1
FORCED = 1 << len(DECISION_TYPES)  # no decision at all: there was no choice


@kernel
def types_of(legal, action):
    """The types that a question with these legal actions belongs to, given the answer; FORCED without a choice."""
    types = 0
    discards = 0
    for a in range(act.DISCARD_DRAWN + 1):
        discards += legal[a]
    if action <= act.DISCARD_DRAWN and discards > 1:
        types |= TYPE_DISCARD
    if legal[act.RIICHI]:
        types |= TYPE_RIICHI
    for a in range(act.CHOW_LOW, act.PONG):
        if legal[a]:
            types |= TYPE_CHOW
    if legal[act.PONG] or legal[act.PONG_RED]:
        types |= TYPE_PONG
    for a in range(act.OPEN_KONG, act.WIN_DRAW):
        if legal[a]:
            types |= TYPE_KONG
    if legal[act.WIN_DRAW] or legal[act.WIN_DISCARD]:
        types |= TYPE_WIN
    if legal[act.NINE_KINDS]:
        types |= TYPE_NINE_KINDS
    return types if types else FORCED


def same_tile(records: np.ndarray, actions: np.ndarray | int) -> np.ndarray:
    """Actions with the drawn tile named: throwing it or an equal one from the hand is the same decision."""
    return np.where(actions == act.DISCARD_DRAWN, records["drawn"], actions)
