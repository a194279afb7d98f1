"""People at a table: names first, addresses to send, who is waited for, and what is said when time runs out."""

import time

import pytest

from suzaku.web.protocol import MOST_AT_SEAT, SENTENCES, RefusalError
from tests.web.conftest import Client, Server


def seats_of(client: Client, started: bool) -> list[dict]:
    while True:
        people = client.next("people")
        if people["started"] is started:
            return people["seats"]


def test_the_game_waits_until_everybody_has_a_name(server):
    id = server.new_table(people=2)
    host = server.sit(id, name="Aoi")
    guest = server.sit(id, name=" \u202e ")  # nothing that can be seen
    me = guest.next("seated")["seat"]
    seats = seats_of(guest, False)
    assert [seat["named"] for seat in seats if not seat["agent"]].count(False) == 1
    assert not seats[me]["named"]
    assert not seats[me]["free"]
    host.send(type="start")
    assert host.next("error")["code"] == "names_missing"
    guest.send(type="name", name="")
    assert not seats_of(guest, False)[me]["named"]
    guest.send(type="name", name="Botan")
    seats = seats_of(guest, True)
    assert seats[me]["name"] == "Botan"
    assert guest.next("view")
    guest.send(type="name", name="Chika")
    assert guest.next("error")["code"] == "has_begun"
    for client in (host, guest):
        client.close()


def test_who_leaves_without_a_name_frees_the_seat(server):
    id = server.new_table(people=2)
    host = server.sit(id, name="Aoi")
    guest = server.sit(id, name="")
    guest.next("seated")
    guest.close()
    while not any(seat["free"] for seat in seats_of(host, False)):
        pass
    other = server.sit(id, name="Chika")
    assert "Chika" in [seat["name"] for seat in seats_of(other, True)]
    for client in (host, other):
        client.close()


def test_one_person_alone_needs_no_name(server):
    client = server.sit(server.new_table(), name="")
    assert "player" in [seat["name"] for seat in seats_of(client, True)]
    client.close()


def test_the_address_for_others_is_told(server, monkeypatch):
    monkeypatch.setattr(server.lobby.house, "addresses", ["http://192.0.2.7:8686"])
    client = server.sit(server.new_table(people=2))
    assert client.next("seated")["addresses"] == ["http://192.0.2.7:8686"]
    client.close()


def events_of(client: Client, type_: str) -> list[dict]:
    return [event for one in client.messages for event in one.get("events", []) if event["type"] == type_]


def test_a_table_says_that_time_ran_out(server):
    id = server.new_table(timer=0.3, opponents=["tsumogiri"] * 3)
    client = server.sit(id)
    me = client.next("seated")["seat"]
    client.asked()
    while client.asked()["view"]["phase"] != "turn":
        pass
    client.asked()
    assert events_of(client, "timeout")[0] == {"type": "timeout", "seat": me}
    client.close()


def claiming_pair(server: Server, timer: float) -> tuple[Client, Client]:
    """Two people; the dealer may pong what seat 1, an agent, throws."""
    from tests.riichi.dealt import PONG

    room = server.dealt_table([PONG], people=2, timer=timer)
    order = [i for i, place in enumerate(room.seats) if place.person]
    for at, wanted in zip(order, (0, 3), strict=True):
        room.seats[at], room.seats[wanted] = room.seats[wanted], room.seats[at]
    room.seats[0].agent = server.lobby.inference.agent("tsumogiri", "riichi")  # calls nothing when it stands in
    clients = [server.sit(room.id, name=name) for name in ("Aoi", "Botan")]
    seats = [client.next("seated")["seat"] for client in clients]
    assert sorted(seats) == [0, 3]
    return clients[seats.index(0)], clients[seats.index(3)]


def test_that_time_ran_out_over_a_claim_is_told_to_nobody_else(server):
    dealer, other = claiming_pair(server, 2.0)
    view = dealer.asked()
    dealer.answer(view, 37)
    assert 45 in dealer.asked()["legal"]  # the pong; no answer
    other.asked()
    while not events_of(dealer, "timeout"):
        dealer.next("view")
    assert events_of(dealer, "timeout") == [{"type": "timeout", "seat": 0}]
    assert events_of(other, "timeout") == []
    for client in (dealer, other):
        client.close()


