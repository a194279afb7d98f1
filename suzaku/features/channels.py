"""The channel tables: what every channel of every encoder means. Their version and hash go into each checkpoint.

- The channel tables: what every channel of every encoder means. Version and hash go into each checkpoint.
- Hashes of channel tables that were told otherwise once but encode the same: checkpoints that carry them still fit.
- A feature set: what a model sees, under the name, version and hash that its checkpoint carries.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from suzaku.lookahead.state import LEVELS, REACH, THRESHOLDS

if TYPE_CHECKING:
    from suzaku.features.sparse import SparsePlanes


# Values are stored in bytes, 255 for one. Seats are counted from the observer on: self, next, across, previous.
# "Stacked" means: channel i is set where there are more than i. "Steps" means: channel i is all ones where the number
# reaches the (i + 1)-th step. The hash covers everything but the meanings, which are for people.

ON = 255


class Group(NamedTuple):
    """A run of channels with one meaning."""

    name: str
    count: int  # type: ignore[assignment]  # tuples have a method of that name
    encoding: str
    meaning: str
    steps: tuple[int, ...] = ()  # the numbers that the channels of one seat, or of one replaced tile, stand for
    version: int = 1  # raised when the encoder writes other values and nothing else here tells so


def encoding_of(group: Group) -> str:
    """How a group is encoded, with the steps it counts by."""
    steps = group.steps
    if len(steps) < 2:
        return group.encoding
    size = steps[1] - steps[0]
    if steps == tuple(range(steps[0], steps[-1] + 1, size)):
        return f"{group.encoding}: {steps[0]:,} to {steps[-1]:,} by {size:,}"
    return f"{group.encoding}: {' '.join(format(step, ',') for step in steps)}"


SCORE_STEP, SCORE_STEPS = 2500, 24
GAP_STEP, GAP_STEPS = 2000, 24
HONBA_STEPS, STICK_STEPS = 8, 6
LEFT_STEP, LEFT_STEPS = 2, 35
SLOTS = 24
RECENT = 8
UKEIRE_STEPS = (1, 3, 5, 8, 12, 16, 20, 26, 34, 44)
CLAIM_UKEIRE_STEPS = 8  # of those
CLAIM_DORA_STEPS = 4
BEST_POINTS = 32_000
POINT_STEPS = tuple(int(points) for points in THRESHOLDS)


def _steps(size: int, count: int, start: int | None = None) -> tuple[int, ...]:
    """Equal steps, the first as high as the others unless told."""
    start = size if start is None else start
    return tuple(range(start, start + size * count, size))


BY_DISCARD = "by discard, 12 steps of points, 1 to 3 replaced"
BY_POINTS = REACH * LEVELS

SUPHX = (
    Group("hand", 4, "stacked", "own concealed tiles"),
    Group("red", 1, "tiles", "own concealed red fives"),
    Group("drawn", 1, "tiles", "the tile just drawn"),
    Group("meld_tiles", 16, "stacked, 4 a seat", "tiles in melds"),
    Group("meld_red", 4, "tiles, 1 a seat", "red fives in melds"),
    Group("closed_kongs", 4, "tiles, 1 a seat", "closed kongs"),
    Group("meld_list", 32, "tiles, 4 melds x 2 a seat", "each meld in order: its tiles; the tile that was called"),
    Group("indicators", 4, "stacked", "dora indicators"),
    Group("dora", 4, "stacked", "han a tile gives as dora"),
    Group("red_unseen", 1, "tiles", "red fives not seen yet"),
    Group("river_tiles", 16, "stacked, 4 a seat", "discarded tiles"),
    Group(
        "river",
        12 * SLOTS,
        "tiles, 24 discards x 3 a seat",
        "each discard in order: the tile; if from the hand; if called",
    ),
    Group("riichi_tile", 4, "tiles, 1 a seat", "the discard riichi was declared with"),
    Group(
        "passed", 3, "tiles, 1 an opponent", "kinds that passed since the opponent's riichi, its own discards included"
    ),
    Group("last_from_hand", 3, "tiles, 1 an opponent", "the opponent's last discard that was not just drawn"),
    Group("recent", RECENT, "tiles", "the last discards of all seats, latest first"),
    Group("unseen", 4, "stacked", "tiles not seen yet"),
    Group("riichi", 12, "all, 3 a seat", "riichi; double riichi; within a turn of riichi"),
    Group("scores", 4 * SCORE_STEPS, "steps, 24 a seat", "points", _steps(SCORE_STEP, SCORE_STEPS)),
    Group(
        "gaps",
        3 * GAP_STEPS,
        "steps, 24 an opponent",
        "own points less the opponent's",
        _steps(GAP_STEP, GAP_STEPS, GAP_STEP * (1 - GAP_STEPS // 2)),
    ),
    Group("rank", 4, "all, one of", "own place"),
    Group("round", 12, "all, one of", "east 1 to west 4"),
    Group("honba", HONBA_STEPS, "steps", "repeat counter", _steps(1, HONBA_STEPS)),
    Group("sticks", STICK_STEPS, "steps", "riichi sticks on the table", _steps(1, STICK_STEPS)),
    Group("left", LEFT_STEPS, "steps", "tiles left to draw", _steps(LEFT_STEP, LEFT_STEPS)),
    Group("dealer", 4, "all, one of", "who deals"),
    Group("winds", 2, "tiles", "the round's wind; the own wind"),
    Group("last_round", 1, "all", "the last round of the game, or later"),
    Group("sudden_death", 1, "all", "after the last round"),
    Group("turn", SLOTS, "steps", "own discards so far", _steps(1, SLOTS)),
    Group("unbroken", 1, "all", "no call or kong yet"),
    Group("closed", 1, "all", "own hand is closed"),
    Group("shanten", 8, "all, one of", "own shanten, complete (-1) to 6"),
    Group("furiten", 1, "all", "own hand may not win on a discard"),
    Group("waits", 1, "tiles", "kinds the own hand waits for, without the drawn tile; after a call, those before it"),
    Group(
        "phase", 5, "all, one of", "what is asked: turn, discard after a call, riichi discard, claim, robbing a kong"
    ),
    Group("offer", 1, "tiles", "the tile offered"),
    Group("offer_from", 3, "all, one of", "who offers it"),
    Group("legal_discards", 1, "tiles", "kinds that may be discarded"),
    Group("forbidden", 1, "tiles", "kinds barred by swap-calling"),
    Group("can_riichi", 1, "all", "riichi may be declared"),
    Group("keeps_tenpai", 1, "by discard", "the hand is tenpai after this discard"),
    Group("keeps_shanten", 1, "by discard", "the hand is as near to a win as it can be after this discard"),
    Group(
        "ukeire",
        len(UKEIRE_STEPS),
        "steps, by discard",
        "unseen tiles that bring the hand nearer after this discard",
        UKEIRE_STEPS,
    ),
    Group("suji", 3, "tiles, 1 an opponent", "kinds safe from a two-sided wait by the opponent's discards"),
    Group("no_chance", 1, "tiles", "kinds no two-sided wait can be for: its tiles are all seen"),
    Group("one_chance", 1, "tiles", "the same but for one tile"),
    Group("win_now", LEVELS, "steps", "points the hand pays as it is", POINT_STEPS),
    Group("reach", BY_POINTS, BY_DISCARD, "a win of so many points is in reach", POINT_STEPS),
    Group("chance", BY_POINTS, BY_DISCARD, "the probability of it with the draws left", POINT_STEPS),
    Group("claim_chance", BY_POINTS, BY_DISCARD, "the same, the last tile also by claim", POINT_STEPS),
    Group(
        "best",
        REACH,
        "by discard, 1 to 3 replaced",
        f"the highest points in reach, {BEST_POINTS:,} as one",
        (BEST_POINTS,),
    ),
)

CLAIM = (
    Group("claim_kind", 7, "all, one of", "chow low, middle, high; pong; open, closed, added kong"),
    Group("claim_meld", 4, "stacked", "the tiles of the meld"),
    Group("claim_used", 4, "stacked", "those that come from the hand"),
    Group("claim_tile", 1, "tiles", "the tile claimed"),
    Group("claim_red", 1, "tiles", "red fives in the meld; of an added kong, if the added tile is red"),
    Group("claim_hand", 4, "stacked", "concealed tiles that remain"),
    Group("claim_hand_red", 1, "tiles", "red fives that remain"),
    Group(
        "claim_dora",
        CLAIM_DORA_STEPS,
        "steps",
        "han of the doras in the meld and of these red fives",
        _steps(1, CLAIM_DORA_STEPS),
    ),
    Group("claim_shanten", 8, "all, one of", "shanten afterwards, after the best discard"),
    Group("claim_gain", 3, "all, one of", "shanten falls, stays, rises"),
    Group("claim_opens", 1, "all", "a closed hand is opened"),
    Group("claim_forbidden", 1, "tiles", "kinds that may not be discarded then"),
    Group("claim_keeps_shanten", 1, "by discard", "the discards that leave the hand nearest to a win"),
    Group(
        "claim_ukeire",
        CLAIM_UKEIRE_STEPS,
        "steps, by discard",
        "unseen tiles that bring the hand nearer then",
        UKEIRE_STEPS[:CLAIM_UKEIRE_STEPS],
    ),
    Group("claim_reach", BY_POINTS, BY_DISCARD, "a win of so many points is in reach then", POINT_STEPS),
    Group("claim_chance_after", BY_POINTS, BY_DISCARD, "the probability of it with the draws left", POINT_STEPS),
)

WALL_AHEAD = 32

ORACLE = (
    Group("other_hands", 12, "stacked, 4 an opponent", "the opponents' concealed tiles"),
    Group("other_red", 3, "tiles, 1 an opponent", "their concealed red fives"),
    Group("other_shanten", 24, "all, one of, 8 an opponent", "their shanten, complete (-1) to 6"),
    Group("other_waits", 3, "tiles, 1 an opponent", "kinds they wait for"),
    Group("other_furiten", 3, "all, 1 an opponent", "they may not win on a discard"),
    Group("wall", WALL_AHEAD, "tiles", "the next tiles of the wall, in the order they will be drawn"),
    Group("replacements", 4, "tiles", "the replacement tiles still to come, in order"),
    Group("next_indicators", 4, "tiles", "the indicators still to come, in order"),
    Group("ura", 4, "stacked", "the indicators below those shown"),
    Group("ura_dora", 4, "stacked", "han a tile gives as ura dora"),
)

GAO = (
    Group("own_hand", 1, "count", "own hand tiles"),
    Group("red_mark", 1, "row", "own red fives"),
    Group("discards", 4, "count, 1 a seat", "discarded tiles"),
    Group("stolen", 4, "count, 1 a seat", "tiles in melds"),
    Group("dora_indicators", 1, "count", "dora indicators"),
    Group("riichi_players", 3, "all, 1 an opponent", "who is in riichi"),
    Group("own_rank", 4, "all, one of", "own place"),
    Group("kyoku", 8, "all, one of", "east 1 to south 4; later rounds as south 4"),
    Group("round_wind", 1, "row", "the round's wind"),
    Group("own_wind", 1, "row", "the own wind"),
    Group("past_1", 13, "hand 1, discards 4, melds 4, indicators 1, riichi 3", "one own turn ago"),
    *(Group(f"past_{i}", 9, "hand 1, discards 4, melds 4", f"{i} own turns ago") for i in range(2, 7)),
)

# What the reward predictor sees (Suphx, section 3.2): a row of numbers for each round of a game that was played.
ROUNDS = (
    Group("round_score", 4, "10,000 points", "won and lost in the last round, by seat"),
    Group("score", 4, "10,000 points", "accumulated score by seat"),
    Group("gap", 6, "tanh", "points ahead of the next, across and previous seat, in 2,000s; in 8,000s"),
    Group("next_dealer", 4, "one of", "dealer of the next round, by seat"),
    Group("next_round", 1, "eighths", "the next round, east 1 = 0"),
    Group("repeats", 1, "tens", "repeat counter of the next round"),
    Group("bets", 1, "tens", "riichi sticks on the table"),
)


def size(groups: tuple[Group, ...]) -> int:
    """The number of channels."""
    return sum(group.count for group in groups)


def first(groups: tuple[Group, ...], name: str) -> int:
    """The first channel of a group."""
    at = 0
    for group in groups:
        if group.name == name:
            return at
        at += group.count
    raise KeyError(name)


def table_version(groups: tuple[Group, ...]) -> int:
    """The version of a channel table: 1, and one more each time the version of a group is raised."""
    return 1 + sum(group.version - 1 for group in groups)


def table_hash(groups: tuple[Group, ...]) -> str:
    """A hash of a channel table without its meanings: two checkpoints with equal hashes see equal channels."""
    told = [(group.name, group.count, group.encoding, group.steps, group.version) for group in groups]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


SUPHX_CHANNELS = size(SUPHX)
CLAIM_CHANNELS = size(CLAIM)
ORACLE_CHANNELS = size(ORACLE)
assert SUPHX_CHANNELS == 838, SUPHX_CHANNELS
assert size(GAO) == 86, size(GAO)
assert SUPHX_CHANNELS + CLAIM_CHANNELS == 958, CLAIM_CHANNELS


SAME_CHANNELS = {  # hash of before -> hash of now; a line holds until the table's hash changes again
    "8b6269771230d6c1": "bf5007f5adfc725a",  # suphx
    "9386c4a67571ac84": "f1eeb562f93fdb11",  # suphx+claim
    "119cdcd1383531cd": "b27bf494c70e8323",  # gao
}


def same_channels(theirs: str | None, ours: str) -> bool:
    """Whether two hashes stand for the same channels."""
    return theirs == ours or (theirs is not None and SAME_CHANNELS.get(theirs) == ours)


Encoder = Callable[[np.ndarray, np.ndarray | None, np.ndarray | None, bool], np.ndarray]


@dataclass(frozen=True)
class FeatureSet:
    """Channels in a fixed order, and the encoder that fills them from tables."""

    name: str  # as in checkpoints
    game: str  # the game whose tables it reads
    about: str  # a sentence for people
    groups: tuple[Group, ...]  # the channel table
    encoder: Encoder  # called with records, claims, out and lookahead
    cells: tuple[int, ...] = (34,)  # the shape of one channel
    claim: bool = False  # whether it speaks of a claim (an action for each table) as well as of the table
    hidden: int = 0  # so many channels, the last ones, hold what the seat cannot see
    sparse_encoder: "Callable[[np.ndarray, np.ndarray | None, bool], SparsePlanes] | None" = None  # without `out`

    @cached_property
    def channels(self) -> int:
        """The number of channels."""
        return size(self.groups)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of a sample."""
        return (self.channels, *self.cells)

    @cached_property
    def version(self) -> int:
        """The version of the channel table."""
        return table_version(self.groups)

    @cached_property
    def hash(self) -> str:
        """The hash of the channel table: equal hashes, equal channels."""
        return table_hash(self.groups)

    def encode(
        self,
        records: np.ndarray,
        claim: np.ndarray | None = None,
        out: np.ndarray | None = None,
        lookahead: bool = True,
    ) -> np.ndarray:
        """The channels of the asked seat of many tables, uint8[n, *shape], into `out` if given.

        `claim` is the action asked about at each table, for sets that speak of one. `lookahead` False leaves the
        channels of the look-ahead empty, where there are any.
        """
        self._check(claim)
        return self.encoder(records, claim, out, lookahead)

    def encode_sparse(
        self, records: np.ndarray, claim: np.ndarray | None = None, lookahead: bool = True
    ) -> "SparsePlanes":
        """The same as the cells that are not zero, for sets with an encoder of their own for it."""
        self._check(claim)
        if self.sparse_encoder is None:
            raise ValueError(f"the feature set {self.name} has no sparse encoder: use encode")
        return self.sparse_encoder(records, claim, lookahead)

    def _check(self, claim: np.ndarray | None) -> None:
        if self.claim and claim is None:
            raise ValueError(f"the feature set {self.name} needs a claim for each table")
