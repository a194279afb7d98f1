"""Kept games are deleted by who started them, or by anyone at a server that this machine alone reaches."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from suzaku.records.library import Library, RefusedError
from suzaku.records.store import Store, part_name, write_part, write_summary
from suzaku.web.hosts import is_private, own_names
from suzaku.web.keeper import Kept
from tests.records.made import keep_game, made_game
from tests.web.conftest import Server
from tests.web.test_kept import KEPT, put, visit

EXTRA = {
    "started": "2026-01-02T03:04:05+00:00",
    "ended": "2026-01-02T03:24:05+00:00",
    "seed": "1",
    "agents": [None, "shanten", "shanten", "shanten"],
    "points": [],
}


def kept_game(games: Library, owner: str = "secret") -> str:
    """A game in the file; its id."""
    return keep_game(games, made_game(1), **{**EXTRA, "owner": owner})


@pytest.fixture(scope="module")
def public(server, tmp_path_factory):
    """A server that others reach too; what it needs is compiled for the other one."""
    found = Server(tmp_path_factory.mktemp("public"), addresses=["http://192.0.2.7:8686"])
    yield found
    found.close()


def test_only_the_owner_deletes_a_game_at_a_server_that_others_reach(public):
    id = kept_game(public.games)
    [listed] = public.ask("/api/games")
    assert (listed["deletable"], "owner" in listed) == (False, False)
    assert public.ask(f"/api/replays/{id}")["id"] == id  # opened, and so in memory
    for owner in ("", "secre", "secret2"):
        code, why = public.ask(f"/api/games/{id}", {"owner": owner}, method="DELETE")
        assert (code, "only the page that started this game" in why) == (403, True)
    elsewhere = {"Origin": "http://elsewhere.example"}
    assert public.ask(f"/api/games/{id}", {"owner": "secret"}, elsewhere, method="DELETE")[0] == 403
    assert len(public.ask("/api/games")) == 1
    assert public.ask(f"/api/games/{id}", {"owner": "secret"}, method="DELETE") == {"id": id}
    assert public.ask("/api/games") == []
    assert public.ask(f"/api/replays/{id}")[0] == 404
    assert public.ask(f"/api/games/{id}", {"owner": "secret"}, method="DELETE")[0] == 404


def test_nobody_deletes_a_game_that_has_no_owner_at_a_server_that_others_reach(public):
    id = kept_game(public.games, "")
    assert public.ask(f"/api/games/{id}", {"owner": ""}, method="DELETE")[0] == 403


def test_every_game_can_be_deleted_where_this_machine_alone_reaches_the_server(server):
    id = kept_game(server.games, "")
    assert [row["deletable"] for row in server.ask("/api/games") if row["id"] == id] == [True]
    assert server.ask(f"/api/games/{id}", {}, method="DELETE") == {"id": id}
    assert id not in [row["id"] for row in server.ask("/api/games")]


def test_the_games_of_a_store_are_opened_by_a_link_and_stay(server, public, tmp_path):
    stored = made_game(2)
    write_part(tmp_path / part_name(0), [stored], {})
    write_summary(tmp_path, 1, 1, len(stored.walls))
    server.games.add(Store(tmp_path), "arena/some match")
    assert ["arena/some match", 1] in server.ask("/api/sources")
    [listed] = server.ask("/api/games?source=arena/some%20match&player=of%202")
    assert (listed["names"], listed["deletable"]) == (stored.players, False)
    assert listed["id"] not in [row["id"] for row in server.ask("/api/games")]  # those of the page
    assert server.ask("/api/games?source=arena/some%20match&player=nobody") == []
    assert len(server.ask(f"/api/replays/{listed['id']}")["rounds"]) == len(stored.walls)
    assert server.ask(f"/api/games/{listed['id']}", {}, method="DELETE")[0] == 403
    public.games.add(Store(tmp_path), "arena/some match")  # where others come, they are nobody's business
    assert [name for name, _ in public.ask("/api/sources")] in ([], ["page"])
    assert listed["id"] not in [row["id"] for row in public.ask("/api/games?source=arena/some%20match")]
    assert public.ask(f"/api/replays/{listed['id']}")[0] == 404


def test_a_game_that_is_played_is_not_deleted(public):
    made = public.ask("/api/tables", {"opponents": ["shanten"] * 3, "pace": 0})
    assert public.ask(f"/api/games/{made['id']}", {"owner": made["owner"]}, method="DELETE") == (
        403,
        "this game is still being played",
    )


@pytest.mark.parametrize(
    ("host", "allowed", "addresses", "private"),
    [
        ("127.0.0.1", [], [], True),
        ("localhost", [], [], True),
        ("127.0.0.1", ["mahjong.example"], [], False),  # a proxy lets others in
        ("0.0.0.0", [], ["http://192.0.2.7:8686"], False),
        ("0.0.0.0", [], [], False),
    ],
)
def test_a_server_is_private_if_nobody_else_reaches_it(host, allowed, addresses, private):
    assert is_private(own_names(host, allowed), addresses) is private


def test_the_secret_outlasts_the_server_and_goes_into_the_file(tmp_path):
    games = Library(tmp_path / "games.sqlite")
    put(games, [])
    with closing(games.open()) as base, base:
        Kept(*[getattr(KEPT, name) for name in KEPT.__struct_fields__[:-1]], "mine").put(base)

    async def check(lobby):
        room = await lobby.find("a")
        assert room.kept().owner == "mine"
        assert room.kept().row(room.table, room.walls, [])["owner"] == "mine"

    asyncio.run(visit(games, check))


def test_a_file_of_an_older_suzaku_has_games_of_nobody(tmp_path):
    path = tmp_path / "games.sqlite"
    id = kept_game(Library(path))
    with closing(sqlite3.connect(path)) as base, base:
        columns = [row[1] for row in base.execute("PRAGMA table_info(games)") if row[1] != "owner"]
        base.execute(f"CREATE TABLE older AS SELECT {', '.join(columns)} FROM games")
        base.execute("DROP TABLE games")
        base.execute("ALTER TABLE older RENAME TO games")
    games = Library(path)
    with pytest.raises(RefusedError, match="only the page"):
        games.delete(id, "", anyone=False)
    games.delete(id, "", anyone=True)
    assert games.latest(200) == []
