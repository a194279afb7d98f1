"""Files made to use up memory or time: each is one clear sentence, at once, and memory stays small."""

import gzip
import io
import lzma
import os
import socket
import tarfile
import tracemalloc
import zipfile

import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app
from suzaku.records.formats import write_game
from suzaku.records.importing import import_item, import_records
from suzaku.records.sources import MOST_BYTES, find_files, read_items
from tests.records.made import told, write_folder

FULL = MOST_BYTES - 1000  # bytes of a text that is just small enough
SMALL_MEMORY = 48 << 20  # bytes: a text may have 8 MB, and what is read of it a few times that


def full_of(piece, head=b"", tail=b""):
    """A text of so many pieces that it is just read."""
    return head + piece * ((FULL - len(head) - len(tail)) // len(piece)) + tail


def zipped(method, *texts):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for i, text in enumerate(texts):
            archive.writestr(f"{i}.json", text)
    return buffer.getvalue()


def tarred(opener, sizes, kind=tarfile.REGTYPE):
    """A compressed tar with files of zeros."""
    buffer = io.BytesIO()
    with opener(buffer, "wb") as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
        for i, size in enumerate(sizes):
            info = tarfile.TarInfo(f"{i}.json")
            info.size, info.type = size, kind
            archive.addfile(info, Zeros())
    return buffer.getvalue()


class Zeros:
    def read(self, size):
        return bytes(size)


DEAL = b'{"type":"start_kyoku","bakaze":"E","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"tehais":['
MATCH = b"Match 1\nWind 0\n" + b"".join(b"Player %d Deal" % i + b" W1" * 13 + b"\n" for i in range(4))
BOMBS = {
    "zeros.gz": (gzip.compress(bytes(20 << 20)), "more than 8 MB"),
    "many.gz": (gzip.compress(bytes(1 << 20)) * 300, "more than 8 MB"),
    "twice.gz": (gzip.compress(gzip.compress(bytes(1 << 20))), "another gzip"),
    "spaces.gz": (gzip.compress(full_of(b" ")), "empty"),
    "tags.gz": (gzip.compress(full_of(b"<T1/>", b"<mjloggm>", b"</mjloggm>")), "tags"),
    "attributes.gz": (gzip.compress(full_of(b' a=""', b"<mjloggm", b"/>")), "a tag of more than"),
    "numbers.gz": (
        gzip.compress(full_of(b"10,", b'<mjloggm><GO type="9"/><INIT seed="', b'"/></mjloggm>')),
        "a tag of",
    ),
    "hands.gz": (gzip.compress(full_of(b"[],", DEAL, b"[]]}")), "line 1 has more than"),
    "lists.gz": (gzip.compress(full_of(b"[],", b'{"log":[', b"[]]}")), "line 1 has more than"),
    "match.gz": (gzip.compress(full_of(b"[],", b'{"initdata":{"walltiles":""},"logs":[', b"[]]}")), "line 1 has more"),
    "deep.gz": (gzip.compress(b'{"walltiles":' + b"[" * 900_000), "cannot be read"),
    "matches.gz": (gzip.compress(full_of(b"Match 1\n")), "does not tell"),
    "events.gz": (gzip.compress(full_of(b"Player 0 Draw W1\n", MATCH)), "more than 1,000 events"),
    "zeros.zip": (zipped(zipfile.ZIP_DEFLATED, *[bytes(FULL)] * 5), "grows by more than"),
    "large.zip": (zipped(zipfile.ZIP_DEFLATED, bytes(FULL + 2000)), "more than 8 MB"),
    "lzma.zip": (zipped(zipfile.ZIP_LZMA, bytes(1 << 20)), "in another way than deflate"),
    "zeros.tar.gz": (tarred(gzip.open, [FULL] * 5), "grows by more than"),
    "zeros.tar.xz": (tarred(lzma.open, [FULL] * 5), "grows by more than"),
    "passed.tar.gz": (tarred(gzip.open, [40 << 20]), "grows by more than"),
    "names.tar.gz": (tarred(gzip.open, [40 << 20], tarfile.GNUTYPE_LONGNAME), "grows by more than"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_one_sentence_and_takes_little_memory(name, tmp_path):
    data, words = BOMBS[name]
    assert len(data) < 400_000
    (tmp_path / name).write_bytes(data)
    found = []
    tracemalloc.start()
    try:
        for item in read_items([tmp_path / name]):
            found += import_item(item).bad
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert words in found[-1]
    assert "\n" not in found[-1]
    assert peak < SMALL_MEMORY


def test_a_tar_of_endless_empty_files_ends(tmp_path, monkeypatch):
    monkeypatch.setattr("suzaku.records.sources.FREE_GROWTH", 1 << 20)
    (tmp_path / "empty.tar.xz").write_bytes(tarred(lzma.open, [0] * 4000))
    items = list(read_items([tmp_path / "empty.tar.xz"]))
    assert 1000 < len(items) < 4000
    assert "grows by more than" in items[-1].error


def test_archives_and_gzips_of_several_parts_are_read_to_the_end(tmp_path):
    """The limits let sound files pass: many games in an archive, and a gzip that was written in parts."""
    texts = [write_game(told(seed), "mjlog") for seed in range(3)]
    (tmp_path / "some.zip").write_bytes(zipped(zipfile.ZIP_DEFLATED, *texts))
    (tmp_path / "parts.mjlog.gz").write_bytes(
        b"".join(gzip.compress(texts[0][i : i + 5000]) for i in range(0, len(texts[0]), 5000))
    )
    for opener, ending in ((gzip.open, "gz"), (lzma.open, "xz"), (open, "")):
        path = tmp_path / f"some.tar.{ending}".rstrip(".")
        with opener(path, "wb") as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
            for i, text in enumerate(texts):
                info = tarfile.TarInfo(f"{i}.mjlog")
                info.size = len(text)
                archive.addfile(info, io.BytesIO(text))
    found = {path.name: [import_item(item) for item in read_items([path])] for path in tmp_path.iterdir()}
    assert {name: len(outcomes) for name, outcomes in found.items()} == {
        "some.zip": 3, "some.tar": 3, "some.tar.gz": 3, "some.tar.xz": 3, "parts.mjlog.gz": 1,
    }  # fmt: skip
    assert all(outcome.games for outcomes in found.values() for outcome in outcomes)


def test_an_import_holds_so_many_bytes_of_texts_at_a_time(tmp_path, monkeypatch):
    folder = write_folder(tmp_path / "in", range(4))
    monkeypatch.setattr("suzaku.records.importing.PART_BYTES", 1000)
    report = import_records([str(folder)], tmp_path / "store")
    assert (report.games, report.parts) == (4, 4)


COMMANDS = {
    "verify": ["data", "verify", "{}"],
    "import": ["data", "import", "{}", "--out", "store"],
    "show": ["data", "show", "{}"],
    "agreement": ["agreement", "{}", "--agent", "shanten"],
    "reward": ["reward", "show", "{}"],
    "features": ["features", "show", "--record", "{}"],
    "bot check": ["bot", "check", "--record", "{}", "--", "true"],
    "stats": ["data", "stats", "{}"],
}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes and devices in folders")
@pytest.mark.parametrize("what", ["a named pipe", "a device", "a socket"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file_is_refused_at_once(command, what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = "/dev/zero" if what == "a device" else "thing"
    listener = socket.socket(socket.AF_UNIX)
    if what == "a named pipe":
        os.mkfifo("thing")
    elif what == "a socket":
        listener.bind("thing")
    result = CliRunner().invoke(app, [word.format(path) for word in COMMANDS[command]])
    listener.close()
    assert result.exit_code == 2
    assert len(result.output.strip().splitlines()) == 1
    assert (f"{path}: this is {what}: expected a file" if command != "stats" else path) in result.output


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
def test_a_pipe_in_a_folder_is_passed_over(tmp_path):
    os.mkfifo(tmp_path / "a.mjlog")
    (tmp_path / "b.mjlog").write_bytes(write_game(told(0), "mjlog"))
    assert [path.name for path in find_files([str(tmp_path)])] == ["b.mjlog"]
    assert [path.name for path in find_files([f"{tmp_path}/*"])] == ["b.mjlog"]


@pytest.mark.parametrize("command", ["verify", "show"])
def test_standard_input_is_read(command):
    run = CliRunner()
    result = run.invoke(app, ["data", command, "-"], input=write_game(told(0), "mjai"))
    assert result.exit_code == 0, result.output
    assert "round" in result.output
    result = run.invoke(app, ["data", command, "-"], input=bytes(FULL + 2000))
    assert result.exit_code == 2
    assert "standard input: the text has more than 8 MB" in result.output
