"""The loops that other rooms run over tables of MCR: matches, replays, decisions, counts.

- What is counted of a player's hands, for matches and stores alike, and the rates that follow.
- Playing stored walls and actions.
- The match loop over tables, and the walls of a game.
- The kernel that replays a game and keeps the decisions.
- The kernels behind `suzaku data stats`: they replay a game and count.
"""

from collections.abc import Sequence

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr import state as st
from suzaku.mcr.actions import ACTIONS, FOUL
from suzaku.mcr.decision_types import types_of
from suzaku.mcr.fans import FANS, FIRST_SMALL
from suzaku.mcr.rules import Rules
from suzaku.mcr.state import CLOSED_KONG
from suzaku.mcr.step import step
from suzaku.mcr.table import ENGINE
from suzaku.seeds import read_seed
from suzaku.table.game import AWAY, EVERYONE
from suzaku.table.loops import fill_walls_kernel, play_on_kernel, stored_kernels, tally_kernel

# a hand of the game is four hands of players
HAND = (
    "hands",
    "drawn",  # hands that nobody won
    "wins",
    "self_draws",
    "deal_ins",
    "called",  # at least one open meld
    "ready",  # waiting for a tile when nobody won
    "fouls",
    "open_wins",
    "win_fan",  # flowers not counted
    "win_points",
    "deal_in_points",
    "win_turns",  # discards of the winner before the win
)
HANDS = np.dtype([*((name, "i4") for name in HAND), ("fans", "i4", (len(FANS),))])  # fans: wins that held each
FREQUENT = (50, 63, 62, 56, 68, 51, 41, 39, 19, 48, 49, 43, 35, 34)  # fans that a match reports, by number
SHOWN = (  # label, name and digits of the rates that a match reports
    ("win %", "win rate", 2),
    ("deal-in %", "deal-in rate", 2),
    ("draws %", "draws", 2),
    ("call %", "call rate", 2),
    ("wins by self-draw %", "wins by self-draw", 2),
    ("mean fan", "mean fan", 2),
    ("mean turn of a win", "mean turn of a win", 2),
    ("fouls %", "fouls", 2),
    *((f"{FANS[n - 1].name} %", FANS[n - 1].name, 1) for n in FREQUENT),
)


@kernel
def count_hand(s, p, out):
    """Add the hand of seat p in a hand that is over to the counts named in HAND."""
    out.hands += 1
    for i in range(s.melds[p]):
        if s.meld_type[p, i] != CLOSED_KONG:
            out.called += 1
            break
    if s.result == st.DRAWN:
        out.drawn += 1
        out.ready += s.shanten[p] == 0
    elif s.result == st.FOUL:
        out.fouls += s.win_seat == p
    elif s.win_seat == p:
        _count_win(s, p, out)
    elif s.win_from == p:
        out.deal_ins += 1
        out.deal_in_points -= s.deltas[p]


@kernel
def _count_win(s, p, out):
    out.wins += 1
    out.win_points += s.deltas[p]
    out.win_fan += s.win_fan
    out.win_turns += s.river_size[p]
    out.self_draws += s.result == st.WIN_BY_DRAW
    for i in range(s.melds[p]):
        if s.meld_type[p, i] != CLOSED_KONG:
            out.open_wins += 1
            break
    for i in range(FIRST_SMALL - 1):
        out.fans[i] += (s.win_big >> i) & 1
    for i in range(FIRST_SMALL - 1, out.fans.shape[0]):
        out.fans[i] += (s.win_small >> (i - FIRST_SMALL + 1)) & 1


def hand_rates(t: np.record) -> list[tuple[str, float, str]]:
    """Name, value and unit of the rates that the counts of HAND give; NaN where there is nothing to count."""
    return [
        ("win rate", _mean(100 * int(t.wins), t.hands), "% of hands"),
        ("deal-in rate", _mean(100 * int(t.deal_ins), t.hands), "% of hands"),
        ("draws", _mean(100 * int(t.drawn), t.hands), "% of hands"),
        ("call rate", _mean(100 * int(t.called), t.hands), "% of hands"),
        ("ready at draws", _mean(100 * int(t.ready), t.drawn), "% of hands there"),
        ("fouls", _mean(100 * int(t.fouls), t.hands), "% of hands"),
        ("wins by self-draw", _mean(100 * int(t.self_draws), t.wins), "% of wins"),
        ("wins with an open hand", _mean(100 * int(t.open_wins), t.wins), "% of wins"),
        ("mean fan", _mean(t.win_fan, t.wins), "fan"),
        ("mean win", _mean(t.win_points, t.wins), "points"),
        ("mean deal-in", _mean(t.deal_in_points, t.deal_ins), "points"),
        ("mean turn of a win", _mean(t.win_turns, t.wins), "discards"),
        *((fan.name, _mean(100 * int(n), t.wins), "% of wins") for fan, n in zip(FANS, t.fans, strict=True)),
    ]


