"""A miniature second game, as a descriptor: what "add a game" in docs/recipes.md asks for, and nothing else.

Three of twenty numbered tiles for each seat; every seat plays one in turn, and the highest takes a point from each of
the others. A match is some such rounds.
"""

from dataclasses import dataclass, replace

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.kernel import kernel
from suzaku.seeds import GOLDEN, below, mix, read_seed
from suzaku.table.game import AWAY, EVERYONE, Game, only_choice

TILES, HELD = 20, 3
LENGTHS = {"short": 3, "long": 8}
RULES = np.dtype([("rounds", "i4"), ("start_score", "i4"), ("lowest_wins", "i4")])
RECORD = np.dtype(
    (
        np.record,
        [
            ("rules", RULES),
            ("seed", "u8"),
            ("game", "i8"),
            ("deal", "i4"),
            ("seat", "i1"),
            ("wall", "i1", (TILES,)),  # the first twelve are dealt
            ("held", "i1", (4, TILES)),
            ("played", "i1", (4,)),  # or -1
            ("scores", "i4", (4,)),
            ("ranks", "i1", (4,)),
            ("over", "i1"),
        ],
    )
)
HANDS = np.dtype([("hands", "i4"), ("wins", "i4")])


@dataclass(frozen=True)
class Rules:
    """The switches."""

    rounds: int = 3
    start_score: int = 0
    lowest_wins: bool = False

    @property
    def length(self) -> str:
        return next(name for name, rounds in LENGTHS.items() if rounds == self.rounds)

    def with_length(self, length: str) -> "Rules":
        return replace(self, rounds=LENGTHS[length])

    def to_record(self) -> np.ndarray:
        return np.array((self.rounds, self.start_score, self.lowest_wins), RULES)


@kernel
def shuffle(s, deal):
    """The wall of a deal."""
    x = mix(mix(mix(s.seed + GOLDEN) ^ np.uint64(s.game)) ^ np.uint64(deal))
    for i in range(TILES):
        s.wall[i] = i
    for i in range(TILES - 1, 0, -1):
        x += GOLDEN
        j = below(mix(x), i + 1)
        s.wall[i], s.wall[j] = s.wall[j], s.wall[i]


