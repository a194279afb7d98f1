"""Fig. 8 is drawn from the places that are kept beside its script."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "reproduce" / "figure8.py"


def figure8(*words):
    done = subprocess.run([sys.executable, SCRIPT, *words], check=False, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr.strip()


def test_it_is_drawn_from_what_is_kept(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra [train]")
    code, out, _ = figure8("draw", "--times", "50", "--png", str(tmp_path / "figure8.png"))
    assert code == 0
    assert "| RL-basic | 10,000 | 2.470 ± 0.021 | 5.47 |" in out
    assert "| SL-weak | 10,000 | 2.500 ± 0.000 | 5.00 |" in out  # once in each place on every deal
    assert "| RL-basic - SL-weak | -0.030 ± 0.021 | +0.47 (" in out
    assert "| RL-2 - RL-1 | +0.015 ± 0.028 |" in out
    assert (tmp_path / "figure8.png").stat().st_size > 1000


def test_a_folder_without_matches_is_told(tmp_path):
    code, _, said = figure8("draw", "--out", str(tmp_path))
    assert code == 1
    assert said == f"{tmp_path} holds no match: run `play` first"


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("figure8", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "figure8", module)
    spec.loader.exec_module(module)
    return module


def test_what_is_kept_stays_in_the_papers_order_and_on_the_same_deals(script, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(script, "KEPT", tmp_path / "kept.json")

    def keep(**players):
        stored = script.Stored("weak", 8, {name: np.full((deals, 4), 1) for name, deals in players.items()})
        monkeypatch.setattr(script, "read_all", lambda out: stored)
        script.keep(type("Options", (), {"out": Path("runs/figure8")}))

    keep(SL=3, other=3)
    keep(**{"SL-weak": 3, "RL-1": 3})
    names = list(json.loads((tmp_path / "kept.json").read_text())["places"])
    assert names == ["SL-weak", "SL", "RL-1", "other"]
    before = (tmp_path / "kept.json").read_bytes()
    with pytest.raises(SystemExit, match="3 deals of seed 8 against three of weak, and runs/figure8 4 deals"):
        keep(**{"RL-2": 4})
    assert (tmp_path / "kept.json").read_bytes() == before


def test_without_players_the_bundled_ones_are_played(script, tmp_path, monkeypatch):
    played = []
    monkeypatch.setattr(
        script.reinforcement, "play", lambda agent, weak, folder, _: played.append((agent, weak, folder))
    )
    monkeypatch.setattr(sys, "argv", ["figure8.py", "play", "--out", str(tmp_path)])
    script.main()
    bundled = {"SL": "suphx", "RL-basic": "rl-basic", "RL-1": "rl-1", "RL-2": "rl-2"}
    assert played == [(agent, "weak", tmp_path / name) for name, agent in bundled.items()]


def test_all_are_compared_with_sl_weak_and_what_climbed_from_it_with_the_step_before(script):
    rng = np.random.default_rng(1)
    names = ["SL-weak", "SL", "RL-basic", "RL-1", "RL-2", "mine", "other"]
    places = {name: rng.multinomial(4, [0.25] * 4, 20) for name in names}
    rows = script.differences(places)[2:]
    compared = [row.split(" | ")[0].removeprefix("| ") for row in rows]
    assert compared == [f"{name} - SL-weak" for name in names[1:]] + ["RL-1 - RL-basic", "RL-2 - RL-1"]
    apart = (places["RL-2"] - places["RL-1"]) @ np.arange(1, 5) / 4
    assert rows[-1].split(" | ")[1].startswith(f"{apart.mean():+.3f} ± ")
    del places["RL-1"]
    assert len(script.differences(places)[2:]) == 5  # no step before RL-2 is there


def draw(script, monkeypatch, weak, **places):
    """What is printed of kept places."""
    monkeypatch.setattr(script, "kept", lambda: script.Stored(weak, 8, {n: np.array(one) for n, one in places.items()}))
    script.draw(SimpleNamespace(out=None, times=20, png=None))


@pytest.mark.parametrize(("weak", "called"), [("weak", "SL-weak"), ("suphx", "suphx")])
def test_the_reference_is_called_what_it_is(script, monkeypatch, capsys, weak, called):
    draw(script, monkeypatch, weak, **{"RL-1": [[1, 1, 1, 1], [2, 1, 1, 0]]})
    out = capsys.readouterr().out
    assert f"| {called} | 8 | 2.500 ± 0.000 |" in out
    assert f"| RL-1 - {called} |" in out
    assert ("SL-weak" in out) == (called == "SL-weak")


@pytest.mark.filterwarnings("error")
def test_who_is_never_fourth_has_no_stable_rank(script, monkeypatch, capsys):
    never, third = [[2, 1, 1, 0], [1, 1, 2, 0]], [[0, 0, 4, 0]] * 2
    rarely = [[1, 1, 2, 0], [1, 1, 1, 1]]  # never in some of the resamplings
    draw(script, monkeypatch, "weak", never=never, third=third, rarely=rarely)
    out = capsys.readouterr().out
    assert "inf" not in out.lower()
    assert "nan" not in out
    for name in "never", "third":
        assert f"| {name} | 8 |" in out
        assert next(line for line in out.splitlines() if line.startswith(f"| {name} |")).endswith("| - | - / - / - |")
        assert "| - (- to -) |" in next(line for line in out.splitlines() if line.startswith(f"| {name} - SL-weak"))


def test_matches_that_were_played_are_read_as_far_as_all_have_come(script, tmp_path):
    from suzaku.arena.log import Log
    from suzaku.arena.match import Match
    from suzaku.arena.play import Play, here

    wanted = {}
    for name, agent, games in (("other", "shanten", 8), ("SL", "tsumogiri", 12)):
        match = Match((agent, "random"), "1v3", seed=4, length="east")
        workers = here(match, 8)
        try:
            rows = Play(match, Log(match, tmp_path / name), games).run(workers).rows
        finally:
            workers.close()
        wanted[name] = script.count_places(match, rows)[:2, 0]
    stored = script.read_all(tmp_path)
    assert (stored.weak, stored.seed, stored.deals) == ("random", 4, "2 deals of seed 4 against three of random")
    assert list(stored.places) == ["SL", "other"]
    assert all(np.array_equal(stored.places[name], wanted[name]) for name in wanted)
    assert stored.places["other"].sum(0)[0] > stored.places["SL"].sum(0)[0]
    match = Match(("tsumogiri", "random"), "1v3", seed=5, length="east")
    Log(match, tmp_path / "RL-1").close({})
    with pytest.raises(SystemExit, match="matches on other deals"):
        script.read_all(tmp_path)
