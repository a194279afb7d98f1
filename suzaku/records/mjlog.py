"""Reading Tenhou's mjlog XML.

- Melds as mjlog writes them: one number with the tiles, the called one and where it came from.
- Reading Tenhou's mjlog XML.
"""

import re
from urllib.parse import unquote
from xml.parsers import expat

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from suzaku.records import types as ev
from suzaku.records.types import (
    UNREADABLE,
    Game,
    Player,
    RecordError,
    Round,
    SkippedError,
    Win,
    check_round,
    tenhou_name,
)
from suzaku.records.walls import Shuffler, old_wall, wall_of_events
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.rules import EAST_ONLY, HANCHAN, Rules
from suzaku.tiles import RED, TILES, from_tenhou, full_set

CHOW_BIT, PONG_BIT, ADDED_BIT, NORTH_BIT = 4, 8, 16, 32


def called(source: int, tile: int) -> int:
    """The field b of a CALL event: the seat called from and the tile."""
    return source | (tile + 1) << 2


def read_meld(seat: int, code: int, red_fives: bool) -> ev.Event:
    """The event of an `N` tag."""
    if not 0 <= code < 1 << 16:
        raise RecordError(f"the meld {code} is not a 16-bit number")
    source = (seat + (code & 3)) % 4
    if code & CHOW_BIT:
        run, place = divmod(code >> 10, 3)
        if run >= 21:
            raise RecordError(f"the meld {code} is not a valid chow: it begins with tile {run}, expected 0 to 20")
        low = run // 7 * 9 + run % 7
        tiles = [from_tenhou((low + i) * 4 + (code >> (3 + 2 * i) & 3), red_fives) for i in range(3)]
        taken = tiles.pop(place)
        action = act.CHOW_LOW + place + (act.CHOW_RED if max(tiles) >= RED else 0)
        return ev.CALL, seat, action, called(source, taken)
    if code & (PONG_BIT | ADDED_BIT):
        kind, place = divmod(code >> 9, 3)
        if kind >= 34:
            raise RecordError(f"the meld {code} is not a valid pong: it is of kind {kind}, expected 0 to 33")
        if code & ADDED_BIT:
            return ev.KONG, seat, act.ADDED_KONG + kind, 0
        tiles = [from_tenhou(kind * 4 + i, red_fives) for i in range(4) if i != code >> 5 & 3]
        taken = tiles.pop(place)
        return ev.CALL, seat, act.PONG_RED if max(tiles) >= RED else act.PONG, called(source, taken)
    if code & NORTH_BIT:
        raise RecordError("a north tile is set aside, which only three players do")
    tile = code >> 8
    if tile >= 136:
        raise RecordError(f"the meld {code} is not a valid kong: it is of tile {tile}, expected 0 to 135")
    if code & 3:
        return ev.CALL, seat, act.OPEN_KONG, called(source, from_tenhou(tile, red_fives))
    return ev.KONG, seat, act.CLOSED_KONG + tile // 4, 0


END = "/mjloggm"
Tag = tuple[str, dict[str, str]]

NO_RED, NO_OPEN_TANYAO, SOUTH, THREE = 2, 4, 8, 16  # bits of the GO type
KNOWN = 0xFF  # higher bits are those of private lobbies: chips, other scores
TABLES = {0x00: "general", 0x80: "joukyuu", 0x20: "tokujou", 0xA0: "houou"}
DRAWS = {"T": 0, "U": 1, "V": 2, "W": 3}
DISCARDS = {"D": 0, "E": 1, "F": 2, "G": 3}
ENDS = {
    None: st.EXHAUSTED, "nm": st.NAGASHI, "yao9": st.NINE_KINDS, "kaze4": st.FOUR_WINDS, "reach4": st.FOUR_RIICHI,
    "kan4": st.FOUR_KONGS, "ron3": st.THREE_WINS,
}  # fmt: skip
DORA, URA, RED_FIVE = 52, 53, 54  # numbers of the doras among the yaku
MOST_TAGS = 20_000  # the longest of 700 hanchan has 1,931
LONG_TAG = re.compile(rb"(?:\A|>)[^>]{20000}")  # the longest there is, a seed, has 3,400 letters


def read_tags(text: bytes) -> list[Tag]:
    """The tags of an XML text with their attributes."""
    if LONG_TAG.search(text):
        raise RecordError("the XML has a tag of more than 20,000 letters, which no record has")
    tags: list[Tag] = []

    def take(tag: str, attributes: dict[str, str]) -> None:
        if len(tags) == MOST_TAGS:
            raise RecordError(f"the XML has more than {MOST_TAGS:,} tags, which no record has")
        tags.append((tag, attributes))

    parser = DefusedXMLParser(forbid_dtd=True)
    parser.parser.ordered_attributes = False
    parser.parser.StartElementHandler = take  # no tree is built
    parser.parser.EndElementHandler = None
    parser.parser.CharacterDataHandler = None
    try:
        parser.feed(text)
        parser.parser.Parse(b"", True)
    except (ParseError, expat.ExpatError) as error:
        line, column = error.position if isinstance(error, ParseError) else (error.lineno, error.offset)
        raise RecordError(f"the XML breaks off or is broken at line {line}, column {column}") from None
    except DefusedXmlException:
        raise RecordError("the XML declares entities or a document type, which no record does") from None
    return tags


