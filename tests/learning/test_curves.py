"""Curves that TensorBoard reads, and a disk that is full."""

from pathlib import Path

import pytest

from suzaku.learning.loop import Curves

tensorboard = pytest.importorskip("tensorboard", reason="needs the extra [train]")


def read(folder):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder))
    events.Reload()
    return {tag: [(one.step, one.value) for one in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def test_tensorboard_reads_them(tmp_path):
    first = Curves(tmp_path / "run", 0)
    for step in (1, 2, 3):
        first.add("train", {"step": step, "loss": step / 2, "rate": 8.0})
    again = Curves(tmp_path / "run", 2)  # it goes on after step 2: the third point comes again
    again.add("train", {"step": 3, "loss": 9.0})
    again.close()
    assert read(tmp_path / "run")["train/loss"] == [(1, 0.5), (2, 1.0), (3, 9.0)]
    assert read(tmp_path / "run")["train/rate"][0] == (1, 8.0)


def test_a_full_disk_ends_the_curves_alone(tmp_path, monkeypatch, capsys):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    monkeypatch.setattr(Path, "open", lambda path, mode: open("/dev/full", mode))  # noqa: SIM115
    curves = Curves(tmp_path, 0)
    curves.add("train", {"step": 1, "loss": 1.0})
    curves.close()
    said = capsys.readouterr().err.splitlines()
    assert said == ["suzaku: no more curves for TensorBoard are written: no space left on the device"]
