"""The web table takes a second game as it is: rooms, the file of games, replays and opinions."""

import sqlite3
import time

import pytest

from suzaku.records.library import Library
from suzaku.review.opinion import rounds_of
from suzaku.table.game import GAMES, game_named
from tests.games.highest_card import GAME, Rules
from tests.web.conftest import Client, Server

NAME = "highest-card"
HIGH, LOW = (f"python:tests.games.highest_card:{one}" for one in ("High", "Low"))


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A server that knows the game, and offers an agent of it beside the usual one."""
    monkeypatch.setitem(GAMES, NAME, "tests.games.highest_card")
    found = Server(tmp_path, [LOW, "tsumogiri"])
    yield found
    found.close()


def new_table(server: Server, **wanted) -> str:
    """A table of the second game."""
    return server.new_table(**{"game": NAME, "length": "short", "opponents": [LOW] * 2, **wanted})


def finished(server: Server, id: str) -> dict:
    """The row of a game, once it is over and among the others."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for row in server.ask("/api/games"):
            if row["id"] == id and row["finished"]:
                return row
        time.sleep(0.05)
    raise AssertionError("the game is not over")


def play(client: Client) -> int:
    """Play the first tile whenever asked, until the game is over; how often that was."""
    answers = 0
    while not (view := client.next("view"))["view"]["over"]:
        if view.get("legal"):
            client.send(type="act", ask=view["ask"], action=view["legal"][0])
            answers += 1
        elif -1 not in view["view"]["played"]:
            client.send(type="next")
    return answers


def test_agents_play_a_table_and_it_is_replayed(server):
    id = new_table(server, people=0, opponents=[HIGH, LOW, LOW], rules="lowest", seed=5)
    client = server.sit(id)
    assert client.next("seated")["seat"] == -1
    first = client.next("view")
    assert set(first["view"]["hands"]) == {"0", "1", "2"}  # who watches agents sees all
    client.send(type="next")
    row = finished(server, id)
    assert (row["game"], row["rules"], row["rounds"]) == (NAME, {"lowest_wins": True}, 3)
    assert row["points"] == row["scores"]
    stored = server.games.load(id)
    assert (stored.game, stored.rules) == (NAME, Rules(lowest_wins=True))
    assert (stored.walls == GAME.walls_of(stored.rules, 5, 0, 3)).all()
    assert rounds_of(stored)[-1].records[-1].scores.tolist() == row["scores"]
    summary = server.ask(f"/api/replays/{id}")
    assert (summary["game"], [one["round"] for one in summary["rounds"]]) == (NAME, [0, 1, 2])
    frames = server.ask(f"/api/replays/{id}/rounds/1")
    assert [frame["event"]["kind"] for frame in frames[1:]] == ["play"] * 3
    assert frames[0]["name"].startswith("play ")
    opinions = server.ask(f"/api/replays/{id}/rounds/1/opinions?agent={LOW}")
    assert sum(one["same"] for one in opinions) >= 2
    assert server.ask(f"/api/replays/{id}/rounds/1/opinions?agent=tsumogiri")[0] == 404  # plays Riichi
    told = f"{id} is of highest-card, which 'mjai' cannot hold: its formats are none"
    assert server.ask(f"/api/replays/{id}/record?format=mjai") == (400, told)
    client.close()


def test_a_person_plays_asks_for_a_hint_and_comes_back_after_a_restart(server, tmp_path):
    id = new_table(server, seed=3)
    client = server.sit(id)
    token = client.next("seated")["token"]
    while not (view := client.next("view")).get("legal"):
        pass
    assert set(view["view"]["hands"]) == {str(view["me"])}  # the others' tiles are not sent
    assert "own" not in view
    client.send(type="act", ask=view["ask"], action=127)
    assert client.next("error")["text"] == "action 127 is not legal now"
    client.send(type="hint", ask=view["ask"])
    hint = client.next("hint")
    assert (hint["agent"], hint["best"], hint["seat"]) == ("High", view["legal"][-1], view["me"])
    client.send(type="hint", ask=view["ask"], agent="tsumogiri")
    assert "there is no agent 'tsumogiri'" in client.next("error")["text"]
    client.send(type="act", ask=view["ask"], action=view["legal"][0])
    client.next("view")
    server.close()
    client.close()

    again = Server(tmp_path, [LOW, "tsumogiri"])
    try:
        back = again.sit(id, token=token)
        assert back.next("seated")["seat"] == view["me"]
        assert play(back) == 2  # two rounds are left
        row = finished(again, id)
        assert rounds_of(again.games.load(id))[0].actions.tolist().count(view["legal"][0]) == 1
        assert row["game"] == NAME
        back.close()
    finally:
        again.close()


def test_what_there_is_not_is_refused_in_a_sentence(server):
    def refused(**wanted) -> tuple[int, str]:
        return server.ask("/api/tables", {"game": NAME, **wanted})

    assert refused(game="chess") == (400, "there is no game 'chess'; there are riichi, mcr, highest-card")
    assert refused(game="richi") == (400, "there is no game 'richi'; did you mean riichi?")
    assert refused(rules="tenhou") == (400, "there are no rules 'tenhou'; there are usual, lowest")
    assert refused(length="hanchan") == (400, "length 'hanchan' is unknown: choose one of short, long")
    assert refused(switches={"red_fives": True}) == (400, "the rules have no switch 'red_fives'")
    other = "agent tsumogiri plays riichi, and the table is of highest-card"
    assert refused(opponents=["tsumogiri"]) == (400, other)
    low = "agent low plays highest-card, and the table is of riichi"
    assert server.ask("/api/tables", {"opponents": [LOW]}) == (400, low)
    options = server.ask(f"/api/options?game={NAME}")
    assert options["rules"] == {"usual": {"lowest_wins": False}, "lowest": {"lowest_wins": True}}
    assert (options["lengths"], options["formats"], options["agent"]) == (["short", "long"], [], HIGH)
    assert server.ask("/api/options?game=chess")[0] == 400


def test_the_games_of_an_older_file_are_of_riichi(tmp_path):
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as base:
        base.execute(
            "CREATE TABLE games (id TEXT PRIMARY KEY, started TEXT, ended TEXT, rules TEXT, seed TEXT, names TEXT, "
            "agents TEXT, scores TEXT, ranks TEXT, points TEXT, finished INTEGER, rounds INTEGER, walls BLOB, "
            "actions BLOB)"
        )
        walls = game_named("riichi").walls_of(game_named("riichi").rules(), 1, 0, 1)
        four = '["a", "b", "c", "d"]', "[25000, 25000, 25000, 25000]", "[0, 1, 2, 3]"
        row = ("old", "2025-01-01", "2025-01-01", "{}", "1", four[0], "[]", *four[1:], "[]", 0, 1, walls.tobytes(), b"")
        base.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
    base.close()
    for _ in range(2):  # the second time there is nothing to add
        games = Library(path)
        assert [(one["id"], one["game"]) for one in games.latest(200)] == [("old", "riichi")]
        assert games.load("old").game == "riichi"
