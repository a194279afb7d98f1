"""Global reward prediction (Suphx, section 3.2) at work: Phi of every seat between the rounds of stored games. Needs
no torch.

- What the places of a game are worth: the targets of the reward predictor.
- What it sees: the rows of `suzaku/records/stored.py`, of which the first tells how the game stood before any round.
- The reward predictor at work: Phi of every seat between the rounds of stored games. Needs no torch.
- What the reward predictor says of one game, round by round, for people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from suzaku.features.channels import ROUNDS, size
from suzaku.networks.bundled import bundled
from suzaku.networks.info import CheckpointError, Info, files, read_info, read_weights
from suzaku.networks.layers import tensor_shapes
from suzaku.networks.numpy_network import Step, folded, logits, matrices
from suzaku.networks.spec import network_spec, spec_of
from suzaku.plots import new_figure, save_figure
from suzaku.records.stored import Stored, round_table, round_tables

SIZE = size(ROUNDS)
SEATS = np.arange(4)
GAPS = (2_000, 8_000)  # places turn on a few hundred points late in a game, on thousands early
ORDER = (SEATS[:, None] + SEATS) % 4  # by observer: the seats counted from it on


def encode_rounds(rows: np.ndarray) -> np.ndarray:
    """float32[..., 4, rows, 21] of situations [..., rows]: the rounds as each seat sees them, seats counted from it on.

    Counters are those of the round that comes next. Those the last round was played with, which the paper may mean as
    well, stand in the row before.
    """
    scores = rows["scores"] / np.float32(10_000)
    changes = np.diff(scores, axis=-2, prepend=scores[..., :1, :])
    out = np.zeros((*rows.shape[:-1], 4, rows.shape[-1], SIZE), np.float32)
    for seat in range(4):
        seen = out[..., seat, :, :]
        seen[..., 0:4] = changes[..., ORDER[seat]]
        seen[..., 4:8] = scores[..., ORDER[seat]]
        gaps = rows["scores"][..., seat : seat + 1] - rows["scores"][..., ORDER[seat, 1:]]
        for i, scale in enumerate(GAPS):
            seen[..., 8 + 3 * i : 11 + 3 * i] = np.tanh(gaps / np.float32(scale))
        seen[..., 14:18] = (rows["dealer"][..., None] - seat) % 4 == SEATS
        seen[..., 18] = rows["round_no"] / 8
        seen[..., 19] = rows["honba"] / 10
        seen[..., 20] = rows["sticks"] / 10
    return out


# | target   | 1st | 2nd | 3rd | 4th  | what it is                                                          |
# |----------|-----|-----|-----|------|---------------------------------------------------------------------|
# | `tenhou` | +90 | +45 | 0   | -135 | Tenhou's ranking points, 7 dan in the phoenix room, hanchan         |
# | `expert` | +75 | +30 | 0   | -135 | the same in the expert room, which stable rank is counted in        |
# | `uma`    | +20 | +10 | -10 | -20  | the bonus of the places alone, in thousands; points do not count    |
#
# Table 6 of the paper prints the gains of east-only games (+60, +30; +50, +20) beside the losses of hanchan; those of
# a hanchan are half as much again. In an east-only game all of Tenhou's points are two thirds of these. The points of
# the phoenix room sum to zero for four players of 7 dan, so a game begins at zero for everybody.

TARGETS = {"tenhou": (90, 45, 0, -135), "expert": (75, 30, 0, -135), "uma": (20, 10, -10, -20)}


def rewards_of(target: str, length: str) -> np.ndarray:
    """float32[4]: what the first to the fourth place of a game of this length are worth."""
    if target not in TARGETS:
        raise ValueError(f"target must be one of {', '.join(TARGETS)}, not {target!r}")
    east_only = length == "east" and target != "uma"
    return np.array(TARGETS[target], np.float32) * np.float32(2 / 3 if east_only else 1)


# The reward of round k for reinforcement learning is Phi(x_k) - Phi(x_{k-1}) (Suphx, section 3.2). Here the last row
# of a finished game is not predicted: it is what the game was worth, so that the rewards of all rounds sum to that.

CHUNK = 128  # games predicted together: as much as stays in a processor's cache


class RewardModel:
    """A trained reward predictor."""

    def __init__(self, weights: Mapping[str, np.ndarray], info: Info) -> None:
        self._steps = matrices(folded(spec_of(info).layers, weights))
        self.info = info
        self.target: str = info["model"]
        self.length: str = info["length"]  # of the games it was trained on
        self.rewards = np.array(info["rewards"], np.float32)  # what the first to the fourth place are worth
        self.unit = float(self.rewards.std())  # the standard deviation of what a game is worth among equal players

    @classmethod
    def load(cls, path: str | Path, game: str = "riichi", length: str | None = None) -> "RewardModel":
        """A bundled one (tenhou, expert, uma), a checkpoint, or the best one of a run's folder.

        CheckpointError says why it cannot be used.

        `length` is that of the games to come ("hanchan", "east"), for those who would rather know now.
        """
        path = _find(Path(path))
        info = read_info(path)
        text = files(path)[1]
        if network_spec(info["network"]).family.name != "reward":
            raise CheckpointError(
                f"{text} is {info['network']} {info['model']}, not a reward predictor: "
                "name one that `suzaku train reward` made"
            )
        if info.get("game") != game:
            raise CheckpointError(f"{text} predicts games of {info.get('game')}, not of {game}: train one on those")
        if length not in (None, info.get("length")):
            raise CheckpointError(f"{text} predicts {info.get('length')} games, not {length}: train one on those")
        weights, info = read_weights(path)
        if not _is_complete(weights, info):
            raise CheckpointError(f"{files(path)[0]} lacks a part of the network {info['network']}: it is damaged")
        return cls(weights, info)

    def of_games(self, games: Sequence[Stored]) -> list[np.ndarray]:
        """float32[rounds + 1, 4] of each game: Phi of every seat before the first round and after each that was played.

        The last row of a finished game is its true reward.
        """
        return [places @ self.rewards for places in self.places_of_games(games)]

    def places_of_games(self, games: Sequence[Stored]) -> list[np.ndarray]:
        """float32[rounds + 1, 4 seats, 4 places] of each game: the probability of each place, likewise."""
        for stored in games:
            self._check(stored)
        found = self.places(round_tables(games))
        for stored, places in zip(games, found, strict=True):
            if stored.finished:
                places[-1] = np.eye(4, dtype=np.float32)[stored.ranks]
        return found

    def places(self, tables: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The same of rows as `round_tables` gives them, all of them predicted."""
        found: list[np.ndarray] = [np.empty(0)] * len(tables)
        order = sorted(range(len(tables)), key=lambda i: len(tables[i]))  # games of about one length need no padding
        for start in range(0, len(tables), CHUNK):
            part = order[start : start + CHUNK]
            rows = encode_rounds(pad([tables[i] for i in part]))
            places = place_probabilities(self._steps, rows.reshape(-1, *rows.shape[2:])).reshape(*rows.shape[:3], 4)
            for i, one in zip(part, places, strict=True):
                found[i] = one[:, : len(tables[i])].swapaxes(0, 1).copy()
        return found

    def _check(self, stored: Stored) -> None:
        if stored.game != self.info["game"]:
            raise ValueError(
                f"game {stored.id} is of {stored.game}; this reward predictor knows games of {self.info['game']}"
            )
        if stored.rules.length != self.length:
            raise ValueError(
                f"game {stored.id} is {stored.rules.length}; this reward predictor was trained on {self.length} games"
            )


