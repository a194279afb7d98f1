"""The screen of reinforcement learning: it draws what a run tells, and nothing that no run tells."""

from string import Formatter

import pytest
from rich.console import Console

from suzaku.cli import rl_screen
from suzaku.cli.rl_screen import ONLY, ROWS, run_on_screen, screen
from suzaku.learning.learner import Learnt, Validation
from suzaku.learning.loop import Run
from suzaku.learning.report import write_report
from tests.rl.helpers import learner


@pytest.fixture(scope="module")
def ran(player, tmp_path_factory):
    """A run with the natural gradient, on a screen; and the figures that it told."""
    folder = tmp_path_factory.mktemp("screen")
    run, told = Run(learner(player, folder, iterations=2, natural=0.5), folder), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rl_screen, "Console", lambda: Console(force_terminal=True, width=120))
        patch.setattr(rl_screen, "alarms", lambda figures, workers, first: told.append(dict(figures)) or [])
        run_on_screen(run)
    return run, told


def drawn(run, figures, warned=()):
    console = Console(width=120, record=True)
    console.print(screen(run, run.learner, figures, list(warned)))
    return console.export_text()


def test_every_row_has_its_figures(ran):
    _, told = ran
    for label, form in ROWS:
        names = {name for _, name, _, _ in Formatter().parse(form) if name}
        if ONLY.get(label, "natural_step") == "natural_step":
            assert names <= set().union(*told), label  # not all are told in every iteration


def test_it_is_drawn_with_and_without_figures(ran):
    run, told = ran
    text = drawn(run, {**told[0], **told[1]}, ["the rewards are all the same"])
    assert "iteration 2 of 2" in text
    assert "games a second, while they are played" in text
    assert "natural step, and by noise alone" in text
    assert "! the rewards are all the same" in text
    assert "–" not in text
    assert "gamma" not in text
    assert "–" in drawn(run, {})


def test_looks_at_the_strength_are_drawn(ran, monkeypatch):
    run, told = ran
    look = {"step": 2, "games": 4, "gain": 12.0, "interval": 80.0}
    monkeypatch.setattr(run, "curve", [look, {**look, "oracle_gain": 90.0, "oracle_interval": 85.0, "gamma": 0.5}])
    text = drawn(run, {**told[-1], "gamma": 0.5, "rejected": 0.1})
    assert "after         4 games      +12 ± 80" in text
    assert "oracle     +90 ± 85   gamma 0.50" in text
    assert "0.500, 10.00%" in text


def test_each_validation_is_said_when_it_was_measured_and_the_report_names_the_best(
    player, tmp_path, capsys, monkeypatch
):
    one, gains = learner(player, tmp_path, iterations=3, eval_every=1), iter((20.0, 70.0, -30.0))

    def validate(step):
        found = {"gain": next(gains), "interval": 60.0, "games": one.played}
        return Validation(found["gain"], found, found)

    monkeypatch.setattr(one, "validate", validate)
    run = Run(one, tmp_path)
    run_on_screen(run)
    lines = capsys.readouterr().out.splitlines()
    told = [line[:3] if line[0] != " " else line for line in lines if "alarm" not in line]
    measured = [f"  gain over the start {gain} ± 60 points a round" for gain in ("+20", "+70", "-30")]
    assert told == ["1: ", measured[0], "2: ", measured[1], "3: ", measured[2]]
    assert not any("gain" in line for line in lines if line[0] != " ")
    page = write_report(run)[0].read_text()
    assert "`best` is the player after iteration 2: gain over the start +70 ± 60 points a round." in page
    assert f"Last validation, at step 3: gain -30 ± 60 points a round, games {one.played}." in page


def test_seconds_of_play_are_told_apart_from_games(ran):
    _, told = ran
    assert {"play_seconds", "play_rate", "games"} <= set(told[-1])
    assert "played" not in told[-1]
    assert told[-1]["play_rate"] * told[-1]["play_seconds"] == pytest.approx(2)  # games of the iteration, by one actor


def test_an_alarm_is_not_given_again_in_an_iteration_that_says_nothing_of_it(player, tmp_path, capsys, monkeypatch):
    one = learner(player, tmp_path, iterations=2)
    learn, wrong = one.learn, iter(({"illegal": 0.5}, {}))

    def learn_and_say(batch, step):
        learn(batch, step)
        return Learnt(0, {"drawn": 1.0, "rate": 1.0, **next(wrong)})

    monkeypatch.setattr(one, "learn", learn_and_say)
    run_on_screen(Run(one, tmp_path))
    assert capsys.readouterr().out.count("are illegal to the learner") == 1
