"""How much of a policy gradient is signal? What a step would gain on games that it was not made from.

    python benchmarks/gradient_signal.py suphx --iterations 10 --games 200 --blocks 2

The player plays against itself and nothing is changed; a value network learns beside it, in the first iterations
alone (that of the deal, --luck, all the time).
psi, the gradient of log pi in the weights that `natural` moves, is summed up with the advantages, by tenths of the
games. Each tenth judges the direction that the other nine give: its gain, in points a decision, for a step of length
sqrt(2 KL) = 1. So directions, weights and advantages can be compared without letting any of them learn: the larger, the
more is gained at the same distance from the start; luck alone would give 0. The intervals are those of the ten
judgements.

In the last column the direction that only scales the logits is taken out: greedy play gains nothing by that. With --out
players are written that went along the direction of all games (both, value, damping 0.1) for a length of 0.1, 0.2 and
0.4: `suzaku arena suphx:OUT/0.2 suphx`.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
import torch

from suzaku.apps.train_rl import load_predictor
from suzaku.arena.spread import mean_interval
from suzaku.rl.advantages import advantages
from suzaku.rl.config import CRITICS, RlConfig
from suzaku.rl.learner import Reinforcement
from suzaku.rl.natural import NaturalGradient
from suzaku.rl.policy import Flow, minibatch
from suzaku.rl.value import explained

FOLDS = 10
METHODS = {"mean": ("mean", 1.0), "value": ("value", 1.0), "gae 0.95": ("gae", 0.95), "gae 0.8": ("gae", 0.8)}
JUDGE = list(METHODS).index("value")  # unbiased, and less noisy than the mean
DAMPINGS = (0.01, 0.1, 1.0)
LENGTHS = (0.1, 0.2, 0.4)  # of the steps that are written


class Sums:
    """What is kept of the decisions of one model."""

    def __init__(self, weights: int) -> None:
        self.fisher = np.zeros((weights, weights))
        self.gradient = np.zeros((FOLDS, weights, len(METHODS)))
        self.steps = np.zeros(FOLDS)

    def add(self, psi: np.ndarray, gained: np.ndarray, fold: np.ndarray) -> None:
        """Take in some steps: psi[n, weights], advantages[n, methods], and the tenth of each."""
        self.fisher += psi.T @ psi
        for one in range(FOLDS):
            mine = fold == one
            self.gradient[one] += psi[mine].T @ gained[mine]
            self.steps[one] += mine.sum()

    def direction(self, gradient: np.ndarray, weights: np.ndarray, damping: float) -> np.ndarray:
        """A step of length 1 for a gradient over some of the weights; `damping` 0 leaves the gradient as it is."""
        fisher = self.fisher[np.ix_(weights, weights)] / self.steps.sum()
        if damping:
            gradient = np.linalg.solve(
                fisher + damping * np.trace(fisher) / len(fisher) * np.eye(len(fisher)), gradient
            )
        return gradient / np.sqrt(gradient @ fisher @ gradient)

    def gains(self, method: int, weights: np.ndarray, damping: float, without: np.ndarray | None = None) -> np.ndarray:
        """float64[FOLDS]: the gain of each tenth by the direction of the others, over some of the weights.

        `without` is a direction to take out of it.
        """
        found = []
        for one in range(FOLDS):
            others = np.delete(self.gradient[:, weights, method], one, 0).sum(0) / self.steps.sum()
            step = self.direction(others, weights, damping)
            if without is not None:
                along = (self.fisher @ without)[weights]
                away = self.direction(along, weights, damping)
                step = step - away * (along @ step) / (along @ away)
                step /= np.sqrt(step @ self.fisher[np.ix_(weights, weights)] @ step / self.steps.sum())
            found.append(self.gradient[one, weights, JUDGE] @ step / self.steps[one])
        return np.array(found)


def collect(options: argparse.Namespace, folder: Path) -> tuple[dict[str, Sums], Reinforcement, NaturalGradient]:
    """Play, and sum up."""
    config = RlConfig(
        start=options.player, reward=options.reward, learn=options.learn, games=options.games, seed=options.seed,
        critic=options.critic, luck=options.luck,
    )  # fmt: skip
    learner = Reinforcement(config, folder, load_predictor(config))
    learner.begin(0)
    natural = NaturalGradient(learner.modules, config.temperature, options.blocks, 1.0)
    sums: dict[str, Sums] = {}
    for iteration in range(options.first + options.iterations):
        learner.wait()
        batch = learner.next_batch()
        learner.self_play.taken(batch)
        learner.self_play.order(learner.weights(), iteration, 0.0)
        flow, reward = learner.prepare([game for harvest in batch for game in harvest.games])
        said = _advantages(learner, flow, reward, iteration, learns=iteration < options.first)
        if said is None:
            continue
        _add(natural, flow, said, sums)
    learner.end()
    return sums, learner, natural


def _advantages(
    learner: Reinforcement, flow: Flow, reward: np.ndarray, iteration: int, learns: bool
) -> np.ndarray | None:
    """float32[n, methods], by the value network as it stands; or nothing, while it learns."""
    _, sequence = flow.decisions.sequences()
    if learner.deals:
        reward = reward - learner.deals.expect(flow.planes, flow.decisions.records, sequence, reward)
    seen = learner.value.planes(flow.planes, flow.decisions.records)
    value = learner.value.predict(seen)
    print(f"iteration {iteration}: {len(flow):,} decisions, value explains {explained(value, reward):.2%}", flush=True)
    if learns:
        order = np.random.default_rng(iteration).permutation(len(flow))
        for first in range(0, len(order), 2048):
            rows = order[first : first + 2048]
            learner.value.learn(seen[rows], reward[rows])
        return None
    # only the judge's unit counts: of the others the direction alone is used
    points = (reward - value).std() * (learner.predictor.unit if learner.predictor else learner.game.points)
    found = [advantages(method, sequence, reward, value, discount) for method, discount in METHODS.values()]
    return np.stack(found, 1) * points


def _add(natural: NaturalGradient, flow: Flow, gained: np.ndarray, sums: dict[str, Sums]) -> None:
    fold = flow.decisions.game % FOLDS
    for first in range(0, len(flow), 2048):
        rows = np.arange(first, min(first + 2048, len(flow)))
        batch = minibatch(flow, rows)
        _, psi = natural.answer(batch)
        for model, one in psi.items():
            at = rows[batch[model][1]]
            sums.setdefault(model, Sums(one.shape[1])).add(one.numpy(), gained[at], fold[at])


def main() -> None:
    """Play, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", nargs="?", default="suphx")
    parser.add_argument("--reward", default="round", choices=("round", "global"))
    parser.add_argument("--learn", default="discard")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--first", type=int, default=5, help="iterations before, in which the value network learns")
    parser.add_argument("--games", type=int, default=200, help="of an iteration")
    parser.add_argument("--blocks", type=int, default=2, help="the norms of so many of the last blocks")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--critic", default="seat", choices=CRITICS, help="what the value network sees")
    parser.add_argument("--luck", action="store_true", help="take off what a network of all hands expects of the deal")
    parser.add_argument("--out", type=Path, help="write players that took a step")
    options = parser.parse_args()
    if options.games < FOLDS or options.iterations < 1:
        parser.error(f"--games must be at least {FOLDS} and --iterations at least 1: each tenth is a judge")
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        sums, learner, natural = collect(options, Path(folder))
    for model, one in sums.items():
        layer = sum(weight.numel() for weight in natural.layers[model].parameters())
        every = np.arange(len(one.fisher))
        parts = {"last layer": every[-layer:], "norms": every[:-layer], "both": every}
        sharper = np.zeros(len(every))
        sharper[-layer:] = np.concatenate(
            [weight.detach().numpy().ravel() for weight in natural.layers[model].parameters()]
        )
        print(f"\n{model}, {one.steps.sum():,.0f} decisions\n")
        names = [
            "plain gradient",
            *(f"natural, damping {damping:g}" for damping in DAMPINGS),
            "damping 0.01, not sharper",
        ]
        print("| weights | advantage | " + " | ".join(names) + " |")
        print("|---|---|" + "---:|" * len(names))
        for part, weights in parts.items():
            if not len(weights):
                continue
            for number, method in enumerate(METHODS):
                found = [one.gains(number, weights, damping) for damping in (0.0, *DAMPINGS)]
                found.append(one.gains(number, weights, DAMPINGS[0], sharper))
                cells = " | ".join("{:.2f} ± {:.2f}".format(*mean_interval(gains)) for gains in found)
                print(f"| {part}, {len(weights)} | {method} | {cells} |")
    if options.out:
        write_players(options.out, sums, learner, natural)


def write_players(out: Path, sums: dict[str, Sums], learner: Reinforcement, natural: NaturalGradient) -> None:
    """The start, moved by steps of several lengths along the direction of all games."""
    gone = 0.0
    for length in LENGTHS:
        for model, one in sums.items():
            every = np.arange(len(one.fisher))
            step = one.direction(one.gradient[:, :, JUDGE].sum(0), every, 0.1) * (length - gone)
            natural.take(model, torch.from_numpy(step).float())
        gone = length
        learner.save(out / str(length), {})
        print(f"written: {out / str(length)}")


if __name__ == "__main__":
    main()
