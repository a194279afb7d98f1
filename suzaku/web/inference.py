"""The one thread in which all agents think, and hints: questions that wait at the same time are one batch.

- The one thread in which all agents think: questions of all tables that wait at the same time are one batch.
- Hints for pages: worked out beside the agents' thread, one at a time.
"""

import asyncio
import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from dataclasses import dataclass
from typing import Any

import numpy as np

from suzaku.agents.agent import Agent, Answers, Follower, ProgramAgent
from suzaku.agents.make import PROGRAMS, make_agent
from suzaku.agents.mjai.process import Limits
from suzaku.review.opinion import looks_at, only_opinion

# what pages may always choose, those of them that play the game
OFFERED = ("suphx", "heuristic", "mcr", "efr", "gao", "weak", "shanten", "tsumogiri", "random")
# Longer than a table waits (see `stand_in.py`): an answer that is too late for it is still taken, so that the program
# can join in again.
PATIENCE = Limits(answer=60.0, start=180.0)
BEHIND = 10  # how nice the threads are of agents that remember: they may work for long
END = 2.0  # seconds an agent that remembers has to end by itself


def gives_hints(name: str) -> bool:
    """Whether the agent of this name has an opinion on single decisions."""
    return not name.startswith(PROGRAMS)


@dataclass
class Question:
    """Some tables for an agent, and where its answers go."""

    agent: Agent
    records: np.ndarray
    legal: np.ndarray
    answer: "asyncio.Future[Answers]"


class Inference:
    """Agents by name, and the thread that asks them. One that remembers has its own thread, since it may be slow."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self._agents: dict[tuple[str, str], Agent] = {}  # by game and name
        self._own: dict[int, tuple[Follower, ThreadPoolExecutor]] = {}
        self._advisers: dict[tuple[str, str], Follower] = {}
        self._making = threading.Lock()
        self._ending = ThreadPoolExecutor(8, "ending")
        self._thread = threading.Thread(target=self._run, name="inference", daemon=True)
        self._thread.start()

    def agent(self, name: str, game: str) -> Agent:
        """The agent of a game by its name. One that remembers is a new one each time. ValueError if there is none.

        May take a second: a network is read. Can be called in any thread.
        """
        with self._making:
            if (game, name) in self._agents:
                return self._agents[game, name]
            agent = make_agent(name, game)
            if isinstance(agent, ProgramAgent):
                agent.limits = PATIENCE
            if isinstance(agent, Follower):
                self._own[id(agent)] = agent, ThreadPoolExecutor(1, "follower", _step_back)
            else:
                self._agents[game, name] = agent
            return agent

    def adviser(self, name: str, game: str) -> Agent:
        """The agent of a game that is asked about single positions: one for all tables. ValueError if there is none.

        Can be called in any thread.
        """
        if (game, name) not in self._advisers:
            agent = self.agent(name, game)
            if not isinstance(agent, Follower):
                return agent
            self._advisers[game, name] = agent
        return self._advisers[game, name]

    def put(self, agent: Agent, records: np.ndarray, legal: np.ndarray) -> "asyncio.Future[Answers]":
        """Ask an agent about these tables. The answers will be in the future."""
        answer: asyncio.Future[Answers] = asyncio.get_running_loop().create_future()
        question = Question(agent, records, legal, answer)
        if isinstance(agent, Follower):
            self._own[id(agent)][1].submit(_answer, [question], agent in self._advisers.values())
        else:
            self._work.put(question)
        return answer

    async def ask(self, agent: Agent, records: np.ndarray, legal: np.ndarray) -> Answers:
        """The agent's answers to these tables."""
        return await self.put(agent, records, legal)

    def tell(self, agent: Follower, seat: int, before: np.record, action: int, after: np.record) -> None:
        """Let an agent that remembers see a step."""
        self._own[id(agent)][1].submit(_quietly, agent.follow, 0, seat, before, action, after)

    def tell_all(self, agents: list[Agent], before: np.record | None, action: int, after: np.record) -> None:
        """Let the agents that remember see a step of their table. The first step has no table before."""
        for seat, agent in enumerate(agents):
            if isinstance(agent, Follower):
                copy = after.reshape(1).copy()[0]
                self.tell(agent, seat, copy if before is None else before, action, copy)

    def tell_round(self, agents: list[Agent], record: np.record) -> None:
        """Let those of the agents of a table's four seats that remember see a round that was dealt after a pause."""
        for seat, agent in enumerate(agents):
            if isinstance(agent, Follower):
                copy = record.reshape(1).copy()[0]
                self._own[id(agent)][1].submit(_quietly, agent.new_round, 0, seat, copy)

    def let_go(self, agent: Agent) -> None:
        """Close an agent that belonged to one table, even one that still thinks. This does not wait for it."""
        if isinstance(agent, Follower) and id(agent) in self._own:
            _, thread = self._own.pop(id(agent))
            self._ending.submit(_end, agent, thread)

    def close(self) -> None:
        """End all agents and threads, and wait until it is done."""
        for agent, _ in list(self._own.values()):
            self.let_go(agent)
        self._work.put(None)
        self._thread.join(5)
        for one in self._agents.values():
            one.close()
        self._ending.shutdown(wait=True)

    def _run(self) -> None:
        while True:
            items = [self._work.get()]
            while not self._work.empty():
                items.append(self._work.get())
            questions: dict[int, list[Question]] = {}
            for item in items:
                if item is None:
                    return
                questions.setdefault(id(item.agent), []).append(item)
            for batch in questions.values():
                _answer(batch)