def test_others_are_told_who_is_waited_for_but_not_over_a_claim(server, monkeypatch):
    monkeypatch.setattr("suzaku.web.room.SLOW", 0.2)
    dealer, other = claiming_pair(server, 30.0)
    view = dealer.asked()
    told = other.next("waiting")
    assert told["seat"] == 0
    assert told["limit"] == 30
    assert 0.2 <= told["seconds"] < 10
    dealer.answer(view, 37)
    assert 45 in dealer.asked()["legal"]
    assert other.next("waiting")["seat"] == -1
    assert not any(message["type"] == "waiting" for message in dealer.messages)
    for client in (dealer, other):
        client.close()


@pytest.mark.parametrize("code", SENTENCES)
def test_every_refusal_is_a_sentence_with_a_code(code):
    values = {"name": "x", "reason": "why", "most": 5, "host": "h", "id": "i", "action": 3, "seconds": 9}
    error = RefusalError(code, **values)
    assert "{" not in str(error)
    assert error.message() == {"type": "error", "text": str(error), "code": code, "values": values}
    assert error.body()["detail"] == str(error)


def test_requests_are_refused_with_codes(server):
    import json
    import urllib.error
    import urllib.request

    for path, body, code in (
        ("/api/tables", b'{"opponents": ["nobody"]}', "no_opponent"),
        ("/api/tables", b'{"rules": "none"}', "bad_table"),
        ("/api/tables", b"{", "bad_table"),
        ("/api/mine", b'{"seats": 3}', "bad_message"),
        ("/api/replays", b"hello", "bad_record"),
        ("/api/replays/nothing", None, "no_game"),
    ):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(f"http://{server.host}{path}", body))
        told = json.loads(refused.value.read())
        assert told["code"] == code
        assert isinstance(told["detail"], str)
        assert isinstance(told["values"], dict)


def test_a_seat_is_found_by_its_secret(server):
    id = server.new_table()
    client = server.sit(id)
    seated = client.next("seated")
    row = server.ask("/api/mine", {"seats": {id: seated["token"], "other": "x"}})[0]
    assert (row["id"], row["seat"], row["round"]) == (id, seated["seat"], 0)
    assert row["started"]
    for wrong in ("", "x" * 24):
        assert server.ask("/api/mine", {"seats": {id: wrong}}) == []
    client.close()


def test_a_table_that_nobody_uses_is_put_aside_and_comes_back(server, monkeypatch):
    import asyncio

    monkeypatch.setattr("suzaku.web.lobby.UNUSED", 0.0)
    id = server.new_table()
    client = server.sit(id)
    token = client.next("seated")["token"]
    before = client.asked()
    client.close()
    while server.lobby.rooms[id].is_used():
        time.sleep(0.02)
    time.sleep(0.05)
    asyncio.run_coroutine_threadsafe(server.lobby.tidy(), server.loop).result(30)
    assert id not in server.lobby.rooms
    assert server.ask("/api/mine", {"seats": {id: token}})[0]["id"] == id
    assert server.ask(f"/api/replays/{id}")[0] == 403
    again = server.sit(id, token)
    assert again.asked()["view"] == before["view"]
    again.close()
    while server.lobby.rooms[id].is_used():
        time.sleep(0.02)
    time.sleep(0.05)
    monkeypatch.setattr("suzaku.web.lobby.KEPT", -1.0)
    asyncio.run_coroutine_threadsafe(server.lobby.tidy(), server.loop).result(30)
    assert server.ask("/api/mine", {"seats": {id: token}}) == []
    lost = Client(server, id)
    assert lost.next("closed")["reason"] == "gone"
    lost.close()


def test_a_window_too_many_is_refused_and_cannot_act(server):
    id = server.new_table(people=2)
    first = server.sit(id)
    token = first.next("seated")["token"]
    windows = [first, *(server.sit(id, token) for _ in range(MOST_AT_SEAT))]
    for window in windows[1:-1]:
        window.next("seated")
    last = windows[-1]
    assert last.next("error")["code"] == "too_many_windows"
    last.send(type="leave")
    assert last.next("error")["code"] == "not_seated"
    for window in windows:
        window.close()
