"""Asking an agent in its turn: programs have a limit, and who gives no sound answer is stood in for."""

import asyncio
import contextlib
import sys
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from suzaku.agents.agent import Answers, Follower
from suzaku.agents.make import make_agent
from suzaku.agents.mjai.answer import TIME_OUT
from suzaku.agents.program import ProgramAgent
from suzaku.apps.web.inference import Inference
from suzaku.apps.web.seats import Seat
from suzaku.game import game_named

FIRST = 60.0  # seconds a program has for the first answer of its process: it may have to load a network
LIMIT = 10.0  # for every other one
SLOW = 3.0  # seconds after which the people at the table are told who is waited for
FAILED = "failed"


class Move(NamedTuple):
    """What is played for a seat; `why` says what was wrong if it is not the agent's own choice."""

    action: int
    why: str = ""


async def ask_agent(
    inference: Inference,
    place: Seat,
    record: np.ndarray,
    legal: np.ndarray,
    slow: Callable[[float, float | None], None],
) -> Move:
    """The move of a seat's agent, or of the game's stand-in; Riichi's throws what it draws and calls nothing.

    `slow` is called with the seconds waited and the limit if it takes long. A program that is still busy with an
    earlier question is not waited for again: it joins in when it is ready.
    """
    if place.late is not None and not place.late.done():
        return Move(_stand_in(place, record, legal), TIME_OUT)
    faults = _faults(place)
    limit = _limit(place, int(record["seat"][0]))
    answer = inference.put(place.agent, record, legal)
    telling = asyncio.get_running_loop().call_later(SLOW, slow, SLOW, limit)
    try:
        if limit is not None:
            await asyncio.wait({answer}, timeout=limit)
        else:
            with contextlib.suppress(Exception):  # told below
                await answer
    finally:
        telling.cancel()
    place.answered = True
    if not answer.done():
        place.late = answer
        print(f"suzaku: {place.agent_name}: no answer within {limit:g} seconds", file=sys.stderr)
        return Move(_stand_in(place, record, legal), TIME_OUT)
    return _move(place, answer, faults, record, legal)


def _limit(place: Seat, seat: int) -> float | None:
    """Seconds that the agent has for its next answer."""
    if isinstance(place.agent, ProgramAgent):
        return FIRST if place.agent.starts(0, seat) else LIMIT
    limited = isinstance(place.agent, Follower) and not place.agent.keeps_time
    return (LIMIT if place.answered else FIRST) if limited else None


def _move(
    place: Seat, answer: "asyncio.Future[Answers]", faults: Counter[str], record: np.ndarray, legal: np.ndarray
) -> Move:
    try:
        action = int(answer.result().actions[0])
    except Exception as error:
        print(f"suzaku: {place.agent_name} gives no answer: {error!r}", file=sys.stderr)
        return Move(_stand_in(place, record, legal), FAILED)
    new = _faults(place) - faults
    return Move(action, next(iter(new), ""))


def _stand_in(place: Seat, record: np.ndarray, legal: np.ndarray) -> int:
    game = place.agent.game
    agent = make_agent(game_named(game).stand_in, game)
    return int(agent.act(record, legal).actions[0])


def _faults(place: Seat) -> Counter[str]:
    """What a program did wrong so far, counted; its agent has played the stand-in's move then."""
    return Counter(getattr(place.agent, "faults", {}))
