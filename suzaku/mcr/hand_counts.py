"""What is counted of a player's hands, for matches and stores alike, and the rates that follow."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr import state as st
from suzaku.mcr.fans import FANS, FIRST_SMALL
from suzaku.mcr.melds import CLOSED_KONG

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
