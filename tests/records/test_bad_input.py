"""Bad input: one clear sentence with the file's name, and the rest goes on."""

import copy
import functools
import io
import json
import random
import re
import tarfile

import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app
from suzaku.records.formats import read_games, write_game
from suzaku.records.importing import import_item, import_records
from suzaku.records.sources import Item
from suzaku.records.types import RecordError
from tests.records.made import told

BOMB = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">' + b"".join(
    f'<!ENTITY b{i} "&b{i - 1};&b{i - 1};&b{i - 1};">'.encode() for i in range(1, 20)
)
BOMB += b']><mjloggm ver="2.3">&b19;</mjloggm>'


@functools.cache
def bad_texts():
    mjlog, mjai, tenhou6 = (write_game(told(0), name) for name in ("mjlog", "mjai", "tenhou6"))
    return {
        "truncated.mjlog": (mjlog[: len(mjlog) // 2], "breaks off"),
        "bomb.xml": (BOMB, "entities"),
        "cut.jsonl": (mjai[: len(mjai) // 2], "cut off"),
        "cut.json": (tenhou6[: len(tenhou6) // 2], "cut off"),
        "noend.jsonl": (b"\n".join(mjai.splitlines()[:20]), "has no end"),
        "chess.json": (b'{"moves": ["e4", "e5"]}', "not a tenhou.net/6 log"),
        "chess.txt": (b"1. e4 e5 2. Nf3", "neither"),
        "page.xml": (b"<html><body/></html>", "not an mjlog: it begins with <html>"),
        "empty.mjlog": (b"", "empty"),
        "zeros.mjlog": (bytes(5000), "binary"),
        "broken.gz": (b"\x1f\x8b\x08\x00abcdef", "gzip"),
        "number.mjlog": (mjlog.replace(b'step="1"', b'stop="1"'), "cannot be read"),
        "tiles.mjlog": (re.sub(rb"<U\d+/>", b"<U999/>", mjlog, count=1), "cannot be read"),
        "event.jsonl": (mjai.replace(b'"dahai"', b'"dance"', 1), "not an event of mjai"),
        "broken.zip": (b"PK no zip at all", "cannot be read"),
        "broken.tar.xz": (b"no archive at all", "cannot be read"),
    }


@pytest.mark.parametrize("name", [name for name in bad_texts() if "zip" not in name and "tar" not in name])
def test_each_gives_one_sentence(name):
    text, words = bad_texts()[name]
    with pytest.raises(RecordError, match=words) as caught:
        read_games(text, name)
    assert "\n" not in str(caught.value)


def test_the_rest_of_an_import_goes_on(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for name, (text, _) in bad_texts().items():
        (folder / name).write_bytes(text)
    with open(folder / "gigabyte.xml", "wb") as stream:
        stream.truncate(1 << 30)  # zeros that take no room
    for seed in range(2):
        (folder / f"made-game-{seed:04d}.mjlog").write_bytes(write_game(told(seed), "mjlog"))
    report = import_records([str(folder)], tmp_path / "store")
    assert report.games == 2
    found = {name.rsplit("/", 1)[-1]: text for name, text in report.bad}
    for name, (_, words) in bad_texts().items():
        assert words in found[name], name
    assert "more than 8 MB" in found["gigabyte.xml"]
    result = CliRunner().invoke(app, ["data", "verify", str(folder), "--workers", "1"])
    assert result.exit_code == 2
    assert "gigabyte.xml" in result.output
    assert "2 games" in result.output


def test_an_archive_that_is_cut_off_gives_what_it_has(tmp_path):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for seed in range(3):
            text = write_game(told(seed), "mjlog")
            info = tarfile.TarInfo(f"made-game-{seed:04d}.mjlog")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text))
    (tmp_path / "cut.tar").write_bytes(buffer.getvalue()[: len(buffer.getvalue()) // 2])
    report = import_records([str(tmp_path / "cut.tar")], tmp_path / "store")
    assert report.games == 1
    assert "cannot be read to its end" in report.bad[0][1]


@pytest.mark.parametrize("what", ["nothing", "missing", "file", "store", "empty", "unnamed", "parts", "part"])
def test_the_commands_say_what_is_wrong(tmp_path, what):
    (tmp_path / "nothing").mkdir()
    (tmp_path / "file").write_text("x")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "part-00000.parquet").write_text("x")
    words = {
        "empty": (["data", "verify", ""], "has no name"),
        "unnamed": (["data", "import", __file__, "--out", ""], "has no name"),
        "parts": (["data", "verify", str(tmp_path / "parts")], "this is a store; use suzaku data stats"),
        "part": (["data", "show", str(tmp_path / "parts" / "part-00000.parquet")], "this is a store"),
        "nothing": (["data", "verify", str(tmp_path / "nothing")], "holds no records"),
        "missing": (["data", "verify", str(tmp_path / "missing")], "no such file"),
        "file": (["data", "import", __file__, "--out", str(tmp_path / "file")], "must be a folder"),
        "store": (["data", "stats", str(tmp_path / "nothing")], "is not a store of games: it has no _store.json"),
    }
    command, text = words[what]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert text in result.output
    assert len(result.output.strip().splitlines()) == 1


PYTHON = re.compile(r"Error|unpack|operand|NoneType|out of range|not supported|argument|object|attribute|literal|dtype")


@pytest.mark.parametrize("format", ["mjlog", "mjai", "tenhou6"])
def test_damage_anywhere_is_told_in_plain_words(format):
    rng = random.Random(7)
    text = write_game(told(0), format)
    words = [b"", b"0", b"-1", b"99", b"999999999999", b"null", b"[]", b"{}", b'"x"', b"1.5", b"x", b",", b"4z"]
    numbers = list(re.finditer(rb"[0-9]+[a-z]?", text))
    found = 0
    for _ in range(400):
        place = rng.choice(numbers)
        damaged = text[: place.start()] + rng.choice(words) + text[place.end() :]
        outcome = import_item(Item("damaged", damaged))
        for sentence in outcome.bad:
            found += 1
            assert "\n" not in sentence
            told_by_us = sentence.split("Expected")[0]  # msgspec says what it expected
            assert not PYTHON.search(told_by_us), sentence
    assert found > 100


def test_shapes_that_no_log_has():
    good = json.loads(write_game(told(0), "tenhou6"))
    for path in ([0], [0, 0], [0, 1], [0, 2], [0, 4], [0, 5], [0, 6], [0, 16], [0, 16, 1], [0, 16, 2]):
        for wrong in (None, [], 7, "x", [None], {}):
            log = copy.deepcopy(good)
            inner = log["log"]
            for step in path[:-1]:
                inner = inner[step]
            if path[-1] >= len(inner):
                continue
            inner[path[-1]] = wrong
            outcome = import_item(Item("wrong", json.dumps(log).encode()))
            for sentence in outcome.bad:
                assert not PYTHON.search(sentence.split("Expected")[0]), sentence
