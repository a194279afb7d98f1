"""A server process is ended, also by kill -9, and started again: every table goes on where it was."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from suzaku.records.library import Library
from suzaku.web.keeper import Running
from suzaku.web.starting import PROGRESS
from tests.agents.mjai_games import write_bot
from tests.web.conftest import Client, Server

# Throws what it draws, and writes down what it is told.
BOT = """
told = open(os.path.join(os.path.dirname(__file__), f"told-{os.getpid()}"), "a")
def answer(event):
    if event["type"] == "tsumo":
        return json.dumps({"type": "dahai", "actor": event["actor"], "pai": event["pai"], "tsumogiri": True})
    return json.dumps({"type": "none"})
_input = sys.stdin
class Told:
    def __iter__(self):
        for line in _input:
            told.write(line)
            told.flush()
            yield line
sys.stdin = Told()
"""


class Process(Server):
    """`suzaku play` in a process of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "suzaku", "play", "--no-browser", "--port", "0", *words]
        self.process = subprocess.Popen(
            [*command, "--data", str(folder / "games.sqlite")], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)", line)
        assert found, line
        self.host = f"127.0.0.1:{found.group(1)}"
        with suppress(urllib.error.HTTPError):  # there only until the server itself answers
            while urllib.request.urlopen(f"http://{self.host}{PROGRESS}", timeout=60):
                time.sleep(0.1)

    def end(self, number: int) -> int:
        """Send a signal, and wait for the end."""
        self.process.send_signal(number)
        code = self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture
def processes(tmp_path) -> Iterator[Any]:
    """Starts servers with one file of games; none is left behind."""
    started = []

    def start(*words: str) -> Process:
        started.append(Process(tmp_path, *words))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.end(signal.SIGKILL)


def throw(client: Client, times: int) -> dict[str, Any]:
    """Answer some questions; the next one."""
    view = client.asked()
    for _ in range(times):
        client.answer(view, 119, 37)
        view = client.asked()
    return view


def wait_for_writes(games: Library, last: str) -> None:
    """Wait until the file has what was done last: it is written a moment later."""
    with closing(games.open()) as base:
        while not base.execute("SELECT 1 FROM running WHERE instr(data, ?)", (last,)).fetchone():
            time.sleep(0.02)


def same(before: dict[str, Any], after: dict[str, Any]) -> None:
    """The same question at the same table."""
    assert after["view"] == before["view"]
    assert after["legal"] == before["legal"]
    assert after["own"] == before["own"]
    assert after["ask"] > before["ask"]  # an answer to the old question is no answer to this one