@kernel
def start_round(s):
    """Deal from the wall as it stands."""
    s.held[:] = 0
    for i in range(4 * HELD):
        s.held[i // HELD, s.wall[i]] = 1
    s.played[:] = -1
    s.seat = s.deal & 3
    s.deal += 1


@kernel
def start_game(s, seed, game):
    """A game before its first round."""
    s.seed = seed
    s.game = game
    s.deal = 0
    s.seat = -1
    s.over = 0
    s.scores[:] = s.rules.start_score


@kernel
def legal(tables, s, out):
    """The tiles in the hand of the asked seat."""
    for tile in range(TILES):
        out[tile] = s.seat >= 0 and s.held[s.seat, tile] > 0


@kernel
def winner(s):
    """Who takes the round."""
    best = 0
    for p in range(1, 4):
        if (s.played[p] > s.played[best]) != (s.rules.lowest_wins != 0):
            best = p
    return best


@kernel
def step(tables, s, action):
    """Play a tile; the last of four settles the round, the last round the game."""
    s.held[s.seat, action] = 0
    s.played[s.seat] = action
    s.seat = (s.seat + 1) & 3
    if s.played[s.seat] < 0:
        return
    s.seat = -1
    for p in range(4):
        s.scores[p] += 3 if p == winner(s) else -1
    s.over = s.deal == s.rules.rounds
    for p in range(4):
        s.ranks[p] = 0
        for q in range(4):
            s.ranks[p] += s.scores[q] > s.scores[p] or (s.scores[q] == s.scores[p] and q < p)


@kernel
def start_many(tables, records, first, seed, out, seats):
    """Start game number `first + i` on table i."""
    for i in range(records.shape[0]):
        s = records[i]
        start_game(s, seed, first + i)
        shuffle(s, 0)
        start_round(s)
        seats[i] = s.seat
        legal(tables, s, out[i])


@kernel
def play_on(tables, records, actions, out, seats, followed, hands, moves, moved, over):
    """Carry out the answers on all open tables and go on to the next real choice; how many games ended."""
    n = 0
    for i in range(records.shape[0]):
        if seats[i] < 0:
            continue
        s = records[i]
        action = actions[i]
        while action >= 0:
            moves[i, moved[i]] = action
            moved[i] += 1
            step(tables, s, action)
            if s.seat < 0:
                for p in range(4):
                    hands[i, p].hands += 1
                    hands[i, p].wins += p == winner(s)
                if s.over:
                    over[n] = i
                    n += 1
                    break
                shuffle(s, s.deal)
                start_round(s)
            legal(tables, s, out[i])
            action = -1 if followed[i] else only_choice(out[i])
        seats[i] = s.seat
    return n


@kernel
def deal_stored(tables, s, walls):
    """Deal the next stored round if none is being played; whether somebody is asked."""
    if s.seat < 0 and s.deal < walls.shape[0]:
        s.wall[:] = walls[s.deal]
        start_round(s)
    return s.seat >= 0


@kernel
def replay(tables, s, walls, actions, out, check):
    """Play stored rounds: how many actions were carried out."""
    for i in range(actions.shape[0]):
        if not deal_stored(tables, s, walls):
            return i
        action = np.int64(actions[i]) & (AWAY - 1)
        legal(tables, s, out)
        if check and not (action < TILES and out[action]):
            return i
        step(tables, s, action)
    return actions.shape[0]


@kernel
def collect(tables, s, walls, actions, mask, follow, records, out, taken, types, at):
    """Write the decisions to the rows of the arrays; how many, or -1 if an action is not legal."""
    for i in range(actions.shape[0]):
        if follow != EVERYONE or not deal_stored(tables, s, walls):
            return -1
        legal(tables, s, out[i])
        if actions[i] >= TILES or not out[i, actions[i]]:
            return -1
        records[i] = s
        taken[i] = actions[i]
        types[i] = mask
        at[i] = i
        step(tables, s, np.int64(actions[i]))
    return actions.shape[0]


@kernel
def fill_walls(s, out):
    """The first walls of the game in the record."""
    for deal in range(out.shape[0]):
        shuffle(s, deal)
        out[deal] = s.wall


def new_table(rules: Rules, start: list[int] | None = None) -> np.ndarray:
    """An array of one record before its first wall is placed."""
    array = np.zeros(1, RECORD)
    array["rules"] = rules.to_record()
    start_game(array[0], np.uint64(0), 0)
    return array


def walls_of(rules: Rules, seed: int, game: int, count: int) -> np.ndarray:
    """The first walls of a game."""
    array, walls = new_table(rules), np.zeros((count, TILES), np.int8)
    start_game(array[0], read_seed(seed), game)
    fill_walls(array[0], walls)
    return walls


def redraw(records: np.ndarray, seat: int, rng: np.random.Generator) -> None:
    """Lay anew the hands of the others and the rest of the wall."""
    for s in records:
        others = [p for p in range(4) if p != seat]
        hidden = rng.permutation([t for t in range(TILES) if not s.held[seat, t] and t not in s.played])
        sizes = [int(s.held[p].sum()) for p in others]
        s.held[others] = 0
        for p, tiles in zip(others, np.split(hidden, np.cumsum(sizes))[:3], strict=True):
            s.held[p, tiles] = 1
        s.wall[:] = -1


def text(record: np.record, seat: int | None = None) -> str:
    """A line a seat."""
    lines = []
    for p in range(4):
        hand = np.flatnonzero(record.held[p]).tolist()
        shown = hand if seat in (None, p) else "?" * len(hand)
        lines.append(f"seat {p}: {record.scores[p]:+d} points, holds {shown}, played {record.played[p]}")
    return "\n".join(lines)


class Table:
    """One table for people."""

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.rules, self._array = rules, new_table(rules)
        self.record = self._array[0]
        start_game(self.record, read_seed(seed), 0)
        self.next_round()

    @property
    def seat(self) -> int:
        return int(self.record.seat)

    @property
    def round_over(self) -> bool:
        return self.seat < 0 and not self.game_over

    @property
    def game_over(self) -> bool:
        return bool(self.record.over)

    def legal_mask(self) -> np.ndarray:
        return GAME.legal_mask(self.record)

    def act(self, action: int) -> None:
        if not self.legal_mask()[action]:
            raise ValueError(f"seat {self.seat} has no tile {action}")
        step(None, self.record, action)

    def next_round(self) -> None:
        shuffle(self.record, self.record.deal)
        start_round(self.record)


def view(record: np.record, seat: int | None = None) -> dict:
    """What a page is sent."""
    shown = [seat] if seat is not None else range(4)
    data = {"scores": record.scores.tolist(), "played": record.played.tolist(), "over": bool(record.over)}
    return {**data, "hands": {str(p): np.flatnonzero(record.held[p]).tolist() for p in shown}}


def event(before: np.record | None, action: int, after: np.record) -> dict:
    """What all see happen."""
    if before is None:
        return {"kind": "deal", "seat": int(after.seat)}
    return {"kind": "play", "seat": int(before.seat), "tile": action}


GAME = Game(
    name="highest-card",
    record=RECORD,
    wall=TILES,
    action_names=tuple(f"play {tile}" for tile in range(TILES)),
    decision_types={"play": 1},
    rules=Rules,
    presets={"usual": {}, "lowest": {"lowest_wins": True}},
    lengths={"short": "short matches", "long": "long matches"},
    table=Table,
    new_table=new_table,
    final_points=lambda rules, scores, ranks: np.asarray(scores, float),
    redraw=redraw,
    text=text,
    picture=lambda record, seat=None, reveal=True: {"scores": record.scores.tolist()},
    view=view,
    event=event,
    round_number=lambda record: (int(record.deal) - 1, 0),
    usual_agent="python:tests.games.highest_card:High",
    stand_in="python:tests.games.highest_card:Low",
    tables=lambda: None,
    start_many=start_many,
    legal=legal,
    step=step,
    deal_stored=deal_stored,
    play_on=play_on,
    walls_of=walls_of,
    replay=replay,
    collect=collect,
    hands=HANDS,
    rates=lambda t: [("win rate", 100 * t.wins / max(int(t.hands), 1), "% of hands")],
    shown_rates=(("win %", "win rate", 1),),
)


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