def _mean(total: int, n: int) -> float:
    return int(total) / int(n) if n else float("nan")


place_round, deal_stored, stored_action, replay = stored_kernels(ENGINE, __name__, never_legal=FOUL)


def new_table(rules: Rules, start: Sequence[int] | None = None) -> np.ndarray:
    """An array of one record before its first wall is placed; `start` is the number of the hand and four scores."""
    array = np.zeros(1, ENGINE.state)
    array["rules"] = rules.to_record()
    s = array[0]
    ENGINE.start_game(s, np.uint64(0), 0)
    s.hand_no = 0
    if start is not None:
        s.hand_no = start[0]
        s.scores[:] = start[1:]
    return array


play_on = play_on_kernel(ENGINE, count_hand, __name__)
fill_walls = fill_walls_kernel(ENGINE, __name__)


def walls_of(rules: Rules, seed: int, game: int, count: int) -> np.ndarray:
    """int8[count, 144]: the first walls of a game, which follow from the seed and its number."""
    table = new_table(rules)
    ENGINE.start_game(table[0], read_seed(seed), game)
    walls = np.zeros((count, ENGINE.wall), np.int8)
    fill_walls(table[0], walls)
    return walls


def start_of(rules: Rules, seed: int, game: int) -> list[int]:
    """Where a game begins, as a store keeps it: the number of its first hand and four scores."""
    table = new_table(rules)
    ENGINE.start_game(table[0], read_seed(seed), game)
    return [int(table[0].hand_no), *table[0].scores.tolist()]


@kernel
def collect(tables, s, walls, actions, mask, follow, records, legal, taken, types, at):
    """Write the decisions of the types in `mask` to the rows of the arrays; how many, or -1 if an action is not legal.

    `follow` is EVERYONE, or any number: its bits say whom to follow in each hand. `at` takes the number of the action.
    Arrays that are too short take the first decisions. A foul is no decision.
    """
    n = 0
    here = np.zeros(ACTIONS, np.bool_)
    for i in range(actions.shape[0]):
        action = stored_action(tables, s, walls, actions[i], here)
        if action < 0:
            return -1
        followed = follow == EVERYONE or s.seat == (follow >> (2 * (s.deal % 31))) & 3
        if action < FOUL and actions[i] < AWAY and n < records.shape[0] and followed:
            found = types_of(here, action) & mask
            if found:
                records[n] = s
                for a in range(ACTIONS):
                    legal[n, a] = here[a]
                taken[n] = action
                types[n] = found
                at[n] = i
                n += 1
        step(tables, s, action)
    return n


TYPES = 5  # of decisions
TALLY = np.dtype(
    [
        ("rounds", "i8"),
        ("actions", "i8"),  # all answers to the engine's questions, forced ones included
        ("away", "i8"),  # of these, for a player who was away
        ("decisions", "i8", (TYPES,)),  # questions with a choice, by the bits of `decision_types.py`
        ("taken", "i8", (ACTIONS,)),  # how often each action was taken
        ("results", "i8", (len(st.RESULT_NAMES),)),  # hands by result
        ("points", "i8", (64,)),  # wins by fan, the last for all above
        ("fans", "i8", (len(FANS),)),  # wins by fan
        *((name, "i8") for name in HAND),
    ]
)


@kernel
def _count_round(s, out):
    out.rounds += 1
    out.results[s.result] += 1
    for p in range(4):
        count_hand(s, p, out)
    if s.wins > 0:
        out.points[min(63, s.win_fan + s.win_flowers)] += 1


tally = tally_kernel(ENGINE, stored_action, types_of, TYPES, FOUL, _count_round, __name__)