def numbers(text: str) -> list[int]:
    """Whole numbers with commas between them."""
    return [int(word) for word in text.split(",")] if text else []


def rules_of(go_type: int) -> Rules:
    """The rules of a GO type."""
    if go_type & THREE:
        raise SkippedError("three players")
    if go_type & NO_RED:
        raise SkippedError("no red fives")
    if go_type > KNOWN:
        raise SkippedError(f"a lobby with rules of its own (GO type {go_type})")
    return Rules.tenhou(rounds=HANCHAN if go_type & SOUTH else EAST_ONLY, open_tanyao=not go_type & NO_OPEN_TANYAO)


def read_mjlog(text: bytes, name: str, source: str) -> Game:
    """The game of an mjlog text. `name` becomes its id."""
    tags = read_tags(text)
    if not tags or tags[0][0] != "mjloggm":
        raise RecordError(f"the XML is not an mjlog: it begins with <{tags[0][0]}>, expected <mjloggm>")
    try:
        return _Reader(tags, name or tenhou_name(tags[0][1].get("ref", "")), source).game
    except (RecordError, SkippedError):
        raise
    except UNREADABLE:
        raise RecordError("the GO, SHUFFLE or UN tag of the mjlog cannot be read") from None


class _Reader:
    """Goes through the tags once and builds the game."""

    def __init__(self, tags: list[Tag], name: str, source: str) -> None:
        self.shuffler: Shuffler | None = None
        self.away: set[int] = set()
        self.events: list[ev.Event] = []
        self.round: Round | None = None
        self.last = -1  # the tile drawn last
        seed = next((a["seed"] for tag, a in tags if tag == "SHUFFLE"), "")
        go = next((a for tag, a in tags if tag == "GO"), None)
        if go is None:
            raise RecordError("the mjlog has no GO tag, which tells the rules")
        go_type = int(go["type"])
        rules = rules_of(go_type)
        self.tile_of = [int(tile) for tile in full_set(rules.red_fives)]
        if seed:
            self.shuffler = Shuffler(seed, rules.red_fives)
        date = re.match(r"\d{10}(?=gm)", name)
        self.game = Game(
            name, source, "mjlog", rules, [Player() for _ in range(4)], [], True, True, date.group() if date else "",
            TABLES.get(go_type & 0xA0, ""),
        )  # fmt: skip
        self.others = {
            "UN": self._player, "BYE": self._leave, "INIT": self._init, "N": self._meld, "DORA": self._dora,
            "REACH": self._riichi, "AGARI": self._win, "RYUUKYOKU": self._drawn_end,
            END: lambda _: self._finish_round(),
        }  # fmt: skip
        for tag, attributes in [*tags, (END, {})]:
            try:
                self._tag(tag, attributes)
            except SkippedError:
                raise
            except RecordError as error:
                raise RecordError(f"{self._place()}{error}") from None
            except UNREADABLE:
                raise RecordError(f"{self._place()}the tag <{tag[:20]}> cannot be read") from None
        if not self.game.rounds:
            raise RecordError("the mjlog has no round")

    def _place(self) -> str:
        return f"round {len(self.game.rounds) + 1}: " if self.game.rounds or self.round else ""

    def _tag(self, tag: str, attributes: dict[str, str]) -> None:
        letter, digits = tag[0], tag[1:]
        if not attributes and digits.isdigit():
            if letter in DRAWS:
                self.last = int(digits)
                self.events.append((ev.DRAW, DRAWS[letter], self.tile_of[self.last], 0))
            elif letter in DISCARDS:
                number = int(digits)
                drawn = int(number == self.last)
                self.events.append((ev.DISCARD, DISCARDS[letter], self.tile_of[number], drawn))
        elif tag in self.others:
            self.others[tag](attributes)

    def _player(self, attributes: dict[str, str]) -> None:
        if "dan" in attributes:
            dans, rates = numbers(attributes["dan"]), attributes.get("rate", "").split(",")
            for seat in range(4):
                rate = float(rates[seat]) if len(rates) == 4 else float("nan")
                self.game.players[seat] = Player(unquote(attributes[f"n{seat}"]), dans[seat], rate)
            return
        for seat in range(4):
            if f"n{seat}" in attributes and seat in self.away:
                self.away.discard(seat)
                self.events.append((ev.RETURN, seat, 0, 0))

    def _leave(self, attributes: dict[str, str]) -> None:
        seat = int(attributes["who"])
        self.away.add(seat)
        self.events.append((ev.LEAVE, seat, 0, 0))

    def _hand(self, text: str) -> list[int]:
        return [self.tile_of[number] for number in numbers(text)]

    def _init(self, attributes: dict[str, str]) -> None:
        self._finish_round()
        number, honba, sticks, _, _, indicator = numbers(attributes["seed"])
        hands = np.zeros((4, TILES), np.int8)
        for seat in range(4):
            dealt = self._hand(attributes[f"hai{seat}"])
            if len(dealt) != 13:
                raise (
                    SkippedError("not four players")
                    if not dealt
                    else RecordError(f"seat {seat} was dealt {len(dealt)} tiles, expected 13")
                )
            np.add.at(hands[seat], dealt, 1)
        scores = tuple(100 * score for score in numbers(attributes["ten"]))
        self.known = True
        if self.shuffler:
            wall = self.shuffler.next_wall()
        elif "wall" in attributes:  # written by this program
            wall = np.array(self._hand(attributes["wall"]), np.int8)
            if sorted(numbers(attributes["wall"])) != list(range(136)):
                raise RecordError("the wall of an INIT tag must hold each of the 136 tiles once")
        elif "shuffle" in attributes:
            wall = old_wall(attributes["shuffle"], self.game.rules.red_fives)
        else:
            wall = np.empty(0, np.int8)
            self.known = self.game.walls_known = False
        self.last = -1
        self.events = [(ev.LEAVE, seat, 0, 0) for seat in sorted(self.away)]
        self.round = Round(number, honba, sticks, scores, hands, self.tile_of[indicator], wall, ev.to_array([]))
        self.round.told_dealer = int(attributes["oya"]) if "oya" in attributes else None

    def _meld(self, attributes: dict[str, str]) -> None:
        self.last = -1
        self.events.append(read_meld(int(attributes["who"]), int(attributes["m"]), self.game.rules.red_fives))

    def _dora(self, attributes: dict[str, str]) -> None:
        self.events.append((ev.INDICATOR, 0, self.tile_of[int(attributes["hai"])], 1))

    def _riichi(self, attributes: dict[str, str]) -> None:
        seat = int(attributes["who"])
        if attributes["step"] != "1":
            self.events.append((ev.ACCEPTED, seat, 0, 0))
        elif self.events and self.events[-1][:2] == (ev.DISCARD, seat):  # seen once: written after its discard
            self.events.insert(-1, (ev.RIICHI, seat, 0, 0))
        else:
            self.events.append((ev.RIICHI, seat, 0, 0))

    def _win(self, attributes: dict[str, str]) -> None:
        seat, source = int(attributes["who"]), int(attributes["fromWho"])
        self.events.append((ev.WIN, seat, self.tile_of[int(attributes["machi"])], source))
        fu, points, _ = numbers(attributes["ten"])
        win = Win(seat, source, fu=fu, points=points, ura=tuple(self._hand(attributes.get("doraHaiUra", ""))))
        pairs = numbers(attributes.get("yaku", ""))
        worth = dict(zip(pairs[::2], pairs[1::2], strict=True))
        yakuman = numbers(attributes.get("yakuman", ""))
        win.yakuman = len(yakuman)
        win.han = sum(worth.values())
        win.dora = (worth.pop(DORA, 0), worth.pop(URA, 0), worth.pop(RED_FIVE, 0))
        win.yaku = sum(1 << yaku for yaku in [*worth, *yakuman])
        assert self.round is not None
        self.round.wins.append(win)
        self._scores(attributes)

    def _drawn_end(self, attributes: dict[str, str]) -> None:
        type_ = attributes.get("type")
        if type_ not in ENDS:
            raise RecordError(f"a round ends in the unknown way {type_!r}")
        end = ENDS[type_]
        shown = [seat for seat in range(4) if f"hai{seat}" in attributes]
        self.events.append((ev.DRAWN_END, shown[0] if end == st.NINE_KINDS and shown else 0, end, 0))
        assert self.round is not None
        if end == st.EXHAUSTED:
            self.round.tenpai = sum(1 << seat for seat in shown)
        self._scores(attributes)

    def _scores(self, attributes: dict[str, str]) -> None:
        assert self.round is not None
        deltas = [100 * delta for delta in numbers(attributes["sc"])[1::2]]
        old = self.round.deltas or (0, 0, 0, 0)
        self.round.deltas = tuple(a + b for a, b in zip(old, deltas, strict=True))
        if "owari" in attributes:
            self.game.ended = True
            self.game.final_scores = tuple(100 * int(score) for score in attributes["owari"].split(",")[0:8:2])

    def _finish_round(self) -> None:
        if self.round is None:
            return
        if self.round.deltas is None:
            raise RecordError("the round has no end")
        self.round.events = ev.to_array(self.events)
        check_round(self.round)
        if not self.known:
            self.round.wall = wall_of_events(self.round, self.game.rules.red_fives)
        self.game.rounds.append(self.round)
        self.round = None
