"""The player with networks as the package has it: one table at a time, in plain Python; NumPy runs the networks alone.

It decides as `McrAgent` does without a temperature (`suzaku/agents/mcr_network.py`), out of the same kernels.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from suzaku.agents.botzone.plain import Planes
from suzaku.agents.mcr_network import choose_chow, choose_kong
from suzaku.features.mcr_claims import encode_claim
from suzaku.features.mcr_planes import encode_planes, levelled
from suzaku.features.mcr_units import GROUPS, encode_units
from suzaku.hand.tables import tables as hand_tables
from suzaku.mcr import actions as act

if TYPE_CHECKING:
    from suzaku.networks.run import Model

HALF = 0.5


def sight_of(model: "Model") -> tuple[int, int, bool]:
    """What a model sees: channels, of them the paper's units (0: planes with plans), whether it is told of a meld."""
    features = model.features
    units = features.name.partition("+")[0].partition("-")[2]
    return features.channels, int(units) if units.isdigit() else 0, features.claim


class NetworkPlayer:
    """Answers by three models; `ask` gives the logits of one by its name and what it sees."""

    def __init__(self, sights: dict[str, tuple[int, int, bool]], ask: Callable[[str, Any], Any], query: Any) -> None:
        self.sights, self.ask, self.q = sights, ask, query

    def encode(self, model: str, s: Any, action: int) -> Any:
        """What a model sees of a table, asked about a meld (-1 for none)."""
        channels, units, claim = self.sights[model]
        out = Planes(channels)
        counts, seen = np.zeros(34, np.int8), np.zeros(34, np.uint8)
        if units:
            held, missing = np.zeros((GROUPS, 34), np.uint8), np.zeros((GROUPS, 34), np.uint8)
            encode_units(hand_tables(), s, s.seat, units, counts, seen, held, missing, out)
            return out
        encode_planes(hand_tables(), s, s.seat, True, counts, seen, self.q, out)
        if claim:
            encode_claim(hand_tables(), s, s.seat, action, True, levelled(self.q.total), self.q, out)
        return out

    def yes(self, model: str, s: Any, action: int) -> float:
        """The probability of yes of a model that is asked about a meld."""
        no, yes = self.ask(model, self.encode(model, s, action))
        return float(1.0 / (1.0 + np.exp(min(no - yes, 80.0))))

    def choose(self, s: Any, legal: Any) -> int:
        """Win, make a kong, claim, pass or discard."""
        if legal[act.WIN]:
            return act.WIN
        kong = choose_kong(hand_tables(), s, legal, self.q)
        if kong >= 0:
            return kong
        choices = [action for action in range(act.ACTIONS) if legal[action] and not act.OPEN_KONG <= action < act.WIN]
        if len(choices) == 1:
            return choices[0]
        if legal[act.PASS]:
            return self.choose_claim(s, legal)
        logits = self.ask("discard", self.encode("discard", s, -1))
        best = choices[0]
        for kind in choices:
            if logits[kind] > logits[best]:
                best = kind
        return best

    def choose_claim(self, s: Any, legal: Any) -> int:
        """The surest meld that its model says yes to, or a pass."""
        melds = [action for action in range(act.CHOW_LOW, act.PONG) if legal[action]]
        if melds and not self.sights["chow"][2]:
            melds = [choose_chow(hand_tables(), s, legal, self.q)]
        best, most = act.PASS, HALF
        for action in melds + [act.PONG] * bool(legal[act.PONG]):
            yes = self.yes("pong" if action == act.PONG else "chow", s, action)
            if yes > most:
                best, most = action, yes
        return best
