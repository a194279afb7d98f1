"""What a step of a table tells one seat, as mjai events: other hands and draws are "?"."""

from typing import Any

import msgspec
import numpy as np

from suzaku.records import mjai_event as mj
from suzaku.records.mjai import REASONS
from suzaku.records.types import four_tiles, own_tiles, red_of, share_deltas
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.redraw import hand_tiles
from suzaku.riichi.state import INDICATORS, URA_INDICATORS
from suzaku.tiles import KIND_OF, RED, WINDS, to_mjai

HIDDEN = "?"
NAME_OF_RESULT = {result: name for name, result in REASONS.items()}


def start_game(seat: int, red_fives: bool) -> mj.StartGame:
    """What a player is told of a game; mjai takes red fives for granted."""
    return mj.StartGame(aka_flag=None if red_fives else False, id=seat)


class Told:
    """What one seat has been told of its table."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.history: list[mj.Event] = []  # of the round
        self.new: list[mj.Event] = []  # not handed on yet
        self._round: tuple[int, int] | None = None  # game and deal that were told
        self.red_fives = True

    def follow(self, before: np.record, action: int, after: np.record) -> None:
        """Take in one step of the table; with action -1, the start of a game."""
        if action < 0:
            self._round = None
            self.history = []
            self.red_fives = bool(after.rules.red_fives)
            self.tell([start_game(self.seat, self.red_fives)])
        else:
            self.start_round(before)
            self.tell(step_events(before, action, after, self.seat))
        self.start_round(after)

    def start_round(self, record: np.record) -> None:
        """Take in a round that has been dealt, once."""
        number = int(record.game), int(record.deal)
        if record.phase >= st.ROUND_OVER or number == self._round:
            return
        self._round = number
        self.history = []
        self.tell(round_events(record, self.seat))

    def tell(self, events: list[mj.Event]) -> None:
        """Keep events until they are handed on."""
        self.history += events
        self.new += events

    def take_new(self) -> list[dict[str, Any]]:
        """Hand on what is new, as plain data."""
        events = [msgspec.to_builtins(event) for event in self.new]
        self.new = []
        return events


def to_lines(events: list[dict[str, Any]], arrays: bool, asks: bool) -> list[bytes]:
    """Events as lines for a program: all in one array, or one a line with "can_act": false but on the question."""
    if arrays:
        return [mj.ENCODER.encode(events) + b"\n"]
    last = len(events) - 1 if asks else -1
    lines = [event if i == last else {**event, "can_act": False} for i, event in enumerate(events)]
    return [mj.ENCODER.encode(line) + b"\n" for line in lines]


def round_events(record: np.record, seat: int) -> list[mj.Event]:
    """A round that has just been dealt."""
    s = record
    hands = [[HIDDEN] * 13 for _ in range(4)]
    own = hand_tiles(s, seat)
    if seat == s.dealer:
        own.remove(int(s.drawn))
    hands[seat] = _names(own)
    start = mj.StartKyoku(
        WINDS[s.round_no // 4 % 4], int(s.round_no) % 4 + 1, int(s.honba), int(s.sticks), int(s.dealer), hands,
        to_mjai(s.wall[INDICATORS[0]]), s.scores.tolist(),
    )  # fmt: skip
    return [start, _draw(s, seat)]


def step_events(before: np.record, action: int, after: np.record, seat: int) -> list[mj.Event]:
    """What seat `seat` sees when `before.seat` carries out an action; a next round, if dealt, is not told."""
    ended = (before.game, before.deal) != (after.game, after.deal) or after.phase >= st.ROUND_OVER
    claims = before.phase in (st.CLAIM, st.ROB)
    events: list[mj.Event] = []
    discards = not claims and action <= act.DISCARD_DRAWN
    if discards:  # the indicators of kongs show with the discard: told first, so that who claims it knows them
        events += _indicators(before, int(before.indicators), int(before.indicators + before.due))
    if not claims and action < act.WIN_DRAW:  # wins and aborted rounds are told with the round's end
        events.append(action_event(before, action))
    if ended:
        if after.game == before.game:
            events += _accepted(before, action, after) + _result(before, after)
        events.append(mj.EndKyoku())
        if after.phase == st.GAME_OVER:
            events.append(mj.EndGame(after.scores.tolist()))
        elif after.game != before.game:
            events.append(mj.EndGame())
        return events
    if after.phase in (st.CLAIM, st.ROB):
        return events
    events += [mj.ReachAccepted(p) for p in range(4) if after.riichi[p] and not before.riichi[p]]
    if before.phase == st.CLAIM:
        for p in range(4):
            if after.melds[p] > before.melds[p]:
                events.append(_call(before, p, action if p == before.seat else int(before.claim[p])))
    if not discards:
        events += _indicators(before, int(before.indicators), int(after.indicators))
    if after.left < before.left:
        events.append(_draw(after, seat))
    return events


def _names(tiles: list[int]) -> list[str]:
    return [to_mjai(tile) for tile in tiles]


def _draw(s: np.record, seat: int) -> mj.Event:
    return mj.Tsumo(int(s.turn), to_mjai(s.drawn) if s.turn == seat else HIDDEN)


def _indicators(s: np.record, first: int, last: int) -> list[mj.Event]:
    return [mj.Dora(to_mjai(s.wall[INDICATORS[i]])) for i in range(first, last)]


def _call(s: np.record, seat: int, action: int) -> mj.Event:
    """A chow, pong or open kong of the tile on offer."""
    offer = int(s.offer)
    form = mj.Daiminkan if action == act.OPEN_KONG else mj.Pon if action >= act.PONG else mj.Chi
    own = own_tiles(action, offer)
    if not s.rules.red_fives:
        own = [int(KIND_OF[tile]) for tile in own]
    return form(seat, int(s.turn), to_mjai(offer), _names(own))


def action_event(s: np.record, action: int) -> mj.Event:
    """An action of the asked seat as mjai writes it."""
    seat = int(s.seat)
    if action <= act.DISCARD_DRAWN:
        drawn = action == act.DISCARD_DRAWN
        return mj.Dahai(seat, to_mjai(s.drawn if drawn else action), drawn)
    if action == act.RIICHI:
        return mj.Reach(seat)
    if action < act.CLOSED_KONG:
        return _call(s, seat, action)
    if action < act.ADDED_KONG:
        return mj.Ankan(seat, _names(four_tiles(action - act.CLOSED_KONG, red_fives=bool(s.rules.red_fives))))
    if action < act.WIN_DRAW:
        return _added_kong(s, seat, action - act.ADDED_KONG)
    if action == act.WIN_DRAW:
        return mj.Hora(seat, seat, pai=to_mjai(s.drawn))
    if action == act.WIN_DISCARD:
        return mj.Hora(seat, int(s.turn), pai=to_mjai(s.offer))
    if action == act.NINE_KINDS:
        return mj.Ryukyoku(reason=NAME_OF_RESULT[st.NINE_KINDS], actor=seat)
    return mj.Nothing()


def _added_kong(s: np.record, seat: int, kind: int) -> mj.Event:
    red = kind < 27 and kind % 9 == 4 and s.red[seat, kind // 9] > 0
    pong = [kind] * 3
    for i in range(s.melds[seat]):
        if s.meld_type[seat, i] == st.PONG and s.meld_tile[seat, i] == kind and s.meld_red[seat, i]:
            pong[0] = red_of(kind)
    return mj.Kakan(seat, to_mjai(RED + kind // 9 if red else kind), _names(pong))


def _accepted(before: np.record, action: int, after: np.record) -> list[mj.Event]:
    """A riichi that passed with the last discard of the round."""
    due = int(before.riichi_due)
    if before.phase == st.RIICHI_DISCARD and action <= act.DISCARD_DRAWN:
        due = int(before.seat)
    passed = due >= 0 and after.result not in (st.WIN_BY_DISCARD, st.THREE_WINS)
    return [mj.ReachAccepted(due)] if passed else []


def _result(before: np.record, after: np.record) -> list[mj.Event]:
    deltas = after.deltas.tolist()
    if after.wins == 0:
        tenpai = [bool(after.tenpai >> p & 1) for p in range(4)] if after.result == st.EXHAUSTED else None
        return [mj.Ryukyoku(deltas, NAME_OF_RESULT[int(after.result)], tenpai)]
    wins = [(int(after.win_seat[i]), int(after.win_points[i])) for i in range(after.wins)]
    source, tile = int(after.win_from), to_mjai(after.win_tile)
    ura = _names([int(tile) for tile in before.wall[URA_INDICATORS[: before.indicators]]])
    return [
        mj.Hora(p, source, share, ura if before.riichi[p] else [], pai=tile)
        for (p, _), share in zip(wins, share_deltas(deltas, wins, source, int(before.honba)), strict=True)
    ]
