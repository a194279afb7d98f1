"""Games that our own players play, as a store would hold them."""

import functools
import random
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from suzaku.records.formats import write_game
from suzaku.records.library import Library, insert
from suzaku.records.stored import Stored, to_stored
from suzaku.records.to_events import to_events
from suzaku.records.types import Game
from suzaku.records.verify import replay_game
from suzaku.riichi.rules import Rules
from suzaku.riichi.table import Table
from suzaku.table.game import rules_text
from suzaku.table.kernels import AWAY
from tests.riichi.players import Player

HALF_AWAY = 9  # the seed of the game in which a player leaves for a while


@functools.cache
def made_game(seed: int, length: str = "east", call: float = 0.5) -> Stored:
    """A game of lively players: they call, make kongs and win."""
    rng = random.Random(seed)
    table = Table(Rules.tenhou(), seed, length)
    players = [Player(call=call) for _ in range(4)]
    walls = [table.record.wall.copy()]
    actions: list[int] = []
    while not table.game_over:
        if table.round_over:
            table.next_round()
            walls.append(table.record.wall.copy())
        seat = table.seat
        action = players[seat](table.record, seat, table.legal_actions(), rng)
        away = seed == HALF_AWAY and seat == 2 and 40 < len(actions) < 120
        actions.append(action | (AWAY if away else 0))
        table.act(action)
    order = sorted(range(4), key=lambda p: (-table.scores[p], p))
    return Stored(
        id=f"made-game-{seed:04d}", source="made", format="made", lobby="houou", time=f"20{seed % 30 + 10}042112",
        rules=table.rules, players=[f"player {p} of {seed}" for p in range(4)], dan=[16, 17, 18, 10 + seed % 10],
        rate=[2100.0, 2050.5, 1999.25, 1800.0], start=None, scores=table.scores,
        ranks=[order.index(p) for p in range(4)],
        finished=True, walls_known=True, decisions=sum(a < AWAY for a in actions),
        walls=np.array(walls, np.int8), actions=np.array(actions, np.uint8),
    )  # fmt: skip


def told(seed: int) -> Game:
    """The same game with its events."""
    return to_events(made_game(seed))


def write_folder(folder: Path, seeds: Iterable[int]) -> Path:
    """A new folder with an mjlog file for each of some games."""
    folder.mkdir()
    for seed in seeds:
        (folder / f"made-game-{seed:04d}.mjlog").write_bytes(write_game(told(seed), "mjlog"))
    return folder


def keep_game(library: Library, stored: Stored, **more: Any) -> str:
    """Keep a game in a library as the page does; `more` are the columns that a stored game does not have; its id."""
    row = {"id": stored.id, "game": stored.game, "rules": rules_text(stored.rules), "names": stored.players}
    row |= {"scores": stored.scores, "ranks": stored.ranks, "finished": stored.finished, "rounds": len(stored.walls)}
    row |= {"walls": stored.walls.tobytes(), "actions": stored.actions.tobytes(), **more}
    with closing(library.open()) as base, base:
        insert(base, row)
    return stored.id


def stored_again(game: Game) -> Stored:
    """A recorded game that the engine agrees with, as it is stored."""
    followed = replay_game(game)
    assert followed.divergence is None, str(followed.divergence)
    return to_stored(game, followed)
