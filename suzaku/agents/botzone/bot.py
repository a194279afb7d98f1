"""An agent that plays on Botzone: requests in, answers out, in any of Botzone's ways of talking.

- Answers of a bot: actions as Botzone's words, and back.
- A step of a table as the requests that Botzone sends to a seat.
- An agent that plays on Botzone: requests in, answers out, in any of Botzone's ways of talking.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, TextIO

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.agents.botzone.view import RequestError, SeatView
from suzaku.hand.tables import tables as hand_tables
from suzaku.mcr import actions as act
from suzaku.mcr import state as md
from suzaku.mcr import state as st
from suzaku.mcr.legal import fill_legal
from suzaku.mcr.redraw import hand_tiles
from suzaku.mcr.step import call
from suzaku.records.botzone import read_tile, write_tile

NO_SENSE, ILLEGAL = "nonsense", "illegal"


class FaultError(Exception):
    """An answer that had to be replaced, with the type of the fault."""

    def __init__(self, type_: str, text: str) -> None:
        super().__init__(text)
        self.type = type_


def answer_words(record: np.record, action: int, discard: int | None = None) -> str:
    """An action of the asked seat as an answer; `discard` follows a chow or pong."""
    if action == act.PASS:
        return "PASS"
    if action == act.WIN:
        return "HU"
    if action < act.CHOW_LOW:
        return f"PLAY {write_tile(action)}"
    if action == act.OPEN_KONG:
        return "GANG"
    if act.CLOSED_KONG <= action < act.ADDED_KONG:
        return f"GANG {write_tile(action - act.CLOSED_KONG)}"
    if act.ADDED_KONG <= action < act.WIN:
        return f"BUGANG {write_tile(action - act.ADDED_KONG)}"
    assert discard is not None
    if action == act.PONG:
        return f"PENG {write_tile(discard)}"
    return f"CHI {write_tile(chow_middle(int(record.offer), action))} {write_tile(discard)}"


def chow_middle(offer: int, action: int) -> int:
    """The middle tile of a chow."""
    return offer + 1 - (action - act.CHOW_LOW)


def read_answer(text: str, record: np.record, legal: np.ndarray) -> tuple[int, int | None]:
    """The legal action that an answer means, and the discard that it names after a chow or pong."""
    words = text.split()
    try:
        action, discard = _read(words, record)
    except (ValueError, IndexError):
        raise FaultError(
            NO_SENSE,
            f"{text[:80]!r} is not a valid answer: expected one such as PLAY W5, PENG W5, CHI W4 W5, HU or PASS",
        ) from None
    if not 0 <= action < act.ACTIONS or not legal[action]:
        raise FaultError(ILLEGAL, f"{text[:80]!r} is not legal")
    return action, discard


def _read(words: list[str], record: np.record) -> tuple[int, int | None]:
    claims = record.phase in (st.CLAIM, st.ROB)
    verb = words[0].upper()
    tiles = [read_tile(word) for word in words[1:]]
    if verb in ("PASS", "HU") and not tiles:
        return (act.PASS if verb == "PASS" else act.WIN), None
    if verb == "GANG" and len(tiles) <= 1:
        return (act.OPEN_KONG if claims else act.CLOSED_KONG + tiles[0]), None
    if verb == "PLAY" and len(tiles) == 1:
        return tiles[0], None
    if verb == "BUGANG" and len(tiles) == 1:
        return act.ADDED_KONG + tiles[0], None
    if verb == "PENG" and len(tiles) == 1:
        return act.PONG, tiles[0]
    if verb == "CHI" and len(tiles) == 2:
        shape = int(record.offer) + 1 - tiles[0]
        return (act.CHOW_LOW + shape if 0 <= shape <= 2 else act.ACTIONS), tiles[1]
    raise ValueError(verb)


def start_requests(record: np.record, seat: int) -> list[str]:
    """The first requests of a hand that has just been dealt: the seat, its tiles, and the dealer's draw."""
    tiles = hand_tiles(record, seat)
    if seat == int(record.turn):
        tiles.remove(int(record.drawn))
    lines = [f"0 {seat} {int(record.wind)}", "1 0 0 0 0 " + " ".join(write_tile(tile) for tile in tiles)]
    return [*lines, _draw(record, seat)]


def step_requests(before: np.record, action: int, after: np.record, seat: int, called: int) -> list[str]:
    """What a seat is sent after an action; `called` is the chow or pong that the acting seat makes a discard with.

    A claim says nothing until it is settled; the call itself is told together with its discard.
    """
    lines = []
    asked = int(before.seat)
    kong = _new_kong(before, after)
    if before.phase in (st.TURN, st.CALLED) and action < act.CHOW_LOW:
        tile = write_tile(action)
        if before.phase == st.TURN:
            lines.append(f"3 {asked} PLAY {tile}")
        elif called == act.PONG:
            lines.append(f"3 {asked} PENG {tile}")
        else:
            lines.append(f"3 {asked} CHI {write_tile(chow_middle(int(before.offer), called))} {tile}")
    elif act.ADDED_KONG <= action < act.WIN:
        lines.append(f"3 {asked} BUGANG {write_tile(action - act.ADDED_KONG)}")
    if kong is not None:
        lines.append(f"3 {kong} GANG")
    if after.phase == st.TURN:
        lines.append(_draw(after, seat))
    return lines


