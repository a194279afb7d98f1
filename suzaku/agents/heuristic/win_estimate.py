"""How likely a hand is to win, and for how much, after each discard.

The search of `lookahead` lists every win in reach with its points and the number of ways to draw what it needs. Records
of strong players tell how often a hand with so many ways, and so many draws left, won in the end, and what it was paid.
The numbers are in `coefficients.py`, measured by `benchmarks/calibrate.py`. Hands farther than 2-shanten are judged by
the tiles they accept and by the doras they hold.
"""

import numpy as np

from suzaku.agents.heuristic.coefficients import POINTS, WIN
from suzaku.agents.heuristic.danger import is_valued
from suzaku.agents.heuristic.tile_value import fill_speed
from suzaku.hand.shanten import FAR, shanten_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.payoff import points_of
from suzaku.lookahead.safety import genbutsu
from suzaku.lookahead.search import search_wins
from suzaku.lookahead.state import LEVELS, REACH, THRESHOLDS
from suzaku.lookahead.ukeire import fill_accepts
from suzaku.riichi.deal import bit, has
from suzaku.riichi.score import DRAW, win_value

# stages of a hand: in riichi, then tenpai, 1-shanten, 2-shanten and farther, each closed and open
RIICHI_STAGE, TENPAI, ONE_AWAY, TWO_AWAY, FAR_AWAY = 0, 1, 3, 5, 7
STAGES = 9

FURITEN_SHARE = 0.4  # of the tiles waited for, if they win by self-draw alone
DORA_SHARE = 0.15  # of the points of a far hand, for each dora

ROWS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("shanten", "i1", (35,)),  # after discarding each kind; 34: no discard; FAR if the kind is not held
                ("stage", "i1", (35,)),
                ("ways", "f8", (35,)),  # to draw what a win needs; of farther hands, the tiles accepted
                ("accepts", "f8", (35,)),  # tiles that bring the hand nearer
                ("pays", "f8", (35,)),  # points of the wins found by the search, with riichi if the hand is closed
                ("points", "f8", (35,)),  # that a win brings
                ("probability", "f8", (35,)),  # to win
                ("now", "i1"),  # the lowest shanten
                ("draws", "i1"),  # draws left
                ("riichis", "i1"),  # opponents in riichi
                ("open_two", "i1"),  # opponents with two open melds or more
                ("dealer", "i1"),
                ("discarded", "u8"),  # mask of the own river
                ("valued", "u8"),  # mask of the kinds whose triplet is a yaku
                ("safe", "u8", (3,)),  # masks of the kinds that each opponent cannot win on
                ("speed", "f8", (34,)),  # its logarithm, for discards that keep the shanten
            ],
            align=True,
        ),
    )
)


@kernel
def stage_of(shanten, opened):
    """The stage of a hand that is not in riichi."""
    return TENPAI + 2 * min(3, max(0, shanten)) + (1 if opened else 0)


@kernel
def win_probability(rows, stage, ways, shanten, safe):
    """The probability to win of a hand in some stage; `safe` is 1 if it gives way to riichi by a safe tile."""
    if ways <= 0:
        return 0.0
    w = WIN[stage]
    x = np.log(ways + 1)
    d = rows.draws / 10
    total = w[0] + w[1] * x + w[2] * d + w[3] * d * d + w[4] * x * d
    if rows.riichis > 0:
        total += (w[5] if rows.riichis == 1 else w[6]) + w[7] * safe
    total += w[8] * rows.open_two + w[9] * rows.dealer + w[10] * max(0, shanten - 3)
    return 1.0 / (1.0 + np.exp(-total))


@kernel
def _mean_points(q, row, k):
    """The mean points of the wins with k replaced tiles."""
    total = 0.0
    for level in range(LEVELS):
        above = q.ways[row, k, level + 1] if level + 1 < LEVELS else 0.0
        total += (q.ways[row, k, level] - above) * THRESHOLDS[level]
    return total / q.ways[row, k, 0]


