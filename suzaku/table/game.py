"""A game as a descriptor: what tables, arena, store, replay, web table and learning need to know of it.

- `Game` names the record, the actions, the rules and the kernels of one table. The loops are made around them.
- Whatever another room knows by game stands here too: a room below is written against it and names no game.
- Rules as text: the setting of a command, such as `tenhou,open_tanyao=false`, and what a store keeps.
"""

import importlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.seeds import read_seed
from suzaku.system import did_you_mean, no_rules
from suzaku.table.kernels import AWAY
from suzaku.table.loops import loops_of

Kernel = Callable[..., Any]
Rate = tuple[str, str, str, str]  # name, the fields of what is counted and of how many, unit: "% of ..." or a mean

GAMES = {"riichi": "suzaku.riichi.game", "mcr": "suzaku.mcr.game"}  # the module of each game's descriptor, `GAME` in it
FIELDS = (  # what every table record has
    "rules", "seed", "game", "deal", "auto", "phase", "seat", "wall", "scores", "ranks"
)  # fmt: skip


@dataclass(frozen=True)
class Counted:
    """What is counted of stored games: the figures of a store."""

    counts: np.dtype  # with the fields `rounds`, `actions`, `away`, `decisions`, `taken`, `results` and `points`
    count_round: Kernel  # (s, out): add a round that is over
    rates: tuple[Rate, ...]
    drawn: int  # the result of a round that nobody won
    drawn_name: str
    results: tuple[str, ...]  # by number
    taken: Mapping[str, tuple[int, int]]  # by type of decision, in the order of their bits: the actions that take it
    parts_name: str  # what a win is made of: yaku or fans
    parts: Callable[[Any], list[tuple[str, int]]]
    points_unit: str  # of the places of `points`


def percentage(part: int, whole: int) -> float:
    """How many in a hundred; NaN of nothing."""
    return 100 * int(part) / int(whole) if whole else float("nan")


def rates_of(rates: tuple[Rate, ...], counts: Any) -> list[tuple[str, float, str]]:
    """Name, value and unit of the rates that some counts give; NaN where there is nothing to count."""
    found = []
    for name, part, whole, unit in rates:
        value = percentage(counts[part], counts[whole])
        if not unit.startswith("%"):
            value = int(counts[part]) / int(counts[whole]) if counts[whole] else value
        found.append((name, value, unit))
    return found


@kernel
def count_nothing(s, out):
    """The games of a store are not counted."""


@kernel
def no_types(legal, action):
    """All decisions are of one type."""
    return 1


