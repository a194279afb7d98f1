"""Expected final rank: what a win with so many han, or none, makes of the places (equations (6) and (7)).

EFR(scores) is the mean place that the reward predictor, learnt from human games, gives a seat before the next round.
Here it is turned round, (4 - place) / 3: the share of opponents that the seat expects to end ahead of. A win is paid by
self-draw or by one of the three others, each taken as equally likely; t(i) is the price of i han at 30 fu.
"""

from functools import lru_cache

import numpy as np

from suzaku.learning.reward.predict import RewardModel, bundled_reward
from suzaku.riichi.loops.rounds import SITUATION
from suzaku.riichi.presets import HANCHAN
from suzaku.winning_scores.view import CLASSES

FU = 30
STICK, HONBA = 1000, 300
WAYS = 4  # to win: by self-draw, or on the discard of one of three
PLACES = np.arange(1, 5)

Standing = tuple[int, int, int, int, tuple[int, int, int, int], int, int, bool]  # what `worth` depends on


def base_points(han: int) -> int:
    """Basic points of a win at 30 fu below mangan."""
    return FU << 2 + han


def payments(han: int, seat: int, dealer: int, payer: int, honba: int) -> np.ndarray:
    """Points that a win moves, by seat; `payer` is the seat itself for a self-draw."""
    base = base_points(han)
    out = np.zeros(4, np.int64)
    if payer != seat:
        out[payer] = -(_round_up(base * (6 if seat == dealer else 4)) + HONBA * honba)
    else:
        for other in range(4):
            if other != seat:
                double = seat == dealer or other == dealer
                out[other] = -(_round_up(base * (2 if double else 1)) + HONBA // 3 * honba)
    out[seat] = -out.sum()
    return out


def _round_up(points: int) -> int:
    return -(-points // 100) * 100


class ExpectedRank:
    """Expected final ranks by the reward predictor; what was asked once is remembered."""

    def __init__(self, model: RewardModel | None = None) -> None:
        self.model = model or bundled_reward()
        self._cached = lru_cache(maxsize=1 << 14)(self._classes)

    def classes(self, record: np.record, riichi: bool) -> np.ndarray:
        """float64[5]: the value of ending this round without a win, and with 1, 2, 3, >= 4 han, for the asked seat.

        With `riichi`, its stick is on the table.
        """
        scores = tuple(int(score) for score in record.scores)
        rules = record.rules
        standing = (
            int(record.round_no), int(record.dealer), int(record.honba), int(record.sticks), scores,
            int(record.seat), int(rules.rounds), bool(rules.bust), int(rules.target_score), riichi,
        )  # fmt: skip
        return self._cached(*standing)

    def _classes(
        self, round_no: int, dealer: int, honba: int, sticks: int, scores: tuple[int, ...], seat: int, rounds: int,
        bust: bool, target: int, riichi: bool,
    ) -> np.ndarray:  # fmt: skip
        now = np.array(scores, np.int64)
        if riichi:
            now[seat] -= STICK
            sticks += 1
        ends = [(now, False)]
        for han in range(1, CLASSES):
            for way in range(WAYS):
                after = now + payments(han, seat, dealer, (seat + way) % 4, honba)
                after[seat] += STICK * sticks
                ends.append((after, True))
        rows = np.zeros(len(ends), SITUATION)
        shift = HANCHAN - rounds  # a shorter game is the end of a longer one
        for row, (after, won) in zip(rows, ends, strict=True):
            stays = won and seat == dealer
            row["round_no"] = shift + round_no + (0 if stays else 1)
            row["dealer"] = dealer if stays else (dealer + 1) % 4
            row["honba"] = honba + 1 if stays else 0
            row["sticks"] = 0 if won else sticks
            row["scores"] = after
        values = self.values(rows, seat)
        over = (rows["round_no"] >= HANCHAN) & (rows["scores"].max(1) >= target)
        if bust:
            over |= rows["scores"].min(1) < 0
        for i in np.flatnonzero(over):  # nothing to expect any more: this is the place
            score = rows["scores"][i]
            ahead = (score > score[seat]) | ((score == score[seat]) & (np.arange(4) < seat))
            values[i] = (3 - ahead.sum()) / 3
        return np.concatenate([values[:1], values[1:].reshape(CLASSES - 1, WAYS).mean(1)])

    def values(self, rows: np.ndarray, seat: int) -> np.ndarray:
        """The share of opponents that a seat expects to end ahead of in each situation."""
        places = self.model.places([row.reshape(1) for row in rows])
        return np.array([(4 - float(found[0, seat] @ PLACES)) / 3 for found in places])
