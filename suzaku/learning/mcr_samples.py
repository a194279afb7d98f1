"""Samples of the models of MCR: the tile discarded, a pong or not, a chow or not.

A decision that was answered by something of higher priority (a win, a kong) tells nothing of the model and is left out.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.learning.sample import Samples, plain_samples
from suzaku.mcr import actions as act
from suzaku.record_copy import take
from suzaku.records.columns import Batch

CLAIMS = {"chow": (act.CHOW_LOW, act.PONG), "pong": (act.PONG, act.OPEN_KONG)}
FEWEST = 3  # tiles of a suit


def mcr_samples(batch: Batch, model: str, claim: bool) -> Samples:
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
