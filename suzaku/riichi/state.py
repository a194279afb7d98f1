"""The table record: the whole state of a Riichi table as one element of a NumPy structured array.

Seats are 0..3; seat 0 is the first dealer and turns go 0, 1, 2, 3. "Tile" is 0..36 and "kind" 0..33 (see
`suzaku.tiles`). Masks of kinds have bit k set for kind k.
"""

import numpy as np

from suzaku.riichi.rules import RULES

# phase: what is being asked of `seat`
TURN = 0  # has drawn: discard, riichi, kong, win, nine kinds
CALLED = 1  # has called chow or pong: discard
RIICHI_DISCARD = 2  # has declared riichi: discard
CLAIM = 3  # another seat discarded: win, kong, pong, chow or pass
ROB = 4  # another seat made an added (or closed) kong: win or pass
ROUND_OVER = 5  # nothing: the round is settled and the next one waits to be dealt
GAME_OVER = 6  # nothing: the game is over

# meld_type
NO_MELD, CHOW, PONG, OPEN_KONG, CLOSED_KONG, ADDED_KONG = range(6)
MELD_NAMES = ("", "chow", "pong", "open_kong", "closed_kong", "added_kong")

# bits of river_flag
RIVER_DRAWN = 1  # the tile just drawn was discarded
RIVER_RIICHI = 2  # riichi was declared with it
RIVER_CALLED = 4  # another seat called it

# result: how the last round ended
NO_RESULT, WIN_BY_DRAW, WIN_BY_DISCARD, EXHAUSTED, NAGASHI = 0, 1, 2, 3, 4
NINE_KINDS, FOUR_WINDS, FOUR_RIICHI, FOUR_KONGS, THREE_WINS = 5, 6, 7, 8, 9
RESULT_NAMES = (
    "none", "self-draw", "win on discard", "exhaustive draw", "nagashi mangan",
    "nine kinds", "four winds", "four riichi", "four kongs", "three wins",
)  # fmt: skip

UNKNOWN = 99  # the shanten of a hand that is hidden

WALL = 136
PAST = 6  # own turns whose hands are remembered
RIVER = 32  # more discards than one seat can make in a round (the calls that give a seat extra turns are at most 16)