def _new_kong(before: np.record, after: np.record) -> int | None:
    """The seat that has laid down a kong which is not an added one."""
    for seat in range(4):
        n = int(after.melds[seat])
        if n > before.melds[seat] and after.meld_type[seat, n - 1] in (md.OPEN_KONG, md.CLOSED_KONG):
            return seat
    return None


def _draw(record: np.record, seat: int) -> str:
    turn = int(record.turn)
    return f"2 {write_tile(int(record.drawn))}" if turn == seat else f"3 {turn} DRAW"


# Simple lines or JSON, started anew for each step or kept running: the first input tells which.

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


class Bot:
    """Plays one seat; `complain` is told what is wrong."""

    def __init__(self, agent: Agent, complain: Callable[[str], None]) -> None:
        self.agent, self._complain = agent, complain
        self.view = SeatView()
        self._answer = "PASS"
        self._lost = False

    def follow(self, request: str, answer: str) -> None:
        """A request that was answered before, as the history of a match tells."""
        self._take(request)
        self._answer = answer

    def react(self, request: str) -> str:
        """The answer to a request."""
        self._take(request)
        self._answer = self._default(request) if self._lost else self._decide()
        return self._answer

    def _take(self, request: str) -> None:
        if request.split()[:1] == ["0"]:
            self._lost = False
        if self._lost:
            return
        try:
            self.view.take(request, self._answer)
        except RequestError as error:
            self._lost = True
            self._complain(f"{error}; from here on drawn tiles are discarded")

    def _decide(self) -> str:
        asked = self.view.question()
        if asked is None:
            return "PASS"
        record = asked[0]
        action = self._ask(asked)
        if not act.CHOW_LOW <= action <= act.PONG:
            return answer_words(record, action)
        called = asked.copy()
        call(hand_tables(), called[0], int(record.seat), action)
        return answer_words(record, action, self._ask(called))

    def _ask(self, asked: np.ndarray) -> int:
        legal = np.zeros((1, act.ACTIONS), np.bool_)
        fill_legal(hand_tables(), asked[0], legal[0])
        try:
            action = int(self.agent.act(asked, legal).actions[0])
            if legal[0, action]:
                return action
            self._complain(f"the agent {self.agent.name} answered {act.ACTION_NAMES[action]}, which is not legal")
        except Exception as error:  # an agent that fails must not end the game
            self._complain(f"the agent {self.agent.name} failed: {type(error).__name__}: {error}")
        s = asked[0]
        return int(s.drawn) if s.phase == st.TURN else act.PASS if legal[0, act.PASS] else list(legal[0]).index(True)

    def _default(self, request: str) -> str:
        """When the table is not known: throw what was drawn, and claim nothing."""
        words = request.split()
        return f"PLAY {words[1]}" if words[:1] == ["2"] and len(words) > 1 else "PASS"


def talk(bot: Bot, source: TextIO, out: TextIO, keep_running: bool = True) -> None:
    """Answer what Botzone sends, until the input ends; with `keep_running` the process asks to stay for the match."""
    lines = (line.strip() for line in source)
    lines = (line for line in lines if line)
    first = next(lines, "")
    if not first:
        return
    is_json = first.startswith("{")
    requests, answers = _json_history(first) if is_json else _simple_history(first, lines)
    for request, answer in zip(requests[:-1], answers, strict=False):
        bot.follow(request, answer)
    request = requests[-1]
    while True:
        answer = bot.react(request)
        out.write((json.dumps({"response": answer}) if is_json else answer) + "\n")
        if keep_running:
            out.write(KEEP_RUNNING + "\n")
        out.flush()
        line = next(lines, None) if keep_running else None
        if line is None:
            return
        request = _next_request(line)


def _simple_history(first: str, lines: Iterator[str]) -> tuple[list[str], list[str]]:
    """The history in simple lines: how many requests, then requests and answers in turn."""
    if not first.isdigit() or first == "0":
        raise ValueError(f"expected the number of requests, or JSON, not {first[:80]!r}")
    history: list[str] = []
    while len(history) < 2 * int(first) - 1:
        line = next(lines, "")
        if not line:
            raise ValueError(f"the input ends before the {first} requests that it promises")
        history.append(line)
    return history[::2], history[1::2]


def _json_history(first: str) -> tuple[list[str], list[str]]:
    try:
        data: Any = json.loads(first)
        requests, answers = list(data["requests"]), list(data.get("responses", []))
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"expected JSON with requests and responses: {error}") from None
    if len(requests) != len(answers) + 1:
        raise ValueError(f"{len(requests)} requests and {len(answers)} responses: one request more is expected")
    return [str(one) for one in requests], [_response(one) for one in answers]


def _response(one: Any) -> str:
    return str(one["response"]) if isinstance(one, dict) and "response" in one else str(one)


def _next_request(line: str) -> str:
    """A request while the process is kept running: a plain line, a JSON string, or an object with it."""
    if line[0] not in '"{':
        return line
    try:
        data = json.loads(line)
        if isinstance(data, dict):
            data = data["requests"][-1] if "requests" in data else data["request"]
    except (ValueError, KeyError, IndexError, TypeError):
        return line  # no request: the view says so, and the match goes on
    return str(data)
