"""Any program that plays mjai, as an agent: one process for each seat, told all that happens, asked in its turn.

Whatever such a program does, the game goes on: an answer that comes too late, makes no sense or is not legal is
replaced by the drawn tile or a pass, a program that ends is started again, and all of it is counted. Whoever runs many
games asks `useless` whether the program plays at all.
"""

import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple, TextIO

import numpy as np

from suzaku.agents.agent import Answers, ProgramAgent
from suzaku.agents.mjai.bot import CRASH, TIME_OUT, FaultError, read_answer
from suzaku.agents.mjai.mjai_events import Told, start_game, to_lines
from suzaku.agents.mjai.pipe import Pipe, stop_all
from suzaku.agents.simple import TsumogiriAgent
from suzaku.records import mjai_event as mj
from suzaku.riichi.actions import ACTION_NAMES
from suzaku.riichi.redraw import hand_tiles
from suzaku.tiles import to_text

QUIET = 5.0  # seconds of waiting before the user is told of it; then twice as many, and so on
LATE = 3  # so many answers owed, and the process is started again
SHOWN = 20  # so many faults are written down, the others are counted only
TRIES = 10  # questions without one legal answer, and the program does not play


class Limits(NamedTuple):
    """How long a program may take, in seconds."""

    answer: float = 5.0
    start: float = 180.0  # for the first answer of a process: it may have to compile, or to load a network


USUAL = Limits()


class MjaiAgent(ProgramAgent):
    """Programs started with a command; `{seat}` in it becomes the number of the player, 0..3.

    With `arrays`, events are sent as mjai.app does: all that are new in one array, which asks for one answer. Otherwise
    as to Mortal: an event a line, with "can_act": false on those that ask for no answer.
    """

    def __init__(self, command: str, arrays: bool = False, limits: Limits = USUAL, log: TextIO | None = None) -> None:
        self.command = _split(command)
        self.name = ("mjai.app:" if arrays else "mjai:") + command
        self.arrays, self.limits = arrays, limits
        self.where: Callable[[int], str] = "table {}".format  # what a place is to the user
        self.faults: Counter[str] = Counter()
        self.good = 0  # legal answers
        self._tried = False  # a process has answered, or had its time to
        self._last_fault = ""
        self._log = log
        self._players: dict[tuple[int, int], _Player] = {}

    @property
    def useless(self) -> str:
        """A sentence if the program does not play at all: no legal answer yet, and it had its time and its tries."""
        asked = self.faults.total()
        if self.good or not (self.faults[TIME_OUT] or asked >= TRIES):
            return ""
        return (
            f"{self.name} does not play: asked {asked} times, it gave no legal answer; the last fault: "
            f"{self._last_fault}; to see more: suzaku bot check -- {shlex.join(self.command)}"
        )

    def start_limit(self) -> float:
        """Seconds for the first answer of a process; after one that never answered, no others wait so long."""
        return self.limits.start if self.good or not self._tried else self.limits.answer

    def starts(self, place: int, seat: int) -> bool:
        """Whether the seat's next answer is the first of a process, which may take as long as a start."""
        player = self._players.get((place, seat))
        return bool(self.good or not self._tried) and (player is None or player.must_start)

    def _player(self, place: int, seat: int) -> "_Player":
        if (place, seat) not in self._players:
            self._players[place, seat] = _Player(self, place, seat)
        return self._players[place, seat]

    def follow(self, place: int, seat: int, before: np.record, action: int, after: np.record) -> None:
        """Keep what the seat sees of a step until its program is asked."""
        self._player(place, seat).follow(before, action, after)

    def act_at(self, places: np.ndarray, records: np.ndarray, legal: np.ndarray) -> Answers:
        """Ask all programs at once, then wait for each; the very first is started alone, lest all do the same work."""
        defaults = TsumogiriAgent().act(records, legal).actions
        players = [self._player(int(place), int(record.seat)) for place, record in zip(places, records, strict=True)]
        actions = defaults.copy()

        def ask(rows: range) -> None:
            for i in rows:
                players[i].start_round(records[i])
                players[i].ask()
            for i in rows:
                try:
                    actions[i] = players[i].answer(records[i], legal[i])
                    self.good += 1
                except FaultError as fault:
                    self._note(fault, players[i], records[i], legal[i], int(defaults[i]))

        alone = 0 if self._tried else 1
        ask(range(alone))
        self._tried = True
        ask(range(alone, len(players)))
        return Answers(actions)

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """Refused: a program must have seen the game from its start."""
        raise ValueError(f"{self.name} can only be asked in games that it follows from the start")

    def close(self) -> None:
        """End all programs."""
        stop_all([player.pipe for player in self._players.values() if player.pipe is not None])
        self._players.clear()

    def tell_waiting(self, player: "_Player", seconds: float, limit: float) -> None:
        """Tell the user who is being waited for."""
        first = "" if limit == self.limits.answer else ", the first of its process"
        where = f"{self.where(player.place)}, seat {player.seat}"
        self._say(f"waiting {seconds:.0f} of {limit:g} seconds for an answer of {self.name} ({where}{first})")

    def _note(self, fault: FaultError, player: "_Player", s: np.record, legal: np.ndarray, default: int) -> None:
        self.faults[fault.type] += 1
        self._last_fault = f"{fault.type}: {fault}"
        shown = sum(self.faults.values())
        if shown > SHOWN:
            return
        choices = ", ".join(ACTION_NAMES[action] for action in np.flatnonzero(legal))
        drawn = f", drew {to_text([s.drawn])}" if s.drawn >= 0 else f", offered {to_text([s.offer])}"
        self._say(
            f"{self.name}, {self.where(player.place)}, seat {player.seat}: {fault.type}: {fault}; "
            f"round {int(s.round_no) + 1} honba {s.honba}, {s.left} tiles left, hand "
            f"{to_text(hand_tiles(s, player.seat))}{drawn}; legal: {choices}; played: {ACTION_NAMES[default]}"
            + ("; further faults are only counted" if shown == SHOWN else "")
        )

    def _say(self, text: str) -> None:
        plain = "".join(letter if letter.isprintable() else "�" for letter in text)  # no commands for the terminal
        print(f"suzaku: {plain}", file=self._log or sys.stderr, flush=True)


