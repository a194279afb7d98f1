"""How much of a policy gradient is signal? What a step would gain on games that it was not made from.

    python benchmarks/gradient_signal.py weak --iterations 20 --games 400 --keep runs/weak.npz --out runs/steps
    python benchmarks/gradient_signal.py suphx --value start --critic oracle --lambdas 1,0.9,0.5 --iterations 10

The player plays against itself, and nothing is changed. psi, the gradient of log pi in the weights that `natural`
moves, is summed up with the rewards, by tenths of the games. Each tenth judges the direction that the other nine give:
its gain, in points (or ranking points) a decision, for a step of length sqrt(2 KL) = 1. So directions, weights and
advantages can be compared without letting any of them learn: the larger, the more is gained at the same distance from
the start; luck alone would give 0. The intervals are those of the ten judgements.

The direction that only scales the logits is told apart and taken out of the others: greedy play gains nothing by it.
Decisions whose surest answer is above 98 % are counted and not looked at: their psi is nearly nothing. With --value a
network learns what to expect of each state, in the first iterations alone and then beside the rest, from games that it
has judged; without it rewards are compared with their mean. With --lambdas there is a direction for each lambda of GAE,
and all are judged by lambda 1, which does not lean on what the network says of later states.

--keep FILE holds the sums; with the same file it goes on from there, with other games. --out writes players that went
along the direction of all games, for lengths of 0.1, 0.2 and 0.4: `suzaku arena suphx:OUT/round-0.2 weak`.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
import torch

from suzaku.arena.statistics import mean_interval
from suzaku.cli.train_rl import load_predictor
from suzaku.rl.buffer import replay_games
from suzaku.rl.config import RlConfig
from suzaku.rl.critic import explained
from suzaku.rl.learner import Reinforcement
from suzaku.rl.natural import NaturalGradient, surely_left_out
from suzaku.rl.policy import Flow, minibatch
from suzaku.rl.policy_gradient import gae
from suzaku.table.tables import take

FOLDS = 10
REWARDS = ("round", "global")
DAMPINGS = (0.01, 0.1, 1.0)
CROSSED = 1.0  # damping of the directions that are judged by the other reward, and of the steps that are written
LENGTHS = (0.1, 0.2, 0.4)  # of the steps that are written
SURE = 0.98
BATCH = 512  # twice as fast as 2,048: what belongs together stays in the cache


class Sums:
    """What is kept of the decisions of one model."""

    def __init__(self, fisher: np.ndarray, gradient: np.ndarray, steps: np.ndarray) -> None:
        self.fisher, self.gradient, self.steps = fisher, gradient, steps

    @classmethod
    def of(cls, weights: int, columns: int) -> "Sums":
        """Nothing yet."""
        return cls(np.zeros((weights, weights)), np.zeros((FOLDS, weights, columns)), np.zeros(FOLDS))

    def add(self, psi: np.ndarray, gained: np.ndarray, fold: np.ndarray) -> None:
        """Take in some steps: psi[n, weights], advantages[n, columns], and the tenth of each."""
        self.fisher += psi.T @ psi
        for one in range(FOLDS):
            mine = fold == one
            self.gradient[one] += psi[mine].T @ gained[mine]

    def along(self, gradient: np.ndarray, weights: np.ndarray, damping: float, without: np.ndarray) -> np.ndarray:
        """A step of length 1 for a gradient over some of the weights; `damping` 0 leaves the gradient as it is.

        `without` is a direction of length 1, over all weights, that is taken out of it.
        """
        fisher = self.fisher[np.ix_(weights, weights)] / self.steps.sum()
        if damping:
            gradient = np.linalg.solve(
                fisher + damping * np.trace(fisher) / len(fisher) * np.eye(len(fisher)), gradient
            )
        out = without[weights]
        gradient = gradient - out * (out @ fisher @ gradient)
        return gradient / np.sqrt(gradient @ fisher @ gradient)

    def length(self, step: np.ndarray) -> float:
        """sqrt(2 KL) of a step."""
        return float(np.sqrt(step @ self.fisher @ step / self.steps.sum()))

    def gains(self, column: int, weights: np.ndarray, damping: float, without: np.ndarray, judge: int) -> np.ndarray:
        """float64[FOLDS]: what each tenth gains, by column `judge`, along the direction of the others by `column`."""
        found = []
        for one in range(FOLDS):
            others = np.delete(self.gradient[:, weights, column], one, 0).sum(0) / self.steps.sum()
            step = self.along(others, weights, damping, without)
            found.append(self.gradient[one, weights, judge] @ step / self.steps[one])
        return np.array(found)


def load(path: Path | None, about: str) -> tuple[dict[str, Sums], int]:
    """The sums of earlier games, and their number."""
    if path is None or not path.exists():
        return {}, 0
    kept = np.load(path)
    if str(kept["about"]) != about:
        raise SystemExit(f"{path} holds sums of {kept['about']}, not of {about}: choose another file")
    models = {name.partition(".")[0] for name in kept.files if "." in name}
    parts = ("fisher", "gradient", "steps")
    return {model: Sums(*(kept[f"{model}.{part}"] for part in parts)) for model in models}, int(kept["games"])


def save(path: Path | None, about: str, sums: dict[str, Sums], games: int) -> None:
    """Keep them."""
    if path is None:
        return
    parts = {f"{model}.{name}": value for model, one in sums.items() for name, value in vars(one).items()}
    new = path.with_suffix(".new.npz")
    np.savez(new, about=about, games=games, **parts)
    new.replace(path)


def collect(options: argparse.Namespace, about: str) -> tuple[dict[str, Sums], Reinforcement, NaturalGradient]:
    """Play, and sum up."""
    sums, done = load(options.keep, about)
    common = {"start": options.player, "learn": options.learn, "games": options.games, "seed": options.seed + done}
    common["workers"] = 0
    judged = {"critic": options.critic, "value_rate": options.rate}
    network = {"value_network": options.value} if options.value else {}
    configs = [RlConfig(**common, **judged, **network, reward=reward) for reward in REWARDS]
    predictor = load_predictor(configs[1])
    assert predictor is not None
    with tempfile.TemporaryDirectory() as folder:
        learners = [
            Reinforcement(config, Path(folder) / config.reward, judge)
            for config, judge in zip(configs, (None, predictor), strict=True)
        ]
        learner = learners[0]
        learner.begin(0)
        natural = NaturalGradient(learner.modules, configs[0].temperature, options.blocks, 1.0, SURE)
        units = learner.game.points, predictor.unit
        first = options.first if options.value else 0
        for iteration in range(first + options.iterations):
            learner.wait()
            batch = learner.next_batch()
            learner.self_play.taken(batch)
            learner.self_play.order(learner.weights(), iteration, 0.0)
            games = [game for harvest in batch for game in harvest.games]
            flow, _ = learner.prepare(games)
            decisions = replay_games(games)
            rows = np.flatnonzero(learner.game.learnable(decisions, learner.config.models))
            rows = rows[decisions.part(rows).sequences()[0]]  # as `prepare` has them
            gained = []
            for one, unit in zip(learners, units, strict=True):
                reward = one.game.returns(one.config, decisions, games, predictor)[rows]
                found = [unit * each for each in _advantages(one, flow, reward, iteration, options)]
                gained += found
                noise = ", ".join(f"{np.std(each):,.4g}" for each in found)
                print(f"  {one.config.reward}: deviation {noise}", flush=True)
            if iteration >= first:
                _add(natural, flow, np.stack(gained, 1), sums)
                done += len(games)
                save(options.keep, about, sums, done)
            print(f"iteration {iteration}: {len(flow):,} decisions, {done:,} games", flush=True)
        learner.end()
    return sums, learner, natural


def _advantages(
    learner: Reinforcement, flow: Flow, reward: np.ndarray, iteration: int, options: argparse.Namespace
) -> list[np.ndarray]:
    """Rewards less what was expected, for each lambda; then the networks learn from them, at first from all."""
    _, sequence = flow.decisions.sequences()
    if not options.value:
        return [reward - reward.mean()]
    critic = learner.value
    assert critic is not None
    records = flow.decisions.records
    value = critic.judge(flow.planes, records)
    print(f"  {learner.config.reward}: the value network explains {explained(value, reward):.1%}", flush=True)
    order = np.random.default_rng(iteration).permutation(len(flow))
    for rows in np.array_split(order, -(-len(order) // 2048))[:: 1 if iteration < options.first else 4]:
        critic.learn(critic.planes(flow.planes[rows], take(records, rows)), reward[rows])
    found = [gae(sequence, reward, value, one) for one in options.lambdas]
    return [one - one.mean() for one in found]


def _add(natural: NaturalGradient, flow: Flow, gained: np.ndarray, sums: dict[str, Sums]) -> None:
    fold = flow.decisions.game % FOLDS
    asked = np.flatnonzero(~surely_left_out(flow.behaviour, SURE))
    for rows in np.array_split(asked, -(-len(asked) // BATCH)):
        batch = minibatch(flow, rows)
        _, psi = natural.answer(batch)
        for model, one in psi.items():
            at = rows[batch[model][1]]
            sums.setdefault(model, Sums.of(one.shape[1], gained.shape[1])).add(one.numpy(), gained[at], fold[at])
    for model, found in sums.items():
        found.steps += np.bincount(fold[flow.steps[model].row], minlength=FOLDS)


def main() -> None:
    """Play, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", nargs="?", default="suphx")
    parser.add_argument("--learn", default="discard")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--games", type=int, default=200, help="of an iteration")
    parser.add_argument("--blocks", type=int, default=2, help="the norms of so many of the last blocks")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--value", default="", metavar="NETWORK", help="compare with a value network (b2c32, start)")
    parser.add_argument("--rate", type=float, default=3e-4, help="its learning rate")
    parser.add_argument("--lambdas", type=_lambdas, default=[1.0], help="of GAE, such as 1,0.9,0.5; 1 is the first")
    parser.add_argument("--first", type=int, default=4, help="iterations before, in which that network learns")
    parser.add_argument("--critic", default="seat", choices=("seat", "oracle"), help="what it sees")
    parser.add_argument("--keep", type=Path, help="the sums, to go on from")
    parser.add_argument("--out", type=Path, help="write players that took a step")
    options = parser.parse_args()
    if not options.value and options.lambdas != [1.0]:
        parser.error("--lambdas needs a value network: say --value start")
    if options.games < FOLDS or options.iterations < 0:
        parser.error(f"--games must be at least {FOLDS} and --iterations at least 0: each tenth is a judge")
    torch.set_num_threads(1)
    lambdas = ", ".join(f"{one:g}" for one in options.lambdas)
    judge = (
        f"a value network {options.value} ({options.critic}, rate {options.rate:g})" if options.value else "the mean"
    )
    about = f"{options.player}, {options.learn}, {options.blocks} blocks, lambda {lambdas}, less {judge}"
    sums, learner, natural = collect(options, about)
    if not sums:
        raise SystemExit("no games: --iterations must be at least 1, unless --keep has some")
    for model, one in sums.items():
        sharper = sharpening(one, natural, model)
        tell(model, one, natural, sharper, options.lambdas)
        if options.out:
            write_players(options.out, model, one, learner, natural, sharper, options.lambdas)


