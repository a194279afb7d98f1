"""Whose decisions teach: by the names of players, alone or mixed by shares."""

import numpy as np
import pytest

from suzaku.records.decisions import decisions
from suzaku.records.importing import import_records
from suzaku.records.players import EVERYONE, check_players, named, teachers
from suzaku.records.store import Joined, Store
from suzaku.records.stored import hash_name
from tests.records.made import write_folder


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """Two stores of three games each."""
    top = tmp_path_factory.mktemp("players")
    for name, seeds in {"one": range(3), "two": range(3, 6)}.items():
        write_folder(top / f"{name}-in", seeds)
        import_records([str(top / f"{name}-in")], top / name)
    return [top / "one", top / "two"]


def test_names_and_shares():
    assert teachers("") == (EVERYONE,)
    (both,) = teachers("Suphx,LuckyJ")
    assert both.names == {hash_name("Suphx"), hash_name("LuckyJ")}
    assert not both.others
    suphx, rest = teachers("Suphx=1, others=3")
    assert (suphx.names, suphx.others, suphx.share) == ({hash_name("Suphx")}, False, 0.25)
    assert (rest.names, rest.others, rest.share) == ({hash_name("Suphx")}, True, 0.75)
    assert named("Suphx=1,LuckyJ=2,others=3") == both


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Suphx,", "each once"),
        ("Suphx,Suphx", "each once"),
        ("Suphx=1,LuckyJ", "to all of them"),
        ("Suphx=none", "the share of Suphx must be a number above 0, not 'none'"),
        ("Suphx=-1", "not '-1'"),
        ("others", "all but some named players"),
        ("others=2", "all but some named players"),
        ("Suphx,others", "all but some named players"),
    ],
)
def test_what_is_no_list_of_players_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        teachers(text)


def test_only_their_seats_decide(stores):
    store = Store(stores[0])
    seats = {hash_name(f"player {seat} of {seed}"): seat for seed in range(3) for seat in range(4)}
    chosen = named("player 1 of 0,player 3 of 2")
    everything = sum(map(len, decisions(store, shuffle=None)))
    found = list(decisions(store, shuffle=None, teachers=chosen))
    assert {int(seat) for batch in found for seat in batch.seat} == {1, 3}
    walls = {wall.tobytes(): chosen.seats(game) for game in store.games() for wall in game.walls}
    for batch in found:
        assert [walls[record["wall"].tobytes()] for record in batch.records] == [[seat] for seat in batch.seat]
    assert [seats[name] for name in sorted(chosen.names, key=seats.get)] == [1, 3]
    (_, others) = teachers("player 1 of 0=1,others=1")
    (one, _) = teachers("player 1 of 0=1,others=1")
    counts = [sum(map(len, decisions(store, shuffle=4, batch=64, buffer=128, teachers=who))) for who in (one, others)]
    assert min(counts) > 0
    assert sum(counts) == everything


def test_an_unknown_player_is_named(stores, monkeypatch):
    store = Store(stores[0])
    check_players(store, "player 1 of 0=1,others=1")
    with pytest.raises(ValueError, match=r"no game has a player 'player 1 of 5'; a store has hashes of names"):
        check_players(store, "player 1 of 5")
    monkeypatch.setattr("suzaku.records.players.PROGRAMS", ("player 1 of 0", "nobody"))
    with pytest.raises(ValueError, match=r"no game has a player 'Player 1 of 0'; did you mean player 1 of 0\?"):
        check_players(store, "Player 1 of 0")


def test_several_stores_are_read_as_one(stores):
    both = Joined(stores)
    assert len(both) == 6
    assert [game.id for game in both.games()] == [game.id for path in stores for game in Store(path).games()]
    assert str(both) == f"{stores[0]} + {stores[1]}"
    assert both.name == "one + two"
    n = [sum(map(len, decisions(store, shuffle=3))) for store in (both, *stores)]
    assert n[0] == np.sum(n[1:])
