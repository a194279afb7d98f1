"""Arrays for some decisions of replayed games."""

from dataclasses import dataclass

import numpy as np

from suzaku.game import Game
from suzaku.kernel import kernel


@dataclass
class Batch:
    """Some decisions."""

    records: np.ndarray  # the game's record [n]: the table as it was, everything included
    seat: np.ndarray  # int8[n]: who decided
    legal: np.ndarray  # bool[n, actions]
    action: np.ndarray  # uint8[n]: what was done
    types: np.ndarray  # uint8[n]: bits of the game's types of decisions
    walls_known: np.ndarray  # bool[n]: False where the wall holds tiles that were filled in
    log_prob: np.ndarray  # float32[n]: of the action under the policy that chose it (self-play); NaN where not known
    version: np.ndarray  # int32[n]: of that policy's weights; -1 where not known

    def __len__(self) -> int:
        return len(self.action)


class Columns:
    """Arrays with room for n decisions."""

    def __init__(self, game: Game, n: int) -> None:
        self.game = game
        self._allocate(n)

    def reserve(self, n: int) -> None:
        """Make room for n decisions, if there is less; what was there is lost then."""
        if n > len(self):
            self._allocate(n)

    def _allocate(self, n: int) -> None:
        game = self.game
        self.records = np.empty(n, game.record)
        self.legal = np.empty((n, game.actions), np.bool_)
        self.action = np.empty(n, np.uint8)
        self.types = np.empty(n, np.uint8)
        self.known = np.empty(n, np.bool_)
        self.log_prob = np.empty(n, np.float32)
        self.version = np.empty(n, np.int32)
        self.at = np.empty(n, np.int32)  # which action of its game it is; not copied

    def __len__(self) -> int:
        return len(self.action)

    def all(self) -> tuple[np.ndarray, ...]:
        """The columns in the order of the kernels."""
        return self.records, self.legal, self.action, self.types, self.known, self.log_prob, self.version

    def put(self, places: np.ndarray, other: "Columns", rows: np.ndarray) -> None:
        """Copy rows of other columns to places of these."""
        _copy_rows(places, self.all(), rows, other.all())

    def take(self, places: np.ndarray) -> Batch:
        """The decisions at these places, as a batch."""
        out = Columns(self.game, len(places))
        out.put(np.arange(len(places)), self, places)
        records, *rest = out.all()
        return Batch(records, records["seat"].copy(), *rest)


@kernel
def _copy_rows(to, columns, source, old):
    """Copy the rows `source` of some columns to the rows `to` of others."""
    records, legal, taken, types, known, log_prob, version = columns
    old_records, old_legal, old_taken, old_types, old_known, old_log_prob, old_version = old
    for i in range(to.shape[0]):
        a = to[i]
        b = source[i]
        records[a] = old_records[b]
        for j in range(legal.shape[1]):
            legal[a, j] = old_legal[b, j]
        taken[a] = old_taken[b]
        types[a] = old_types[b]
        known[a] = old_known[b]
        log_prob[a] = old_log_prob[b]
        version[a] = old_version[b]
