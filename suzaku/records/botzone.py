"""Matches of MCR as Botzone keeps them: JSON and text, read and written.

- A match of MCR as it was recorded, whatever the format.
- The text format of public MCR games: a line for each thing that happened, games apart by a blank line.
- A finished match as Botzone keeps it: JSON with the wall, and a log of the judge's steps and the players' answers.
- Reading matches of MCR in either format: the text tells which.
"""

import io
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suzaku.mcr.fans import FANS
from suzaku.mcr.state import PRIVATE, WALL
from suzaku.records.sources import unpack
from suzaku.records.types import UNREADABLE, RecordError

# Tiles: W characters, B dots, T bamboo, F1 to F4 the winds, J1 to J3 red, green, white.
TILE_NAMES = [f"{suit}{n}" for suit in "WBT" for n in range(1, 10)] + ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]
TILE_OF = {name: tile for tile, name in enumerate(TILE_NAMES)}


def read_tile(name: str) -> int:
    """The kind that a name stands for; flowers are not played on Botzone."""
    tile = TILE_OF.get(name.upper(), -1)
    if tile < 0:
        raise ValueError(f"{name!r} is not a tile: expected one such as W5, T1, F2 or J3")
    return tile


def write_tile(tile: int) -> str:
    """The name of a kind."""
    return TILE_NAMES[tile]


VERBS = ("DRAW", "PLAY", "CHI", "PENG", "GANG", "ANGANG", "BUGANG", "HU", "HUANG", "FOUL")


@dataclass(slots=True)
class Event:
    """One thing that happened; a chow or pong is followed by its discard as an event of its own."""

    verb: str  # one of VERBS
    seat: int = -1
    tile: int = -1  # drawn, discarded, won on, or of a pong or kong; of a chow its middle tile
    claims: dict[int, str] = field(default_factory=dict)  # by seat: what others answered to a discard or added kong


@dataclass(slots=True)
class Recorded:
    """A match as recorded: one hand."""

    id: str
    source: str  # the file it came from
    format: str
    wind: int
    hands: list[list[int]]  # thirteen tiles a seat, in the order they were taken
    events: list[Event]
    scores: list[int] | None = None  # None: the record does not tell
    fans: list[tuple[str, int]] | None = None  # Chinese name and how often, of the win
    fan: int | None = None  # their total
    wall: np.ndarray | None = None  # int8[144], None if the format does not tell
    players: list[str] = field(default_factory=lambda: [""] * 4)
    error: str = ""  # what Botzone calls a foul: WA, WH, TLE ...

    def full_wall(self) -> np.ndarray:
        """The wall; where it is not known, tiles that nobody has seen fill it up."""
        if self.wall is not None:
            return self.wall
        taken = [[*hand] for hand in self.hands]
        for event in self.events:
            if event.verb == "DRAW":
                taken[event.seat].append(event.tile)
        counts = np.full(34, 4)
        for kind in (kind for one in taken for kind in one):
            counts[kind] -= 1
        for seat, one in enumerate(taken):
            if len(one) > PRIVATE:
                raise RecordError(f"seat {seat} takes {len(one)} tiles, and its part of the wall has {PRIVATE}")
        if counts.min() < 0:
            kind = int(counts.argmin())
            raise RecordError(f"{write_tile(kind)} shows {4 - counts[kind]} times, and there are four of a kind")
        rest = np.repeat(np.arange(34), counts).tolist()
        wall = np.full(WALL, -1, np.int8)
        for seat, one in enumerate(taken):
            while len(one) < PRIVATE:
                one.append(rest.pop())
            wall[PRIVATE * seat : PRIVATE * (seat + 1)] = one[::-1]
        return wall


WORDS = {"draw": "DRAW", "play": "PLAY", "chi": "CHI", "peng": "PENG", "gang": "GANG", "angang": "ANGANG",
         "bugang": "BUGANG", "hu": "HU"}  # fmt: skip
MOST_EVENTS = 1000
NAMES = {verb: {"ANGANG": "AnGang", "BUGANG": "BuGang"}.get(verb, verb.capitalize()) for verb in WORDS.values()}


def read_text(text: bytes, source: str, most: int | None = None) -> list[Recorded]:
    """The matches of a text, or the first `most`; a RecordError names the line that cannot be read."""
    return list(itertools.islice(_text_matches(text, source), most))


def _text_matches(text: bytes, source: str) -> Iterator[Recorded]:
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
                _take_words(game, words)
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


def _take_words(game: Recorded, words: list[str]) -> None:
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


TILES = 4 * PRIVATE
MOST_MATCH = 1 << 20  # bytes of the JSON of one match, of which 0.1 MB are usual
VALUE = {fan.chinese: fan.value for fan in FANS}


