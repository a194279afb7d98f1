"""Helpers of the mjai tests: games of our table played through events, and little programs that play badly."""

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from suzaku.agents.agent import Follower
from suzaku.riichi import Rules, Table

Choice = Callable[[Table], int]

HAND = ["1m", "1m", "4m", "5m", "1p", "5p", "8p", "1s", "4s", "4s", "6s", "8s", "N"]
START = {
    "type": "start_kyoku", "bakaze": "S", "dora_marker": "3s", "kyoku": 3, "honba": 1, "kyotaku": 2, "oya": 2,
    "scores": [22000, 23700, 26000, 28300], "tehais": [["?"] * 13, HAND, ["?"] * 13, ["?"] * 13],
}  # fmt: skip
DRAW = {"type": "tsumo", "actor": 2, "pai": "?"}
DISCARD = {"type": "dahai", "actor": 2, "pai": "1m", "tsumogiri": False}
OWN_DRAW = [
    START, DRAW, {**DISCARD, "pai": "9s"}, {"type": "tsumo", "actor": 3, "pai": "?"},
    {"type": "dahai", "actor": 3, "pai": "9p", "tsumogiri": True}, {"type": "tsumo", "actor": 0, "pai": "?"},
    {"type": "dahai", "actor": 0, "pai": "9p", "tsumogiri": True}, {"type": "tsumo", "actor": 1, "pai": "W"},
]  # fmt: skip


def replay_game(agent: Follower, others: Choice, seats: set[int], seed: int, rounds: int, place: int = 0) -> Table:
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
    return shlex.join([sys.executable, str(path)])


HANGING = (  # it and a process of its own that would both stay for ever
    "import subprocess\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'])\n"
    "with open(sys.argv[1], 'w') as file: file.write(f'{os.getpid()} {child.pid}\\n')\n"
    "time.sleep(100)\n"
)


def pids_in(path: Path) -> list[int]:
    """The numbers that a hanging program wrote down."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (path.exists() and path.read_text().endswith("\n")):
        time.sleep(0.02)
    return [int(word) for word in path.read_text().split()]


def running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def all_end(pids: list[int], seconds: float = 10) -> bool:
    """Whether processes have ended within some seconds."""
    deadline = time.monotonic() + seconds
    while any(map(running, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(running, pids))


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