def test_every_table_goes_on_after_kill_9(processes, tmp_path):
    bot = f"mjai:{write_bot(tmp_path, BOT)} {{seat}}"
    calm = ["tsumogiri"] * 3
    one = processes("--opponent", bot)

    alone = one.sit(id_alone := one.new_table(opponents=[bot, "tsumogiri", "shanten"], seed=8), name="Aoi")
    token = alone.next("seated")["token"]
    at_bot = [seat["agent"] for seat in alone.next("people")["seats"]].index("bot")
    before = throw(alone, 4)

    id_two = one.new_table(people=2, opponents=calm, timer=60)
    pair = [one.sit(id_two, name="Botan"), one.sit(id_two, name="Chika")]
    seats = [client.next("seated") for client in pair]
    time.sleep(0.5)
    turn = one.ask("/api/mine", {"seats": {id_two: seats[0]["token"]}})
    assert [row["names"][seats[0]["seat"]] for row in turn] == ["Botan"]

    watch = one.sit(id_watch := one.new_table(people=0, opponents=["tsumogiri"] * 4, pace=0.3))
    seen = [watch.next("view") for _ in range(4)][-1]["view"]

    open_table = one.new_table(people=3, opponents=calm)
    host = one.sit(open_table, name="Emi")
    host_token = host.next("seated")["token"]
    host.next("people")

    wait_for_writes(Library(tmp_path / "games.sqlite"), '"Emi"')
    assert one.end(signal.SIGKILL) == -signal.SIGKILL
    told_before = {path.name for path in tmp_path.glob("told-*")}

    two = processes("--opponent", bot)
    assert {(row["id"], row["watch"]) for row in two.ask("/api/tables")} == {(id_watch, True), (open_table, False)}
    wrong = {id_alone: "x" * 24, "nothing": token}
    assert two.ask("/api/mine", {"seats": wrong}) == []
    mine = two.ask("/api/mine", {"seats": {id_alone: token, open_table: host_token}})
    assert [row["id"] for row in mine] == [id_alone, open_table]
    assert two.ask(f"/api/replays/{id_alone}")[0] == 403  # its tiles are still secret
    assert all(game["id"] != id_alone for game in two.ask("/api/games"))

    again = two.sit(id_alone, token)
    assert "Aoi" in [seat["name"] for seat in again.next("people")["seats"]]
    after = again.asked()
    same(before, after)
    again.send(type="act", ask=before["ask"], action=before["legal"][0])
    assert "not asked" in again.next("error")["text"]
    again.answer(after, 119, 37)
    throw(again, 2)
    new = [path for path in tmp_path.glob("told-*") if path.name not in told_before]
    assert len(new) == 1  # the program was started again, and knows the round from its start
    events = [json.loads(line) for line in new[0].read_text().splitlines()]
    assert [event["type"] for event in events[:2]] == ["start_game", "start_kyoku"]
    assert sum(event["type"] == "dahai" and event["actor"] == at_bot for event in events) >= 6

    back = [two.sit(id_two, seat["token"]) for seat in seats]
    views = [client.next("view") for client in back]
    assert [view["me"] for view in views] == [seat["seat"] for seat in seats]
    asked = next(view for view in views if view.get("legal"))
    assert 50 < asked["seconds"] <= 60
    back[views.index(asked)].answer(asked, 119, 37)
    back[views.index(asked)].next("view")

    watch = two.sit(id_watch)
    first = watch.next("view")["view"]
    assert first["indicators"] == seen["indicators"]
    assert first["left"] <= seen["left"]
    assert watch.next("view")["view"]["left"] <= first["left"]  # and it goes on

    guest = two.sit(open_table, name="Fumi")
    assert guest.next("seated")["seat"] >= 0
    assert sorted(seat["name"] for seat in guest.next("people")["seats"] if seat["named"])[-2:] != []
    assert two.end(signal.SIGTERM) in (0, -signal.SIGTERM)


def test_a_server_that_is_stopped_ends_its_programs_and_keeps_its_tables(processes, tmp_path):
    """A program that never answers: the people are told, and it ends with the server."""
    body = (
        "open(os.path.join(os.path.dirname(__file__), f'pid-{os.getpid()}'), 'w').close()\n"
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "def answer(event):\n    time.sleep(1000)\n"
    )
    bot = f"mjai:{write_bot(tmp_path, body)} {{seat}}"
    one = processes("--opponent", bot)
    client = one.sit(id := one.new_table(opponents=[bot] * 3, pace=0))
    token = client.next("seated")["token"]
    while (told := client.next("waiting", "view"))["type"] == "view":
        if told.get("legal"):
            client.answer(told, 119, 37)
    assert told["limit"] == 60
    assert 2 < told["seconds"] < 60
    pids = [int(path.name.removeprefix("pid-")) for path in tmp_path.glob("pid-*")]
    assert pids
    began = time.monotonic()
    assert one.end(signal.SIGTERM) in (0, -signal.SIGTERM)
    assert time.monotonic() - began < 20
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    kept = Running(games := Library(tmp_path / "games.sqlite"))
    assert [table.id for table in kept.all()] == [id]
    assert token in [seat.token for seat in kept.all()[0].seats]
    assert Running(games).all() == []  # a second server does not play the tables of the first
    kept.close()
