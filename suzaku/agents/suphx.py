"""The `suphx` player: the decision flow of Fig. 1 with five trained models and the rule-based winning model."""

import numpy as np

from suzaku.agents.choice import wants_nine_kinds
from suzaku.agents.flow import MELDS, Opinions
from suzaku.agents.network import NetworkAgent, only_choice, open_choices
from suzaku.agents.winning import wanted_wins
from suzaku.networks.families import SUPHX
from suzaku.record_copy import take
from suzaku.riichi import actions as act

CLAIMS = {"chow": (act.CHOW_LOW, act.PONG), "pong": (act.PONG, act.OPEN_KONG), "kong": (act.OPEN_KONG, act.WIN_DRAW)}


class SuphxAgent(NetworkAgent):
    """The five models at a table."""

    name = "suphx"
    MODELS = SUPHX.models

    def opinions(self, records: np.ndarray, legal: np.ndarray) -> Opinions:
        """Wins and aborts by rule; every possible claim and kong, riichi and the discards by their models."""
        said = Opinions.none(len(records))
        said.force(wanted_wins(records, legal))
        said.force(np.where(wants_nine_kinds(records, legal), act.NINE_KINDS, -1))
        choices = open_choices(legal)
        said.force(only_choice(choices))
        rows, melds = np.nonzero(choices[:, MELDS] & said.open[:, None])
        if len(rows):  # all options of a table side by side: what they share is encoded once
            planes = self.encode("chow", take(records, rows), melds + MELDS.start)
            for model, (first, last) in CLAIMS.items():
                mine = (melds >= first - MELDS.start) & (melds < last - MELDS.start)
                if mine.any():
                    said.melds[rows[mine], melds[mine]] = self.yes(model, planes[mine])
        rows = np.flatnonzero(said.open & ~legal[:, act.PASS])
        if len(rows):
            planes = self.encode("discard", take(records, rows))
            self.ask_turn(rows, planes, records, choices, said)
        return said
