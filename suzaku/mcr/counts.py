"""What is counted of MCR.

- Of a player's hands, for matches and stores alike, and the rates that follow.
- Of the games of a store, for `suzaku data stats`.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr import state as st
from suzaku.mcr.fans import FANS, FIRST_SMALL
from suzaku.mcr.legal import DECISION_TYPES
from suzaku.mcr.state import CLOSED_KONG
from suzaku.table.game import Counted, percentage, rates_of

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
RATES = (  # name, what is counted, of how many, unit
    ("win rate", "wins", "hands", "% of hands"),
    ("deal-in rate", "deal_ins", "hands", "% of hands"),
    ("draws", "drawn", "hands", "% of hands"),
    ("call rate", "called", "hands", "% of hands"),
    ("ready at draws", "ready", "drawn", "% of hands there"),
    ("fouls", "fouls", "hands", "% of hands"),
    ("wins by self-draw", "self_draws", "wins", "% of wins"),
    ("wins with an open hand", "open_wins", "wins", "% of wins"),
    ("mean fan", "win_fan", "wins", "fan"),
    ("mean win", "win_points", "wins", "points"),
    ("mean deal-in", "deal_in_points", "deal_ins", "points"),
    ("mean turn of a win", "win_turns", "wins", "discards"),
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
    """The rates, and how often each fan was in a win."""
    fans = zip(FANS, t.fans, strict=True)
    return rates_of(RATES, t) + [(fan.name, percentage(n, t.wins), "% of wins") for fan, n in fans]


TALLY = np.dtype(
    [
        ("rounds", "i8"),
        ("actions", "i8"),  # all answers to the engine's questions, forced ones included
        ("away", "i8"),  # of these, for a player who was away
        ("decisions", "i8", (len(DECISION_TYPES),)),  # questions with a choice, by the bits of `legal.py`
        ("taken", "i8", (act.ACTIONS,)),  # how often each action was taken
        ("results", "i8", (len(st.RESULT_NAMES),)),  # hands by result
        ("points", "i8", (64,)),  # wins by fan, the last for all above
        ("fans", "i8", (len(FANS),)),  # wins by fan
        *((name, "i8") for name in HAND),
    ]
)


@kernel
def count_round(s, out):
    out.rounds += 1
    out.results[s.result] += 1
    for p in range(4):
        count_hand(s, p, out)
    if s.wins > 0:
        out.points[min(63, s.win_fan + s.win_flowers)] += 1


COUNTED = Counted(
    counts=TALLY,
    count_round=count_round,
    rates=RATES,
    drawn=st.DRAWN,
    drawn_name="hands that nobody won",
    results=st.RESULT_NAMES,
    taken={
        "discard": (act.DISCARD, act.CHOW_LOW),
        "chow": (act.CHOW_LOW, act.PONG),
        "pong": (act.PONG, act.OPEN_KONG),
        "kong": (act.OPEN_KONG, act.WIN),
        "win": (act.WIN, act.WIN + 1),
    },
    parts_name="fans",
    parts=lambda counts: [(fan.name, int(n)) for fan, n in zip(FANS, counts.fans, strict=True)],
    points_unit="fan",
)
