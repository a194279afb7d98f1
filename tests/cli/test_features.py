"""`suzaku features show`: its picture, and what is said where it cannot be drawn."""

import sys

import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app

WORDS = ["features", "show", "--seed", "7", "--decisions", "5", "--png"]


def test_the_picture_is_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra [plots]")
    done = CliRunner().invoke(app, [*WORDS, str(tmp_path / "channels.png")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "channels.png").read_bytes()[1:4] == b"PNG"


def test_without_matplotlib_one_sentence_comes_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = CliRunner().invoke(app, [*WORDS, str(tmp_path / "channels.png")])
    assert done.exit_code == 2
    assert done.output == "suzaku: plots need matplotlib: pip install 'suzaku[plots]'\n"


@pytest.mark.parametrize(
    ("name", "said"), [("no/where.png", "there is no folder"), ("picture.exe", "must end in .png")]
)
def test_a_name_that_cannot_be_written_is_refused(name, said, tmp_path):
    done = CliRunner().invoke(app, [*WORDS, str(tmp_path / name)])
    assert done.exit_code == 2
    assert said in done.output
    assert done.output.count("\n") == 1
