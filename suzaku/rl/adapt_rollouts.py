"""Trajectories from a position: what a seat cannot see redrawn, the round played to its end, its decisions kept.

The position is first reduced to what the seat sees (`hide`): nothing that follows can depend on anything else.
A round costs most where tables are few: about a thousand side by side are twice as fast as 64.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from suzaku.agents.agent import discard_of_kind
from suzaku.agents.network import Opinions, softmax
from suzaku.agents.suphx import SuphxAgent
from suzaku.arena.single_rounds import ROOM
from suzaku.features.sparse import SparsePlanes, join_states
from suzaku.networks.run import Planes
from suzaku.riichi.game import GAME
from suzaku.riichi.redraw import hide
from suzaku.riichi.state import INDICATORS
from suzaku.rl.adapt_config import Clock
from suzaku.rl.buffer import Trajectories, joined
from suzaku.rl.policy import learnable
from suzaku.table.tables import take

AT_ONCE = 256  # tables of a question while there is a limit of time: the clock is looked at between two


@dataclass
class Rollouts:
    """Rounds that were played to their end."""

    before: np.ndarray  # STATE[n]: the tables as they were redrawn
    ended: np.ndarray  # the tables afterwards; the next round is dealt there, unless the game is over
    decisions: Trajectories | None  # of the seat, where a model that learns was asked; None where there were none
    planes: SparsePlanes | None = None  # what it saw there, if all of them are turns of its own

    def first(self, tables: int) -> "Rollouts":
        """The first of the tables alone."""
        decisions, planes = self.decisions, self.planes
        if decisions is not None:
            rows = np.arange(np.searchsorted(decisions.game, tables))
            decisions = decisions.part(rows) if len(rows) else None
            planes = planes[rows] if planes is not None and len(rows) else None
        return Rollouts(self.before[:tables], self.ended[:tables], decisions, planes)


class Watched(SuphxAgent):
    """A player for rollouts: tables that are alike are looked at once, and what it saw need not be encoded again.

    The plays of one redrawn table are alike until the first decision that differs.
    """

    turns: tuple[np.ndarray, Planes] | None = None  # which of the different tables were turns, and their planes
    back: np.ndarray  # which of them each table is

    @classmethod
    def like(cls, agent: SuphxAgent) -> "Watched":
        """A player of the same weights, in the same memory."""
        twin = agent.twin(many=True)
        return cls.from_models(twin.models, agent.temperature, agent.seed)

    def opinions(self, records: np.ndarray, legal: np.ndarray) -> Opinions:
        """Of each table, asked once for all that are alike."""
        self.turns = None
        first, self.back = different(records)
        if len(first) == len(records):
            first = self.back = np.arange(len(records))
            return super().opinions(records, legal)
        said = super().opinions(take(records, first), legal[first])
        parts = {name: getattr(said, name)[self.back] for name in ("forced", "melds", "riichi", "discards", "throw")}
        return replace(said, **parts)

    def ask_turn(
        self, rows: np.ndarray, planes: Planes, records: np.ndarray, legal: np.ndarray, opinions: Opinions
    ) -> None:
        """As always."""
        self.turns = rows, planes
        super().ask_turn(rows, planes, records, legal, opinions)

    def seen(self, rows: np.ndarray) -> SparsePlanes | None:
        """What it saw of some of the tables of the last question; None if it was not asked about a turn of all."""
        asked, planes = self.turns or (rows[:0], None)
        if not isinstance(planes, SparsePlanes):
            return None
        wanted = self.back[rows]
        at = np.searchsorted(asked, wanted)
        if (at == len(asked)).any() or (asked[at] != wanted).any():
            return None
        return planes[at]


def different(records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first of each group of like tables, and of which group each is; two are alike if all their bytes are."""
    raw = np.ascontiguousarray(records).view(np.uint64).reshape(len(records), -1)
    factors = np.random.default_rng(0).integers(2**64, size=raw.shape[1], dtype=np.uint64) | np.uint64(1)
    mixed = raw ^ (raw >> np.uint64(32))
    _, first, back = np.unique((mixed * factors).sum(1, dtype=np.uint64), return_index=True, return_inverse=True)
    return first, back


NAMED = ("deal", "round_no", "honba", "sticks", "scores", "left", "phase", "seat", "discards", "offer", "drawn")


def name_of(view: np.ndarray, seat: int) -> int:
    """A number that follows from what a seat sees of a table (an array of one), and not from earlier rounds there."""
    s = view[0]
    rivers = [s.river[p, : s.river_size[p]] for p in range(4)]
    seen = [view[name] for name in NAMED] + [s.hand[seat], s.red[seat], s.wall[INDICATORS[: s.indicators]], *rivers]
    found = hashlib.sha256(b"|".join(np.ascontiguousarray(part).tobytes() for part in (*seen, np.int8(seat))))
    return int.from_bytes(found.digest()[:8], "little")


def redrawn(record: np.ndarray, seat: int, deals: int, seed: tuple[int, ...]) -> np.ndarray:
    """Copies of a table (STATE[1]), each with other hidden tiles; they follow from what `seat` sees and the seed."""
    view = hide(record, seat)
    tables = take(view, np.zeros(deals, np.int64))
    GAME.redraw(tables, seat, np.random.default_rng((*seed, name_of(view, seat))))
    return tables