class _Player(Told):
    """One seat and its process."""

    def __init__(self, owner: MjaiAgent, place: int, seat: int) -> None:
        super().__init__(seat)
        self.owner, self.place = owner, place
        self.pipe: Pipe | None = None
        self._owed = 0  # answers that are due
        self._limit = 0.0  # seconds for the next answer
        self._asked = 0.0  # when

    @property
    def must_start(self) -> bool:
        """Whether the next question starts a process."""
        pipe = self.pipe
        return pipe is None or not pipe.running or self._owed >= LATE

    def tell(self, events: list[mj.Event]) -> None:
        """Keep events until the process is asked, or the game is over."""
        super().tell(events)
        if self.pipe is not None and any(isinstance(event, mj.EndGame) for event in events):
            self._send(self.pipe, asks=False)

    def ask(self) -> None:
        """Send what is new, the last event with the question."""
        if self.pipe is None or self.must_start:
            self.pipe = self._start()
        if self._owed == 0:
            self.pipe.skip()  # what it said unasked
        self._owed += 1
        self._asked = time.monotonic()
        self._send(self.pipe, asks=True)

    def _start(self) -> Pipe:
        """Start the process, again if it has ended, and bring it up to the round as it stands."""
        self.stop()
        self._owed = 0
        self._limit = self.owner.start_limit()
        self.new = [
            start_game(self.seat, self.red_fives),
            *(e for e in self.history if not isinstance(e, mj.StartGame)),
        ]
        return Pipe(seat_command(self.owner.command, self.seat))

    def _send(self, pipe: Pipe, asks: bool) -> None:
        events = self.take_new()
        if self.owner.arrays and events and not asks:  # its answer will be skipped
            self._owed += 1
        pipe.send(b"".join(to_lines(events, self.owner.arrays, asks)))

    def answer(self, record: np.record, legal: np.ndarray) -> int:
        """The action the process answers with; answers that were owed from before are skipped."""
        line = b""
        while self._owed:
            try:
                line = self._read()
            except TimeoutError:
                limit, self._limit = self._limit, self.owner.limits.answer
                raise FaultError(TIME_OUT, f"no answer within {limit:g} seconds") from None
            except EOFError:
                code = self.stop()
                raise FaultError(CRASH, "it closed its output" if code is None else f"ended with code {code}") from None
            self._owed -= 1
            self._limit = self.owner.limits.answer
        return read_answer(line, record, legal)

    def _read(self) -> bytes:
        """The next line within the limit; the user is told now and then that it is waited for."""
        assert self.pipe is not None
        due = QUIET
        while True:
            until = min(due, self._limit)
            try:
                return self.pipe.read(self._asked + until - time.monotonic())
            except TimeoutError:
                if until == self._limit:
                    raise
            self.owner.tell_waiting(self, due, self._limit)
            due *= 2

    def stop(self) -> int | None:
        """End the process; the code it ended with by itself."""
        pipe, self.pipe = self.pipe, None
        return None if pipe is None else pipe.stop()


def seat_command(command: list[str], seat: int) -> list[str]:
    """The words of a command for one seat."""
    return [word.replace("{seat}", str(seat)) for word in command]


def _split(command: str) -> list[str]:
    words = shlex.split(command)
    if not words:
        raise ValueError("mjai: needs the command that starts the program, such as 'mjai:python bot.py {seat}'")
    return words
