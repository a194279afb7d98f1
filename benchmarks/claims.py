"""Whether the claim models are as sure as they should be: stated against real probability, option by option.

    python benchmarks/claims.py STORE FOLDER [FOLDER ...] [--games 677]

For each chow, pong and kong model of each folder, over the games of a store it has not learnt from: all options that
players had, then only the surest option of each decision, which is the one that play acts on. A model that learnt from
all options is as sure as it is right in both.
"""

import argparse
from itertools import islice

import numpy as np
from rich.progress import track

from suzaku.agents.network import softmax
from suzaku.features import claims
from suzaku.learning.samples import CLAIMS, claim_options
from suzaku.networks.info import checkpoint_of
from suzaku.networks.run import Model
from suzaku.records.decisions import replay_decisions, types_mask
from suzaku.records.store import Store
from suzaku.riichi.game import GAME

BINS = np.array([0, 0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01])


def predictions(store: Store, games: int, model: str, networks: list[Model]) -> tuple[np.ndarray, ...]:
    """The decision of each option, whether it was made, and what each network says of it."""
    decision, made, said = [], [], [[] for _ in networks]  # type: list, list, list[list]
    seen = 0
    for game in track(islice(store.games(), games), model, total=min(games, len(store))):
        batch = replay_decisions(game, types_mask(GAME, model))
        rows, claim = claim_options(batch, model)
        if not len(rows):
            continue
        planes = claims.encode_many(batch.records[rows], claim)
        decision.append(seen + rows)
        made.append(batch.action[rows] == claim)
        for network, into in zip(networks, said, strict=True):
            into.append(softmax(network(planes))[:, 1])
        seen += len(batch)
    return np.concatenate(decision), np.concatenate(made), *(np.concatenate(one) for one in said)


def surest(decision: np.ndarray, said: np.ndarray) -> np.ndarray:
    """The option of each decision that a network is surest of."""
    order = np.lexsort((-said, decision))
    return order[np.unique(decision[order], return_index=True)[1]]


def show(title: str, made: np.ndarray, said: np.ndarray) -> None:
    """A row for every range of stated probability."""
    loss = -np.where(made, np.log(np.maximum(said, 1e-12)), np.log(np.maximum(1 - said, 1e-12))).mean()
    print(f"\n{title}: {len(made):,} options, stated {said.mean():.4f}, made {made.mean():.4f}, loss {loss:.4f}")
    place = np.digitize(said, BINS) - 1
    error = 0.0
    print("| stated | mean stated | made | options |\n|---|---|---|---|")
    for i in range(len(BINS) - 1):
        here = place == i
        if here.any():
            stated, real = said[here].mean(), made[here].mean()
            error += abs(stated - real) * here.mean()
            half = 1.96 * np.sqrt(max(real * (1 - real), 1e-9) / here.sum())
            high = min(1, BINS[i + 1])
            print(f"| {BINS[i]:.0%} to {high:.0%} | {stated:.3f} | {real:.3f} ± {half:.3f} | {here.sum():,} |")
    print(f"mean distance of stated from real: {error:.4f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store")
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--games", type=int, default=10**9)
    parser.add_argument("--model", choices=list(CLAIMS), nargs="*", default=list(CLAIMS))
    given = parser.parse_args()
    for model in given.model:
        networks = [Model(checkpoint_of(folder, model)) for folder in given.folder]
        for network in networks:
            network.many = True
        decision, made, *said = predictions(Store(given.store), given.games, model, networks)
        for folder, one in zip(given.folder, said, strict=True):
            show(f"{folder} {model}, all options", made, one)
            best = surest(decision, one)
            show(f"{folder} {model}, the surest option", made[best], one[best])


if __name__ == "__main__":
    main()
