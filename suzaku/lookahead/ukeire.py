"""Shanten after each discard, the tiles that bring a hand nearer, and how many of them are unseen (ukeire).

A kind is *accepted* by a hand of 3n+1 tiles if drawing it lowers the shanten. For a tenpai hand these are its waits. A
kind of which the concealed tiles hold all four is never accepted. One that is used up elsewhere is, with a count of 0.
"""

import numpy as np

from suzaku.hand.shanten import FAR
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.patterns import REST, entry, fill_rest, shanten_rest
from suzaku.riichi.redraw import fill_unseen

UKEIRE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("shanten", "i1", (35,)),  # after discarding each kind; row 34: no discard; FAR if the kind is not held
                ("accepts", "u8", (35,)),  # mask of the accepted kinds
                ("unseen", "i2", (35,)),  # how many tiles of these kinds are unseen
            ],
            align=True,
        ),
    )
)


@kernel
def fill_accepts(tables, hand, key, melds, unseen):
    """Shanten of a hand of 3n+1 tiles, the mask of the kinds it accepts, and how many of them are unseen."""
    need = 4 - melds
    e = np.empty(4, np.int64)
    rest = np.empty(REST, np.int64)
    for suit in range(4):
        e[suit] = entry(tables, suit, key[suit])
    now = np.int64(FAR)
    mask = np.uint64(0)
    count = np.int64(0)
    for suit in range(4):
        fill_rest(tables, e, suit, need, rest)
        if suit == 0:
            now = shanten_rest(tables, e[0], rest, need)
        for i in range(9 if suit < 3 else 7):
            kind = 9 * suit + i
            if hand[kind] < 4 and shanten_rest(tables, entry(tables, suit, key[suit] + POW5[i]), rest, need) < now:
                mask |= np.uint64(1) << np.uint64(kind)
                count += unseen[kind]
    return now, mask, count


@kernel
def fill_ukeire(tables, hand, key, melds, unseen, out):
    """Fill a UKEIRE record for a hand. One of 3n+1 tiles has row 34 alone, one of 3n+2 the rows of its kinds and 34.

    Row 34 of a hand of 3n+2 tiles is its shanten with the best discard. It accepts nothing.
    """
    out.shanten[:] = FAR
    out.accepts[:] = 0
    out.unseen[:] = 0
    size = 0
    for kind in range(34):
        size += hand[kind]
    if size % 3 == 1:
        out.shanten[34], out.accepts[34], out.unseen[34] = fill_accepts(tables, hand, key, melds, unseen)
        return
    need = 4 - melds
    e = np.empty(4, np.int64)
    rest = np.empty(REST, np.int64)
    for suit in range(4):
        e[suit] = entry(tables, suit, key[suit])
    fill_rest(tables, e, 0, need, rest)
    out.shanten[34] = shanten_rest(tables, e[0], rest, need)
    left = hand.copy()
    keys = key.copy()
    for kind in range(34):
        if hand[kind] > 0:
            left[kind] -= 1
            keys[kind // 9] -= POW5[kind % 9]
            out.shanten[kind], out.accepts[kind], out.unseen[kind] = fill_accepts(tables, left, keys, melds, unseen)
            left[kind] += 1
            keys[kind // 9] += POW5[kind % 9]


@kernel
def ukeire_many(tables, records, seats, out):
    """The UKEIRE of one seat of each of many tables, as that seat sees the tiles."""
    unseen = np.empty(34, np.int8)
    for i in range(records.shape[0]):
        s = records[i]
        p = seats[i]
        fill_unseen(s, p, unseen)
        fill_ukeire(tables, s.hand[p], s.key[p], s.melds[p], unseen, out[i])
