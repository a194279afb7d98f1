"""The store: what goes in comes out, the same bytes each time, whole after a kill, and filters."""

import errno
import json
import os
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from suzaku.records.formats import write_game
from suzaku.records.importing import Pool, import_records
from suzaku.records.sources import Item
from suzaku.records.store import Filters, Store
from suzaku.records.to_events import to_events
from suzaku.records.types import RecordError
from suzaku.system import HeldError, writing
from suzaku.workers.processes import processes
from tests.records.made import made_game, told, write_folder

SEEDS = range(12)
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


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


def seed_of(game):
    return int(Path(game.source).stem[-4:])


def all_bytes(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())}


def test_what_goes_in_comes_out(folder, tmp_path):
    report = import_records([str(folder)], tmp_path / "store", part=5)
    assert (report.games, report.parts, report.bad) == (12, 3, [])
    assert report.skipped == [(f"{folder}/more.tar.xz/inside/made-game-0003.mjlog", "the game was read before")]
    store = Store(tmp_path / "store")
    assert len(store) == 12
    for game in store.games():
        made = made_game(seed_of(game))
        assert np.array_equal(game.actions % 128, made.actions % 128)
        assert game.scores == made.scores
        assert made.players[0] not in game.players
    ids = [game.id for game in store.games()]
    assert store.find(ids[5]).id == store.find(ids[5][:12]).id == ids[5]
    with pytest.raises(RecordError, match=f"12 games have an id that begins with '': {', '.join(ids[:3])} \\.\\.\\."):
        store.find("")
    with pytest.raises(RecordError, match="no game has"):
        store.find("made")
    assert pq.read_table(tmp_path / "store").num_rows == 12  # readable as a folder by any reader of Parquet
    assert {game.split for game in store.games()} <= {"train", "validation", "test"}


