"""A game as a descriptor: what arena, store, replay, web table and learning need to know of it.

Each game gives one, `GAME` in its `game.py`; the rooms below are written against it and name no game themselves. The
loops that run kernels over many tables are the game's own, so nothing is looked up inside a kernel.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suzaku.choices import AWAY
from suzaku.words import did_you_mean

GAMES = {"riichi": "suzaku.riichi.game"}  # the module of each game's descriptor
FIELDS = ("rules", "seat", "deal", "scores", "ranks")  # what every table record has


@dataclass(frozen=True)
class Game:
    """A game of four seats.

    Its record has the fields `rules`, `seat` (who is asked, or -1), `deal` (rounds dealt so far), `scores` and `ranks`
    (by seat, 0 = first, once the game is over). Its rules are a frozen dataclass whose fields all have defaults, with
    `start_score`, `length` (a name of `lengths`), `with_length(name)` and `to_record()`.
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
    # kernels; `tables()` is their first argument
    tables: Callable[[], Any]
    start_many: Callable[..., None]  # (tables, records, first, seed, legal, seats): game first + i on table i
    legal: Callable[..., None]  # (tables, s, legal)
    step: Callable[..., None]  # (tables, s, action)
    deal_stored: Callable[..., bool]  # (tables, s, walls): the next stored round if none is played; is a seat asked?
    # loops of kernels; see those of Riichi
    play_on: Callable[..., int]  # the arena's: answers in, on to the next real choices
    walls_of: Callable[..., np.ndarray]  # (rules, seed, game, count): the first walls of a game
    replay: Callable[..., int]  # stored actions carried out
    collect: Callable[..., int]  # stored actions carried out, decisions kept
    # counts
    hands: np.dtype  # what `play_on` counts of a seat's hands; the field `hands` is how many there were
    rates: Callable[[Any], list[tuple[str, float, str]]]  # name, value and unit of the rates that these counts give
    shown_rates: tuple[tuple[str, str, int], ...]  # label, name and digits of those that a match reports
    ladder: bool = False  # whether Tenhou's ranks (stable rank, record rank) say something of it

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

    def __reduce__(self) -> tuple[Any, ...]:
        return game_named, (self.name,)  # other processes load it by name: kernels do not travel


def game_named(name: str) -> Game:
    """The descriptor of a game."""
    if name not in GAMES:
        raise ValueError(f"there is no game {name!r}; {did_you_mean(name, GAMES)}")
    return importlib.import_module(GAMES[name]).GAME
