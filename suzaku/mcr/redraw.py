"""What a seat cannot see: removed from a record for a view, and redrawn for rollouts."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr import state as st
from suzaku.mcr.claims import open_claims
from suzaku.mcr.deal import refresh
from suzaku.mcr.state import CHOW, CLOSED_KONG, FLOWER, PONG, PRIVATE, TILES
from suzaku.seeds import GOLDEN, below, mix
from suzaku.table.kernels import ask_afresh, hide_claims, is_queued, shuffle


@kernel
def count_seen(s, seat, out):
    """uint8[34]: the tiles of each kind that a seat sees: its own, all open melds and all discards."""
    out[:] = s.hand[seat]
    for p in range(4):
        for i in range(s.melds[p]):
            kind = s.meld_kind[p, i]
            if s.meld_type[p, i] == CHOW:
                for k in range(kind, kind + 3):
                    out[k] += 1
            elif s.meld_type[p, i] == PONG:
                out[kind] += 3
            elif p == seat or s.meld_type[p, i] != CLOSED_KONG:
                out[kind] += 4
        for i in range(s.river_size[p]):
            if not s.river_called[p, i]:
                out[s.river[p, i]] += 1
    if s.phase == st.ROB:
        out[s.offer] += 1


@kernel
def _redraw_kongs(s, seat, seen, x):
    """Closed kongs of the others become kongs of any kind of which no tile is seen."""
    for p in range(4):
        for i in range(s.melds[p]):
            if p == seat or s.meld_type[p, i] != CLOSED_KONG:
                continue
            free = 0
            for kind in range(34):
                free += seen[kind] == 0
            x += GOLDEN
            at = below(mix(x), free)
            for kind in range(34):
                if seen[kind] == 0:
                    if at == 0:
                        seen[kind] = 4
                        s.meld_kind[p, i] = kind
                        break
                    at -= 1
    return x


@kernel
def _lay_walls(s, pool, n):
    """Lay out the tiles that are left as walls, the drawn places empty."""
    s.wall[:] = -1
    if not s.rules.duplicate:
        for i in range(n):
            s.wall[s.front + i] = pool[i]
        return
    at = 0
    for p in range(4):
        for i in range(s.own_left[p]):
            s.wall[PRIVATE * p + i] = pool[at]
            at += 1


@kernel
def redraw_one(tables, s, seat, work, x):
    """Redraw what a seat cannot see of one table; a hand that is over stays as it is. There is nothing to `work` with.

    All ways to lay the hidden tiles are equally likely.
    """
    if s.phase >= st.ROUND_OVER:
        return True
    seen = np.zeros(34, np.uint8)
    count_seen(s, seat, seen)
    x = _redraw_kongs(s, seat, seen, x)
    pool = np.empty(144, np.int64)
    n = 0
    for kind in range(34):
        for _ in range(4 - seen[kind]):
            pool[n] = kind
            n += 1
    x = shuffle(pool, n, x)
    for p in range(4):
        if p == seat:
            continue
        held = 0
        for kind in range(34):
            held += s.hand[p, kind]
            s.hand[p, kind] = 0
        for _ in range(held):
            n -= 1
            s.hand[p, pool[n]] += 1
    if s.rules.flowers:
        n = _mix_in_flowers(s, pool, n, x)
    _lay_walls(s, pool, n)
    _new_draw(s, seat, x)
    for p in range(4):
        if p != seat and not (p == s.turn and (s.phase == st.TURN or s.phase == st.CALLED)):
            refresh(tables, s, p)
    if s.phase == st.TURN and s.turn != seat:
        s.hand[s.turn, s.drawn] -= 1
        refresh(tables, s, s.turn)
        s.hand[s.turn, s.drawn] += 1
    s.seed = mix(x + GOLDEN + np.uint64(1))
    if s.phase == st.CLAIM or s.phase == st.ROB:
        _claim_again(tables, s, seat)
    return True


@kernel
def _mix_in_flowers(s, pool, n, x):
    """Add the flowers that lie in no seat's row to the tiles of the wall; how many these are now."""
    shown = s.flowers[0] | s.flowers[1] | s.flowers[2] | s.flowers[3]
    for i in range(TILES - FLOWER):
        if not (shown >> i) & 1:
            x += GOLDEN
            j = below(mix(x ^ np.uint64(i)), n + 1)
            pool[n] = pool[j]
            pool[j] = FLOWER + i
            n += 1
    return n


@kernel
def _new_draw(s, seat, x):
    """Another seat that has drawn has drawn one of its new tiles."""
    if s.phase != st.TURN or s.turn == seat:
        return
    held = 0
    for kind in range(34):
        held += s.hand[s.turn, kind]
    at = below(mix(x + GOLDEN), held)
    for kind in range(34):
        at -= s.hand[s.turn, kind]
        if at < 0:
            s.drawn = kind
            return


@kernel
def _claim_again(tables, s, seat):
    """Queue up the claims that the redrawn hands allow; what `seat` answered stays, the others are asked afresh."""
    answer, queued = s.claim[seat], is_queued(s, seat)
    open_claims(tables, s, s.offer, s.phase == st.ROB)
    ask_afresh(s, seat, answer, queued)


def shown_hands(record: np.record) -> set[int]:
    """The seats whose hands lie open because the hand is over: the winner's."""
    return {int(record.win_seat)} if record.phase >= st.ROUND_OVER and record.wins else set()


def hand_tiles(record: np.record, seat: int) -> list[int]:
    """The concealed tiles of a seat in a table record, sorted."""
    return [kind for kind, count in enumerate(record.hand[seat].tolist()) for _ in range(count)]


def hide(record: np.ndarray, seat: int) -> np.ndarray:
    """A copy of a table record (a 1-element array) with everything removed that `seat` cannot see.

    The wall is -1, other hands are empty, their closed kongs -1.
    """
    copy = record.copy()
    s = copy[0]
    s.wall[:] = -1
    others = [p for p in range(4) if p != seat and p not in shown_hands(s)]
    s.hand[others] = 0
    s.shanten[others] = st.UNKNOWN
    for p in others:
        s.meld_kind[p][s.meld_type[p] == CLOSED_KONG] = -1
    s.seed = s.game = 0
    if s.turn in others:
        s.drawn = -1
    hide_claims(s, seat, s.phase in (st.CLAIM, st.ROB), act.PASS)
    return copy
