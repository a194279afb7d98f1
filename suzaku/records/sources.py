"""The inputs of an import: files, folders, globs, archives and standard input, unpacked by pieces.

- Compressed texts and archives read by pieces: however much a few bytes would become, memory stays small.
- The inputs of an import: files, folders, globs, archives and standard input, as one stream of named texts.
"""

import bz2
import glob
import gzip
import io
import lzma
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from suzaku.records.store import Store
from suzaku.records.types import RecordError

MOST_BYTES = 8 << 20  # of one text, decompressed: a game takes 0.1 MB, and a text may hold several
GROWTH = 200  # times what is compressed may grow; records grow by 5 to 30 times
FREE_GROWTH = 32 << 20  # bytes up to which an archive may grow by more
GZIP = b"\x1f\x8b"
OPENERS: dict[bytes, Any] = {GZIP: gzip.open, b"\xfd7zXZ\0": lzma.open, b"BZh": bz2.open}
TOO_LARGE = f"the text has more than {MOST_BYTES >> 20} MB, the most that is read; split a file of many games"
GROWS = f"it grows by more than {GROWTH} times when it is decompressed, as no records do"


def unpack(text: bytes) -> bytes:
    """The text of a gzipped file; any other text as it is."""
    if not text.startswith(GZIP):
        return text
    try:
        with gzip.open(io.BytesIO(text)) as stream:
            plain = stream.read(MOST_BYTES + 1)
    except EOFError:
        raise RecordError("the gzip file is cut off") from None
    except (OSError, zlib.error):
        raise RecordError("the gzip file is broken") from None
    if len(plain) > MOST_BYTES:
        raise RecordError(TOO_LARGE)
    if plain.startswith(GZIP):
        raise RecordError("the gzip file holds another gzip file: decompress it once")
    return plain


class Unpacked:
    """A file as it is decompressed, for `tarfile`; RecordError once it grows as no records do."""

    def __init__(self, file: IO[bytes]) -> None:
        head = file.read(max(map(len, OPENERS)))
        file.seek(0)
        opener = next((opener for magic, opener in OPENERS.items() if head.startswith(magic)), None)
        self._file = file
        self._plain = opener(file) if opener else file
        self._size = 0

    def read(self, size: int) -> bytes:
        """The next bytes."""
        data = self._plain.read(size)
        self._size += len(data)
        if self._size > max(FREE_GROWTH, GROWTH * self._file.tell()):
            raise RecordError(f"the archive is read no further: {GROWS}")
        return data


RECORDS = (".mjlog", ".xml", ".txt", ".json", ".jsonl", ".mjson", ".log", ".gz")  # what is read in folders and archives
TARS = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz")
SMALL = 1 << 20  # bytes up to which a member of a zip may grow as it likes
STANDARD_INPUT = Path("-")
BROKEN = (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error)


@dataclass(slots=True)
class Item:
    """One input text, or the sentence that says why it could not be read."""

    name: str  # the path; for a member of an archive, the archive's path and the member's
    text: bytes
    error: str = ""


def find_files(inputs: list[str]) -> list[Path]:
    """The files that the inputs name, sorted. A name that matches nothing is an error."""
    found: dict[Path, None] = {}
    for name in inputs:
        if not name:
            raise RecordError("an input has no name: give a file, a folder, a glob or an archive")
        path = Path(name)
        if path.suffix == ".parquet" or any(path.glob("part-*.parquet")):
            raise RecordError(f"{name}: this is a store{_of_games(path)}; use suzaku data stats or suzaku data export")
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and _is_wanted(p.name))
            if not inside:
                raise RecordError(f"{name}: the folder holds no records ({', '.join(RECORDS)}) and no archives")
        elif name == str(STANDARD_INPUT) or path.is_file():
            inside = [path]
        elif path.exists():
            raise RecordError(f"{name}: this is {_special(path)}: expected a file, a folder, or - for standard input")
        else:
            inside = sorted(Path(p) for p in glob.glob(name, recursive=True) if Path(p).is_file())
            if not inside:
                raise RecordError(f"{name}: there is no such file or folder")
        found.update(dict.fromkeys(inside))
    return list(found)


def _special(path: Path) -> str:
    """What a path is that is neither a file nor a folder; to open such a thing may wait for ever."""
    mode = path.stat().st_mode
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def _of_games(store: Path) -> str:
    """Which games a store has, for whoever has to name one; nothing if it cannot be read."""
    try:
        return f" of {Store(store).said()}"
    except RecordError:
        return ""


def read_items(files: list[Path]) -> Iterator[Item]:
    """All texts of the files, in order; the members of an archive in the order they have there."""
    for path in files:
        try:
            if path.name.lower().endswith(TARS):
                yield from _read_tar(path)
            elif path.name.lower().endswith(".zip"):
                yield from _read_zip(path)
            elif path == STANDARD_INPUT:
                yield _item("standard input", sys.stdin.buffer.read(MOST_BYTES + 1))
            else:
                yield _read_file(path)
        except RecordError as error:
            yield Item(path.as_posix(), b"", str(error))
        except BROKEN as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "broken or cut off"
            yield Item(path.as_posix(), b"", f"the file cannot be read to its end ({reason})")


def _is_wanted(name: str) -> bool:
    return name.lower().endswith((*RECORDS, *TARS, ".zip")) and not name.startswith(".")


def _item(name: str, text: bytes) -> Item:
    return Item(name, text) if len(text) <= MOST_BYTES else Item(name, b"", TOO_LARGE)


def _read_file(path: Path) -> Item:
    with path.open("rb") as file:
        return _item(path.as_posix(), file.read(MOST_BYTES + 1))


def _read_tar(path: Path) -> Iterator[Item]:
    empty = True
    with path.open("rb") as file, tarfile.open(fileobj=Unpacked(file), mode="r|") as archive:  # type: ignore[call-overload]
        for member in archive:
            if not member.isfile() or not _is_wanted(member.name.rsplit("/", 1)[-1]):
                continue
            empty = False
            name = f"{path.as_posix()}/{member.name}"
            if member.size > MOST_BYTES:
                yield Item(name, b"", TOO_LARGE)
                continue
            stream = archive.extractfile(member)
            assert stream is not None
            yield Item(name, stream.read())
    if empty:
        yield Item(path.as_posix(), b"", "the archive holds no records")


def _read_zip(path: Path) -> Iterator[Item]:
    empty = True
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.is_dir() or not _is_wanted(member.filename.rsplit("/", 1)[-1]):
                continue
            empty = False
            name = f"{path.as_posix()}/{member.filename}"
            try:
                yield Item(name, _read_member(archive, member))
            except RecordError as error:
                yield Item(name, b"", str(error))
            except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
                yield Item(name, b"", f"the member of the archive cannot be read ({error})")
    if empty:
        yield Item(path.as_posix(), b"", "the archive holds no records")


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if member.file_size > MOST_BYTES:
        raise RecordError(TOO_LARGE)
    if member.file_size > max(SMALL, GROWTH * member.compress_size):
        raise RecordError(f"the member of the archive is not read: {GROWS}")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others are decompressed in one piece
        raise RecordError("the member of the archive is compressed in another way than deflate, which is not read")
    return archive.read(member)
