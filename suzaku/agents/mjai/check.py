"""Trying a program that plays mjai: it is asked all that whole games ask, and the first thing it does wrong is told.

In games of its own (`play`), its answers are carried out, against players of this package. In a recorded game
(`replay`), each of its answers must be legal, and what was recorded is carried out.
"""

import contextlib
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.agents.mjai.bot import CRASH, LONGEST, FaultError, read_answer
from suzaku.agents.mjai.mjai_events import Told, action_event, to_lines
from suzaku.agents.mjai.pipe import Pipe
from suzaku.agents.mjai.process import Limits, seat_command
from suzaku.hand.tables import tables as hand_tables
from suzaku.records import mjai_event as mj
from suzaku.records.stored import Stored, table_at_start
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.game import GAME
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.redraw import hand_tiles
from suzaku.riichi.state import ROUND_OVER
from suzaku.riichi.step import step
from suzaku.riichi.table import Table
from suzaku.table.kernels import AWAY
from suzaku.tiles import WINDS, to_mjai

LATE, SILENT, UNASKED = "late", "no answer", "not asked"
MORE = 10.0  # seconds beyond the limit, to tell a late answer from none
ENDING = 5.0  # seconds it has to end by itself
HUSH = 0.1  # seconds in which a program that was told something and not asked might answer
SAY = 15  # seconds of waiting for an answer before it is said
LISTENED = 10  # questions of a process before which that is listened for; later ones only see what is there already


@dataclass
class Tally:
    """What a program was asked, and what it answered."""

    games: int = 0
    rounds: int = 0
    answers: Counter[str] = field(default_factory=Counter)  # by type
    options: Counter[str] = field(default_factory=Counter)  # how often each type was legal
    seconds: list[float] = field(default_factory=list)  # of each answer but the first of a process
    stayed: bool = False  # a process did not end with its input


class WrongError(Exception):
    """The first thing a program did wrong: the type, the words, and the position as lines of text."""

    def __init__(self, fault: FaultError, position: list[str]) -> None:
        super().__init__(f"{fault.type}: {fault}")
        self.type, self.position = fault.type, position


