"""mjai JSON lines, read and written: the dialects of gimite, Mortal and mjai.app.

- Reading mjai JSON lines: the dialects of gimite, Mortal and mjai.app.
- Writing mjai JSON lines as Mortal does.
"""

import io

import msgspec
import numpy as np

from suzaku.records import mjai_event as mj
from suzaku.records import types as ev
from suzaku.records.mjlog import called
from suzaku.records.replay_events import UNKNOWN_END
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
    four_tiles,
    own_name,
    own_tiles,
    red_of,
    tenhou_name,
)
from suzaku.records.verify import choose_rules
from suzaku.records.walls import wall_of_events
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.rules import Rules
from suzaku.tiles import KIND_OF, RED, TILES, WINDS, from_mjai, to_mjai

SEVEN_PAIRS_FU = 25
MOST_LINE = 1 << 16  # bytes; the longest event, the deal, has 400
REASONS = {
    "fanpai": st.EXHAUSTED, "nagashimangan": st.NAGASHI, "kyushukyuhai": st.NINE_KINDS, "sufonrenta": st.FOUR_WINDS,
    "suchareach": st.FOUR_RIICHI, "sukaikan": st.FOUR_KONGS, "sanchaho": st.THREE_WINS,
}  # fmt: skip


def read_mjai(text: bytes, name: str, source: str, most: int | None = None) -> list[Game]:
    """The games of a text of mjai lines, or the first `most`."""
    games: list[Game] = []
    reader: _Reader | None = None
    for number, line in enumerate(io.BytesIO(text), 1):
        if not line.strip():
            continue
        if len(line) > MOST_LINE:
            raise RecordError(f"line {number} has more than {MOST_LINE:,} bytes, which no event has")
        try:
            event = mj.DECODER.decode(line)
        except msgspec.ValidationError as error:
            raise RecordError(f"line {number} is not an event of mjai: {error}") from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise RecordError(f"line {number} is not a whole JSON text; is the file cut off?") from None
        if isinstance(event, mj.StartGame) or reader is None:
            if reader is not None:
                games.append(reader.finish())
                if len(games) == most:
                    return games
            label = f"{name}-{len(games) + 1}" if name and games else name
            reader = _Reader(label, source)
        try:
            reader.read(event)
        except SkippedError:
            raise
        except RecordError as error:
            raise RecordError(f"line {number}: {error}") from None
        except UNREADABLE:
            raise RecordError(f"line {number}: a tile, a seat or a score of this event cannot be read") from None
    assert reader is not None
    games.append(reader.finish())
    return games


def _tile(name: str) -> int:
    try:
        return from_mjai(name)
    except ValueError as error:
        raise RecordError(str(error)) from None


