"""The reward predictor at work: Phi of every seat between the rounds of stored games. Needs no torch.

The reward of round k for reinforcement learning is Phi(x_k) - Phi(x_{k-1}) (Suphx, section 3.2). Here the last row of
a finished game is not predicted: it is what the game was worth, so that the rewards of all rounds sum to that.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from suzaku.features.rounds import SIZE, encode_rounds
from suzaku.learning.reward.targets import TARGETS
from suzaku.networks.bundled import bundled
from suzaku.networks.info import CheckpointError, Info, files, read_info
from suzaku.networks.names import parse
from suzaku.networks.reward_numpy import Weights, place_probabilities
from suzaku.networks.weights import read_weights
from suzaku.records.rounds import round_tables
from suzaku.records.stored import Stored

CHUNK = 128  # games predicted together: as much as stays in a processor's cache


class RewardModel:
    """A trained reward predictor."""

    def __init__(self, weights: Weights, info: Info) -> None:
        self._weights = weights
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
        if parse(info["network"]).family.name != "reward":
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
            places = place_probabilities(self._weights, rows.reshape(-1, *rows.shape[2:])).reshape(*rows.shape[:3], 4)
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


def _is_complete(weights: Weights, info: Info) -> bool:
    (width,) = parse(info["network"]).sizes
    shapes = {"dense.weight": (width, width), "dense.bias": (width,), "head.weight": (4, width), "head.bias": (4,)}
    for layer, inputs in enumerate((SIZE, width)):
        shapes |= {f"gru.weight_ih_l{layer}": (3 * width, inputs), f"gru.weight_hh_l{layer}": (3 * width, width)}
        shapes |= {f"gru.bias_{side}_l{layer}": (3 * width,) for side in ("ih", "hh")}
    good = {name: weights[name].shape for name in weights} == shapes
    return good and len(info.get("rewards", ())) == 4 and isinstance(info.get("length"), str)
