"""The record of one look-ahead: the query, the answer, and the work space between."""

import numpy as np

REACH = 3  # tiles replaced at the most
THRESHOLDS = np.array([1000, 2000, 3000, 3900, 5200, 6400, 7700, 8000, 12000, 16000, 24000, 32000], np.int64)
LEVELS = len(THRESHOLDS)
CANDIDATES = 8192  # patterns within reach of a suit; more do not occur (a test counts them)

SEARCH = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # the query
                ("hand", "i1", (34,)),  # concealed tiles
                ("key", "i4", (4,)),
                ("red", "i1", (3,)),  # red fives among them
                ("unseen", "i1", (34,)),  # tiles that can still be drawn
                ("dora", "i1", (34,)),  # han a tile of each kind gives
                ("melds", "i1"),
                ("meld_type", "i1", (4,)),
                ("meld_tile", "i1", (4,)),
                ("meld_dora", "i1"),  # han of doras and red fives in the melds
                ("closed", "i1"),
                ("round_wind", "i1"),
                ("seat_wind", "i1"),
                ("last", "i1"),  # the kind just drawn, or -1
                ("reach", "i1"),  # tiles replaced at the most, up to REACH
                # the answer, by discarded kind (row 34: no discard) and number of replaced tiles
                ("best", "i4", (35, REACH + 1)),  # highest points of a reachable win, 0 if there is none
                ("ways", "f8", (35, REACH + 1, LEVELS)),  # ways to draw what wins need, by highest threshold reached
                ("wins", "i4", (REACH + 1,)),  # number of different wins
                # work space
                ("vector", "i1", (4, 10)),
                ("rest", "i1", (4, 10)),  # shortest distances of the other three suits
                ("after", "i1", (4, 10)),  # shortest distances of the suits behind this one
                ("first", "i4", (4, 11)),  # candidates of each suit by group
                ("pattern", "i4", (4, CANDIDATES)),
                ("short", "i1", (4, CANDIDATES)),  # tiles the hand lacks
                ("weight", "i4", (4, CANDIDATES)),  # ways to take them from the unseen tiles
                ("han", "i1", (4, CANDIDATES)),  # doras and red fives
                ("lacks", "u8", (4, CANDIDATES)),  # packed
                ("spare", "u8", (4, CANDIDATES)),  # packed
                ("win_hand", "i1", (34,)),
                ("win_key", "i4", (4,)),
                ("win_lacks", "u8", (4,)),
                ("win_spare", "u8", (4,)),
            ],
            align=True,
        ),
    )
)
