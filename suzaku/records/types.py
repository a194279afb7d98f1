"""A game as it was recorded: players, rules, rounds, events, and what it is called.

- What happened in a round, as a small array of integers: the form every reader produces and `replay_events` checks.
- A game as it was recorded, whatever the format: players, rules, and every round with its events and result.
- The tiles of a meld from the action and the called tile.
- What a game is called: by Tenhou's name if a record carries one, or else by what happened in it.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from suzaku.riichi import actions as act
from suzaku.riichi.rules import Rules
from suzaku.tiles import KIND_OF, NAMES, RED, to_text

# A row is (type, seat, a, b). Tiles are 0..36, actions are those of `suzaku.riichi.actions`.
#
# | type      | a                                     | b                                           |
# |-----------|---------------------------------------|---------------------------------------------|
# | DRAW      | the tile                              |                                             |
# | DISCARD   | the tile                              | 1: the drawn tile, 0: another one           |
# | RIICHI    | (declared)                            |                                             |
# | ACCEPTED  | (the riichi discard passed)           |                                             |
# | CALL      | the action: chow, pong or open kong   | the seat called from + 4 x (the tile + 1)   |
# | KONG      | the action: closed or added kong      |                                             |
# | INDICATOR | the tile of a new dora indicator      |                                             |
# | WIN       | the winning tile, or -1 if not told   | the seat won from, or the own seat          |
# | DRAWN_END | the result: EXHAUSTED ... THREE_WINS  |                                             |
# | LEAVE     | (the player is away from now on)      |                                             |
# | RETURN    | (the player is back)                  |                                             |

DRAW, DISCARD, RIICHI, ACCEPTED, CALL, KONG, INDICATOR, WIN, DRAWN_END, LEAVE, RETURN = range(11)
EVENT_NAMES = (
    "draw", "discard", "riichi", "riichi accepted", "call", "kong", "dora indicator", "win", "drawn round",
    "player leaves", "player returns",
)  # fmt: skip

Event = tuple[int, int, int, int]


def to_array(events: list[Event]) -> np.ndarray:
    """The events of a round as int16[n, 4]."""
    return np.array(events, np.int16).reshape(-1, 4)


class RecordError(ValueError):
    """A record that cannot be read: one sentence that says what is wrong with it."""


class SkippedError(ValueError):
    """A sound record of a game that is not kept: one sentence that says why."""


# what Python says of a text that is not as it should be: readers turn it into a sentence
UNREADABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, AssertionError)
MOST_POINTS = 100_000_000


@dataclass(slots=True)
class Win:
    """A win as recorded; None where the format does not tell."""

    seat: int
    source: int  # the seat won from, or the own seat
    yaku: int | None = None  # mask of yaku
    han: int | None = None  # with doras
    fu: int | None = None
    yakuman: int | None = None  # how many times yakuman
    dora: tuple[int, int, int] | None = None  # han by dora, ura dora, red fives
    points: int | None = None  # without honba and sticks
    ura: tuple[int, ...] | None = None  # ura indicators


@dataclass(slots=True)
class Round:
    """A round as recorded."""

    number: int  # 0 = east 1
    honba: int
    sticks: int
    scores: tuple[int, ...]
    hands: np.ndarray  # int8[4, 37]: the dealt tiles by seat, without the first draw
    indicator: int  # the first dora indicator
    wall: np.ndarray  # int8[136]
    events: np.ndarray  # int16[n, 4], see `events.py`
    wins: list[Win] = field(default_factory=list)
    deltas: tuple[int, ...] | None = None  # change of the scores at the end of the round
    tenpai: int | None = None  # at an exhaustive draw: bit of each tenpai seat
    told_dealer: int | None = None  # as the record names it; None: it does not

    @property
    def dealer(self) -> int:
        """The seat of the dealer."""
        return self.number % 4

    def win_deltas(self) -> list[list[int]]:
        """What each win moved."""
        wins = [(win.seat, win.points or 0) for win in self.wins]
        return share_deltas(self.deltas or (0, 0, 0, 0), wins, self.wins[0].source, self.honba)


def share_deltas(deltas: Sequence[int], wins: list[tuple[int, int]], source: int, honba: int) -> list[list[int]]:
    """What each of some wins (seat, points) moved: of several, the first has the honba, and the last what is left."""
    left = [int(delta) for delta in deltas]
    shares = []
    for i, (seat, points) in enumerate(wins[:-1]):
        share = [0, 0, 0, 0]
        share[seat] = left[seat]
        share[source] = -points - (300 * honba if i == 0 else 0)
        left = [a - b for a, b in zip(left, share, strict=True)]
        shares.append(share)
    return [*shares, left]


def check_round(recorded: Round) -> None:
    """Refuse a round with numbers that no game has; the kernels rely on it."""
    if not 0 <= recorded.number < 16 or not 0 <= recorded.honba < 1000 or not 0 <= recorded.sticks < 1000:
        raise RecordError(
            f"round number {recorded.number}, honba {recorded.honba}, sticks {recorded.sticks}: "
            "expected 0 to 15, 0 to 999 and 0 to 999"
        )
    for values in (recorded.scores, recorded.deltas or (0, 0, 0, 0)):
        if len(values) != 4 or not all(isinstance(v, int) and abs(v) < MOST_POINTS for v in values):
            raise RecordError(f"the scores or payments are {list(values)}: expected four numbers below {MOST_POINTS:,}")
    seats = [seat for win in recorded.wins for seat in (win.seat, win.source)] + recorded.events[:, 1].tolist()
    if wrong := [seat for seat in seats if not (isinstance(seat, int) and 0 <= seat < 4)]:
        raise RecordError(f"seat {wrong[0]} acts: expected 0 to 3")


@dataclass(slots=True)
class Player:
    """Who sat in a seat."""

    name: str = ""
    dan: int = -1  # Tenhou's number: 0 newcomer, 1..9 kyu 9..1, 10 first dan, 16 seventh dan, 20 Tenhou; -1 unknown
    rate: float = float("nan")


@dataclass(slots=True)
class Game:
    """A game as recorded."""

    id: str
    source: str  # the file it came from
    format: str  # mjlog, tenhou6 or mjai
    rules: Rules
    players: list[Player]
    rounds: list[Round]
    walls_known: bool  # False: tiles that never showed were filled in
    strict: bool  # False: the format shows indicators at other times than the engine
    date: str = ""  # YYYYMMDDHH as far as known
    lobby: str = ""  # the kind of table, as the format names it
    ended: bool = False  # the record goes to the end of the game
    final_scores: tuple[int, ...] | None = None  # None: the record does not tell


def red_of(kind: int) -> int:
    """The red five of a kind, or -1 if the kind has none."""
    return RED + kind // 9 if kind < 27 and kind % 9 == 4 else -1


def own_tiles(action: int, called: int) -> list[int]:
    """The tiles of the own hand that go into a chow, pong or open kong of the tile `called`."""
    kind = int(KIND_OF[called])
    if action < act.PONG:
        shape, red = (action - act.CHOW_LOW) % 3, action >= act.CHOW_LOW + act.CHOW_RED
        kinds = [k for k in range(kind - shape, kind - shape + 3) if k != kind]
        return [red_of(k) if red and red_of(k) >= 0 else k for k in kinds]
    if action == act.OPEN_KONG:
        return four_tiles(kind, without=called)
    return [red_of(kind) if action == act.PONG_RED else kind, kind]


def four_tiles(kind: int, without: int = -1, red_fives: bool = True) -> list[int]:
    """The four tiles of a kind, the red one first, or three of them."""
    red = red_of(kind) if red_fives else -1
    tiles = [red if red >= 0 else kind, kind, kind, kind]
    if without >= 0:
        tiles.remove(without)
    return tiles


def call_action(called: int, own: list[int]) -> int:
    """The action that makes a meld of a called tile and tiles of the own hand."""
    kind = int(KIND_OF[called])
    kinds = sorted(int(KIND_OF[tile]) for tile in own)
    red = any(tile >= RED for tile in own)
    if len(own) == 3 and set(kinds) == {kind}:
        return act.OPEN_KONG
    if len(own) == 2 and set(kinds) == {kind}:
        return act.PONG_RED if red else act.PONG
    low = min(kinds[0], kind)
    if len(own) == 2 and sorted([*kinds, kind]) == [low, low + 1, low + 2] and low < 27 and low % 9 < 7:
        return act.CHOW_LOW + kind - low + (act.CHOW_RED if red else 0)
    raise RecordError(f"{NAMES[called]} with {to_text(own)} is not a chow, pong or kong")


NAMED = re.compile(r"\d{10}gm-[0-9a-f]{4}-\d{4,5}-[0-9a-f]{8}")
TOLD = (DRAW, DISCARD, RIICHI, CALL, KONG)  # what every format tells alike


def tenhou_name(text: str) -> str:
    """Tenhou's name of a game within a text, or nothing."""
    found = NAMED.search(text)
    return found.group() if found else ""


def own_name(game: Game) -> str:
    """The game's id if it is Tenhou's name of it, or nothing."""
    return game.id if NAMED.fullmatch(game.id) else ""


def content_of(game: Game) -> str:
    """A hash of what every format tells of a game: the same for the same game, in whatever format and file."""
    found = hashlib.blake2b(digest_size=8, person=b"suzaku game")
    for recorded in game.rounds:
        start = [recorded.number, recorded.honba, recorded.sticks, *recorded.scores, recorded.indicator]
        events = recorded.events[np.isin(recorded.events[:, 0], TOLD)][:, :3]
        found.update(np.array(start, "<i4").tobytes())
        found.update(recorded.hands.astype(np.int8).tobytes())
        found.update(events.astype("<i2").tobytes())
    return found.hexdigest()
