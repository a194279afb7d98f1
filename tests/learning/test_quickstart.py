"""The way from nothing to a trained network."""

import shlex

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch", reason="needs the extra [train]")

from suzaku.cli.main import app
from suzaku.networks.info import read_info
from suzaku.records.store import Store


def test_quickstart_plays_trains_and_goes_on(tmp_path):
    words = ["train", "quickstart", "--agent", "shanten", "--games", "60", "--out", str(tmp_path / "quick")]
    first = CliRunner().invoke(app, [*words, "--steps", "2"])
    assert first.exit_code == 0, first.output
    assert "60 games of four times shanten" in first.output
    assert "throws what shanten throws in" in first.output
    games = sorted((tmp_path / "quick" / "store").glob("part-*"))
    assert len(Store(tmp_path / "quick" / "store")) == 60
    written = [game.stat().st_mtime_ns for game in games]
    again = CliRunner().invoke(app, [*words, "--steps", "4"])
    assert again.exit_code == 0, again.output
    assert [game.stat().st_mtime_ns for game in games] == written, "games are not played twice"
    assert read_info(tmp_path / "quick" / "run" / "last")["step"] == 4
    assert "Trained: 4 steps, 1,024 samples in " in again.output
    assert "in 2 pieces" in again.output
    *_, line = again.stdout.splitlines()
    assert line == f"Let it play: suzaku arena suphx:{tmp_path / 'quick' / 'run'} shanten --games 200"
    play = [*shlex.split(line.partition("suzaku ")[2])[:-1], "4"]  # four games will do
    played = CliRunner().invoke(app, play)
    assert played.exit_code == 0, played.output
    assert "shanten" in played.stdout
    other = CliRunner().invoke(app, [*words, "--seed", "2"])
    assert other.exit_code == 2
    assert "holds games of agent shanten, seed 1" in other.output
    assert [game.stat().st_mtime_ns for game in games] == written
