"""Kernels that shuffle the walls, deal a hand and draw tiles."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr.shanten import shanten
from suzaku.mcr.state import FLOWER, NO_RESULT, PRIVATE, TURN, WALL
from suzaku.seeds import GOLDEN, below, mix
from suzaku.table.kernels import shuffle, wall_bits

PLAIN = 136  # tiles without flowers


@kernel
def shuffle_wall(s):
    """Fill the wall; it depends on seed, game and deal alone."""
    size = WALL if s.rules.flowers else PLAIN
    for i in range(WALL):
        s.wall[i] = -1 if i >= size else i // 4 if i < PLAIN else FLOWER + i - PLAIN
    shuffle(s.wall, size, wall_bits(s))


@kernel
def left_for(s, p):
    """Tiles that seat p can still draw."""
    return s.own_left[p] if s.rules.duplicate else s.left


@kernel
def is_last(s, p):
    """Whether what seat p has drawn or discards is the last tile: the next seat has none to draw."""
    return left_for(s, (p + 1) & 3) == 0


@kernel
def _take(s, p, replacement):
    """The next tile of the wall for seat p; one wall gives replacements from its other end."""
    s.left -= 1
    if s.rules.duplicate:
        s.own_left[p] -= 1
        return s.wall[PRIVATE * p + s.own_left[p]]
    if replacement:
        s.front += 1
        return s.wall[s.front - 1]
    return s.wall[s.front + s.left]


@kernel
def _take_kind(s, p, replacement):
    """The same with flowers laid out and replaced: a kind, and whether it replaces a flower; -1 if none is left."""
    tile = _take(s, p, replacement)
    flower = False
    while tile >= FLOWER:
        s.flowers[p] |= 1 << (tile - FLOWER)
        if s.left == 0:
            return -1, True
        tile = _take(s, p, True)
        flower = True
    return tile, flower


@kernel
def draw(s, p, replacement):
    """Seat p draws a tile and is asked what to do; False if no tile was left for it."""
    if left_for(s, p) == 0:
        return False
    kind, flower = _take_kind(s, p, replacement)
    s.turn = p
    if kind < 0:
        return False
    s.hand[p, kind] += 1
    s.drawn = kind
    s.after_kong = replacement and not flower
    s.seat = p
    s.phase = TURN
    return True


@kernel
def refresh(tables, s, p):
    """Work out the shanten of seat p, which holds no drawn tile."""
    s.shanten[p] = shanten(tables, s.hand[p], s.melds[p])


@kernel
def start_round(tables, s):
    """Deal a hand from the wall as it stands; `hand_no` must be set."""
    s.dealer = s.hand_no & 3
    s.wind = s.hand_no >> 2
    s.left = WALL if s.rules.flowers else PLAIN
    s.own_left[:] = PRIVATE if s.rules.duplicate else 0
    s.front = 0
    s.hand[:] = 0
    s.flowers[:] = 0
    s.drawn = -1
    s.after_kong = 0
    s.melds[:] = 0
    s.meld_type[:] = -1
    s.meld_kind[:] = -1
    s.meld_called[:] = -1
    s.meld_from[:] = 0
    s.meld_order[:] = 0
    s.river_size[:] = 0
    s.river[:] = -1
    s.river_called[:] = 0
    s.river_order[:] = 0
    s.discards = 0
    s.public[:] = 0
    s.offer = -1
    s.queue[:] = -1
    s.can_win = 0
    s.claim[:] = 0
    _deal_tiles(s)
    for p in range(4):
        refresh(tables, s, p)
    draw(s, s.dealer, False)


@kernel
def _deal_tiles(s):
    """Thirteen tiles a seat: three times four in turn, then one; flowers are replaced in turn when all have theirs."""
    owed = np.zeros(4, np.int64)
    for turn in range(16):
        p = (s.dealer + turn) & 3
        for _ in range(4 if turn < 12 else 1):
            tile = _take(s, p, False)
            if tile >= FLOWER:
                s.flowers[p] |= 1 << (tile - FLOWER)
                owed[p] += 1
            else:
                s.hand[p, tile] += 1
    for i in range(4):
        p = (s.dealer + i) & 3
        for _ in range(owed[p]):
            kind, _flower = _take_kind(s, p, True)
            s.hand[p, kind] += 1


@kernel
def deal_round(tables, s):
    """Shuffle and deal the next hand of the table's seed."""
    shuffle_wall(s)
    s.deal += 1
    start_round(tables, s)


@kernel
def first_hand(s):
    """The number of a game's first hand: with a single one the seed decides the prevalent wind."""
    if s.rules.hands > 1:
        return 0
    return 4 * below(mix(mix(s.seed + GOLDEN) ^ np.uint64(s.game)), 4)


@kernel
def start_game(s, seed, game):
    """Set everything but the rules to the start of a game; the first hand is not dealt yet."""
    s.seed = seed
    s.game = game
    s.deal = 0
    s.hand_no = first_hand(s)
    s.scores[:] = s.rules.start_score
    s.result = NO_RESULT
    s.deltas[:] = 0
    s.wins = 0
    s.win_seat = -1
    s.ranks[:] = 0