def read_json(text: bytes, source: str, most: int | None = None) -> list[Recorded]:
    """The match, or the matches of several lines, or the first `most`."""
    return list(itertools.islice(_matches(text, source), most))


def _matches(text: bytes, source: str) -> Iterator[Recorded]:
    for number, data in enumerate(_parts(text), 1):
        try:
            yield _read(data, source, number)
        except RecordError:
            raise
        except UNREADABLE:
            raise RecordError("a part of the match cannot be read") from None


def _parts(text: bytes) -> Iterator[dict[str, Any]]:
    if len(text) <= MOST_MATCH:
        try:
            yield json.loads(text)
            return
        except ValueError:
            pass
    for number, line in enumerate(io.BytesIO(text), 1):
        if len(line) > MOST_MATCH:
            raise RecordError(f"line {number} has more than {MOST_MATCH >> 20} MB, which no match has")
        if line.strip():
            yield json.loads(line)


def _read(data: dict[str, Any], source: str, number: int) -> Recorded:
    tiles = [read_tile(word) for word in data["initdata"]["walltiles"].split()]
    if len(tiles) != TILES or np.bincount(tiles, minlength=34).max() != 4:
        raise RecordError(f"the wall has {len(tiles)} tiles, or not four of each: only walls without flowers are read")
    wall = np.full(WALL, -1, np.int8)
    wall[:TILES] = tiles
    hands = [tiles[PRIVATE * (i + 1) - 1 : PRIVATE * (i + 1) - 14 : -1] for i in range(4)]
    wind = int(data["initdata"]["quan"])
    if not 0 <= wind <= 3:
        raise RecordError(f"the prevalent wind (quan) is {wind}: expected 0 to 3")
    name = str(data.get("_id") or data.get("id") or f"{source}-{number}")
    game = Recorded(name, source, "botzone", wind, hands, [], wall=wall)
    game.players = [str(player.get("name", "")) for player in data.get("players", [])] or game.players
    for i, entry in enumerate(data["logs"]):
        if "output" not in entry:
            if game.events and game.events[-1].verb in ("PLAY", "BUGANG"):
                game.events[-1].claims = _claims(entry)
        elif i == len(data["logs"]) - 1 or entry["output"].get("display"):
            _take(game, entry["output"])
    for before, after in zip(game.events, game.events[1:], strict=False):
        if after.verb in ("CHI", "PENG", "GANG", "HU"):
            before.claims.pop(after.seat, None)
    return game


def _claims(entry: dict[str, Any]) -> dict[int, str]:
    """The answers that claim something, without the discards they name."""
    found = {}
    for seat in range(4):
        words = str(entry.get(str(seat), {}).get("response", "PASS")).split()
        if words and words[0] in ("PENG", "GANG", "HU"):
            found[seat] = words[0]
        elif words and words[0] == "CHI":
            found[seat] = f"CHI {words[1]}"
    return found


def _take(game: Recorded, output: dict[str, Any]) -> None:
    display = output["display"]
    verb = display.get("action", "")
    if verb in ("INIT", "DEAL"):
        return
    seat = int(display.get("player", -1))
    if verb in ("DRAW", "PLAY", "BUGANG"):
        game.events.append(Event(verb, seat, read_tile(display["tile"])))
    elif verb in ("PENG", "CHI"):
        middle = read_tile(display["tileCHI"]) if verb == "CHI" else game.events[-1].tile
        game.events += [Event(verb, seat, middle), Event("PLAY", seat, read_tile(display["tile"]))]
    elif verb == "GANG":
        own = game.events[-1].verb == "DRAW" and game.events[-1].seat == seat
        game.events.append(Event("ANGANG" if own else "GANG", seat, read_tile(display["tile"])))
    elif verb == "HU":
        game.events.append(Event("HU", seat, game.events[-1].tile))
        game.fan = int(display["fanCnt"])
        game.fans = [(str(fan["name"]), int(fan["cnt"])) for fan in display["fan"]]
    elif verb == "HUANG":
        game.events.append(Event("HUANG"))
    elif not 0 <= seat <= 3:
        raise RecordError(f"the match tells of {verb!r} by no seat: expected 0 to 3")
    else:
        game.events.append(Event("FOUL", seat))
        game.error = str(verb)
    if output.get("command") == "finish":
        game.scores = [int(output["content"][str(i)]) for i in range(4)]


