"""Helpers of the mjai tests: games of our table played through events, and little programs that play badly."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from suzaku.agents.agent import Follower
from suzaku.riichi import Rules, Table

Choice = Callable[[Table], int]


def follow_game(agent: Follower, others: Choice, seats: set[int], seed: int, rounds: int, place: int = 0) -> Table:
    """Play some rounds with an agent that follows in some seats, and `others` in the rest; the table at the end."""
    table = Table(Rules.tenhou(), seed, "east")
    for seat in seats:
        agent.follow(place, seat, table.record, -1, table.record)
    while not table.game_over:
        if table.seat in seats:
            record = table.record.reshape(1).copy()
            action = int(agent.act_at(np.array([place]), record, table.legal_mask()[None]).actions[0])
        else:
            action = others(table)
        before = table.record.copy()
        table.act(action)
        for seat in seats:
            agent.follow(place, seat, before, action, table.record.copy())
        if table.round_over:
            rounds -= 1
            if rounds == 0:
                break
            table.next_round()
    return table


def write_bot(folder: Path, body: str) -> str:
    """A program that calls `answer(event)` for every question, and the command that starts it."""
    path = folder / "bot.py"
    path.write_text(
        "import json, sys, time, os\n"
        f"{body}\n"
        "for line in sys.stdin:\n"
        "    event = json.loads(line)\n"
        "    if event.get('can_act') is not False:\n"
        "        print(answer(event), flush=True)\n"
    )
    return f"{sys.executable} {path}"
