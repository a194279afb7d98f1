"""Samples of one model, and those of the models of MCR.

- Samples of one model, whatever the game.
- Samples of the models of MCR: the tile discarded, a pong or not, a chow or not.
"""

from dataclasses import dataclass

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.records.decisions import Decisions
from suzaku.table.tables import take


@dataclass
class Samples:
    """Some samples of one model."""

    records: np.ndarray  # the tables
    claim: np.ndarray  # the meld asked about, or -1
    label: np.ndarray  # int64: the kind discarded, or the class
    legal: np.ndarray  # bool[n, 34]: kinds that may be discarded (discard model)

    def __len__(self) -> int:
        return len(self.label)


def plain_samples(batch: Decisions, keep: np.ndarray, label: np.ndarray) -> Samples:
    """Decisions as samples of a model that is told of no claim."""
    n = int(keep.sum())
    return Samples(take(batch.records, keep), np.full(n, -1), label[keep], np.zeros((n, 0), np.bool_))


# A decision that was answered by something of higher priority (a win, a kong) tells nothing of the model and is left
# out.

CLAIMS = {"chow": (act.CHOW_LOW, act.PONG), "pong": (act.PONG, act.OPEN_KONG)}
FEWEST = 3  # tiles of a suit


def mcr_samples(batch: Decisions, model: str, claim: bool) -> Samples:
    """The samples of a model; with `claim` every chow that was possible is one of its own, right if it was made."""
    if model == "discard":
        keep = batch.action < act.CHOW_LOW
        label, legal = batch.action[keep].astype(np.int64), batch.legal[keep, : act.CHOW_LOW]
        return Samples(take(batch.records, keep), np.full(len(label), -1), label, legal)
    first, last = CLAIMS[model]
    told = (batch.action == act.PASS) | (batch.action >= act.CHOW_LOW) & (batch.action <= act.PONG)
    if not claim:
        made = (batch.action >= first) & (batch.action < last)
        keep = batch.legal[:, first:last].any(1) & told
        return plain_samples(batch, keep, made.astype(np.int64))
    rows, option = np.nonzero(batch.legal[:, first:last] & told[:, None])
    option = option + first
    made = (batch.action[rows] == option).astype(np.int64)
    return Samples(take(batch.records, rows), option, made, np.zeros((len(rows), 0), np.bool_))


@kernel
def is_symmetric(s, p):
    """Whether exchanging suits hardly changes what seat p can make of its hand.

    All Green and Reversible Tiles tell the suits apart; both leave a suit out, so hands with tiles of all three suits
    are far from them.
    """
    for suit in range(3):
        n = 0
        for kind in range(9 * suit, 9 * suit + 9):
            n += s.hand[p, kind]
        for i in range(s.melds[p]):
            n += 3 * (s.meld_kind[p, i] // 9 == suit)
        if n < FEWEST:
            return False
    return True
