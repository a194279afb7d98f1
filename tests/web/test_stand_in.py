"""Programs that answer late, wrongly or not at all: the table goes on, and the page is told."""

import asyncio
import json
import time

import pytest

from suzaku.agents.agent import Follower
from suzaku.agents.make import AGENTS
from suzaku.agents.simple import TsumogiriAgent
from suzaku.table.kernels import AWAY
from suzaku.web.room_state import FIRST, LIMIT, Move
from tests.agents.mjai_games import write_bot
from tests.web.conftest import Server

BAD = {
    "nonsense": "def answer(event):\n    return 'pong!'",
    "illegal": "def answer(event):\n    return json.dumps({'type': 'none'})",
    "crash": "def answer(event):\n    os._exit(3)",
}


def turns_of(server: Server, name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[dict], list[int]]:
    """Play some moves against an opponent: the events of stand-ins, and the actions of the table."""
    monkeypatch.setattr(server.lobby, "agents", [*server.lobby.agents, name])
    id = server.new_table(opponents=[name, "tsumogiri", "tsumogiri"])
    client = server.sit(id)
    events: list[dict] = []
    while len(events) < 2:
        view = client.asked()
        events = [e for one in client.messages for e in one.get("events", []) if e["type"] == "stand_in"]
        client.answer(view, 119, 37)
    actions = list(server.lobby.rooms[id].actions)
    text = json.dumps([one for one in client.messages if one["type"] in ("people", "view")])
    client.close()
    assert "bot.py" not in text  # commands and folders are nobody's business
    return events, actions


@pytest.mark.parametrize("why", BAD)
def test_a_program_that_plays_badly_is_told_on_the_page(why, server, tmp_path, monkeypatch, capsys):
    events, actions = turns_of(server, f"mjai:{write_bot(tmp_path, BAD[why])} {{seat}}", monkeypatch)
    assert {event["why"] for event in events} == {why}
    assert any(action >= AWAY for action in actions)  # no decision of the program


# Throws what it draws. The second process takes its time to start; the first ends at its third question.
STARTED_AGAIN = """
again = os.path.exists(__file__ + ".once")
open(__file__ + ".once", "w").close()
asked = 0
def answer(event):
    global asked
    asked += 1
    if again and asked == 1:
        time.sleep(4)
    if not again and asked == 3:
        os._exit(3)
    if event["type"] == "tsumo":
        return json.dumps({"type": "dahai", "actor": event["actor"], "pai": event["pai"], "tsumogiri": True})
    return json.dumps({"type": "none"})
"""


def test_a_program_that_is_started_again_has_the_time_of_a_start(server, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("suzaku.web.room_state.LIMIT", 3.0)
    name = f"mjai:{write_bot(tmp_path, STARTED_AGAIN)} {{seat}}"
    monkeypatch.setattr(server.lobby, "agents", [*server.lobby.agents, name])
    client = server.sit(id := server.new_table(opponents=[name, "tsumogiri", "tsumogiri"], seed=8))
    agent = next(place.agent for place in server.lobby.rooms[id].seats if place.agent_name == name)
    view = client.asked()
    while agent.good < 4 or not agent.faults:
        client.answer(view, 119, 37)
        view = client.asked()
        assert not view["view"].get("settlement")
    assert dict(agent.faults) == {"crash": 1}
    events = [e["why"] for one in client.messages for e in one.get("events", []) if e["type"] == "stand_in"]
    assert events == ["crash"]
    client.close()


def test_a_program_is_not_given_up_before_the_table_gives_it_up(server):
    agent = server.lobby.inference.agent("mjai:program {seat}", "riichi")
    assert agent.limits.answer > LIMIT
    assert agent.limits.start > FIRST
    server.lobby.inference.let_go(agent)


class Slow(Follower, TsumogiriAgent):
    """Takes its time for the first answer, and counts the questions."""

    def __init__(self) -> None:
        self.asked = 0
        self.told = 0

    def follow(self, place, seat, before, action, after):
        self.told += 1

    def act_at(self, places, records, legal):
        self.asked += 1
        if self.asked == 1:
            time.sleep(1.5)
        return self.act(records, legal)


def test_a_program_that_is_late_is_stood_in_for_and_joins_in_later(server, monkeypatch, capsys):
    monkeypatch.setattr("suzaku.web.room_state.FIRST", 0.4)
    monkeypatch.setattr("suzaku.web.room_state.SLOW", 0.1)
    made = []
    monkeypatch.setitem(AGENTS, "slow", lambda rest: made.append(Slow()) or made[-1])
    monkeypatch.setattr(server.lobby, "agents", ["slow", "tsumogiri"])
    id = server.new_table(opponents=["slow", "tsumogiri", "tsumogiri"])
    client = server.sit(id)
    room = server.lobby.rooms[id]
    at = next(i for i, place in enumerate(room.seats) if place.agent_name == "slow")
    while made[0].asked < 3:
        view = client.asked()
        if view["view"].get("settlement"):
            client.send(type="next")
        else:
            time.sleep(0.1)
            client.answer(view, 119, 37)
    events = [e for one in client.messages for e in one.get("events", []) if e["type"] == "stand_in"]
    assert events[0] == {"type": "stand_in", "seat": at, "why": "time-out"}
    told = [one for one in client.messages if one["type"] == "waiting"]
    assert told[0]["limit"] == 0.4
    assert told[0]["seat"] == at
    assert made[0].told >= 12  # it saw what was played meanwhile
    client.close()
    asyncio.run_coroutine_threadsafe(server.lobby.rooms.pop(id).close(), server.loop).result(30)


def test_a_fault_over_a_claim_is_told_when_the_round_is_over(server, monkeypatch):
    """That a program may claim a discard is secret, so is what it does wrong then."""
    from suzaku.riichi.state import CLAIM
    from suzaku.web import room as module

    id = server.new_table(seed=5)
    seats = server.lobby.rooms[id].seats
    asked = []

    async def ask(inference, place, record, legal, slow):
        fault = "nonsense" if record["phase"][0] >= CLAIM else ""
        if place in seats:  # tables of other tests may go on
            asked.append(fault)
        return Move(int(TsumogiriAgent().act(record, legal).actions[0]), fault)

    monkeypatch.setattr(module, "ask_agent", ask)
    client = server.sit(id)
    client.play_round()
    views = [one for one in client.messages if one["type"] == "view"]
    assert "nonsense" in asked
    for view in views[:-1]:
        assert not any(event["type"] == "stand_in" for event in view["events"])
    assert [event["why"] for event in views[-1]["events"] if event["type"] == "stand_in"] == [w for w in asked if w]
    client.close()
