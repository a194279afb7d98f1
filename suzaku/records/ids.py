"""What a game is called: by Tenhou's name if a record carries one, or else by what happened in it."""

import hashlib
import re

import numpy as np

from suzaku.records import events as ev
from suzaku.records.game import Game

NAMED = re.compile(r"\d{10}gm-[0-9a-f]{4}-\d{4,5}-[0-9a-f]{8}")
TOLD = (ev.DRAW, ev.DISCARD, ev.RIICHI, ev.CALL, ev.KONG)  # what every format tells alike


def tenhou_name(text: str) -> str:
    """Tenhou's name of a game within a text, or nothing."""
    found = NAMED.search(text)
    return found.group() if found else ""


def own_name(game: Game) -> str:
    """The game's id if it is Tenhou's name of it, or nothing."""
    return game.id if NAMED.fullmatch(game.id) else ""


def content_of(game: Game) -> str:
    """A hash of what every format tells of a game: the same for the same game, in whatever format and file."""
    found = hashlib.blake2b(digest_size=8, person=b"suzaku game")
    for recorded in game.rounds:
        start = [recorded.number, recorded.honba, recorded.sticks, *recorded.scores, recorded.indicator]
        events = recorded.events[np.isin(recorded.events[:, 0], TOLD)][:, :3]
        found.update(np.array(start, "<i4").tobytes())
        found.update(recorded.hands.astype(np.int8).tobytes())
        found.update(events.astype("<i2").tobytes())
    return found.hexdigest()
