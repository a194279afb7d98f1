"""Gao et al.'s player: four networks, every win, and closed kongs of tiles that no chow could use."""

import numpy as np

from suzaku.agents.choice import wants_nine_kinds
from suzaku.agents.flow import MELDS, Opinions, softmax, temper, temper_yes
from suzaku.agents.network import NetworkAgent, only_choice, open_choices
from suzaku.networks.families import GAO
from suzaku.networks.run import Planes
from suzaku.record_copy import take
from suzaku.riichi import actions as act

CHOWS = slice(0, act.PONG - act.CHOW_LOW)  # among the melds
PONGS = slice(CHOWS.stop, act.OPEN_KONG - act.CHOW_LOW)


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
    MODELS = GAO.models

    def opinions(self, records: np.ndarray, legal: np.ndarray) -> Opinions:
        """Win, else kong by rule, else what the networks say."""
        said = Opinions.none(len(records))
        for win in (act.WIN_DRAW, act.WIN_DISCARD):
            said.force(np.where(legal[:, win], win, -1))
        said.force(np.where(wants_nine_kinds(records, legal), act.NINE_KINDS, -1))
        said.force(isolated_kongs(records, legal))
        choices = open_choices(legal)
        choices[:, act.OPEN_KONG : act.WIN_DRAW] = False
        said.force(only_choice(choices))
        rows = np.flatnonzero(said.open)
        if len(rows):
            planes = self.encode("discard", take(records, rows))
            offered = choices[rows, act.PASS]
            self._ask_claims(rows[offered], planes[offered], choices, said)
            self.ask_turn(rows[~offered], planes[~offered], records, choices, said)
        return said

    def _ask_claims(self, rows: np.ndarray, planes: Planes, legal: np.ndarray, said: Opinions) -> None:
        """Ask about pongs and chows; a red five goes into the meld."""
        pong = legal[rows, act.PONG : act.OPEN_KONG].any(1)
        if pong.any():
            which = np.where(legal[rows[pong], act.PONG_RED], act.PONG_RED, act.PONG)
            said.melds[rows[pong], which - MELDS.start] = self.yes("pong", planes[pong])
        chow = legal[rows, act.CHOW_LOW : act.PONG].any(1)
        if chow.any():
            asked = rows[chow]
            plain, red = (legal[asked, first : first + 3] for first in (act.CHOW_LOW, act.CHOW_LOW + act.CHOW_RED))
            may = plain | red
            logits = self.ask("chow", planes[chow])
            logits[:, 1:][~may] = -np.inf
            which = np.arange(3) + np.where(red, act.CHOW_LOW + act.CHOW_RED, act.CHOW_LOW) - MELDS.start
            at, shape = np.nonzero(may)
            said.melds[asked[at], which[at, shape]] = softmax(logits)[at, 1 + shape]

    def take_melds(self, melds: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
        """One model for all chows and one for the pong: the surer of the two is heard first."""
        out = np.zeros_like(melds)
        said = np.nan_to_num(melds)
        pong = temper_yes(said[:, PONGS].max(1), temperature)
        which = PONGS.start + said[:, PONGS].argmax(1)
        none = np.maximum(0, 1 - said[:, CHOWS].sum(1, keepdims=True))  # rounding may leave less than nothing
        chows = temper(np.concatenate([none, said[:, CHOWS]], 1), temperature)
        pong_first = said[:, PONGS].max(1) >= said[:, CHOWS].max(1)
        out[:, CHOWS] = chows[:, 1:] * np.where(pong_first, 1 - pong, 1)[:, None]
        out[np.arange(len(out)), which] = pong * np.where(pong_first, 1, chows[:, 0])
        return out, (1 - pong) * chows[:, 0]
