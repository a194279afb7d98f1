"""The file of games is written in a thread: nobody waits for it, the order stays, nothing is lost."""

import asyncio
import sqlite3
import threading
import time
from contextlib import closing

import pytest

from suzaku.records.library import Library
from suzaku.web.keeper import Keeper, add_move


def numbers(games: Library) -> list[int]:
    base = games.open()
    found = [row[0] for row in base.execute("SELECT action FROM moves ORDER BY number")]
    base.close()
    return found


def test_everything_is_written_in_order_before_the_keeper_ends(tmp_path):
    games = Library(tmp_path / "games.sqlite")
    keeper = Keeper(games)
    for i in range(500):
        keeper.write(lambda base, i=i: add_move(base, "a", i // 2, i))  # the second of two writes must win
    keeper.close()
    assert numbers(games) == [2 * i + 1 for i in range(250)]


def test_a_read_sees_the_writes_before_it(tmp_path):
    games = Library(tmp_path / "games.sqlite")
    keeper = Keeper(games)

    async def look() -> list[int]:
        keeper.write(lambda base: add_move(base, "a", 0, 7))
        return await keeper.read(numbers, games)

    assert asyncio.run(look()) == [7]
    with pytest.raises(ValueError, match="no game"):
        asyncio.run(keeper.read(games.load, "none"))
    keeper.close()


def test_a_change_that_fails_harms_no_other(tmp_path, capsys):
    games = Library(tmp_path / "games.sqlite")
    keeper = Keeper(games)
    keeper.write(lambda base: add_move(base, "a", 0, 1))
    keeper.write(lambda base: 1 / 0)
    keeper.write(lambda base: add_move(base, "a", 1, 2))
    keeper.close()
    assert numbers(games) == [1, 2]
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_busy_file_is_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr("suzaku.web.keeper.PAUSE", 0.05)
    games = Library(tmp_path / "games.sqlite")
    monkeypatch.setattr(Library, "open", lambda self: sqlite3.connect(self.path, timeout=0.05))
    other = sqlite3.connect(games.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    keeper = Keeper(games)
    keeper.write(lambda base: add_move(base, "a", 0, 5))
    threading.Timer(0.4, other.execute, ("ROLLBACK",)).start()
    keeper.close()
    assert numbers(games) == [5]
    other.close()


def test_a_file_that_cannot_be_written_can_still_be_looked_at(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("suzaku.web.keeper.PAUSE", 0.05)
    monkeypatch.setattr("suzaku.web.keeper.BUSY", 20)
    games = Library(tmp_path / "games.sqlite")
    keeper = Keeper(games)
    other = sqlite3.connect(games.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def look() -> None:
        keeper.write(lambda base: add_move(base, "a", 0, 5))
        assert await asyncio.wait_for(keeper.look(numbers, games), 10) == []
        with pytest.raises(sqlite3.OperationalError, match="locked"):  # what needs the change must not go on without
            await asyncio.wait_for(keeper.read(numbers, games), 10)
        other.execute("ROLLBACK")
        while await keeper.look(numbers, games) != [5]:
            await asyncio.sleep(0.02)
        assert await keeper.read(numbers, games) == [5]

    try:
        asyncio.run(look())
    finally:
        other.close()
        keeper.close()
    assert "cannot be written now" in capsys.readouterr().err


def test_what_is_written_outlasts_a_power_cut(tmp_path):
    with closing(Library(tmp_path / "games.sqlite").open()) as base:
        assert base.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL: with a log, less may lose the last moves


def test_a_busy_disk_holds_up_no_table(server):
    """Another program keeps the file locked: a game goes on over the end of a round."""
    client = server.sit(server.new_table(seed=3, opponents=["tsumogiri"] * 3))
    view = client.asked()
    other = sqlite3.connect(server.games.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        began = time.monotonic()
        client.answer(view, 119, 37)
        view = client.play_round()
        client.send(type="next")
        assert client.next("view")["view"].get("settlement") is None
        assert view["view"]["settlement"]
        assert time.monotonic() - began < 8  # the file is waited for 10 seconds
        assert isinstance(server.ask("/api/games"), list)  # and the lobby opens
    finally:
        other.execute("ROLLBACK")
        other.close()
    client.close()


def test_tables_are_changed_in_the_event_loop_alone(server, monkeypatch):
    threads = []

    class Watched(dict):
        def __setitem__(self, key, value):
            threads.append(threading.current_thread())
            super().__setitem__(key, value)

    monkeypatch.setattr(server.lobby, "rooms", Watched(server.lobby.rooms))
    server.new_table()
    assert threads == [server.thread]
