"""`Tables`, many tables in one compiled call."""

import numpy as np
import pytest

from suzaku.riichi import ACTIONS, STATE, Rules, Table, Tables, final_points, random_rollouts, resample_hidden
from suzaku.riichi import actions as act
from suzaku.riichi import state as st


def some_actions(tables: Tables, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for every table."""
    return (rng.random(tables.legal.shape) * tables.legal).argmax(axis=1)


def test_shapes() -> None:
    tables = Tables(5, seed=1)
    assert len(tables) == 5
    assert tables.records.dtype == STATE
    assert tables.seat.tolist() == [0] * 5
    assert tables.legal.shape == (5, ACTIONS)
    assert tables.legal.dtype == np.bool_
    assert len(tables.finished) == 0
    assert STATE.itemsize < 4096


def test_table_i_plays_game_i_of_the_seed() -> None:
    tables = Tables(3, seed=9)
    assert tables.records["game"].tolist() == [0, 1, 2]
    assert (tables.records["wall"][0] == Table(seed=9).record.wall).all()
    assert (Tables(1, seed=9).records["wall"][0] == tables.records["wall"][0]).all()


def test_one_table_of_many_is_a_table() -> None:
    """The same actions lead through the same states on `Tables` and on `Table`."""
    tables, table = Tables(2, seed=9, length="east"), Table(seed=9, length="east")
    rng = np.random.default_rng(1)
    while True:
        actions = some_actions(tables, rng)
        table.act(int(actions[0]))
        tables.step(actions)
        if table.game_over:
            break
        if table.round_over:
            assert tables.round_ended[0]
            assert tables.records["deltas"][0].tolist() == table.record.deltas.tolist()
            table.next_round()
        else:
            assert not tables.round_ended[0]
        assert tables.seat[0] == table.seat
        assert np.flatnonzero(tables.legal[0]).tolist() == table.legal_actions()
        assert tables.records["scores"][0].tolist() == table.scores
    row = tables.finished[tables.finished["table"] == 0][0]
    assert row["scores"].tolist() == table.scores
    assert (row["ranks"] + 1).tolist() == table.ranks


def test_finished_games_are_reported_and_restart() -> None:
    tables = Tables(4, seed=2, length="east", threads=2)
    rng = np.random.default_rng(0)
    seen: dict[int, int] = {}
    while len(seen) < 10:
        tables.step(some_actions(tables, rng))
        for row in tables.finished:
            assert row["scores"].sum() == 100_000
            assert sorted(row["ranks"]) == [0, 1, 2, 3]
            assert row["game"] % 4 == row["table"]
            assert row["game"] not in seen
            assert tables.records["game"][row["table"]] == row["game"] + 4
            assert tables.records["scores"][row["table"]].tolist() == [25_000] * 4
            assert tables.round_ended[row["table"]]
            seen[int(row["game"])] = 1
    assert (tables.seat >= 0).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_finished_games_stay_after_later_steps(threads: int) -> None:
    tables = Tables(40, seed=2, length="east", threads=threads)
    rng = np.random.default_rng(0)
    kept, copies = [], []
    for _ in range(900):
        tables.step(some_actions(tables, rng))
        kept.append(tables.finished)
        copies.append(tables.finished.copy())
    assert sum(len(rows) for rows in kept) >= 40
    assert (np.concatenate(kept) == np.concatenate(copies)).all()


def test_without_restart_finished_tables_wait() -> None:
    tables = Tables(3, seed=2, length="east", restart=False)
    rng = np.random.default_rng(0)
    games = 0
    while (tables.seat >= 0).any():
        tables.step(some_actions(tables, rng))
        games += len(tables.finished)
    assert games == 3
    assert (tables.records["phase"] == st.GAME_OVER).all()
    assert not tables.legal.any()
    before = tables.records["scores"].copy()
    tables.step(np.zeros(3, int))  # nobody is asked, so any number will do
    assert (tables.records["scores"] == before).all()
    assert len(tables.finished) == 0
    with pytest.raises(ValueError, match="needs tables that restart"):
        tables.play_random(1)


def test_errors() -> None:
    with pytest.raises(ValueError, match="at least one table"):
        Tables(0)
    with pytest.raises(ValueError, match="one thread"):
        Tables(1, threads=0)
    with pytest.raises(ValueError, match="seed must be"):
        Tables(1, seed=2**64)
    with pytest.raises(ValueError, match="length 'short' is unknown"):
        Tables(1, length="short")
    tables = Tables(2)
    with pytest.raises(ValueError, match="expected 2 actions, one for each table, not an array of shape"):
        tables.step(np.zeros(3, int))
    actions = np.array([act.DISCARD_DRAWN, act.PASS])
    with pytest.raises(ValueError, match=r"action 119 \(pass\) is not legal for seat 0 of table 1"):
        tables.step(actions)
    with pytest.raises(ValueError, match="actions are whole numbers, not float64"):
        tables.step(np.array([0.5, 1.0]))
    with pytest.raises(ValueError, match=r"action -1 \(no action\)"):
        tables.step(np.array([-1, act.DISCARD_DRAWN]))


def test_refresh_after_changes_from_outside() -> None:
    tables = Tables(2, seed=1)
    tables.records[1] = tables.records[0]
    tables.refresh()
    assert (tables.legal[0] == tables.legal[1]).all()


def test_random_play_in_the_kernel() -> None:
    one, two = Tables(3, seed=1), Tables(3, seed=1)
    rounds, games = one.play_random(4000, 5)
    assert (rounds, games) == two.play_random(4000, 5)
    assert rounds > 50
    assert games > 3
    assert (one.seat == two.seat).all()
    assert (one.legal == two.legal).all()
    assert one.records["scores"].tolist() == two.records["scores"].tolist()


def test_rules_are_kept_in_the_records() -> None:
    rules = Rules.tenhou(open_tanyao=False, start_score=30_000, uma=(30, 10, -10, -30))
    tables = Tables(2, rules=rules)
    assert tables.records["scores"].tolist() == [[30_000] * 4] * 2
    assert Rules.from_record(tables.records[0].rules) == rules


def test_final_points() -> None:
    points = final_points(Rules.tenhou(), np.array([[41_000, 29_000, 20_000, 10_000]]), np.array([[0, 1, 2, 3]]))
    assert points.tolist() == [[51.0, 9.0, -20.0, -40.0]]


def test_resample_hidden_takes_one_seat_or_one_a_table() -> None:
    tables = Tables(4, seed=1)
    before = tables.records.copy()
    resample_hidden(tables.records, np.array([0, 1, 2, 3]), np.random.default_rng(0))
    for i in range(4):
        assert (tables.records["hand"][i, i] == before["hand"][i, i]).all()
        assert (tables.records["hand"][i] != before["hand"][i]).any()
    with pytest.raises(ValueError, match=r"seat must be 0..3, not 4"):
        resample_hidden(tables.records, 4, 0)


def test_random_rollouts() -> None:
    table = Table(seed=1)
    before = table.copy()
    deltas = random_rollouts(table.record, 0, 300, 7)
    assert deltas.shape == (300, 4)
    assert (deltas.sum(axis=1) % 1000 == 0).all()  # riichi sticks may stay on the table
    assert (deltas.sum(axis=1) <= 0).all()
    assert len(np.unique(deltas, axis=0)) > 5
    assert (deltas == random_rollouts(table.record, 0, 300, 7)).all()
    assert table.record == before.record
    with pytest.raises(ValueError, match="seat must be"):
        random_rollouts(table.record, 4, 1)
    with pytest.raises(ValueError, match="seed must be"):
        random_rollouts(table.record, 0, 1, -1)
