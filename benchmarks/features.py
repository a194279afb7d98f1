"""Speed of the encoders on one thread, by CPU time, with the encoders of riichienv in the same run.

    python benchmarks/features.py [STORE]

STORE is a store of real games (`suzaku data import`); without it, games of the simple players are used, whose decisions
are further from a win than real ones.
"""

import argparse
import random
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table as RichTable

from suzaku.agents.simple import choose
from suzaku.features import claims, gao, oracle, suphx
from suzaku.hand.shanten import fill_keys, shanten_many
from suzaku.hand.tables import tables
from suzaku.riichi import Tables
from suzaku.riichi.actions import CHOW_LOW, WIN_DRAW

try:
    import riichienv
except ImportError:
    riichienv = None

BATCH = 512


def played(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Tables and legal actions of games of the simple players."""
    many = Tables(64, seed=1)
    records, legal = [], []
    while sum(map(len, records)) < n:
        records.append(many.records[many.legal.sum(1) > 1].copy())
        legal.append(many.legal[many.legal.sum(1) > 1].copy())
        many.step(np.array([choose(tables(), s, m) for s, m in zip(many.records, many.legal, strict=True)]))
    return np.concatenate(records)[:n], np.concatenate(legal)[:n]


def stored(path: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Tables and legal actions of real decisions, mixed from many games."""
    from suzaku.records.decisions import decisions

    records, legal = [], []
    for batch in decisions(path):
        records.append(batch.records.copy())
        legal.append(batch.legal.copy())
        if sum(map(len, records)) >= n:
            break
    return np.concatenate(records)[:n], np.concatenate(legal)[:n]


def rate(encode: Callable[[np.ndarray], object], records: np.ndarray) -> float:
    """States a second, in batches."""
    encode(records[:BATCH])
    start = time.process_time()
    for i in range(0, len(records), BATCH):
        encode(records[i : i + BATCH])
    return len(records) / (time.process_time() - start)


def slowest(records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Milliseconds of each state alone with look-ahead: the least of three runs, against the noise of the machine."""
    out = np.empty((1, 838, 34), np.uint8)
    suphx.encode_many(records[:1], out)
    best = np.full(len(records), np.inf)
    for _ in range(3):
        for i in range(len(records)):
            start = time.perf_counter()
            suphx.encode_many(records[i : i + 1], out)
            best[i] = min(best[i], time.perf_counter() - start)
    seat = records["seat"]
    hands = records["hand"][np.arange(len(records)), seat]
    found = np.zeros(len(records), np.int8)
    shanten_many(tables(), hands, records["melds"][np.arange(len(records)), seat], found)
    return best * 1000, found


def flushes(n: int) -> np.ndarray:
    """Tables whose asked seat holds 14 random tiles of one suit: the most wins in reach."""
    rng = np.random.default_rng(0)
    records = np.tile(Tables(1, seed=1).records, n)
    suit = np.repeat(np.arange(9), 4)
    for s in records:
        s["hand"][s["seat"]] = np.bincount(rng.permutation(suit)[:14], minlength=34)
        s["red"][s["seat"]] = 0
        fill_keys(s["hand"][s["seat"]], s["key"][s["seat"]])
    return records


def peer(games: int) -> tuple[float, float]:
    """States a second of riichienv's 74 x 34 and 215 x 34 encoders, on random play."""
    rng = random.Random(1)
    spent, count = [0.0, 0.0], 0
    for seed in range(games):
        env = riichienv.RiichiEnv(game_mode="4p-red-half", seed=seed, skip_mjai_logging=True)
        observations = env.reset()
        while not env.done():
            actions = {}
            for seat, observation in observations.items():
                legal = observation.legal_actions()
                if legal:
                    actions[seat] = rng.choice(legal)
                    count += 1
                    for i, encode in enumerate((observation.encode, observation.encode_extended)):
                        start = time.process_time()
                        encode()
                        spent[i] += time.process_time() - start
            observations = env.step(actions)
    return count / spent[0], count / spent[1]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", nargs="?", help="a store of real games")
    parser.add_argument("--states", type=int, default=20_000)
    args = parser.parse_args()
    records, legal = stored(args.store, args.states) if args.store else played(args.states)
    out = np.empty((BATCH, 958, 34), np.uint8)
    first = np.empty((BATCH, 838, 34), np.uint8)
    melds = legal[:, CHOW_LOW:WIN_DRAW]
    offers = np.flatnonzero(melds.any(1))
    actions = melds[offers].argmax(1) + CHOW_LOW

    rows = [
        (
            "Suphx 838 x 34 without look-ahead",
            rate(lambda part: suphx.encode_many(part, first, lookahead=False), records),
        ),
        ("Suphx 838 x 34 with look-ahead", rate(lambda part: suphx.encode_many(part, first), records)),
        ("Gao 86 x 34 x 4", rate(gao.encode_many, records)),
        ("oracle 93 x 34", rate(oracle.encode_many, records)),
    ]
    claims.encode_many(records[offers[:1]], actions[:1], out)
    start = time.process_time()
    for i in range(0, len(offers), BATCH):
        claims.encode_many(records[offers[i : i + BATCH]], actions[i : i + BATCH], out)
    rows.append(("claims 958 x 34 with look-ahead", len(offers) / (time.process_time() - start)))
    if riichienv:
        small, extended = peer(3)
        rows += [("riichienv 74 x 34", small), ("riichienv 215 x 34", extended)]
    table = RichTable(title=f"encoders, one thread, {len(records):,} {'real ' if args.store else ''}decisions")
    for column in ("", "states/s", "to riichienv 215 x 34"):
        table.add_column(column, justify="left" if not column else "right")
    for name, value in rows:
        table.add_row(name, f"{value:,.0f}", f"{value / extended:.1f}x" if riichienv else "")
    console = Console(width=100)
    console.print(table)

    times, shanten = slowest(records[: args.states // 2])
    table = RichTable(title="with look-ahead, one state a call, by shanten: milliseconds")
    for column in ("shanten", "states", "mean", "99 %", "slowest"):
        table.add_column(column, justify="right")
    rows_of_times = [(str(value), times[shanten == value]) for value in np.unique(shanten)]
    rows_of_times.append(("14 tiles of a suit", slowest(flushes(1000))[0]))
    for name, some in rows_of_times:
        cells = (some.mean(), np.quantile(some, 0.99), some.max())
        table.add_row(name, f"{len(some):,}", *(f"{cell:.3f}" for cell in cells))
    console.print(table)


if __name__ == "__main__":
    main()
