"""The rules as a value: presets, records and what is refused."""

import pytest

from suzaku.riichi import Rules, Table, Tables, random_rollouts, resample_hidden


def test_presets():
    assert Rules.tenhou() == Rules()
    assert Rules.tenhou_east().rounds == 4
    assert not Rules.no_red().red_fives
    assert not Rules.tenhou(open_tanyao=False).open_tanyao
    assert Rules.tenhou().with_length("east") == Rules.tenhou_east()


def test_rules_survive_a_table_record():
    rules = Rules.no_red(uma=(30, 10, -10, -30), wins_on_discard=1, start_score=30_000)
    assert Rules.from_record(Tables(1, rules).records[0].rules) == rules


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rounds": 5}, "rounds must be 4"),
        ({"uma": (1, 2, 3)}, "uma must be four"),
        ({"wins_on_discard": 0}, "wins_on_discard must be 1, 2 or 3"),
        ({"extra_rounds": 9}, "extra_rounds must be 0 to 4"),
    ],
)
def test_senseless_rules_are_refused(changes, reason):
    with pytest.raises(ValueError, match=reason):
        Rules.tenhou(**changes)


def test_what_is_no_rules_is_refused():
    with pytest.raises(ValueError, match="seed=7"):
        Table(7)
    with pytest.raises(ValueError, match=r"such as Rules.tenhou\(\)"):
        Tables(2, "tenhou")
    with pytest.raises(ValueError, match="whole number"):
        Table(seed="x")
    with pytest.raises(ValueError, match="table record"):
        resample_hidden(Tables(1), 0, 1)
    with pytest.raises(ValueError, match="one table record"):
        random_rollouts(Tables(2).records, 0, 3)


def test_unknown_length_and_switch():
    with pytest.raises(ValueError, match="choose one of east, hanchan"):
        Rules.tenhou().with_length("long")
    with pytest.raises(TypeError, match="open_tanyo"):
        Rules.tenhou(open_tanyo=False)


def test_no_red_games_hold_no_red_five_and_end_with_all_points():
    tables = Tables(64, Rules.no_red(), seed=3, length="east")
    tables.play_random(2000, 1)
    assert tables.records["red"].sum() == 0
    assert tables.records["river"].max() < 34
    total = tables.records["scores"].sum(1) + 1000 * tables.records["sticks"]
    assert (total == 100_000).all()


@pytest.mark.parametrize(("name", "value"), [("start_score", 5 * 10**9), ("target_score", -1), ("return_score", 10**7)])
def test_points_that_no_game_has_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} must be 0 to 1,000,000 points"):
        Rules(**{name: value})


def test_uma_that_no_record_holds_is_refused():
    with pytest.raises(ValueError, match="uma must be numbers up to"):
        Rules(uma=(10**12, 0, 0, 0))
