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
    """Name, value and unit of the rates that the counts of HAND give."""
    hands, wins, riichi = max(int(t.hands), 1), max(int(t.wins), 1), max(int(t.riichi), 1)
    return [
        ("win rate", 100 * t.wins / hands, "% of hands"),
        ("deal-in rate", 100 * t.deal_ins / hands, "% of hands"),
        ("riichi rate", 100 * t.riichi / hands, "% of hands"),
        ("call rate", 100 * t.called / hands, "% of hands"),
        ("wins by self-draw", 100 * t.self_draws / wins, "% of wins"),
        ("wins with riichi", 100 * t.riichi_wins / wins, "% of wins"),
        ("wins with an open hand", 100 * t.open_wins / wins, "% of wins"),
        ("mean win", t.win_points / wins, "points"),
        ("mean deal-in", t.deal_in_points / max(int(t.deal_ins), 1), "points"),
        ("mean turn of a win", t.win_turns / wins, "discards"),
        ("mean turn of riichi", t.riichi_turns / riichi, "discards"),
        ("tenpai at exhaustive draws", 100 * t.tenpai / max(int(t.drawn), 1), "% of hands there"),
    ]
