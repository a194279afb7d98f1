"""A game as a descriptor: what tables, arena, store, replay, web table and learning need to know of it.

- Numbered actions, whatever the game: kernels over masks of legal ones, and the marks of stored ones.
- What tables need of a game: its record, its actions, its rules and the kernels that play it.
- A game as a descriptor: what arena, store, replay, web table and learning need to know of it.
- Rules as text: the setting of a command, such as `tenhou,open_tanyao=false`, and what a store keeps.
"""

import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from suzaku.kernel import kernel
from suzaku.seeds import below
from suzaku.system import did_you_mean, no_rules
from suzaku.table.rules import TableRules

AWAY = 128  # added to a stored action that is no decision: the player was away
EVERYONE = -1  # in place of whom to follow, where a game's decisions are collected


@kernel
def only_choice(legal):
    """The one legal action, or -1 if there are several."""
    found = -1
    for a in range(legal.shape[0]):
        if legal[a]:
            if found >= 0:
                return -1
            found = a
    return found


@kernel
def find_illegal(actions, legal, seats):
    """Index of the first table whose action is not legal, or -1; tables that ask nobody take any."""
    for i in range(actions.shape[0]):
        a = actions[i]
        if seats[i] >= 0 and (a < 0 or a >= legal.shape[1] or not legal[i, a]):
            return i
    return -1


@kernel
def choose_random(legal, x):
    """A random legal action from 64 random bits."""
    n = 0
    for a in range(legal.shape[0]):
        n += legal[a]
    k = below(x, n)
    a = -1
    while k >= 0:
        a += 1
        k -= legal[a]
    return a


# Each game has one, `ENGINE` in its `engine.py`. The loops over tables (`batch.py`, `loops.py`) are made around it,
# once a game: what it names is a constant to them, and nothing is looked up inside a kernel.

Kernel = Callable[..., Any]


@dataclass(frozen=True)
class Engine:
    """A game as its tables play it. Its record has the fields of `Game`, and `auto`, `phase`, `turn`."""

    package: str  # of the game; `render` in it draws a table
    state: np.dtype  # the record of a table
    wall: int  # places of a wall
    rules: type[TableRules]
    action_names: tuple[str, ...]
    action_number: Callable[[str], int]  # by name
    round_over: int  # the phase of a table whose round is settled, the last but one
    game_over: int  # the last
    # kernels; `tables` are those of `suzaku/hand/tables.py`
    start_game: Kernel  # (s, seed, game)
    shuffle_wall: Kernel  # (s)
    start_round: Kernel  # (tables, s): deal from the wall as it stands
    deal_round: Kernel  # (tables, s): shuffle and deal
    advance: Kernel  # (s): on to the next round
    fill_legal: Kernel  # (tables, s, legal)
    step: Kernel  # (tables, s, action)

    @property
    def actions(self) -> int:
        """The number of actions."""
        return len(self.action_names)


# Each game gives one, `GAME` in its `game.py`; the rooms below are written against it and name no game themselves. The
# loops that run kernels over many tables are the game's own, so nothing is looked up inside a kernel.

GAMES = {"riichi": "suzaku.riichi.game", "mcr": "suzaku.mcr.game"}  # the module of each game's descriptor
FIELDS = ("rules", "seat", "deal", "wall", "scores", "ranks")  # what every table record has


