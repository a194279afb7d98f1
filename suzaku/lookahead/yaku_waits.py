"""Which waits of a hand win at all: an open hand needs a yaku, and so does a closed one on a discard."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi.hands import add_tile, bit, has, remove_tile
from suzaku.riichi.score import DOUBLE_RIICHI, DRAW, RIICHI, win_value


@kernel
def yaku_waits(tables, s, p, thrown, waits):
    """Of these waits of seat p once it has thrown a kind (-1: none), those that win on a discard, and by self-draw.

    Counts what the hand has by itself, riichi included, and no luck: ippatsu, the last tile or a kong may still help.
    """
    riichi = 0
    if s.riichi[p] == 1:
        riichi = RIICHI
    elif s.riichi[p] == 2:
        riichi = DOUBLE_RIICHI
    on_discard, by_draw = np.uint64(0), np.uint64(0)
    if thrown >= 0:
        remove_tile(s, p, thrown)
    for kind in range(34):
        if not has(waits, kind):
            continue
        add_tile(s, p, kind)
        for flags in (riichi, riichi | DRAW):
            yaku = win_value(
                tables, s.rules, s.hand[p], s.key[p], s.melds[p], s.meld_type[p], s.meld_tile[p], kind, flags,
                (s.round_no // 4) & 3, (p - s.dealer) & 3, 0,
            )[0]  # fmt: skip
            if yaku != 0:
                if flags & DRAW:
                    by_draw |= bit(kind)
                else:
                    on_discard |= bit(kind)
        remove_tile(s, p, kind)
    if thrown >= 0:
        add_tile(s, p, thrown)
    return on_discard, by_draw
