"""A game as it was recorded, whatever the format: players, rules, and every round with its events and result."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from suzaku.riichi.rules import Rules


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