@kernel
def _held_dora(q, row):
    """Han of doras and red fives after a discard."""
    han = np.int64(q.meld_dora)
    for kind in range(34):
        n = np.int64(q.hand[kind]) - (1 if kind == row else 0)
        if n > 0:
            han += n * q.dora[kind]
            if kind < 27 and kind % 9 == 4:
                han += min(n, np.int64(q.red[kind // 9]))
    return han


@kernel
def _has_open_yaku(rows, q, row):
    """Whether a far open hand has, or nearly has, a yaku: a valued triplet, simples alone, or one suit."""
    orphans = 0
    suits = np.zeros(4, np.int64)
    for kind in range(34):
        n = np.int64(q.hand[kind]) - (1 if kind == row else 0)
        if n >= 2 and has(rows.valued, kind):
            return True
        if n > 0:
            suits[kind // 9] += n
            if kind >= 27 or kind % 9 == 0 or kind % 9 == 8:
                orphans += n
    simples = orphans <= 1
    for i in range(q.melds):
        first = np.int64(q.meld_tile[i])
        if q.meld_type[i] != 1 and has(rows.valued, first):
            return True
        suits[first // 9] += 3
        if first >= 27 or first % 9 == 0 or first % 9 == 8 or (q.meld_type[i] == 1 and first % 9 == 6):
            simples = False
    return simples or max(suits[0], suits[1], suits[2]) + suits[3] >= 12


@kernel
def _rate_far(tables, rows, q, row, hand, keys):
    """Ways and points of a hand that is too far for the search."""
    _, _, count = fill_accepts(tables, hand, keys, q.melds, q.unseen)
    stage = rows.stage[row]
    rows.ways[row] = rows.accepts[row] = count
    rows.points[row] = POINTS[stage, 0] * (1.0 - DORA_SHARE + DORA_SHARE * min(4, _held_dora(q, row)))
    rows.probability[row] = win_probability(rows, stage, count, rows.shanten[row], 0)
    if not q.closed and not _has_open_yaku(rows, q, row):
        rows.probability[row] *= 0.2


@kernel
def _rate_row(tables, rows, q, row, hand, keys):
    """Ways, points and probability of one row, the search being done."""
    shanten = rows.shanten[row]
    k = shanten + 1
    rows.stage[row] = stage_of(shanten, not q.closed)
    if shanten > 2:
        _rate_far(tables, rows, q, row, hand, keys)
        return
    ways = q.ways[row, k, 0]
    if ways <= 0:
        return
    _, waits, rows.accepts[row] = fill_accepts(tables, hand, keys, q.melds, q.unseen)
    if shanten == 0:
        thrown = rows.discarded | (bit(row) if row < 34 else np.uint64(0))
        if waits & thrown != 0:
            ways *= FURITEN_SHARE
    stage = rows.stage[row]
    rows.ways[row] = ways
    rows.pays[row] = min(16000.0, _mean_points(q, row, k))
    rows.points[row] = POINTS[stage, 0] + POINTS[stage, 1] * rows.pays[row]
    rows.probability[row] = win_probability(rows, stage, ways, shanten, 0)


@kernel
def _compare_speed(rows, q):
    """Among discards that keep the shanten, let the fastest have the probability fitted to it and the others a share.

    Records tell what hands of some speed win; between discards of one hand, speed counts for more than that.
    """
    fill_speed(rows, q)
    best = -1
    for row in range(34):
        if (
            rows.shanten[row] == rows.now
            and rows.probability[row] > 0
            and (best < 0 or rows.speed[row] > rows.speed[best])
        ):
            best = row
    if best < 0:
        return
    probability = rows.probability[best]
    for row in range(34):
        if rows.shanten[row] == rows.now and rows.probability[row] > 0:
            rows.probability[row] = probability * np.exp(rows.speed[row] - rows.speed[best])


@kernel
def rate_rows(tables, patterns, rules, q, back, rows):
    """Fill in probabilities and points of every discard of the hand in the query; `back` looks one shanten back too.

    A hand of 3n+1 tiles has row 34 alone. Discards that are not looked at have a probability of 0.
    """
    rows.shanten[:] = FAR
    rows.ways[:] = 0
    rows.accepts[:] = 0
    rows.pays[:] = 0
    rows.points[:] = 0
    rows.probability[:] = 0
    size = 0
    for kind in range(34):
        size += q.hand[kind]
    full = size % 3 == 2
    keys = np.empty(4, np.int64)
    hand = np.empty(34, np.int64)
    for suit in range(4):
        keys[suit] = q.key[suit]
    for kind in range(34):
        hand[kind] = q.hand[kind]
    now = np.int64(FAR)
    for row in range(35):
        if (full and row < 34 and hand[row] > 0) or (not full and row == 34):
            if full:
                keys[row // 9] -= POW5[row % 9]
            rows.shanten[row] = shanten_keys(tables, keys[0], keys[1], keys[2], keys[3], q.melds)
            if full:
                keys[row // 9] += POW5[row % 9]
            now = min(now, np.int64(rows.shanten[row]))
    rows.now = now
    if now <= 2:
        q.reach = min(REACH, now + 2 if back else now + 1)
        search_wins(tables, patterns, rules, q)
    for row in range(35):
        shanten = rows.shanten[row]
        if shanten == FAR or (shanten > now and (shanten > now + 1 or not back)):
            continue
        if full:
            hand[row] -= 1
            keys[row // 9] -= POW5[row % 9]
        _rate_row(tables, rows, q, row, hand, keys)
        if full:
            hand[row] += 1
            keys[row // 9] += POW5[row % 9]
    if full and now > 0:
        _compare_speed(rows, q)


@kernel
def rate_silent(tables, rules, q, rows, row):
    """Probability and points of a closed hand that is tenpai after discarding `row` and does not declare riichi."""
    hand = np.empty(34, np.int8)
    keys = np.empty(4, np.int32)
    for kind in range(34):
        hand[kind] = q.hand[kind]
    for suit in range(4):
        keys[suit] = q.key[suit]
    hand[row] -= 1
    keys[row // 9] -= POW5[row % 9]
    _, waits, _ = fill_accepts(tables, hand, keys, q.melds, q.unseen)
    furiten = waits & (rows.discarded | bit(row)) != 0
    dealer = q.seat_wind == 0
    ways = 0.0
    total = 0.0
    for kind in range(34):
        if not has(waits, kind) or q.unseen[kind] <= 0:
            continue
        hand[kind] += 1
        keys[kind // 9] += POW5[kind % 9]
        extra = np.int64(q.meld_dora)
        for k in range(34):
            extra += np.int64(hand[k]) * q.dora[k]
        for suit in range(3):
            extra += min(np.int64(hand[9 * suit + 4]), np.int64(q.red[suit]))
        share = 1.0
        flags = 0
        for attempt in range(2):
            yaku, han, fu, yakuman = win_value(
                tables, rules, hand, keys, q.melds, q.meld_type[:], q.meld_tile[:], kind, flags,
                q.round_wind, q.seat_wind, extra,
            )  # fmt: skip
            if attempt == 0 and (yaku == 0 or furiten):
                flags = DRAW
                share = FURITEN_SHARE
                continue
            points = points_of(rules, han, fu, yakuman, dealer, flags == DRAW)
            ways += share * q.unseen[kind]
            total += share * q.unseen[kind] * points
            break
        hand[kind] -= 1
        keys[kind // 9] -= POW5[kind % 9]
    if ways <= 0:
        return 0.0, 0.0
    return win_probability(rows, TENPAI, ways, 0, 0), 1.08 * total / ways


@kernel
def fill_situation(s, p, draws, rows):
    """Fill in what the probabilities depend on beside the hand."""
    rows.draws = draws
    rows.riichis = 0
    rows.open_two = 0
    for q in range(4):
        if q != p:
            rows.safe[((q - p) & 3) - 1] = genbutsu(s, q)
            if s.riichi[q]:
                rows.riichis += 1
            elif s.open_melds[q] >= 2:
                rows.open_two += 1
    rows.open_two = min(2, rows.open_two)
    rows.dealer = 1 if p == s.dealer else 0
    rows.discarded = s.discarded[p]
    rows.valued = 0
    for kind in range(27, 34):
        if is_valued(s, p, kind):
            rows.valued |= bit(kind)