@dataclass(frozen=True)
class Game:
    """A game as tables, arena, store, replay, web table and learning know it. The rooms below name no game themselves.

    Its record has the fields `rules`, `seed` and `game` (what the walls follow from), `deal` (rounds dealt so far),
    `auto` (whether the next round is dealt at once), `phase`, `seat` (who is asked, or -1), `wall` (of this round, as
    it is stored), `scores` and `ranks` (by seat, 0 = first, once the game is over). Its rules are `TableRules` with
    `start_score`. The loops over its tables are made around its kernels (`suzaku/table/loops.py`).

    What belongs to a room below is a path, MODULE or MODULE:NAME, loaded when it is asked for (`load`); "" is none.
    """

    name: str
    module: str  # that has it as `GAME`
    seats: int
    record: np.dtype  # of one table
    wall: int  # tiles of a stored wall: what a round needs besides the actions
    action_names: tuple[str, ...]  # by number; at most 128
    round_over: int  # the phase of a table whose round is settled, the last but one
    game_over: int  # the last
    # rules
    rules: type[Any]  # `TableRules`, with `start_score`
    lengths: Mapping[str, str]  # by name: what games of this length are called in a report
    # kernels; `tables()` is their first argument, or `s` where it stands alone
    start_game: Kernel  # (s, seed, game)
    shuffle_wall: Kernel  # (s)
    start_round: Kernel  # (tables, s): deal from the wall as it stands
    deal_round: Kernel  # (tables, s): shuffle and deal
    advance: Kernel  # (s): on to the next round
    legal: Kernel  # (tables, s, legal)
    step: Kernel  # (tables, s, action)
    redraw_one: Kernel  # (tables, s, seat, work, x): lay anew what a seat cannot see; False if the tiles do not add up
    # what is counted
    hands: np.dtype  # what a match counts of a seat's hands; the field `hands` is how many there were
    count_hand: Kernel  # (s, p, out): add the hand of a seat in a round that is over
    rates: Callable[[Any], list[tuple[str, float, str]]]  # name, value and unit of the rates that these counts give
    shown_rates: tuple[tuple[str, str, int], ...]  # label, name and digits of those that a match reports
    # one table
    hide: Callable[[np.ndarray, int], np.ndarray]  # (array of one record, seat): a copy of what it sees
    hand_tiles: Callable[[np.record, int], list[int]]  # the concealed tiles of a seat, sorted
    final_points: Callable[[Any, np.ndarray, np.ndarray], np.ndarray]  # (rules, scores, ranks): what a game is worth
    table: str  # the class of a table for people, a `OneTable`
    render: str  # `draw_text` and `picture`; for the web table `view`, `event_of`, `round_number` and `in_secret`
    # who plays on the web table if nobody says, and for an agent that fails
    usual_agent: str
    stand_in: str
    # what not every game has
    action_number: Callable[[str], int] | None = None  # by name or what is short for it
    decision_types: Mapping[str, int] = field(default_factory=lambda: {"play": 1})  # by name: a bit of `types_of`
    types_of: Kernel = no_types  # (legal, action): the types of a decision
    tables: Callable[[], Any] = hand_tables
    redraw_work: np.dtype | None = None  # what the redraws of a table have in common
    set_start: Callable[[np.record, Sequence[int]], None] | None = None  # (s, start): where a stored game begins
    start_of: Callable[..., list[int] | None] = lambda rules, seed, game: None  # where a game begins, if not as usual
    counted: Counted | None = None
    ladder: bool = False  # whether Tenhou's ranks (stable rank, record rank) say something of it
    passing: int = -1  # the action that does nothing where a seat is asked in secret
    announcing: int = -1  # the action with which a page may send the next one (Riichi's declaration)
    fouls: int = -1  # the first of the actions that are never legal, but that a record may hold
    worst_round: int = 1 << 40  # who is followed is not learnt from in a round that loses more
    same_decision: Callable[..., Any] = lambda records, actions: actions  # actions, those that mean the same made equal
    start_fields: tuple[str, ...] = ()  # of the record: what `start` of a stored game holds before the scores
    situations: bool = False  # whether what stands before a round changes how it is played
    digits: int = 0  # behind the point, where points of a round are told
    # rooms below
    learning: str = ""  # what reinforcement learning asks of it (`suzaku/rl/games.py`)
    hints: str = ""  # what looks at hands (`suzaku/review/opinion.py`)
    formats: tuple[str, ...] = ()  # of records that can hold its games
    write: str = ""  # (stored, format): a game as a text of one of them
    watched: str = ""  # the rules of a game that is watched, if not the usual ones
    # loops, made around the kernels
    start_many: Kernel = field(init=False)
    legal_many: Kernel = field(init=False)
    step_many: Kernel = field(init=False)
    play_random_many: Kernel = field(init=False)
    redraw_many: Kernel = field(init=False)
    rollout_many: Kernel = field(init=False)
    play_on: Kernel = field(init=False)
    fill_walls: Kernel = field(init=False)
    place_round: Kernel = field(init=False)
    deal_stored: Kernel = field(init=False)
    stored_action: Kernel = field(init=False)
    replay: Kernel = field(init=False)
    collect: Kernel = field(init=False)
    tally: Kernel = field(init=False)

    def __post_init__(self) -> None:
        missing = [name for name in FIELDS if name not in (self.record.names or ())]
        if missing:
            raise ValueError(f"the record of {self.name} has no field {missing[0]!r}")
        if "hands" not in (self.hands.names or ()):
            raise ValueError(f"the counts of {self.name} have no field 'hands': how many there were")
        if len(self.action_names) > AWAY:
            raise ValueError(f"{self.name} has {len(self.action_names)} actions; a stored game has room for {AWAY}")
        for name, loop in loops_of(self).items():
            object.__setattr__(self, name, loop)

    @property
    def actions(self) -> int:
        """The number of actions."""
        return len(self.action_names)

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """The switches of each preset of the rules that differ from the defaults; the usual one first."""
        return self.rules.presets

    @property
    def count_round(self) -> Kernel:
        """The kernel that adds a round to the counts of a store."""
        return self.counted.count_round if self.counted else count_nothing

    @property
    def drawings(self) -> Any:
        """The module that draws its tables."""
        return load(self.render)

    @cached_property
    def finished(self) -> np.dtype:
        """What `Tables.finished` tells of a game that ended."""
        seats = (self.seats,)  # by seat: final scores, and ranks with 0 for the first
        return np.dtype([("table", "i4"), ("game", "i8"), ("scores", "i4", seats), ("ranks", "i1", seats)])

    def legal_mask(self, record: np.record) -> np.ndarray:
        """bool[actions]: what the asked seat may do."""
        mask = np.zeros(self.actions, np.bool_)
        self.legal(self.tables(), record, mask)
        return mask

    def number_of(self, name: str) -> int:
        """The number of an action by its name."""
        if self.action_number:
            return self.action_number(name)
        if name not in self.action_names:
            raise ValueError(f"{name!r} is not an action; {did_you_mean(name, self.action_names)}")
        return self.action_names.index(name)

    def new_table(self, rules: Any, start: Sequence[int] | None = None) -> np.ndarray:
        """An array of one record before its first wall is placed; `start` is where a stored game begins."""
        array = self.table_of(rules, np.uint64(0), 0)
        if self.set_start:
            self.set_start(array[0], () if start is None else start)
        return array

    def stands(self, s: np.record) -> list[int]:
        """Where a game stands between rounds, as `start` of a stored game."""
        return [*(int(s[name]) for name in self.start_fields), *s.scores.tolist()]

    def table_of(self, rules: Any, seed: np.uint64, game: int) -> np.ndarray:
        """An array of one record at the start of a game of a seed, before its first wall is placed."""
        array = np.zeros(1, self.record)
        array["rules"] = rules.to_record()
        self.start_game(array[0], seed, game)
        return array

    def walls_of(self, rules: Any, seed: int, game: int, count: int) -> np.ndarray:
        """int8[count, wall]: the first walls of a game, which follow from the seed and its number."""
        walls = np.zeros((count, self.wall), np.int8)
        self.fill_walls(self.table_of(rules, read_seed(seed), game)[0], walls)
        return walls

    def redraw(self, records: np.ndarray, seat: int | np.ndarray, rng: np.random.Generator | int) -> None:
        """Redraw in place everything that `seat` cannot see (opponents' hands, walls), for many tables at once.

        What the seat knows stays as it is. What is drawn depends on this and on `rng` alone; a view will do for a
        table. While claims are being asked, the other seats are asked afresh. A round that is over stays as it is. The
        places of the wall that were drawn become -1. Each table gets a seed of its own, for the walls to come. Which
        hands are likely is said where the game redraws one table (`redraw.py`).
        """
        if getattr(records, "dtype", None) != self.record:
            raise ValueError("expected table records, such as Tables(...).records, to redraw")
        records = np.atleast_1d(records)
        seats = np.ascontiguousarray(np.broadcast_to(np.asarray(seat, np.int64), records.shape))
        if seats.size and (seats.min() < 0 or seats.max() >= self.seats):
            raise ValueError(f"seat must be 0..{self.seats - 1}, not {seat!r}")
        wrong = self.redraw_many(self.tables(), records, seats, self._new_work(), read_seed(rng))
        if wrong >= 0:
            raise ValueError(f"table {wrong} cannot be redrawn: its tiles do not add up to a whole set")

    def rollouts(self, record: np.record, seat: int, n: int, rng: np.random.Generator | int = 0) -> np.ndarray:
        """Redraw what `seat` cannot see and play at random to the end of the round: int32[n, seats] score changes."""
        if getattr(record, "dtype", None) != self.record or record.shape != ():
            raise ValueError("expected one table record, such as Table(...).record or Tables(...).records[0]")
        if seat not in range(self.seats):
            raise ValueError(f"seat must be 0..{self.seats - 1}, not {seat!r}")
        if n < 0:
            raise ValueError(f"the number of rollouts cannot be {n!r}")
        deltas = np.zeros((n, self.seats), np.int32)
        room, legal = np.zeros(1, self.record), np.zeros(self.actions, np.bool_)
        self.rollout_many(self.tables(), record, seat, read_seed(rng), room, self._new_work(), legal, deltas)
        return deltas

    def _new_work(self) -> Any:
        return None if self.redraw_work is None else np.zeros(1, self.redraw_work)[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return game_named, (self.name,)  # other processes load it by name: kernels do not travel


def load(path: str) -> Any:
    """What a path of a game names, MODULE or MODULE:NAME."""
    module, _, name = path.partition(":")
    found = importlib.import_module(module)
    return getattr(found, name) if name else found


def game_named(name: str) -> Game:
    """The descriptor of a game."""
    if name not in GAMES:
        raise ValueError(f"there is no game {name!r}; {did_you_mean(name, GAMES)}")
    return importlib.import_module(GAMES[name]).GAME


YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def read_rules(game: Game, setting: str, length: str = "") -> Any:
    """The rules that a setting names: PRESET, or PRESET,switch=value,...; the usual preset if there is none.

    `length` is one of the game's, or that of the rules if not given.
    """
    if length and length not in game.lengths:
        raise ValueError(f"length {length!r} is unknown: choose one of {', '.join(game.lengths)}")
    first, *rest = setting.split(",")
    if "=" in first:
        first, rest = "", [first, *rest]
    preset = first.strip() or next(iter(game.presets))
    if preset not in game.presets:
        raise ValueError(no_rules(preset, game.presets))
    values = dict(game.presets[preset])
    usual = game.rules()
    switches = [field.name for field in fields(usual)]
    for part in rest:
        name, equals, value = (word.strip() for word in part.partition("="))
        name = name.replace("-", "_")
        if name not in switches:
            raise ValueError(f"the rules have no switch {name!r}; {did_you_mean(name, switches)}")
        if not equals:
            raise ValueError(f"the switch {name} has no value: write {name}={_write(getattr(usual, name))}")
        values[name] = _read(name, value, getattr(usual, name))
    rules = game.rules(**values)
    return rules.with_length(length) if length else rules


def name_rules(game: Game, rules: Any) -> str:
    """The shortest setting that gives these rules; their length is told apart from it."""
    found: list[str] = []
    for preset, switches in game.presets.items():
        base = game.rules(**switches).with_length(rules.length)
        words = [preset, *(f"{name}={_write(value)}" for name, value in _changes(rules, base).items())]
        if not found or len(words) < len(found):
            found = words
    return ",".join(found)


def rules_text(rules: Any) -> str:
    """The switches that differ from the defaults, as JSON."""
    return json.dumps(_changes(rules, type(rules)()), sort_keys=True)


def rules_from_text(game: Game, text: str) -> Any:
    """The rules that `rules_text` wrote."""
    changed = json.loads(text)
    return game.rules(**{name: tuple(v) if isinstance(v, list) else v for name, v in changed.items()})


def _changes(rules: Any, base: Any) -> dict[str, Any]:
    names = [field.name for field in fields(rules)]
    return {name: getattr(rules, name) for name in names if getattr(rules, name) != getattr(base, name)}


def _read(name: str, text: str, usual: Any) -> Any:
    """A value of the same type as the usual one."""
    try:
        if isinstance(usual, bool):
            if text.lower() not in YES + NO:
                raise ValueError
            return text.lower() in YES
        return tuple(map(int, text.split("/"))) if isinstance(usual, tuple) else type(usual)(text)
    except ValueError:
        raise ValueError(f"the switch {name} takes a value such as {_write(usual)}, not {text!r}") from None


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)
