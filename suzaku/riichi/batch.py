"""Kernels over many tables: start, step, legal actions, random play and rollouts."""

from suzaku.choices import choose_random
from suzaku.kernel import kernel
from suzaku.riichi.engine import ENGINE
from suzaku.riichi.hidden import resample_one
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.state import ROUND_OVER
from suzaku.riichi.step import step
from suzaku.seeds import GOLDEN, mix
from suzaku.table.batch import batch_kernels

BATCH = batch_kernels(ENGINE, __name__)
start_many, legal_many, step_many, play_random_many = BATCH


@kernel
def rollout_many(tables, record, seat, x, work, sums, legal, deltas):
    """Redraw what `seat` cannot see and play at random to the end of the round, once for every row of `deltas`."""
    s = work[0]
    for i in range(deltas.shape[0]):
        work[0] = record
        s.auto = 0
        x += GOLDEN
        resample_one(tables, s, seat, sums, mix(x))
        fill_legal(tables, s, legal)
        while s.phase < ROUND_OVER:
            x += GOLDEN
            step(tables, s, choose_random(legal, mix(x)))
            fill_legal(tables, s, legal)
        for p in range(4):
            deltas[i, p] = s.scores[p] - record.scores[p]
