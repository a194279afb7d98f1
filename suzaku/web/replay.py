"""Recorded games step by step: stored ones and files that were dropped on the page."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable
from functools import cache
from typing import Any

from suzaku.learning.reward import RewardModel, bundled_reward, forecast
from suzaku.records.formats import is_mcr, read_games
from suzaku.records.stored import Stored, to_stored
from suzaku.records.types import RecordError
from suzaku.records.verify import replay_game
from suzaku.review.opinion import rounds_of
from suzaku.table.game import Game, game_named

Data = dict[str, Any]

KEPT = 16  # opened games in memory
MOST_GAMES = KEPT  # of one file
MOST_STEPS = 20_000  # of one file: what comes after the game in which they are reached is left; 1.7 KB each


class Replay:
    """A game that was opened."""

    def __init__(self, stored: Stored, names: list[str], note: str = "") -> None:
        self.stored = stored
        self.names = names
        self.note = note  # where the record could not be followed, and why
        self.rounds = rounds_of(stored)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return game_named(self.stored.game)

    def summary(self, id: str) -> Data:
        """What the page shows before the first step."""
        rounds = []
        for one in self.rounds:
            first = one.records[0]
            number, repeated = self.game.drawings.round_number(first)
            rounds.append(
                {
                    "round": number,
                    "honba": repeated,
                    "scores": first.scores.tolist(),
                    "steps": len(one.actions),
                }
            )
        return {
            "id": id,
            "game": self.game.name,
            "names": self.names,
            "rounds": rounds,
            "note": self.note,
            "finished": self.stored.finished,
            "walls_known": self.stored.walls_known,
        }

    def forecast(self) -> Data | None:
        """Each seat's expectation before every round, none where no bundled predictor knows such games."""
        model = _reward_model()
        if self.stored.game != "riichi" or self.stored.rules.length != model.length:
            return None
        found = forecast(model, self.stored)
        return {
            "target": model.target,
            "rewards": model.rewards.tolist(),
            "reward": [[round(float(one), 2) for one in row] for row in found.reward],
            "place": [[round(float(one), 3) for one in row] for row in found.place],
        }

    def frames(self, number: int) -> list[Data]:
        """The steps of a round: the table, who is asked, and what was played."""
        one = self.rounds[number]
        frames = []
        for i, record in enumerate(one.records):
            frame: Data = {"view": self.game.drawings.view(record, None)}
            if i < len(one.actions):
                action = int(one.actions[i])
                frame["seat"] = int(record.seat)
                frame["action"] = action
                frame["name"] = self.game.action_names[action]
                frame["quiet"] = action == self.game.passing
                frame["away"] = bool(one.away[i])
                frame["choices"] = int(one.legal[i].sum())
            if i > 0:
                frame["event"] = self.game.drawings.event_of(one.records[i - 1], int(one.actions[i - 1]), record)
            frames.append(frame)
        return frames


@cache
def _reward_model() -> RewardModel:
    return bundled_reward()


class Replays:
    """The games opened last. Used in the event loop alone."""

    def __init__(self) -> None:
        self._opened: OrderedDict[str, Replay] = OrderedDict()

    def get(self, id: str) -> Replay | None:
        """An opened game."""
        if id in self._opened:
            self._opened.move_to_end(id)
        return self._opened.get(id)

    def forget(self, id: str) -> None:
        """Keep a game open no longer."""
        self._opened.pop(id, None)

    def keep(self, id: str, replay: Replay) -> Replay:
        """Keep a game open. The one not used for longest goes."""
        self._opened[id] = replay
        while len(self._opened) > KEPT:
            self._opened.popitem(last=False)
        return replay


def read_replays(text: bytes, name: str) -> list[tuple[str, Replay]]:
    """The games of a record file with ids for them. ValueError says what is wrong with it."""
    if is_mcr(text):
        return _read_mcr(text, name)
    found, steps = [], 0
    for i, game in enumerate(read_games(text, name, MOST_GAMES)):
        followed = replay_game(game)
        note = ""
        if followed.divergence is not None:
            place = followed.divergence
            note = f"round {place.round + 1}: {place.text}"
            if not followed.actions:
                raise RecordError(note)
            game.rounds = game.rounds[: len(followed.actions)]
        stored = to_stored(game, followed)
        found.append((_id(text, i), Replay(stored, _names(player.name for player in game.players), note)))
        steps += len(stored.actions)
        if steps > MOST_STEPS:
            break
    return found


def _read_mcr(text: bytes, name: str) -> list[tuple[str, Replay]]:
    from suzaku.records.botzone import read_matches
    from suzaku.records.botzone_replay import replay_recorded  # Riichi needs none of its kernels

    found = []
    for i, match in enumerate(read_matches(text, name, MOST_GAMES)):
        replayed = replay_recorded(match)
        if replayed.stored is None:
            raise RecordError(replayed.divergence.splitlines()[0])
        found.append((_id(text, i), Replay(replayed.stored, _names(match.players))))
    return found


def _id(text: bytes, number: int) -> str:
    """The id of one of the games of a file."""
    return "file-" + hashlib.blake2b(text, digest_size=9).hexdigest() + (f"-{number}" if number else "")


def _names(players: Iterable[str]) -> list[str]:
    return [name or f"player {seat + 1}" for seat, name in enumerate(players)]
