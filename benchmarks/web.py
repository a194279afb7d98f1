"""The web table: from start to the first page, and how long a move takes with one table and with fifty.

    python benchmarks/web.py [--tables 50] [--seconds 20] [--think 0.5] [--agent NAME] [--beside weak:adapt=1000]

Starts `suzaku play` in a process of its own and plays it over websockets: every client discards what it draws,
`--think` seconds after it is asked. A reply is the first view after an answer. With `--beside` the one table is
measured once more while another one plays against three agents of that name, such as ones that adapt. Compile first
(`suzaku play`, once).
"""

import argparse
import asyncio
import itertools
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from websockets.asyncio.client import connect

ADDRESSES = itertools.cycle(f"192.0.2.{i}" for i in range(250))
LIMITS = {"first page": 5.0, "one table": 0.3, "many tables": 1.0}  # seconds, as promised


def start(folder: str, *agents: str) -> tuple[subprocess.Popen, str, float]:
    """A server, its address, and the seconds until it answered with the first page."""
    began = time.perf_counter()
    command = [
        sys.executable,
        "-m",
        "suzaku",
        "play",
        "--no-browser",
        "--port",
        "0",
        "--data",
        f"{folder}/games.sqlite",
        *(word for agent in agents if agent for word in ("--opponent", agent)),
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    found = re.search(r"http://localhost:\d+", server.stdout.readline())
    assert found, "the server did not start"
    while not _opened(found.group()):  # a server that is starting says so
        time.sleep(0.05)
    return server, found.group(), time.perf_counter() - began


def _opened(address: str) -> bool:
    try:
        urllib.request.urlopen(address).read()
    except urllib.error.HTTPError as problem:
        if problem.code != 503:
            raise
        return False
    return True


async def client(address: str, agent: str, think: float, until: float, replies: list[float]) -> None:
    """Play at a table of one's own, and note how long each reply takes."""
    table_request = {"opponents": [agent] * 3 if agent else [], "pace": 0}
    own = {"X-Forwarded-For": next(ADDRESSES)}  # as behind a proxy: tables of one address are limited
    request = urllib.request.Request(f"{address}/api/tables", json.dumps(table_request).encode(), own)
    id = json.loads((await asyncio.to_thread(urllib.request.urlopen, request)).read())["id"]
    sent = 0.0
    async with connect(f"{address.replace('http', 'ws')}/ws/{id}") as socket:
        await socket.send('{"type": "join"}')
        while time.perf_counter() < until:
            message = json.loads(await socket.recv())
            if message["type"] != "view":
                continue
            if sent:
                replies.append(time.perf_counter() - sent)
                sent = 0.0
            if message["view"].get("ranking"):
                return
            if message["view"].get("settlement"):
                await socket.send('{"type": "next"}')
            elif message.get("legal"):
                await asyncio.sleep(think)
                action = next((a for a in (116, 117, 119, 37) if a in message["legal"]), message["legal"][0])
                await socket.send(json.dumps({"type": "act", "ask": message["ask"], "action": action}))
                sent = time.perf_counter()


async def measure(address: str, agent: str, tables: int, think: float, seconds: float, beside: str = "") -> list[float]:
    """The replies of so many tables, and not those of one `beside` them."""
    replies: list[float] = []
    until = time.perf_counter() + seconds
    other = asyncio.create_task(client(address, beside, think, until, [])) if beside else None
    await asyncio.gather(*(client(address, agent, think, until, replies) for _ in range(tables)))
    if other:
        other.cancel()
    return sorted(replies)


def row(name: str, replies: list[float], limit: float) -> None:
    """Print a line of the table."""
    middle, late, worst = replies[len(replies) // 2], replies[len(replies) * 99 // 100], replies[-1]
    kept = "yes" if worst < limit else "no"
    print(
        f"| {name} | {len(replies):,} | {1000 * middle:.0f} ms | {1000 * late:.0f} ms | {1000 * worst:.0f} ms "
        f"| {1000 * limit:.0f} ms | {kept} |"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--think", type=float, default=0.5)
    parser.add_argument("--agent", default="")
    parser.add_argument("--beside", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, address, first = start(folder, options.agent, options.beside)
        try:
            print(f"start to first page: {first:.1f} s (promised: {LIMITS['first page']:.0f} s)\n")
            print("| tables | replies | median | 99 % | slowest | promised | kept |")
            print("|---|---:|---:|---:|---:|---:|---|")
            one = asyncio.run(measure(address, options.agent, 1, 0.02, options.seconds / 2))
            row("1", one, LIMITS["one table"])
            if options.beside:
                words = address, options.agent, 1, 0.02, options.seconds, options.beside
                row(f"1, beside one of {options.beside}", asyncio.run(measure(*words)), LIMITS["one table"])
            many = asyncio.run(measure(address, options.agent, options.tables, options.think, options.seconds))
            row(str(options.tables), many, LIMITS["many tables"])
        finally:
            server.terminate()
            server.wait(10)


if __name__ == "__main__":
    main()
