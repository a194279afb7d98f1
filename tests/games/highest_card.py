"""A miniature game of three seats, as a descriptor: what "add a game" in docs/recipes.md asks for, and nothing else.

Three of twenty numbered tiles for each seat; every seat plays one in turn, and the highest takes a point from each of
the others. A match is some such rounds.
"""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.kernel import kernel
from suzaku.table.game import Game, rates_of
from suzaku.table.kernels import fill_ranks, shuffle, wall_bits
from suzaku.table.rules import TableRules
from suzaku.table.table import OneTable

SEATS, TILES, HELD = 3, 20, 3
PLAYING, ROUND_OVER, GAME_OVER = range(3)
LENGTHS = {"short": 3, "long": 8}


@dataclass(frozen=True)
class Rules(TableRules):
    """The switches."""

    presets: ClassVar = {"usual": {}, "lowest": {"lowest_wins": True}}
    lengths: ClassVar = LENGTHS
    length_switch: ClassVar = "rounds"

    rounds: int = 3
    start_score: int = 0
    lowest_wins: bool = False


RECORD = np.dtype(
    (
        np.record,
        [
            ("rules", Rules.dtype()),
            ("seed", "u8"),
            ("game", "i8"),
            ("deal", "i4"),
            ("auto", "i1"),
            ("phase", "i1"),
            ("seat", "i1"),
            ("wall", "i1", (TILES,)),  # the first nine are dealt
            ("held", "i1", (SEATS, TILES)),
            ("played", "i1", (SEATS,)),  # or -1
            ("scores", "i4", (SEATS,)),
            ("ranks", "i1", (SEATS,)),
        ],
    )
)
HANDS = np.dtype([("hands", "i4"), ("wins", "i4")])


@kernel
def shuffle_wall(s):
    """The wall of a deal."""
    for i in range(TILES):
        s.wall[i] = i
    shuffle(s.wall, TILES, wall_bits(s))


@kernel
def start_game(s, seed, game):
    """A game before its first round."""
    s.seed = seed
    s.game = game
    s.deal = 0
    s.seat = -1
    s.phase = PLAYING
    s.scores[:] = s.rules.start_score


