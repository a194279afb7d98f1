"""Kernels that shuffle a wall, deal a round, draw tiles, and move them in and out of a hand.

- Kernels that move tiles in and out of a hand and keep what is known of it up to date.
- Kernels that shuffle a wall, deal a round and draw tiles.
"""

import numpy as np

from suzaku.hand.shanten import shanten_keys, waits_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.riichi.state import CHOW, NO_RESULT, PONG, REPLACEMENTS, TURN, WALL
from suzaku.table.kernels import shuffle, wall_bits
from suzaku.tiles import KIND_OF, RED, full_set

ONE = np.uint64(1)


@kernel
def bit(kind):
    """The mask of one kind."""
    return ONE << np.uint64(kind)


@kernel
def has(mask, kind):
    """Whether a mask of kinds holds this kind."""
    return (mask >> np.uint64(kind)) & ONE != 0


@kernel
def add_tile(s, p, tile):
    """Put a tile into the concealed hand of seat p."""
    kind = KIND_OF[tile]
    s.hand[p, kind] += 1
    s.key[p, kind // 9] += POW5[kind % 9]
    if tile >= RED:
        s.red[p, tile - RED] += 1


@kernel
def remove_tile(s, p, tile):
    """Take a tile out of the concealed hand of seat p."""
    kind = KIND_OF[tile]
    s.hand[p, kind] -= 1
    s.key[p, kind // 9] -= POW5[kind % 9]
    if tile >= RED:
        s.red[p, tile - RED] -= 1


@kernel
def in_melds(s, p, kind):
    """How many tiles of a kind the melds of seat p hold."""
    n = 0
    for i in range(s.melds[p]):
        first = s.meld_tile[p, i]
        if s.meld_type[p, i] == CHOW:
            if first <= kind <= first + 2:
                n += 1
        elif first == kind:
            n += 3 if s.meld_type[p, i] == PONG else 4
    return n


@kernel
def refresh(tables, s, p):
    """Work out shanten and waits of seat p anew; its hand must hold no drawn tile.

    A kind of which the concealed tiles hold all four is no wait. One that the own melds use up still is: Tenhou counts
    such a hand as tenpai.
    """
    s.shanten[p] = shanten_keys(tables, s.key[p, 0], s.key[p, 1], s.key[p, 2], s.key[p, 3], s.melds[p])
    s.waits[p] = waits_keys(tables, s.hand[p], s.key[p], s.melds[p]) if s.shanten[p] == 0 else np.uint64(0)


RED_SET = full_set(True)
PLAIN_SET = full_set(False)


@kernel
def shuffle_wall(s):
    """Fill the wall; it depends on seed, game and deal alone."""
    for i in range(WALL):
        s.wall[i] = RED_SET[i] if s.rules.red_fives else PLAIN_SET[i]
    shuffle(s.wall, WALL, wall_bits(s))


@kernel
def draw(s, p):
    """Seat p draws the next tile and is asked what to do."""
    _receive(s, p, s.wall[s.next])
    s.next -= 1
    s.after_kong = 0


@kernel
def draw_replacement(s, p):
    """Seat p draws a replacement tile and is asked what to do."""
    _receive(s, p, s.wall[REPLACEMENTS[s.kongs]])
    s.kongs += 1
    s.after_kong = 1


@kernel
def _receive(s, p, tile):
    add_tile(s, p, tile)
    s.left -= 1
    s.drawn = tile
    s.turn = p
    s.seat = p
    s.phase = TURN


@kernel
def start_round(tables, s):
    """Deal a round from the wall as it stands; dealer, round and counters must be set."""
    s.next = WALL - 1
    s.left = 70
    s.kongs = 0
    s.indicators = 1
    s.indicator_order[:] = 0
    s.due = 0
    s.hand[:] = 0
    s.red[:] = 0
    s.key[:] = 0
    s.melds[:] = 0
    s.open_melds[:] = 0
    s.meld_type[:] = 0
    s.meld_tile[:] = 0
    s.meld_called[:] = -1
    s.meld_added[:] = -1
    s.meld_from[:] = 0
    s.meld_red[:] = 0
    s.meld_order[:] = 0
    s.added_order[:] = 0
    s.river_size[:] = 0
    s.river[:] = -1
    s.river_flag[:] = 0
    s.river_order[:] = 0
    s.discards = 0
    s.discarded[:] = 0
    s.past_key[:] = 0
    s.riichi[:] = 0
    s.riichi_due = -1
    s.ippatsu[:] = 0
    s.missed[:] = 0
    s.pao[:] = -1
    s.unbroken = 1
    s.offer = -1
    s.forbidden = 0
    s.queue[:] = -1
    s.can_win = 0
    s.claim[:] = 0
    s.kong_type = 0
    for turn in range(16):  # three times four tiles each, then one
        p = (s.dealer + turn) & 3
        for _ in range(4 if turn < 12 else 1):
            add_tile(s, p, s.wall[s.next])
            s.next -= 1
    for p in range(4):
        refresh(tables, s, p)
    draw(s, s.dealer)


@kernel
def deal_round(tables, s):
    """Shuffle and deal the next round of the table's seed."""
    shuffle_wall(s)
    s.deal += 1
    start_round(tables, s)


@kernel
def start_game(s, seed, game):
    """Set everything but the rules to the start of a game; the first round is not dealt yet."""
    s.seed = seed
    s.game = game
    s.deal = 0
    s.round_no = 0
    s.dealer = 0
    s.honba = 0
    s.sticks = 0
    s.scores[:] = s.rules.start_score
    s.result = NO_RESULT
    s.deltas[:] = 0
    s.wins = 0
    s.repeats = 0
    s.tenpai = 0
    s.ranks[:] = 0
