"""Samples of one model, whatever the game."""

from dataclasses import dataclass

import numpy as np

from suzaku.record_copy import take
from suzaku.records.columns import Batch


@dataclass
class Samples:
    """Some samples of one model."""

    records: np.ndarray  # the tables
    claim: np.ndarray  # the meld asked about, or -1
    label: np.ndarray  # int64: the kind discarded, or the class
    legal: np.ndarray  # bool[n, 34]: kinds that may be discarded (discard model)

    def __len__(self) -> int:
        return len(self.label)


def plain_samples(batch: Batch, keep: np.ndarray, label: np.ndarray) -> Samples:
    """Decisions as samples of a model that is told of no claim."""
    n = int(keep.sum())
    return Samples(take(batch.records, keep), np.full(n, -1), label[keep], np.zeros((n, 0), np.bool_))
