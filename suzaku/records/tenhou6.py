"""Reading tenhou.net/6 JSON.

- Names and numbers of tenhou.net/6 JSON: tiles, yaku, results, dan.
- Reading tenhou.net/6 JSON: what each seat took and threw, from which the order of the turns must be worked out.
"""

import io
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from suzaku.records import types as ev
from suzaku.records.mjlog import called
from suzaku.records.types import (
    UNREADABLE,
    Game,
    Player,
    RecordError,
    Round,
    SkippedError,
    Win,
    call_action,
    check_round,
    tenhou_name,
)
from suzaku.records.verify import choose_rules
from suzaku.records.walls import wall_of_events
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.rules import EAST_ONLY, HANCHAN, Rules
from suzaku.tiles import KIND_OF, RED, TILES

YAKU = (
    "門前清自摸和", "立直", "一発", "槍槓", "嶺上開花", "海底摸月", "河底撈魚", "平和", "断幺九", "一盃口",
    "自風 東", "自風 南", "自風 西", "自風 北", "場風 東", "場風 南", "場風 西", "場風 北", "役牌 白", "役牌 發",
    "役牌 中", "両立直", "七対子", "混全帯幺九", "一気通貫", "三色同順", "三色同刻", "三槓子", "対々和", "三暗刻",
    "小三元", "混老頭", "二盃口", "純全帯幺九", "混一色", "清一色", "人和", "天和", "地和", "大三元",
    "四暗刻", "四暗刻単騎", "字一色", "緑一色", "清老頭", "九蓮宝燈", "純正九蓮宝燈", "国士無双", "国士無双１３面",
    "大四喜", "小四喜", "四槓子", "ドラ", "裏ドラ", "赤ドラ",
)  # fmt: skip
DORA, URA, RED_FIVE = 52, 53, 54
YAKUMAN_NAME = "役満"

WON = "和了"
ENDS = {
    "流局": st.EXHAUSTED, "全員聴牌": st.EXHAUSTED, "全員不聴": st.EXHAUSTED, "流し満貫": st.NAGASHI,
    "九種九牌": st.NINE_KINDS, "四風連打": st.FOUR_WINDS, "四家立直": st.FOUR_RIICHI, "四槓散了": st.FOUR_KONGS,
    "三家和了": st.THREE_WINS, "三家和": st.THREE_WINS,
}  # fmt: skip
END_NAMES = {
    st.EXHAUSTED: "流局", st.NAGASHI: "流し満貫", st.NINE_KINDS: "九種九牌", st.FOUR_WINDS: "四風連打",
    st.FOUR_RIICHI: "四家立直", st.FOUR_KONGS: "四槓散了", st.THREE_WINS: "三家和了",
}  # fmt: skip
ALL_WAIT, NOBODY_WAITS = "全員聴牌", "全員不聴"

DAN = (
    "新人", "９級", "８級", "７級", "６級", "５級", "４級", "３級", "２級", "１級",
    "初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳位",
)  # fmt: skip
TABLES = {"鳳": "houou", "特": "tokujou", "上": "joukyuu", "般": "general"}


def read_tile(number: int) -> int:
    """The tile of a number: 11..19 characters, 21..29 circles, 31..39 bamboos, 41..47 honours, 51..53 red fives."""
    suit, rank = divmod(number, 10)
    if suit == 5 and 1 <= rank <= 3:
        return RED + rank - 1
    if (1 <= suit <= 3 and 1 <= rank <= 9) or (suit == 4 and 1 <= rank <= 7):
        return 9 * (suit - 1) + rank - 1
    raise RecordError(f"{number} is not a tile: expected one such as 11, 39, 47 or 51")


