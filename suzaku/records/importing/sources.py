"""The inputs of an import: files, folders, globs and archives (not unpacked), as one stream of named texts."""

import glob
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from suzaku.records.game import RecordError
from suzaku.records.store import Store

RECORDS = (".mjlog", ".xml", ".txt", ".json", ".jsonl", ".mjson", ".log", ".gz")  # what is read in folders and archives
TARS = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz")
MOST_BYTES = 64 << 20  # no record is larger
GZIP = b"\x1f\x8b"


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
        elif path.exists():
            inside = [path]
        else:
            inside = sorted(Path(p) for p in glob.glob(name, recursive=True) if Path(p).is_file())
            if not inside:
                raise RecordError(f"{name}: there is no such file or folder")
        found.update(dict.fromkeys(inside))
    return list(found)


def _of_games(store: Path) -> str:
    """Which games a store has, for whoever has to name one; nothing if it cannot be read."""
    try:
        return f" of {Store(store).said()}"
    except RecordError:
        return ""


def read_items(files: list[Path]) -> Iterator[Item]:
    """All texts of the files, in order; the members of an archive in the order they have there."""
    for path in files:
        name = path.as_posix()
        try:
            if path.name.lower().endswith(TARS):
                yield from _read_tar(path)
            elif path.name.lower().endswith(".zip"):
                yield from _read_zip(path)
            else:
                yield _read_file(path)
        except (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "broken or cut off"
            yield Item(name, b"", f"the file cannot be read to its end ({reason})")


def unpack(text: bytes) -> bytes:
    """The text of a gzipped file; any other text as it is."""
    if not text.startswith(GZIP):
        return text
    stream = zlib.decompressobj(wbits=31)
    try:
        plain = stream.decompress(text, MOST_BYTES + 1)
    except zlib.error:
        raise RecordError("the gzip file is broken") from None
    if len(plain) > MOST_BYTES:
        raise RecordError(_too_large())
    if not stream.eof:
        raise RecordError("the gzip file is cut off")
    return plain


def _is_wanted(name: str) -> bool:
    return name.lower().endswith((*RECORDS, *TARS, ".zip")) and not name.startswith(".")


def _too_large() -> str:
    return f"the file is larger than {MOST_BYTES >> 20} MB, which no record is; it was not read"


def _read_file(path: Path) -> Item:
    if path.stat().st_size > MOST_BYTES:
        return Item(path.as_posix(), b"", _too_large())
    return Item(path.as_posix(), path.read_bytes())


def _read_tar(path: Path) -> Iterator[Item]:
    empty = True
    with tarfile.open(path, "r|*") as archive:
        for member in archive:
            if not member.isfile() or not _is_wanted(member.name.rsplit("/", 1)[-1]):
                continue
            empty = False
            name = f"{path.as_posix()}/{member.name}"
            if member.size > MOST_BYTES:
                yield Item(name, b"", _too_large())
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
            if member.file_size > MOST_BYTES:
                yield Item(name, b"", _too_large())
                continue
            try:
                yield Item(name, archive.read(member))
            except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
                yield Item(name, b"", f"the member of the archive cannot be read ({error})")
    if empty:
        yield Item(path.as_posix(), b"", "the archive holds no records")
