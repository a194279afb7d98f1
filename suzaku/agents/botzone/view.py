"""A table as one seat of Botzone knows it: a record that follows the requests.

A claim counts as made only when the table echoes it: the own answers are looked at for one thing alone, the tile of an
own closed kong, which the echo does not name.
"""

from dataclasses import asdict

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.mcr import actions as act
from suzaku.mcr import state as md
from suzaku.mcr import state as st
from suzaku.mcr.claims import can_win_on
from suzaku.mcr.deal import refresh
from suzaku.mcr.legal import fill_legal
from suzaku.mcr.rules import Rules
from suzaku.records.botzone import read_tile, write_tile

HANDS = 13
BOTZONE = asdict(Rules.botzone())


class RequestError(ValueError):
    """A request that cannot be followed."""


class SeatView:
    """The record of one seat, from the first request of a match on."""

    def __init__(self) -> None:
        self.me = -1
        self._array = np.zeros(1, st.STATE)

    @property
    def record(self) -> np.record:
        """The record as the seat knows it; other hands are empty."""
        return self._array[0]

    def take(self, request: str, answer: str = "") -> None:
        """Follow one request; `answer` is what the seat has answered to the request before."""
        words = request.split()
        try:
            if words[0] == "0":
                self._start(int(words[1]), int(words[2]))
            elif words[0] == "1":
                self._deal([read_tile(word) for word in words[5 : 5 + HANDS]])
            elif words[0] == "2":
                self._draw(self.me, read_tile(words[1]))
            elif words[0] == "3":
                if words[1] not in ("0", "1", "2", "3"):
                    raise RequestError(f"there is no seat {words[1]!r}: expected 0 to 3")
                self._event(int(words[1]), words[2].upper(), [read_tile(word) for word in words[3:]], answer)
            else:
                raise RequestError(f"the request {words[0]!r} is unknown: expected 0, 1, 2 or 3")
        except IndexError:
            raise RequestError(f"cannot follow the request {request[:80]!r}: too short or one too many") from None
        except ValueError as error:
            raise RequestError(f"cannot follow the request {request[:80]!r}: {error}") from None

    def question(self) -> np.ndarray | None:
        """The record (an array of one) if the seat has a choice to make now."""
        s = self.record
        return self._array.copy() if self.me >= 0 and int(s.seat) == self.me else None

    def _start(self, seat: int, wind: int) -> None:
        if not (0 <= seat <= 3 and 0 <= wind <= 3):
            raise ValueError(f"seat {seat} and wind {wind}: expected 0 to 3 for both")
        self._array = np.zeros(1, st.STATE)
        self.me = seat
        s = self.record
        for name, value in BOTZONE.items():
            setattr(s.rules, name, value)
        s.deal, s.hand_no, s.wind = 1, 4 * wind, wind
        for name in ("wall", "meld_type", "meld_kind", "meld_called", "river", "queue"):
            s[name][:] = -1
        s.drawn = s.offer = s.seat = s.win_seat = -1
        s.shanten[:] = st.UNKNOWN

    def _deal(self, tiles: list[int]) -> None:
        s = self.record
        if len(tiles) != HANDS:
            raise ValueError(f"{len(tiles)} tiles were dealt: expected {HANDS}, after four numbers of flowers")
        if self.me < 0:
            raise ValueError("tiles were dealt before the seat was told")
        s.own_left[:] = st.PRIVATE - HANDS
        s.left = 4 * (st.PRIVATE - HANDS)
        for tile in tiles:
            s.hand[self.me, tile] += 1
        refresh(hand_tables(), s, self.me)

    def _pass_by(self) -> None:
        """What was offered is not claimed: a discard lies open now, a kong stands."""
        s = self.record
        if s.phase == st.CLAIM and s.offer >= 0:
            s.public[s.offer] += 1
        elif s.phase == st.ROB:
            p = int(s.turn)
            for i in range(int(s.melds[p])):
                if s.meld_type[p, i] == md.PONG and s.meld_kind[p, i] == s.offer:
                    s.meld_type[p, i] = md.ADDED_KONG
            s.public[s.offer] += 1
            if p == self.me:
                refresh(hand_tables(), s, p)
        s.offer = -1

    def _draw(self, seat: int, tile: int = -1) -> None:
        s = self.record
        after_kong = s.phase == st.ROB or bool(s.after_kong)
        self._pass_by()
        s.own_left[seat] -= 1
        s.left -= 1
        s.turn = seat
        s.phase = st.TURN
        s.drawn = tile
        s.after_kong = after_kong
        s.seat = seat
        if tile >= 0:
            s.hand[seat, tile] += 1

    def _event(self, seat: int, verb: str, tiles: list[int], answer: str) -> None:
        s = self.record
        if verb == "DRAW":
            self._draw(seat)
        elif verb == "PLAY":
            self._discard(seat, tiles[0])
        elif verb in ("PENG", "CHI"):
            self._call(seat, md.PONG if verb == "PENG" else md.CHOW, tiles[0] - 1)
            self._discard(seat, tiles[-1])
        elif verb == "GANG":
            if s.phase == st.TURN and s.turn == seat:
                self._closed_kong(seat, answer)
            else:
                self._call(seat, md.OPEN_KONG, -1)
            s.after_kong = 1
            s.drawn = s.seat = -1
            if seat == self.me:
                refresh(hand_tables(), s, seat)
        elif verb == "BUGANG":
            self._lose(seat, tiles[0])
            s.drawn, s.after_kong = -1, 0
            self._offer(seat, tiles[0], st.ROB)
        else:
            raise RequestError(f"the action {verb!r} is unknown: expected DRAW, PLAY, CHI, PENG, GANG or BUGANG")

    def _lose(self, seat: int, tile: int, count: int = 1) -> None:
        s = self.record
        if seat == self.me:
            if s.hand[seat, tile] < count:
                raise RequestError(f"the seat gives {count} of {write_tile(tile)} and holds {int(s.hand[seat, tile])}")
            s.hand[seat, tile] -= count

    def _discard(self, seat: int, tile: int) -> None:
        s = self.record
        self._lose(seat, tile)
        i = int(s.river_size[seat])
        s.river[seat, i] = tile
        s.river_order[seat, i] = s.discards
        s.river_size[seat] += 1
        s.discards += 1
        s.drawn, s.after_kong = -1, 0
        if seat == self.me:
            refresh(hand_tables(), s, seat)
        self._offer(seat, tile, st.CLAIM)

    def _offer(self, seat: int, tile: int, phase: int) -> None:
        """A tile of a seat is offered; the own seat is asked if there is something it may do."""
        s = self.record
        s.turn, s.offer, s.phase, s.seat = seat, tile, phase, -1
        s.can_win = 0
        s.claim[:] = act.PASS
        if seat == self.me:
            return
        if can_win_on(hand_tables(), s, self.me, tile, phase == st.ROB):
            s.can_win = 1 << self.me
        s.seat = self.me
        legal = np.zeros(act.ACTIONS, np.bool_)
        fill_legal(hand_tables(), s, legal)
        if sum(legal) == 1:  # nothing but a pass
            s.seat = -1

    def _call(self, seat: int, type_: int, low: int) -> None:
        """A seat takes the offered discard; `low` is the lowest tile of a chow."""
        s = self.record
        tile, source = int(s.offer), int(s.turn)
        if s.phase != st.CLAIM or tile < 0:
            raise RequestError(f"there is no discard for seat {seat} to claim")
        s.river_called[source, s.river_size[source] - 1] = 1
        if type_ == md.CHOW:
            for kind in range(low, low + 3):
                if kind != tile:
                    self._lose(seat, kind)
                s.public[kind] += 1
        else:
            low = tile
            self._lose(seat, tile, 2 if type_ == md.PONG else 3)
            s.public[tile] += 3 if type_ == md.PONG else 4
        self._add_meld(seat, type_, low, tile, source)
        s.turn = seat
        s.phase, s.seat, s.offer = st.CALLED, -1, -1

    def _closed_kong(self, seat: int, answer: str) -> None:
        kind = -1
        if seat == self.me:
            words = answer.split()
            if len(words) != 2 or words[0].upper() != "GANG":
                raise RequestError(f"the own kong is echoed, but the answer was {answer!r}")
            kind = read_tile(words[1])
            self._lose(seat, kind, 4)
        self._add_meld(seat, md.CLOSED_KONG, kind, -1, seat)

    def _add_meld(self, seat: int, type_: int, kind: int, called: int, source: int) -> None:
        s = self.record
        i = int(s.melds[seat])
        s.meld_type[seat, i], s.meld_kind[seat, i] = type_, kind
        s.meld_called[seat, i], s.meld_from[seat, i] = called, source
        s.meld_order[seat, i] = s.discards
        s.melds[seat] += 1
