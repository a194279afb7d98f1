"""The rules of a game: every switch with its meaning, the presets, and uma.

- The rule presets by name: the switches of `Rules` that differ from its defaults, which are Tenhou's.
- The rules of a game: every switch with its meaning.
- Uma: the final points of a game, with the bonus of each place.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suzaku.table.rules import TableRules

EAST_ONLY, HANCHAN = 4, 8  # rounds of a game by its length
LENGTHS = {"east": EAST_ONLY, "hanchan": HANCHAN}

PRESETS: dict[str, dict[str, Any]] = {
    "tenhou": {},  # Tenhou's hanchan with red fives and open tanyao
    "tenhou-east": {"rounds": EAST_ONLY},
    "no-red": {"red_fives": False},
}


MOST_POINTS = 1_000_000  # far more than a game moves, and room enough in a record


@dataclass(frozen=True)
class Rules(TableRules):
    """The switches of the rules. The defaults are Tenhou's; `Rules.tenhou(open_tanyao=False)` changes one."""

    presets: ClassVar = PRESETS
    lengths: ClassVar = LENGTHS
    length_switch: ClassVar = "rounds"

    rounds: int = HANCHAN  # rounds before the game can end: 4 (east only) or 8 (hanchan)
    start_score: int = 25_000  # points of every player at the start
    target_score: int = 30_000  # the first place needs this much, or another wind is played
    extra_rounds: int = 4  # at most so many rounds of sudden death after the last one
    bust: bool = True  # a score below 0 ends the game
    dealer_stops: bool = True  # the dealer on top ends the last round by winning, or tenpai at a draw
    uma: tuple[int, int, int, int] = (20, 10, -10, -20)  # bonus by place, in thousands
    return_score: int = 30_000  # final points are counted from here; the difference to start_score goes to the first

    red_fives: bool = True  # one red five in each of the three suits
    kong_dora: bool = True  # each kong shows another indicator
    ura_dora: bool = True  # a riichi win also counts the indicators below
    ippatsu: bool = True
    open_tanyao: bool = True
    counted_yakuman: bool = True  # 13 han and more is a yakuman, not three times mangan
    double_yakuman: bool = False  # the four rare shapes of yakuman count double
    round_up_mangan: bool = False  # 30 fu 4 han and 60 fu 3 han count as mangan
    double_wind_fu: int = 4  # fu of a pair of the round's and the seat's wind

    riichi_needs_points: bool = True  # riichi only with 1,000 points
    riichi_min_tiles: int = 4  # tiles that must be left to declare riichi
    riichi_kong_keeps_readings: bool = False  # a closed kong in riichi keeps all readings of the hand, not just waits
    swap_calling: bool = False  # a called tile, or the other end of its run, may be discarded at once
    rob_closed_kong: bool = False  # thirteen orphans may win on a closed kong
    wins_on_discard: int = 2  # how many may win on one discard; with more claims see the next switch
    too_many_wins_abort: bool = True  # more claims abort the round; otherwise the first in turn order win

    abort_nine_kinds: bool = True
    abort_four_winds: bool = True
    abort_four_riichi: bool = True
    abort_four_kongs: bool = True
    nagashi_mangan: bool = True
    pao: bool = True  # who feeds the last meld of big dragons or big winds is liable
    pao_whole_hand: bool = True  # liable for yakuman combined with it too, not for the big dragons or big winds alone

    def __post_init__(self) -> None:
        if self.rounds not in LENGTHS.values():
            raise ValueError(f"rounds must be 4 (east only) or 8 (hanchan), not {self.rounds}")
        if len(self.uma) != 4:
            raise ValueError(f"uma must be four numbers, one for each place, not {self.uma}")
        if not 1 <= self.wins_on_discard <= 3:
            raise ValueError(f"wins_on_discard must be 1, 2 or 3, not {self.wins_on_discard}")
        if not 0 <= self.extra_rounds <= 4:
            raise ValueError(f"extra_rounds must be 0 to 4, not {self.extra_rounds}")
        for name in ("start_score", "return_score", "target_score"):
            if not 0 <= getattr(self, name) <= MOST_POINTS:
                raise ValueError(f"{name} must be 0 to {MOST_POINTS:,} points, not {getattr(self, name):,}")
        if not all(abs(points) <= MOST_POINTS for points in self.uma):
            raise ValueError(f"uma must be numbers up to {MOST_POINTS:,}, not {self.uma}")

    @classmethod
    def tenhou(cls, **changes: Any) -> "Rules":
        """Tenhou's hanchan with red fives and open tanyao."""
        return cls.preset("tenhou", **changes)

    @classmethod
    def tenhou_east(cls, **changes: Any) -> "Rules":
        """Tenhou's east-only game."""
        return cls.preset("tenhou-east", **changes)

    @classmethod
    def no_red(cls, **changes: Any) -> "Rules":
        """Tenhou's hanchan without red fives."""
        return cls.preset("no-red", **changes)


RULES = Rules.dtype()


def final_points(rules: Rules, scores: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Final points in thousands, with uma and the first place's bonus, of scores and ranks in the last axis."""
    oka = 4 * (rules.return_score - rules.start_score) / 1000
    bonus = np.array(rules.uma, float) + np.array([oka, 0, 0, 0])
    return (np.asarray(scores) - rules.return_score) / 1000 + bonus[np.asarray(ranks)]
