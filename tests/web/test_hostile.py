"""A hostile client: bad messages, foreign seats, floods. The table goes on for everybody else."""

import json
import time
from contextlib import closing

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from suzaku.web import protocol
from tests.web.conftest import Client

BAD = [
    "", "nonsense", "[]", "{}", "null", "0", '"join"', "{" * 500, "[" * 3000, '{"type":"act"}', '{"type":"steal"}',
    '{"type":"act","ask":1,"action":128}', '{"type":"act","ask":1,"action":-1}', '{"type":"act","ask":1,"action":1.5}',
    '{"type":"act","ask":1,"action":37,"seat":2}', '{"type":"act","ask":"1","action":37}',
    '{"type":"act","ask":1e400,"action":0}',
    '{"type":"act","ask":99999999999999999999999,"action":37}', '{"type":"hint"}',
    '{"type":"join","token":"' + "x" * 100 + '"}',
    '{"type":"join","name":7}', '{"type":"act","ask":1,"action":37,"discard":128}', "\ud83c\udc04" * 50,
]  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_a_bad_message_is_refused(text):
    with pytest.raises(ValueError):
        protocol.read_message(text)


def test_bad_messages_leave_the_table_unharmed(server):
    id = server.new_table()
    client = server.sit(id)
    view = client.asked()
    hostile = Client(server, id)
    for text in BAD[:15]:
        hostile.socket.send(text)
        error = hostile.next("error")
        assert error["code"] == "bad_message"
        assert error["text"] == error["values"]["reason"]
    hostile.socket.send(b"\x00\xff\xfe")
    assert hostile.next("error")["text"]
    hostile.close()
    client.answer(view, 119, 37)
    assert client.next("view")
    client.close()


def test_nobody_acts_for_another_seat(server):
    id = server.new_table(people=2)
    one, two = server.sit(id), server.sit(id)
    seats = [client.next("seated")["seat"] for client in (one, two)]
    while server.lobby.rooms[id].question is None:
        time.sleep(0.01)
    asked, other = (one, two) if server.lobby.rooms[id].question.seat == seats[0] else (two, one)
    view = asked.asked()
    for ask in (view["ask"], view["ask"] + 1, 0):
        other.send(type="act", ask=ask, action=view["legal"][0])
        assert "not asked" in other.next("error")["text"]
        other.send(type="hint", ask=ask)
        assert "not asked" in other.next("error")["text"]
    before = list(server.lobby.rooms[id].actions)
    asked.send(type="act", ask=view["ask"] + 1, action=view["legal"][0])
    assert "not asked" in asked.next("error")["text"]
    illegal = next(a for a in range(120) if a not in view["legal"])
    asked.send(type="act", ask=view["ask"], action=illegal)
    assert "not legal" in asked.next("error")["text"]
    assert server.lobby.rooms[id].actions == before
    stranger = Client(server, id)
    stranger.send(type="act", ask=view["ask"], action=view["legal"][0])
    assert "sit down" in stranger.next("error")["text"]
    for token in ("", "x", "A" * 24, "é" * 20):
        stranger.send(type="join", token=token)
        assert "no seat" in stranger.next("error")["text"]
    asked.answer(view)
    asked.next("view")
    for client in (one, two, stranger):
        client.close()


def test_a_riichi_discard_that_does_not_keep_the_hand_waiting_is_refused(server):
    from tests.riichi.dealt import RIICHI

    room = server.dealt_table([RIICHI])
    client = server.sit(room.id)
    view = client.asked()
    assert 38 in view["legal"]
    bad = next(a for a in view["legal"] if a <= 37 and a not in view["then"])
    client.send(type="act", ask=view["ask"], action=38, discard=bad)
    assert "cannot follow" in client.next("error")["text"]
    assert room.actions == []
    client.send(type="act", ask=view["ask"], action=38, discard=37)
    assert client.next("view")["view"]["seats"][0]["river"] == [["9p", "drl"]] or room.actions[:2] == [38, 37]
    client.close()


def ends(client, texts):
    """Whether the server closes the connection when these texts are sent."""
    try:
        for text in texts:
            client.socket.send(text)
        while True:
            client.socket.recv(5)
    except (ConnectionClosed, OSError) as error:
        return not isinstance(error, TimeoutError)


def test_a_flood_and_a_huge_message_end_the_connection_alone(server):
    id = server.new_table()
    client = server.sit(id)
    view = client.asked()
    flood = Client(server, id)
    assert ends(flood, ['{"type":"start"}'] * 1000)
    assert ends(Client(server, id), [json.dumps({"type": "join", "name": "x" * 200_000})])
    client.answer(view, 119, 37)
    assert client.next("view")
    client.close()


def test_other_sites_and_unknown_tables_get_nothing(server):
    id = server.new_table()
    with pytest.raises(InvalidStatus):
        Client(server, id, origin="http://evil.example")
    code, text = server.ask("/api/tables", {}, {"Origin": "http://evil.example"})
    assert code == 403, text
    lost = Client(server, "nothing-here")
    assert lost.next("closed")["reason"] == "gone"
    lost.close()


@pytest.mark.parametrize(
    "table_request",
    [
        {"opponents": ["mjai:rm -rf /"]},
        {"opponents": ["shanten"] * 9},
        {"rules": "none"},
        {"switches": {"uma": True}},
        {"length": "west"},
        {"seed": -1},
        {"people": 5},
        {"timer": -1},
        {"timer": 1e9},
        {"cheat": True},
    ],
)
def test_bad_tables_are_refused(server, table_request):
    code, text = server.ask("/api/tables", table_request)
    assert code == 400
    assert text


def test_a_game_that_is_played_cannot_be_replayed(server):
    id = server.new_table()
    client = server.sit(id)
    client.play_round()
    server.ask("/api/games")  # after the round is written
    with closing(server.games.open()) as base:
        assert base.execute("SELECT 1 FROM games WHERE id = ?", (id,)).fetchone()
    assert all(game["id"] != id for game in server.games.latest(200))  # not even for another server
    assert all(game["id"] != id for game in server.ask("/api/games"))
    for path in (
        "",
        "/rounds/0",
        "/rounds/0/opinions?agent=shanten",
        "/rounds/0/steps/0/hint?agent=shanten",
        "/record",
    ):
        code, text = server.ask(f"/api/replays/{id}{path}")
        assert code == 403, text
    client.close()


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/%2e%2e/%2e%2e/play.py", "/js/../../server.py"])
def test_only_the_pages_are_served(server, path):
    import urllib.error
    import urllib.request

    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"http://{server.host}{path}")
