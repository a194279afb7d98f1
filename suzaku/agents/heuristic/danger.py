"""How likely a tile deals into each opponent, and what that costs: kernels that use only what a seat can see.

For one opponent and one kind, some yes-or-no facts are listed (suji, walls, lines left, doras, the look of the melds
...). Each fact has a weight for each hand type of opponent; the probability is the logistic function of their sum.
Weights are in `coefficients.py`, measured over records of strong players by `benchmarks/calibrate.py`.
"""

import numpy as np

from suzaku.agents.heuristic.coefficients import DANGER, DORA_LOSS, LOSS
from suzaku.kernel import kernel
from suzaku.lookahead.safety import genbutsu
from suzaku.riichi.deal import bit, has, in_melds
from suzaku.riichi.state import CHOW, RIVER_DRAWN, RIVER_RIICHI
from suzaku.tiles import HONOURS, KIND_OF, ORPHANS

# hand types of opponents
IN_RIICHI, CLOSED, OPEN = 0, 1, 2  # OPEN with one meld, then 3 with two, 4 with three or more
HAND_TYPES = 5

# the facts; a name stands for the first of several
ALWAYS = 0
PLACE = 1  # 19: 1 or 9, 2 or 8, 3 or 7 with 3 states of the two-sided wait, then 4 or 6, 5 with 5
HONOUR = 20  # 8: tiles unseen, twice, and 1 more if a triplet of it is a yaku
NUMBER = 28  # 4: tiles unseen
LINES = 32  # 10: two-sided waits left in all suits, by pairs, if one of them is on this kind
NARROW = 42  # 10: the same if none is
TURN = 52  # 8: discards of the opponent
DORA, NEAR_DORA = 60, 61
OUTSIDE = 62  # beyond a tile thrown early
NEAR_LAST, SUJI_OF_LAST = 63, 64  # of the tile riichi was declared with, or of the last one out of the hand
FLUSH_IN, FLUSH_OUT, FLUSH_HONOUR, FLUSH_SURE = 65, 66, 67, 68
ORPHAN_OF_SIMPLES = 69  # all melds are simples, this kind is not
TRIPLETS = 70  # two or more melds, all triplets, and this kind could be one
DEALER = 71
FACTS = 72
MOST_FACTS = 12  # true of one kind

EARLY = 5  # discards that count as early

OPPONENT = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("safe", "u8"),  # mask of the kinds it cannot win on
                ("outside", "u8"),  # kinds beyond those thrown early
                ("hand_type", "i1"),
                ("lines", "i1"),  # two-sided waits that are left
                ("last", "i1"),  # kind of the riichi tile, or of the last one out of the hand, or -1
                ("suit", "i1"),  # suit of all its melds, or -1
                ("sure", "i1"),  # 1: and it throws hardly any of that suit
                ("simples", "i1"),  # 1: its melds are all simples
                ("triplets", "i1"),  # 1: two melds or more, all triplets
                ("shown", "i1"),  # han seen in its melds, up to 3
                ("loss", "f8"),  # points that dealing in costs on average
                ("probability", "f8", (34,)),  # that a kind deals in
            ],
            align=True,
        ),
    )
)


@kernel
def _sort_of(s, q):
    if s.riichi[q]:
        return IN_RIICHI
    return CLOSED + min(3, np.int64(s.open_melds[q]))


@kernel
def _outside(s, q):
    """The kinds beyond a tile that was thrown early: 1 and 2 of a thrown 3, and so on."""
    found = np.uint64(0)
    for i in range(min(EARLY, np.int64(s.river_size[q]))):
        kind = np.int64(KIND_OF[s.river[q, i]])
        if kind >= 27:
            continue
        place = kind % 9
        if place < 4:
            for k in range(max(0, place - 2), place):
                found |= bit(kind - place + k)
        elif place > 4:
            for k in range(place + 1, min(8, place + 2) + 1):
                found |= bit(kind - place + k)
    return found


@kernel
def _last_of(s, q):
    last = -1
    for i in range(s.river_size[q]):
        if s.river_flag[q, i] & RIVER_RIICHI:
            return np.int64(KIND_OF[s.river[q, i]])
        if not s.river_flag[q, i] & RIVER_DRAWN:
            last = np.int64(KIND_OF[s.river[q, i]])
    return last


