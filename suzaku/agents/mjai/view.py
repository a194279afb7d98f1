"""The table as one player of an mjai game sees it: events in, a table record out.

The record is kept by the engine's own `step`. Other hands are empty; a tile that another player shows is put into its
hand just before the engine plays it. An event says what was done, but only the next one says what became of it (a call,
a draw, a win), so the last discard or kong waits in `_pending` until then. What the player is asked about it is found
on a copy of the record.
"""

from dataclasses import replace

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.records import mjai_event as mj
from suzaku.records.types import MOST_POINTS, call_action
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.deal import add_tile, refresh, start_round
from suzaku.riichi.rules import Rules
from suzaku.riichi.state import INDICATORS, REPLACEMENTS, STATE
from suzaku.riichi.step import step
from suzaku.tiles import KIND_OF, RED, WINDS, from_mjai, full_set, to_mjai, to_text

HIDDEN = "?"
ABORTS = ("abort_four_winds", "abort_four_riichi", "abort_four_kongs")
Move = tuple[int, int, list[int]]  # seat, action, and the tiles of its hand that it shows


class EventError(ValueError):
    """An event that does not fit what was told before."""


class SeatView:
    """What one player knows of its table."""

    def __init__(self, rules: Rules, player: int | None = None) -> None:
        self.rules = rules
        self.player = player  # mjai's number of the player, once it is known
        self.turned = 0  # mjai's number of the player that deals in east 1
        self._new_game()

    def _new_game(self) -> None:
        self.scores = [self.rules.start_score] * 4  # by mjai's numbers, as far as the events told them
        self._deals = 0
        self._table: np.ndarray | None = None  # STATE[1]; None between rounds
        self._hand: list[int] | None = None  # the dealt tiles, until the first draw
        self._pending: list[Move] = []
        self._markers: list[int] = []
        self._question: np.ndarray | None = None

    @property
    def seat(self) -> int:
        """The player's seat in the record."""
        return -1 if self.player is None else (self.player - self.turned) % 4

    def question(self) -> np.ndarray | None:
        """STATE[1] if the player is asked something now, with all it cannot see removed; else None."""
        if self._table is None or self._hand is not None:
            return None
        if self._question is not None:
            asked = self._question
        elif not self._pending and self._table[0].seat == self.seat:
            asked = self._table.copy()
        else:
            return None
        s = asked[0]
        for i in range(s.indicators, len(self._markers)):  # a server may show one earlier than the engine does
            s.indicator_order[i] = s.discards
        s.indicators = len(self._markers)
        return asked

    def player_of(self, seat: int) -> int:
        """Mjai's number of a seat of the record."""
        return (seat + self.turned) % 4

    def take(self, event: mj.Event) -> None:
        """Take in one event; raises EventError, and forgets the round, if it does not fit."""
        try:
            self._take(event)
        except ValueError as error:
            self._end_round()
            raise EventError(str(error)) from None

    def _take(self, event: mj.Event) -> None:
        match event:
            case mj.StartGame():
                if event.aka_flag is not None:
                    self.rules = replace(self.rules, red_fives=event.aka_flag)
                self._new_game()
                if event.id is not None:
                    self.player = _check_player(event.id)
            case mj.StartKyoku():
                self._start(event)
            case mj.Hora() | mj.Ryukyoku():
                self._end_round()
                self._book(event.deltas, event.scores)
            case mj.EndKyoku() | mj.EndGame():
                self._end_round()
            case mj.ReachAccepted():  # the engine knows when a riichi is accepted
                self.scores[_check_player(event.actor)] -= 1000
            case mj.Nothing():
                pass
            case _ if self._table is None:
                raise EventError("no start_kyoku came before it")
            case mj.Dora(tile):
                if len(self._markers) == 5:
                    raise EventError(f"{tile} is the sixth dora indicator: a wall has five")
                self._markers.append(from_mjai(tile))
                self._show_markers(self._table)
                if self._question is not None:
                    self._show_markers(self._question)
            case mj.Tsumo(actor, tile):
                self._draw(self._seat(actor), tile)
            case _:
                self._play(event)

    def _end_round(self) -> None:
        self._table = self._hand = self._question = None
        self._pending = []

    def _book(self, deltas: list[int] | None, scores: list[int] | None) -> None:
        if scores is not None and len(scores) == 4:
            self.scores = list(scores)
        elif deltas is not None and len(deltas) == 4:
            self.scores = [a + b for a, b in zip(self.scores, deltas, strict=True)]

    def _seat(self, player: int) -> int:
        return (_check_player(player) - self.turned) % 4

    def _start(self, event: mj.StartKyoku) -> None:
        self._end_round()
        if len(event.tehais) != 4 or event.dora_marker is None or event.bakaze not in WINDS:
            raise EventError(
                f"{len(event.tehais)} hands, dora_marker {event.dora_marker}, bakaze {event.bakaze}: "
                "expected four hands, a tile, and E, S, W or N"
            )
        if event.scores is not None and len(event.scores) == 4:
            self.scores = list(event.scores)
        shown = [player for player, tiles in enumerate(event.tehais) if tiles and HIDDEN not in tiles]
        if self.player is None and len(shown) == 1:
            self.player = shown[0]
        if self.player is None or self.player not in shown:
            hands = f"{len(shown)} of the four hands are shown"
            who = (
                "it is not known which is the player's" if self.player is None else f"not that of player {self.player}"
            )
            raise EventError(f"{hands}, {who}")
        tiles = [from_mjai(tile) for tile in event.tehais[self.player]]
        if len(tiles) != 13:
            raise EventError(f"the hand has {len(tiles)} tiles, expected 13")
        if not 1 <= event.kyoku <= 4 or not 0 <= event.honba < 1000 or not 0 <= event.kyotaku < 1000:
            raise EventError(
                f"kyoku {event.kyoku}, honba {event.honba}, kyotaku {event.kyotaku}: "
                "expected 1 to 4, 0 to 999 and 0 to 999"
            )
        if any(abs(score) > MOST_POINTS for score in self.scores):
            raise EventError(f"the scores are {self.scores}: expected at most {MOST_POINTS:,} points each")
        number = 4 * WINDS.index(event.bakaze) + event.kyoku - 1
        self.turned = (_check_player(event.oya) - number) % 4
        table = np.zeros(1, STATE)
        table["rules"] = self.rules.to_record()
        s = table[0]
        self._deals += 1
        s.deal = self._deals
        s.round_no, s.dealer, s.honba, s.sticks = number, number % 4, event.honba, event.kyotaku
        for player in range(4):
            s.scores[self._seat(player)] = self.scores[player]
        self._table, self._hand = table, tiles
        self._markers = [from_mjai(event.dora_marker)]

    def _draw(self, seat: int, name: str) -> None:
        assert self._table is not None
        own = seat == self.seat
        if own and name == HIDDEN:
            raise EventError("the player's own draw is hidden")
        tile = from_mjai(name) if own else 0
        s = self._table[0]
        if self._hand is not None:
            self._deal(seat, tile)
        elif self._pending and s.left > 0:
            self._settle(tile)
        else:
            raise EventError(f"player {self.player_of(seat)} draws, but {self._due()}")
        if s.phase != st.TURN or s.seat != seat:
            raise EventError(f"player {self.player_of(seat)} draws, but {self._due()}")
        if own and s.hand[seat].max() > 4:
            raise EventError(f"{name} is the fifth tile of its kind")

    def _due(self) -> str:
        """What comes next by the events so far."""
        assert self._table is not None
        s = self._table[0]
        if self._hand is not None:
            return f"player {self.player_of(int(s.dealer))} draws first"
        if self._pending:
            return (
                f"player {self.player_of(self._pending[0][0])} was the last to move, and {int(s.left)} tiles are left"
            )
        return f"it is the turn of player {self.player_of(int(s.seat))}"

    def _deal(self, seat: int, tile: int) -> None:
        """Deal the round now that the dealer draws."""
        assert self._table is not None
        assert self._hand is not None
        s, own = self._table[0], self.seat
        s.wall[:] = full_set(self.rules.red_fives)
        start_round(hand_tables(), s)
        for name in ("hand", "red", "key"):
            s[name][:] = 0
        self._hide(self._table)
        for held in self._hand:
            add_tile(s, own, held)
        if s.hand[own].max() > 4:
            raise EventError(f"the hand {to_text(self._hand)} has five tiles of a kind")
        refresh(hand_tables(), s, own)
        if seat == own:
            add_tile(s, own, tile)
            s.drawn = tile
        self._hand = None

    def _play(self, event: mj.Event) -> None:
        """A discard, riichi, a call or a kong."""
        match event:
            case mj.Dahai(actor, name, tsumogiri):
                seat, tile = self._turn_of(actor), from_mjai(name)
                self._wait([self._discard(seat, tile, tsumogiri)])
            case mj.Reach(actor):
                seat = self._turn_of(actor)
                assert self._table is not None
                if self._table[0].phase != st.TURN or self._table[0].riichi[seat]:
                    raise EventError(f"player {actor} cannot declare riichi: it has not drawn, or is in riichi")
                step(hand_tables(), self._table[0], act.RIICHI)
            case mj.Ankan(actor, consumed):
                self._closed_kong(self._turn_of(actor), [from_mjai(tile) for tile in consumed])
            case mj.Kakan(actor, name):
                self._added_kong(self._turn_of(actor), from_mjai(name))
            case mj.Chi() | mj.Pon() | mj.Daiminkan():
                self._call(self._seat(event.actor), self._seat(event.target), event)
            case _:
                raise EventError("it does not belong in a round")

    def _turn_of(self, player: int) -> int:
        """The seat of a player whose turn it must be; a server may leave out the draws of others."""
        assert self._table is not None
        seat, s = self._seat(player), self._table[0]
        if (self._pending or self._hand is not None) and seat != self.seat:
            self._draw(seat, HIDDEN)
        if self._pending or self._hand is not None or s.seat != seat or s.phase > st.RIICHI_DISCARD:
            raise EventError(f"player {player} acts, but {self._due()}")
        if s.river_size[seat] == st.RIVER:
            raise EventError(f"player {player} discards more than {st.RIVER} tiles in a round")
        return seat

    def _move(self, seat: int, action: int, tiles: list[int]) -> Move:
        """A move that shows tiles of a hand: the player itself must hold them, others are given them."""
        if seat != self.seat:
            return seat, action, tiles
        assert self._table is not None
        s = self._table[0]
        for tile in set(tiles):
            kind = int(KIND_OF[tile])
            red = int(s.red[seat, kind // 9]) if kind < 27 and kind % 9 == 4 else 0
            if tiles.count(tile) > (red if tile >= RED else int(s.hand[seat, kind]) - red):
                raise EventError(f"the player does not hold {to_mjai(tile)}")
        return seat, action, []

    def _discard(self, seat: int, tile: int, tsumogiri: bool | None) -> Move:
        assert self._table is not None
        s = self._table[0]
        move = self._move(seat, tile, [tile])
        if seat != self.seat:
            if tsumogiri:
                s.drawn = tile
            return seat, act.DISCARD_DRAWN if tsumogiri else tile, [tile]
        return move if not tsumogiri or s.drawn != tile else (seat, act.DISCARD_DRAWN, [])

    def _closed_kong(self, seat: int, tiles: list[int]) -> None:
        kinds = {int(KIND_OF[tile]) for tile in tiles}
        self._check_kong(seat)
        assert self._table is not None
        if len(tiles) != 4 or len(kinds) != 1:
            raise EventError(f"{to_text(tiles)} is not a closed kong: expected four tiles of one kind")
        if self._table[0].melds[seat] == 4:
            raise EventError(f"player {self.player_of(seat)} has four melds already")
        kind = kinds.pop()
        if seat == self.seat and self._table[0].hand[seat, kind] != 4:
            held = int(self._table[0].hand[seat, kind])
            raise EventError(f"the player holds {held} of the four tiles of the kong {to_text(tiles)}")
        self._wait([(seat, act.CLOSED_KONG + kind, [] if seat == self.seat else tiles)])

    def _added_kong(self, seat: int, tile: int) -> None:
        kind = int(KIND_OF[tile])
        self._check_kong(seat)
        assert self._table is not None
        s = self._table[0]
        if not ((s.meld_type[seat] == st.PONG) & (s.meld_tile[seat] == kind)).any():
            raise EventError(f"player {self.player_of(seat)} has no pong of {to_mjai(kind)} to make a kong of")
        self._wait([self._move(seat, act.ADDED_KONG + kind, [tile])])

    def _check_kong(self, seat: int) -> None:
        assert self._table is not None
        s = self._table[0]
        if s.phase != st.TURN or s.kongs == len(REPLACEMENTS) or s.left == 0:
            why = f"{int(s.kongs)} kongs were made, {int(s.left)} tiles are left to draw"
            raise EventError(f"player {self.player_of(seat)} cannot make a kong now: {why}")

    def _call(self, seat: int, target: int, event: mj.Chi | mj.Pon | mj.Daiminkan) -> None:
        tile, own = from_mjai(event.pai), [from_mjai(name) for name in event.consumed]
        assert self._table is not None
        s = self._table[0]
        if len(self._pending) != 1 or self._pending[0][0] != target or seat == target:
            raise EventError(f"player {event.actor} calls a tile of player {event.target}, who has not just discarded")
        action = self._pending[0][1]
        if action > act.DISCARD_DRAWN or tile != (s.drawn if action == act.DISCARD_DRAWN else action):
            thrown = (
                to_mjai(int(s.drawn) if action == act.DISCARD_DRAWN else action)
                if action <= act.DISCARD_DRAWN
                else "a kong"
            )
            raise EventError(f"{event.pai} is called, but the last move was {thrown}")
        call = call_action(tile, own)
        if s.melds[seat] == 4 or (call == act.OPEN_KONG and s.kongs == len(REPLACEMENTS)):
            raise EventError(
                f"player {event.actor} cannot make a meld: it has {int(s.melds[seat])}, there are {int(s.kongs)} kongs"
            )
        self._pending.append(self._move(seat, call, own))
        self._question = None
        if isinstance(event, mj.Daiminkan):
            return
        self._settle()
        if s.phase != st.CALLED or s.seat != seat:
            raise EventError(f"player {event.actor} cannot call {event.pai}")

    def _wait(self, moves: list[Move]) -> None:
        """Keep a discard or a kong until it is known what became of it, and see whether the player is asked."""
        assert self._table is not None
        self._pending = moves
        copy = self._table.copy()
        self._start_moves(copy, 0)
        asked = copy[0].phase in (st.CLAIM, st.ROB) and copy[0].seat == self.seat
        self._question = self._hide(copy) if asked else None

    def _settle(self, drawn: int = 0) -> None:
        """Carry out what was pending; whoever draws then draws this tile."""
        assert self._table is not None
        s = self._table[0]
        aborts = {name: int(s.rules[name]) for name in ABORTS}
        for name in ABORTS:  # the server goes on with the round, so nothing ended it
            s.rules[name] = 0
        self._start_moves(self._table, drawn)
        answers = {seat: action for seat, action, _ in self._pending[1:]}
        while s.phase in (st.CLAIM, st.ROB):
            step(hand_tables(), s, answers.get(int(s.seat), act.PASS))
        for name in ABORTS:
            s.rules[name] = aborts[name]
        self._hide(self._table)
        self._pending = []
        self._question = None

    def _start_moves(self, table: np.ndarray, drawn: int) -> None:
        """Give the tiles of the pending moves to those who show them, and carry out the first one."""
        s = table[0]
        s.wall[s.next] = drawn
        if s.kongs < len(REPLACEMENTS):
            s.wall[REPLACEMENTS[s.kongs]] = drawn
        for seat, _, tiles in self._pending:
            for tile in tiles:
                add_tile(s, seat, tile)
        step(hand_tables(), s, self._pending[0][1])

    def _hide(self, table: np.ndarray) -> np.ndarray:
        """Remove what the player cannot see, as `hidden.hide` does."""
        s, own = table[0], self.seat
        others = [seat for seat in range(4) if seat != own]
        for name in ("hand", "red", "key", "waits", "missed", "past_key"):
            s[name][others] = 0
        s.shanten[others] = st.UNKNOWN
        if s.turn != own:
            s.drawn = -1
        s.queue[:] = -1
        s.claim[:] = act.PASS
        s.can_win = s.can_win & (1 << own) if s.phase in (st.CLAIM, st.ROB) else 0
        s.wall[:] = -1
        self._show_markers(table)
        return table

    def _show_markers(self, table: np.ndarray) -> None:
        table[0].wall[INDICATORS[: len(self._markers)]] = self._markers


def _check_player(player: int) -> int:
    if not 0 <= player < 4:
        raise EventError(f"there is no player {player}: expected 0 to 3")
    return player
