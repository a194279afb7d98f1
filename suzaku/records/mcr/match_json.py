"""A finished match as Botzone keeps it: JSON with the wall, and a log of the judge's steps and the players' answers."""

import io
import itertools
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from suzaku.mcr.botzone import read_tile, write_tile
from suzaku.mcr.fans import FANS
from suzaku.mcr.state import PRIVATE, WALL
from suzaku.records.game import UNREADABLE, RecordError
from suzaku.records.mcr.recorded import Event, Recorded

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
