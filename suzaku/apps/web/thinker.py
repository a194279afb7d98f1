"""The one thread in which all agents think: questions of all tables that wait at the same time are one batch."""

import asyncio
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from suzaku.agents.agent import Agent, Answers, Follower
from suzaku.agents.make import make_agent

DEFAULT = "suphx"  # who plays, stands in and gives hints unless told otherwise
OFFERED = (DEFAULT, "heuristic", "gao", "weak", "shanten", "tsumogiri", "random")  # what pages may always choose
FOLLOWING = ("mjai:", "mjai.app:")  # programs that must see the whole game
LONGEST = 24  # letters of a label


def gives_hints(name: str) -> bool:
    """Whether the agent of this name has an opinion on single decisions."""
    return not name.startswith(FOLLOWING)


def label(name: str) -> str:
    """A name short enough for the table: paths without their folders, and no more letters than fit."""
    kind, colon, rest = name.partition(":")
    words = " ".join(word.rstrip("/").rpartition("/")[2] for word in rest.split())
    short = kind + colon + words
    return short if len(short) <= LONGEST else short[: LONGEST - 1] + "…"


@dataclass
class Question:
    """Some tables for an agent, and where its answers go."""

    agent: Agent
    records: np.ndarray
    legal: np.ndarray
    answer: "asyncio.Future[Answers]"


@dataclass
class Thinker:
    """Agents by name, and the thread that asks them; one that remembers has a thread of its own, for it may be slow."""

    _work: "queue.SimpleQueue[Question | None]" = field(default_factory=queue.SimpleQueue)
    _agents: dict[str, Agent] = field(default_factory=dict)
    _own: dict[int, ThreadPoolExecutor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._run, name="thinker", daemon=True)
        self._thread.start()

    def agent(self, name: str) -> Agent:
        """The agent of this name; one that remembers is a new one each time. ValueError if there is none."""
        if name in self._agents:
            return self._agents[name]
        agent = make_agent(name)
        if isinstance(agent, Follower):
            self._own[id(agent)] = ThreadPoolExecutor(1, "follower")
        else:
            self._agents[name] = agent
        return agent

    async def ask(self, agent: Agent, records: np.ndarray, legal: np.ndarray) -> Answers:
        """The agent's answers to these tables."""
        answer: asyncio.Future[Answers] = asyncio.get_running_loop().create_future()
        question = Question(agent, records, legal, answer)
        if isinstance(agent, Follower):
            self._own[id(agent)].submit(_answer, [question])
        else:
            self._work.put(question)
        return await answer

    def tell(self, agent: Follower, seat: int, before: np.record, action: int, after: np.record) -> None:
        """Let an agent that remembers see a step."""
        self._own[id(agent)].submit(_quietly, agent.follow, 0, seat, before, action, after)

    def let_go(self, agent: Agent) -> None:
        """Close an agent that belonged to one table."""
        if isinstance(agent, Follower):
            thread = self._own.pop(id(agent))
            thread.submit(_quietly, agent.close)
            thread.shutdown(wait=False)

    def close(self) -> None:
        """End the thread and all agents."""
        self._work.put(None)
        self._thread.join(5)
        for agent in self._agents.values():
            agent.close()

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


def _quietly(run: Callable[..., object], *values: object) -> None:
    try:
        run(*values)
    except Exception as error:  # an agent is a stranger's code: the table goes on without it
        print(f"suzaku: an agent failed: {error!r}", file=sys.stderr)


def _answer(batch: list[Question]) -> None:
    """Ask one agent all its questions at once."""
    agent = batch[0].agent
    try:
        records = np.concatenate([question.records for question in batch])
        legal = np.concatenate([question.legal for question in batch])
        if isinstance(agent, Follower):
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
