"""Compressed texts and archives read by pieces: however much a few bytes would become, memory stays small."""

import bz2
import gzip
import io
import lzma
import zlib
from typing import IO, Any

from suzaku.records.game import RecordError

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
