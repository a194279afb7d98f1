"""Any bot of Botzone as an agent: simple lines, kept running or started for each step; the bot decides which.

Whatever a bot does, the match goes on: an answer that comes too late, makes no sense or is not legal is replaced by the
drawn tile or a pass and counted, and a bot that ends is started again. (On Botzone it would lose 30 points at once.)
"""

import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import TextIO

import numpy as np

from suzaku.agents.agent import Answers, ProgramAgent
from suzaku.agents.botzone.bot import KEEP_RUNNING, FaultError, read_answer, start_requests, step_requests
from suzaku.agents.mjai.bot import CRASH, TIME_OUT
from suzaku.agents.mjai.pipe import Pipe, stop_all
from suzaku.agents.mjai.process import USUAL, Limits
from suzaku.mcr import actions as act
from suzaku.mcr import state as st
from suzaku.mcr.state import PONG

SHOWN = 20  # so many faults are written down, the others are counted only
TRIES = 10  # questions without one legal answer, and the bot does not play


class BotzoneAgent(ProgramAgent):
    """Bots started with a command, one process for each seat."""

    game = "mcr"

    def __init__(self, command: str, limits: Limits = USUAL, log: TextIO | None = None) -> None:
        self.command = shlex.split(command)
        if not self.command:
            raise ValueError("botzone: needs the command that starts the bot, such as 'botzone:python bot.py'")
        self.name = f"botzone:{command}"
        self.limits = limits
        self.where: Callable[[int], str] = "table {}".format  # what a place is to the user
        self.faults: Counter[str] = Counter()
        self.good = 0  # legal answers
        self._last_fault = ""
        self._log = log
        self._seats: dict[tuple[int, int], _Seat] = {}

    @property
    def useless(self) -> str:
        """A sentence if the bot does not play at all."""
        if self.good or self.faults.total() < TRIES:
            return ""
        return f"{self.name} does not play: it gave no legal answer; the last fault: {self._last_fault}"

    def starts(self, place: int, seat: int) -> bool:
        """Whether the seat's next answer is the first of a process, which may take as long as a start."""
        one = self._seats.get((place, seat))
        return one is None or one.pipe is None

    def _seat(self, place: int, seat: int) -> "_Seat":
        if (place, seat) not in self._seats:
            self._seats[place, seat] = _Seat(self, seat)
        return self._seats[place, seat]

    def follow(self, place: int, seat: int, before: np.record, action: int, after: np.record) -> None:
        """Keep what the seat is sent until its bot is asked."""
        self._seat(place, seat).follow(before, action, after)

    def act_at(self, places: np.ndarray, records: np.ndarray, legal: np.ndarray) -> Answers:
        """Ask the bots one after the other."""
        actions = np.empty(len(places), np.int64)
        for i, (place, record) in enumerate(zip(places, records, strict=True)):
            default = act.PASS if legal[i, act.PASS] else int(record.drawn if record.drawn >= 0 else legal[i].argmax())
            one = self._seat(int(place), int(record.seat))
            try:
                actions[i] = one.answer(record, legal[i])
                self.good += 1
            except FaultError as fault:
                actions[i] = default
                self._note(fault, int(place), record, default)
        return Answers(actions)

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """Refused: a bot must have seen the game from its start."""
        raise ValueError(f"{self.name} can only be asked in games that it follows from the start")

    def close(self) -> None:
        """End all bots."""
        stop_all([one.pipe for one in self._seats.values() if one.pipe is not None])
        self._seats.clear()

    def _note(self, fault: FaultError, place: int, record: np.record, default: int) -> None:
        self.faults[fault.type] += 1
        self._last_fault = f"{fault.type}: {fault}"
        if self.faults.total() <= SHOWN:
            text = f"{self.name}, {self.where(place)}, seat {int(record.seat)}: {fault.type}: {fault}"
            plain = "".join(letter if letter.isprintable() else "�" for letter in text)
            print(f"suzaku: {plain}; played: {act.ACTION_NAMES[default]}", file=self._log or sys.stderr, flush=True)


class _Seat:
    """One seat and its process."""

    def __init__(self, owner: BotzoneAgent, seat: int) -> None:
        self.owner, self.seat = owner, seat
        self.pipe: Pipe | None = None
        self._requests: list[str] = []  # of this match
        self._answers: list[str] = []
        self._discard = -1  # the tile that a claim named
        self._call = -1  # the chow or pong that the acting seat is about to make a discard with

    def follow(self, before: np.record, action: int, after: np.record) -> None:
        """Take down what a step means to this seat."""
        if action < 0 or after.deal != before.deal:
            self._stop()
            self._requests, self._answers = start_requests(after, self.seat), []
            self._discard = -1
            return
        self._requests += step_requests(before, action, after, self.seat, self._call)
        if before.phase == st.CLAIM and after.phase == st.CALLED:
            self._call = self._call_of(after)

    @staticmethod
    def _call_of(after: np.record) -> int:
        """The chow or pong that has just been made, as an action."""
        seat = int(after.seat)
        i = int(after.melds[seat]) - 1
        if after.meld_type[seat, i] == PONG:
            return act.PONG
        return act.CHOW_LOW + int(after.meld_called[seat, i] - after.meld_kind[seat, i])

    def answer(self, record: np.record, legal: np.ndarray) -> int:
        """The action the bot answers with."""
        if record.phase == st.CALLED:  # named together with the claim
            tile, self._discard = self._discard, -1
            if tile < 0 or not legal[tile]:
                raise FaultError("illegal", "the discard after the claim is not in the hand")
            return tile
        while len(self._answers) < len(self._requests):
            self._answers.append(self._ask())
        action, discard = read_answer(self._answers[-1], record, legal)
        self._discard = -1 if discard is None else discard
        return action

    def _ask(self) -> str:
        """The answer to the next request: the first starts a process, with all that went before."""
        at = len(self._answers)
        limit = self.owner.limits.answer
        if self.pipe is None:
            limit = self.owner.limits.start
            self.pipe = Pipe(self.owner.command)
            history = [line for pair in zip(self._requests, self._answers, strict=False) for line in pair]
            lines = [str(at + 1), *history[: 2 * at], self._requests[at]]
        else:
            lines = [self._requests[at]]
        self.pipe.send(("\n".join(lines) + "\n").encode())
        until = time.monotonic() + limit
        try:
            line = self.pipe.read(limit).decode("utf-8", "replace").strip()
            self._wait_for_marker(until)
        except TimeoutError:
            self._answers += ["PASS"]
            self._stop()
            raise FaultError(TIME_OUT, f"no answer within {limit:g} seconds") from None
        except EOFError:
            self._answers += ["PASS"]
            self._stop()
            raise FaultError(CRASH, "it ended without an answer") from None
        return line

    def _wait_for_marker(self, until: float) -> None:
        """A bot that stays says so; one that ends after its answer is started again for the next request."""
        assert self.pipe is not None
        try:
            while self.pipe.read(until - time.monotonic()).strip() != KEEP_RUNNING.encode():
                pass
        except EOFError:
            self._stop()

    def _stop(self) -> None:
        if self.pipe is not None:
            self.pipe.stop()
            self.pipe = None
