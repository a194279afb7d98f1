"""The one-player hand: kernels that deal it, draw, discard and win, and what its player sees.

- A one-player hand as its player sees it: the closed tiles and all that counts for winning it.
- The one-player hand: kernels that deal it, draw, discard and win. The tiles lie as in `suzaku/riichi/deal.py`.
"""

import numpy as np

from suzaku.hand.shanten import waits_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.search import draws_left
from suzaku.riichi.deal import RED_SET, bit, has
from suzaku.riichi.redraw import fill_unseen
from suzaku.riichi.score import DRAW, RIICHI, win_value
from suzaku.riichi.state import INDICATORS, WALL
from suzaku.riichi.yaku import YAKUMAN
from suzaku.seeds import GOLDEN, below, mix
from suzaku.tiles import DORA_OF, KIND_OF, RED

CLASSES = 5  # a hand is won with 0 (not at all), 1, 2, 3, or 4 and more han
ONE = np.uint64(1)
EVERY_SECOND, TWO_OF_FOUR = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
FOUR_OF_EIGHT, FIRST_OF_EIGHT = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
AIMS = 4  # at least 1, 2, 3 or 4 han

VIEW = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hand", "i1", (34,)),  # closed tiles by kind, the drawn one included
                ("red", "i1", (3,)),  # red fives among them
                ("key", "i4", (4,)),
                ("unseen", "i1", (34,)),  # tiles of each kind that the player cannot see
                (
                    "unseen_bits",
                    "u8",
                    (3,),
                ),  # the same by the bits of the numbers: masks of kinds, see `fill_unseen_bits`
                ("dora", "i1", (5,)),  # the kinds that are dora, one for each indicator
                ("doras", "i1"),  # how many indicators
                ("discarded", "u8"),  # mask of the kinds in the own river
                ("round_wind", "i1"),
                ("seat_wind", "i1"),
                ("draws", "i1"),  # that follow after this discard, if nobody calls
                ("may_riichi", "i1"),  # whether enough tiles are left
                ("meld_type", "i1", (4,)),  # none: work space of the scoring
                ("meld_tile", "i1", (4,)),
            ],
            align=True,
        ),
    )
)


@kernel
def take(v, kind):
    """Put a tile into the hand."""
    v.hand[kind] += 1
    v.key[kind // 9] += POW5[kind % 9]


@kernel
def put(v, kind):
    """Take a tile out of the hand."""
    v.hand[kind] -= 1
    v.key[kind // 9] -= POW5[kind % 9]


@kernel
def fill_unseen_bits(v):
    """Bring `unseen_bits` up to date."""
    ones = twos = fours = np.uint64(0)
    for kind in range(34):
        n = np.uint64(v.unseen[kind])
        ones |= (n & ONE) << np.uint64(kind)
        twos |= ((n >> ONE) & ONE) << np.uint64(kind)
        fours |= ((n >> np.uint64(2)) & ONE) << np.uint64(kind)
    v.unseen_bits[0], v.unseen_bits[1], v.unseen_bits[2] = ones, twos, fours


@kernel
def _count(mask):
    """The bits that are set, added up side by side: compiled to one instruction where the processor has it."""
    mask -= (mask >> ONE) & EVERY_SECOND
    mask = (mask & TWO_OF_FOUR) + ((mask >> np.uint64(2)) & TWO_OF_FOUR)
    mask = (mask + (mask >> np.uint64(4))) & FOUR_OF_EIGHT
    return np.int64((mask * FIRST_OF_EIGHT) >> np.uint64(56))


@kernel
def count_unseen(v, mask):
    """The tiles of the kinds of a mask that the player cannot see."""
    bits = v.unseen_bits
    return _count(mask & bits[0]) + 2 * _count(mask & bits[1]) + 4 * _count(mask & bits[2])


@kernel
def throws_red(v, kind):
    """Whether discarding a kind throws its red five: the hand then has no plain one."""
    return kind < 27 and kind % 9 == 4 and v.red[kind // 9] > 0 and v.hand[kind] == v.red[kind // 9]


@kernel
def dora_of(v, kind):
    """Han that a tile of a kind gives."""
    han = 0
    for i in range(v.doras):
        if v.dora[i] == kind:
            han += 1
    return han


@kernel
def dora_han(v):
    """Han of the doras and red fives in the hand."""
    han = np.int64(v.red[0]) + v.red[1] + v.red[2]
    for i in range(v.doras):
        han += v.hand[v.dora[i]]
    return han


@kernel
def han_of(tables, rules, v, kind, flags):
    """The han of the complete hand won with a kind that is in it, 0 without a yaku. A yakuman counts 13."""
    mask, han, _, yakuman = win_value(
        tables, rules, v.hand, v.key, 0, v.meld_type, v.meld_tile, kind, flags, v.round_wind, v.seat_wind, dora_han(v)
    )
    if mask == 0:
        return 0
    return YAKUMAN * yakuman if yakuman > 0 else np.int64(han)


@kernel
def fill_table_view(s, p, v):
    """The view of seat p at a table, whose hand is closed and holds a drawn tile."""
    v.hand[:] = s.hand[p]
    v.red[:] = s.red[p]
    v.key[:] = s.key[p]
    fill_unseen(s, p, v.unseen)
    v.doras = s.indicators
    for i in range(s.indicators):
        v.dora[i] = DORA_OF[s.wall[INDICATORS[i]]]
    v.discarded = s.discarded[p]
    v.round_wind = (s.round_no // 4) & 3
    v.seat_wind = (p - s.dealer) & 3
    v.draws = draws_left(s, p)
    v.may_riichi = 1 if s.left >= s.rules.riichi_min_tiles else 0


# Nobody calls: hands stay closed, there are no kongs. Wins are by self-draw or on a discard, furiten as at a table,
# and every possible win is taken. Riichi counts; ippatsu, hidden doras, the last tile and first turns do not.

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
    """Deal the wall as it stands. `plays` and `tiles` must be set. With no dead wall the last tile is the indicator."""
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
    """The seat whose turn it is draws. Returns the tile."""
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
    """Seat p discards. `tenpai` says whether it may wait for something now. A seat in riichi keeps its waits."""
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
    """The han of a win by seat q on a discard, or 0. What it waits for and cannot win on makes it furiten."""
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
