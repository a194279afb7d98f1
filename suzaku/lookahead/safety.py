"""Furiten, and which tiles are safe to throw: kernels that use only what a seat can see.

All sets are masks of kinds. "Unseen" means unseen by the seat that asks: own tiles, melds, rivers and indicators are
seen.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi.deal import bit
from suzaku.riichi.redraw import fill_unseen
from suzaku.riichi.state import CLAIM, RIVER_RIICHI
from suzaku.tiles import KIND_OF

# causes of furiten, as bits
OWN_DISCARD = 1  # a wait lies in the own river
THIS_TURN = 2  # a winning tile was let pass since the own last discard
IN_RIICHI = 4  # a winning tile was let pass after riichi: for the rest of the round

SUITED = np.uint64(sum(1 << kind for kind in range(27)))
LOWEST = np.uint64(sum(1 << kind for kind in range(27) if kind % 9 < 3))  # no two-sided wait from below
HIGHEST = np.uint64(sum(1 << kind for kind in range(27) if kind % 9 > 5))  # none from above

SAFETY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # against one opponent
                ("genbutsu", "u8"),  # what it cannot win on: see `genbutsu`
                ("suji", "u8"),  # genbutsu rule out every two-sided wait (4, 5, 6: on both sides)
                ("half_suji", "u8"),  # 4, 5, 6 with genbutsu on one side only
                ("no_two_sided", "u8"),  # suji and walls together rule out every two-sided wait
                # against anyone
                ("no_chance", "u8"),  # a wall: every two-sided wait needs a kind of which no tile is unseen
                ("one_chance", "u8"),  # every two-sided wait needs a kind of which at most one tile is unseen
                ("honour_seen", "u8", (5,)),  # the honours of which 0, 1 .. 4 tiles are seen
            ],
            align=True,
        ),
    )
)


@kernel
def furiten_of(s, p):
    """The causes of furiten of seat p, as bits, 0 if it may win on a discard."""
    found = 0
    if s.waits[p] & s.discarded[p] != 0:
        found |= OWN_DISCARD
    if s.missed[p] == 1:
        found |= THIS_TURN
    elif s.missed[p] == 2:
        found |= IN_RIICHI
    return found


@kernel
def genbutsu(s, q):
    """The kinds that seat q cannot win on now: those in its river, and those others threw without its winning.

    In riichi every tile since then counts. Otherwise those since its last discard, for it is furiten until the next.
    """
    found = s.discarded[q]
    since = -1
    for i in range(s.river_size[q]):
        if since < 0 or s.river_flag[q, i] & RIVER_RIICHI or s.riichi[q] == 0:
            since = np.int64(s.river_order[q, i])
        if s.river_flag[q, i] & RIVER_RIICHI:
            break
    if s.river_size[q] == 0:
        return found
    newest = np.int64(s.discards) - (1 if s.phase == CLAIM else 0)  # the tile on offer has not passed yet
    for p in range(4):
        if p != q:
            for i in range(s.river_size[p]):
                if since < s.river_order[p, i] < newest:
                    found |= bit(KIND_OF[s.river[p, i]])
    return found


@kernel
def kinds_with(counts, most):
    """The kinds of which there are at most so many."""
    found = np.uint64(0)
    for kind in range(34):
        if counts[kind] <= most:
            found |= bit(kind)
    return found


@kernel
def _without_other_end(safe):
    """The kinds whose two-sided wait from below, and from above, would have a safe kind for its other end.

    A side on which the suit ends counts too: there is no such wait.
    """
    below = (safe << np.uint64(3) | LOWEST) & SUITED
    above = (safe >> np.uint64(3) | HIGHEST) & SUITED
    return below, above


@kernel
def _blocked(gone):
    """The kinds whose two-sided wait from below, and from above, would need a kind that is gone."""
    below = (gone << np.uint64(1) | gone << np.uint64(2) | LOWEST) & SUITED
    above = (gone >> np.uint64(1) | gone >> np.uint64(2) | HIGHEST) & SUITED
    return below, above


@kernel
def suji(safe):
    """The kinds for which safe kinds rule out every two-sided wait."""
    below, above = _without_other_end(safe)
    return below & above


@kernel
def walls(unseen):
    """The kinds whose every two-sided wait needs a kind of which no tile is unseen, and those of which at most one."""
    below, above = _blocked(kinds_with(unseen, 0))
    no_chance = below & above
    below, above = _blocked(kinds_with(unseen, 1))
    return no_chance, below & above & ~no_chance


@kernel
def fill_safety(s, p, q, unseen, out):
    """Fill a SAFETY record: what seat p, which cannot see `unseen` tiles, knows of throwing to seat q."""
    out.genbutsu = genbutsu(s, q)
    out.suji = suji(out.genbutsu)
    out.no_chance, out.one_chance = walls(unseen)
    below, above = _without_other_end(out.genbutsu)
    out.half_suji = (below ^ above) & ~(LOWEST | HIGHEST)
    low, high = _blocked(kinds_with(unseen, 0))
    out.no_two_sided = (below | low) & (above | high)
    out.honour_seen[:] = 0
    for kind in range(27, 34):
        out.honour_seen[min(4, max(0, 4 - unseen[kind]))] |= bit(kind)


@kernel
def safety_many(records, seats, out):
    """The SAFETY of each seat's three opponents in turn order, of many tables: out[n, 3]."""
    unseen = np.empty(34, np.int8)
    for i in range(records.shape[0]):
        s = records[i]
        p = seats[i]
        fill_unseen(s, p, unseen)
        for k in range(3):
            fill_safety(s, p, (p + 1 + k) & 3, unseen, out[i, k])
