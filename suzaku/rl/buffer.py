"""The replay buffer of trajectories, and trajectories as decisions to learn from.

- The replay buffer: the trajectories of the last iterations, as stored games in memory and on disk.
- Trajectories as decisions to learn from: stored games replayed, each decision with its sequence and its round.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from suzaku.records.decisions import replay_decisions, types_mask
from suzaku.records.store import to_game, write_part
from suzaku.records.stored import Stored
from suzaku.table.game import game_named
from suzaku.table.tables import join, take

# A game is some 3 KB; what is learnt from it is replayed and encoded on the way to the learner. Each iteration's games
# are a file, so that a run that was killed goes on with the buffer it had. A file stays until no saved state needs it.


class ReplayBuffer:
    """The games of the last `reuse` iterations."""

    def __init__(self, folder: Path, reuse: int) -> None:
        self.folder, self.reuse = folder, reuse
        self._parts: deque[tuple[int, list[Stored]]] = deque(maxlen=reuse)

    def _path(self, iteration: int) -> Path:
        return self.folder / f"iteration-{iteration:07d}.parquet"

    def add(self, iteration: int, games: list[Stored]) -> None:
        """Take an iteration's games in; those of the oldest leave the memory."""
        self._parts.append((iteration, games))
        if self.reuse > 1:  # with 1, an iteration that was cut off plays its games again
            self.folder.mkdir(parents=True, exist_ok=True)
            write_part(self._path(iteration), games, {})

    def saved(self, iterations: int) -> None:
        """Delete what a state after so many iterations does not need: no older one will be gone on from."""
        first = self._path(max(0, iterations - self.reuse + 1))
        for path in self.folder.glob("iteration-*.parquet"):
            if path < first:
                path.unlink(missing_ok=True)

    def restore(self, iterations: int) -> None:
        """Go on after so many iterations, with the games that the next one draws from beside its own."""
        self._parts.clear()
        for iteration in range(max(0, iterations - self.reuse + 1), iterations):
            path = self._path(iteration)
            try:
                rows = pq.read_table(path).to_pylist()
            except (OSError, pa.ArrowException) as problem:
                reason = f"cannot be read ({problem})" if path.exists() else "is missing"
                raise ValueError(
                    f"{path} {reason}, and the run would learn from its games: begin another from the player it has, "
                    f"with --start {self.folder.parent / 'last'}"
                ) from None
            self._parts.append((iteration, [to_game(row) for row in rows]))

    def __len__(self) -> int:
        return sum(len(games) for _, games in self._parts)

    def draw(self, iteration: int, seed: int, oldest: int) -> tuple[list[Stored], int]:
        """The games to learn from: of each iteration in the buffer its share, at random but always the same.

        Over the iterations that it stays, every game is learnt from once. Games whose weights are older than the
        version `oldest` are left out, and counted.
        """
        games = []
        for number, part in self._parts:
            order = np.random.default_rng((seed, number)).permutation(len(part))
            mine = order[(iteration - number) % self.reuse :: self.reuse]
            games += [part[i] for i in sorted(mine)]
        fresh = [game for game in games if game.versions is None or min(game.versions) >= oldest]
        return fresh, len(games) - len(fresh)


@dataclass
class Trajectories:
    """All decisions of some games, game by game in the order in which they were made."""

    records: np.ndarray  # the table at each
    legal: np.ndarray  # bool[n, actions]
    action: np.ndarray  # int64[n]
    log_prob: np.ndarray  # float32[n]: of the action under the policy that chose it
    game: np.ndarray  # int64[n]: which of the games
    round: np.ndarray  # int64[n]: which round of the game, from 0 on
    scores: list[np.ndarray]  # of each game: int64[rounds + 1, 4], at the start of every round and at the end
    at: np.ndarray  # int64[n]: which action of its game

    def __len__(self) -> int:
        return len(self.action)

    @property
    def seat(self) -> np.ndarray:
        """Who decided."""
        return self.records["seat"]

    def part(self, rows: np.ndarray) -> "Trajectories":
        """Some of the decisions."""
        return Trajectories(
            take(self.records, rows), self.legal[rows], self.action[rows], self.log_prob[rows], self.game[rows],
            self.round[rows], self.scores, self.at[rows],
        )  # fmt: skip

    def sequences(self) -> tuple[np.ndarray, np.ndarray]:
        """An order in which the decisions of a seat in a round stand together, and the sequence's number for each."""
        number = (self.game * 64 + self.round) * 4 + self.seat
        order = np.argsort(number, kind="stable")
        return order, number[order]


def replay_games(games: Sequence[Stored]) -> Trajectories:
    """The decisions of finished games of self-play."""
    mask = types_mask(game_named(games[0].game), None)
    return joined([_replayed(stored, mask) for stored in games])


def _replayed(stored: Stored, mask: int) -> Trajectories:
    found = replay_decisions(stored, mask)
    rounds = found.records["deal"].astype(np.int64) - 1
    # the first decision of a round is the dealer's, before anything was paid
    first = np.flatnonzero(np.diff(rounds, prepend=-1))
    scores = np.concatenate([found.records["scores"][first], [stored.scores]]).astype(np.int64)
    action, at = found.action.astype(np.int64), found.at.astype(np.int64)
    game = np.zeros(len(found), np.int64)
    return Trajectories(found.records, found.legal, action, found.log_prob, game, rounds, [scores], at)


def joined(parts: Sequence[Trajectories]) -> Trajectories:
    """The decisions of some games, then those of others."""
    first = np.cumsum([0, *(len(part.scores) for part in parts)])
    columns = ("legal", "action", "log_prob", "round", "at")
    together = {name: np.concatenate([getattr(part, name) for part in parts]) for name in columns}
    return Trajectories(
        records=join([part.records for part in parts]),
        game=np.concatenate([part.game + start for part, start in zip(parts, first[:-1], strict=True)]),
        scores=[scores for part in parts for scores in part.scores],
        **together,
    )
