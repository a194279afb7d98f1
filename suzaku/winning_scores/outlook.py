"""What a model says of every discard of a closed hand at a table: with how many han it will be won."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.winning_scores.features import fill_features
from suzaku.winning_scores.learnt import add_rows, to_classes
from suzaku.winning_scores.view import CLASSES, fill_unseen_bits, put, take, throws_red

SILENT, DECLARED = 0, 1  # rows of an outlook: without and with riichi


@kernel
def fill_outlook(tables, shapes, rules, model, weights, v, w, out):
    """P(0), P(1), P(2), P(3), P(>= 4 han) of each discard of a hand of 14 tiles: out[2, 34, 5], NaN if not possible.

    The second half is with riichi, where that leaves the hand tenpai and enough tiles are left.
    """
    out[:] = np.nan
    fill_unseen_bits(v)
    for kind in range(34):
        if v.hand[kind] == 0:
            continue
        red = throws_red(v, kind)
        put(v, kind)
        if red:
            v.red[kind // 9] -= 1
        for riichi in range(2):
            n = fill_features(tables, shapes, rules, v, riichi == DECLARED, w.plan, w.features)
            add_rows(weights, w.features, n, w.blocks, w.sums)
            to_classes(model, w.sums, w.work)
            for c in range(CLASSES):
                out[riichi, kind, c] = w.work[c]
            if min(w.plan.tiles[0], w.plan.tiles[1]) != 1 or v.may_riichi == 0:
                break
        if red:
            v.red[kind // 9] += 1
        take(v, kind)
