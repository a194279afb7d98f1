"""Who sits where: the games that are played on one deal, so that luck cancels.

A deal is all the walls of one game. On every deal each entrant sits in every seat equally often.
"""

import itertools

import numpy as np

MODES = ("1v3", "2v2", "4way", "24way")
PAIRS = list(itertools.combinations(range(4), 2))  # the seats of the first entrant in 2v2
SEATINGS = list(itertools.permutations(range(4)))  # of 24way, as the IJCAI competitions of MCR seat
ORDERS = [(0, *rest) for rest in itertools.permutations((1, 2, 3))]  # who sits to whose right in 4way


def usual_mode(entrants: int) -> str:
    """The mode when none is asked for."""
    return "4way" if entrants == 4 else "1v3"


def check_mode(mode: str, entrants: int) -> None:
    """Refuse a mode that does not fit the number of entrants."""
    if mode not in MODES:
        raise ValueError(f"mode {mode!r} is unknown: choose one of {', '.join(MODES)}")
    if mode == "1v3" and entrants < 2:
        raise ValueError("1v3 needs two agents or more: each but the last plays against three of the last")
    if mode == "2v2" and entrants != 2:
        raise ValueError(f"2v2 needs two agents, not {entrants}")
    if mode in ("4way", "24way") and entrants != 4:
        raise ValueError(f"{mode} needs four agents, not {entrants}; one may be named more than once")


def games_a_deal(mode: str, entrants: int) -> int:
    """How many games are played on one deal."""
    return {"1v3": 4 * (entrants - 1), "2v2": len(PAIRS), "4way": 4, "24way": len(SEATINGS)}[mode]


def pairings(mode: str, entrants: int) -> int:
    """How many separate contests a match holds: one for each challenger in 1v3."""
    return entrants - 1 if mode == "1v3" else 1


def seatings(mode: str, entrants: int, deals: np.ndarray) -> np.ndarray:
    """int8[deals, games a deal, 4]: the entrant in each seat."""
    turns = games_a_deal(mode, entrants)
    if mode == "4way":
        # the neighbours change from deal to deal: all six orders come equally often
        table = [[[order[(seat - turn) % 4] for seat in range(4)] for turn in range(4)] for order in ORDERS]
        return np.array(table, np.int8)[np.asarray(deals) % len(ORDERS)]
    if mode == "24way":
        one = [list(order) for order in SEATINGS]
    elif mode == "2v2":
        one = [[0 if seat in pair else 1 for seat in range(4)] for pair in PAIRS]
    else:
        one = [
            [c if seat == own else entrants - 1 for seat in range(4)] for c in range(entrants - 1) for own in range(4)
        ]
    return np.broadcast_to(np.array(one, np.int8), (len(deals), turns, 4))