class Examinee(Told):
    """A program in one seat."""

    def __init__(
        self,
        command: list[str],
        seat: int,
        tally: Tally,
        arrays: bool = False,
        limits: Limits | None = None,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        super().__init__(seat)
        self.tally, self._arrays, self._limits, self._say = tally, arrays, limits or Limits(), say
        self._hello = to_lines([{"type": "start_game", "id": seat}], arrays, asks=False)[0].decode().strip()
        self._pipe = Pipe(seat_command(command, seat))
        self._asked = 0
        self._lines: list[str] = []  # sent since the round began
        self.game = ""  # words for it

    def ask(self, record: np.record, legal: np.ndarray) -> int:
        """The action it answers with; raises WrongError."""
        self.start_round(record)
        options = [action_event(record, int(action)) for action in np.flatnonzero(legal)]
        try:
            action = self._ask(record, legal)
        except FaultError as fault:
            raise WrongError(fault, self._position(record, options)) from None
        self.tally.options.update({str(option.__struct_config__.tag) for option in options})
        self.tally.answers[str(action_event(record, action).__struct_config__.tag)] += 1
        return action

    def end_game(self) -> None:
        """Tell the rest of a game; an array is answered even then."""
        lines = to_lines(self.take_new(), self._arrays, asks=False)
        self._send(lines)
        if self._arrays:
            with contextlib.suppress(TimeoutError, EOFError):
                self._pipe.read(self._limits.answer)

    def close(self) -> None:
        """End the program."""
        self.tally.stayed |= self._pipe.stop(ENDING) is None

    def _ask(self, record: np.record, legal: np.ndarray) -> int:
        self._listen(0.0)
        *told, question = to_lines(self.take_new(), self._arrays, asks=True)
        self._send(told)
        if told and 0 < self._asked <= LISTENED:
            self._listen(HUSH)
        self._send([question])
        self._asked += 1
        line = self._read()
        try:
            return read_answer(line, record, legal)
        except FaultError:
            self._listen(3 * HUSH, line)  # a program that answers every line is at another one than we are
            raise

    def _listen(self, seconds: float, before: bytes = b"") -> None:
        """Raise a fault if the program says something now."""
        with contextlib.suppress(TimeoutError, EOFError):
            line = before or self._pipe.read(seconds)
            if before:
                self._pipe.read(seconds)
            what = "an array of events gets one line" if self._arrays else 'a line with "can_act": false gets none'
            raise FaultError(UNASKED, f"it wrote more lines than it was asked for; {what}: {_words(line)}")

    def _read(self) -> bytes:
        """The answer, within the limit."""
        limit = self._limits.answer if self._asked > 1 else self._limits.start
        began = time.monotonic()
        try:
            line = self._wait(limit + MORE)
        except TimeoutError:
            raise FaultError(
                SILENT,
                f"nothing within {limit:g} seconds, nor {MORE:g} more (does it flush its output after each line?)",
            ) from None
        except EOFError:
            code = self._pipe.stop()
            raise FaultError(CRASH, "it closed its output" if code is None else f"it ended with code {code}") from None
        spent = time.monotonic() - began
        if spent > limit:
            raise FaultError(LATE, f"it took {spent:.1f} seconds and has {limit:g}: {_words(line)}")
        if self._asked > 1:
            self.tally.seconds.append(spent)
        return line

    def _wait(self, seconds: float) -> bytes:
        """The next line; where it takes long, it is said what is waited for."""
        for wait in range(0, int(seconds), SAY):
            with contextlib.suppress(TimeoutError):
                return self._pipe.read(min(SAY, seconds - wait))
            if wait + SAY < seconds:
                self._say(f"no answer for {wait + SAY} seconds; it has {seconds:.0f}")
        raise TimeoutError

    def _send(self, lines: list[bytes]) -> None:
        for line in lines:
            text = line.decode().strip()
            if '"start_game"' in text or '"start_kyoku"' in text:  # with these lines alone, the program can be tried
                self._lines = [] if '"start_game"' in text else [self._hello]
            self._lines.append(text)
        self._pipe.send(b"".join(lines))

    def _position(self, s: np.record, options: list[mj.Event]) -> list[str]:
        """The position as text."""
        hand = hand_tiles(s, self.seat)
        if s.turn == self.seat and s.drawn >= 0:
            hand.remove(int(s.drawn))
            last = f"drawn    {to_mjai(s.drawn)}"
        elif s.offer >= 0 and s.turn != self.seat:
            last = f"offered  {to_mjai(s.offer)} by player {int(s.turn)}"
        else:
            last = "drawn    nothing: the player has just called"
        wind = WINDS[s.round_no // 4 % 4]
        return [
            f"place    {self.game}, player {self.seat}, round {wind}{int(s.round_no) % 4 + 1} honba {int(s.honba)}, "
            f"{int(s.left)} tiles left",
            "tehai    " + " ".join(to_mjai(tile) for tile in hand),
            last,
            "legal answers:",
            *("  " + mj.ENCODER.encode(option).decode() for option in options),
            "the lines it was told in this round:",
            *("  " + line for line in self._lines),
        ]


def play(program: Examinee, table: Table, others: list[Agent], tell: Callable[[], None]) -> None:
    """Let a program play a game against three agents, the first of them to its right."""
    program.follow(table.record, -1, table.record)
    while not table.game_over:
        before = table.record.copy()
        if table.seat == program.seat:
            action = program.ask(before, table.legal_mask())
        else:
            agent = others[(table.seat - program.seat) % 4 - 1]
            action = int(agent.act(before.reshape(1), table.legal_mask()[None]).actions[0])
        table.act(action)
        program.follow(before, action, table.record.copy())
        tell()
        program.tally.rounds += bool(table.record.phase >= ROUND_OVER)
        if table.round_over:
            table.next_round()
    program.tally.games += 1
    program.end_game()


def replay(program: Examinee, game: Stored, tell: Callable[[], None]) -> None:
    """Ask a program in the place of one player of a recorded game."""
    s, legal = table_at_start(game)[0], np.zeros(ACTIONS, np.bool_)
    for i, stored in enumerate(game.actions):
        GAME.deal_stored(hand_tables(), s, game.walls)
        before = s.copy()
        if i == 0:
            program.follow(before, -1, before)
        if s.seat == program.seat and not stored & AWAY:
            fill_legal(hand_tables(), s, legal)
            program.ask(before, legal)
        action = int(stored) & (AWAY - 1)
        step(hand_tables(), s, action)
        program.follow(before, action, s.copy())
        program.tally.rounds += bool(s.phase >= ROUND_OVER)
        tell()
    program.tally.games += 1
    program.end_game()


def _words(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()[:LONGEST]
