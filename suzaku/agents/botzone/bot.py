"""An agent that plays on Botzone: requests in, answers out, in any of Botzone's ways of talking.

Simple lines or JSON, started anew for each step or kept running: the first input tells which.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, TextIO

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.agents.botzone.answer import answer_words
from suzaku.agents.botzone.view import RequestError, SeatView
from suzaku.hand.tables import tables as hand_tables
from suzaku.mcr import actions as act
from suzaku.mcr import state as st
from suzaku.mcr.legal import fill_legal
from suzaku.mcr.step import call

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
