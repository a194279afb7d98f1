"""`suzaku adapt show`: the policy before and after, in the terminal and as a picture."""

import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app

pytest.importorskip("torch", reason="needs the extra [train]")


def test_a_position_is_shown_before_and_after(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra [plots]")
    words = ["adapt", "show", "--agent", "weak:adapt=6,adapt_chunk=6,adapt_rate=0.003", "--seed", "7", "--picture"]
    done = CliRunner().invoke(app, [*words, str(tmp_path / "adapted.svg")])
    assert done.exit_code == 0, done.output
    assert "6 rollouts" in done.output
    for word in ("before", "after", "change"):
        assert word in done.output
    assert b"<svg" in (tmp_path / "adapted.svg").read_bytes()


def test_an_agent_that_does_not_adapt_is_refused():
    done = CliRunner().invoke(app, ["adapt", "show", "--agent", "shanten"])
    assert done.exit_code == 2
    assert "shanten does not adapt" in done.output
