"""The loops that other rooms run over tables of Riichi: matches, replays, decisions, counts.

- What is counted of a player's hands, and the rates that players know.
- Playing stored walls and actions.
- The match loop over tables, and the walls of a game.
- The kernel that replays a game and keeps the decisions.
- The kernel that replays a game and keeps how it stood between its rounds.
- The kernels behind `suzaku data stats`: they replay a game and count.
"""

from collections.abc import Sequence

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi import state as st
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.decision_types import types_of
from suzaku.riichi.rules import Rules
from suzaku.riichi.settle import advance
from suzaku.riichi.state import ROUND_OVER
from suzaku.riichi.step import step
from suzaku.riichi.table import ENGINE
from suzaku.seeds import read_seed
from suzaku.table.game import AWAY, EVERYONE
from suzaku.table.loops import fill_walls_kernel, play_on_kernel, stored_kernels, tally_kernel

# a round is four hands
HAND = (
    "hands",
    "drawn",  # hands of rounds that ended in an exhaustive draw
    "wins",
    "self_draws",
    "deal_ins",
    "riichi",
    "called",  # at least one open meld
    "tenpai",  # tenpai at an exhaustive draw
    "riichi_wins",
    "open_wins",
    "win_points",
    "deal_in_points",
    "win_turns",  # discards of the winner before the win
    "riichi_turns",  # discards of the player up to riichi
)
HANDS = np.dtype([(name, "i4") for name in HAND])
SHOWN = (  # label, name and digits of the rates that a match reports
    ("win %", "win rate", 2),
    ("deal-in %", "deal-in rate", 2),
    ("riichi %", "riichi rate", 2),
    ("call %", "call rate", 2),
    ("tenpai at draws %", "tenpai at exhaustive draws", 2),
    ("mean win", "mean win", 0),
    ("mean deal-in", "mean deal-in", 0),
)


@kernel
def count_hand(s, p, out):
    """Add the hand of seat p in a round that is over to the counts named in HAND."""
    out.hands += 1
    if s.riichi[p]:
        out.riichi += 1
        for i in range(s.river_size[p]):
            if s.river_flag[p, i] & st.RIVER_RIICHI:
                out.riichi_turns += i + 1
    if s.open_melds[p] > 0:
        out.called += 1
    if s.result == st.EXHAUSTED:
        out.drawn += 1
        out.tenpai += (s.tenpai >> p) & 1
    for i in range(s.wins):
        if s.win_seat[i] == p:
            _count_win(s, i, p, out)
        elif s.win_from == p:
            out.deal_in_points += s.win_points[i]
    if s.result == st.WIN_BY_DISCARD and s.win_from == p:
        out.deal_ins += 1


@kernel
def _count_win(s, i, p, out):
    out.wins += 1
    out.win_points += s.win_points[i]
    out.win_turns += s.river_size[p]
    if s.riichi[p]:
        out.riichi_wins += 1
    elif s.open_melds[p] > 0:
        out.open_wins += 1
    if s.result == st.WIN_BY_DRAW:
        out.self_draws += 1


def hand_rates(t: np.record) -> list[tuple[str, float, str]]:
    """Name, value and unit of the rates that the counts of HAND give; NaN where there is nothing to count."""
    return [
        ("win rate", _mean(100 * int(t.wins), t.hands), "% of hands"),
        ("deal-in rate", _mean(100 * int(t.deal_ins), t.hands), "% of hands"),
        ("riichi rate", _mean(100 * int(t.riichi), t.hands), "% of hands"),
        ("call rate", _mean(100 * int(t.called), t.hands), "% of hands"),
        ("wins by self-draw", _mean(100 * int(t.self_draws), t.wins), "% of wins"),
        ("wins with riichi", _mean(100 * int(t.riichi_wins), t.wins), "% of wins"),
        ("wins with an open hand", _mean(100 * int(t.open_wins), t.wins), "% of wins"),
        ("mean win", _mean(t.win_points, t.wins), "points"),
        ("mean deal-in", _mean(t.deal_in_points, t.deal_ins), "points"),
        ("mean turn of a win", _mean(t.win_turns, t.wins), "discards"),
        ("mean turn of riichi", _mean(t.riichi_turns, t.riichi), "discards"),
        ("tenpai at exhaustive draws", _mean(100 * int(t.tenpai), t.drawn), "% of hands there"),
    ]


def _mean(total: int, n: int) -> float:
    return int(total) / int(n) if n else float("nan")


place_round, deal_stored, stored_action, replay = stored_kernels(ENGINE, __name__, never_legal=ENGINE.actions)


