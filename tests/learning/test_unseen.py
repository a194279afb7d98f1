"""A test is made of games that were not learnt from."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch", reason="needs the extra [train]")

from suzaku.cli.main import app
from suzaku.networks.info import read_info
from suzaku.records.decisions import decisions
from suzaku.records.importing import import_records
from suzaku.records.store import Store, Unseen
from tests.records.made import write_folder

QUICK = ["steps=1", "batch=8", "eval_samples=50", "bfloat16=false", "lookahead=false"]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A store of three games that `store` has too, and of two that it has not."""
    top = tmp_path_factory.mktemp("mixed")
    write_folder(top / "in", [40, 41, 42, 60, 61])
    import_records([str(top / "in")], top / "store")
    return top / "store"


def seed_of(game):
    """The seed of a game that was made."""
    return int(Path(game.source).stem[-4:])


def train(store, test, out):
    words = ["train", "supervised", "--model", "discard", "--network", "suphx-b1c8", "--data", str(store)]
    sets = [word for setting in QUICK for word in ("--set", setting)]
    return CliRunner().invoke(app, [*words, "--test", str(test), "--out", str(out), *sets])


def test_games_that_were_learnt_from_are_left_out(store, mixed):
    seen = {game.id for game in Store(store).games() if game.split != "test"}
    everything = {game.id for game in Store(mixed).games()}
    unseen = Unseen(mixed, store)
    kept = {game.id for game in unseen.games()}
    assert kept == everything - seen
    assert 2 <= len(kept) == len(unseen) == 5 - unseen.left_out < 5
    asked = sum(len(batch) for batch in decisions(mixed, "discard", shuffle=None))
    assert 0 < sum(len(batch) for batch in decisions(unseen, "discard", shuffle=None)) < asked


def test_the_same_game_under_another_name_is_found(store, tmp_path):
    (tmp_path / "in").mkdir()
    found = next(game for game in Store(store).games() if game.split == "train")
    (record,) = write_folder(tmp_path / "made", [seed_of(found)]).iterdir()
    name = "2020010100gm-00a9-0000-12345678"
    (tmp_path / "in" / f"{name}.mjlog").write_bytes(record.read_bytes())
    import_records([str(tmp_path / "in")], tmp_path / "store")
    assert next(Store(tmp_path / "store").games()).id == name != found.id
    with pytest.raises(ValueError, match="all its games are among the training and validation games"):
        Unseen(tmp_path / "store", store)


def test_the_command_says_what_is_left_out_and_tests_on_the_rest(store, mixed, tmp_path):
    done = train(store, mixed, tmp_path / "run")
    assert done.exit_code == 0, done.output
    said = Unseen(mixed, store).said()
    assert f"suzaku: {said}" in done.stderr
    *_, last = done.stdout.splitlines()
    assert last.startswith("It cannot play yet: ")
    assert "discard was trained without the look-ahead channels" in last
    assert said in (tmp_path / "run" / "report.md").read_text(encoding="utf-8")
    tested = read_info(tmp_path / "run" / "best")["results"]["test"]["samples"]
    assert tested == sum(len(batch) for batch in decisions(Unseen(mixed, store), "discard", shuffle=None))


def test_a_test_of_nothing_else_is_refused_before_the_training(store, tmp_path):
    write_folder(tmp_path / "in", [seed_of(game) for game in Store(store).games() if game.split == "train"][:2])
    import_records([str(tmp_path / "in")], tmp_path / "store")
    done = train(store, tmp_path / "store", tmp_path / "run")
    assert done.exit_code == 2
    assert "cannot be the test" in done.stderr
    assert not (tmp_path / "run").exists()
