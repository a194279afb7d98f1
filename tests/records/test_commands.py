"""`suzaku data` from end to end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app
from suzaku.records.formats import write_game
from suzaku.records.store import Store
from tests.records.made import told, write_folder


def run(*words):
    return CliRunner().invoke(app, ["data", *map(str, words)])


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    top = tmp_path_factory.mktemp("commands")
    write_folder(top / "in", range(6))
    result = run("import", top / "in", "--out", top / "store", "--workers", 1)
    assert result.exit_code == 0, result.output
    assert "6 games" in result.output
    return top


def game_id(place, seed):
    """The id of a game of the store."""
    name = f"made-game-{seed:04d}.mjlog"
    return next(game.id for game in Store(place / "store").games() if game.source.endswith(name))


def test_verify_agrees(place):
    result = run("verify", place / "in", "--workers", 1)
    assert result.exit_code == 0
    assert "0 divergences" in result.output


def test_verify_finds_a_false_score(place, tmp_path):
    text = write_game(told(0), "mjlog").decode()
    at = text.index(' ten="', text.index("<AGARI")) + 6
    fu = text[at : text.index(",", at)]
    (tmp_path / "false.mjlog").write_text(text[:at] + str(int(fu) + 10) + text[at + len(fu) :])
    result = run("verify", tmp_path / "false.mjlog", "--workers", 1)
    assert result.exit_code == 1
    assert "fu" in result.output
    assert "dora indicators" in result.output
    assert ": 1 divergence\n" in result.output


def test_stats_and_plot(place, tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra [train]")
    result = run("stats", place / "store", "--plot", tmp_path / "stats.png")
    assert result.exit_code == 0, result.output
    for word in ("win rate", "deal-in rate", "riichi rate", "call rate", "7 dan", "discard"):
        assert word in result.output
    assert (tmp_path / "stats.png").stat().st_size > 10_000


@pytest.mark.parametrize("format", ["mjai", "tenhou6", "mjlog"])
def test_export_and_show(place, tmp_path, format):
    out = tmp_path / f"game.{format}.txt"
    result = run("export", place / "store", "--format", format, "--game", game_id(place, 3), "--out", out)
    assert result.exit_code == 0, result.output
    assert run("verify", out, "--workers", 1).exit_code == 0
    shown = run("show", out, "--round", 1, "--moves")
    assert shown.exit_code == 0
    assert "round 1 of" in shown.output
    assert "seat 0 draw" in shown.output
    assert "dora indicators" in shown.output


def test_show_of_a_store_names_games(place):
    ids = [game.id for game in Store(place / "store").games()]
    result = run("show", place / "store")
    assert result.exit_code == 2
    assert f"this is a store of 6 games ({', '.join(ids[:3])} ...); use suzaku data stats" in result.output
    assert result.output.count("\n") == 1


def test_show_of_a_round_that_is_not_there(place):
    result = run("show", place / "in" / "made-game-0000.mjlog", "--round", 99)
    assert result.exit_code == 2
    assert "rounds" in result.output


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "has no name"), (".", "this is a folder"), ("missing/game.json", "there is no folder missing")],
)
def test_export_to_a_name_that_is_no_file(place, monkeypatch, tmp_path, name, words):
    monkeypatch.chdir(tmp_path)
    result = run("export", place / "store", "--format", "mjai", "--game", game_id(place, 3), "--out", name)
    assert result.exit_code == 2
    assert words in result.output
    assert not list(tmp_path.iterdir())


def test_stats_of_no_games(place):
    result = run("stats", place / "store", "--length", "hanchan")
    assert result.exit_code == 2
    assert result.output.strip() == f"suzaku: {place / 'store'}: no game of the store passes the filters"


def test_plots_that_cannot_be_drawn_are_refused_first(place, tmp_path, monkeypatch):
    result = run("stats", place / "store", "--plot", tmp_path / "stats.exe")
    assert result.exit_code == 2
    assert "must end in .png, .svg or .pdf" in result.output
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("stats", place / "store", "--plot", tmp_path / "stats.png")
    assert result.exit_code == 2
    assert result.output == "suzaku: plots need matplotlib: pip install 'suzaku[plots]'\n"


def test_one_of_each(place):
    result = run("verify", place / "in" / "made-game-0000.mjlog", "--workers", 1)
    assert result.output.startswith("1 game, ")


def test_nothing_imported(tmp_path):
    (tmp_path / "chess.txt").write_text("1. e4 e5")
    result = run("import", tmp_path / "chess.txt", "--out", tmp_path / "store")
    assert result.exit_code == 2
    assert "not read: 1 record, such as " in result.output
    assert "no store was made" in result.output


@pytest.mark.skipif(os.name == "nt", reason="needs a shell with pipes")
def test_a_closed_pipe_is_no_error(place):
    path = place / "in" / "made-game-0000.mjlog"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "suzaku", "data", "show", str(path), "--moves"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0
