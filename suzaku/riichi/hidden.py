"""What a seat cannot see: hiding it for a view, and redrawing it for rollouts."""

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.claims import open_claims
from suzaku.riichi.deal import GOLDEN, below, mix, read_seed
from suzaku.riichi.hands import add_tile, bit, has, refresh, remove_tile
from suzaku.riichi.state import INDICATORS, REPLACEMENTS, STATE, URA_INDICATORS, WALL
from suzaku.tiles import KIND_OF, RED

TRIES = 20  # attempts at a riichi hand that does not wait for a tile already passed
SEVEN_PAIRS_IN = 20  # one riichi hand in so many is drawn as seven pairs


@kernel
def _hidden_places(s, out):
    """Fill the places of the wall nobody has seen; how many there are."""
    n = 0
    for i in range(14, s.next + 1):
        out[n] = i
        n += 1
    for i in range(s.kongs, 4):
        out[n] = REPLACEMENTS[i]
        n += 1
    for i in range(s.indicators, 5):
        out[n] = INDICATORS[i]
        n += 1
    for i in range(5):
        out[n] = URA_INDICATORS[i]
        n += 1
    return n


@kernel
def _take_hand(s, p, pool, n):
    """Move the concealed tiles of seat p into the pool; its new size."""
    for kind in range(34):
        while s.hand[p, kind] > 0:
            five = kind < 27 and kind % 9 == 4
            tile = RED + kind // 9 if five and s.red[p, kind // 9] > 0 else kind
            remove_tile(s, p, tile)
            pool[n] = tile
            n += 1
    return n


@kernel
def _shuffle(pool, n, x):
    for i in range(n - 1, 0, -1):
        x += GOLDEN
        j = below(mix(x), i + 1)
        tile = pool[i]
        pool[i] = pool[j]
        pool[j] = tile
    return x


@kernel
def _give(s, p, pool, n, kind):
    """Move a tile of a kind from the pool to seat p, the one nearest to the end; the pool's new size."""
    for i in range(n - 1, -1, -1):
        if KIND_OF[pool[i]] == kind:
            add_tile(s, p, pool[i])
            pool[i] = pool[n - 1]
            return n - 1
    return n


@kernel
def _weights(counts, pair, weights):
    """Ways to take each pair (0..33), or each triplet (0..33) and run (34..54), from the counts; their sum."""
    total = 0
    for kind in range(34):
        c = np.int64(counts[kind])
        weights[kind] = c * (c - 1) // 2 if pair else c * (c - 1) * (c - 2) // 6
        total += weights[kind]
    for run in range(21):
        k = run // 7 * 9 + run % 7
        weights[34 + run] = 0 if pair else np.int64(counts[k]) * counts[k + 1] * counts[k + 2]
        total += weights[34 + run]
    return total


@kernel
def _pick(weights, total, x):
    i = 0
    left = below(mix(x), total)
    while left >= weights[i]:
        left -= weights[i]
        i += 1
    return i


@kernel
def _deal_waiting(s, p, pool, n, x):
    """Give seat p a complete hand from the pool, less one tile; the pool's new size and the new random state."""
    counts = np.zeros(34, np.int64)
    weights = np.zeros(55, np.int64)
    for i in range(n):
        counts[KIND_OF[pool[i]]] += 1
    x += GOLDEN
    seven = s.melds[p] == 0 and below(mix(x), SEVEN_PAIRS_IN) == 0
    parts = 7 if seven else 5 - s.melds[p]
    for part in range(parts):
        x += GOLDEN
        total = _weights(counts, seven or part == 0, weights)
        if total == 0:
            return n, x
        chosen = _pick(weights, total, x)
        if chosen < 34:
            size = 2 if seven or part == 0 else 3
            for _ in range(size):
                n = _give(s, p, pool, n, chosen)
            counts[chosen] = 0 if seven else counts[chosen] - size
        else:
            k = (chosen - 34) // 7 * 9 + (chosen - 34) % 7
            for i in range(3):
                n = _give(s, p, pool, n, k + i)
                counts[k + i] -= 1
    x += GOLDEN
    at = below(mix(x), 14 - 3 * s.melds[p])
    for kind in range(34):
        at -= s.hand[p, kind]
        if at < 0:
            five = kind < 27 and kind % 9 == 4
            tile = RED + kind // 9 if five and s.red[p, kind // 9] > 0 else kind
            remove_tile(s, p, tile)
            pool[n] = tile
            n += 1
            break
    return n, x