def roll_out(
    own: SuphxAgent,
    others: SuphxAgent,
    tables: np.ndarray,
    seat: int,
    streams: np.ndarray,
    models: tuple[str, ...] = (),
    clock: Clock | None = None,
    tell: Callable[[int], None] | None = None,
) -> Rollouts | None:
    """Play the round of each table to its end, `own` in a seat and `others` in the other three.

    The decisions are those that some of `models` made. None if the time was over before. `tell` hears how many rounds
    have ended.
    """
    n = len(tables)
    before = tables
    records = take(tables, np.arange(n))  # byte by byte: what is alike stays alike between the fields too
    legal = np.zeros((n, GAME.actions), np.bool_)
    for record, row in zip(records, legal, strict=True):
        GAME.legal(GAME.tables(), record, row)
    seats, followed = records["seat"].copy(), np.zeros(n, np.bool_)
    hands, over = np.zeros((n, 4), GAME.hands), np.zeros(n, np.int64)
    moves, moved = np.zeros((n, ROOM), np.uint8), np.zeros(n, np.int64)
    kept, clock = Kept(models), clock or Clock()
    while (open_ := seats >= 0).any():
        actions = np.zeros(n, np.int64)
        own_turn = seats == seat
        groups = ((own, open_),) if own is others else ((own, open_ & own_turn), (others, open_ & ~own_turn))
        for agent, places in _questions(groups, AT_ONCE if clock.limited else n):
            if not clock.keep_on():
                return None
            asked = take(records, places)
            answers = agent.act(asked, legal[places], streams[places])
            actions[places] = answers.actions
            if agent is own and models:
                assert answers.log_prob is not None
                rows = np.flatnonzero(own_turn[places])
                at = places[rows]
                kept.add(own, rows, asked, legal[at], actions[at], answers.log_prob[rows], at, moved[at])
        GAME.play_on(GAME.tables(), records, actions, legal, seats, followed, hands, moves, moved, over)
        seats[hands["hands"][:, 0] > 0] = -1
        if tell:
            tell(int((seats < 0).sum()))
    return Rollouts(before, records, *kept.together())


def _questions(groups: tuple[tuple[SuphxAgent, np.ndarray], ...], most: int) -> Iterator[tuple[SuphxAgent, np.ndarray]]:
    """Who is asked about which tables, at most so many at once."""
    for agent, mine in groups:
        places = np.flatnonzero(mine)
        for i in range(0, len(places), most):
            yield agent, places[i : i + most]


class Kept:
    """The decisions of a seat that some models made, as rounds are played."""

    def __init__(self, models: tuple[str, ...]) -> None:
        self.models = models
        self._found: list[Trajectories] = []
        self._planes: list[SparsePlanes | None] = []

    def add(
        self,
        agent: SuphxAgent,
        rows: np.ndarray,
        asked: np.ndarray,
        legal: np.ndarray,
        actions: np.ndarray,
        log_prob: np.ndarray,
        places: np.ndarray,
        at: np.ndarray,
    ) -> None:
        """Keep those of `rows` among the asked tables that the models decided."""
        none = np.zeros(len(rows), np.int64)
        mine = take(asked, rows)
        part = Trajectories(mine, legal, actions, log_prob.astype(np.float32), places, none, [], at)
        learnt = np.flatnonzero(learnable(part, self.models))
        if len(learnt):
            self._found.append(part.part(learnt))
            self._planes.append(agent.seen(rows[learnt]) if isinstance(agent, Watched) else None)

    def together(self) -> tuple[Trajectories | None, SparsePlanes | None]:
        """All decisions in the order of the tables, and what was seen at them if it is known."""
        found = self._found
        if not found:
            return None, None
        whole = joined(found)
        order = np.argsort(whole.game, kind="stable")
        known = [planes for planes in self._planes if planes is not None]
        planes = join_states(known)[order] if len(known) == len(found) else None
        return whole.part(order), planes


def play_again(
    base: Rollouts, own: SuphxAgent, others: SuphxAgent, seat: int, streams: np.ndarray, models: tuple[str, ...]
) -> np.ndarray:
    """The tables of `base` at the end of the round had `own` sat there, whose `models` alone are other ones.

    A round is played on from the first decision that differs: where none does, it ends as it did.
    """
    ended = base.ended.copy()
    decisions = base.decisions
    if decisions is None:
        return ended
    changed = np.flatnonzero(_answers_again(base, own, streams, models) != decisions.action)
    games, first = np.unique(decisions.game[changed], return_index=True)
    if len(games):
        found = roll_out(own, others, take(decisions.records, changed[first]), seat, streams[games])
        assert found is not None
        ended[games] = found.ended
    return ended


def _answers_again(base: Rollouts, own: SuphxAgent, streams: np.ndarray, models: tuple[str, ...]) -> np.ndarray:
    """What a player would do at the decisions of others' rounds."""
    decisions = base.decisions
    assert decisions is not None
    if models != ("discard",) or own.temperature or base.planes is None:
        return own.act(decisions.records, decisions.legal, streams[decisions.game]).actions
    throw = discard_of_kind(decisions.records, decisions.legal)
    logits = np.where(throw >= 0, own.ask("discard", base.planes), -np.inf)
    return throw[np.arange(len(throw)), softmax(logits).argmax(1)]
