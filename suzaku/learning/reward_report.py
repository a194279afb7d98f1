"""How well rewards are predicted, and the report that says it.

- How well rewards are predicted: squared errors and calibration with intervals, resampling whole games.
- The report of a run of `suzaku train reward`: Markdown and a picture beside the checkpoint.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from suzaku.learning.learner import totals
from suzaku.learning.reward import RewardModel
from suzaku.learning.reward_learner import Played, by_place, linear, read_played
from suzaku.plots import have_matplotlib, new_figure, save_figure

if TYPE_CHECKING:
    from suzaku.learning.loop import Run


# What is judged is what is said before a round: after the last one everybody can see what the game was worth.

BINS = 10
TIMES = 2000  # resamplings


def _half(values: np.ndarray) -> np.ndarray:
    """Half the width of the 95 % interval of resampled figures."""
    low, high = np.percentile(values, [2.5, 97.5], axis=0)
    return (high - low) / 2


def _draws(games: int, seed: int = 0) -> np.ndarray:
    """[TIMES, games]: how often each game is drawn."""
    return np.random.default_rng(seed).multinomial(games, np.full(games, 1 / games), TIMES).astype(float)


def evaluate(predicted: Mapping[str, list[np.ndarray]], games: Played, rewards: np.ndarray) -> dict[str, Any]:
    """Figures of predictors by name, the one in question first: [rounds + 1, 4] of each game.

    The last row is left out. The error of a game is averaged over its rounds, as in equation (4), and its seats.
    """
    worth = rewards[games.ranks].astype(float)
    draws = _draws(len(games))
    errors = {
        name: np.array([((phi[:-1] - true) ** 2).mean() for phi, true in zip(found, worth, strict=True)])
        for name, found in predicted.items()
    }
    first, *others = errors
    out: dict[str, Any] = {
        "games": len(games),
        "situations": 4 * sum(len(table) - 1 for table in games.tables),
        "variance": float(rewards.var()),
        "squared_errors": {
            name: (float(error.mean()), float(_half(draws @ error / len(games)))) for name, error in errors.items()
        },
        "gains": {  # paired: by how much the first one's error is smaller
            name: (
                float((errors[name] - errors[first]).mean()),
                float(_half(draws @ (errors[name] - errors[first]) / len(games))),
            )
            for name in others
        },
    }
    phi = [found[:-1] for found in predicted[first]]
    out["calibration"] = _calibration(phi, worth, draws)
    out["by_round"] = _by_round(predicted, games, worth, draws)
    ended = np.array([((found[-1] - true) ** 2).mean() for found, true in zip(predicted[first], worth, strict=True)])
    out["after_the_last_round"] = (float(ended.mean()), float(_half(draws @ ended / len(games))))
    start = np.array([found[0] for found in predicted[first]])
    out["start"] = start.mean(0).tolist()
    out["sum_of_seats"] = float(np.abs(np.concatenate(phi).sum(1) - rewards.sum()).mean())
    return out


def _calibration(phi: list[np.ndarray], worth: np.ndarray, draws: np.ndarray) -> list[tuple[float, float, float, int]]:
    """In bins of equal size: mean prediction, mean reward, half the interval of their difference, situations."""
    flat = np.concatenate(phi).ravel()
    edges = np.quantile(flat, np.linspace(0, 1, BINS + 1)[1:-1])
    sums = np.zeros((len(phi), 3, BINS))
    for i, (said, true) in enumerate(zip(phi, worth, strict=True)):
        cell = np.searchsorted(edges, said.ravel())
        for j, value in enumerate((said, np.broadcast_to(true, said.shape), np.ones(said.shape))):
            sums[i, j] = np.bincount(cell, value.ravel(), BINS)
    drawn = np.einsum("tg,gjb->tjb", draws, sums)
    half = _half((drawn[:, 1] - drawn[:, 0]) / np.maximum(1, drawn[:, 2]))
    rows = zip(*sums.sum(0), half, strict=True)
    return [(float(said / n), float(true / n), float(wide), int(n)) for said, true, n, wide in rows if n]


def _by_round(
    predicted: Mapping[str, list[np.ndarray]], games: Played, worth: np.ndarray, draws: np.ndarray
) -> dict[str, dict[str, tuple[float, float]]]:
    """The squared errors before each round, the later ones together."""
    out: dict[str, dict[str, tuple[float, float]]] = {}
    for number in range(9):
        of = [np.minimum(table["round_no"][:-1], 8) == number for table in games.tables]
        count = np.array([rows.sum() for rows in of], float)
        if not count.any():
            continue
        row = out[str(number)] = {}
        for name, found in predicted.items():
            parts = zip(found, of, worth, strict=True)
            error = np.array([((phi[:-1][rows] - true) ** 2).mean(1).sum() for phi, rows, true in parts])
            row[name] = (
                float(error.sum() / count.sum()),
                float(_half(draws @ error / np.maximum(1, draws @ count))),
            )
    return out


NETWORK, PLACE, LINEAR = "network", "mean by place and round", "linear in points"


def figures_of(model: RewardModel, train: Played, games: Played) -> dict[str, Any]:
    """What a model reaches on some games, beside the naive predictors fitted to the games it learnt from."""
    naive = {PLACE: by_place(train, model.rewards), LINEAR: linear(train, model.rewards)}
    predicted = {NETWORK: [places @ model.rewards for places in model.places(games.tables)]}
    predicted |= {name: [predict(table) for table in games.tables] for name, predict in naive.items()}
    return evaluate(predicted, games, model.rewards)


def _round_name(number: str) -> str:
    return f"{('east', 'south')[int(number) // 4]} {int(number) % 4 + 1}" if int(number) < 8 else "later"


def markdown(model: RewardModel, split: str, results: dict[str, Any]) -> list[str]:
    """The figures as the lines of a page."""
    variance = results["variance"]
    digits = 0 if variance > 1000 else 1

    def told(figure: tuple[float, float]) -> str:
        return f"{figure[0]:,.{digits}f} ± {figure[1]:,.{digits}f}"

    lines = [
        f"On {results['games']:,} {split} games, {results['situations']:,} situations before a round (each seat is "
        f"one); 95 % intervals by resampling games. The reward's variance among equal players is {variance:,.0f}.",
        "",
        "| predictor | mean squared error | of the variance | network better by |",
        "|---|---:|---:|---:|",
    ]
    for name, error in results["squared_errors"].items():
        gain = told(results["gains"][name]) if name in results["gains"] else ""
        lines.append(f"| {name} | {told(error)} | {error[0] / variance:.1%} | {gain} |")
    names = list(results["squared_errors"])
    start = ", ".join(format(value, "+.1f") for value in results["start"])
    lines += [
        "",
        "After the last round, where the scores tell the places, the network's is "
        f"{told(results['after_the_last_round'])}. At the start of a game it says {start} for the four seats; the "
        f"predictions of the four miss the sum of the rewards by {results['sum_of_seats']:.1f} on average.",
        "",
        f"| before | {' | '.join(names)} |",
        "|---|" + "---:|" * len(names),
    ]
    for number, row in results["by_round"].items():
        lines.append(f"| {_round_name(number)} | {' | '.join(told(row[name]) for name in names)} |")
    lines += ["", "| predicted | came | difference | situations |", "|---:|---:|---:|---:|"]
    for said, true, half, count in results["calibration"]:
        lines.append(f"| {said:+.1f} | {true:+.1f} | {true - said:+.1f} ± {half:.1f} | {count:,} |")
    return [*lines, ""]


def _plot(curve: list[dict[str, float]], results: dict[str, Any], path: Path) -> bool:
    """Draw the curve and the calibration; whether matplotlib is there."""
    if not have_matplotlib():
        return False
    figure = new_figure(10, 4)
    left, right = figure.subplots(1, 2)
    left.plot([row["step"] for row in curve], [row["squared_error"] for row in curve], marker="o", markersize=3)
    left.set(xlabel="step", ylabel="squared error / variance", title="learning (validation)")
    left.grid(alpha=0.3)
    said, true, half, _ = (np.array(column) for column in zip(*results["calibration"], strict=True))
    right.plot([said[0], said[-1]], [said[0], said[-1]], color="grey", linewidth=1)
    right.errorbar(said, true, half, marker="o", markersize=4, capsize=2)
    right.set(xlabel="predicted reward", ylabel="reward that came", title="calibration")
    right.grid(alpha=0.3)
    save_figure(figure, path, dpi=90)
    return True


def write_report(run: "Run", test: Path | None) -> tuple[Path, dict[str, Any]]:
    """Evaluate the best model of a run; report.md beside it, and the figures.

    They are those of the validation games, or of the games of a test store that the model was not made with.
    """
    from suzaku.learning.loop import BEST
    from suzaku.learning.reward_learner import RewardLearner
    from suzaku.networks import checkpoint
    from suzaku.records.store import Unseen

    learner = run.learner
    assert isinstance(learner, RewardLearner)
    unseen = Unseen(test, learner.store) if test else None
    games = learner.validation if unseen is None else read_played(unseen, learner.config.length)
    if not len(games):
        raise ValueError(f"{test} holds no finished {learner.config.length} games of riichi to test on")
    split = "validation" if unseen is None else "test"
    model = RewardModel.load(run.folder / BEST)
    results = figures_of(model, learner.train, games)
    module, info = checkpoint.load(run.folder / BEST)
    info["results"][split] = results
    checkpoint.save(run.folder / BEST, module, info)
    lines = [f"# reward {model.target}, {learner.config.network}", ""]
    lines += [f"Places are worth {', '.join(format(worth, '+g') for worth in model.rewards)}.", ""]
    lines += [unseen.said(), ""] if unseen is not None and unseen.said() else []
    lines += markdown(model, split, results)
    lines += [f"Trained: {totals(run.pieces)}.", ""] if run.pieces else []
    settings = "\n".join(f"{key} = {json.dumps(value)}" for key, value in learner.settings().items())
    page = "\n".join([*lines, "Settings:", "", "```toml", settings, "```", ""])
    if _plot(run.curve, results, run.folder / "report.png"):
        page += "\n![Learning and calibration](report.png)\n"
    path = run.folder / "report.md"
    path.write_text(page, encoding="utf-8")
    return path, results
