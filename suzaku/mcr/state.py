"""The table record: the whole state of an MCR table as one element of a NumPy structured array.

- The types of melds by number.
- How a hand was won, as bits.
- The table record: the whole state of an MCR table as one element of a NumPy structured array.
"""

import numpy as np

from suzaku.mcr.rules import RULES

CHOW, PONG, OPEN_KONG, CLOSED_KONG, ADDED_KONG = range(5)
MELD_NAMES = ("chow", "pong", "open_kong", "closed_kong", "added_kong")


# What cannot be true is dropped: ROBBING_KONG of a self-drawn tile or of one whose kind the winner holds besides, and
# AFTER_KONG without a kong or a self-draw. FOURTH_TILE is dropped when the hand itself holds the kind besides, and
# holds without the flag when the winner's open melds show the other three.

SELF_DRAWN = 1
LAST_TILE = 2  # the last tile of the wall, or the discard after it
FOURTH_TILE = 4  # the other three of the kind lie open
AFTER_KONG = 8  # on the replacement tile of an own kong
ROBBING_KONG = 16  # on the tile that another seat adds to a pong
NO_MIXED_KONGS = 32  # a rule, not an event: fan 82 (one concealed and one melded kong) is not played


# Seats are 0..3; seat 0 is the first dealer and turns go 0, 1, 2, 3. "Kind" is 0..33 (see `suzaku.tiles`); the flowers
# of a wall are 34..41.

# phase: what is being asked of `seat`
TURN = 0  # has drawn: discard, closed or added kong, win
CALLED = 1  # has called chow or pong: discard
CLAIM = 2  # another seat discarded: win, kong, pong, chow or pass
ROB = 3  # another seat makes an added kong: win or pass
ROUND_OVER = 4  # nothing: the hand is settled and the next one waits to be dealt
GAME_OVER = 5  # nothing: the game is over

# result: how the last hand ended
NO_RESULT, WIN_BY_DRAW, WIN_BY_DISCARD, DRAWN, FOUL = range(5)
RESULT_NAMES = ("none", "self-draw", "win on discard", "draw", "foul")

UNKNOWN = 99  # the shanten of a hand that is hidden
FLOWER = 34  # the first of the eight flowers
TILES = 42  # kinds and flowers
WALL = 144
PRIVATE = 34  # tiles of a private wall; four of them leave the last eight places of the wall empty (-1)
RIVER = 40  # more discards than one seat can make: 33 draws of one wall, or 21 of a private one and claims

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rules", RULES),  # the switches of `Rules`
                # the game
                ("seed", "u8"),  # with `game` and `deal`, decides every wall
                ("game", "i8"),  # number of the game under this seed
                ("deal", "i4"),  # hands dealt so far in this game
                ("auto", "i1"),  # 1: the next hand is dealt by itself; 0: the table stops at ROUND_OVER
                ("hand_no", "i1"),  # 0..15: prevalent wind times four, plus the dealer
                ("dealer", "i1"),  # seat of the dealer, who is East
                ("wind", "i1"),  # prevalent wind, 0..3 for E, S, W, N
                ("scores", "i4", (4,)),  # points by seat
                # the walls
                ("wall", "i1", (WALL,)),  # the tiles of this hand's walls; draws come from the end (of a seat's part)
                ("own_left", "i2", (4,)),  # private walls: tiles left in each
                ("front", "i2"),  # one wall: replacement tiles taken from its beginning
                ("left", "i2"),  # tiles left to draw, all walls together
                # hands
                ("hand", "u1", (4, 34)),  # concealed tiles by kind, the drawn one included
                ("shanten", "i1", (4,)),  # of the hand without a drawn tile: 0 waits for a tile
                ("flowers", "u1", (4,)),  # bit of each flower laid out
                ("drawn", "i1"),  # the kind that `turn` has just drawn, or -1
                ("after_kong", "i1"),  # 1: the drawn tile replaces a kong
                # melds
                ("melds", "i1", (4,)),  # number of melds, closed kongs included
                ("meld_type", "i1", (4, 4)),  # of `melds.py`, or -1
                ("meld_kind", "i1", (4, 4)),  # lowest kind
                ("meld_called", "i1", (4, 4)),  # the kind called, or -1
                ("meld_from", "i1", (4, 4)),  # the seat it was called from, or the own seat
                ("meld_order", "i2", (4, 4)),  # discards of all seats when the meld was made
                # rivers
                ("river_size", "i1", (4,)),  # number of discards
                ("river", "i1", (4, RIVER)),  # discarded kinds
                ("river_called", "i1", (4, RIVER)),  # 1: another seat called it
                ("river_order", "i2", (4, RIVER)),  # when, counting the discards of all seats
                ("discards", "i2"),  # discards of all seats so far
                ("public", "u1", (34,)),  # tiles of a kind that all see: discards that passed, and open melds
                # what is asked
                ("phase", "i1"),  # TURN ... GAME_OVER
                ("seat", "i1"),  # who is asked, or -1
                ("turn", "i1"),  # who drew, called or discarded last
                ("offer", "i1"),  # in CLAIM and ROB: the kind offered
                ("queue", "i1", (4,)),  # in CLAIM and ROB: seats still to be asked after `seat`, then -1
                ("can_win", "i1"),  # in CLAIM and ROB: bit of each seat that may win
                ("claim", "i1", (4,)),  # in CLAIM and ROB: the answer of each seat so far (PASS if not asked)
                # the last hand's result
                ("result", "i1"),  # NO_RESULT ... FOUL
                ("deltas", "i4", (4,)),  # points won and lost
                ("wins", "i1"),  # 1: somebody won
                ("win_seat", "i1"),  # the winner, or who committed the foul
                ("win_from", "i1"),  # who discarded, or the winner
                ("win_tile", "i1"),  # the winning kind
                ("win_flags", "i1"),  # circumstances (see `flags.py`)
                ("win_fan", "i2"),  # fan without flowers
                ("win_big", "i8"),  # its fans: bits of `fans.py`
                ("win_small", "i8"),
                ("win_more", "i4"),  # how often more than once
                ("win_flowers", "i1"),  # fan for flowers
                ("ranks", "i1", (4,)),  # at GAME_OVER: 0 = first
            ],
            align=True,
        ),
    )
)
