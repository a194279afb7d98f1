"""Tables of Riichi: one for people, many for programs, and the engine they share.

- What a Riichi table is played with: see `suzaku/table/game.py`.
- Kernels over many tables: start, step, legal actions, random play and rollouts.
- Many tables at once: one array of records, one compiled call a step.
- One table for people: the same record and kernels as `Tables`, with names, views and clear errors.
"""

from collections.abc import Iterable

import numpy as np

from suzaku import tiles
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import state as st
from suzaku.riichi.actions import ACTION_NAMES, action_number
from suzaku.riichi.deal import deal_round, shuffle_wall, start_game, start_round
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.redraw import hide, resample_one
from suzaku.riichi.rules import Rules, final_points
from suzaku.riichi.settle import advance
from suzaku.riichi.state import GAME_OVER, ROUND_OVER, STATE, WALL
from suzaku.riichi.step import step
from suzaku.riichi.tenpai_hands import WORK
from suzaku.seeds import GOLDEN, mix, read_seed
from suzaku.table.game import Engine, choose_random
from suzaku.table.kernels import check_rollouts
from suzaku.table.table import OneTable, TableView, Wall
from suzaku.table.tables import ManyTables, batch_kernels

ENGINE = Engine(
    package="suzaku.riichi",
    state=STATE,
    wall=WALL,
    rules=Rules,
    action_names=ACTION_NAMES,
    action_number=action_number,
    round_over=ROUND_OVER,
    game_over=GAME_OVER,
    start_game=start_game,
    shuffle_wall=shuffle_wall,
    start_round=start_round,
    deal_round=deal_round,
    advance=advance,
    fill_legal=fill_legal,
    step=step,
)


BATCH = batch_kernels(ENGINE, __name__)
start_many, legal_many, step_many, play_random_many = BATCH


@kernel
def rollout_many(tables, record, seat, x, work, sums, legal, deltas):
    """Redraw what `seat` cannot see and play at random to the end of the round, once for every row of `deltas`."""
    s = work[0]
    for i in range(deltas.shape[0]):
        work[0] = record
        s.auto = 0
        x += GOLDEN
        resample_one(tables, s, seat, sums, mix(x))
        fill_legal(tables, s, legal)
        while s.phase < ROUND_OVER:
            x += GOLDEN
            step(tables, s, choose_random(legal, mix(x)))
            fill_legal(tables, s, legal)
        for p in range(4):
            deltas[i, p] = s.scores[p] - record.scores[p]


class Tables(ManyTables):
    """Many tables of Riichi."""

    engine, batch = ENGINE, BATCH


def random_rollouts(record: np.record, seat: int, n: int, rng: np.random.Generator | int = 0) -> np.ndarray:
    """Redraw what `seat` cannot see and play at random to the end of the round, n times: int32[n, 4] score changes."""
    check_rollouts(record, seat, n, STATE)
    deltas = np.zeros((n, 4), np.int32)
    work, sums, legal = np.zeros(1, STATE), np.zeros(1, WORK)[0], np.zeros(ENGINE.actions, np.bool_)
    rollout_many(hand_tables(), record, seat, read_seed(rng), work, sums, legal, deltas)
    return deltas


class Table(OneTable):
    """A game of Riichi, one decision at a time.

    `table.seat` is asked; `table.legal_actions()` lists what it may do; `table.act(...)` does it. At the end of a round
    the table stops (`round_over`) so that the settlement can be looked at; `next_round()` goes on.
    """

    engine = ENGINE
    rules: Rules

    @classmethod
    def deal(cls, walls: Iterable[Wall], rules: Rules | None = None, length: str | None = None) -> "Table":
        """A table that plays the given walls, one a round: 136 tiles each, as numbers 0..36 or as text.

        A wall is drawn from its end (see `docs/rules.md`); a game that outlasts its walls cannot deal another round.
        """
        table = cls._with_walls(walls, rules, length)
        table._place_wall()
        return table

    def _check_wall(self, wall: Wall) -> np.ndarray:
        return _check_wall(wall, self.rules)

    @property
    def points(self) -> list[float]:
        """The final points of the four seats in thousands, uma included, once the game is over."""
        ranks = np.array(self.ranks) - 1
        return [round(float(p), 1) for p in final_points(self.rules, self.record.scores, ranks)]

    def view(self, seat: int) -> "View":
        """What a seat may see; everything else is removed from the view's record."""
        legal = self._legal_for(seat)
        return View(hide(self._array, seat), seat, legal)

    def hand(self, seat: int) -> list[int]:
        """The concealed tiles of a seat, sorted; the drawn tile is among them."""
        return hand_tiles(self.record, seat)


class View(TableView):
    """A table as one seat sees it; in its record unseen tiles of the wall are -1, other hands empty."""

    engine = ENGINE

    @property
    def hand(self) -> list[int]:
        """The owner's concealed tiles, sorted."""
        return hand_tiles(self.record, self.owner)


def hand_tiles(record: np.record, seat: int) -> list[int]:
    """The concealed tiles of a seat in a table record, sorted."""
    found: list[int] = []
    reds = record.red[seat].tolist()
    for kind, count in enumerate(record.hand[seat].tolist()):
        if count:
            red = reds[kind // 9] if kind < 27 and kind % 9 == 4 else 0
            found += [tiles.RED + kind // 9] * red + [kind] * (count - red)
    return found


def _check_wall(wall: Wall, rules: Rules) -> np.ndarray:
    """The wall as an array, or a ValueError that says why it cannot be one."""
    if np.ndim(wall) == 0 and not isinstance(wall, str):
        raise ValueError(f"a wall is 136 tiles or a text, not {wall!r}: for one wall, give [wall]")
    numbers = tiles.parse(wall) if isinstance(wall, str) else [int(tile) for tile in wall]
    if len(numbers) != st.WALL:
        raise ValueError(f"a wall has 136 tiles, not {len(numbers)}")
    if not all(0 <= tile < tiles.TILES for tile in numbers):
        raise ValueError("a wall holds tiles 0..36 only")
    found = np.bincount(numbers, minlength=tiles.TILES)
    expected = np.bincount(tiles.full_set(rules.red_fives), minlength=tiles.TILES)
    for tile in np.flatnonzero(found != expected):
        raise ValueError(f"the wall has {found[tile]} of {tiles.NAMES[tile]} where the rules have {expected[tile]}")
    return np.array(numbers, np.int8)
