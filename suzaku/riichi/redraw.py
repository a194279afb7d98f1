"""What a seat can count and what it cannot see: hidden in a view, redrawn for rollouts.

- What a seat can count from its own tiles and the open ones.
- What a seat cannot see: hiding it for a view, and redrawing it for rollouts.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.claims import note_missed, open_claims
from suzaku.riichi.deal import add_tile, has, refresh, remove_tile
from suzaku.riichi.riichi_hands import draw_riichi_hands, in_riichi, passed_tiles
from suzaku.riichi.state import CHOW, INDICATORS, PONG, REPLACEMENTS, RIVER_CALLED, URA_INDICATORS, WALL
from suzaku.seeds import GOLDEN, below, mix
from suzaku.table.kernels import ask_afresh, hide_claims, is_queued, shuffle
from suzaku.tiles import DORA_OF, KIND_OF, RED


@kernel
def fill_unseen(s, p, out):
    """How many tiles of each kind seat p cannot see."""
    for kind in range(34):
        out[kind] = 4 - s.hand[p, kind]
    for q in range(4):
        for i in range(s.melds[q]):
            first = s.meld_tile[q, i]
            if s.meld_type[q, i] == CHOW:
                for kind in range(first, first + 3):
                    out[kind] -= 1
            else:
                out[first] -= 3 if s.meld_type[q, i] == PONG else 4
        for i in range(s.river_size[q]):
            if not s.river_flag[q, i] & RIVER_CALLED:
                out[KIND_OF[s.river[q, i]]] -= 1
    for i in range(s.indicators):
        out[KIND_OF[s.wall[INDICATORS[i]]]] -= 1


@kernel
def fill_unseen_tiles(s, p, out):
    """How many of each tile, red fives apart, seat p cannot see."""
    fill_unseen(s, p, out)
    if not s.rules.red_fives:
        return
    for suit in range(3):
        out[RED + suit] = 1 - s.red[p, suit]
    for q in range(4):
        for i in range(s.melds[q]):
            if s.meld_red[q, i] > 0:
                out[RED + s.meld_tile[q, i] // 9] -= s.meld_red[q, i]
        for i in range(s.river_size[q]):
            if s.river[q, i] >= RED and not s.river_flag[q, i] & RIVER_CALLED:
                out[s.river[q, i]] -= 1
    for i in range(s.indicators):
        if s.wall[INDICATORS[i]] >= RED:
            out[s.wall[INDICATORS[i]]] -= 1
    for suit in range(3):
        out[9 * suit + 4] -= out[RED + suit]


@kernel
def fill_dora(s, out):
    """How many han a tile of each kind gives as dora."""
    out[:] = 0
    for i in range(s.indicators):
        out[DORA_OF[s.wall[INDICATORS[i]]]] += 1


ATTEMPTS = 100  # redraws of a table, if a seat has no tile it may discard, or no riichi hand; then any tiles will do


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
def _collect(s, seat, pool):
    """Take the hands of the others; fill the pool with all tiles that `seat` cannot see, in order; how many there are.

    They are counted from what the seat sees: the hands and the wall may as well be empty, as in a view.
    """
    counts = np.zeros(37, np.int64)
    fill_unseen_tiles(s, seat, counts)
    for p in range(4):
        if p != seat:
            s.hand[p] = 0
            s.red[p] = 0
            s.key[p] = 0
    n = 0
    for tile in range(37):
        for _ in range(counts[tile]):
            if n < WALL:
                pool[n] = tile
            n += 1
    return n


@kernel
def _holds_drawn(s, p):
    """Whether a seat has drawn a tile and not thrown one; in a view of others that tile is hidden."""
    return p == s.turn and (s.drawn >= 0 or s.phase == st.TURN)


@kernel
def _size(s, p):
    """How many tiles are in the hand of a seat."""
    return 13 - 3 * s.melds[p] + (1 if p == s.turn and s.phase <= st.RIICHI_DISCARD else 0)


@kernel
def _give_hand(s, p, hand, pool, n):
    """Move tiles of these kinds (counts) from the pool to seat p, those nearest to the end; the pool's new size."""
    for kind in range(34):
        for _ in range(hand[kind]):
            i = n - 1
            while KIND_OF[pool[i]] != kind:
                i -= 1
            add_tile(s, p, pool[i])
            n -= 1
            pool[i] = pool[n]
    return n


