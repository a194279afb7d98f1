"""Agents that adapt at the web table: the rollouts tick up, hints tell what changed, other tables do not wait."""

import time

import pytest

pytest.importorskip("torch", reason="needs the extra [train]")

from suzaku.agents.agent import try_out
from suzaku.agents.make import make_agent
from tests.web.conftest import Server

NAME = "weak:adapt=192"
ADVISER = "weak:adapt=8,adapt_chunk=8,adapt_rate=0.003"
REPLY = 0.3  # seconds within which other tables go on


@pytest.fixture(scope="module", autouse=True)
def compiled():
    try_out(make_agent("weak:adapt=4"))


@pytest.fixture
def adapting(server, monkeypatch):
    lobby = server.lobby
    monkeypatch.setattr(lobby, "agents", [*lobby.agents, NAME])
    monkeypatch.setattr(lobby.house, "advisers", [*lobby.house.advisers, ADVISER])
    return server


def test_rollouts_tick_up_and_other_tables_do_not_wait(adapting: Server):
    page = adapting.sit(adapting.new_table(opponents=[NAME, "tsumogiri", "tsumogiri"]))
    beside = adapting.sit(adapting.new_table(opponents=["tsumogiri"] * 3))
    first = page.next("adapting")
    assert {row["of"] for row in first["seats"]} == {192}
    waits: list[float] = []
    view = beside.asked()
    while len(waits) < 12 and not view["view"].get("settlement"):
        began = time.process_time()  # what other programs do does not count, what adapts beside it does
        beside.answer(view, 116, 117, 119, 37)
        view = beside.asked()
        waits.append(time.process_time() - began)
    assert len(waits) > 5
    assert max(waits) < REPLY
    while page.next("adapting")["seats"]:
        pass
    counts = [row["done"] for one in page.messages if one["type"] == "adapting" for row in one["seats"]]
    assert max(counts) > 0
    asked = any(one["type"] == "view" and one.get("legal") for one in page.messages)  # while the others adapted
    assert asked or page.asked()["legal"]  # the game goes on
    page.close()
    beside.close()


def test_a_hint_shows_the_policy_before_and_after(adapting: Server):
    page = adapting.sit(adapting.new_table(opponents=["tsumogiri"] * 3))
    view = page.asked()
    page.send(type="hint", ask=view["ask"], agent=ADVISER)
    hint = page.next("hint", "error")
    assert hint["type"] == "hint"
    assert set(hint["before"]) == set(hint["policy"])
    assert hint["before"] != hint["policy"]
    page.close()
