"""The record of a search: what is asked, what is found, and room to work in."""

import numpy as np

TOP = 8  # plans that are kept for people
MOST_TARGETS = 64  # targets that are kept for people

SEARCH = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # the query
                ("hand", "u1", (34,)),  # concealed tiles, 13 or 14 less 3 a meld
                ("unseen", "u1", (34,)),  # tiles of a kind that the seat does not see
                ("melds", "i1"),
                ("meld_type", "i1", (4,)),
                ("meld_kind", "i1", (4,)),
                ("seat_wind", "i1"),
                ("round_wind", "i1"),
                ("minimum", "i2"),  # fan that a win needs
                ("draws", "f4"),  # own draws that are left
                ("slack", "i1"),  # how much farther than the nearest targets are listed too
                ("exact", "i1"),  # targets with at most so many missing tiles are scored tile by tile as they are won
                ("wide", "i1"),  # up to so many missing tiles all sets are tried, beyond only those of plans
                ("claims", "f4"),  # how often an opponent discards an unseen tile, against drawing it
                ("keep", "i1"),  # 1: the targets that promise most are kept, for people
                # the answer
                ("distance", "i1"),  # tiles short of the nearest target found
                ("total", "f8"),  # expected points of all targets, for the hand as it is
                ("value", "f8", (34,)),  # the same once a tile of this kind is discarded
                ("near", "i1", (34,)),  # tiles short of the nearest target once a tile of this kind is discarded
                ("plans", "i1"),  # how many of the rows below are filled, the best first
                ("plan", "i2", (TOP,)),  # number of the plan
                ("plan_value", "f8", (TOP,)),  # expected points of its targets
                ("plan_missing", "i1", (TOP,)),  # of its best target: tiles short
                ("plan_fan", "i2", (TOP,)),  # fan
                ("plan_wants", "i1", (TOP, 34)),  # missing tiles by kind
                ("plan_best", "f8", (TOP,)),  # expected points of that target
                ("none", "f8"),  # probability that none of the targets is reached, were they independent
                ("targets", "i2"),  # how many are kept, in any order
                ("target_tiles", "u1", (MOST_TARGETS, 34)),  # all their concealed tiles
                ("target_worth", "f8", (MOST_TARGETS,)),  # expected points
                ("target_probability", "f8", (MOST_TARGETS,)),
                # work: the probability to get a missing tile
                ("by_draw", "f8", (34,)),  # by own draw
                ("by_chow", "f8", (34,)),  # or the previous seat's discard
                ("by_pung", "f8", (34,)),  # or anyone's discard
                ("used", "u1", (34,)),  # tiles of the target so far
                ("at", "i2", (5,)),  # set chosen at each place
                ("missing", "i1", (6,)),  # tiles short after each place
                ("open_", "f8", (6,)),  # probability after each place, with claims
                ("closed", "f8", (6,)),  # without
                ("hidden", "i1", (6,)),  # pungs held in full
                ("runs", "i8", (6,)),
                ("pungs", "i8", (6,)),
                ("slowest", "f8", (6,)),  # the most that claiming the last tile gains
                ("places", "i8", (4,)),  # masks of sets for the places still to fill
                ("found", "i1", (128,)),  # by plan: whether it had a target at the last budget
                ("plan_sum", "f8"),  # value of the plan being searched
                ("best_target", "f8"),
            ],
            align=True,
        ),
    )
)
