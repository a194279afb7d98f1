"""The store: what goes in comes out, the same bytes each time, whole after a kill, and filters."""

import json
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from suzaku.records.filters import Filters
from suzaku.records.game import RecordError
from suzaku.records.imports import import_records
from suzaku.records.store import Store
from suzaku.records.write import write_game
from tests.records.made import made_game, told

SEEDS = range(12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Twelve games in three formats: loose, in a tar.xz and in a zip."""
    top = tmp_path_factory.mktemp("records")
    for seed in range(4):
        (top / f"made-game-{seed:04d}.mjlog").write_bytes(write_game(told(seed), "mjlog"))
    for seed in range(4, 8):
        (top / f"made-game-{seed:04d}.json").write_bytes(write_game(told(seed), "tenhou6"))
    with tarfile.open(top / "more.tar.xz", "w:xz") as archive:
        archive.add(top / "made-game-0003.mjlog", "inside/made-game-0003.mjlog")  # twice
    with zipfile.ZipFile(top / "rest.zip", "w") as archive:
        for seed in range(8, 12):
            archive.writestr(f"inside/made-game-{seed:04d}.jsonl", write_game(told(seed), "mjai"))
    return top


def all_bytes(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())}


def test_what_goes_in_comes_out(folder, tmp_path):
    report = import_records([str(folder)], tmp_path / "store", part=5)
    assert (report.games, report.parts, report.bad) == (12, 3, [])
    assert report.skipped == [(f"{folder}/more.tar.xz/inside/made-game-0003.mjlog", "the game was read before")]
    store = Store(tmp_path / "store")
    assert len(store) == 12
    for game in store.games():
        made = made_game(int(game.id[-4:]))
        assert np.array_equal(game.actions % 128, made.actions % 128)
        assert game.scores == made.scores
        assert made.players[0] not in game.players
    assert store.find("made-game-0005").source.endswith("made-game-0005.json")
    with pytest.raises(RecordError, match="12 games"):
        store.find("made")
    assert {game.split for game in store.games()} <= {"train", "validation", "test"}


def test_the_same_bytes_whatever_the_workers_and_interrupts(folder, tmp_path):
    import_records([str(folder)], tmp_path / "one", part=5)
    import_records([str(folder)], tmp_path / "two", part=5, workers=2)
    assert all_bytes(tmp_path / "one") == all_bytes(tmp_path / "two")
    (tmp_path / "two" / "store.json").unlink()
    (tmp_path / "two" / "part-00001.parquet").unlink()
    (tmp_path / "two" / ".part-00001.parquet.tmp").write_bytes(b"half")
    with pytest.raises(RecordError, match="interrupted"):
        Store(tmp_path / "two")
    report = import_records([str(folder)], tmp_path / "two", part=5)
    assert report.resumed == 2
    assert all_bytes(tmp_path / "one") == all_bytes(tmp_path / "two")


@pytest.mark.parametrize("first", ["mjai", "mjlog"])
@pytest.mark.parametrize("part", [1, 9])
def test_of_two_records_of_a_game_the_one_with_the_whole_wall_is_kept(tmp_path, first, part):
    other = {"mjai": "mjlog", "mjlog": "mjai"}[first]
    inputs = []
    for place, format in (("a", first), ("b", other), ("c", first)):
        (tmp_path / place).mkdir()
        inputs.append(str(tmp_path / place))
        for seed in range(2):
            (tmp_path / place / f"made-game-{seed:04d}.txt").write_bytes(write_game(told(seed), format))
    (tmp_path / "a" / "made-game-0002.txt").write_bytes(write_game(told(2), "mjai"))
    report = import_records(inputs, tmp_path / "store", part=part)
    assert (report.games, report.rounds) == (3, sum(len(made_game(seed).walls) for seed in range(3)))
    assert len(report.skipped) == 4
    found = {game.id: game for game in Store(tmp_path / "store").games()}
    assert [found[f"made-game-{seed:04d}"].walls_known for seed in range(3)] == [True, True, False]
    assert np.array_equal(found["made-game-0001"].walls, made_game(1).walls)
    whole = all_bytes(tmp_path / "store")
    again = import_records(inputs, tmp_path / "store", part=part)
    assert again.resumed == report.parts
    assert (again.games, again.rounds, sorted(again.skipped)) == (3, report.rounds, sorted(report.skipped))
    assert all_bytes(tmp_path / "store") == whole


def test_an_input_that_changed_is_not_resumed(tmp_path):
    path = tmp_path / "made-game-0000.mjlog"
    text = write_game(told(0), "mjlog")
    path.write_bytes(text)
    import_records([str(path)], tmp_path / "store")
    path.write_bytes(text.replace(b"player", b"prayer", 1))
    with pytest.raises(RecordError, match="other inputs"):
        import_records([str(path)], tmp_path / "store")


def test_other_inputs_into_the_same_store_are_refused(folder, tmp_path):
    import_records([str(folder / "rest.zip")], tmp_path / "store")
    with pytest.raises(RecordError, match="other inputs"):
        import_records([str(folder)], tmp_path / "store")
    with pytest.raises(RecordError, match="other inputs"):
        import_records([str(folder / "rest.zip")], tmp_path / "store", Filters(min_dan=3))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "thesis.txt").write_text("mine")
    with pytest.raises(RecordError, match=r"thesis\.txt"):
        import_records([str(folder)], tmp_path / "notes")


@pytest.mark.parametrize("wait", [0.0, 0.05])
def test_a_kill_leaves_nothing_half_written(folder, tmp_path, wait):
    many = tmp_path / "many"
    many.mkdir()
    text = write_game(told(0), "mjlog")
    for number in range(400):
        (many / f"made-game-{number:04d}.mjlog").write_bytes(text)
    code = "import sys; from suzaku.records.imports import import_records as f; f(sys.argv[1:2], sys.argv[2], part=40)"
    process = subprocess.Popen([sys.executable, "-c", code, many, tmp_path / "cut"])
    while process.poll() is None and not (tmp_path / "cut" / "part-00001.parquet").exists():
        time.sleep(0.005)
    time.sleep(wait)
    process.kill()
    process.wait()
    parts = sorted((tmp_path / "cut").glob("part-*.parquet"))
    assert parts
    for part in parts:
        assert pq.read_table(part).num_rows == 40
    import_records([str(many)], tmp_path / "cut", part=40)
    import_records([str(many)], tmp_path / "whole", part=40)
    assert all_bytes(tmp_path / "cut") == all_bytes(tmp_path / "whole")


def test_filters_at_import_and_at_reading(folder, tmp_path):
    import_records([str(folder)], tmp_path / "all")
    wanted = Filters(min_dan=12, source="houou")
    report = import_records([str(folder)], tmp_path / "some", wanted)
    ids = [game.id for game in Store(tmp_path / "some").games()]
    assert 0 < len(ids) < 12
    assert any("below dan 12" in text for _, text in report.skipped)
    assert ids == [game.id for game in Store(tmp_path / "all").games(wanted)]
    assert not list(Store(tmp_path / "all").games(Filters(length="hanchan", source="houou")))
    assert not list(Store(tmp_path / "all").games(Filters(since="2020")))  # dates are unknown here
    for wrong in ({"since": "soon"}, {"length": "west"}):
        with pytest.raises(ValueError, match=r"must be|unknown"):
            Filters(**wrong)


def test_a_store_of_another_version_is_refused(folder, tmp_path):
    import_records([str(folder / "rest.zip")], tmp_path / "store")
    path = tmp_path / "store" / "store.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 99}))
    with pytest.raises(RecordError, match="version 99"):
        Store(tmp_path / "store")
    with pytest.raises(RecordError, match="no store"):
        Store(folder)