class _Reader:
    """Goes through the events of one game."""

    def __init__(self, name: str, source: str) -> None:
        self.game = Game(name, source, "mjai", Rules.tenhou(), [Player() for _ in range(4)], [], False, False)
        self.round: Round | None = None
        self.events: list[ev.Event] = []
        self.scores = [self.game.rules.start_score] * 4  # as far as the events told them
        self.turned = 0  # mjai's number of the seat that deals in east 1

    def read(self, event: mj.Event) -> None:
        """Take in one event."""
        match event:
            case mj.StartGame():
                self.game.id = self.game.id or tenhou_name(event.uri or "")
                if event.names:
                    for player, name in zip(self.game.players, event.names, strict=False):
                        player.name = name
                if event.aka_flag is False:
                    raise SkippedError("no red fives")
            case mj.StartKyoku():
                self._start(event)
            case mj.EndGame():
                self._finish_round()
                self.game.ended = True
            case mj.Nothing():
                pass
            case _ if self.round is None:
                if not isinstance(event, mj.EndKyoku):
                    raise RecordError("an event comes before the first start_kyoku or after an end_kyoku")
            case mj.EndKyoku():
                self._finish_round()
            case mj.Hora():
                self._win(event)
            case mj.Ryukyoku():
                self._drawn_end(event)
            case _:
                self.events.append(self._event(event))

    def _seat(self, number: int) -> int:
        if not 0 <= number < 4:
            raise RecordError(f"there is no player {number}: expected 0 to 3")
        return (number - self.turned) % 4

    def _turn(self, values: list[int]) -> tuple[int, ...]:
        if len(values) != 4:
            raise SkippedError(f"{len(values)} players")
        return tuple(values[self.turned :] + values[: self.turned])

    def _start(self, event: mj.StartKyoku) -> None:
        self._finish_round()
        if len(event.tehais) != 4 or (event.scores and event.scores[3:] == [0] and "?" in event.tehais[3]):
            raise SkippedError("three players")
        if event.dora_marker is None:
            raise SkippedError("no dora indicator: another game than Riichi in the form of mjai")
        number = 4 * WINDS.index(event.bakaze) + event.kyoku - 1
        turned = (event.oya - number) % 4
        if not self.game.rounds and turned:
            self.turned = turned
            self.game.players = self.game.players[turned:] + self.game.players[:turned]
        if turned != self.turned:
            raise RecordError(
                f"player {event.oya} deals {event.bakaze}{event.kyoku}: by the rounds before it is player "
                f"{(number + self.turned) % 4}"
            )
        hands = np.zeros((4, TILES), np.int8)
        for number_, tiles in enumerate(event.tehais):
            if "?" in tiles:
                raise RecordError("the hands are hidden: this is one player's view, not a record of the table")
            np.add.at(hands[self._seat(number_)], [_tile(tile) for tile in tiles], 1)
        if hands.sum() != 52:
            raise RecordError(f"{int(hands.sum())} tiles are dealt where 52 are expected")
        if event.scores is not None:
            self.scores = list(event.scores)
        scores = self._turn(self.scores)
        self.events = []
        self.round = Round(
            number,
            event.honba,
            event.kyotaku,
            scores,
            hands,
            _tile(event.dora_marker),
            np.empty(0, np.int8),
            ev.to_array([]),
        )

    def _event(self, event: mj.Event) -> ev.Event:
        match event:
            case mj.Tsumo(actor, pai):
                return ev.DRAW, self._seat(actor), _tile(pai), 0
            case mj.Dahai(actor, pai, tsumogiri):
                if tsumogiri is None:
                    raise RecordError("a dahai does not say whether it is the drawn tile (tsumogiri)")
                return ev.DISCARD, self._seat(actor), _tile(pai), int(tsumogiri)
            case mj.Reach(actor):
                return ev.RIICHI, self._seat(actor), 0, 0
            case mj.ReachAccepted(actor):
                self.scores[actor] -= 1000
                return ev.ACCEPTED, self._seat(actor), 0, 0
            case mj.Dora(tile):
                return ev.INDICATOR, 0, _tile(tile), 0
            case mj.Ankan(actor, consumed):
                return ev.KONG, self._seat(actor), act.CLOSED_KONG + int(KIND_OF[_tile(consumed[0])]), 0
            case mj.Kakan(actor, pai):
                return ev.KONG, self._seat(actor), act.ADDED_KONG + int(KIND_OF[_tile(pai)]), 0
            case mj.Chi() | mj.Pon() | mj.Daiminkan():
                taken = _tile(event.pai)
                action = call_action(taken, [_tile(own) for own in event.consumed])
                return ev.CALL, self._seat(event.actor), action, called(self._seat(event.target), taken)
        raise RecordError(f"the event {event.__struct_config__.tag} does not belong in a round")

    def _book(self, deltas: list[int] | None, scores: list[int] | None) -> None:
        """Note the round's payments, told as changes or as the scores after them."""
        assert self.round is not None
        if deltas is None and scores is not None:
            deltas = [new - old for new, old in zip(scores, self.scores, strict=True)]
        if deltas is None:
            return
        old = self.round.deltas or (0, 0, 0, 0)
        self.round.deltas = tuple(a + b for a, b in zip(old, self._turn(deltas), strict=True))
        self.scores = [a + b for a, b in zip(self.scores, deltas, strict=True)]

    def _win(self, event: mj.Hora) -> None:
        assert self.round is not None
        tile = _tile(event.pai) if event.pai else -1
        self.events.append((ev.WIN, self._seat(event.actor), tile, self._seat(event.target)))
        ura = event.ura_markers or event.uradora_markers or event.uradora_marker
        win = Win(self._seat(event.actor), self._seat(event.target), points=event.hora_points)
        win.ura = tuple(_tile(mark) for mark in ura) if ura else None
        if event.fan is not None and event.fan < 13:
            win.han = event.fan
        if event.fu is not None:  # some engines write it before rounding
            win.fu = event.fu if event.fu == SEVEN_PAIRS_FU else -(-event.fu // 10) * 10
        self.round.wins.append(win)
        self._book(event.deltas, event.scores)

    def _drawn_end(self, event: mj.Ryukyoku) -> None:
        assert self.round is not None
        end = REASONS.get(event.reason or "", UNKNOWN_END)
        self.events.append((ev.DRAWN_END, 0, end, 0))
        if event.tenpais is not None and end == st.EXHAUSTED:
            self.round.tenpai = sum(1 << self._seat(i) for i, waits in enumerate(event.tenpais) if waits)
        self._book(event.deltas, event.scores)

    def _finish_round(self) -> None:
        if self.round is None:
            return
        if not self.events or self.events[-1][0] not in (ev.WIN, ev.DRAWN_END):
            raise RecordError(f"round {len(self.game.rounds) + 1} has no end; is the file cut off?")
        self.round.events = ev.to_array(self.events)
        check_round(self.round)
        self.round.wall = wall_of_events(self.round, self.game.rules.red_fives)
        self.game.rounds.append(self.round)
        self.round = None

    def finish(self) -> Game:
        """The game, once all events are read."""
        self._finish_round()
        if not self.game.rounds:
            raise RecordError("the mjai text has no round")
        choose_rules(self.game)
        return self.game


def write_mjai(game: Game) -> bytes:
    """The game as JSON lines."""
    names = [player.name for player in game.players]
    aka_flag = None if game.rules.red_fives else False  # mjai takes red fives for granted
    events: list[mj.Event] = [mj.StartGame(names=names, aka_flag=aka_flag, uri=own_name(game) or None)]
    for told in game.rounds:
        events += _round_events(told)
    if game.ended:
        events.append(mj.EndGame())
    return b"".join(mj.ENCODER.encode(event) + b"\n" for event in events)


def _tiles(tiles: list[int]) -> list[str]:
    return [to_mjai(tile) for tile in tiles]


def _round_events(told: Round) -> list[mj.Event]:
    hands = [_tiles([tile for tile in range(TILES) for _ in range(int(hand[tile]))]) for hand in told.hands]
    out: list[mj.Event] = [
        mj.StartKyoku(
            WINDS[told.number // 4 % 4],
            told.number % 4 + 1,
            told.honba,
            told.sticks,
            told.dealer,
            hands,
            to_mjai(told.indicator),
            list(told.scores),
        )
    ]
    pongs: dict[tuple[int, int], list[int]] = {}  # seat and kind -> tiles of its pong
    waiting: list[mj.Event] = []  # indicators that show after the discard
    wins = iter(zip(told.wins, told.win_deltas(), strict=True) if told.wins else ())
    after_closed = False
    for type_, seat, a, b in told.events.tolist():
        if type_ == ev.DRAW:
            out.append(mj.Tsumo(seat, to_mjai(a)))
        elif type_ == ev.DISCARD:
            out.append(mj.Dahai(seat, to_mjai(a), bool(b)))
            out += waiting
            waiting = []
        elif type_ == ev.RIICHI:
            out.append(mj.Reach(seat))
        elif type_ == ev.ACCEPTED:
            out.append(mj.ReachAccepted(seat))
        elif type_ == ev.INDICATOR:
            (out if after_closed else waiting).append(mj.Dora(to_mjai(a)))
        elif type_ == ev.CALL:
            source, tile = b & 3, (b >> 2) - 1
            own = own_tiles(a, tile)
            form = mj.Daiminkan if a == act.OPEN_KONG else mj.Pon if a >= act.PONG else mj.Chi
            out.append(form(seat, source, to_mjai(tile), _tiles(own)))
            if act.PONG <= a < act.OPEN_KONG:
                pongs[seat, own[1]] = [tile, *own]
        elif type_ == ev.KONG:
            out.append(_kong(seat, a, pongs))
        elif type_ == ev.WIN:
            win, deltas = next(wins)
            out.append(mj.Hora(seat, b, deltas, _tiles(list(win.ura or ()))))
        elif type_ == ev.DRAWN_END:
            out.append(mj.Ryukyoku(list(told.deltas or (0, 0, 0, 0))))
        after_closed = (type_ == ev.KONG and a < act.ADDED_KONG) or (type_ == ev.INDICATOR and after_closed)
    out += waiting
    out.append(mj.EndKyoku())
    return out


def _kong(seat: int, action: int, pongs: dict[tuple[int, int], list[int]]) -> mj.Event:
    if action < act.ADDED_KONG:
        return mj.Ankan(seat, _tiles(four_tiles(action - act.CLOSED_KONG)))
    kind = action - act.ADDED_KONG
    pong = pongs[seat, kind]
    added = red_of(kind) if red_of(kind) >= 0 and max(pong) < RED else kind
    return mj.Kakan(seat, to_mjai(added), _tiles(pong))
