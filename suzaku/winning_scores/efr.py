"""Expected final rank: what a win with so many han, or none, makes of the places (equations (6) and (7)).

EFR(scores) is the mean place that the reward predictor, learnt from human games, gives a seat before the next round.
Here it is turned round, (4 - place) / 3: the share of opponents that the seat expects to end ahead of. A win is paid by
self-draw or by one of the three others, each taken as equally likely. The price of i han at 30 fu is t(i).
"""

import numpy as np

from suzaku.learning.reward import RewardModel, bundled_reward
from suzaku.riichi.game import SITUATION
from suzaku.riichi.rules import HANCHAN
from suzaku.winning_scores.hand import CLASSES

FU = 30
STICK, HONBA = 1000, 300
WAYS = 4  # to win: by self-draw, or on the discard of one of three
PLACES = np.arange(1, 5)

KEPT = 1 << 15  # standings that are remembered at most

Standing = tuple[int, ...]  # what the values depend on, see `_standing`


def base_points(han: int) -> int:
    """Basic points of a win at 30 fu below mangan."""
    return FU << 2 + han


def payments(han: int, seat: int, dealer: int, payer: int, honba: int) -> np.ndarray:
    """Points that a win moves, by seat. `payer` is the seat itself for a self-draw."""
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


def _standing(record: np.record) -> Standing:
    """Round, dealer, honba, sticks, seat, rounds of the game, bust, target score, and the four scores."""
    rules = record.rules
    counters = record.round_no, record.dealer, record.honba, record.sticks, record.seat
    return tuple(int(n) for n in (*counters, rules.rounds, rules.bust, rules.target_score, *record.scores))


def _ends(standing: Standing) -> np.ndarray:
    """SITUATION[2, 17]: how the next round would begin, without and with riichi, after no win and each way to win."""
    round_no, dealer, honba, sticks, seat, rounds, *_ = standing
    out = np.zeros((2, 1 + (CLASSES - 1) * WAYS), SITUATION)
    shift = HANCHAN - rounds  # a shorter game is the end of a longer one
    stays = seat == dealer
    out["round_no"] = shift + round_no + (0 if stays else 1)
    out["dealer"] = dealer if stays else (dealer + 1) % 4
    out["honba"] = honba + 1 if stays else 0
    out["round_no"][:, 0], out["dealer"][:, 0], out["honba"][:, 0] = shift + round_no + 1, (dealer + 1) % 4, 0
    out["sticks"][:, 0] = sticks, sticks + 1
    for riichi in range(2):
        now = np.array(standing[-4:], np.int64)
        now[seat] -= STICK * riichi
        out["scores"][riichi, 0] = now
        for i in range(1, out.shape[1]):
            han, way = (i - 1) // WAYS + 1, (i - 1) % WAYS
            after = now + payments(han, seat, dealer, (seat + way) % 4, honba)
            after[seat] += STICK * (sticks + riichi)
            out["scores"][riichi, i] = after
    return out


class ExpectedRank:
    """Expected final ranks by the reward predictor. What was asked once is remembered."""

    def __init__(self, model: RewardModel | None = None) -> None:
        self.model = model or bundled_reward()
        self._kept: dict[Standing, np.ndarray] = {}

    def classes(self, records: np.ndarray) -> np.ndarray:
        """float64[n, 2, 5] for the asked seat of each table: the value of ending this round without a win, and with 1,
        2, 3, >= 4 han. The second half has the stick of a riichi on the table."""
        return np.array([self._of(_standing(record)) for record in records])

    def _of(self, standing: Standing) -> np.ndarray:
        """One standing at a time: a sum of floats may depend on what is multiplied together with it."""
        if standing not in self._kept:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            rows = _ends(standing)
            value = self.values(rows.reshape(-1), standing[4]).reshape(rows.shape)
            _set_final(standing, rows, value)
            wins = value[:, 1:].reshape(2, CLASSES - 1, WAYS).mean(2)
            self._kept[standing] = np.concatenate([value[:, :1], wins], 1)
        return self._kept[standing]

    def values(self, rows: np.ndarray, seat: int) -> np.ndarray:
        """The share of opponents that a seat expects to end ahead of in each situation."""
        places = np.array([found[0, seat] for found in self.model.places(list(rows.reshape(-1, 1)))])
        return (4 - places @ PLACES) / 3


def _set_final(standing: Standing, rows: np.ndarray, values: np.ndarray) -> None:
    """Where the game would be over, nothing is expected any more: there is a place."""
    seat, bust, target = standing[4], standing[6], standing[7]
    scores = rows["scores"]
    over = (rows["round_no"] >= HANCHAN) & (scores.max(-1) >= target)
    if bust:
        over |= scores.min(-1) < 0
    own = scores[..., seat : seat + 1]
    ahead = (scores > own) | ((scores == own) & (np.arange(4) < seat))
    values[over] = (3 - ahead.sum(-1)[over]) / 3
