"""Alarms ring for what they are for, and stay quiet otherwise."""

import pytest

from suzaku.cli.rl_screen import alarms

FINE = {"illegal": 0.0, "kl_first": 0.001, "reward": 1.0, "entropy": 0.5, "entropy_target": 0.5, "effective": 0.98,
        "waiting": 0.3, "drawn": 200, "stale": 0.01}  # fmt: skip


def test_nothing_is_said_of_a_run_that_does_well():
    assert alarms(FINE, 2, False) == []
    assert alarms({}, 0, True) == []
    assert alarms({**FINE, "kl_behaviour": 0.5}, 0, True) == []  # it moved while it learnt


@pytest.mark.parametrize(
    ("figure", "value", "first", "said"),
    [
        ("illegal", 0.01, False, "mask is wrong"),
        ("kl_first", 0.2, True, "not the one that played"),
        ("reward", 0.0, False, "nothing can be learnt"),
        ("entropy", 0.2, False, "lower rate, or raise beta"),
        ("effective", 0.3, False, "count for 30%"),
        ("waiting", 0.9, False, "more workers"),
        ("stale", 0.6, False, "60% of the games began with weights that are older than staleness allows"),
        ("rate", 0.0, False, "no game had a decision of the models that learn"),
        ("drawn", 0, False, "no game was learnt from: all of the games began with weights that are older"),
        ("waiting", 0.0, False, "workers wait for the learner"),
    ],
)
def test_each_says_what_to_do(figure, value, first, said):
    (one,) = alarms({**FINE, figure: value}, 2, first)
    assert said in one


def test_an_empty_draw_is_told_though_no_game_was_too_old():
    (one,) = alarms({**FINE, "drawn": 0, "stale": 0.0}, 0, False)
    assert one.startswith("no game was drawn from the buffer")


def test_a_natural_gradient_has_a_rate_of_its_own():
    (one,) = alarms({**FINE, "effective": 0.3, "natural_step": 0.1}, 0, False)
    assert one.endswith("lower natural")