@kernel
def _passed(s, p):
    """Mask of the kinds others have discarded since seat p's riichi, or else since its last discard."""
    since = -1
    for i in range(s.river_size[p]):
        if not s.riichi[p] or s.river_flag[p, i] & st.RIVER_RIICHI:
            since = s.river_order[p, i]
    last = s.discards - 1 if s.phase == st.CLAIM else s.discards  # a tile on offer has not passed yet
    passed = np.uint64(0)
    for q in range(4):
        for i in range(s.river_size[q]):
            if q != p and since < s.river_order[q, i] < last:
                passed |= bit(KIND_OF[s.river[q, i]])
    return passed


@kernel
def _only_forbidden(s, p):
    for kind in range(34):  # noqa: SIM110 (kernels have no generators)
        if s.hand[p, kind] > 0 and not has(s.forbidden, kind):
            return False
    return True


@kernel
def _fits(s, p, waiting, passed):
    """Whether a redrawn hand agrees with what is known of seat p: riichi means waiting, for no tile that passed."""
    if s.phase == st.CALLED and s.seat == p:
        return not _only_forbidden(s, p)
    return not waiting or (s.waits[p] != 0 and s.waits[p] & (passed | s.discarded[p]) == 0)


@kernel
def _deal_hand(tables, s, p, size, pool, n, x):
    """Give seat p a new hand of `size` tiles from the pool; the pool's new size and the new random state."""
    holds_drawn = p == s.turn and s.drawn >= 0
    if holds_drawn:
        size -= 1
    waiting = _is_bound(s, p)
    passed = _passed(s, p)
    for attempt in range(TRIES):
        if waiting:
            n, x = _deal_waiting(s, p, pool, n, x)
        for _ in range(size - s.hand[p].sum()):
            n -= 1
            add_tile(s, p, pool[n])
        refresh(tables, s, p)
        # The tiles may allow no better than a furiten riichi.
        late = attempt >= TRIES // 2 and waiting and s.waits[p] != 0
        if attempt == TRIES - 1 or late or _fits(s, p, waiting, passed):
            break
        n = _take_hand(s, p, pool, n)
        x = _shuffle(pool, n, x)
    s.missed[p] = 0
    if s.waits[p] & passed != 0:
        s.missed[p] = 2 if s.riichi[p] else 1
    if holds_drawn:
        n -= 1
        add_tile(s, p, pool[n])
        s.drawn = pool[n]
    return n, x


@kernel
def _is_bound(s, p):
    """Whether seat p has declared riichi, so that its hand must wait."""
    return s.riichi[p] > 0 or s.riichi_due == p or (s.phase == st.RIICHI_DISCARD and s.seat == p)


@kernel
def _redraw(tables, s, seat, keep_riichi, places, n_places, pool, x):
    """Deal the hidden tiles anew, to riichi hands too unless told so; whether these wait, and the new random state."""
    n = 0
    for i in range(n_places):
        pool[n] = s.wall[places[i]]
        n += 1
    sizes = np.zeros(4, np.int64)
    for p in range(4):
        if p != seat and not (keep_riichi and _is_bound(s, p)):
            before = n
            n = _take_hand(s, p, pool, n)
            sizes[p] = n - before
    x = _shuffle(pool, n, x)
    for bound_first in range(2):  # hands under a condition choose first
        for p in range(4):
            if sizes[p] > 0 and _is_bound(s, p) == (bound_first == 0):
                n, x = _deal_hand(tables, s, p, sizes[p], pool, n, x)
                if bound_first == 0 and s.waits[p] == 0:
                    return False, x
    x = _shuffle(pool, n, x)
    for i in range(n_places):
        s.wall[places[i]] = pool[i]
    return True, x


@kernel
def resample_one(tables, s, seat, x):
    """Redraw what `seat` cannot see of one table, from the random state x; a round that is over stays as it is."""
    if s.phase >= st.ROUND_OVER:
        return
    pool = np.empty(WALL, np.int8)
    places = np.empty(WALL, np.int16)
    n_places = _hidden_places(s, places)
    hand, red, key, drawn = s.hand.copy(), s.red.copy(), s.key.copy(), s.drawn
    waits, shanten, missed = s.waits.copy(), s.shanten.copy(), s.missed.copy()
    for attempt in range(TRIES):
        # Late in a round with several riichi, so few tiles may allow hardly any other waiting hands than the true ones.
        done, x = _redraw(tables, s, seat, attempt == TRIES - 1, places, n_places, pool, x)
        if done:
            break
        s.hand[:], s.red[:], s.key[:], s.drawn = hand, red, key, drawn
        s.waits[:], s.shanten[:], s.missed[:] = waits, shanten, missed
    _forget(s, seat)
    if s.phase == st.CLAIM or s.phase == st.ROB:
        _claim_again(tables, s, seat)


