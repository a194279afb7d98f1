"""What one client may take of a server: tables, and the reading of files. Others go on meanwhile."""

import asyncio
import time

import pytest
from fastapi import Request

from suzaku.apps.web.inference import Inference
from suzaku.apps.web.lobby import EMPTY, MOST_OF_ADDRESS, OVER
from suzaku.apps.web.requests import client_of

HERE, ELSEWHERE = {"X-Forwarded-For": "198.51.100.1"}, {"X-Forwarded-For": "198.51.100.2"}
TABLE = {"opponents": ["shanten"] * 3, "people": 2, "pace": 0}


@pytest.fixture
def loads(monkeypatch):
    """The names of the agents that are asked for from now on."""
    found, agent = [], Inference.agent

    def counted(self, name, game):
        found.append(name)
        return agent(self, name, game)

    monkeypatch.setattr(Inference, "agent", counted)
    return found


@pytest.fixture
def tidy(server):
    """Looks for unused tables."""
    return lambda: asyncio.run_coroutine_threadsafe(server.lobby.tidy(), server.loop).result(30)


def test_an_address_has_so_many_tables_and_a_refusal_loads_no_agent(server, loads, monkeypatch, tidy):
    made = [server.ask("/api/tables", TABLE, HERE)["id"] for _ in range(MOST_OF_ADDRESS)]
    assert len(loads) >= 4 * MOST_OF_ADDRESS
    loads.clear()
    for _ in range(50):
        code, told = server.ask("/api/tables", TABLE, HERE)
        assert (code, told.startswith(f"{MOST_OF_ADDRESS} tables were opened")) == (429, True)
    assert loads == []
    others = server.ask("/api/tables", TABLE, ELSEWHERE)["id"]
    monkeypatch.setattr("suzaku.apps.web.lobby.EMPTY", 0.0)
    tidy()
    assert not {*made, others} & set(server.lobby.rooms)
    assert server.ask("/api/tables", TABLE, HERE)["id"]


def test_a_full_server_loads_no_agent(server, loads, monkeypatch):
    monkeypatch.setattr("suzaku.apps.web.protocol.MOST_TABLES", len(server.lobby.rooms))
    assert server.ask("/api/tables", TABLE) == (400, "the server has no room for another table")
    assert loads == []


def test_tables_whose_agents_are_being_loaded_count(server, monkeypatch):
    """Requests that come at once are no way around the limit."""
    monkeypatch.setattr("suzaku.apps.web.lobby.MOST_OF_ADDRESS", 3)

    async def ask():
        from suzaku.apps.web.protocol import NewTable

        tables = (server.lobby.create(NewTable(opponents=["shanten"] * 3), "198.51.100.3") for _ in range(10))
        return await asyncio.gather(*tables, return_exceptions=True)

    found = asyncio.run_coroutine_threadsafe(ask(), server.loop).result(30)
    assert sum(isinstance(one, Exception) for one in found) == 7


def test_an_empty_table_goes_after_a_minute_and_one_with_a_guest_later(server, tidy):
    assert (EMPTY, OVER) == (60, 300)
    empty, waiting = (server.ask("/api/tables", TABLE, ELSEWHERE)["id"] for _ in range(2))
    client = server.sit(waiting)
    client.next("seated")
    client.close()
    rooms = server.lobby.rooms
    while rooms[waiting].is_used():
        time.sleep(0.01)
    for after, left in ((50, {empty, waiting}), (70, {waiting}), (310, set())):
        for id in left | {empty, waiting} & set(rooms):
            rooms[id].used = time.monotonic() - after
        tidy()
        assert {empty, waiting} & set(rooms) == left


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_a_household_is_one_client(host, client):
    assert client_of(Request({"type": "http", "client": (host, 1234)})) == client
    assert client_of(Request({"type": "http"})) == ""
