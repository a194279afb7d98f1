"""What one client may take of a server: tables, and the reading of files. Others go on meanwhile."""

import asyncio
import gzip
import os
import signal
import threading
import time

import pytest
from fastapi import Request

from suzaku.records.formats import write_game
from suzaku.web.inference import Inference
from suzaku.web.lobby import EMPTY, MOST_OF_ADDRESS, OVER
from suzaku.web.uploads import client_of
from suzaku.workers.workers import GoneError
from tests.records.made import told

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
    monkeypatch.setattr("suzaku.web.lobby.EMPTY", 0.0)
    tidy()
    assert not {*made, others} & set(server.lobby.rooms)
    assert server.ask("/api/tables", TABLE, HERE)["id"]


def test_a_full_server_loads_no_agent(server, loads, monkeypatch):
    monkeypatch.setattr("suzaku.web.protocol.MOST_TABLES", len(server.lobby.rooms))
    assert server.ask("/api/tables", TABLE) == (400, "the server has no room for another table")
    assert loads == []


def test_tables_whose_agents_are_being_loaded_count(server, monkeypatch):
    """Requests that come at once are no way around the limit."""
    monkeypatch.setattr("suzaku.web.lobby.MOST_OF_ADDRESS", 3)

    async def ask():
        from suzaku.web.protocol import NewTable

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


def never_done(text, name):
    """Reads a file for ever."""
    while True:
        pass


@pytest.fixture
def uploads(server):
    """The files under way."""
    return server.app.state.uploads


def test_tables_answer_while_a_file_is_read_and_a_client_sends_one_at_a_time(server, uploads, monkeypatch):
    uploads._let_go()
    monkeypatch.setattr(uploads, "read", never_done)
    monkeypatch.setattr("suzaku.web.uploads.SECONDS", 2.0)
    monkeypatch.setattr("suzaku.web.uploads.missing", lambda part: [])
    monkeypatch.setattr("suzaku.web.uploads.TURN", 0.1)
    found = []
    sending = threading.Thread(target=lambda: found.append(server.ask("/api/replays?name=x", b"x", HERE)))
    sending.start()
    waited, refused = [], []
    while sending.is_alive():
        began = time.monotonic()
        assert server.ask("/api/options")["games"]
        waited.append(time.monotonic() - began)
        if uploads._clients and not refused:
            refused = [server.ask("/api/replays?name=x", b"x", client)[1] for client in (HERE, ELSEWHERE)]
    assert max(waited) < 1
    assert len(waited) > 10
    assert "send one at a time" in refused[0]
    assert "files of others are being read" in refused[1]
    assert found == [(400, "the file takes longer than 2 seconds to read")]
    monkeypatch.undo()
    assert len(server.ask("/api/replays?name=x", write_game(told(1), "mjai"), HERE)) == 1


def test_only_so_many_clients_send_files_at_the_same_time(server, uploads, monkeypatch):
    monkeypatch.setattr("suzaku.web.uploads.MOST", 0)
    code, text = server.ask("/api/replays?name=x", b"x")
    assert (code, "try again in a moment" in text) == (503, True)


def test_a_file_that_does_not_arrive_is_not_waited_for(server, uploads, monkeypatch):
    import socket

    monkeypatch.setattr("suzaku.web.uploads.ARRIVAL", 0.1)
    with socket.create_connection(server.listener.getsockname(), timeout=30) as client:
        head = f"POST /api/replays HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 100\r\n\r\nx"
        client.sendall(head.encode())
        assert b" 408 " in client.recv(1000)
    assert not uploads._clients


def test_a_process_that_ends_is_replaced_once(server, uploads, monkeypatch):
    game = write_game(told(1), "mjai")
    assert len(server.ask("/api/replays?name=x", game)) == 1
    first = uploads._process.pid
    os.kill(first, signal.SIGKILL)
    assert len(server.ask("/api/replays?name=x", game)) == 1
    assert uploads._process.pid != first

    def gone(*_):
        raise GoneError("was ended from outside by SIGKILL")

    monkeypatch.setattr(uploads, "_ask_process", gone)
    assert server.ask("/api/replays?name=x", game) == (400, "the process that reads the file ends before it is done")


def test_a_bomb_is_refused_in_a_sentence(server):
    code, text = server.ask("/api/replays?name=x.gz", gzip.compress(bytes(1 << 20)) * 260)
    assert code == 400
    assert "more than 8 MB" in text


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="Windows cannot suspend a process by a signal")
def test_a_suspended_process_is_not_waited_for(server, uploads, monkeypatch):
    assert server.ask("/api/replays?name=x", b"x")[0] == 400
    os.kill(uploads._process.pid, signal.SIGSTOP)
    monkeypatch.setattr("suzaku.web.uploads.SECONDS", 0.3)
    monkeypatch.setattr("suzaku.web.uploads.missing", lambda part: [part])
    code, text = server.ask("/api/replays?name=x", b" " * (8 << 20))  # more than a pipe holds
    assert (code, "still being compiled" in text) == (400, True)
