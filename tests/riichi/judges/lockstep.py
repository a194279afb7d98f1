"""Plays the same walls on our table and on riichienv, decision by decision, and compares what both allow."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from riichienv import Action, ActionType, GameRule, RiichiEnv

from suzaku.hand.tables import tables as hand_tables
from suzaku.riichi import ACTION_NAMES, Rules
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.claims import fill_claims
from suzaku.riichi.deal import start_game, start_round
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.settle import advance
from suzaku.riichi.step import step
from suzaku.riichi.yaku import names as yaku_names
from suzaku.tiles import KIND_OF, from_tenhou, to_text

TILE = [from_tenhou(i) for i in range(136)]
KIND = [int(KIND_OF[tile]) for tile in TILE]
RED_IDS = {16, 52, 88}
TURNS = {
    int(ActionType.RIICHI): act.RIICHI,
    int(ActionType.TSUMO): act.WIN_DRAW,
    int(ActionType.RON): act.WIN_DISCARD,
    int(ActionType.KYUSHU_KYUHAI): act.NINE_KINDS,
    int(ActionType.PASS): act.PASS,
    int(ActionType.DAIMINKAN): act.OPEN_KONG,
}
DISCARD, CHI, PON = int(ActionType.DISCARD), int(ActionType.CHI), int(ActionType.PON)
ANKAN, KAKAN = int(ActionType.ANKAN), int(ActionType.KAKAN)

Policy = Callable[[np.record, int, list[int], random.Random], int]


class DisagreementError(Exception):
    """The two engines differ."""


@dataclass
class Tally:
    """What was compared, and what came up on the way."""

    games: int = 0
    rounds: int = 0
    decisions: int = 0
    asked: int = 0  # seats whose legal actions were compared
    actions: Counter[str] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)
    yaku: Counter[str] = field(default_factory=Counter)


def our_number(action: Action, drawn: int | None) -> int:
    """The number of one of riichienv's actions."""
    type_ = int(action.action_type)
    if type_ in TURNS:
        return TURNS[type_]
    if type_ == DISCARD:
        return act.DISCARD_DRAWN if action.tile == drawn else TILE[action.tile]
    if type_ == CHI:
        low = min(KIND[i] for i in [*action.consume_tiles, action.tile])
        red = act.CHOW_RED if RED_IDS & set(action.consume_tiles) else 0
        return act.CHOW_LOW + KIND[action.tile] - low + red
    if type_ == PON:
        return act.PONG_RED if RED_IDS & set(action.consume_tiles) else act.PONG
    return (act.CLOSED_KONG if type_ == ANKAN else act.ADDED_KONG) + KIND[action.tile]


def our_wall(env: RiichiEnv) -> np.ndarray:
    """The wall of a round that riichienv has just dealt, in our order."""
    ids = list(env.wall)
    dead = [ids[1], ids[0], ids[3], ids[2]]
    for i in range(4, 14, 2):
        dead += [ids[i + 1], ids[i]]
    hands = {seat: list(env.hands[seat]) for seat in range(4)}
    hands[env.oya].remove(env.drawn_tile)
    dealt: list[int] = []
    for turn in range(16):
        hand = hands[(env.oya + turn) % 4]
        dealt += [hand.pop() for _ in range(4 if turn < 12 else 1)]
    wall = [*dead, *ids[14:], env.drawn_tile, *reversed(dealt)]
    return np.array([TILE[i] for i in wall], np.int8)


def stacked_wall(rng: random.Random) -> list[int]:
    """A wall (as riichienv takes it, the first tile drawn first) that gives every seat many tiles of a few kinds."""
    suit = 9 * rng.randrange(3)
    themes = [
        range(27, 34),
        [0, 8, 9, 17, 18, 26, *range(27, 34)],
        range(suit, suit + 9),
        rng.sample(range(34), 7),
        rng.sample(range(34), 10),
        range(1, 4),
    ]
    theme = [set(rng.choice(themes)) for _ in range(4)]
    slots = [turn % 4 for turn in range(12) for _ in range(4)] + [turn % 4 for turn in range(4 + 70)]
    rest = list(range(136))
    wall = []
    for seat in slots:
        liked = [i for i in rest if KIND[i] in theme[seat]]
        wall.append(rng.choice(liked if liked and rng.random() < 0.7 else rest))
        rest.remove(wall[-1])
    return wall + rng.sample(rest, len(rest))


