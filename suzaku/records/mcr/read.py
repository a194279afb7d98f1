"""Reading matches of MCR in either format: the text tells which."""

from suzaku.records.game import UNREADABLE, RecordError
from suzaku.records.importing.unpack import unpack
from suzaku.records.mcr.match_json import read_json
from suzaku.records.mcr.match_text import read_text
from suzaku.records.mcr.recorded import Recorded


def read_matches(text: bytes, name: str, most: int | None = None) -> list[Recorded]:
    """The matches in a text, or the first `most`; a RecordError says what is wrong with it."""
    text = unpack(text).lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"Match "):
        return read_text(text, name, most)
    try:
        return read_json(text, name, most)
    except (*UNREADABLE, RecursionError) as error:
        raise error if isinstance(error, RecordError) else RecordError("a part of the match cannot be read") from None