def new_table(rules: Rules, start: Sequence[int] | None = None) -> np.ndarray:
    """An array of one record before its first wall is placed; `start` is round, honba, sticks and four scores."""
    array = np.zeros(1, ENGINE.state)
    array["rules"] = rules.to_record()
    s = array[0]
    ENGINE.start_game(s, np.uint64(0), 0)
    if start is not None:
        s.round_no, s.honba, s.sticks = start[:3]
        s.dealer = start[0] % 4
        s.scores[:] = start[3:]
    return array


play_on = play_on_kernel(ENGINE, count_hand, __name__)
fill_walls = fill_walls_kernel(ENGINE, __name__)


def walls_of(rules: Rules, seed: int, game: int, count: int) -> np.ndarray:
    """int8[count, 136]: the first walls of a game, which follow from the seed and its number."""
    table = new_table(rules)
    ENGINE.start_game(table[0], read_seed(seed), game)
    walls = np.zeros((count, ENGINE.wall), np.int8)
    fill_walls(table[0], walls)
    return walls


LOSS = 1500  # Gao et al. do not learn from a round in which the player they follow loses more


@kernel
def collect(tables, s, walls, actions, mask, follow, records, legal, taken, types, at):
    """Write the decisions of the types in `mask` to the rows of the arrays; how many, or -1 if an action is not legal.

    `follow` is EVERYONE, or any number: its bits say whom to follow in each round, and rounds that lose this player
    much are left out. `at` takes the number of the action. Arrays that are too short take the first decisions.
    """
    n = 0
    kept = 0  # decisions of the rounds before
    followed = -1
    score = 0
    here = np.zeros(ACTIONS, np.bool_)
    for i in range(actions.shape[0]):
        action = stored_action(tables, s, walls, actions[i], here)
        if action < 0:
            return -1
        if follow != EVERYONE and followed < 0:
            followed = (follow >> (2 * (s.deal % 31))) & 3
            score = s.scores[followed]
        if actions[i] < AWAY and n < records.shape[0] and (follow == EVERYONE or s.seat == followed):
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
        if followed >= 0 and s.phase >= ROUND_OVER:
            if s.scores[followed] < score - LOSS:
                n = kept
            kept = n
            followed = -1
    return n


SITUATION = np.dtype(
    [
        ("round_no", "i4"),  # of the round that comes next, 0 = east 1
        ("dealer", "i4"),  # of that round
        ("honba", "i4"),  # it is played with
        ("sticks", "i4"),  # on the table before it
        ("scores", "i4", (4,)),
    ]
)


@kernel
def _write(s, row):
    row.round_no = s.round_no
    row.dealer = s.dealer
    row.honba = s.honba
    row.sticks = s.sticks
    for p in range(4):
        row.scores[p] = s.scores[p]


@kernel
def situations(tables, s, walls, actions, out):
    """Write how a game stood before its first round and after each that was played to its end; how many rows.

    After the last round of a game the counters are those the next one would have had. -1 if an action is not legal;
    `out` needs a row more than there are walls.
    """
    legal = np.zeros(ACTIONS, np.bool_)
    _write(s, out[0])
    n = 1
    for i in range(actions.shape[0]):
        action = stored_action(tables, s, walls, actions[i], legal)
        if action < 0:
            return -1
        step(tables, s, action)
        if s.phase >= st.ROUND_OVER:
            round_no, dealer, honba = s.round_no, s.dealer, s.honba
            advance(s)
            _write(s, out[n])
            s.round_no, s.dealer, s.honba = round_no, dealer, honba  # the next deal advances them itself
            n += 1
    return n


TYPES = 7  # of decisions
TALLY = np.dtype(
    [
        ("rounds", "i8"),
        ("actions", "i8"),  # all answers to the engine's questions, forced ones included
        ("away", "i8"),  # of these, for a player who was away
        ("decisions", "i8", (TYPES,)),  # questions with a choice, by the bits of `decision_types.py`
        ("taken", "i8", (ACTIONS,)),  # how often each action was taken
        ("results", "i8", (10,)),  # rounds by result
        ("yaku", "i8", (52,)),  # wins by yaku
        ("points", "i8", (64,)),  # wins by points in thousands, the last for all above
        *((name, "i8") for name in HAND),
    ]
)


@kernel
def _count_round(s, out):
    out.rounds += 1
    out.results[s.result] += 1
    for p in range(4):
        count_hand(s, p, out)
    for i in range(s.wins):
        out.points[min(63, s.win_points[i] // 1000)] += 1
        for yaku in range(52):
            out.yaku[yaku] += np.int64((s.win_yaku[i] >> np.uint64(yaku)) & np.uint64(1))


tally = tally_kernel(ENGINE, stored_action, types_of, TYPES, ACTIONS, _count_round, __name__)
