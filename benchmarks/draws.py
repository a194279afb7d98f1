"""How long the probabilities of a hand take, and how well they agree with played draws, over tables of simple players.

    python benchmarks/draws.py [games for each hand]

One thread, one table a call. There is no peer in the same run: the libraries at hand have no such search.
"""

import sys
import time

import numpy as np

from suzaku.agents.simple import choose
from suzaku.hand.shanten import shanten_counts
from suzaku.hand.tables import tables
from suzaku.lookahead.draws import expect, expect_row, simulate
from suzaku.lookahead.graph import GRAPH, POINTS, WIN
from suzaku.lookahead.search import fill_draws_query
from suzaku.riichi import Table
from suzaku.riichi.state import TURN

STATES = 1500
JUDGED = 25  # hands of each hand_type that are played


def states() -> list[np.record]:
    """Decisions of the middle of rounds, without riichi."""
    found: list[np.record] = []
    seed = 0
    while len(found) < STATES:
        table = Table(seed=seed)
        seed += 1
        while table.seat >= 0:
            s = table.record
            if s.phase == TURN and not s.riichi[s.seat] and s.river_size[s.seat] > 3 and s.left > 7:
                found.append(s.copy())
            table.act(int(choose(tables(), s, table.legal_mask())))
    return found


def measure(records: list[np.record], swaps: int, claims: int, back: int, games: int) -> None:
    """Print time and agreement by shanten."""
    g, out = np.zeros(1, GRAPH)[0], np.zeros(4)
    times: dict[int, list[float]] = {}
    judged: dict[int, list[tuple[float, ...]]] = {}
    for i, s in enumerate(records):
        fill_draws_query(s, s.seat, g)
        shanten = int(shanten_counts(tables(), g.hand, g.melds))
        if not 0 <= shanten <= 2 - swaps:
            continue
        g.objective, g.swaps, g.claims, g.deepest = WIN, swaps, claims, min(2, shanten + back)
        start = time.perf_counter()
        fits = expect(tables(), s.rules, g)
        times.setdefault(shanten, []).append(1e3 * (time.perf_counter() - start))
        best = int(np.nanargmax(g.value[:, WIN, g.draws]))
        win, points = g.value[best, WIN, g.draws], g.value[best, POINTS, g.draws]
        if fits and win > 0 and len(judged.get(shanten, [])) < JUDGED:
            expect_row(tables(), s.rules, g, best)
            simulate(tables(), s.rules, g, games, i, out)
            error = np.sqrt(win * (1 - win) / games)
            judged.setdefault(shanten, []).append((win, out[1] / games, points, out[2] / games, error))
    for shanten in sorted(times):
        t, j = np.array(times[shanten]), np.array(judged[shanten])
        z = (j[:, 1] - j[:, 0]) / j[:, 4]
        win, points = (100 * (j[:, k].sum() / j[:, k + 1].sum() - 1) for k in (0, 2))
        print(
            f"swaps {swaps} claims {claims} step back {back} | {shanten}-shanten, {len(t):4d} hands"
            f" | ms: mean {t.mean():6.2f}, median {np.median(t):6.2f}, 99% {np.quantile(t, 0.99):6.2f}"
            f" | against play: win {win:+.2f}%, points {points:+.2f}%, rms {np.sqrt((z**2).mean()):.2f} standard errors"
        )


def main() -> None:
    """Measure all types of query."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    records = states()
    np.random.default_rng(3).shuffle(records)  # type: ignore[arg-type]
    measure(records[:40], 0, 0, 0, 10)  # compile
    print()
    for swaps, claims, back in ((0, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0)):
        measure(records, swaps, claims, back, games)


if __name__ == "__main__":
    main()