def _lambdas(text: str) -> list[float]:
    found = [float(part) for part in text.split(",")]
    if found[0] != 1 or not all(0 <= one <= 1 for one in found):
        raise argparse.ArgumentTypeError("the first must be 1, which judges the others, and none below 0 or above 1")
    return found


def columns_of(lambdas: list[float]) -> list[tuple[str, int]]:
    """What each column of the sums is called, and the column that judges it."""
    several = len(lambdas) > 1
    return [
        (f"{reward}, lambda {one:g}" if several else reward, number * len(lambdas))
        for number, reward in enumerate(REWARDS)
        for one in lambdas
    ]


def sharpening(sums: Sums, natural: NaturalGradient, model: str) -> np.ndarray:
    """The step of length 1 that only scales the logits."""
    last = np.concatenate([weight.detach().numpy().ravel() for weight in natural.layers[model].parameters()])
    found = np.zeros(len(sums.fisher))
    found[-len(last) :] = last
    return found / sums.length(found)


def tell(model: str, sums: Sums, natural: NaturalGradient, sharper: np.ndarray, lambdas: list[float]) -> None:
    """A row for each reward, lambda and choice of weights."""
    layer = sum(weight.numel() for weight in natural.layers[model].parameters())
    every = np.arange(len(sums.fisher))
    parts = {"last layer": every[-layer:], "norms": every[:-layer], "both": every}
    names = ["plain gradient", *(f"natural, damping {damping:g}" for damping in DAMPINGS)]
    columns = columns_of(lambdas)
    print(f"\n{model}, {sums.steps.sum():,.0f} decisions; sharpening is taken out but in its own row\n")
    print("| reward | weights | " + " | ".join(names) + " |")
    print("|---|---|" + "---:|" * len(names))
    for number, (name, judge) in enumerate(columns):
        if number == judge:
            gains = sums.gradient[:, :, number] @ sharper / sums.steps
            print(f"| {name} | sharpening alone | {_cell(gains)} |" + " |" * len(DAMPINGS))
        for part, weights in parts.items():
            if len(weights):
                found = [sums.gains(number, weights, damping, sharper, judge) for damping in (0.0, *DAMPINGS)]
                print(f"| {name} | {part}, {len(weights)} | " + " | ".join(_cell(gains) for gains in found) + " |")

    judges = sorted({judge for _, judge in columns})
    print(f"\nDirections of damping {CROSSED:g}, over all weights, judged by each reward\n")
    print("| direction of | " + " | ".join(REWARDS) + " |")
    print("|---|" + "---:|" * len(REWARDS))
    for number, (name, _) in enumerate(columns):
        found = [sums.gains(number, every, CROSSED, sharper, judge) for judge in judges]
        print(f"| {name} | " + " | ".join(_cell(gains) for gains in found) + " |")


def _cell(gains: np.ndarray) -> str:
    return "{:.3f} ± {:.3f}".format(*mean_interval(gains))


def write_players(
    out: Path,
    model: str,
    sums: Sums,
    learner: Reinforcement,
    natural: NaturalGradient,
    sharper: np.ndarray,
    lambdas: list[float],
) -> None:
    """The start, moved by steps of several lengths along the direction of all games, for each reward and lambda."""
    every = np.arange(len(sums.fisher))
    start = {name: value.clone() for name, value in learner.modules[model].state_dict().items()}
    for number, (name, _) in enumerate(columns_of(lambdas)):
        reward = name.replace(", lambda ", "-")
        step = torch.from_numpy(sums.along(sums.gradient[:, :, number].sum(0), every, CROSSED, sharper)).float()
        for length in LENGTHS:
            learner.modules[model].load_state_dict(start)
            natural.take(model, length * step)
            learner.save(out / f"{reward}-{length:g}", {})
            print(f"written: {out / f'{reward}-{length:g}'}")
    learner.modules[model].load_state_dict(start)


if __name__ == "__main__":
    main()