@dataclass(frozen=True)
class Game:
    """A game of four seats.

    Its record has the fields `rules`, `seat` (who is asked, or -1), `deal` (rounds dealt so far), `wall` (of this
    round, as it is stored), `scores` and `ranks` (by seat, 0 = first, once the game is over). Its rules are a frozen
    dataclass whose fields all have defaults, with `start_score`, `length` (a name of `lengths`), `with_length(name)`
    and `to_record()`. Its table for people has `record`, `rules`, `seat`, `round_over` and `game_over`, the methods
    `legal_mask()`, `act(action)` and `next_round()`, and plays game 0 of its seed.

    The loops of kernels take the `tables` first, and write into arrays of their caller:

    `play_on(tables, records, actions, legal, seats, followed, hands, moves, moved, over)` is the arena's: on each table
    i whose `seats[i]` is not -1, carry out `actions[i]`, deal the next round where one ends, and go on while there is
    but one legal action, unless `followed[i]` wants to see every one. Every action is written to `moves[i]` from
    `moved[i]` on (which counts them), what a round adds to each seat's counts to `hands[i, seat]`, what is asked next
    to `seats[i]` and `legal[i]`. Returns how many games ended; `over` begins with their tables.

    `replay(tables, s, walls, actions, legal, check)` carries stored actions (uint8, marks of `choices.py` and all) out
    on the record `s`, dealing `walls` as rounds begin, and returns how many; with `check` it stops at the first that is
    not legal. `legal` is room to work in: a mask of all actions.

    `collect(tables, s, walls, actions, mask, follow, records, legal, taken, types, at)` does the same and keeps the
    decisions whose type is in `mask`: row by row the record before it, the legal actions, the action taken, its types
    and the number of the action. Returns how many rows, or -1 if an action is not legal. Actions of players who were
    away are none; arrays that are too short take the first decisions. `follow` is EVERYONE, or a number whose bits say
    whose decisions to take in each round (a game may refuse that with -1).
    """

    name: str
    record: np.dtype  # of one table
    wall: int  # tiles of a stored wall: what a round needs besides the actions
    action_names: tuple[str, ...]  # by number; at most 128
    decision_types: Mapping[str, int]  # by name: the bit that `collect` knows it by
    # rules
    rules: type[Any]
    presets: Mapping[str, Mapping[str, Any]]  # by name: the switches that differ from the defaults; the usual one first
    lengths: Mapping[str, str]  # by name: what games of this length are called in a report
    # one table
    table: Callable[..., Any]  # Table(rules, seed): one table for people
    new_table: Callable[..., np.ndarray]  # (rules, start): an array of one record before its first wall is placed
    final_points: Callable[[Any, np.ndarray, np.ndarray], np.ndarray]  # (rules, scores, ranks): what a game is worth
    redraw: Callable[[np.ndarray, Any, Any], None]  # (records, seat, rng): lay anew what a seat cannot see, in place
    text: Callable[..., str]  # (record, seat): the table drawn, as a seat sees it
    picture: Callable[..., Any]  # (record, seat, reveal): the same as plain data
    # the web table; who plays there if nobody says, and who plays for an agent that fails, are names of agents
    view: Callable[[np.record, int | None], dict[str, Any]]  # (record, seat): what a page is sent; all of it for None
    event: Callable[..., dict[str, Any] | None]  # (before, action, after): what all see happen; before a deal is None
    round_number: Callable[[np.record], tuple[int, int]]  # of the round, from 0, and how often it was repeated
    usual_agent: str
    stand_in: str
    # kernels; `tables()` is their first argument
    tables: Callable[[], Any]
    start_many: Callable[..., None]  # (tables, records, first, seed, legal, seats): game first + i on table i
    legal: Callable[..., None]  # (tables, s, legal)
    step: Callable[..., None]  # (tables, s, action)
    deal_stored: Callable[..., bool]  # (tables, s, walls): the next stored round if none is played; is a seat asked?
    # loops of kernels, see above
    play_on: Callable[..., int]  # the arena's: answers in, on to the next real choices
    walls_of: Callable[..., np.ndarray]  # (rules, seed, game, count): the first walls of a game
    replay: Callable[..., int]  # stored actions carried out
    collect: Callable[..., int]  # stored actions carried out, decisions kept
    # counts
    hands: np.dtype  # what `play_on` counts of a seat's hands; the field `hands` is how many there were
    rates: Callable[[Any], list[tuple[str, float, str]]]  # name, value and unit of the rates that these counts give
    shown_rates: tuple[tuple[str, str, int], ...]  # label, name and digits of those that a match reports
    ladder: bool = False  # whether Tenhou's ranks (stable rank, record rank) say something of it
    # what not every game has
    in_secret: Callable[[np.record], bool] = lambda record: False  # whether others must not see that a seat is asked
    passing: int = -1  # the action that does nothing where a seat is asked in secret
    announcing: int = -1  # the action with which a page may send the next one (Riichi's declaration)
    fouls: int = -1  # the first of the actions that are never legal, but that a record may hold
    start_of: Callable[..., list[int] | None] = lambda rules, seed, game: None  # where a game begins, if not as usual
    same_decision: Callable[..., Any] = lambda records, actions: actions  # actions, those that mean the same made equal

    def __post_init__(self) -> None:
        missing = [name for name in FIELDS if name not in (self.record.names or ())]
        if missing:
            raise ValueError(f"the record of {self.name} has no field {missing[0]!r}")
        if "hands" not in (self.hands.names or ()):
            raise ValueError(f"the counts of {self.name} have no field 'hands': how many there were")
        if len(self.action_names) > AWAY:
            raise ValueError(f"{self.name} has {len(self.action_names)} actions; a stored game has room for {AWAY}")

    @property
    def actions(self) -> int:
        """The number of actions."""
        return len(self.action_names)

    def legal_mask(self, record: np.record) -> np.ndarray:
        """bool[actions]: what the asked seat may do."""
        mask = np.zeros(self.actions, np.bool_)
        self.legal(self.tables(), record, mask)
        return mask

    def __reduce__(self) -> tuple[Any, ...]:
        return game_named, (self.name,)  # other processes load it by name: kernels do not travel


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
