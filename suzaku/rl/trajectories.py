"""Trajectories as decisions to learn from: stored games replayed, each decision with its sequence and its round."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suzaku.game import game_named
from suzaku.record_copy import join, take
from suzaku.records.columns import Columns
from suzaku.records.decisions import replay_decisions, types_mask
from suzaku.records.stored import Stored

ROOM = 4096  # decisions of a game for which there is room at first


@dataclass
class Decisions:
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

    def part(self, rows: np.ndarray) -> "Decisions":
        """Some of the decisions."""
        return Decisions(
            take(self.records, rows), self.legal[rows], self.action[rows], self.log_prob[rows], self.game[rows],
            self.round[rows], self.scores, self.at[rows],
        )  # fmt: skip

    def sequences(self) -> tuple[np.ndarray, np.ndarray]:
        """An order in which the decisions of a seat in a round stand together, and the sequence's number for each."""
        number = (self.game * 64 + self.round) * 4 + self.seat
        order = np.argsort(number, kind="stable")
        return order, number[order]


def replay_games(games: Sequence[Stored]) -> Decisions:
    """The decisions of finished games of self-play."""
    game = game_named(games[0].game)
    mask = types_mask(game, None)
    columns = Columns(game, ROOM)
    found: list[tuple[np.ndarray, ...]] = []
    scores = []
    for number, stored in enumerate(games):
        if len(stored.actions) > len(columns):
            columns = Columns(game, len(stored.actions))
        n = replay_decisions(stored, mask, columns)
        records = columns.records[:n].copy()
        rounds = records["deal"].astype(np.int64) - 1
        # the first decision of a round is the dealer's, before anything was paid
        first = np.flatnonzero(np.diff(rounds, prepend=-1))
        scores.append(np.concatenate([records["scores"][first], [stored.scores]]).astype(np.int64))
        legal, action = columns.legal[:n].copy(), columns.action[:n].astype(np.int64)
        at = columns.at[:n].astype(np.int64)
        found.append((records, legal, action, columns.log_prob[:n].copy(), np.full(n, number), rounds, at))
    tables, *columns_of = zip(*found, strict=True)
    joined: list[np.ndarray] = [np.concatenate(column) for column in columns_of]
    return Decisions(join(list(tables)), joined[0], joined[1], joined[2], joined[3], joined[4], scores, joined[5])


def joined(parts: Sequence[Decisions]) -> Decisions:
    """The decisions of some games, then those of others."""
    first = np.cumsum([0, *(len(part.scores) for part in parts)])
    columns = ("legal", "action", "log_prob", "round", "at")
    together = {name: np.concatenate([getattr(part, name) for part in parts]) for name in columns}
    return Decisions(
        records=join([part.records for part in parts]),
        game=np.concatenate([part.game + start for part, start in zip(parts, first[:-1], strict=True)]),
        scores=[scores for part in parts for scores in part.scores],
        **together,
    )
