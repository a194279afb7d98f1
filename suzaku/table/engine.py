"""What tables need of a game: its record, its actions, its rules and the kernels that play it.

Each game has one, `ENGINE` in its `engine.py`. The loops over tables (`batch.py`, `loops.py`) are made around it, once
a game: what it names is a constant to them, and nothing is looked up inside a kernel.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suzaku.table.rules import TableRules

Kernel = Callable[..., Any]


@dataclass(frozen=True)
class Engine:
    """A game as its tables play it. Its record has the fields of `suzaku/game.py`, and `auto`, `phase`, `turn`."""

    package: str  # of the game; `render.text` and `render.svg` in it draw a table
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
