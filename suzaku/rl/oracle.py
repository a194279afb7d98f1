"""Oracle guiding, eq. (5) of Suphx (3.3): a policy that sees everything turns into one that sees what its seat sees.

    L(theta) = E [ pi_theta(a | [x_n(s), delta_t x_o(s)]) / pi_theta'(a | [x_n(s), delta_t x_o(s)]) A ]

x_n are the visible features, x_o the perfect ones, and the elements of delta_t are Bernoulli variables that are 1 with
probability gamma_t. gamma is 1 for `oracle_first` iterations, in which the oracle learns, and falls in a line to 0 over
the next `oracle_fall`. Then the first layer is cut back: what is left is an ordinary network, bit for bit. It learns on
at a tenth of the rate (`after_rate`), without the pairs whose importance weight exceeds `after_reject` (`loss.py`).

delta is drawn for each decision, but from numbers that follow from the wall and the decision: an element is kept where
its number is below gamma. So the learner, which replays the game, masks what the actor masked, and where gamma has
fallen in between it masks a little more. Importance weights stay those of one decision with one draw. A perfect
feature that is the same at all 34 kinds (a shanten number, say) is one element.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from suzaku.agents.suphx import OracleAgent
from suzaku.features.channels import ORACLE_CHANNELS
from suzaku.features.oracle import encode_sparse
from suzaku.features.sparse import SparsePlanes
from suzaku.kernel import kernel
from suzaku.rl.config import RlConfig
from suzaku.seeds import mix

if TYPE_CHECKING:  # an actor needs no torch
    from torch import Tensor, nn
    from torch.optim import Optimizer

STEM = "stem.weight"
U1, U8, U11 = np.uint64(1), np.uint64(8), np.uint64(11)


@dataclass(frozen=True)
class GammaSchedule:
    """gamma over the iterations of a run, and what holds once it is 0."""

    first: int  # iterations at 1
    fall: int  # from 1 to 0
    after_rate: float  # share of the learning rate
    after_reject: float  # importance weights above it are left out; 0: none

    @classmethod
    def of(cls, config: RlConfig) -> "GammaSchedule":
        """As the settings say."""
        return cls(config.oracle_first, config.oracle_fall, config.after_rate, config.after_reject)

    @property
    def end(self) -> int:
        """The first iteration at 0."""
        return self.first + self.fall

    def gamma(self, iteration: int) -> float:
        """The probability that an element is kept."""
        return min(1.0, max(0.0, (self.end - iteration) / self.fall))

    def rate(self, iteration: int) -> float:
        """The factor of the learning rate."""
        return self.after_rate if iteration >= self.end else 1.0

    def reject(self, iteration: int) -> float:
        """The largest importance weight; 0: all are taken."""
        return self.after_reject if iteration >= self.end else 0.0


@kernel
def _mask(records, cells, bounds, whole, gamma, seed, apart, starts, constants):
    out = np.empty(len(cells), np.uint32)
    limit = np.uint64(gamma * 2.0**53)
    at = 0
    for i in range(len(constants)):
        s = records[i]
        x = mix(np.uint64(seed) + U1)
        for place in range(136):
            x = mix(x ^ np.uint64(s.wall[place]))
        x = mix(x ^ (np.uint64(s.deal) << U8 | np.uint64(s.seat)))
        x = mix(x ^ (np.uint64(s.discards) << U8 | np.uint64(s.left)))
        x = mix(x ^ (np.uint64(s.phase) << U8 | np.uint64(s.offer + 1)))
        for j in range(bounds[i], bounds[i + 1]):
            number = mix(x ^ np.uint64(cells[j] >> 8)) if apart else x
            if number >> U11 < limit:
                out[at] = cells[j]
                at += 1
                if j < bounds[i] + whole[i]:
                    constants[i] += 1
        starts[i + 1] = at
    return out


def masked(planes: SparsePlanes, records: np.ndarray, gamma: float, seed: int, mask: str) -> SparsePlanes:
    """delta x_o: the perfect features of some decisions, each kept with probability gamma."""
    bounds, constants = np.zeros(len(planes) + 1, np.int64), np.zeros(len(planes), np.int32)
    apart = mask == "element"
    cells = _mask(records, planes.cells, planes.bounds, planes.constants, float(gamma), seed, apart, bounds, constants)
    return SparsePlanes(cells[: bounds[-1]], bounds, constants, planes.channels)


class GuidedAgent(OracleAgent):
    """The policy of eq. (5) in self-play; at gamma 0 it plays, bit for bit, as the network that is cut back."""

    gamma = 1.0
    mask = "element"

    def add_hidden(self, planes: SparsePlanes, records: np.ndarray) -> SparsePlanes:
        """Put what is left of the perfect features behind the visible ones."""
        if self.gamma <= 0:
            return planes
        return planes.before(masked(encode_sparse(records), records, self.gamma, self.seed, self.mask))


def widened(tensors: "dict[str, Tensor]") -> "dict[str, Tensor]":
    """The weights of an ordinary network with weights of zero for the oracle channels: the same answers."""
    from torch.nn.functional import pad

    return {**tensors, STEM: pad(tensors[STEM], (0, 0, 0, 0, 0, ORACLE_CHANNELS))}


@contextmanager
def hastened(modules: "Iterable[nn.Module]", factor: float) -> Iterator[None]:
    """Let what is done in between to the weights of the oracle channels be done `factor` times."""
    from torch import no_grad

    stems: list[Any] = [module.stem for module in modules]
    before = [stem.weight[:, -ORACLE_CHANNELS:].detach().clone() for stem in stems]
    yield
    with no_grad():
        for stem, old in zip(stems, before, strict=True):
            stem.weight[:, -ORACLE_CHANNELS:].lerp_(old, 1 - factor)


def cut_back(module: "nn.Module", optimiser: "Optimizer | None" = None) -> None:
    """Take the oracle channels off the first layer, in place, and off what an optimiser remembers of it."""
    from torch import nn

    stem: Any = module.stem
    old = stem.weight
    kept = slice(None, old.shape[1] - ORACLE_CHANNELS)
    stem.weight = new = nn.Parameter(old.detach()[:, kept].clone())
    stem.in_channels = new.shape[1]
    if optimiser is None:
        return
    for group in optimiser.param_groups:
        group["params"] = [new if one is old else one for one in group["params"]]
    if (state := optimiser.state.pop(old, None)) is not None:
        optimiser.state[new] = {k: v[:, kept].clone() if v.shape == old.shape else v for k, v in state.items()}


def warm_up() -> None:
    """What an oracle sees."""
    from suzaku.riichi.table import Table

    state = Table().record.reshape(1)
    hidden = encode_sparse(state)
    hidden.before(masked(hidden, state, 0.5, 0, "element")).first(1)
