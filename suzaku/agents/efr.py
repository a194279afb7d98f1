"""The `efr` player (Mizukami and Tsuruoka): the move with the best expected final rank, equation (6).

As in the paper, the rest is another player's, here the `heuristic` one's: wins, kongs, claims, hands with melds, the
danger of a discard, and folding. Folding is a discard of the `heuristic` player that gives up a step towards the win
while somebody threatens.
"""

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.agents.heuristic.action_value import BEST, deal_in, fill_view
from suzaku.agents.heuristic.action_value import VIEW as HEURISTIC_VIEW
from suzaku.agents.heuristic.agent import HeuristicAgent
from suzaku.hand.shanten import shanten_keys
from suzaku.hand.tables import POW5
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.learning.reward import RewardModel
from suzaku.riichi import actions as act
from suzaku.riichi.state import RIICHI_DISCARD
from suzaku.tiles import KIND_OF, RED
from suzaku.winning_scores.distance import shapes
from suzaku.winning_scores.efr import ExpectedRank
from suzaku.winning_scores.forecast import DECLARED, SILENT, fill_outlook
from suzaku.winning_scores.hand import CLASSES, VIEW, fill_table_view
from suzaku.winning_scores.model import load_model
from suzaku.winning_scores.play import WORK

USUAL = "bcp"  # the bundled model that plays
RED_STEP = np.float32(1e-4)  # by so much a plain five is the better discard


class EfrAgent(Agent):
    """Plays closed hands by expected final rank, and the rest as `heuristic`."""

    name = "efr"

    def __init__(self, model: str = USUAL, reward: str = "") -> None:
        self._model = load_model(model)
        self._rank = ExpectedRank(RewardModel.load(reward) if reward else None)
        self._base = HeuristicAgent()
        self._view = np.zeros(1, VIEW)[0]
        self._danger = np.zeros(1, HEURISTIC_VIEW)[0]
        self._work = np.zeros(1, WORK)[0]

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The action of the best expected final rank; values are the share of opponents the seat ends ahead of."""
        answers = self._base.act(records, legal, streams)
        assert answers.values is not None
        asked = np.zeros(len(records), np.bool_)
        find_own(hand_tables(), records, legal, answers.actions, asked)
        rows = np.flatnonzero(asked)
        if len(rows):
            model, ranks = self._model, self._rank.classes(records[rows])
            choose_ranked(
                hand_tables(), shapes(), model.number, model.weights, records, legal, rows, ranks, self._view,
                self._work, self._danger, answers.actions, answers.values,
            )  # fmt: skip
        return answers


@kernel
def _shanten_without(tables, s, p, kind):
    keys = s.key[p].copy()
    keys[kind // 9] -= POW5[kind % 9]
    return shanten_keys(tables, keys[0], keys[1], keys[2], keys[3], 0)


@kernel
def _folds(tables, s, p, action):
    """Whether a discard gives up a step while an opponent is in riichi or has two open melds."""
    threat = False
    for q in range(4):
        if q != p and (s.riichi[q] or s.open_melds[q] >= 2):
            threat = True
    if not threat or action > act.DISCARD_DRAWN:
        return False
    key = s.key[p]
    tile = s.drawn if action == act.DISCARD_DRAWN else action
    return _shanten_without(tables, s, p, KIND_OF[tile]) > shanten_keys(tables, key[0], key[1], key[2], key[3], 0)


@kernel
def find_own(tables, records, legal, actions, out):
    """Mark the tables where the discard or riichi is this player's to choose."""
    for i in range(records.shape[0]):
        s = records[i]
        action = actions[i]
        own = s.phase <= RIICHI_DISCARD and (action <= act.DISCARD_DRAWN or action == act.RIICHI)
        if own:
            p = s.seat
            own = s.melds[p] == 0 and s.riichi[p] == 0 and s.drawn >= 0 and not _folds(tables, s, p, action)
        out[i] = own


@kernel
def choose_ranked(tables, shapes, model, weights, records, legal, rows, ranks, v, w, danger, actions, values):
    """Choose by equation (6): the sum over the classes of P(i) and the value that the class leads to.

    That is, if the discard does not deal in, which is weighed as the `heuristic` player does.
    """
    out = np.empty((2, 34, CLASSES))
    worth = np.empty((2, 34))
    for i in range(rows.shape[0]):
        row = rows[i]
        s = records[row]
        p = s.seat
        fill_table_view(s, p, v)
        fill_outlook(tables, shapes, s.rules, model, weights, v, w, out)
        fill_view(s, p, danger)
        for kind in range(34):
            if v.hand[kind] > 0:
                probability, lost = deal_in(s, p, danger, kind)
            else:
                probability, lost = 0.0, 0.0
            for riichi in range(2):
                rank = 0.0
                for c in range(CLASSES):
                    rank += out[riichi, kind, c] * ranks[i, riichi, c]
                worth[riichi, kind] = lost / BEST + (1 - probability) * rank
        declared = s.phase == RIICHI_DISCARD
        best = -1
        for action in range(act.DISCARD_DRAWN, -1, -1):
            if not legal[row, action]:
                continue
            tile = s.drawn if action == act.DISCARD_DRAWN else action
            kind = KIND_OF[tile]
            value = worth[DECLARED if declared else SILENT, kind]
            if np.isnan(value):
                value = worth[SILENT, kind]
            values[row, action] = np.float32(value)
            if tile >= RED and s.hand[p, kind] > 1:
                values[row, action] -= RED_STEP
            if best < 0 or values[row, action] > values[row, best]:
                best = action
        if legal[row, act.RIICHI]:
            values[row, act.RIICHI] = np.float32(0)
            for kind in range(34):
                if worth[DECLARED, kind] > values[row, act.RIICHI]:
                    values[row, act.RIICHI] = np.float32(worth[DECLARED, kind])
            if values[row, act.RIICHI] > values[row, best]:
                best = act.RIICHI
        actions[row] = best
