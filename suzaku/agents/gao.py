"""Gao et al.'s player: four networks, every win, and closed kongs of tiles that no chow could use."""

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.agents.choice import pick, softmax, wants_nine_kinds
from suzaku.agents.network import NetworkAgent, pass_on, settle
from suzaku.features import gao
from suzaku.networks.names import GAO_MODELS
from suzaku.riichi import actions as act
from suzaku.riichi.rows import take


def isolated_kongs(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The closed kong of a tile without neighbours in the hand, or -1: int64[n]."""
    hands = records["hand"][np.arange(len(records)), records["seat"]].astype(bool)
    near = np.zeros_like(hands)
    for suit in range(3):
        held = np.pad(hands[:, 9 * suit : 9 * suit + 9], ((0, 0), (2, 2)))
        near[:, 9 * suit : 9 * suit + 9] = held[:, :9] | held[:, 1:10] | held[:, 3:12] | held[:, 4:]
    kongs = legal[:, act.CLOSED_KONG : act.ADDED_KONG] & ~near
    return np.where(kongs.any(1), act.CLOSED_KONG + kongs.argmax(1), -1)


class GaoAgent(NetworkAgent):
    """The four models at a table."""

    name = "gao"
    MODELS = GAO_MODELS

    def act(self, records: np.ndarray, legal: np.ndarray) -> Answers:
        """Win, else kong by rule, else what the networks say."""
        scores = np.full(legal.shape, np.nan, np.float32)
        left: np.ndarray = np.asarray(legal.any(1))
        for win in (act.WIN_DRAW, act.WIN_DISCARD):
            settle(scores, left, np.where(legal[:, win], win, -1))
        settle(scores, left, np.where(wants_nine_kinds(records, legal), act.NINE_KINDS, -1))
        settle(scores, left, isolated_kongs(records, legal))
        choices = legal.copy()
        choices[:, act.OPEN_KONG : act.PASS] = False
        settle(scores, left, np.where(choices.sum(1) == 1, choices.argmax(1), -1))
        rows = np.flatnonzero(left)
        if len(rows):
            planes = self.encode(gao.encode_many, take(records, rows))
            offered = choices[rows, act.PASS]
            self._claim(rows[offered], planes[offered], choices, scores)
            self.turn(rows[~offered], planes[~offered], records, choices, scores)
        return Answers(pick(scores, records, self.temperature, self.seed), scores)

    def _claim(self, rows: np.ndarray, planes: np.ndarray, legal: np.ndarray, scores: np.ndarray) -> None:
        """A chow or pong, or none; a red five goes into the meld."""
        pong = legal[rows, act.PONG : act.OPEN_KONG].any(1)
        if pong.any():
            which = np.where(legal[rows[pong], act.PONG_RED], act.PONG_RED, act.PONG)
            scores[rows[pong], which] = self.yes("pong", planes[pong])
        chow = legal[rows, act.CHOW_LOW : act.PONG].any(1)
        if chow.any():
            chances = softmax(self.ask("chow", planes[chow]))
            asked = rows[chow]
            for i in range(3):
                plain, red = act.CHOW_LOW + i, act.CHOW_LOW + act.CHOW_RED + i
                which = np.where(legal[asked, red], red, np.where(legal[asked, plain], plain, -1))
                may = which >= 0
                scores[asked[may], which[may]] = chances[may, 1 + i]
        pass_on(scores, rows)
