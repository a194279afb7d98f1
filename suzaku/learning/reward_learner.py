"""Learning to predict what a game will be worth (Suphx, section 3.2).

- The games that the reward predictor learns from: all of a store, replayed once, in memory (400 bytes a game).
- Two naive predictors of what a game will be worth, to measure the network against. Both are fitted to games.
- Learning to predict what a game will be worth (Suphx, section 3.2): what the loop (`loop.py`) learns.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from suzaku.learning.config import RewardConfig
from suzaku.learning.learner import DivergedError, Learner, Learnt, Process, Validation, learning_rate
from suzaku.learning.reward import encode_rounds, pad, rewards_of
from suzaku.networks import checkpoint
from suzaku.networks.modules import Network
from suzaku.networks.spec import model_spec
from suzaku.records.store import Filters, Store
from suzaku.records.stored import round_tables
from suzaku.riichi.rules import LENGTHS


@dataclass
class Played:
    """Finished games of one length."""

    tables: list[np.ndarray]  # of each game, SITUATION[rounds + 1]
    ranks: np.ndarray  # int64[games, 4]: the place of each seat, 0 = first

    def __len__(self) -> int:
        return len(self.tables)

    def at(self, games: np.ndarray, first: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some games as an array: rows [games, longest], how many rows each has, and the places of the seats.

        `first` cuts off so many rows: the games seem to begin there.
        """
        cut = np.zeros(len(games), np.int64) if first is None else first
        tables = [self.tables[game][start:] for game, start in zip(games, cut, strict=True)]
        return pad(tables), np.array([len(table) for table in tables]), self.ranks[games]


def read_played(store: Store | str | Path, length: str, split: str = "") -> Played:
    """The finished games of a store, of one length and split."""
    store = Store(store) if isinstance(store, (str, Path)) else store
    tables: list[np.ndarray] = []
    ranks: list[list[int]] = []
    for stored in store.games(Filters(length=length), split):
        if stored.finished and stored.game == "riichi":
            tables += round_tables([stored])
            ranks.append(stored.ranks)
    return Played(tables, np.array(ranks, np.int64).reshape(-1, 4))


