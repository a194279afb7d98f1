"""Reading a record of any format: the format is known by the text, not by the name."""

import re

from suzaku.records.game import UNREADABLE, Game, RecordError, SkippedError
from suzaku.records.ids import content_of, tenhou_name
from suzaku.records.importing.unpack import unpack

MOST_ROUNDS = 60  # the longest of 18,000 hanchan has 23


def read_games(text: bytes, name: str, most: int | None = None) -> list[Game]:
    """The games of a text, or the first `most`; what comes after them is not looked at.

    Raises RecordError if it is no sound record, SkippedError if its rules are not kept.
    """
    text = unpack(text).lstrip(b"\xef\xbb\xbf \t\r\n")
    if not text:
        raise RecordError("the file is empty")
    try:
        games = _read(text, tenhou_name(name), name, most)
    except (RecordError, SkippedError):
        raise
    except (*UNREADABLE, RecursionError):
        raise RecordError("a part of the record cannot be read") from None
    for game in games:
        if len(game.rounds) > MOST_ROUNDS:
            raise RecordError(f"a game has {len(game.rounds):,} rounds: expected at most {MOST_ROUNDS}")
        game.id = game.id or content_of(game)
    return games


def _read(text: bytes, label: str, name: str, most: int | None) -> list[Game]:
    if text[:1] == b"<":
        from suzaku.records.formats.mjlog import read_mjlog

        return [read_mjlog(text, label, name)]
    if text[:1] in b"{[":
        head = text[: text.find(b"\n")] if b"\n" in text[:100_000] else text[:100_000]
        if re.search(rb'"type"\s*:', head):
            from suzaku.records.formats.mjai import read_mjai

            return read_mjai(text, label, name, most)
        from suzaku.records.formats.tenhou6 import read_tenhou6

        return read_tenhou6(text, label, name, most)
    kind = "binary data" if b"\0" in text[:1000] else "text"
    formats = "neither mjlog XML nor tenhou.net/6 JSON nor mjai JSON lines nor a match of Botzone"
    raise RecordError(f"the file holds {kind} that is {formats}")


def is_mcr(text: bytes) -> bool:
    """Whether a text looks like matches of MCR, as Botzone or the public text format has them."""
    head = unpack(text).lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"Match ") or (head[:1] == b"{" and b'"walltiles"' in head)