# Where things lie in the wall. Draws run from 135 down; the last 14 tiles are the dead wall.
REPLACEMENTS = np.array([1, 0, 3, 2], np.int8)
INDICATORS = np.array([5, 7, 9, 11, 13], np.int8)
URA_INDICATORS = np.array([4, 6, 8, 10, 12], np.int8)

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rules", RULES),  # the switches of `Rules`
                # the game
                ("seed", "u8"),  # with `game` and `deal`, decides every wall
                ("game", "i8"),  # number of the game under this seed
                ("deal", "i4"),  # rounds dealt so far in this game
                ("auto", "i1"),  # 1: the next round is dealt by itself; 0: the table stops at ROUND_OVER
                ("round_no", "i1"),  # 0 = east 1, 4 = south 1, 8 = west 1
                ("dealer", "i1"),  # seat of the dealer
                ("honba", "i2"),  # repeat counter
                ("sticks", "i2"),  # riichi sticks on the table
                ("scores", "i4", (4,)),  # points by seat
                # the wall
                ("wall", "i1", (WALL,)),  # the tiles of this round's wall
                ("next", "i2"),  # place of the next tile to be drawn
                ("left", "i1"),  # tiles left to draw
                ("kongs", "i1"),  # replacement tiles drawn
                ("indicators", "i1"),  # dora indicators shown
                ("indicator_order", "i1", (5,)),  # discards of all seats when each was shown
                ("due", "i1"),  # kong indicators to be shown after the next discard
                # hands
                ("hand", "i1", (4, 34)),  # concealed tiles by kind, the drawn one included
                ("red", "i1", (4, 3)),  # how many of the concealed fives of a suit are red
                ("key", "i4", (4, 4)),  # keys of the concealed tiles (see `suzaku.hand.tables`)
                ("waits", "u8", (4,)),  # mask of the kinds that complete the hand, without a drawn tile
                ("shanten", "i1", (4,)),  # shanten of the hand without a drawn tile
                ("drawn", "i1"),  # the tile that `turn` has just drawn, or -1
                ("after_kong", "i1"),  # 1: the drawn tile is a replacement
                # melds
                ("melds", "i1", (4,)),  # number of melds, closed kongs included
                ("open_melds", "i1", (4,)),  # number of melds that open the hand
                ("meld_type", "i1", (4, 4)),  # NO_MELD, CHOW ...
                ("meld_tile", "i1", (4, 4)),  # lowest kind
                ("meld_called", "i1", (4, 4)),  # the tile called, or -1
                ("meld_added", "i1", (4, 4)),  # the tile added to a pong, or -1
                ("meld_from", "i1", (4, 4)),  # the seat it was called from, or the own seat
                ("meld_red", "i1", (4, 4)),  # red fives in the meld
                ("meld_order", "i1", (4, 4)),  # discards of all seats when the meld was made
                ("added_order", "i1", (4, 4)),  # the same when a tile was added to a pong
                # rivers
                ("river_size", "i1", (4,)),  # number of discards
                ("river", "i1", (4, RIVER)),  # discarded tiles
                ("river_flag", "i1", (4, RIVER)),  # RIVER_DRAWN | RIVER_RIICHI | RIVER_CALLED
                ("river_order", "i1", (4, RIVER)),  # when, counting the discards of all seats
                ("discards", "i1"),  # discards of all seats so far
                ("discarded", "u8", (4,)),  # mask of the kinds in the river
                ("past_key", "i4", (4, PAST, 4)),  # keys of the hand before the discard i of a seat, at i % PAST
                # riichi, furiten, liability
                ("riichi", "i1", (4,)),  # 1: riichi, 2: double riichi
                ("riichi_due", "i1"),  # seat whose riichi discard has not passed yet, or -1
                ("ippatsu", "i1", (4,)),  # 1: a win now is within a turn of riichi
                ("missed", "i1", (4,)),  # 1: let a winning tile pass in this turn; 2: in riichi
                ("pao", "i1", (4, 2)),  # seat liable for the big dragons, and for the big winds, of each seat, or -1
                ("unbroken", "i1"),  # 1: no call or kong so far in this round
                # what is asked
                ("phase", "i1"),  # TURN ... GAME_OVER
                ("seat", "i1"),  # who is asked, or -1
                ("turn", "i1"),  # who drew, called or discarded last
                ("offer", "i1"),  # in CLAIM and ROB: the tile offered
                ("forbidden", "u8"),  # in CALLED: mask of kinds that may not be discarded
                ("queue", "i1", (4,)),  # in CLAIM and ROB: seats still to be asked after `seat`, then -1
                ("can_win", "i1"),  # in CLAIM and ROB: bit of each seat that may win
                ("claim", "i1", (4,)),  # in CLAIM and ROB: the answer of each seat so far (PASS if not asked)
                ("kong_type", "i1"),  # in ROB: CLOSED_KONG or ADDED_KONG
                # the last round's result
                ("result", "i1"),  # NO_RESULT ... THREE_WINS
                ("deltas", "i4", (4,)),  # points won and lost in the round's end, sticks included
                ("wins", "i1"),  # number of winners
                ("win_seat", "i1", (3,)),  # winners in turn order
                ("win_from", "i1"),  # who discarded, or the winner
                ("win_tile", "i1"),  # the winning tile
                ("win_yaku", "u8", (3,)),  # mask of yaku (see `yaku.py`)
                ("win_han", "i1", (3,)),  # han, doras included
                ("win_fu", "i2", (3,)),
                ("win_yakuman", "i1", (3,)),  # how many times yakuman
                ("win_dora", "i1", (3, 3)),  # han by dora, ura dora, red fives
                ("win_points", "i4", (3,)),  # points of the hand, without honba and sticks
                ("tenpai", "i1"),  # at an exhaustive draw: bit of each tenpai seat
                ("repeats", "i1"),  # 1: the dealer stays for the next round
                ("ranks", "i1", (4,)),  # at GAME_OVER: 0 = first
            ],
            align=True,
        ),
    )
)
