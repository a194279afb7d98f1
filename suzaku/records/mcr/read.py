"""Reading matches of MCR in either format: the text tells which."""

from suzaku.records.game import UNREADABLE, RecordError
from suzaku.records.importing.sources import unpack
from suzaku.records.mcr.match_json import read_json
from suzaku.records.mcr.match_text import read_text
from suzaku.records.mcr.recorded import Recorded


def read_matches(text: bytes, name: str) -> list[Recorded]:
    """The matches in a text; a RecordError says what is wrong with it."""
    text = unpack(text).lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"Match "):
        return read_text(text, name)
    try:
        return read_json(text, name)
    except UNREADABLE as error:
        raise error if isinstance(error, RecordError) else RecordError("a part of the match cannot be read") from None
