"""What a model gets right: accuracies in the cuts that players and the papers ask for."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suzaku.hand.shanten import shanten_many
from suzaku.hand.tables import tables
from suzaku.learning.sample import Samples
from suzaku.mcr.shanten import shanten_many as mcr_shanten_many

BINS = 10  # of the calibration


@dataclass
class Predictions:
    """Scores and labels of many samples, with what is needed to cut them."""

    logits: list[np.ndarray] = field(default_factory=list)
    label: list[np.ndarray] = field(default_factory=list)
    legal: list[np.ndarray] = field(default_factory=list)
    cuts: list[np.ndarray] = field(default_factory=list)  # shanten, own discards so far, riichi of others (or -1)

    def add(self, logits: np.ndarray, samples: Samples) -> None:
        """Add a batch; samples beyond the logits are left out."""
        n = len(logits)
        self.logits.append(logits)
        self.label.append(samples.label[:n])
        self.legal.append(samples.legal[:n])
        self.cuts.append(_cuts(samples.records[:n]))

    def joined(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """All batches together."""
        return tuple(np.concatenate(part) for part in (self.logits, self.label, self.legal, self.cuts))  # type: ignore[return-value]


def _cuts(records: np.ndarray) -> np.ndarray:
    rows = np.arange(len(records))
    seat = records["seat"]
    shanten = np.zeros(len(records), np.int8)
    hands, melds, turn = records["hand"][rows, seat], records["melds"][rows, seat], records["river_size"][rows, seat]
    if "riichi" not in (records.dtype.names or ()):
        mcr_shanten_many(tables(), hands, melds, shanten)
        return np.stack([shanten, turn, np.full(len(records), -1)], 1)
    shanten_many(tables(), hands, melds, shanten)
    others = (records["riichi"] > 0).sum(1) - (records["riichi"][rows, seat] > 0)
    return np.stack([shanten, turn, others > 0], 1)


def interval(right: np.ndarray) -> tuple[float, float]:
    """A share and half the width of its 95 % interval."""
    share = float(right.mean()) if len(right) else float("nan")
    return share, 1.96 * float(np.sqrt(share * (1 - share) / max(1, len(right))))


def _softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(1, keepdims=True))
    return shifted / shifted.sum(1, keepdims=True)


def _calibration(probability: np.ndarray, right: np.ndarray) -> list[tuple[float, float, int]]:
    """Mean stated probability, share right, and number of samples in bins of the stated probability."""
    bins = np.minimum((probability * BINS).astype(int), BINS - 1)
    rows = [(bins == i) for i in range(BINS)]
    return [(float(probability[row].mean()), float(right[row].mean()), int(row.sum())) for row in rows if row.any()]


def _by(cut: np.ndarray, right: np.ndarray, edges: Iterator[int] | range) -> dict[str, tuple[float, int]]:
    return {str(i): (float(right[cut == i].mean()), int((cut == i).sum())) for i in edges if (cut == i).any()}


def summary(predictions: Predictions) -> dict[str, Any]:
    """All figures of a model, ready for JSON."""
    logits, label, legal, cuts = predictions.joined()
    probability = _softmax(logits)
    right = logits.argmax(1) == label
    share, half = interval(right)
    out: dict[str, Any] = {"samples": len(label), "accuracy": share, "interval": half}
    counts = np.bincount(label, minlength=logits.shape[1])
    out["majority"] = float(counts.max() / max(1, len(label)))
    logit_of_label = np.log(np.maximum(probability[np.arange(len(label)), label], 1e-12))
    out["loss"] = float(-logit_of_label.mean())
    if legal.shape[1]:
        masked = np.where(legal, logits, -np.inf)
        out["unmasked_accuracy"], out["unmasked_legal"] = (
            share,
            float(legal[np.arange(len(label)), logits.argmax(1)].mean()),
        )
        right = masked.argmax(1) == label
        out["accuracy"], out["interval"] = interval(right)
        probability = _softmax(masked)
        order = np.argsort(-masked, axis=1)[:, :3]
        out["top_3"] = float((order == label[:, None]).any(1).mean())
    else:
        out["classes"] = _classes(logits.argmax(1), label, logits.shape[1])
    out["by_shanten"] = _by(cuts[:, 0], right, range(-1, 7))
    out["by_turn"] = _by(np.minimum(cuts[:, 1], 18), right, range(19))
    out["by_others_riichi"] = _by(cuts[:, 2], right, range(2))
    out["calibration"] = _calibration(probability.max(1), right)
    return out


def _classes(guess: np.ndarray, label: np.ndarray, n: int) -> dict[str, Any]:
    """Confusion (rows true, columns guessed) with precision, recall and F1 of every class."""
    confusion = np.zeros((n, n), int)
    np.add.at(confusion, (label, guess), 1)
    hits = np.diag(confusion)
    precision = hits / np.maximum(1, confusion.sum(0))
    recall = hits / np.maximum(1, confusion.sum(1))
    f1 = 2 * precision * recall / np.maximum(1e-12, precision + recall)
    return {
        "confusion": confusion.tolist(),
        "precision": precision.tolist(),
        "recall": recall.tolist(),
        "f1": f1.tolist(),
    }
