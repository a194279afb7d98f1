"""The one-player hand: kernels that deal it, draw, discard and win. The tiles lie as in `suzaku/riichi/deal.py`.

Nobody calls: hands stay closed, there are no kongs. Wins are by self-draw or on a discard, furiten as at a table, and
every possible win is taken. Riichi counts; ippatsu, hidden doras, the last tile and first turns do not.
"""

import numpy as np

from suzaku.hand.shanten import waits_keys
from suzaku.kernel import kernel
from suzaku.riichi.deal import RED_SET
from suzaku.riichi.hands import bit, has
from suzaku.riichi.score import DRAW, RIICHI
from suzaku.riichi.state import INDICATORS, WALL
from suzaku.seeds import GOLDEN, below, mix
from suzaku.tiles import DORA_OF, KIND_OF, RED
from suzaku.winning_scores.view import VIEW, han_of, put, take

LIVE = 70  # tiles to draw at a table
WHOLE = WALL - 4 * 13 - 1  # if there is no dead wall: all but the indicator

SOLO = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("seat", VIEW, (4,)),  # what each sees; seat 0 deals, so a seat is its own wind
                ("plays", "i1", (4,)),  # 0: the seat discards what it draws
                ("waits", "u8", (4,)),
                ("missed", "i1", (4,)),  # let a winning tile pass: until the next discard
                ("riichi", "i1", (4,)),
                ("wall", "i1", (WALL,)),
                ("tiles", "i8"),  # to draw in a hand, LIVE to WHOLE
                ("next", "i8"),  # place of the next tile to be drawn
                ("left", "i8"),  # tiles left to draw
                ("turn", "i8"),  # seat that draws next
                ("random", "u8"),  # state of the random numbers
            ],
            align=True,
        ),
    )
)


@kernel
def draw_random(s, n):
    """A random number below n."""
    s.random += GOLDEN
    return below(mix(s.random), n)


@kernel
def start(s, seed, number):
    """Begin the random numbers of a hand: they depend on seed and number alone."""
    s.random = mix(mix(np.uint64(seed) + GOLDEN) ^ np.uint64(number))


@kernel
def shuffle(s):
    """A new wall."""
    for i in range(WALL):
        s.wall[i] = RED_SET[i]
    for i in range(WALL - 1, 0, -1):
        j = draw_random(s, i + 1)
        tile = s.wall[i]
        s.wall[i] = s.wall[j]
        s.wall[j] = tile


@kernel
def _receive(s, p, tile):
    v = s.seat[p]
    kind = np.int64(KIND_OF[tile])
    take(v, kind)
    v.unseen[kind] -= 1
    if tile >= RED:
        v.red[tile - RED] += 1


@kernel
def deal(tables, s, round_wind):
    """Deal the wall as it stands; `plays` and `tiles` must be set. With no dead wall the last tile is the indicator."""
    indicator = s.wall[INDICATORS[0] if s.tiles == LIVE else 0]
    s.next = WALL - 1
    s.left = s.tiles
    s.turn = 0
    s.waits[:] = 0
    s.missed[:] = 0
    s.riichi[:] = 0
    for p in range(4):
        if not s.plays[p]:
            continue
        v = s.seat[p]
        v.hand[:] = 0
        v.red[:] = 0
        v.key[:] = 0
        v.unseen[:] = 4
        v.unseen[KIND_OF[indicator]] -= 1
        v.dora[0] = DORA_OF[indicator]
        v.doras = 1
        v.discarded = 0
        v.round_wind = round_wind
        v.seat_wind = p
    for turn in range(16):
        p = turn & 3
        for _ in range(4 if turn < 12 else 1):
            if s.plays[p]:
                _receive(s, p, s.wall[s.next])
            s.next -= 1
    for p in range(4):
        if s.plays[p]:
            s.waits[p] = waits_keys(tables, s.seat[p].hand, s.seat[p].key, 0)


@kernel
def draw(s):
    """The seat whose turn it is draws; the tile."""
    tile = np.int64(s.wall[s.next])
    s.next -= 1
    s.left -= 1
    p = s.turn
    if s.plays[p]:
        _receive(s, p, tile)
        v = s.seat[p]
        v.draws = s.left // 4
        v.may_riichi = 1 if s.left >= 4 else 0
    return tile


@kernel
def drawn_han(tables, rules, s, p, tile):
    """The han of a win by self-draw with the tile just drawn, or 0."""
    kind = np.int64(KIND_OF[tile])
    if not has(s.waits[p], kind):
        return 0
    return han_of(tables, rules, s.seat[p], kind, DRAW | (RIICHI if s.riichi[p] else 0))


@kernel
def discard(tables, s, p, kind, red, riichi, tenpai):
    """Seat p discards; `tenpai` says whether it may wait for something now. A seat in riichi keeps its waits."""
    if s.plays[p]:
        v = s.seat[p]
        put(v, kind)
        if red:
            v.red[kind // 9] -= 1
        v.discarded |= bit(kind)
        if not s.riichi[p]:
            s.missed[p] = 0
            s.waits[p] = waits_keys(tables, v.hand, v.key, 0) if tenpai else np.uint64(0)
        if riichi:
            s.riichi[p] = 1
    for q in range(4):
        if q != p and s.plays[q]:
            s.seat[q].unseen[kind] -= 1


@kernel
def discard_han(tables, rules, s, q, kind, red):
    """The han of a win by seat q on a discard, or 0; what it waits for and cannot win on makes it furiten."""
    if not has(s.waits[q], kind):
        return 0
    v = s.seat[q]
    if s.missed[q] or s.waits[q] & v.discarded != 0:
        s.missed[q] = 1
        return 0
    take(v, kind)
    if red:
        v.red[kind // 9] += 1
    han = han_of(tables, rules, v, kind, RIICHI if s.riichi[q] else 0)
    put(v, kind)
    if red:
        v.red[kind // 9] -= 1
    if han == 0:
        s.missed[q] = 1
    return han