class Match:
    """One game on both engines."""

    def __init__(self, seed: int, east: bool, policies: list[Policy], tally: Tally, stacked: bool = False) -> None:
        self.random = random.Random(seed)
        self.wall = stacked_wall(self.random) if stacked else None
        self.policies = policies
        self.tally = tally
        mode = "4p-red-east" if east else "4p-red-half"
        self.env = RiichiEnv(game_mode=mode, rule=GameRule.default_tenhou(), seed=seed, skip_mjai_logging=True)
        self.tables = hand_tables()
        self.array = np.zeros(1, st.STATE)
        self.array["rules"] = (Rules.tenhou_east() if east else Rules.tenhou()).to_record()
        self.s = self.array[0]
        self.mask = np.zeros(act.ACTIONS, np.bool_)
        self.history: list[str] = []

    def fail(self, what: str) -> None:
        """Stop with the situation and the way to it."""
        s = self.s
        lines = [what, f"round {s.round_no} honba {s.honba} phase {s.phase} seat {s.seat} turn {s.turn} left {s.left}"]
        for p in range(4):
            hand = [k for k in range(34) for _ in range(s.hand[p, k])]
            river = to_text(s.river[p, : s.river_size[p]], order=False)
            waits = to_text(k for k in range(34) if int(s.waits[p]) >> k & 1)
            lines.append(
                f"{p}: {to_text(hand)} melds {s.meld_type[p].tolist()} {s.meld_tile[p].tolist()} river {river} "
                f"riichi {s.riichi[p]} missed {s.missed[p]} waits {waits}"
            )
        raise DisagreementError("\n".join([*lines, *self.history[-12:]]))

    def play(self) -> None:
        """Play the game to its end."""
        observations = self.env.reset(wall=self.wall)
        start_game(self.s, np.uint64(0), 0)
        self.tally.games += 1
        while True:
            self.deal()
            while self.s.phase < st.ROUND_OVER:
                observations = self.decide(observations)
            self.tally.rounds += 1
            self.tally.results[st.RESULT_NAMES[self.s.result]] += 1
            for i in range(self.s.wins):
                self.tally.yaku.update(yaku_names(int(self.s.win_yaku[i])))
            self.tally.yaku["double win"] += self.s.wins == 2
            self.tally.yaku["liability"] += bool(
                self.s.wins and (self.s.pao[self.s.win_seat[: self.s.wins]] >= 0).any()
            )
            if not self.compare_ends():
                return

    def deal(self) -> None:
        """Deal riichienv's wall on our table."""
        self.s.wall[:] = our_wall(self.env)
        self.history = []
        start_round(self.tables, self.s)

    def decide(self, observations: dict) -> dict:
        """Compare one decision (or the claims of all seats) and take it on both tables."""
        s, env = self.s, self.env
        self.tally.decisions += 1
        shown = [TILE[i] for i in env.dora_indicators]
        if shown != s.wall[st.INDICATORS[: s.indicators]].tolist():
            self.fail(f"indicators: theirs {to_text(shown)}, ours {s.indicators}")
        claims = s.phase in (st.CLAIM, st.ROB)
        answers = {}
        given = {}
        for p in range(4):
            theirs = {}
            if p in observations:
                for action in observations[p].legal_actions():
                    theirs.setdefault(our_number(action, env.drawn_tile if not claims else None), action)
            ours = self.our_actions(p, claims)
            if ours != set(theirs):
                self.fail(
                    f"seat {p}: only ours {[ACTION_NAMES[a] for a in ours - set(theirs)]}, "
                    f"only theirs {[ACTION_NAMES[a] for a in set(theirs) - ours]}"
                )
            if theirs:
                self.tally.asked += 1
                answers[p] = self.policies[p](s, p, sorted(ours), self.random)
                given[p] = theirs[answers[p]]
        self.history.append(", ".join(f"{p}: {ACTION_NAMES[a]}" for p, a in answers.items()))
        for answer in answers.values():
            self.tally.actions[ACTION_NAMES[answer].split(" ")[0] if answer < 116 else ACTION_NAMES[answer]] += 1
        observations = env.step(given)
        if claims:
            while s.phase in (st.CLAIM, st.ROB):
                step(self.tables, s, answers.get(int(s.seat), act.PASS))
        else:
            step(self.tables, s, answers[int(s.seat)])
        return observations

    def our_actions(self, p: int, claims: bool) -> set[int]:
        """What our table lets seat p do now; nothing if it could only pass."""
        self.mask[:] = False
        if claims:
            if p != self.s.turn:
                fill_claims(self.s, p, self.mask)
        elif p == self.s.seat:
            fill_legal(self.tables, self.s, self.mask)
        found = {int(a) for a in np.flatnonzero(self.mask)}
        return set() if found == {act.PASS} else found

    def compare_ends(self) -> bool:
        """Compare scores and what comes next; whether the game goes on."""
        s, env = self.s, self.env
        if list(env.scores()) != s.scores.tolist():
            self.fail(
                f"scores: theirs {env.scores()}, ours {s.scores}, {st.RESULT_NAMES[s.result]} {s.deltas}, "
                f"yaku {s.win_yaku} han {s.win_han} fu {s.win_fu} yakuman {s.win_yakuman}"
            )
        if env.done() != (s.phase == st.GAME_OVER):
            self.fail(f"game over: theirs {env.done()}, {s.scores}, {st.RESULT_NAMES[s.result]}, repeats {s.repeats}")
        if env.done():
            return False
        advance(s)
        theirs = (env.round_wind, env.oya, env.honba, env.riichi_sticks)
        ours = (int(s.round_no) // 4, int(s.dealer), int(s.honba), int(s.sticks))
        if theirs != ours:
            self.fail(f"next round: theirs {theirs}, ours {ours}, {st.RESULT_NAMES[s.result]}")
        return True
