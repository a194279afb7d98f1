"""How long bots of Botzone take for an answer: `suzaku bot --game mcr`, and the package in plain Python.

python benchmarks/mcr_bot.py [--games 10] [--agent mcr] [--python python3.6]

Every request of some hands of four `heuristic` players is sent to a process that is kept running. All times are CPU
times of that process. `start` is from its start to its first answer; the median is of answers that are no pass, the
rest of all; `alone` is a step at the middle of a hand where the process is started for it, as Botzone does by default.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from suzaku.agents.botzone.bot import KEEP_RUNNING
from suzaku.agents.botzone.package import write_package
from suzaku.agents.botzone.process import _Seat
from suzaku.agents.make import make_agent
from suzaku.mcr import Table


def requests_of(seed: int) -> list[list[str]]:
    """What each seat is sent in a hand."""
    agent, table = make_agent("heuristic", "mcr"), Table(seed=seed)
    seats = [_Seat(None, seat) for seat in range(4)]  # type: ignore[arg-type]
    for one in seats:
        one.follow(table.record, -1, table.record)
    while not table.game_over:
        before = table.record.copy()
        action = int(agent.act(table.record.reshape(1).copy(), table.legal_mask()[None]).actions[0])
        table.act(action)
        for one in seats:
            one.follow(before, action, table.record)
    return [one._requests for one in seats]


def used(pid: int) -> float:
    """Seconds that the processors have worked for a process, as Linux counts them."""
    nanoseconds = Path(f"/proc/{pid}/schedstat").read_text().split()[0]
    return int(nanoseconds) / 1e9


def kept(command: list[str], requests: list[str]) -> tuple[float, list[float], list[str]]:
    """CPU seconds to the first answer, those of each other answer, and all answers."""
    run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert run.stdin is not None
    assert run.stdout is not None
    times, answers, before = [], [], 0.0
    for i, request in enumerate(requests):
        run.stdin.write(("1\n" if i == 0 else "") + request + "\n")
        run.stdin.flush()
        answers.append(run.stdout.readline().strip())
        assert run.stdout.readline().strip() == KEEP_RUNNING
        after = used(run.pid)
        times.append(after - before)
        before = after
    run.stdin.close()
    run.wait()
    return times[0], times[1:], answers


def alone(command: list[str], requests: list[str], answers: list[str]) -> float:
    """CPU seconds of a step whose process is started for it, at the middle of the hand."""
    n = len(requests) // 2
    text = json.dumps({"requests": requests[: n + 1], "responses": answers[:n]})
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=text + "\n", capture_output=True, text=True, check=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--agent", default="heuristic", help="one with networks needs a Python with NumPy")
    parser.add_argument("--python", default=sys.executable, help="the Python that runs the package")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "bot.zip"
        write_package(package, given.agent)
        bots = {
            "suzaku bot": [sys.executable, "-m", "suzaku", "bot", "--game", "mcr", "--agent", given.agent],
            "package": [given.python, "-I", str(package)],
        }
        print("| bot | start | median | 99 % | slowest | answers | alone |\n|---|---:|---:|---:|---:|---:|---:|")
        hands = [requests_of(1000 + game) for game in range(given.games)]
        for name, command in bots.items():
            starts, times, single, moves = [], [], [], []
            for game, hand in enumerate(hands):
                requests = hand[game % 4]
                start, found, answers = kept(command, requests)
                starts.append(start)
                times += found
                moves += [t for t, answer in zip(found, answers[1:], strict=True) if answer != "PASS"]
                if game < 3:
                    single.append(alone(command, requests, answers))
            ms = 1000 * np.array(times)
            figures = (1000 * np.median(moves), np.percentile(ms, 99), ms.max())
            row = " | ".join(f"{one:.1f} ms" for one in figures)
            print(f"| {name} | {np.median(starts):.2f} s | {row} | {len(ms):,} | {np.median(single):.2f} s |")


if __name__ == "__main__":
    main()