def place_probabilities(steps: list[Step], rows: np.ndarray) -> np.ndarray:
    """float32[n, rounds, 4]: the probability of each place after each row of float32[n, rounds, channels]."""
    found = logits(steps, rows)
    likely = np.exp(found - found.max(-1, keepdims=True))
    return likely / likely.sum(-1, keepdims=True)


def pad(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Rows of some games in one array, [games, rows of the longest]; beyond a game's end its last row is repeated."""
    longest = max(map(len, tables))
    out = np.empty((len(tables), longest), tables[0].dtype)
    for i, table in enumerate(tables):
        out[i, : len(table)] = table
        out[i, len(table) :] = table[-1]
    return out


def bundled_reward(target: str = "tenhou") -> RewardModel:
    """The reward predictor that comes with the package, for hanchan."""
    return RewardModel.load(target)


def _find(path: Path) -> Path:
    """The checkpoint of this name, that of a folder, or the bundled one."""
    if not path.is_dir():
        if path.with_name(f"{path.name}.json").exists() or path.suffix or len(path.parts) > 1:
            return path
        known = sorted(one.stem for one in bundled("reward").glob("*.json"))
        if str(path) in known:
            return bundled("reward") / path
        raise CheckpointError(
            f"{path} is neither a checkpoint nor a bundled reward predictor: there are {', '.join(known)}"
        )
    if (path / "best.json").exists():
        return path / "best"
    found = [path / target for target in TARGETS if (path / f"{target}.json").exists()]
    if len(found) == 1:
        return found[0]
    if found:
        raise CheckpointError(f"{path} holds several reward predictors: name one of {', '.join(map(str, found))}")
    raise CheckpointError(f"{path} holds no reward predictor: there is no best.json in it")


def _is_complete(weights: Mapping[str, np.ndarray], info: Info) -> bool:
    good = {name: weights[name].shape for name in weights} == tensor_shapes(spec_of(info).layers)
    return good and len(info.get("rewards", ())) == 4 and isinstance(info.get("length"), str)


WINDS = ("east", "south", "west", "north")


@dataclass
class Forecast:
    """One game: row j is what was said after j rounds."""

    rows: np.ndarray  # SITUATION[rounds + 1]
    reward: np.ndarray  # float32[rounds + 1, 4]
    place: np.ndarray  # float32[rounds + 1, 4]: the expected place, 1 to 4
    finished: bool  # the last row is what came, not what was expected

    @property
    def labels(self) -> list[str]:
        """What each row stands before: a round, or the end."""
        names = [round_name(row) for row in self.rows]
        return [*names[:-1], "end"] if self.finished else names


def round_name(row: np.void) -> str:
    """Such as "south 4-2", the last being the repeat counter."""
    name = f"{WINDS[row['round_no'] // 4 % 4]} {row['round_no'] % 4 + 1}"
    return f"{name}-{row['honba']}" if row["honba"] else name


def forecast(model: RewardModel, stored: Stored) -> Forecast:
    """What a model says of a game; ValueError if it is of another kind than those it learnt from."""
    (places,) = model.places_of_games([stored])
    return Forecast(round_table(stored), places @ model.rewards, places @ np.arange(1, 5), stored.finished)


def draw(found: Forecast, names: list[str], target: str, path: Path) -> None:
    """A picture: the expected reward of the four seats over the rounds."""
    figure = new_figure(max(6.0, 0.6 * len(found.rows)), 4)
    axes = figure.subplots()
    for seat, name in enumerate(names):
        axes.plot(found.reward[:, seat], marker="o", markersize=4, label=name)
    axes.axhline(0, color="grey", linewidth=1)
    axes.set_xticks(range(len(found.rows)), found.labels, rotation=45, ha="right")
    axes.set(ylabel=f"expected reward ({target})", title="before each round")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    save_figure(figure, path)
