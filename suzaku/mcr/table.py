"""Tables of MCR: one for people, many for programs, and the engine they share.

- What an MCR table is played with: see `suzaku/table/game.py`.
- Kernels over many tables: start, step, legal actions, random play and rollouts.
- Many tables at once: one array of records, one compiled call a step.
- Walls given from outside: read and checked.
- One table for people: the same record and kernels as `Tables`, with names, views and clear errors.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from suzaku import tiles
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.mcr.actions import ACTION_NAMES, action_number
from suzaku.mcr.deal import deal_round, shuffle_wall, start_game, start_round
from suzaku.mcr.legal import fill_legal, why_illegal
from suzaku.mcr.redraw import hide, resample_one
from suzaku.mcr.rules import Rules
from suzaku.mcr.settle import advance, settle_foul
from suzaku.mcr.state import FLOWER, GAME_OVER, ROUND_OVER, STATE, TILES, WALL
from suzaku.mcr.step import step
from suzaku.seeds import GOLDEN, mix, read_seed
from suzaku.table.game import Engine, choose_random
from suzaku.table.kernels import check_rollouts
from suzaku.table.table import OneTable, TableView, Wall
from suzaku.table.tables import ManyTables, batch_kernels

ENGINE = Engine(
    package="suzaku.mcr",
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
def rollout_many(tables, record, seat, x, work, legal, deltas):
    """Redraw what `seat` cannot see and play at random to the end of the hand, once for every row of `deltas`."""
    s = work[0]
    for i in range(deltas.shape[0]):
        work[0] = record
        s.auto = 0
        x += GOLDEN
        resample_one(tables, s, seat, mix(x))
        fill_legal(tables, s, legal)
        while s.phase < ROUND_OVER:
            x += GOLDEN
            step(tables, s, choose_random(legal, mix(x)))
            fill_legal(tables, s, legal)
        for p in range(4):
            deltas[i, p] = s.scores[p] - record.scores[p]


class Tables(ManyTables):
    """Many tables of MCR."""

    engine, batch = ENGINE, BATCH


def random_rollouts(record: np.record, seat: int, n: int, rng: np.random.Generator | int = 0) -> np.ndarray:
    """Redraw what `seat` cannot see and play at random to the end of the hand, n times: int32[n, 4] score changes."""
    check_rollouts(record, seat, n, STATE)
    deltas = np.zeros((n, 4), np.int32)
    work, legal = np.zeros(1, STATE), np.zeros(ENGINE.actions, np.bool_)
    rollout_many(hand_tables(), record, seat, read_seed(rng), work, legal, deltas)
    return deltas


def check_wall(wall: Sequence[int] | np.ndarray | str, rules: Rules) -> np.ndarray:
    """The wall as an array of 144 places, or a ValueError that says why it cannot be one."""
    if np.ndim(wall) == 0 and not isinstance(wall, str):
        raise ValueError(f"a wall is a list of tiles or a text, not {wall!r}: for one wall, give [wall]")
    numbers = _read(wall) if isinstance(wall, str) else [int(tile) for tile in wall if tile >= 0]
    size = WALL if rules.flowers else WALL - (TILES - FLOWER)
    if len(numbers) != size:
        raise ValueError(f"a wall has {size} tiles, not {len(numbers)}")
    if not all(0 <= tile < TILES for tile in numbers):
        raise ValueError("a wall holds kinds 0..33, and flowers 34..41 if the rules have them")
    found = np.bincount(numbers, minlength=TILES)
    for tile in range(TILES):
        expected = 4 if tile < FLOWER else int(rules.flowers)
        if found[tile] != expected:
            raise ValueError(f"the wall has {found[tile]} of {tile_name(tile)} where the rules have {expected}")
    return np.array(numbers + [-1] * (WALL - size), np.int8)


def tile_name(tile: int) -> str:
    """A kind such as 5m, or a flower, 1f to 8f."""
    return tiles.NAMES[tile] if tile < FLOWER else f"{tile - FLOWER + 1}f"


def _read(text: str) -> list[int]:
    """Tiles in the usual notation, with flowers as "1f"."""
    found: list[int] = []
    for part in text.split():
        if part.endswith("f") and part[:-1].isdigit():
            found += [FLOWER + int(digit) - 1 for digit in part[:-1]]
        else:
            found += tiles.parse(part)
    if any(FLOWER <= tile < FLOWER + 3 for tile in found) and "0" in text:
        raise ValueError("there are no red fives in this game: write 5 for 0")
    return found


class Table(OneTable):
    """A game of MCR, one decision at a time.

    `table.seat` is asked; `table.legal_actions()` lists what it may do; `table.act(...)` does it. At the end of a hand
    the table stops (`round_over`) so that the settlement can be looked at; `next_round()` goes on.
    """

    engine = ENGINE
    round_word = "hand"
    rules: Rules

    @classmethod
    def deal(
        cls, walls: Iterable[Wall], rules: Rules | None = None, length: str | None = None, wind: int = 0
    ) -> "Table":
        """A table that plays the given walls, one a hand: 136 tiles (144 with flowers), as numbers or as text.

        A wall is drawn from its end, private walls of 34 one after the other each from its own (see `docs/mcr.md`).
        `wind` is the prevalent wind of the first hand, 0..3.
        """
        if not 0 <= wind <= 3:
            raise ValueError(f"wind must be 0..3 for east, south, west, north, not {wind!r}")
        table = cls._with_walls(walls, rules, length)
        table.record.hand_no = 4 * wind
        table._place_wall()
        return table

    def _check_wall(self, wall: Wall) -> np.ndarray:
        return check_wall(wall, self.rules)

    def _why_illegal(self, action: int) -> str:
        return why_illegal(self.record, action)

    def foul(self, seat: int) -> None:
        """End the hand with a fine of a seat, as for a false win: it pays each of the others."""
        if not 0 <= seat <= 3:
            raise ValueError(f"seat must be 0..3, not {seat!r}")
        if self.seat < 0:
            raise ValueError(f"there is nothing to fine: the {self._over_word} is over")
        settle_foul(hand_tables(), self.record, seat)

    def view(self, seat: int) -> "View":
        """What a seat may see; everything else is removed from the view's record."""
        legal = self._legal_for(seat)
        return View(hide(self._array, seat), seat, legal)

    def hand(self, seat: int) -> list[int]:
        """The concealed tiles of a seat, sorted; the drawn tile is among them."""
        return hand_tiles(self.record, seat)


class View(TableView):
    """A table as one seat sees it; in its record the wall is -1, other hands are empty, their closed kongs -1."""

    engine = ENGINE

    @property
    def hand(self) -> list[int]:
        """The owner's concealed tiles, sorted."""
        return hand_tiles(self.record, self.owner)


def hand_tiles(record: np.record, seat: int) -> list[int]:
    """The concealed tiles of a seat in a table record, sorted."""
    return [kind for kind, count in enumerate(record.hand[seat].tolist()) for _ in range(count)]
