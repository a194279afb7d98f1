"""The `oracle` player, which cheats: its models see the other hands and the wall (Suphx 3.3). The arena alone seats it.

It goes through the same decision flow as `suphx`; models that see what their seat sees play beside those that see all.
"""

import time

import numpy as np

from suzaku.agents.suphx import CLAIMS, SuphxAgent
from suzaku.features.oracle import encode_sparse
from suzaku.features.sets import feature_set
from suzaku.features.sparse import SparsePlanes
from suzaku.networks.families import SUPHX
from suzaku.networks.run import Planes


class OracleAgent(SuphxAgent):
    """Five models at a table, of which at least one sees everything."""

    name = "oracle"
    FAMILIES = ("oracle", "suphx")

    def sees_all(self, model: str) -> bool:
        """Whether a model has the oracle channels."""
        return self.models[model].features.hidden > 0

    def encode(self, model: str, records: np.ndarray, claim: np.ndarray | None = None) -> Planes:
        """What the seat sees, and what it does not if a model needs it: claims share their planes, and own turns do."""
        began = time.perf_counter()
        planes = feature_set(SUPHX.models[model].features).encode_sparse(records, claim, self.lookahead)
        together = CLAIMS if model in CLAIMS else ("discard", "riichi")
        if any(self.sees_all(one) for one in together):
            planes = self.add_hidden(planes, records)
        self.seconds["features"] += time.perf_counter() - began
        return planes

    def add_hidden(self, planes: SparsePlanes, records: np.ndarray) -> SparsePlanes:
        """Put the perfect features behind the visible ones."""
        return planes.before(encode_sparse(records))

    def ask(self, model: str, planes: Planes) -> np.ndarray:
        """The logits of a model, which is shown no more than its own channels."""
        assert isinstance(planes, SparsePlanes)
        return super().ask(model, planes.first(self.models[model].features.channels))
