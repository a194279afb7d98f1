"""The training loop with something else to learn: a line through points, in NumPy, without any network."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

pytest.importorskip("torch", reason="needs the extra [train]")

import torch

from suzaku.cli.train import learn_and_report, run_learner
from suzaku.learning import loop
from suzaku.learning.learner import DivergedError, Learner, Learnt, Report, Schedule, Validation
from suzaku.learning.loop import Run, pack, unpack
from suzaku.learning.report import write_report
from suzaku.learning.settings import Settings, read_settings
from suzaku.plots import have_matplotlib


class LineConfig(Settings, frozen=True):
    rate: float = 0.05
    steps: int = 400
    eval_every: int = 10
    save_every: int = 7
    seed: int = 1


class Line(Learner):
    """Least squares by steps down the gradient, on points drawn on the way."""

    COMMAND = "line"
    TRUE = np.array([2.0, -1.0])

    def __init__(self, config):
        self.config = config
        self.weights = np.zeros(2)
        self.speed = {"by name": [np.zeros(2)]}  # as an optimiser keeps it, within other things
        self.rng = np.random.default_rng(config.seed)
        self.title = "a line"

    title = ""

    @property
    def schedule(self):
        return Schedule(self.config.steps or None, self.config.eval_every, self.config.save_every)

    def state(self):
        return {"weights": self.weights, "speed": self.speed, "rng": self.rng.bit_generator.state}

    def restore(self, state, folder):
        self.weights, self.speed = state["weights"], state["speed"]
        self.rng.bit_generator.state = state["rng"]

    def save(self, path, about):
        path.with_suffix(".json").write_text(json.dumps(about))
        for name, value in zip(("slope", "height"), self.weights, strict=True):  # several files of one checkpoint
            np.save(path.with_name(f"{path.name}-{name}.npy"), value)

    def next_batch(self):
        return np.stack([self.rng.normal(size=8), np.ones(8)], 1)

    def learn(self, x, step):
        off = x @ self.weights - x @ self.TRUE - 0.1 * self.rng.normal(size=8)
        if not np.isfinite(off).all():
            raise DivergedError("no line any more")
        speed = self.speed["by name"][0] = 0.5 * self.speed["by name"][0] + off @ x / 8
        self.weights = self.weights - self.config.rate * speed
        return Learnt(8, {"loss": float(off @ off)})

    def validate(self, step):
        off = np.abs(self.weights - self.TRUE).max()  # of NumPy, as most figures are
        return Validation(-off, {"off": np.float32(off)}, {"off": float(np.float32(off)), "step": step})


def go(folder, config, tell=lambda _: None):
    run = Run(Line(config), folder)
    run.run(tell, every=1)
    return run


CONFIG = LineConfig(steps=60)


def test_it_learns(tmp_path):
    told = []
    run = go(tmp_path, LineConfig(), told.append)
    assert np.abs(run.learner.weights - Line.TRUE).max() < 0.1
    assert [figures["step"] for figures in told] == list(range(1, 401))
    assert set(told[0]) == {"step", "loss", "rate", "waiting"}
    assert [row["step"] for row in run.curve] == list(range(10, 401, 10))
    assert json.loads((tmp_path / "last.json").read_text())["step"] == 400
    best = json.loads((tmp_path / "best.json").read_text())
    assert best["results"]["validation"]["off"] == min(row["off"] for row in run.curve)
    assert best["step"] == best["results"]["validation"]["step"]
    assert run.pieces[-1].samples == 8 * 400


def test_an_interrupted_run_ends_with_the_same_bits(tmp_path):
    whole = go(tmp_path / "whole", CONFIG)

    def interrupt(figures):
        if figures["step"] in (10, 33):
            raise KeyboardInterrupt

    for step in (10, 33):
        with pytest.raises(KeyboardInterrupt):
            go(tmp_path / "parts", CONFIG, interrupt)
        assert Run(Line(CONFIG), tmp_path / "parts").step == step
    parts = go(tmp_path / "parts", CONFIG)
    assert (parts.learner.weights == whole.learner.weights).all()
    assert parts.curve == whole.curve
    assert [(piece.first, piece.last, piece.samples) for piece in parts.pieces] == [
        (0, 10, 80),
        (10, 33, 184),
        (33, 60, 216),
    ]


class Stopped(Line):
    """Ctrl-C comes at its third step: while it waits, or right after it has taken what it learns from."""

    def __init__(self, config, while_waiting):
        super().__init__(config)
        self.while_waiting, self.waits = while_waiting, 0

    def wait(self):
        self.waits += 1
        if self.waits == 3 and self.while_waiting:
            signal.raise_signal(signal.SIGINT)

    def next_batch(self):
        batch = super().next_batch()
        if self.waits == 3:
            signal.raise_signal(signal.SIGINT)
        return batch


def test_no_batch_is_lost_to_an_interrupt(tmp_path):
    whole = go(tmp_path / "whole", CONFIG)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for while_waiting, step in ((False, 3), (True, 5), (False, 8)):
            run = Run(Stopped(CONFIG, while_waiting), tmp_path / "parts")
            with pytest.raises(KeyboardInterrupt):
                run.run(lambda _: None)
            assert Run(Line(CONFIG), tmp_path / "parts").step == step
    finally:
        signal.signal(signal.SIGINT, before)
    assert (go(tmp_path / "parts", CONFIG).learner.weights == whole.learner.weights).all()


def test_half_a_step_is_not_kept(tmp_path):
    class Broken(Line):
        def learn(self, x, step):
            if step == 10:
                self.weights = self.weights + 1
                raise OSError("no memory left")
            return super().learn(x, step)

    with pytest.raises(OSError, match="no memory left"):
        Run(Broken(CONFIG), tmp_path / "run").run(lambda _: None)
    assert Run(Line(CONFIG), tmp_path / "run").step == 7, "as it was last saved"
    assert (go(tmp_path / "run", CONFIG).learner.weights == go(tmp_path / "whole", CONFIG).learner.weights).all()


def test_a_second_interrupt_does_not_wait_for_the_end_of_a_step(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(loop, "SOON", 0.0)

    class Slow(Line):
        def learn(self, x, step):
            if step == 10:
                signal.raise_signal(signal.SIGINT)
                end = time.monotonic() + 20.0
                while "Ctrl-C again" not in capsys.readouterr().err and time.monotonic() < end:
                    time.sleep(0.01)
                signal.raise_signal(signal.SIGINT)
                raise AssertionError("the second one comes at once")
            return super().learn(x, step)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            Run(Slow(CONFIG), tmp_path / "run").run(lambda _: None)
    finally:
        signal.signal(signal.SIGINT, before)
    assert Run(Line(CONFIG), tmp_path / "run").step == 7, "as it was last saved"
    assert (go(tmp_path / "run", CONFIG).learner.weights == go(tmp_path / "whole", CONFIG).learner.weights).all()


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.learning.test_loop import CONFIG, go

def kill(figures):
    if figures["step"] == 40:
        os.kill(os.getpid(), signal.SIGKILL)

go(Path(sys.argv[1]), CONFIG, kill)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
def test_a_killed_run_ends_with_the_same_bits(tmp_path):
    top = Path(__file__).parents[2]
    paths = os.pathsep.join([str(top), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "killed")],
        cwd=top,
        env={**os.environ, "PYTHONPATH": paths},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    again = Run(Line(CONFIG), tmp_path / "killed")
    assert again.step == 35, "as it was last saved"
    again.run(lambda _: None)
    assert (again.learner.weights == go(tmp_path / "whole", CONFIG).learner.weights).all()


def test_some_settings_may_change_and_others_not(tmp_path):
    go(tmp_path, CONFIG)
    assert go(tmp_path, replace(CONFIG, steps=65)).step == 65
    with pytest.raises(ValueError, match=r"holds a run with other settings \(rate\): it has rate=0.05; choose"):
        Run(Line(replace(CONFIG, rate=0.1)), tmp_path)


def test_a_run_of_another_command_is_refused(tmp_path):
    go(tmp_path, CONFIG)

    class Curve(Line):
        COMMAND = "curve"

    with pytest.raises(ValueError, match="holds a run of `suzaku train line`; choose another --out"):
        Run(Curve(CONFIG), tmp_path)


@pytest.mark.parametrize("damage", ["cut short", "other bytes"])
def test_a_damaged_state_is_named(tmp_path, damage):
    go(tmp_path, CONFIG)
    data = bytearray((tmp_path / "last.state.pt").read_bytes())
    if damage == "cut short":
        del data[500:]
    else:
        place = data.index(np.ascontiguousarray(Run(Line(CONFIG), tmp_path).learner.weights).tobytes())
        data[place : place + 4] = b"\1\2\3\4"
    (tmp_path / "last.state.pt").write_bytes(data)
    with pytest.raises(ValueError, match=r"last.state.pt is damaged: delete .* to begin anew$"):
        Run(Line(CONFIG), tmp_path)


def test_what_diverges_is_not_kept(tmp_path):
    with pytest.raises(DivergedError), np.errstate(all="ignore"):
        go(tmp_path, LineConfig(rate=1e200, save_every=10**9))
    assert not (tmp_path / "last.state.pt").exists()


def test_what_a_beginning_had_started_is_ended(tmp_path):
    ended = []

    class Unlucky(Line):
        def begin(self, step):
            raise KeyboardInterrupt

        def end(self):
            ended.append(True)

    with pytest.raises(KeyboardInterrupt):
        Run(Unlucky(CONFIG), tmp_path).run(lambda _: None)
    assert ended == [True]
    assert not any(tmp_path.iterdir())


def test_a_learner_without_an_end_goes_on_until_it_is_stopped(tmp_path):
    def stop(figures):
        if figures["step"] == 25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        go(tmp_path, replace(CONFIG, steps=0), stop)
    assert Run(Line(replace(CONFIG, steps=0)), tmp_path).step == 25


def test_parts_of_the_loop_are_not_the_learners(tmp_path):
    learner = Line(CONFIG)
    learner.state = lambda: {"step": 3}
    with pytest.raises(TypeError, match=r"keeps \['step'\] itself"):
        Run(learner, tmp_path).save()


def test_states_hold_arrays_of_all_types():
    games = np.array([(1, [2, 3])], np.dtype([("number", "i8"), ("scores", "i4", 2)]))
    state = {
        "a": np.arange(3, dtype=np.uint16),
        "b": [games, {"c": (1, "text", None, 2**127)}],
        "half": np.float16([1.5]),
        "numbers": {"single": np.float32(0.1), "double": np.float64(0.1), "flag": np.bool_(True), "none": np.array(3)},
        np.int64(7): "by number",
    }
    data = io.BytesIO()
    torch.save(pack(state), data)
    data.seek(0)
    again = unpack(torch.load(data, weights_only=True))
    assert (again["a"] == state["a"]).all()
    assert again["a"].dtype == np.uint16
    assert again["b"][0] == games
    assert again["b"][1] == {"c": [1, "text", None, 2**127]}
    assert again["half"] == 1.5
    assert again["numbers"] == state["numbers"]
    assert list(map(type, again["numbers"].values())) == list(map(type, state["numbers"].values()))
    assert again[7] == "by number"


def test_settings_of_any_learner(tmp_path):
    (tmp_path / "line.toml").write_text("rate = 0.5\nsteps = 3\n")
    assert read_settings(LineConfig, tmp_path / "line.toml", ["steps=4"], seed=9) == LineConfig(0.5, 4, seed=9)
    with pytest.raises(ValueError, match="unknown setting 'rat'; did you mean rate"):
        read_settings(LineConfig, None, ["rat=1"])


def test_the_progress_bar_serves_any_learner(tmp_path, capsys):
    run = run_learner(Line(LineConfig(steps=200)), tmp_path)
    assert run.step == 200
    said = capsys.readouterr().out
    assert "step 200: loss " in said
    assert "a line" in said


def test_an_interval_is_drawn_with_its_curve(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="needs the extra [train]")
    drawn = []
    monkeypatch.setattr("suzaku.learning.report.save_figure", lambda figure, path, dpi: drawn.append(figure))

    class Unsure(Line):
        def validate(self, step):
            return Validation(0.0, {"gain": 2.0, "interval": 0.5, "games": step}, {})

        def report(self, folder):
            return Report(intervals={"gain": "interval"}, units={"gain": "points"}, undrawn=("games",))

    run = Run(Unsure(CONFIG), tmp_path)
    run.run(lambda _: None)
    page = write_report(run)[0].read_text(encoding="utf-8")
    assert "Last validation, at step 60: gain 2 ± 0.5 points, games 60." in page
    (panel,) = drawn[0].axes
    assert (panel.get_title(), panel.get_ylabel()) == ("gain", "points")
    (bars,) = panel.containers
    assert bars.has_yerr
    assert bars.lines[2][0].get_segments()[-1].tolist() == [[60, 1.5], [60, 2.5]]


def test_any_learner_gets_a_report(tmp_path, capsys):
    run = go(tmp_path / "plain", CONFIG)
    path, results = write_report(run)
    page = path.read_text(encoding="utf-8")
    assert page.startswith("# a line\n")
    assert f"Last validation, at step 60: off {run.curve[-1]['off']:.4g}." in page
    assert "Trained: 60 steps, 480 samples in " in page
    assert "rate = 0.05\nsteps = 60\n" in page
    assert results == {}
    assert (tmp_path / "plain" / "report.png").exists() == have_matplotlib() == ("report.png" in page)

    class Told(Line):
        def report(self, folder):
            assert (folder / "best.json").exists()
            slope = float(self.weights[0])
            return Report([f"The slope is {slope:.3f}.", ""], {"slope": slope}, (lambda panel: panel.plot([0, slope]),))

    results = learn_and_report(Told(CONFIG), tmp_path / "told")
    assert results == {"slope": run.learner.weights[0]}
    assert f"The slope is {results['slope']:.3f}." in (tmp_path / "told" / "report.md").read_text(encoding="utf-8")
    assert "Trained: 60 steps" in capsys.readouterr().out