@kernel
def _forget(s, seat):
    """Clear what tells of the true hands: the tiles drawn so far, and what the others held before."""
    s.wall[s.next + 1 :] = -1
    for i in range(s.kongs):
        s.wall[REPLACEMENTS[i]] = -1
    for p in range(4):
        if p != seat:
            for i in range(st.PAST):
                s.past_key[p, i] = s.key[p]


@kernel
def _claim_again(tables, s, seat):
    """Queue up the claims that the redrawn hands allow; what `seat` answered stays, the others are asked afresh."""
    answer = s.claim[seat]
    waits_to_be_asked = False
    for i in range(4):
        if s.queue[i] == seat:
            waits_to_be_asked = True
    open_claims(tables, s, s.offer, s.phase == st.ROB)
    s.claim[seat] = answer
    at = 0
    for i in range(4):
        p = s.queue[i]
        s.queue[i] = -1
        if p >= 0 and p != s.seat and (p != seat or waits_to_be_asked):
            s.queue[at] = p
            at += 1


@kernel
def _resample_many(tables, records, seats, x):
    for i in range(records.shape[0]):
        resample_one(tables, records[i], seats[i], mix(x + GOLDEN * np.uint64(i)))


def resample_hidden(records: np.ndarray, seat: int | np.ndarray, rng: np.random.Generator | int) -> None:
    """Redraw in place everything that `seat` cannot see (opponents' hands, wall, ura), for many tables at once.

    What the seat knows stays as it is: its own hand, melds, rivers, indicators, scores. The hidden tiles are shuffled
    uniformly, except that a seat in riichi gets a hand that waits, for tiles that did not pass since where possible.
    While claims are being asked, the other seats are asked afresh. A round that is over stays as it is. The places of
    the wall that were drawn become -1, and past hands of the others are taken to be their new ones.
    """
    if getattr(records, "dtype", None) != STATE:
        raise ValueError("expected table records, such as Tables(...).records, to redraw")
    records = np.atleast_1d(records)
    seats = np.ascontiguousarray(np.broadcast_to(np.asarray(seat, np.int64), records.shape))
    if seats.size and (seats.min() < 0 or seats.max() > 3):
        raise ValueError(f"seat must be 0..3, not {seat!r}")
    _resample_many(hand_tables(), records, seats, read_seed(rng))


def shown_hands(record: np.record) -> set[int]:
    """The seats whose hands lie open because the round is over."""
    if record.phase not in (st.ROUND_OVER, st.GAME_OVER):
        return set()
    if record.result in (st.WIN_BY_DRAW, st.WIN_BY_DISCARD):
        return {int(seat) for seat in record.win_seat[: record.wins]}
    if record.result in (st.EXHAUSTED, st.NAGASHI):
        return {seat for seat in range(4) if int(record.tenpai) >> seat & 1}
    if record.result == st.NINE_KINDS:
        return {int(record.turn)}
    return set(range(4)) if record.result == st.FOUR_RIICHI else set()


def hide(record: np.ndarray, seat: int) -> np.ndarray:
    """A copy of a table record (a 1-element array) with everything removed that `seat` cannot see."""
    copy = record.copy()
    s = copy[0]
    shown = shown_hands(s)
    seen = list(INDICATORS[: s.indicators])
    if s.result in (st.WIN_BY_DRAW, st.WIN_BY_DISCARD) and any(s.riichi[p] for p in shown):
        seen += list(URA_INDICATORS[: s.indicators])
    wall = np.full(WALL, -1, np.int8)  # the tiles already drawn lie there too: they are in the hands of others
    wall[seen] = s.wall[seen]
    s.wall[:] = wall
    others = [p for p in range(4) if p != seat and p not in shown]
    for name in ("hand", "red", "key", "waits", "missed", "past_key"):
        s[name][others] = 0
    s.shanten[others] = st.UNKNOWN
    s.seed = s.game = 0
    if s.turn in others:
        s.drawn = -1
    # Who was asked, could have won or wanted to call stays hidden, also after the claims are settled.
    claims = s.phase in (st.CLAIM, st.ROB)
    s.queue[:] = -1
    s.claim[:] = act.PASS
    s.can_win = s.can_win & (1 << seat) if claims else 0
    if claims and s.seat != seat:
        s.seat = -1
    return copy
