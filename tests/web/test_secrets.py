"""Nobody learns another's hidden tiles: what a seat is sent does not depend on them."""

import json
from types import SimpleNamespace

import numpy as np

from suzaku.agents.make import make_agent
from suzaku.riichi.game import GAME
from suzaku.riichi.state import CLAIM
from suzaku.riichi.table import Table
from suzaku.web.room import Room


def sent_to(table: Table, seat: int) -> str:
    """What a seat would be sent of a table."""
    asked = table.seat == seat
    question = SimpleNamespace(seat=seat, legal=table.legal_actions(), then=[], deadline=0.0) if asked else None
    room = SimpleNamespace(game=GAME, table=table, question=question, seats=[SimpleNamespace(asks=3)] * 4)
    return json.dumps(Room._view(room, seat))  # type: ignore[arg-type]


def test_views_do_not_depend_on_what_is_hidden():
    agent = make_agent("shanten")
    compared = 0
    for seed in range(3):
        table = Table(seed=seed, length="east")
        for step in range(160):
            if table.round_over:
                table.next_round()
            if table.seat < 0:
                break
            for seat in range(4):
                if table.record.phase < CLAIM and step % 7 == seat:
                    other = table.record.reshape(1).copy()
                    GAME.redraw(other, seat, step)
                    assert not np.array_equal(other["hand"], table.record.reshape(1)["hand"])
                    assert sent_to(Table.from_record(other), seat) == sent_to(table, seat)
                    compared += 1
            table.act(int(agent.act(table.record.reshape(1), table.legal_mask()[None]).actions[0]))
    assert compared > 100


def test_hidden_tiles_are_face_down_for_everybody_at_a_table(server):
    """Two people at one table: in no message does one see a concealed tile of another seat."""
    id = server.new_table(people=2)
    clients = [server.sit(id), server.sit(id)]
    seats = [client.next("seated")["seat"] for client in clients]
    assert seats[0] != seats[1]
    for _ in range(12):
        for client in clients:
            try:
                view = client.next("view", timeout=1)
            except TimeoutError:
                continue
            if view.get("legal"):
                client.answer(view, 119, 37)
    room = server.lobby.rooms[id]
    for client, seat in zip(clients, seats, strict=True):
        views = [message for message in client.messages if message["type"] == "view"]
        assert len(views) > 4
        for view in views:
            assert view["me"] == seat
            if view["view"].get("settlement"):
                continue
            for other, side in enumerate(view["view"]["seats"]):
                if other != seat:
                    assert set(side["hand"]) == {"?"}
                    assert side["drawn"] in (None, "?")
        text = json.dumps(client.messages)
        assert str(room.seed) not in text
        assert room.seats[seats[1] if seat == seats[0] else seats[0]].token not in text
    for client in clients:
        client.close()


def test_claims_of_agents_are_not_shown(server):
    """A page learns neither that an agent may claim a tile nor that it declined."""
    id = server.new_table(opponents=["shanten"] * 3, seed=11)
    client = server.sit(id)
    seat = client.next("seated")["seat"]
    client.play_round()
    for message in client.messages:
        if message["type"] == "view" and message["view"]["phase"] in ("claim", "rob"):
            called = any(event["type"] in ("chow", "pong", "kong", "ron") for event in _next(client, message)["events"])
            assert message.get("legal") or called, f"seat {seat} was shown a claim that came to nothing"
    client.close()


def _next(client, message):
    views = [one for one in client.messages if one["type"] == "view"]
    return views[views.index(message) + 1]
