"""`suzaku reward show`: a game round by round, out of whatever it is kept in."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app
from suzaku.learning.reward import bundled_reward, forecast, round_name
from suzaku.records.formats import write_game
from suzaku.records.importing import import_records
from suzaku.records.store import Store
from suzaku.records.stored import round_table
from suzaku.records.to_events import to_events
from tests.records.made import made_game


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """The file of a hanchan."""
    path = tmp_path_factory.mktemp("reward") / "game.mjlog"
    path.write_bytes(write_game(to_events(made_game(2, "hanchan")), "mjlog"))
    return path


def show(*words):
    return CliRunner().invoke(app, ["reward", "show", *map(str, words)])


def test_a_record_is_shown_round_by_round(record, tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra [train]")
    stored = made_game(2, "hanchan")
    done = show(record, "--png", tmp_path / "game.png")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    for row in round_table(stored)[:-1]:
        assert any(line.strip().startswith(round_name(row)) for line in lines)
    end = next(line for line in lines if line.strip().startswith("end"))
    assert "+90.0  1.00" in end
    assert "-135.0  4.00" in end
    assert (tmp_path / "game.png").read_bytes().startswith(b"\x89PNG")


def test_a_game_of_a_store_is_the_same(record, tmp_path):
    import_records([str(record)], tmp_path / "store")
    done = show(f"{tmp_path / 'store'}:", "--model", "uma")
    assert done.exit_code == 0, done.output
    assert "+20.0  1.00" in done.stdout
    assert show(f"{tmp_path / 'store'}:nothing").exit_code == 2
    without = show(tmp_path / "store")
    assert without.exit_code == 2
    (stored,) = Store(tmp_path / "store").games()
    assert f"this is a store of 1 game ({stored.id}); name one of them, {tmp_path / 'store'}:ID" in without.stderr


def test_what_it_cannot_tell_is_one_sentence(record, tmp_path):
    east = tmp_path / "east.mjlog"
    east.write_bytes(write_game(to_events(made_game(2)), "mjlog"))
    (tmp_path / "no.mjlog").write_text("hello")
    for words, sentence in (
        ([east], "was trained on hanchan games"),
        ([tmp_path / "no.mjlog"], "neither mjlog XML"),
        ([tmp_path / "missing.mjlog"], "there is no such file"),
        (
            [record, "--model", "points"],
            "points is neither a checkpoint nor a bundled reward predictor: there are expert, tenhou, uma",
        ),
        ([record, "--png", "game.txt"], "must end in .png"),
    ):
        done = show(*words)
        assert done.exit_code == 2
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1


def test_expected_places_and_rewards_belong_together():
    found = forecast(bundled_reward(), made_game(2, "hanchan"))
    assert found.labels[-1] == "end"
    assert sorted(found.place[-1]) == [1, 2, 3, 4]
    assert (abs(found.place.sum(1) - 10) < 1).all()
    assert found.reward.shape == found.place.shape == (len(found.rows), 4)


def test_it_needs_no_torch(record):
    code = f"""
import sys
sys.modules["torch"] = None
from suzaku.cli.main import app
app(["reward", "show", {str(record)!r}])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "+90.0  1.00" in done.stdout