def write_json(game: Recorded) -> bytes:
    """The match as JSON, with the requests and answers of every step."""
    wall = game.full_wall()[:TILES].tolist()
    logs: list[dict[str, Any]] = []
    left = [PRIVATE - 13] * 4

    def judge(display: dict[str, Any], content: dict[str, Any], command: str = "request") -> None:
        shown = {**display, "tileCnt": list(left)}
        logs.append({"verdict": "OK", "output": {"command": command, "content": content, "display": shown}})

    def answers(**words: str) -> None:
        logs.append({str(i): {"verdict": "OK", "response": words.get(f"p{i}", "PASS")} for i in range(4)})

    judge({"action": "INIT", "quan": game.wind}, {str(i): f"0 {i} {game.wind}" for i in range(4)})
    answers()
    hands = [" ".join(map(write_tile, hand)) for hand in game.hands]
    judge(
        {"action": "DEAL", "hand": [hand.split() for hand in hands]},
        {str(i): f"1 0 0 0 0 {hands[i]}" for i in range(4)},
    )
    answers()
    for i, event in enumerate(game.events):
        rest = game.events[i + 1 :]
        if event.verb in ("HU", "HUANG", "FOUL"):
            judge(_end(game, event), {str(k): score for k, score in enumerate(game.scores or [0] * 4)}, "finish")
            break
        if event.verb in ("CHI", "PENG"):
            continue  # told with its discard
        before = game.events[i - 1] if i else None
        call = before if event.verb == "PLAY" and before and before.verb in ("CHI", "PENG") else None
        if event.verb == "DRAW":
            left[event.seat] -= 1
        judge(_display(event, call), _requests(event, call))
        answers(**{f"p{seat}": words for seat, words in _replies(event, rest).items()})
    data = {
        "_id": game.id,
        "players": [{"name": name} for name in game.players],
        "initdata": {"quan": game.wind, "walltiles": " ".join(map(write_tile, wall))},
        "logs": logs,
    }
    return (json.dumps(data, ensure_ascii=False) + "\n").encode()


def _display(event: Event, call: Event | None) -> dict[str, Any]:
    verb = call.verb if call else "GANG" if event.verb == "ANGANG" else event.verb
    shown = {"action": verb, "player": event.seat, "tile": write_tile(event.tile)}
    return {**shown, "tileCHI": write_tile(call.tile)} if call and verb == "CHI" else shown


def _requests(event: Event, call: Event | None) -> dict[str, Any]:
    tile = write_tile(event.tile)
    if event.verb == "DRAW":
        return {str(i): f"2 {tile}" if i == event.seat else f"3 {event.seat} DRAW" for i in range(4)}
    words = f"PLAY {tile}" if call is None else f"PENG {tile}"
    if call is not None and call.verb == "CHI":
        words = f"CHI {write_tile(call.tile)} {tile}"
    if event.verb in ("GANG", "ANGANG"):
        words = "GANG"
    elif event.verb == "BUGANG":
        words = f"BUGANG {tile}"
    return {str(i): f"3 {event.seat} {words}" for i in range(4)}


def _replies(event: Event, rest: list[Event]) -> dict[int, str]:
    """What the seats answer to a step: the next thing that happens, and the claims that came to nothing."""
    after = rest[0] if rest else Event("HUANG")
    if event.verb == "DRAW":
        if after.verb in ("HU", "HUANG", "FOUL"):
            return {after.seat: "HU" if after.verb != "HUANG" else "PASS"}
        verb = "GANG" if after.verb == "ANGANG" else after.verb
        return {event.seat: f"{verb} {write_tile(after.tile)}"}
    some = write_tile(event.tile)  # the discard that an overruled claim named is not known
    found = {seat: words if words in ("GANG", "HU") else f"{words} {some}" for seat, words in event.claims.items()}
    if after.verb in ("CHI", "PENG"):
        middle = f" {write_tile(after.tile)}" if after.verb == "CHI" else ""
        found[after.seat] = f"{after.verb}{middle} {write_tile(rest[1].tile)}" if len(rest) > 1 else after.verb
    elif after.verb in ("GANG", "HU"):
        found[after.seat] = after.verb
    return found


def _end(game: Recorded, event: Event) -> dict[str, Any]:
    if event.verb == "HUANG":
        return {"action": "HUANG"}
    if event.verb == "FOUL":
        return {"action": game.error or "WA", "player": event.seat}
    fans = [{"name": name, "cnt": times, "value": VALUE.get(name, 0)} for name, times in game.fans or []]
    return {"action": "HU", "player": event.seat, "fanCnt": game.fan, "fan": fans, "score": game.scores}


def read_matches(text: bytes, name: str, most: int | None = None) -> list[Recorded]:
    """The matches in a text, or the first `most`; a RecordError says what is wrong with it."""
    text = unpack(text).lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"Match "):
        return read_text(text, name, most)
    try:
        return read_json(text, name, most)
    except (*UNREADABLE, RecursionError) as error:
        raise error if isinstance(error, RecordError) else RecordError("a part of the match cannot be read") from None
