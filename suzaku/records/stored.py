"""A game as it is stored: its walls and its actions; replayed to any point.

- A game as it is stored: its walls and its actions, and what is known of who played.
- Replaying a stored game: the table at its start, and after any number of its actions.
- How stored games stood between their rounds.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suzaku.hand.tables import tables
from suzaku.records.types import Game, RecordError, content_of
from suzaku.records.verify import Replayed
from suzaku.riichi.game import GAME, SITUATION, situations
from suzaku.riichi.state import WALL
from suzaku.table.game import game_named
from suzaku.table.kernels import AWAY

SPLITS = ("train", "validation", "test")
HASHED = re.compile(r"[0-9a-f]{16}")  # a name as we store it
HELD_OUT = 5  # per cent of the games for validation, and as many for the test


def lot_of(name: str) -> int:
    """The lot of the game with this id."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")


def split_of(name: str) -> str:
    """Which part of the data the game with this id belongs to."""
    place = lot_of(name) % 100
    return SPLITS[1] if place < HELD_OUT else SPLITS[2] if place < 2 * HELD_OUT else SPLITS[0]


@dataclass(slots=True)
class Stored:
    """One row of a store.

    With `log_prob` it is a trajectory of self-play: the logarithm of the probability with which each action was chosen;
    0 where there was no choice, NaN where the player told none. Weights that were replaced during the game are newer
    than `versions` says.
    """

    id: str
    source: str
    format: str
    lobby: str
    time: str  # YYYYMMDDHH in Japan as far as known
    rules: Any  # of the game's rules class
    players: list[str]  # hashed names
    dan: list[int]
    rate: list[float]
    start: list[int] | None  # where the game stood if it was not new; of Riichi: round, honba, sticks and four scores
    scores: list[int]  # at the end
    ranks: list[int]  # 0 = first, by score and then by seat
    finished: bool  # the record goes to the end of the game
    walls_known: bool
    decisions: int  # actions of players who were there
    walls: np.ndarray  # int8[rounds, tiles of a wall]
    actions: np.ndarray  # uint8[n]; + AWAY where the player was away
    content: str = ""  # a hash of what happened, see `ids.py`
    game: str = "riichi"  # by its name in `suzaku/table/game.py`
    log_prob: np.ndarray | None = None  # float16[n]: of self-play, the behaviour policy's for each action, see below
    versions: list[int] | None = None  # of the weights of each seat when the game began, where there is `log_prob`

    @property
    def lot(self) -> int:
        """A large number that depends on the id alone, to divide games at random but always alike."""
        return lot_of(self.id)

    @property
    def split(self) -> str:
        """Which part of the data the game belongs to."""
        return split_of(self.id)


def hash_name(name: str) -> str:
    """A player's name as it is stored: the same for the same name, and not to be read back; a hash stays as it is."""
    if not name or HASHED.fullmatch(name):
        return name
    return hashlib.blake2b(name.encode(), digest_size=8, person=b"suzaku").hexdigest()


def ranks_of(scores: Sequence[int]) -> list[int]:
    """The places by scores, 0 for the first; ties go to the earlier seat."""
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    return [order.index(seat) for seat in range(len(scores))]


def to_stored(game: Game, replayed: Replayed) -> Stored:
    """The row of a recorded game that was played through without divergence."""
    first = game.rounds[0]
    start = [first.number, first.honba, first.sticks, *first.scores]
    usual = [0, 0, 0, *[game.rules.start_score] * 4]
    scores = list(replayed.final_scores)
    actions = np.concatenate(replayed.actions)
    return Stored(
        id=game.id,
        source=game.source,
        format=game.format,
        lobby=game.lobby,
        time=game.date,
        rules=game.rules,
        players=[hash_name(player.name) for player in game.players],
        dan=[player.dan for player in game.players],
        rate=[player.rate for player in game.players],
        start=None if start == usual else start,
        scores=scores,
        ranks=ranks_of(scores),
        finished=replayed.finished,
        walls_known=game.walls_known,
        decisions=int(np.count_nonzero(actions < AWAY)),
        walls=np.concatenate([recorded.wall for recorded in game.rounds]).astype(np.int8).reshape(-1, WALL),
        actions=actions,
        content=content_of(game),
    )


def table_at_start(stored: Stored) -> np.ndarray:
    """The table record at the start of the game, before the first wall is placed (an array of one)."""
    return game_named(stored.game).new_table(stored.rules, stored.start)


def illegal(stored: Stored) -> RecordError:
    """The error for a game in which the rules stop at an action: which, of whom, and what was legal."""
    game = game_named(stored.game)
    array = table_at_start(stored)
    s, legal = array[0], np.zeros(game.actions, np.bool_)
    done = int(game.replay(game.tables(), s, stored.walls, stored.actions, legal, True))
    where = f"game {stored.id}: action {done + 1} of {len(stored.actions)}"
    if s.seat < 0 or done == len(stored.actions):
        return RecordError(
            f"game {stored.id}: its {len(stored.actions)} actions do not fit its {len(stored.walls)} walls"
        )
    action = int(stored.actions[done]) & (AWAY - 1)
    name = game.action_names[action] if action < game.actions else f"number {action}"
    could = ", ".join(game.action_names[i] for i in np.flatnonzero(legal))
    return RecordError(f"{where}, {name}, is not legal for seat {int(s.seat)}; legal: {could}")


def table_after(stored: Stored, actions: int) -> np.ndarray:
    """The table record after the first actions (an array of one); the next round is dealt if one is over."""
    game = game_named(stored.game)
    array = table_at_start(stored)
    legal = np.zeros(game.actions, np.bool_)
    game.replay(game.tables(), array[0], stored.walls, stored.actions[:actions], legal, False)
    game.deal_stored(game.tables(), array[0], stored.walls)
    return array


def round_tables(games: Iterable[Stored]) -> list[np.ndarray]:
    """SITUATION[k + 1] of each game of Riichi: before its first round, then after each of k rounds.

    Row j has the scores after j rounds, and round, dealer, honba and sticks that the next one is played with. A round
    that the record breaks off counts as not played.
    """
    starts: dict[tuple[Any, ...], np.ndarray] = {}
    found = []
    for stored in games:
        if stored.game != "riichi":
            raise RecordError(f"game {stored.id} is of {stored.game}: rounds are counted of games of riichi alone")
        key = (stored.rules, *(stored.start or ()))
        if key not in starts:
            starts[key] = GAME.new_table(stored.rules, stored.start)
        table = starts[key].copy()
        rows = np.zeros(len(stored.walls) + 1, SITUATION)
        count = situations(tables(), table[0], stored.walls, stored.actions, rows.view(np.recarray))
        if count < 0:
            raise illegal(stored)
        found.append(rows[:count])
    return found


def round_table(stored: Stored) -> np.ndarray:
    """The same of one game."""
    return round_tables([stored])[0]
