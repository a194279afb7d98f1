"""A stored game told as events again: what the writers of all formats start from."""

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.records import types as ev
from suzaku.records.stored import Stored, illegal
from suzaku.records.types import Game, Player, RecordError, Round, Win
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.deal import start_round
from suzaku.riichi.game import GAME
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.step import step
from suzaku.table.kernels import AWAY
from suzaku.tiles import RED, TILES


def to_events(stored: Stored) -> Game:
    """The game with all events and results, as the engine plays it."""
    if stored.game != "riichi":
        raise RecordError(f"game {stored.id} is of {stored.game}: the formats of records are of Riichi")
    s = GAME.new_table(stored.rules, stored.start)[0]
    players = [Player(name, dan, rate) for name, dan, rate in zip(stored.players, stored.dan, stored.rate, strict=True)]
    game = Game(
        stored.id,
        stored.source,
        stored.format,
        stored.rules,
        players,
        [],
        stored.walls_known,
        True,
        stored.time,
        stored.lobby,
    )
    at = 0
    away = 0
    for wall in stored.walls:
        GAME.place_round(s, wall)
        start_round(hand_tables(), s)
        writer = _EventWriter(stored, s, away)
        while s.phase < st.ROUND_OVER:
            if at == len(stored.actions):
                raise RecordError(f"game {stored.id} ends in the middle of a round")
            writer.play(int(stored.actions[at]))
            at += 1
        away = writer.away
        game.rounds.append(writer.finish())
    game.ended = bool(s.phase == st.GAME_OVER)
    game.final_scores = tuple(s.scores.tolist()) if game.ended else None
    return game


class _EventWriter:
    """Watches one round."""

    def __init__(self, stored: Stored, s: np.record, away: int) -> None:
        self.stored = stored
        self.s = s
        self.away = away
        self.legal = np.zeros(act.ACTIONS, np.bool_)
        self.events: list[ev.Event] = [(ev.LEAVE, seat, 0, 0) for seat in range(4) if away >> seat & 1]
        self.answers: dict[int, int] = {}
        self.shown = 1
        self.draws = 0
        hands = np.zeros((4, TILES), np.int8)
        for seat in range(4):
            hands[seat, :34] = s.hand[seat]
            for suit in range(3):
                hands[seat, 9 * suit + 4] -= s.red[seat, suit]
                hands[seat, RED + suit] = s.red[seat, suit]
        hands[s.dealer, s.drawn] -= 1
        self.round = Round(
            int(s.round_no), int(s.honba), int(s.sticks), tuple(s.scores.tolist()), hands,
            int(s.wall[st.INDICATORS[0]]), s.wall.copy(), ev.to_array([]),
        )  # fmt: skip
        self._after([])

    def play(self, stored: int) -> None:
        """Carry out an action and note what it brings about."""
        s, action = self.s, stored & (AWAY - 1)
        seat, phase, offer = int(s.seat), int(s.phase), int(s.offer)
        fill_legal(hand_tables(), s, self.legal)
        if not self.legal[action]:
            raise illegal(self.stored)
        if bool(stored & AWAY) != bool(self.away >> seat & 1):
            self.away ^= 1 << seat
            self.events.append((ev.LEAVE if stored & AWAY else ev.RETURN, seat, 0, 0))
        before = s.melds.tolist()
        riichi = s.riichi.tolist()
        event: list[ev.Event] = []
        if phase in (st.CLAIM, st.ROB):
            self.answers[seat] = action
        elif action <= act.DISCARD_DRAWN:
            self.answers = {}
            drawn = action == act.DISCARD_DRAWN
            event = [(ev.DISCARD, seat, int(s.drawn) if drawn else action, int(drawn))]
        elif action == act.RIICHI:
            event = [(ev.RIICHI, seat, 0, 0)]
        elif action < act.WIN_DRAW:
            self.answers = {}
            event = [(ev.KONG, seat, action, 0)]
        turn = int(s.turn)
        step(hand_tables(), s, action)
        owed = [(ev.INDICATOR, 0, int(s.wall[st.INDICATORS[i]]), 0) for i in range(self.shown, s.indicators)]
        self.shown = int(s.indicators)
        if event and event[0][0] == ev.DISCARD:  # an indicator that was owed shows with it, and is written before it
            event, owed = owed + event, []
        event += [(ev.ACCEPTED, p, 0, 0) for p in range(4) if s.riichi[p] and not riichi[p]]
        if phase == st.CLAIM and s.phase != st.CLAIM:
            for p in range(4):
                if s.melds[p] > before[p]:
                    event.append((ev.CALL, p, self.answers[p], turn | (offer + 1) << 2))
        self.events += event
        self._after(owed)

    def _after(self, owed: list[ev.Event]) -> None:
        """Indicators, draws and the end of the round that an action brought."""
        s = self.s
        self.events += owed
        if 70 - s.left > self.draws and s.phase == st.TURN:
            self.draws += 1
            self.events.append((ev.DRAW, int(s.seat), int(s.drawn), 0))

    def finish(self) -> Round:
        """The round with its result."""
        s, told = self.s, self.round
        for i in range(s.wins):
            seat = int(s.win_seat[i])
            self.events.append((ev.WIN, seat, int(s.win_tile), int(s.win_from)))
            ura = s.wall[st.URA_INDICATORS[: s.indicators]].tolist() if s.riichi[seat] else []
            told.wins.append(
                Win(
                    seat,
                    int(s.win_from),
                    int(s.win_yaku[i]),
                    int(s.win_han[i]),
                    int(s.win_fu[i]),
                    int(s.win_yakuman[i]),
                    tuple(s.win_dora[i].tolist()),
                    int(s.win_points[i]),
                    tuple(ura),
                )
            )
        if s.wins == 0:
            self.events.append((ev.DRAWN_END, int(s.turn), int(s.result), 0))
        if s.result == st.EXHAUSTED:
            told.tenpai = int(s.tenpai)
        told.deltas = tuple(s.deltas.tolist())
        told.events = ev.to_array(self.events)
        return told