@kernel
def start_round(tables, s):
    """Deal from the wall as it stands."""
    s.held[:] = 0
    for i in range(SEATS * HELD):
        s.held[i // HELD, s.wall[i]] = 1
    s.played[:] = -1
    s.seat = (s.deal - 1) % SEATS
    s.phase = PLAYING


@kernel
def deal_round(tables, s):
    """Shuffle and deal."""
    shuffle_wall(s)
    s.deal += 1
    start_round(tables, s)


@kernel
def advance(s):
    """The deal is all that goes on from round to round."""


@kernel
def legal(tables, s, out):
    """The tiles in the hand of the asked seat."""
    for tile in range(TILES):
        out[tile] = s.seat >= 0 and s.held[s.seat, tile] > 0


@kernel
def winner(s):
    """Who takes the round."""
    best = 0
    for p in range(1, SEATS):
        if (s.played[p] > s.played[best]) != (s.rules.lowest_wins != 0):
            best = p
    return best


@kernel
def step(tables, s, action):
    """Play a tile; the last seat's settles the round, the last round the game."""
    s.held[s.seat, action] = 0
    s.played[s.seat] = action
    s.seat = (s.seat + 1) % SEATS
    if s.played[s.seat] < 0:
        return
    s.seat = -1
    for p in range(SEATS):
        s.scores[p] += SEATS - 1 if p == winner(s) else -1
    if s.deal == s.rules.rounds:
        s.phase = GAME_OVER
        fill_ranks(s)
        return
    s.phase = ROUND_OVER
    if s.auto:
        deal_round(tables, s)


@kernel
def redraw_one(tables, s, seat, work, x):
    """Lay anew the hands of the others and the rest of the wall."""
    hidden = np.empty(TILES, np.int64)
    n = 0
    for tile in range(TILES):
        seen = s.held[seat, tile] > 0
        for p in range(SEATS):
            seen = seen or s.played[p] == tile
        if not seen:
            hidden[n] = tile
            n += 1
    shuffle(hidden, n, x)
    for p in range(SEATS):
        if p != seat:
            held = s.held[p].sum()
            s.held[p] = 0
            for i in range(n - held, n):
                s.held[p, hidden[i]] = 1
            n -= held
    s.wall[:] = -1
    return True


@kernel
def count_hand(s, p, out):
    """Add a hand to the counts."""
    out.hands += 1
    out.wins += p == winner(s)


def hide(record: np.ndarray, seat: int) -> np.ndarray:
    """A copy of a record without the hands of the others and the wall."""
    copy = record.copy()
    copy["held"][0, [p for p in range(SEATS) if p != seat]] = 0
    copy["wall"] = -1
    copy["seed"] = copy["game"] = 0
    return copy


def hand_tiles(record: np.record, seat: int) -> list[int]:
    """The tiles of a seat."""
    return np.flatnonzero(record.held[seat]).tolist()


# What draws a table.


def draw_text(record: np.record, seat: int | None = None) -> str:
    """A line a seat."""
    lines = []
    for p in range(SEATS):
        hand = hand_tiles(record, p)
        shown = hand if seat in (None, p) else "?" * len(hand)
        lines.append(f"seat {p}: {record.scores[p]:+d} points, holds {shown}, played {record.played[p]}")
    return "\n".join(lines)


def picture(record: np.record, seat: int | None = None, reveal: bool = True) -> dict:
    """The table as plain data."""
    return {"scores": record.scores.tolist()}


def view(record: np.record, seat: int | None = None) -> dict:
    """What a page is sent."""
    shown = [seat] if seat is not None else range(SEATS)
    over = bool(record.phase == GAME_OVER)
    data = {"scores": record.scores.tolist(), "played": record.played.tolist(), "over": over}
    return {**data, "hands": {str(p): hand_tiles(record, p) for p in shown}}


def event_of(before: np.record | None, action: int, after: np.record) -> dict:
    """What all see happen."""
    if before is None:
        return {"kind": "deal", "seat": int(after.seat)}
    return {"kind": "play", "seat": int(before.seat), "tile": action}


def round_number(record: np.record) -> tuple[int, int]:
    """The round, which is never repeated."""
    return int(record.deal) - 1, 0


def in_secret(record: np.record) -> bool:
    """Who is asked is no secret."""
    return False


GAME = Game(
    name="highest-card",
    module=__name__,
    seats=SEATS,
    record=RECORD,
    wall=TILES,
    action_names=tuple(f"play {tile}" for tile in range(TILES)),
    round_over=ROUND_OVER,
    game_over=GAME_OVER,
    rules=Rules,
    lengths={"short": "short matches", "long": "long matches"},
    start_game=start_game,
    shuffle_wall=shuffle_wall,
    start_round=start_round,
    deal_round=deal_round,
    advance=advance,
    legal=legal,
    step=step,
    redraw_one=redraw_one,
    hands=HANDS,
    count_hand=count_hand,
    rates=partial(rates_of, (("win rate", "wins", "hands", "% of hands"),)),
    shown_rates=(("win %", "win rate", 1),),
    hide=hide,
    hand_tiles=hand_tiles,
    final_points=lambda rules, scores, ranks: np.asarray(scores, float),
    table="tests.games.highest_card:Table",
    render="tests.games.highest_card",
    usual_agent="python:tests.games.highest_card:High",
    stand_in="python:tests.games.highest_card:Low",
)


class Table(OneTable):
    """One table for people."""

    game = GAME


class High(Agent):
    """Plays its highest tile."""

    name, game = "high", "highest-card"

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        return Answers(legal.shape[1] - 1 - legal[:, ::-1].argmax(1))


class Low(High):
    """Plays its lowest tile."""

    name = "low"

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        return Answers(legal.argmax(1))
