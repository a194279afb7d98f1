"""What is counted of a player's hands, and the rates that players know."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi import state as st

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