def _step_back() -> None:
    """Let the threads that answer other tables go first, where single threads have a priority (Linux)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BEHIND)


def _quietly(run: Callable[..., object], *values: object) -> None:
    try:
        run(*values)
    except Exception as error:  # an agent is a stranger's code: the table goes on without it
        print(f"suzaku: an agent failed: {error!r}", file=sys.stderr)


def _end(agent: Follower, thread: ThreadPoolExecutor) -> None:
    """Close an agent in its thread, or from outside if that is held up by a program that does not answer."""
    closed = thread.submit(_quietly, agent.close)
    thread.shutdown(wait=False)
    try:
        closed.result(END)
    except LateError:
        thread.shutdown(wait=False, cancel_futures=True)
        _quietly(agent.close)  # its programs end, and so does the wait for them
        thread.shutdown(wait=True)
        _quietly(agent.close)  # one that was started meanwhile


def _answer(batch: list[Question], single: bool = False) -> None:
    """Ask one agent all its questions at once. Nothing came before `single` positions."""
    agent = batch[0].agent
    try:
        records = np.concatenate([question.records for question in batch])
        legal = np.concatenate([question.legal for question in batch])
        if isinstance(agent, Follower) and not single:
            answers = agent.act_at(np.zeros(len(records), np.int64), records, legal)
        else:
            answers = agent.act(records, legal)
        wrong = ~legal[np.arange(len(legal)), answers.actions]
        if wrong.any():
            raise ValueError(f"{agent.name} answers with an action that is not legal")
    except Exception as error:
        for question in batch:
            _deliver(question, None, error)
        return
    start = 0
    for question in batch:
        part = slice(start, start + len(question.records))
        _deliver(question, answers.part(part), None)
        start = part.stop


def _deliver(question: Question, answers: Answers | None, error: Exception | None) -> None:
    def deliver() -> None:
        if question.answer.done():
            return
        if answers is not None:
            question.answer.set_result(answers)
        else:
            question.answer.set_exception(error or RuntimeError("no answer"))

    loop = question.answer.get_loop()
    if not loop.is_closed():
        loop.call_soon_threadsafe(deliver)


class Hints:
    """Works hints out."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self._pool = ThreadPoolExecutor(1, "hints")
        self._looks: dict[str, Any] = {}  # by game

    async def work_out(self, name: str, adviser: Agent, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
        """All that can be said of a decision: a table record (an array of one) and what is legal (bool[1, actions])."""
        answers = await self.inference.ask(adviser, record, legal)
        found = looks_at(adviser.game)
        if found is None:
            return only_opinion(name, answers, record, legal[0])
        looks = self._looks.setdefault(adviser.game, found.Looks())
        looked = await asyncio.get_running_loop().run_in_executor(self._pool, looks.look, record, legal[0])
        return found.hint(name, answers, record, legal[0], looked)

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown(wait=False, cancel_futures=True)
