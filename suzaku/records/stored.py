"""A game as it is stored: its walls and its actions, and what is known of who played."""

import hashlib
import json
import re
from dataclasses import dataclass, fields

import numpy as np

from suzaku.hand.tables import tables
from suzaku.records.game import Game
from suzaku.records.ids import content_of
from suzaku.records.replay import AWAY, deal_stored, replay
from suzaku.records.verify import Replayed
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.deal import start_game
from suzaku.riichi.rules import Rules
from suzaku.riichi.state import STATE, WALL

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
    """One row of a store."""

    id: str
    source: str
    format: str
    lobby: str
    time: str  # YYYYMMDDHH in Japan as far as known
    rules: Rules
    players: list[str]  # hashed names
    dan: list[int]
    rate: list[float]
    start: list[int] | None  # round, honba, sticks and four scores, if not those of a new game
    scores: list[int]  # at the end
    ranks: list[int]  # 0 = first, by score and then by seat
    finished: bool  # the record goes to the end of the game
    walls_known: bool
    decisions: int  # actions of players who were there
    walls: np.ndarray  # int8[rounds, 136]
    actions: np.ndarray  # uint8[n]; + AWAY where the player was away
    content: str = ""  # a hash of what happened, see `ids.py`

    @property
    def lot(self) -> int:
        """A large number that depends on the id alone, to divide games at random but always alike."""
        return lot_of(self.id)

    @property
    def split(self) -> str:
        """Which part of the data the game belongs to."""
        return split_of(self.id)

    def new_table(self) -> np.ndarray:
        """A table record at the start of the game, before the first wall is placed (an array of one)."""
        array = np.zeros(1, STATE)
        array["rules"] = self.rules.to_record()
        s = array[0]
        start_game(s, np.uint64(0), 0)
        if self.start is not None:
            s.round_no, s.honba, s.sticks = self.start[:3]
            s.dealer = self.start[0] % 4
            s.scores[:] = self.start[3:]
        return array

    def table_after(self, actions: int) -> np.ndarray:
        """The table record after the first actions (an array of one); the next round is dealt if one is over."""
        array = self.new_table()
        replay(tables(), array[0], self.walls, self.actions[:actions], np.zeros(ACTIONS, np.bool_), False)
        deal_stored(tables(), array[0], self.walls)
        return array


def hash_name(name: str) -> str:
    """A player's name as it is stored: the same for the same name, and not to be read back; a hash stays as it is."""
    if not name or HASHED.fullmatch(name):
        return name
    return hashlib.blake2b(name.encode(), digest_size=8, person=b"suzaku").hexdigest()


def rules_text(rules: Rules) -> str:
    """The switches that differ from Tenhou's hanchan, as JSON."""
    usual = Rules()
    changed = {
        f.name: getattr(rules, f.name) for f in fields(rules) if getattr(rules, f.name) != getattr(usual, f.name)
    }
    return json.dumps(changed, sort_keys=True)


def rules_from_text(text: str) -> Rules:
    """The rules that `rules_text` wrote."""
    changed = json.loads(text)
    return Rules.tenhou(**{name: tuple(v) if isinstance(v, list) else v for name, v in changed.items()})


def to_stored(game: Game, replayed: Replayed) -> Stored:
    """The row of a recorded game that was played through without divergence."""
    first = game.rounds[0]
    start = [first.number, first.honba, first.sticks, *first.scores]
    usual = [0, 0, 0, *[game.rules.start_score] * 4]
    scores = list(replayed.final_scores)
    order = sorted(range(4), key=lambda seat: (-scores[seat], seat))
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
        ranks=[order.index(seat) for seat in range(4)],
        finished=replayed.finished,
        walls_known=game.walls_known,
        decisions=int(np.count_nonzero(actions < AWAY)),
        walls=np.concatenate([recorded.wall for recorded in game.rounds]).astype(np.int8).reshape(-1, WALL),
        actions=actions,
        content=content_of(game),
    )
