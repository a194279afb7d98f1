"""Kernels that shuffle a wall, deal a round and draw tiles."""

from suzaku.kernel import kernel
from suzaku.riichi.hands import add_tile, refresh
from suzaku.riichi.state import NO_RESULT, REPLACEMENTS, TURN, WALL
from suzaku.table.walls import shuffle, wall_bits
from suzaku.tiles import full_set

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