@kernel
def _remove_any(s, p, x):
    """Take any tile out of the hand of seat p, each with the same probability, and return it."""
    at = below(mix(x), s.hand[p].sum())
    for kind in range(34):
        if at < s.hand[p, kind]:
            red = kind < 27 and kind % 9 == 4 and at < s.red[p, kind // 9]
            tile = RED + kind // 9 if red else kind
            remove_tile(s, p, tile)
            return tile
        at -= s.hand[p, kind]
    return -1


@kernel
def _fill_hand(tables, s, p, size, pool, n, x):
    """Fill up seat p's hand to `size` tiles from the end of the pool; the pool's new size."""
    holds_drawn = _holds_drawn(s, p)
    if holds_drawn and s.hand[p].sum() == size:  # it declares riichi: any of its tiles may be the one drawn
        s.drawn = _remove_any(s, p, x)
    else:
        if holds_drawn:
            size -= 1
        for _ in range(size - s.hand[p].sum()):
            n -= 1
            add_tile(s, p, pool[n])
        if holds_drawn:
            n -= 1
            s.drawn = pool[n]
    refresh(tables, s, p)
    s.missed[p] = 0
    if s.waits[p] & passed_tiles(s, p) != 0:
        note_missed(s, p)
    if holds_drawn:
        add_tile(s, p, s.drawn)
    return n


@kernel
def _only_forbidden(s, p):
    for kind in range(34):  # noqa: SIM110 (kernels have no generators)
        if s.hand[p, kind] > 0 and not has(s.forbidden, kind):
            return False
    return True


@kernel
def _draw_riichi_hands(tables, s, seat, pool, n, work, x):
    """Give the others in riichi hands from the pool; whether all have one, the pool's new size, the random state."""
    left = np.zeros(34, np.int64)
    for i in range(n):
        left[KIND_OF[pool[i]]] += 1
    hands = np.zeros((4, 34), np.int64)
    done, x = draw_riichi_hands(tables, s, seat, left, hands, work, x)
    for p in range(4):
        n = _give_hand(s, p, hands[p], pool, n)
    return done, n, shuffle(pool, n, x)  # giving hands has sorted what is left


@kernel
def _redraw(tables, s, seat, places, n_places, pool, work, x):
    """Deal the hidden tiles anew; whether the hands agree with what is known of them, and the new random state."""
    riichi = False
    for p in range(4):
        if p != seat:
            riichi = riichi or in_riichi(s, p)
    n = _collect(s, seat, pool)
    x = shuffle(pool, n, x)
    done = True
    if riichi:
        done, n, x = _draw_riichi_hands(tables, s, seat, pool, n, work, x)
    for p in range(4):
        if p != seat:
            x += GOLDEN
            n = _fill_hand(tables, s, p, _size(s, p), pool, n, x)
    for i in range(n_places):
        s.wall[places[i]] = pool[i]
    # Who has just called has a tile left that it may discard.
    return done and not (s.phase == st.CALLED and s.seat != seat and _only_forbidden(s, s.seat)), x


@kernel
def redraw_one(tables, s, seat, work, x):
    """Redraw what `seat` cannot see of one table, from the random state x; a round that is over stays as it is.

    All ways to lay the hidden tiles are equally likely, as long as a seat in riichi is tenpai (see `riichi_hands.py`)
    and one that has just called has a tile to discard. Past hands of the others are taken to be their new ones.

    `work` (WORK, zeros at first) keeps sums that copies of one table have in common. False if the tiles do not add up.
    """
    if s.phase >= st.ROUND_OVER:
        return True
    pool = np.empty(WALL, np.int8)
    places = np.empty(WALL, np.int16)
    n_places = _hidden_places(s, places)
    needed = n_places
    for p in range(4):
        if p != seat:
            needed += _size(s, p)
    if _collect(s, seat, pool) != needed:
        return False
    for _ in range(ATTEMPTS):
        done, x = _redraw(tables, s, seat, places, n_places, pool, work, x)
        if done:
            break
    s.seed = mix(x + GOLDEN)  # the walls of the rounds to come are hidden as well
    _forget(s, seat)
    if s.phase == st.CLAIM or s.phase == st.ROB:
        _claim_again(tables, s, seat)
    return True


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
    answer, queued = s.claim[seat], is_queued(s, seat)
    open_claims(tables, s, s.offer, s.phase == st.ROB)
    ask_afresh(s, seat, answer, queued)


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


def hand_tiles(record: np.record, seat: int) -> list[int]:
    """The concealed tiles of a seat in a table record, sorted."""
    found: list[int] = []
    reds = record.red[seat].tolist()
    for kind, count in enumerate(record.hand[seat].tolist()):
        if count:
            red = reds[kind // 9] if kind < 27 and kind % 9 == 4 else 0
            found += [RED + kind // 9] * red + [kind] * (count - red)
    return found


def hide(record: np.ndarray, seat: int) -> np.ndarray:
    """A copy of a table record (a 1-element array) with everything removed that `seat` cannot see.

    Unseen tiles of the wall are -1, other hands empty.
    """
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
    hide_claims(s, seat, s.phase in (st.CLAIM, st.ROB), act.PASS)
    return copy
