"""Tables that are put aside or belonged to an earlier server: set up again, ended, and secret to other servers."""

import asyncio
import time
from collections.abc import Iterator

import pytest

from suzaku.agents.simple import TsumogiriAgent
from suzaku.records.library import Library, RefusedError
from suzaku.riichi.table import Table
from suzaku.web.inference import Inference
from suzaku.web.keeper import Kept, KeptSeat, UnplayableError, add_move, play_again
from suzaku.web.lobby import Lobby
from suzaku.web.protocol import NewTable
from suzaku.web.server import make_app

KEPT = Kept(
    "a", NewTable(opponents=["tsumogiri"] * 4, people=0), 7, "2026-01-02T03:04:05+00:00",
    [KeptSeat("tsumogiri", False, f"t{seat}", "") for seat in range(4)], used=time.time(),
)  # fmt: skip


def moves(number: int) -> list[int]:
    """The first moves of a game in which everybody throws what is drawn."""
    table, found = Table(seed=KEPT.seed), []
    for _ in range(number):
        action = TsumogiriAgent().act(table.record.reshape(1), table.legal_mask().reshape(1, -1)).actions[0]
        found.append(int(action))
        table.act(int(action))
    return found


@pytest.fixture
def games(tmp_path) -> Iterator[Library]:
    """A file with one kept table of 9 moves."""
    found = Library(tmp_path / "games.sqlite")
    put(found, moves(9))
    return found


def put(games: Library, actions: list[int]) -> None:
    base = games.open()
    with base:
        KEPT.put(base)
        for i, action in enumerate(actions):
            add_move(base, KEPT.id, i, action)
    base.close()


async def visit(games: Library, *checks) -> None:
    """Run checks one after the other with a lobby of its own."""
    inference = Inference()
    lobby = Lobby(inference, games, ["tsumogiri"], [])
    try:
        for check in checks:
            await check(lobby)
    finally:
        await lobby.close()
        inference.close()


def test_a_table_that_cannot_be_set_up_now_is_not_lost(games, monkeypatch, capsys):
    def fail(self, plan, game):
        raise MemoryError

    async def check(lobby):
        with monkeypatch.context() as patch:
            patch.setattr(Lobby, "_seats", fail)
            assert await lobby.find("a") is None
            assert list(lobby.kept) == ["a"]  # the page is told to come back
        room = await lobby.find("a")
        assert room is not None
        assert len(room.actions) == 9
        assert not lobby.kept
        decisions = play_again(KEPT, moves(9)).decisions
        assert sum(decisions) == 9
        assert [place.asks for place in room.seats] == [number + 1 for number in decisions]  # its own alone

    asyncio.run(visit(games, check))
    assert "MemoryError" in capsys.readouterr().err


def test_moves_that_are_not_legal_end_the_table(games, capsys):
    put(games, [119, 119])
    with pytest.raises(UnplayableError):
        play_again(KEPT, [119])

    async def check(lobby):
        assert await lobby.find("a") is None
        assert not lobby.kept
        assert await lobby.keeper.read(lobby.running.moves, "a") == []

    asyncio.run(visit(games, check))
    assert "cannot be played on" in capsys.readouterr().err


def test_a_table_nobody_comes_back_to_is_listed_as_far_as_it_went(games, monkeypatch):
    monkeypatch.setattr("suzaku.web.lobby.KEPT", -1.0)

    async def check(lobby):
        await lobby.tidy()
        assert [row["id"] for row in await lobby.keeper.read(games.latest, 200)] == ["a"]

    asyncio.run(visit(games, check))
    assert len(games.load("a").actions) == 9


def test_a_game_of_another_server_is_secret_while_it_is_played(games, capsys):
    async def first(lobby):
        room = await lobby.find("a")
        room.save()  # as at the end of a round
        assert await lobby.keeper.read(games.latest, 200) == []

        async def second(other):
            assert not other.running.owned
            assert await other.keeper.read(games.latest, 200) == []
            with pytest.raises(RefusedError, match="still being played"):
                await other.keeper.read(games.load, "a")

        await visit(games, second)

    asyncio.run(visit(games, first))


def test_looks_for_unused_tables_go_on_after_an_error(games, monkeypatch, capsys):
    monkeypatch.setattr("suzaku.web.lobby.TIDY", 0.01)
    looks = []

    async def fail(self):
        looks.append(1)
        raise OSError("no luck")

    monkeypatch.setattr(Lobby, "tidy", fail)

    async def check(lobby):
        tidying = asyncio.create_task(lobby.tidy_up())
        while len(looks) < 2 and not tidying.done():
            await asyncio.sleep(0.01)
        tidying.cancel()

    asyncio.run(visit(games, check))
    assert len(looks) >= 2
    assert "no luck" in capsys.readouterr().err


def test_a_server_whose_agent_cannot_be_loaded_still_ends_properly(games, monkeypatch, capsys):
    def fail(agent):
        raise OSError("no weights")

    monkeypatch.setattr("suzaku.web.inference.make_agent", lambda name, game: TsumogiriAgent())
    monkeypatch.setattr("suzaku.web.server.try_out", fail)
    app = make_app(games, ["tsumogiri"])

    async def live() -> None:
        async with app.router.lifespan_context(app):
            app.state.lobby.keeper.write(lambda base: add_move(base, "b", 0, 5))

    asyncio.run(live())
    assert not app.state.lobby.keeper._thread.is_alive()
    assert app.state.lobby.running.moves("b") == [5]
    assert "no weights" in capsys.readouterr().err
