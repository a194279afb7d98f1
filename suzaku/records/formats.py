"""Reading a record of any format, which the text itself tells, and writing one.

- Reading a record of any format: the format is known by the text, not by the name.
- Writing a game in any of the formats.
- One game out of whatever it is kept in: a record file of any format, an archive, a store, or the library.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from suzaku.records.library import one_in_library
from suzaku.records.mjai import write_mjai
from suzaku.records.mjlog_write import write_mjlog
from suzaku.records.sources import find_files, read_items, unpack
from suzaku.records.store import Store
from suzaku.records.stored import Stored, to_stored
from suzaku.records.tenhou6_write import write_tenhou6
from suzaku.records.to_events import to_events
from suzaku.records.types import UNREADABLE, Game, RecordError, SkippedError, content_of, tenhou_name
from suzaku.records.verify import replay_game
from suzaku.table.game import game_named, load

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
        from suzaku.records.mjlog import read_mjlog

        return [read_mjlog(text, label, name)]
    if text[:1] in b"{[":
        head = text[: text.find(b"\n")] if b"\n" in text[:100_000] else text[:100_000]
        if re.search(rb'"type"\s*:', head):
            from suzaku.records.mjai import read_mjai

            return read_mjai(text, label, name, most)
        from suzaku.records.tenhou6 import read_tenhou6

        return read_tenhou6(text, label, name, most)
    kind = "binary data" if b"\0" in text[:1000] else "text"
    formats = "neither mjlog XML nor tenhou.net/6 JSON nor mjai JSON lines nor a match of Botzone"
    raise RecordError(f"the file holds {kind} that is {formats}")


def is_mcr(text: bytes) -> bool:
    """Whether a text looks like matches of MCR, as Botzone or the public text format has them."""
    head = unpack(text).lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"Match ") or (head[:1] == b"{" and b'"walltiles"' in head)


WRITERS: dict[str, Callable[[Game], bytes]] = {"mjai": write_mjai, "tenhou6": write_tenhou6, "mjlog": write_mjlog}
MCR_FORMATS = ("botzone", "botzone-text")
ENDINGS = {
    "mjai": "mjson", "tenhou6": "json", "mjlog": "mjlog", "botzone": "json", "botzone-text": "txt"
}  # of file names  # fmt: skip


def formats_of(game: str) -> list[str]:
    """The formats that can hold this game: a format belongs to one."""
    return list(game_named(game).formats)


def check_format(game: str, rules: Any, format: str) -> None:
    """Refuse rules whose games a format of this game cannot hold."""
    if format in MCR_FORMATS and not (rules.duplicate and rules.hands == 1):
        raise ValueError(f"{format} holds single hands with private walls: keep games of these rules in a store")


def write_stored(stored: Stored, format: str) -> bytes:
    """A stored game as a text of one of its game's formats."""
    formats = formats_of(stored.game)
    if format not in formats:
        known = ", ".join(formats) or "none"
        raise ValueError(f"{stored.id} is of {stored.game}, which {format!r} cannot hold: its formats are {known}")
    written: bytes = load(game_named(stored.game).write)(stored, format)  # Riichi needs none of MCR's kernels
    return written


def write_riichi(stored: Stored, format: str) -> bytes:
    """A stored game of Riichi in one of its formats."""
    return WRITERS[format](to_events(stored))


def write_game(game: Game, format: str) -> bytes:
    """The game as a text of the format "mjai", "tenhou6" or "mjlog"."""
    if format not in WRITERS:
        raise ValueError(f"format {format!r} is unknown: choose one of {', '.join(WRITERS)}")
    return WRITERS[format](game)


def open_game(name: str) -> tuple[Stored, list[str]]:
    """The first game of a file or an archive, STORE:ID of a store or ID of the library; its players' names too.

    RecordError says what is wrong. Of a record that cannot be followed to its end, the rounds before stay.
    """
    folder, colon, id = name.rpartition(":")
    in_store = colon and Path(folder).is_dir() and not Path(name).exists()
    if stored := Store(folder).find(id) if in_store else one_in_library(name):
        return stored, [player or f"player {seat + 1}" for seat, player in enumerate(stored.players)]
    if any(Path(name).glob("part-*.parquet")):
        raise RecordError(f"{name}: this is a store of {Store(name).said()}; name one of them, {name}:ID")
    for item in read_items(find_files([name])):
        try:
            if item.error:
                raise RecordError(item.error)
            game = read_games(item.text, item.name, 1)[0]
            followed = replay_game(game)
            if followed.divergence is not None:
                if not followed.actions:
                    place = followed.divergence
                    raise RecordError(f"round {place.round + 1}: {place.text}")
                game.rounds = game.rounds[: len(followed.actions)]
        except (RecordError, SkippedError) as error:
            raise RecordError(f"{item.name}: {error}") from None
        names = [player.name or f"player {seat + 1}" for seat, player in enumerate(game.players)]
        return to_stored(game, followed), names
    raise RecordError(f"{name}: there is no game in it")
