"""The `mcr` player: the three networks of the paper, every win, and kongs by logic."""

import numpy as np

from suzaku.agents.flow import Layout, Opinions
from suzaku.agents.mcr.logic import best_chows, wanted_kongs
from suzaku.agents.network import NetworkAgent, only_choice
from suzaku.mcr import actions as act
from suzaku.networks.families import MCR_PLAN
from suzaku.record_copy import take

LAYOUT = Layout(act.ACTIONS, slice(act.CHOW_LOW, act.WIN), act.PASS)
CLAIMS = {"chow": (act.CHOW_LOW, act.PONG), "pong": (act.PONG, act.OPEN_KONG)}


class McrAgent(NetworkAgent):
    """The three models at a table; each sees what its own network does."""

    name = "mcr"
    game = "mcr"
    MODELS = MCR_PLAN.models

    def opinions(self, records: np.ndarray, legal: np.ndarray) -> Opinions:
        """Wins and kongs by rule, pongs, chows and discards by their models."""
        said = Opinions.none(len(records), LAYOUT)
        said.force(np.where(legal[:, act.WIN], act.WIN, -1))
        rows = np.flatnonzero(said.open & legal[:, act.OPEN_KONG : act.WIN].any(1))
        if len(rows):
            said.forced[rows] = wanted_kongs(take(records, rows), legal[rows])
        choices = legal.copy()
        choices[:, act.WIN] = False
        choices[:, act.OPEN_KONG : act.WIN] = False
        said.force(only_choice(choices))
        for model in CLAIMS:
            self._ask_claims(model, records, choices, said)
        rows = np.flatnonzero(said.open & ~legal[:, act.PASS])
        if len(rows):
            kinds = choices[rows, : act.CHOW_LOW]
            said.throw[rows] = np.where(kinds, np.arange(act.CHOW_LOW), -1)
            logits = self.ask("discard", self.encode("discard", take(records, rows)))
            said.discards[rows] = np.where(kinds, logits, -np.inf)
        return said

    def _ask_claims(self, model: str, records: np.ndarray, choices: np.ndarray, said: Opinions) -> None:
        """Ask a model that is told of a meld about each; any other once, and logic says which meld it is."""
        first, last = CLAIMS[model]
        may = choices[:, first:last] & said.open[:, None]
        if self.models[model].features.claim:
            rows, melds = np.nonzero(may)
            melds = melds + first
        else:
            rows = np.flatnonzero(may.any(1))
            melds = best_chows(take(records, rows), choices[rows]) if model == "chow" else np.full(len(rows), act.PONG)
        if len(rows):
            planes = self.encode(model, take(records, rows), melds)  # those that are not told of it leave it unread
            said.melds[rows, melds - LAYOUT.melds.start] = self.yes(model, planes)