def batches(games: int, batch: int, seed: int, step: int) -> Iterator[tuple[int, np.ndarray]]:
    """From a step on, its number and the games of its batch; each game comes once before any comes twice."""
    each = max(1, games // batch)
    epoch = -1
    while True:
        if step // each != epoch:
            epoch = step // each
            order = np.random.default_rng([seed, epoch]).permutation(games)
        yield step, order[(step % each) * batch : (step % each + 1) * batch]
        step += 1


ROUNDS = 12  # east 1 to west 4; later ones count as the last


class Predictor(Protocol):
    """Something that says what a game is worth to each seat, from how it stands."""

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """float64[rows, 4] of situations [rows]."""


def places_now(scores: np.ndarray) -> np.ndarray:
    """The places of the seats by scores [..., 4]; ties go to the earlier seat, as at the end of a game."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    return np.argsort(order, axis=-1, kind="stable")


def _joined(games: Played, rewards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All situations before a round of some games, and what the games were worth to each seat."""
    rows = np.concatenate([table[:-1] for table in games.tables])
    counts = [len(table) - 1 for table in games.tables]
    return rows, rewards[np.repeat(games.ranks, counts, axis=0)].astype(float)


def _round_of(rows: np.ndarray) -> np.ndarray:
    return np.minimum(rows["round_no"], ROUNDS - 1)


def by_place(games: Played, rewards: np.ndarray) -> Predictor:
    """The mean reward of whoever was in this place before this round."""
    rows, worth = _joined(games, rewards)
    cell = _round_of(rows)[:, None] * 4 + places_now(rows["scores"])
    count = np.bincount(cell.ravel(), minlength=4 * ROUNDS)
    mean = np.bincount(cell.ravel(), worth.ravel(), 4 * ROUNDS) / np.maximum(1, count)

    def predict(rows: np.ndarray) -> np.ndarray:
        return mean[_round_of(rows)[:, None] * 4 + places_now(rows["scores"])]

    return predict


def _numbers(rows: np.ndarray) -> np.ndarray:
    """[rows, 4 seats, 9]: a one, the scores counted from the seat on, and who is dealer."""
    seats = np.arange(4)
    order = (seats[:, None] + seats) % 4
    dealer = (rows["dealer"][:, None, None] - seats[:, None]) % 4 == seats
    ones = np.ones((len(rows), 4, 1))
    return np.concatenate([ones, rows["scores"][:, order] / 10_000, dealer], axis=2)


def linear(games: Played, rewards: np.ndarray) -> Predictor:
    """Linear in the points of all four seats, with a bonus for who is dealer; fitted for each round of its own."""
    rows, worth = _joined(games, rewards)
    weights = np.zeros((ROUNDS, 9))
    for number in range(ROUNDS):
        of = _round_of(rows) == number
        if of.any():
            weights[number] = np.linalg.lstsq(_numbers(rows[of]).reshape(-1, 9), worth[of].ravel(), rcond=None)[0]

    def predict(rows: np.ndarray) -> np.ndarray:
        return np.einsum("rsn,rn->rs", _numbers(rows), weights[_round_of(rows)])

    return predict


# Equation (4): the squared error of Phi(x^1 ... x^j) to the game's reward R, averaged over the prefixes j of a game
# and then over games. The empty prefix counts too, which gives Phi at the start of a game. Each game is seen from all
# seats.

Batch = tuple[np.ndarray, np.ndarray, np.ndarray]  # rows, how many of each game, places


class RewardLearner(Learner):
    """A reward predictor that learns from the games of a store."""

    COMMAND = "reward"

    def __init__(self, config: RewardConfig, store: str | Path, process: Process | None = None) -> None:
        self.config, self.store = config, store
        self.process = process or Process.of_torchrun()
        if self.process.world > 1:
            raise ValueError("the reward predictor is small and learns in one process: leave torchrun out")
        torch.manual_seed(config.seed)
        self.module = Network(model_spec(config.network, config.target).layers).to(self.process.device)
        self.rewards = rewards_of(config.target, config.length)
        self.unit = float(self.rewards.std())
        self.optimiser = torch.optim.AdamW(self.module.parameters(), lr=config.rate, weight_decay=config.decay)
        self._batches: Iterator[tuple[int, np.ndarray]] | None = None

    @property
    def title(self) -> str:
        """The target and the network."""
        return f"reward {self.config.target} {self.config.network}"

    @cached_property
    def train(self) -> Played:
        """The games to learn from."""
        return self._games("train")

    @cached_property
    def validation(self) -> Played:
        """The games to choose the best weights by."""
        return self._games("validation")

    def _games(self, split: str) -> Played:
        games = read_played(self.store, self.config.length, split)
        if not len(games):
            what = (
                f"finished {self.config.length} games of riichi for {'validation' if split != 'train' else 'training'}"
            )
            others = [length for length in LENGTHS if len(read_played(self.store, length, split))]
            hint = f"it has {others[0]} games, so say --set length={others[0]}" if others else "it needs more games"
            raise ValueError(f"{self.store} holds no {what}: {hint}")
        return games

    @cached_property
    def games(self) -> int:
        """The number of games in the store, all splits together."""
        return len(Store(self.store))

    def state(self) -> dict[str, Any]:
        """Weights and optimiser; the batches follow from the step alone."""
        return {
            "games": self.games,
            "module": self.module.state_dict(),
            "optimiser": self.optimiser.state_dict(),
        }

    def restore(self, state: dict[str, Any], folder: Path) -> None:
        """Go on, if the games are still as many."""
        if state["games"] != self.games:
            raise ValueError(
                f"{folder} holds a run on {state['games']:,} games, {self.store} has {self.games:,}; "
                "choose another --out, or the store it was begun with"
            )
        self.module.load_state_dict(state["module"])
        self.optimiser.load_state_dict(state["optimiser"])

    def save(self, path: Path, about: dict[str, Any]) -> None:
        """An ordinary checkpoint, which says for which games it is."""
        checkpoint.save(path, self.module, self.describe() | about)

    def describe(self) -> dict[str, Any]:
        """What a checkpoint says of itself beside steps and results."""
        return {
            "network": self.config.network,
            "model": self.config.target,
            "game": "riichi",
            "length": self.config.length,
            "rewards": self.rewards.tolist(),
            "training": self.settings(),
            "data": {"store": Path(self.store).name, "games": self.games},
        }

    def begin(self, step: int) -> None:
        """Replay the games, all of them: it takes seconds."""
        self._batches = batches(len(self.train), min(self.config.batch, len(self.train)), self.config.seed, step)
        len(self.validation)

    def next_batch(self) -> Batch:
        """Some games; a share of them as if they had begun at a later round, as rounds alone may do in self-play."""
        assert self._batches is not None
        step, games = next(self._batches)
        rng = np.random.default_rng([self.config.seed, step, 1])
        rounds = np.array([len(self.train.tables[game]) - 1 for game in games])
        first = (rng.random(len(games)) * rounds).astype(np.int64)
        first[rng.random(len(games)) >= self.config.later] = 0
        return self.train.at(games, first)

    def learn(self, batch: Batch, step: int) -> Learnt:
        """One step of the optimiser."""
        self.module.train()
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.config, step)
        squared, entropy = self._losses(batch)
        loss = squared + self.config.places * entropy
        if not torch.isfinite(loss):
            raise DivergedError(
                f"the loss is no longer a finite number at step {step + 1:,}: try a lower rate in another --out"
            )
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), self.config.clip)
        self.optimiser.step()
        figures = {"squared_error": float(squared.detach()), "cross_entropy": float(entropy.detach())}
        return Learnt(4 * int(batch[1].sum()), figures)

    def _losses(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Equation (4) in units of the reward's variance, and the cross entropy of the places, averaged likewise."""
        rows, counts, ranks = batch
        device = self.process.device
        seen = torch.from_numpy(encode_rounds(rows)).to(device)  # games, seats, rows, numbers
        each = torch.from_numpy(counts).repeat_interleave(4)
        logits = self.module(seen.flatten(0, 1), each).log_softmax(-1).unflatten(0, seen.shape[:2])
        place = torch.from_numpy(ranks).to(device)[:, :, None].expand(logits.shape[:3])
        worth = torch.from_numpy(self.rewards).to(device) / self.unit
        error = (logits.exp() @ worth - worth[place]) ** 2
        entropy = -logits.gather(-1, place[..., None])[..., 0]
        length = torch.from_numpy(counts).to(device)
        inside = torch.arange(rows.shape[1], device=device) < length[:, None]
        weight = (inside / length[:, None])[:, None] / (4 * len(rows))
        return (weight * error).sum(), (weight * entropy).sum()

    def figures(self, step: int) -> dict[str, float]:
        """The learning rate."""
        return {"learning_rate": learning_rate(self.config, step)}

    def validate(self, step: int) -> Validation:
        """The squared error on the validation games, as they were played."""
        self.module.eval()
        found = []
        with torch.inference_mode():
            for start in range(0, len(self.validation), 512):
                games = np.arange(start, min(start + 512, len(self.validation)))
                found.append([len(games), *map(float, self._losses(self.validation.at(games)))])
        size, squared, entropy = np.array(found).T
        error, cross = float(size @ squared / size.sum()), float(size @ entropy / size.sum())
        curve = {"squared_error": error, "cross_entropy": cross}
        return Validation(-error, curve, {"games": len(self.validation), **curve})

    def say(self, figures: dict[str, float], validated: dict[str, float]) -> str:
        """The figures in a line."""
        text = f"squared error {figures['squared_error']:.4f} of the variance  {figures['rate']:,.0f} samples/s"
        return f"{text}  validation {validated['squared_error']:.4f}" if validated else text
