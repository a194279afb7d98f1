"""The library lists the games of stores and those of the page, finds them again, and changes no store."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from suzaku.records.library import PAGE, Library, RefusedError, in_library, one_in_library
from suzaku.records.store import Store, part_name, write_part, write_summary
from suzaku.records.stored import Stored, hash_name
from suzaku.records.types import RecordError
from tests.records.made import keep_game, made_game

MANY = 100


def make_store(folder, games: list[Stored]) -> Store:
    """A store of these games, in parts of two."""
    folder.mkdir()
    for part in range(0, len(games), 2):
        write_part(folder / part_name(part // 2), games[part : part + 2], {})
    write_summary(folder, -(-len(games) // 2), len(games), 0)
    return Store(folder)


@pytest.fixture
def library(tmp_path, monkeypatch) -> Library:
    """The user's library, with a game of the page."""
    monkeypatch.setenv("SUZAKU_DATA", str(tmp_path / "data"))
    found = Library()
    stored = replace(made_game(1), players=["Äoi", "suphx", "100%", 'a "b"'])
    keep_game(found, stored, started="2026-01-02T03:04:05+00:00", agents=[None, "suphx", "suphx", "suphx"], seed="5")
    return found


def names(library: Library, **asked) -> list[str]:
    return [row["id"] for row in library.latest(MANY, **asked)]


def test_the_games_of_a_store_are_listed_and_found(library, tmp_path):
    games = [replace(made_game(seed), source="arena" if seed == 2 else "file") for seed in (2, 3, 4)]
    store = make_store(tmp_path / "store", games)
    before = {path: path.read_bytes() for path in store.path.iterdir()}
    library.add(store, "store/mine")
    library.add(store, "store/mine")  # in place of the rows it had
    assert library.sources() == [(PAGE, 1), ("store/mine", 3)]
    assert {path: path.read_bytes() for path in store.path.iterdir()} == before
    rows = {row["id"].rpartition(".")[0]: row for row in library.latest(MANY, source="store/mine")}
    for stored in games:
        row, again = rows[stored.id], library.load(rows[stored.id]["id"])
        assert (row["names"], row["scores"], row["ranks"]) == (stored.players, stored.scores, stored.ranks)
        assert (row["finished"], row["rounds"], row["game"]) == (1, len(stored.walls), "riichi")
        assert row["agents"] == (stored.players if stored.source == "arena" else [None] * 4)
        assert (again.walls == stored.walls).all()
        assert (again.actions == stored.actions).all()
        assert (again.id, again.rules, again.players) == (stored.id, stored.rules, stored.players)
    assert rows[made_game(2).id]["started"] == "2012-04-21T03:00:00+00:00"  # 12 o'clock in Japan


def test_two_stores_may_hold_the_same_game(library, tmp_path):
    for name in ("one", "two"):
        library.add(make_store(tmp_path / name, [made_game(2)]), f"store/{name}")
    assert len(set(names(library))) == 3
    with pytest.raises(RecordError, match="2 games have an id that begins with 'made-game-0002'"):
        one_in_library("made-game-0002")
    shutil.rmtree(tmp_path / "one")
    library.add(Store(tmp_path / "two"), "store/two")
    assert library.sources() == [(PAGE, 1), ("store/two", 1)]
    assert one_in_library("made-game-0002").id == made_game(2).id
    shutil.rmtree(tmp_path / "two")
    with pytest.raises(RecordError, match="is not a store of games"):
        one_in_library("made-game-0002")


def test_games_are_found_by_player_source_and_date(library, tmp_path):
    hashed = replace(made_game(2), players=[hash_name(name) for name in ("Suphx", "b", "c", "d")])
    library.add(make_store(tmp_path / "store", [hashed]), "store/x")
    page, listed = names(library)
    assert page == made_game(1).id
    there = {"äo": [page], "0%": [page], 'a "b"': [page], "Suphx": [page, listed], "phx": [page], "_": [], "é": []}
    for player, found in there.items():
        assert names(library, player=player) == found, player
    assert names(library, source=PAGE) == [page]
    assert names(library, since="2026") == names(library, since="20260102") == [page]
    assert names(library, since="2012042103") == [page, listed]
    assert names(library, since="20260103") == []
    assert names(library, source="store/x", player="Suphx", since="2012") == [listed]
    assert library.latest(1)[0]["id"] == page


def test_a_name_is_a_source_or_how_an_id_begins(library, tmp_path):
    library.add(make_store(tmp_path / "store", [made_game(2), made_game(3)]), "store/x")
    assert [stored.id for stored in in_library("store/x")] == [made_game(2).id, made_game(3).id]
    assert [stored.id for stored in in_library(PAGE)] == [made_game(1).id]
    assert one_in_library("made-game-0001").players[0] == "Äoi"
    assert in_library("mad") is None  # too short to be meant
    assert in_library("other") is None
    assert in_library(str(tmp_path)) is None  # a path
    with closing(library.open()) as base, base:
        base.execute("INSERT INTO running VALUES (?, '')", (made_game(1).id,))
    assert in_library(PAGE) is None  # still played
    with pytest.raises(RefusedError, match="still being played"):
        library.load(made_game(1).id)


def test_a_game_of_a_store_is_not_deleted(library, tmp_path):
    library.add(make_store(tmp_path / "store", [made_game(2)]), "store/x")
    (id,) = names(library, source="store/x")
    with pytest.raises(RefusedError, match="only the page"):
        library.delete(id, "", anyone=True)
    assert len(names(library)) == 2


def test_a_file_that_another_program_writes_is_read(library, tmp_path, monkeypatch):
    other = sqlite3.connect(library.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        assert one_in_library("made-game-0001").players[0] == "Äoi"
        waiting = sqlite3.connect(library.path, timeout=0.05)
        waiting.row_factory = sqlite3.Row
        monkeypatch.setattr(Library, "open", lambda self: waiting)
        with pytest.raises(ValueError, match=r"cannot be listed there .*locked"):
            library.add(make_store(tmp_path / "store", [made_game(2)]), "store/x")
    finally:
        other.close()


def test_nothing_is_made_by_looking_for_a_game(tmp_path, monkeypatch):
    monkeypatch.setenv("SUZAKU_DATA", str(tmp_path / "data"))
    assert in_library("anything") is None
    assert not (tmp_path / "data").exists()
