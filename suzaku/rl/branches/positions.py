"""Positions of self-play at which a two-way model was asked: one of each game, so that they are independent.

The two branches differ by one answer. Yes is the action itself. No is what the flow (`suzaku/agents/flow.py`) does
otherwise: it goes on to the questions that come after this one, and those that came before stay answered with no.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suzaku.agents.flow import MELDS
from suzaku.agents.suphx import CLAIMS, SuphxAgent
from suzaku.record_copy import join, take
from suzaku.records.replay import table_after
from suzaku.records.stored import Stored, lot_of
from suzaku.riichi import actions as act
from suzaku.riichi.game import GAME
from suzaku.rl.policy import learnable
from suzaku.rl.trajectories import replay_games


@dataclass
class Positions:
    """Questions to one model."""

    records: np.ndarray  # STATE[n]: the table as it was, everything included
    legal: np.ndarray  # bool[n, 120]: with a no to this question
    action: np.ndarray  # int64[n]: of a yes
    yes: np.ndarray  # float32[n]: the probability of yes that the player gave
    game: list[str]  # its id
    at: np.ndarray  # int64[n]: how many actions of the game came before

    def __len__(self) -> int:
        return len(self.action)

    def part(self, rows: slice) -> "Positions":
        """Some of the positions."""
        return Positions(
            self.records[rows], self.legal[rows], self.action[rows], self.yes[rows], self.game[rows], self.at[rows]
        )


def find_positions(agent: SuphxAgent, games: Sequence[Stored], model: str, seed: int) -> Positions:
    """Of each game that has any, one question to the model that the player's flow came to, at random."""
    decisions = replay_games(games)
    rows = _one_of_each(np.flatnonzero(learnable(decisions, (model,))), decisions.game, games, seed)
    decisions = decisions.part(rows)
    said = agent.opinions(decisions.records, decisions.legal)
    if model == "riichi":
        asked = ~np.isnan(said.riichi)
        action, yes = np.full(len(rows), act.RIICHI), said.riichi
        before = np.ones((len(rows), act.WIN_DRAW - act.CHOW_LOW), np.bool_)
    else:
        asked, action, yes = _claims_asked(decisions.action, said.melds, CLAIMS[model], seed)
        before = said.melds >= yes[:, None]
    legal = decisions.legal.copy()
    legal[:, MELDS] &= ~before
    legal[np.arange(len(rows)), action] = False
    kept = np.flatnonzero(asked)
    ids = [games[number].id for number in decisions.game[kept]]
    return Positions(take(decisions.records, kept), legal[kept], action[kept], yes[kept], ids, decisions.at[kept])


def _one_of_each(rows: np.ndarray, game: np.ndarray, games: Sequence[Stored], seed: int) -> np.ndarray:
    """One row of every game."""
    found = []
    for number in np.unique(game[rows]):
        mine = rows[game[rows] == number]
        found.append(mine[np.random.default_rng((seed, lot_of(games[number].id))).integers(len(mine))])
    return np.array(found, np.int64)


def _claims_asked(
    made: np.ndarray, melds: np.ndarray, actions: tuple[int, int], seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each decision one claim of a model that the flow asked about: if any, which action, and how sure it was.

    The surest is asked first: those less sure than the meld that was made were not asked about.
    """
    rows = np.arange(len(made))
    is_meld = (made >= act.CHOW_LOW) & (made < act.WIN_DRAW)
    sure = np.where(is_meld, melds[rows, np.where(is_meld, made - act.CHOW_LOW, 0)], -1.0)
    asked = melds >= sure[:, None]  # NaN, where there was no question, is never more
    asked[:, : actions[0] - act.CHOW_LOW] = False
    asked[:, actions[1] - act.CHOW_LOW :] = False
    draw = np.random.default_rng((seed, 1)).random(asked.shape)
    which = np.where(asked, draw, -1.0).argmax(1)
    return asked[rows, which], which + act.CHOW_LOW, melds[rows, which]


def records_at(games: dict[str, Stored], ids: Sequence[str], at: Sequence[int]) -> np.ndarray:
    """The tables of positions that were stored."""
    if not len(ids):
        return np.zeros(0, GAME.record)
    return join([table_after(games[name], number) for name, number in zip(ids, at, strict=True)])
