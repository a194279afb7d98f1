"""Suphx's decision flow (Fig. 1) with five trained models and the rule-based winning model.

On the own turn: win, kong, riichi, discard, in this order. On another's discard: win, else the chow, pong or kong that
its model is surest of, if any model says yes. The scores of the answers are chances: that of a kong is what its model
says, riichi shares out what is left, and the discards the rest; a pass has what the surest claim leaves.
"""

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.agents.choice import pick, wants_nine_kinds
from suzaku.agents.network import NetworkAgent, pass_on, settle
from suzaku.agents.winning import wanted_wins
from suzaku.features import claims, suphx
from suzaku.networks.names import SUPHX_MODELS
from suzaku.riichi import actions as act
from suzaku.riichi.rows import take

CLAIMS = {"chow": (act.CHOW_LOW, act.PONG), "pong": (act.PONG, act.OPEN_KONG), "kong": (act.OPEN_KONG, act.WIN_DRAW)}


class SuphxAgent(NetworkAgent):
    """The five models at a table."""

    name = "suphx"
    MODELS = SUPHX_MODELS

    def act(self, records: np.ndarray, legal: np.ndarray) -> Answers:
        """Go through Fig. 1 for every table."""
        scores = np.full(legal.shape, np.nan, np.float32)
        left: np.ndarray = np.asarray(legal.any(1))
        settle(scores, left, wanted_wins(records, legal))
        settle(scores, left, np.where(wants_nine_kinds(records, legal), act.NINE_KINDS, -1))
        choices = legal.copy()
        choices[:, [act.WIN_DRAW, act.WIN_DISCARD, act.NINE_KINDS]] = False
        settle(scores, left, np.where(choices.sum(1) == 1, choices.argmax(1), -1))
        for model, (first, last) in CLAIMS.items():
            rows, melds = np.nonzero(choices[:, first:last] & left[:, None])
            if len(rows):
                planes = self.encode(claims.encode_many, take(records, rows), melds + first, lookahead=self.lookahead)
                scores[rows, melds + first] = self.yes(model, planes)
        pass_on(scores, np.flatnonzero(left & legal[:, act.PASS]))
        rows = np.flatnonzero(left & ~legal[:, act.PASS])
        if len(rows):
            self.turn(
                rows,
                self.encode(suphx.encode_many, take(records, rows), lookahead=self.lookahead),
                records,
                choices,
                scores,
            )
        return Answers(pick(scores, records, self.temperature, self.seed), scores)
