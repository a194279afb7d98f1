"""Table records of all kinds of decisions, from play by the efficiency player mixed with random moves."""

import numpy as np

from suzaku.agents.simple import choose
from suzaku.hand.tables import tables
from suzaku.kernel import kernel
from suzaku.riichi import Tables
from suzaku.riichi.deal import deal_round, start_game
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.state import GAME_OVER
from suzaku.riichi.step import step
from suzaku.seeds import GOLDEN, mix
from suzaku.table.kernels import choose_random


@kernel
def _play(tables, records, legal, steps, x):
    for i in range(records.shape[0]):
        s = records[i]
        for _ in range(steps[i]):
            x += GOLDEN
            if mix(x) % np.uint64(8) == 0:
                action = choose_random(legal[i], mix(x + np.uint64(1)))
            else:
                action = choose(tables, s, legal[i])
            step(tables, s, action)
            if s.phase == GAME_OVER:
                start_game(s, s.seed, s.game + 100_000)
                deal_round(tables, s)
            fill_legal(tables, s, legal[i])


def some_states(n: int, seed: int) -> Tables:
    """n tables in the middle of their games."""
    many = Tables(n, seed=seed)
    steps = np.random.default_rng(seed).integers(0, 500, n)
    _play(tables(), many.records, many.legal, steps, np.uint64(seed))
    many.refresh()
    return many
