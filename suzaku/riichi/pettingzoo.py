"""A PettingZoo AEC environment over the engine: `env = suzaku.riichi.pettingzoo.env(seed=1)`.

Observations are dictionaries: `observation`, int32 planes of 34 kinds as `PLANES` lists them, seats counted from the
observer on; and `action_mask`, what the observer may do now (all zero when another seat is asked).
"""

from typing import Any, ClassVar

import numpy as np

from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.rules import Rules, final_points
from suzaku.riichi.state import CHOW, CLAIM, GAME_OVER, INDICATORS, PONG, ROB
from suzaku.riichi.table import Table
from suzaku.tiles import KIND_OF

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
except ImportError as missing:
    raise ImportError("the PettingZoo environment needs: pip install 'suzaku[pettingzoo]'") from missing

PLANES = {  # name -> (first plane, number of planes)
    "hand": (0, 1),  # own concealed tiles
    "red": (1, 1),  # own red fives
    "melds": (2, 4),  # tiles in melds
    "rivers": (6, 4),  # discarded tiles
    "indicators": (10, 1),  # dora indicators
    "drawn": (11, 1),  # the tile just drawn
    "offer": (12, 1),  # the tile offered
    "riichi": (13, 4),  # 1 riichi, 2 double riichi; from here on each plane is constant
    "scores": (17, 4),  # in hundreds
    "round": (21, 1),
    "honba": (22, 1),
    "sticks": (23, 1),
    "left": (24, 1),  # tiles left to draw
    "wind": (25, 1),  # own wind, 0 = east
}
SHAPE = (26, 34)


def encode(s: np.record, seat: int) -> np.ndarray:
    """The planes of a table record as one seat sees it."""
    out = np.zeros(SHAPE, np.int32)
    out[0] = s.hand[seat]
    out[1, [4, 13, 22]] = s.red[seat]
    for i in range(4):
        p = (seat + i) % 4
        for m in range(s.melds[p]):
            kind, tile = s.meld_type[p, m], int(s.meld_tile[p, m])
            if kind == CHOW:
                out[2 + i, tile : tile + 3] += 1
            else:
                out[2 + i, tile] += 3 if kind == PONG else 4
        np.add.at(out[6 + i], KIND_OF[s.river[p, : s.river_size[p]]], 1)
        out[13 + i] = s.riichi[p]
        out[17 + i] = s.scores[p] // 100
    np.add.at(out[10], KIND_OF[s.wall[INDICATORS[: s.indicators]]], 1)
    if s.turn == seat and s.drawn >= 0:
        out[11, KIND_OF[s.drawn]] = 1
    if s.phase in (CLAIM, ROB):
        out[12, KIND_OF[s.offer]] = 1
    for plane, value in enumerate((s.round_no, s.honba, s.sticks, s.left, (seat - s.dealer) % 4)):
        out[21 + plane] = value
    return out


class RiichiAEC(AECEnv, EzPickle):
    """Four seats, one decision at a time.

    Rewards come at the end of each round, as the change of the score in thousands, and at the end of the game also as
    uma and the first place's bonus, so that they sum to the final points of the game.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "suzaku_riichi_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, rules: Rules | None = None, length: str | None = None, seed: int = 0, render_mode: str | None = None
    ) -> None:
        EzPickle.__init__(self, rules, length, seed, render_mode)
        AECEnv.__init__(self)
        self.rules, self.length, self.first_seed, self.render_mode = rules, length, seed, render_mode
        self.possible_agents = [f"seat_{p}" for p in range(4)]
        low, high = np.iinfo(np.int32).min, np.iinfo(np.int32).max
        self._observation = spaces.Dict(
            {
                "observation": spaces.Box(low, high, SHAPE, np.int32),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self._actions = spaces.Discrete(ACTIONS)
        self._games = 0

    def observation_space(self, agent: str) -> spaces.Space:
        """The space of an agent's observations."""
        return self._observation

    def action_space(self, agent: str) -> spaces.Space:
        """The space of actions (see `actions.py`)."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game: the one of `seed`, or the next one after the environment's own seed."""
        if seed is None:
            seed = self.first_seed + self._games
            self._games += 1
        self.table = Table(self.rules, seed, self.length)
        self.table.record.auto = 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._booked = np.full(4, self.table.rules.start_score)
        self.agent_selection = self.agents[self.table.seat]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees now."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(ACTIONS, np.int8)
        if self.table.seat == seat:
            mask[self.table.legal_actions()] = 1
        return {"observation": encode(self.table.record, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Carry out the selected agent's action."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{self.agent_selection} is asked and needs an action, not None")
        s = self.table.record
        deal = int(s.deal)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.table.act(action)
        if s.phase == GAME_OVER or s.deal != deal:
            self._book(s)
        if s.phase == GAME_OVER:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.table.seat]
        self._accumulate_rewards()

    def _book(self, s: np.record) -> None:
        """Reward the change of every score since the last round's end."""
        change = (s.scores - self._booked) / 1000
        self._booked = s.scores.copy()
        if s.phase == GAME_OVER:
            start = self.table.rules.start_score
            change = change + final_points(self.table.rules, s.scores, s.ranks) - (s.scores - start) / 1000
        self.rewards = {agent: float(change[p]) for p, agent in enumerate(self.possible_agents)}

    def render(self) -> str | None:
        """The table as text."""
        return str(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to release."""


def env(**options: Any) -> RiichiAEC:
    """The environment: `env(rules=..., length="east", seed=0, render_mode="ansi")`."""
    return RiichiAEC(**options)
