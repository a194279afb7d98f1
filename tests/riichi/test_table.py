"""`Table`, the table for people."""

import numpy as np
import pytest

from suzaku.riichi import ACTION_NAMES, Rules, Table, action_number
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.tiles import full_set, to_text


def play_round(table: Table) -> None:
    """Everybody discards what they draw."""
    while not table.round_over and not table.game_over:
        table.act(act.PASS if act.PASS in table.legal_actions() else act.DISCARD_DRAWN)


def play_game(table: Table) -> None:
    while not table.game_over:
        if table.round_over:
            table.next_round()
        play_round(table)


def shuffled(seed: int, red: bool = True) -> np.ndarray:
    return np.random.default_rng(seed).permutation(full_set(red))


def test_the_dealer_is_asked_first() -> None:
    table = Table(seed=3)
    assert table.seat == 0
    assert len(table.hand(0)) == 14
    assert [len(table.hand(seat)) for seat in (1, 2, 3)] == [13, 13, 13]
    assert act.DISCARD_DRAWN in table.legal_actions()
    assert table.scores == [25_000] * 4
    assert not table.round_over
    assert not table.game_over


def test_the_same_seed_is_the_same_table() -> None:
    assert Table(seed=5).record == Table(seed=5).record
    assert Table(seed=5).hand(1) != Table(seed=6).hand(1)


def test_actions_by_number_and_by_name() -> None:
    one, two = Table(seed=1), Table(seed=1)
    action = one.legal_actions()[0]
    one.act(action)
    two.act(ACTION_NAMES[action])
    assert one.record == two.record
    assert action_number("5m") == action_number("discard 5m") == 4
    with pytest.raises(ValueError, match="'sing' is not an action"):
        one.act("sing")


def test_an_illegal_action_is_named_and_changes_nothing() -> None:
    table = Table(seed=1)
    before = table.copy()
    with pytest.raises(ValueError, match=r"^pass is not legal for seat 0; legal: discard"):
        table.act("pass")
    with pytest.raises(ValueError, match=r"^action 120 is not legal"):
        table.act(120)
    assert table.record == before.record


def test_a_round_stops_at_its_end() -> None:
    table = Table(seed=2)
    with pytest.raises(ValueError, match="the round is not over yet"):
        table.next_round()
    play_round(table)
    assert table.round_over
    assert table.seat == -1
    assert table.legal_actions() == []
    assert table.record.result == st.EXHAUSTED
    with pytest.raises(ValueError, match="the round is over"):
        table.act("pass")
    with pytest.raises(ValueError, match="the game is not over yet"):
        _ = table.ranks
    table.next_round()
    assert not table.round_over
    assert table.record.honba == 1


@pytest.mark.parametrize(("length", "rounds"), [("east", 4), ("hanchan", 8)])
def test_a_whole_game(length: str, rounds: int) -> None:
    table = Table(seed=2, length=length)
    assert table.rules.rounds == rounds
    play_game(table)
    assert table.record.deal >= rounds
    assert sorted(table.ranks) == [1, 2, 3, 4]
    assert sum(table.scores) == 100_000
    assert round(sum(table.points), 1) == 0
    first = table.ranks.index(1)
    assert table.points[first] == round((table.scores[first] - 30_000) / 1000 + 20 + 20, 1)
    with pytest.raises(ValueError, match="the game is over"):
        table.next_round()
    with pytest.raises(ValueError, match="the game is over"):
        table.act("pass")


def test_unknown_lengths_and_seeds() -> None:
    with pytest.raises(ValueError, match="length 'west' is unknown: choose one of east, hanchan"):
        Table(length="west")
    with pytest.raises(ValueError, match="seed must be"):
        Table(seed=-1)


def test_given_walls_are_dealt() -> None:
    walls = [shuffled(1), to_text(shuffled(2), order=False)]
    table = Table.deal(walls)
    wall = walls[0]
    dealt = [135 - 16 * block - i for block in range(3) for i in range(4)] + [87, 83]
    assert sorted(table.hand(0)) == sorted(wall[dealt].tolist())
    assert table.record.drawn == wall[83]
    play_round(table)
    table.next_round()
    assert table.record.wall.tolist() == shuffled(2).tolist()
    play_round(table)
    before = table.copy()
    with pytest.raises(ValueError, match="the game goes on, but only 2 walls were given"):
        table.next_round()
    assert table.record == before.record


@pytest.mark.parametrize(
    ("wall", "message"),
    [
        ([0] * 135, "a wall has 136 tiles, not 135"),
        ([0] * 136, "the wall has 136 of 1m where the rules have 4"),
        ([*full_set(True)[:-1], 40], "a wall holds tiles 0..36 only"),
        (full_set(False), "the wall has 4 of 5m where the rules have 3"),
        ("123x", "cannot read tiles"),
    ],
)
def test_impossible_walls(wall: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Table.deal([wall])  # type: ignore[list-item]


def test_walls_follow_the_rules() -> None:
    table = Table.deal([shuffled(1, red=False)], rules=Rules.no_red())
    assert table.record.wall.max() == 33
    with pytest.raises(ValueError, match="at least one wall"):
        Table.deal([])
    for wall in (shuffled(1), to_text(shuffled(1), order=False)):  # the wall itself, not a list of walls
        with pytest.raises(ValueError, match=r"for one wall, give \[wall\]"):
            Table.deal(wall)


def test_copies_are_independent() -> None:
    table = Table(seed=4)
    other = table.copy()
    table.act(act.DISCARD_DRAWN)
    assert other.seat == 0
    assert other.record.discards == 0
    other.act(act.DISCARD_DRAWN)
    assert other.record == table.record


def test_a_table_goes_on_from_a_record() -> None:
    table = Table(seed=4)
    table.act(act.DISCARD_DRAWN)
    other = Table.from_record(table.record)
    assert other.rules == table.rules
    play_round(other)
    play_round(table)
    assert other.scores == table.scores


def test_a_notebook_draws_tables_and_views() -> None:
    table = Table(seed=4)
    assert table._repr_html_().startswith("<svg")
    assert table.view(0)._repr_html_() != table.view(1)._repr_html_()
    assert "##" not in str(table)
    assert str(table.view(1)).count("##") == 14 + 13 + 13


def test_a_view_shows_the_own_hand_only() -> None:
    table = Table(seed=4)
    own, other = table.view(0), table.view(1)
    assert own.hand == table.hand(0)
    assert own.legal_actions() == table.legal_actions()
    assert own.record.drawn == table.record.drawn
    assert other.hand == table.hand(1)
    assert other.legal_actions() == []
    assert other.record.drawn == -1
    assert other.record.hand[[0, 2, 3]].sum() == 0
    assert (other.record.wall >= 0).sum() == 1
    assert table.record.hand.sum() == 53  # the table itself is untouched
    with pytest.raises(ValueError, match=r"seat must be 0..3, not 4"):
        table.view(4)


def test_a_view_shows_the_waiting_hands_after_a_draw() -> None:
    table = Table(seed=2)
    play_round(table)
    for seat in range(4):
        view = table.view((seat + 1) % 4)
        tenpai = int(table.record.tenpai) >> seat & 1
        assert (view.record.hand[seat].sum() > 0) == bool(tenpai)
