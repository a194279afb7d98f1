"""The text format of public MCR games: a line for each thing that happened, games apart by a blank line."""

import io
import itertools
import re
from collections.abc import Iterator

from suzaku.mcr.botzone import read_tile, write_tile
from suzaku.records.game import RecordError
from suzaku.records.mcr.recorded import Event, Recorded

WORDS = {"draw": "DRAW", "play": "PLAY", "chi": "CHI", "peng": "PENG", "gang": "GANG", "angang": "ANGANG",
         "bugang": "BUGANG", "hu": "HU"}  # fmt: skip
MOST_EVENTS = 1000
NAMES = {verb: {"ANGANG": "AnGang", "BUGANG": "BuGang"}.get(verb, verb.capitalize()) for verb in WORDS.values()}


def read_text(text: bytes, source: str, most: int | None = None) -> list[Recorded]:
    """The matches of a text, or the first `most`; a RecordError names the line that cannot be read."""
    return list(itertools.islice(_matches(text, source), most))


def _matches(text: bytes, source: str) -> Iterator[Recorded]:
    game: Recorded | None = None
    for number, raw in enumerate(io.BytesIO(text), 1):
        if not raw.strip():
            continue
        line = raw.decode("utf-8", "replace")
        words = line.split()
        if words and words[0] == "Match" and game is not None:
            yield _whole(game)
        try:
            if words and words[0] == "Match":
                game = Recorded(words[1], source, "botzone-text", -1, [[] for _ in range(4)], [])
            elif words and game is not None:
                _take(game, words)
        except RecordError:
            raise
        except (ValueError, IndexError, KeyError):
            raise RecordError(f"line {number} makes no sense: {line.rstrip()[:80]!r}") from None
    if game is not None:
        yield _whole(game)


def _whole(game: Recorded) -> Recorded:
    """A match that was read to its end."""
    if game.wind < 0:
        raise RecordError(f"match {game.id} does not tell its prevalent wind")
    if not game.events or any(len(hand) != 13 for hand in game.hands):
        raise RecordError(f"match {game.id} has no events, or a hand that is not of thirteen tiles")
    _mend(game)
    return game


def _take(game: Recorded, words: list[str]) -> None:
    if words[0] == "Wind":
        game.wind = _below_four(words[1])
    elif words[0] == "Player":
        seat, verb = _below_four(words[1]), words[2].lower()
        if verb == "deal":
            game.hands[seat] = [read_tile(word) for word in words[3:]]
            return
        if len(game.events) == MOST_EVENTS:
            raise RecordError(f"match {game.id} has more than {MOST_EVENTS:,} events, which no match has")
        game.events.append(Event(WORDS[verb], seat, read_tile(words[3])))
        if len(words) > 4:
            _overruled(game, words[4:])
    elif words[0] == "Fan":
        game.fan = int(words[1])
        parts = (part.rpartition("*") for part in words[2].split("+"))
        game.fans = [(name, int(times)) for name, _, times in parts]
    elif words[0] == "Huang":
        game.events.append(Event("HUANG"))
    elif words[0] == "Score":
        game.scores = [int(word) for word in words[1:5]]
    else:
        raise ValueError(words[0])


def _overruled(game: Recorded, words: list[str]) -> None:
    """Claims that came to nothing: "Ignore Player 2 Chi W3", one or more. They answer the discard before."""
    rest = " ".join(words).lower()
    found = re.findall(r"ignore player ([0-3]) (chi|peng|gang|hu) (\w+)", rest)
    if len(found) != rest.count("ignore"):
        raise ValueError(rest)
    for seat, verb, tile in found:
        words_of = f"CHI {tile.upper()}" if verb == "chi" else verb.upper()
        game.events[-2].claims[int(seat)] = words_of


def _mend(game: Recorded) -> None:
    """The text names the last discard as the tile of a self-drawn win."""
    for i, event in enumerate(game.events):
        before = game.events[i - 1] if i else None
        if event.verb == "HU" and before and before.verb == "DRAW" and before.seat == event.seat:
            event.tile = before.tile


def _below_four(word: str) -> int:
    number = int(word)
    if not 0 <= number <= 3:
        raise ValueError(word)
    return number


def write_text(game: Recorded) -> bytes:
    """The match as text. The tile of a self-drawn win is the tile drawn."""
    if any(event.verb == "FOUL" for event in game.events):
        raise ValueError(f"{game.id}: the text format holds no fouls; write botzone")
    lines = [f"Match {game.id}", f"Wind {game.wind}"]
    lines += [f"Player {i} Deal {' '.join(map(write_tile, hand))}" for i, hand in enumerate(game.hands)]
    claims: dict[int, str] = {}
    offered = -1
    for event in game.events:
        if event.verb == "HUANG":
            lines.append("Huang")
            continue
        ignored = "".join(_ignore(seat, words, offered) for seat, words in sorted(claims.items()))
        lines.append(f"Player {event.seat} {NAMES[event.verb]} {write_tile(event.tile)}{ignored}")
        claims, offered = event.claims, event.tile
    if game.fans is not None:
        lines.append(f"Fan {game.fan} " + "+".join(f"{name}*{times}" for name, times in game.fans))
    if game.scores is not None:
        lines.append("Score " + " ".join(map(str, game.scores)))
    return ("\n".join(lines) + "\n\n").encode()


def _ignore(seat: int, words: str, offered: int) -> str:
    verb, _, tile = words.partition(" ")
    return f" Ignore Player {seat} {verb.capitalize()} {tile or write_tile(offered)}"