def test_the_same_bytes_whatever_the_workers_and_interrupts(folder, tmp_path):
    import_records([str(folder)], tmp_path / "one", part=5)
    import_records([str(folder)], tmp_path / "two", part=5, workers=2)
    assert all_bytes(tmp_path / "one") == all_bytes(tmp_path / "two")
    (tmp_path / "two" / "_store.json").unlink()
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
    found = {seed_of(game): game for game in Store(tmp_path / "store").games()}
    assert [found[seed].walls_known for seed in range(3)] == [True, True, False]
    assert np.array_equal(found[1].walls, made_game(1).walls)
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
    many = write_folder(tmp_path / "many", range(48))
    code = (
        "import sys; from suzaku.records.importing import import_records;"
        "import_records(sys.argv[1:2], sys.argv[2], part=4)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, many, tmp_path / "cut"])
    while process.poll() is None and not (tmp_path / "cut" / "part-00001.parquet").exists():
        time.sleep(0.005)
    time.sleep(wait)
    process.kill()
    process.wait()
    parts = sorted((tmp_path / "cut").glob("part-*.parquet"))
    assert parts
    for part in parts:
        assert pq.read_table(part).num_rows == 4
    assert import_records([str(many)], tmp_path / "cut", part=4).resumed >= len(parts)
    import_records([str(many)], tmp_path / "whole", part=4)
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
    path = tmp_path / "store" / "_store.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 99}))
    with pytest.raises(RecordError, match="version 99"):
        Store(tmp_path / "store")
    with pytest.raises(RecordError, match="is not a store of games"):
        Store(folder)


def test_copies_are_one_game_whatever_their_names(tmp_path):
    name = "2024042100gm-00a9-0000-0123abcd"
    game = told(1)
    game.id = name
    for label, format in (("a", "mjlog"), (f"b-{name}", "mjlog"), ("c", "mjai"), ("d", "tenhou6"), ("e", "mjlog")):
        (tmp_path / f"{label}.txt").write_bytes(write_game(game, format))
    unnamed = told(1)
    unnamed.id = ""
    for format in ("mjlog", "mjai", "tenhou6"):
        (tmp_path / f"unnamed-{format}.txt").write_bytes(write_game(unnamed, format))
    report = import_records([str(tmp_path)], tmp_path / "store", part=2)
    assert (report.games, len(report.skipped), report.bad) == (1, 7, [])
    assert [game.id for game in Store(tmp_path / "store").games()] == [name]


def test_a_hashed_name_stays_when_a_game_is_read_again(tmp_path):
    first = write_folder(tmp_path / "in", [2])
    import_records([str(first)], tmp_path / "one")
    game = next(Store(tmp_path / "one").games())
    (tmp_path / "again.mjlog").write_bytes(write_game(to_events(game), "mjlog"))
    import_records([str(tmp_path / "again.mjlog")], tmp_path / "two")
    again = next(Store(tmp_path / "two").games())
    assert (again.players, again.id, again.split) == (game.players, game.id, game.split)


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_no_temporary_file(tmp_path, monkeypatch, call):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder = write_folder(tmp_path / "in", [0])
    monkeypatch.setattr(os, call, full)
    with pytest.raises(RecordError) as caught:
        import_records([str(folder)], tmp_path / "store")
    assert str(caught.value) == f"{tmp_path / 'store'}: no space left on the device"
    assert not list((tmp_path / "store").iterdir())


def test_one_import_at_a_time(tmp_path):
    folder = write_folder(tmp_path / "in", range(2))
    (tmp_path / "store").mkdir()
    with writing(tmp_path / "store"), pytest.raises(HeldError, match=r"another command is writing .*store"):
        import_records([str(folder)], tmp_path / "store")
    (tmp_path / "store" / ".lock").write_text("left by one that was killed")
    assert import_records([str(folder)], tmp_path / "store").games == 2
    assert sorted(all_bytes(tmp_path / "store")) == ["_store.json", "part-00000.parquet"]


def test_an_import_of_nothing_readable_leaves_no_store(tmp_path):
    (tmp_path / "chess.txt").write_text("1. e4 e5")
    assert import_records([str(tmp_path / "chess.txt")], tmp_path / "store").games == 0
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_is_killed_or_suspended_changes_nothing(folder, tmp_path, monkeypatch, sign):
    """Records enough for two workers; the store is the one that this process makes alone."""
    monkeypatch.setattr("suzaku.workers.workers.SILENCE", 8.0)
    names = []
    for number in range(40):
        for source in sorted(folder.glob("made-game-*.mjlog")):
            names.append(str(tmp_path / f"{number}-{source.name}"))
            Path(names[-1]).write_bytes(source.read_bytes())
    import_records(names, tmp_path / "alone")
    made = []

    def make(*setup, **about):
        made.append(processes(*setup, **about))
        return made[0]

    monkeypatch.setattr("suzaku.records.importing.processes", make)

    def progress(done, games):
        if done == 1:
            os.kill(made[0]._seats[0].link.pid, sign)

    import_records(names, tmp_path / "store", workers=2, progress=progress)
    assert made[0].replaced == 1
    assert all_bytes(tmp_path / "store") == all_bytes(tmp_path / "alone")


def test_workers_end_when_their_parent_is_killed(tmp_path):
    code = """
import os, sys, time
from tests.records.test_store import note_process
from suzaku.records.importing import Pool
from suzaku.records.sources import Item
if __name__ == "__main__":
    with Pool(note_process, 2) as pool:
        list(pool.map([Item(sys.argv[1], b"")] * 5000))
"""
    (tmp_path / "job.py").write_text(code)
    process = subprocess.Popen([sys.executable, tmp_path / "job.py", tmp_path / "pids"], env=ENVIRONMENT)
    while process.poll() is None and not ((tmp_path / "pids").exists() and (tmp_path / "pids").read_text()):
        time.sleep(0.02)
    process.kill()
    process.wait()
    worker = int((tmp_path / "pids").read_text().split()[0])
    assert worker != process.pid
    for _ in range(200):
        if not is_running(worker):
            return
        time.sleep(0.05)
    os.kill(worker, 9)
    pytest.fail("the worker went on")


def note_process(item):
    """For the test above: work that takes long."""
    with open(item.name, "a") as stream:
        stream.write(f"{os.getpid()}\n")
    time.sleep(0.2)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return True  # no /proc here
    except OSError:
        return False


def test_few_items_start_no_workers():
    items = [Item(str(i), b"") for i in range(100)]
    with Pool(str, 2) as pool:
        assert list(pool.map(items[:20])) == [str(item) for item in items[:20]]
        assert pool.workers is None
        assert list(pool.map(items)) == [str(item) for item in items]
        assert pool.workers is not None


def test_a_store_without_the_column_game_is_of_riichi(folder, tmp_path):
    import_records([str(folder / "made-game-0001.mjlog")], tmp_path / "store")
    store = tmp_path / "store"
    (now,) = Store(store).games()
    part = store / "part-00000.parquet"
    pq.write_table(pq.read_table(part).drop_columns(["game"]), part)
    summary = json.loads((store / "_store.json").read_text())
    assert summary["version"] == 3
    (store / "_store.json").write_text(json.dumps({**summary, "version": 2}))
    (before,) = Store(store).games()
    assert (before.game, before.rules, before.scores) == ("riichi", now.rules, now.scores)
    assert (before.walls == now.walls).all()
