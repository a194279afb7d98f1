"""What is counted of Riichi.

- Of a player's hands, for matches and stores alike, and the rates that players know.
- Of the games of a store, for `suzaku data stats`.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.legal import DECISION_TYPES
from suzaku.riichi.yaku import YAKU
from suzaku.table.game import Counted

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
RATES = (  # name, what is counted, of how many, unit
    ("win rate", "wins", "hands", "% of hands"),
    ("deal-in rate", "deal_ins", "hands", "% of hands"),
    ("riichi rate", "riichi", "hands", "% of hands"),
    ("call rate", "called", "hands", "% of hands"),
    ("wins by self-draw", "self_draws", "wins", "% of wins"),
    ("wins with riichi", "riichi_wins", "wins", "% of wins"),
    ("wins with an open hand", "open_wins", "wins", "% of wins"),
    ("mean win", "win_points", "wins", "points"),
    ("mean deal-in", "deal_in_points", "deal_ins", "points"),
    ("mean turn of a win", "win_turns", "wins", "discards"),
    ("mean turn of riichi", "riichi_turns", "riichi", "discards"),
    ("tenpai at exhaustive draws", "tenpai", "drawn", "% of hands there"),
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


TALLY = np.dtype(
    [
        ("rounds", "i8"),
        ("actions", "i8"),  # all answers to the engine's questions, forced ones included
        ("away", "i8"),  # of these, for a player who was away
        ("decisions", "i8", (len(DECISION_TYPES),)),  # questions with a choice, by the bits of `legal.py`
        ("taken", "i8", (act.ACTIONS,)),  # how often each action was taken
        ("results", "i8", (10,)),  # rounds by result
        ("yaku", "i8", (52,)),  # wins by yaku
        ("points", "i8", (64,)),  # wins by points in thousands, the last for all above
        *((name, "i8") for name in HAND),
    ]
)


@kernel
def count_round(s, out):
    out.rounds += 1
    out.results[s.result] += 1
    for p in range(4):
        count_hand(s, p, out)
    for i in range(s.wins):
        out.points[min(63, s.win_points[i] // 1000)] += 1
        for yaku in range(52):
            out.yaku[yaku] += np.int64((s.win_yaku[i] >> np.uint64(yaku)) & np.uint64(1))


COUNTED = Counted(
    counts=TALLY,
    count_round=count_round,
    rates=RATES,
    drawn=st.EXHAUSTED,
    drawn_name="exhaustive draws",
    results=tuple(st.RESULT_NAMES),
    taken={
        "discard": (0, act.RIICHI),
        "riichi": (act.RIICHI, act.CHOW_LOW),
        "chow": (act.CHOW_LOW, act.PONG),
        "pong": (act.PONG, act.OPEN_KONG),
        "kong": (act.OPEN_KONG, act.WIN_DRAW),
        "win": (act.WIN_DRAW, act.NINE_KINDS),
        "nine_kinds": (act.NINE_KINDS, act.NINE_KINDS + 1),
    },
    parts_name="yaku",
    parts=lambda counts: [(row.name, int(counts.yaku[row.number])) for row in YAKU],
    points_unit="thousands of points",
)