@kernel
def is_valued(s, q, kind):
    """Whether a triplet of this kind is a yaku for seat q."""
    return kind >= 31 or kind == 27 + ((q - s.dealer) & 3) or kind == 27 + ((s.round_no // 4) & 3)


@kernel
def _read_melds(s, q, dora, o):
    """What the melds tell: one suit, simples, triplets, and the han in them."""
    o.suit, o.sure, o.simples, o.triplets = -1, 0, 1, 1
    mixed = False
    shown = 0
    for i in range(s.melds[q]):
        first = np.int64(s.meld_tile[q, i])
        run = s.meld_type[q, i] == CHOW
        if run:
            o.triplets = 0
        if first < 27:
            if o.suit >= 0 and o.suit != first // 9:
                mixed = True
            o.suit = first // 9
        elif is_valued(s, q, first):
            shown += 1
        for kind in range(first, first + (3 if run else 1)):
            if (ORPHANS >> kind) & 1:
                o.simples = 0
        shown += s.meld_red[q, i]
    for kind in range(34):
        if dora[kind] > 0:
            shown += dora[kind] * in_melds(s, q, kind)
    o.shown = min(3, shown)
    if s.open_melds[q] == 0:
        o.suit, o.simples, o.triplets = -1, 0, 0
        return
    if mixed:
        o.suit = -1
    if s.open_melds[q] < 2:
        o.triplets = 0
    if o.suit >= 0 and s.river_size[q] >= 6:
        thrown = 0
        for i in range(s.river_size[q]):
            if KIND_OF[s.river[q, i]] // 9 == o.suit:
                thrown += 1
        o.sure = 1 if thrown <= 1 else 0


@kernel
def _count_lines(o, unseen):
    lines = 0
    for suit in range(3):
        for i in range(6):
            k = 9 * suit + i
            if unseen[k + 1] > 0 and unseen[k + 2] > 0 and not has(o.safe, k) and not has(o.safe, k + 3):
                lines += 1
    return lines


@kernel
def look(s, q, unseen, dora, o):
    """Fill in an OPPONENT, all but its probabilities."""
    o.safe = genbutsu(s, q)
    o.hand_type = _sort_of(s, q)
    o.outside = _outside(s, q)
    o.last = _last_of(s, q)
    o.lines = _count_lines(o, unseen)
    _read_melds(s, q, dora, o)


@kernel
def _side(o, unseen, a, b, end):
    """State of the two-sided wait of kinds a and b whose other end is `end`: 0 impossible, 1 hardly, 2 possible."""
    if has(o.safe, end) or unseen[a] <= 0 or unseen[b] <= 0:
        return 0
    return 1 if unseen[a] == 1 or unseen[b] == 1 else 2


@kernel
def list_facts(s, q, o, unseen, dora, kind, out):
    """The facts true of throwing `kind` to seat q; how many there are."""
    out[0] = ALWAYS
    out[1] = TURN + min(7, np.int64(s.river_size[q]) * 2 // 5)
    n = 2
    left = min(3, max(0, np.int64(unseen[kind])))
    if kind >= 27:
        out[n] = HONOUR + 2 * left + (1 if is_valued(s, q, kind) else 0)
        n += 1
    else:
        place = kind % 9
        sides = 0
        if place >= 3:
            sides += _side(o, unseen, kind - 2, kind - 1, kind - 3)
        if place <= 5:
            sides += _side(o, unseen, kind + 1, kind + 2, kind + 3)
        far = min(place, 8 - place)
        out[n] = PLACE + sides + (3 * far if far <= 3 else 14)
        out[n + 1] = NUMBER + left
        out[n + 2] = (LINES if sides > 0 else NARROW) + min(9, (o.lines + 1) // 2)
        n += 3
        if has(o.outside, kind):
            out[n] = OUTSIDE
            n += 1
        if 0 <= o.last < 27 and o.last // 9 == kind // 9:
            apart = abs(o.last - kind)
            if apart == 1 or apart == 2:
                out[n] = NEAR_LAST
                n += 1
            elif apart == 3:
                out[n] = SUJI_OF_LAST
                n += 1
        for k in range(max(0, place - 2), min(8, place + 2) + 1):
            if k != place and dora[kind - place + k] > 0:
                out[n] = NEAR_DORA
                n += 1
                break
    if dora[kind] > 0:
        out[n] = DORA
        n += 1
    if o.suit >= 0:
        if kind >= 27:
            out[n] = FLUSH_HONOUR
        else:
            out[n] = FLUSH_OUT if kind // 9 != o.suit else FLUSH_SURE if o.sure else FLUSH_IN
        n += 1
    if o.simples and (ORPHANS >> kind) & 1:
        out[n] = ORPHAN_OF_SIMPLES
        n += 1
    if o.triplets and unseen[kind] >= 2 and ((HONOURS >> kind) & 1 or unseen[kind] >= 2):
        out[n] = TRIPLETS
        n += 1
    if q == s.dealer:
        out[n] = DEALER
        n += 1
    return n


@kernel
def fill_danger(s, q, unseen, dora, o):
    """Fill in an OPPONENT: the probability of every kind to deal in, and the loss."""
    look(s, q, unseen, dora, o)
    facts = np.empty(MOST_FACTS, np.int64)
    for kind in range(34):
        if has(o.safe, kind):
            o.probability[kind] = 0.0
            continue
        n = list_facts(s, q, o, unseen, dora, kind, facts)
        total = 0.0
        for i in range(n):
            total += DANGER[o.hand_type, facts[i]]
        o.probability[kind] = 1.0 / (1.0 + np.exp(-total))
    o.loss = LOSS[o.hand_type, 1 if q == s.dealer else 0, o.shown]


@kernel
def loss_of(o, dora, kind):
    """Points that throwing a kind to this opponent costs if it deals in."""
    return o.loss * (DORA_LOSS if dora[kind] > 0 else 1.0)
