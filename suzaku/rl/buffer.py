"""The replay buffer: the trajectories of the last iterations, as stored games in memory and on disk.

A game is some 3 KB; what is learnt from it is replayed and encoded on the way to the learner. Each iteration's games
are a file, so that a run that was killed goes on with the buffer it had. A file stays until no saved state needs it.
"""

from collections import deque
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from suzaku.records.store import to_game, write_part
from suzaku.records.stored import Stored


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