def write_tile(tile: int) -> int:
    """The number of a tile."""
    return 51 + tile - RED if tile >= RED else 10 * (tile // 9 + 1) + tile % 9 + 1


def read_yaku(text: str) -> tuple[int, int]:
    """Number and han of a yaku such as "立直(1飜)"; 0 han for a yakuman."""
    name, _, worth = text.partition("(")
    if name not in YAKU:
        raise RecordError(f"{name!r} is not a yaku of Tenhou")
    return YAKU.index(name), 0 if worth.startswith(YAKUMAN_NAME) else int(worth.removesuffix("飜)"))


DRAWN = 60  # a discard of the drawn tile
MOST_LOG = 1 << 20  # bytes of the JSON of one game, of which 0.01 MB are usual
KONG_TAKEN = 0  # in the discards: an open kong was taken, nothing is thrown


class Log(msgspec.Struct):
    """The parts of the JSON that are read."""

    log: list[list[Any]]
    name: list[str] = []
    rule: dict[str, Any] = {}
    dan: list[str] = []
    rate: list[float] = []
    ref: str = ""
    sc: list[float] = []


def read_tenhou6(text: bytes, name: str, source: str, most: int | None = None) -> list[Game]:
    """The games of a text, or the first `most`: one JSON text, or one a line, often a round each, joined to games."""
    games: list[Game] = []
    last: Log | None = None
    for log in _logs(text):
        follows = last is not None and log.name == last.name and log.rule == last.rule
        if last is None or not follows or _comes_before(log, last):
            if len(games) == most:
                break
            label = f"{name}-{len(games) + 1}" if name and games else name
            games.append(_new_game(log, label, source))
        last = log
        for entry in log.log:
            try:
                games[-1].rounds.append(_read_round(entry, games[-1].rules))
            except SkippedError:
                raise
            except RecordError as error:
                raise RecordError(f"round {len(games[-1].rounds) + 1}: {error}") from None
            except UNREADABLE:
                raise RecordError(
                    f"round {len(games[-1].rounds) + 1}: a hand, a score or what was taken and thrown cannot be read"
                ) from None
        if len(log.sc) == 8:
            games[-1].final_scores = tuple(int(score) for score in log.sc[::2])
            games[-1].ended = True
    for game in games:
        if not game.rounds:
            raise RecordError("the tenhou.net/6 log has no round")
        if not game.lobby and not game.ended:
            choose_rules(game)
    return games


def _logs(text: bytes) -> Iterator[Log]:
    """The logs of a text, read as they are asked for."""
    decoder = msgspec.json.Decoder(Log)
    if len(text) <= MOST_LOG:
        try:
            yield decoder.decode(text)
            return
        except msgspec.ValidationError as error:
            raise RecordError(f"the JSON is not a tenhou.net/6 log: {error}") from None
        except msgspec.DecodeError:
            pass
    for number, line in enumerate(io.BytesIO(text), 1):
        if len(line) > MOST_LOG:
            raise RecordError(f"line {number} has more than {MOST_LOG >> 20} MB, which no game has")
        if line.strip():
            try:
                yield decoder.decode(line)
            except msgspec.DecodeError:
                raise RecordError(f"line {number} is not a whole tenhou.net/6 log; is the file cut off?") from None


def _comes_before(log: Log, last: Log) -> bool:
    return bool(log.log and last.log and log.log[0][0][:2] <= last.log[-1][0][:2])


def _new_game(log: Log, name: str, source: str) -> Game:
    shown = str(log.rule.get("disp", ""))
    if "三" in shown or len(log.name) == 3:
        raise SkippedError("three players")
    if not any(log.rule.get(key) for key in ("aka", "aka51", "aka52", "aka53")):
        raise SkippedError("no red fives")
    rounds = EAST_ONLY if "東" in shown else HANCHAN
    rules = Rules.tenhou(rounds=rounds, open_tanyao="喰" in shown or not shown)
    players = [Player(log.name[seat] if len(log.name) == 4 else "") for seat in range(4)]
    for seat, player in enumerate(players):
        if len(log.dan) == 4 and log.dan[seat] in DAN:
            player.dan = DAN.index(log.dan[seat])
        if len(log.rate) == 4:
            player.rate = log.rate[seat]
    label = tenhou_name(log.ref) or name
    date = re.match(r"\d{10}(?=gm)", label)
    table = next((table for letter, table in TABLES.items() if letter in shown), "")
    return Game(label, source, "tenhou6", rules, players, [], False, False, date.group() if date else "", table)


class _Call:
    """A call or kong such as "4343p43": the letter stands before the called or added tile."""

    def __init__(self, text: str) -> None:
        found = re.fullmatch(r"((?:\d\d)*)([cpmka])((?:\d\d)+)", text)
        if not found:
            raise RecordError(f"{text!r} is not a call: expected one such as '4343p43'")
        before, self.letter, after = found.groups()
        tiles = [read_tile(int(pair)) for pair in re.findall(r"\d\d", before + after)]
        self.place = len(before) // 2
        self.tile = tiles.pop(self.place)
        self.own = tiles

    def source(self, seat: int) -> int:
        """The seat called from: the left one if the letter comes first, the right one if it comes late."""
        return (seat + (3 if self.place == 0 else 2 if self.place == 1 else 1)) % 4


def _read_round(entry: list[Any], rules: Rules) -> Round:
    (number, honba, sticks), scores, indicators, ura = entry[:4]
    hands = np.zeros((4, TILES), np.int8)
    for seat in range(4):
        tiles = [read_tile(tile) for tile in entry[4 + 3 * seat]]
        if len(tiles) != 13:
            raise (
                SkippedError("three players")
                if seat == 3 and not tiles
                else RecordError(f"a hand has {len(tiles)} tiles")
            )
        np.add.at(hands[seat], tiles, 1)
    takes = [list(entry[5 + 3 * seat]) for seat in range(4)]
    throws = [list(entry[6 + 3 * seat]) for seat in range(4)]
    recorded = Round(
        number, honba, sticks, tuple(scores), hands, read_tile(indicators[0]), np.empty(0, np.int8), ev.to_array([])
    )
    turns = _Turns(takes, throws, recorded.dealer, [read_tile(tile) for tile in indicators])
    events = turns.play()
    _read_result(entry[16], recorded, events, turns, tuple(read_tile(tile) for tile in ura))
    recorded.events = ev.to_array(events)
    check_round(recorded)
    recorded.wall = wall_of_events(recorded, rules.red_fives)
    return recorded


class _Turns:
    """Puts what the seats took and threw into order."""

    def __init__(self, takes: list[list[Any]], throws: list[list[Any]], dealer: int, indicators: list[int]) -> None:
        self.takes = takes
        self.throws = throws
        self.seat = dealer
        self.indicators = indicators[1:]
        self.events: list[ev.Event] = []
        self.drawn = -1
        self.last = -1  # the tile thrown last, or added to a kong

    def play(self) -> list[ev.Event]:
        """All events up to the end of the round."""
        while self._turn():
            pass
        return self.events

    def _show(self) -> None:
        """An indicator of a kong: when it shows is not told, so it is put right after the kong."""
        if self.indicators:
            self.events.append((ev.INDICATOR, 0, self.indicators.pop(0), 0))

    def _turn(self) -> bool:
        """One seat takes a tile and throws one; whether the round goes on."""
        seat = self.seat
        if not self.takes[seat]:
            return False
        take = self.takes[seat].pop(0)
        if isinstance(take, str):
            call = _Call(take)
            action = call_action(call.tile, call.own)
            self.events.append((ev.CALL, seat, action, called(call.source(seat), call.tile)))
            if call.letter == "m":
                if self.throws[seat] and self.throws[seat][0] == KONG_TAKEN:
                    self.throws[seat].pop(0)
                self._show()
                return True
        else:
            self.drawn = read_tile(take)
            self.events.append((ev.DRAW, seat, self.drawn, 0))
        if not self.throws[seat]:
            return False
        return self._throw(self.throws[seat].pop(0))

    def _throw(self, throw: int | str) -> bool:
        seat = self.seat
        if isinstance(throw, str) and throw[0] != "r":
            kong = _Call(throw)
            self.last = kong.tile
            first = act.CLOSED_KONG if kong.letter == "a" else act.ADDED_KONG
            self.events.append((ev.KONG, seat, first + int(KIND_OF[kong.tile]), 0))
            if self.takes[seat]:
                self._show()
            return bool(self.takes[seat])
        if isinstance(throw, str):
            self.events.append((ev.RIICHI, seat, 0, 0))
            throw = int(throw[1:])
        tile = self.drawn if throw == DRAWN else read_tile(throw)
        self.last = tile
        self.events.append((ev.DISCARD, seat, tile, int(throw == DRAWN)))
        riichi = len(self.events) > 1 and self.events[-2][0] == ev.RIICHI
        self.seat = self._next_seat(seat, tile)
        goes_on = bool(self.takes[self.seat])
        if riichi and goes_on:
            self.events.append((ev.ACCEPTED, seat, 0, 0))
        return goes_on

    def _next_seat(self, seat: int, tile: int) -> int:
        """Who takes next: a seat whose next entry calls this tile from here, or the one after."""
        chow = -1
        for other in ((seat + i) % 4 for i in (1, 2, 3)):
            take = self.takes[other][0] if self.takes[other] else None
            if isinstance(take, str):
                call = _Call(take)
                if call.tile == tile and call.source(other) == seat:
                    if call.letter != "c":
                        return other
                    chow = other
        return chow if chow >= 0 else (seat + 1) % 4


def _read_result(
    result: list[Any], recorded: Round, events: list[ev.Event], turns: _Turns, ura: tuple[int, ...]
) -> None:
    name = result[0]
    riichi = len(events) > 1 and events[-2][0] == ev.RIICHI and events[-1][0] == ev.DISCARD
    if name == WON:
        total = [0, 0, 0, 0]
        for deltas, details in zip(result[1::2], result[2::2], strict=True):
            total = [a + b for a, b in zip(total, deltas, strict=True)]
            win = _read_win(details, ura)
            recorded.wins.append(win)
            tile = turns.drawn if win.seat == win.source else turns.last
            events.append((ev.WIN, win.seat, tile, win.source))
        recorded.deltas = tuple(total)
        return
    if name not in ENDS:
        raise RecordError(f"the round ends in the unknown way {name!r}")
    end = ENDS[name]
    if riichi and end != st.THREE_WINS:
        events.append((ev.ACCEPTED, events[-1][1], 0, 0))
    events.append((ev.DRAWN_END, turns.seat, end, 0))
    recorded.deltas = tuple(result[1]) if len(result) > 1 else (0, 0, 0, 0)


def _read_win(details: list[Any], ura: tuple[int, ...]) -> Win:
    seat, source, _, worth = details[:4]
    win = Win(seat, source)
    yaku = dict(read_yaku(text) for text in details[4:])
    win.yakuman = sum(1 for number, han in yaku.items() if han == 0 and number < DORA)
    win.dora = (yaku.pop(DORA, 0), yaku.pop(URA, 0), yaku.pop(RED_FIVE, 0))
    win.han = sum(yaku.values()) + sum(win.dora)
    win.yaku = sum(1 << number for number in yaku)
    fu = re.match(r"(\d+)符", worth)
    win.fu = int(fu.group(1)) if fu else None
    found = re.search(r"(\d+)(?:-(\d+))?点(∀?)", worth)
    if not found:
        raise RecordError(f"{worth!r} tells no points")
    first, second, all_pay = found.groups()
    win.points = 2 * int(first) + int(second) if second else 3 * int(first) if all_pay else int(first)
    win.ura = ura if yaku.keys() & {1, 21} else None
    return win
