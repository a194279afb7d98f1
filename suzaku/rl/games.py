"""What reinforcement learning needs to know of the game: who plays, what learns, and what is rewarded.

- What a round was worth to each seat: its points, or the change of the predicted reward of the game (Suphx 3.2).
- What reinforcement learning needs to know of the game that is learnt: who plays, what learns, what is rewarded.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from suzaku.agents.mcr_network import McrAgent
from suzaku.agents.network import NetworkAgent
from suzaku.agents.suphx import SuphxAgent
from suzaku.arena import single_rounds
from suzaku.arena.single_rounds import Gain
from suzaku.features.channels import SUPHX_CHANNELS
from suzaku.mcr import actions as mcr_actions
from suzaku.networks.info import Info
from suzaku.records.stored import Stored
from suzaku.rl.buffer import Trajectories
from suzaku.rl.config import DISTANCES, RlConfig
from suzaku.rl.critic import START
from suzaku.rl.policy import Flow, discard_flow, flow_of, learnable
from suzaku.rl.round_player import wall_of
from suzaku.rl.win_distance import win_distances
from suzaku.table.game import Game, game_named, load

POINTS = 4_000.0  # about the deviation of a round's points in Riichi: rewards are of the order of 1


class Predictor(Protocol):
    """A reward predictor; see `suzaku/learning/reward.py`."""

    unit: float
    info: Info  # what its checkpoint says

    def of_games(self, games: Sequence[Stored]) -> list[np.ndarray]:
        """Of each game float32[rounds + 1, 4]: the reward predicted before every round, and at the end."""


def round_rewards(decisions: Trajectories, points: float = POINTS) -> list[np.ndarray]:
    """Of each game float32[rounds, 4]: the points that each round brought each seat, in units of `points`."""
    return [np.diff(scores, axis=0).astype(np.float32) / points for scores in decisions.scores]


def global_rewards(predictor: Predictor, games: Sequence[Stored]) -> list[np.ndarray]:
    """Of each game float32[rounds, 4]: Phi(x_k) - Phi(x_{k-1})."""
    return [np.diff(phi, axis=0).astype(np.float32) / predictor.unit for phi in predictor.of_games(games)]


def against_others(rewards: list[np.ndarray], walls: Sequence[str]) -> list[np.ndarray]:
    """Rewards of single rounds, each less the mean of the same seat in the other plays of its wall."""
    _, wall, plays = np.unique(np.asarray(walls), return_inverse=True, return_counts=True)
    found = np.stack([one[0] for one in rewards])
    total = np.zeros((len(plays), 4), np.float32)
    np.add.at(total, wall, found)
    others = (total[wall] - found) / np.maximum(1, plays[wall] - 1)[:, None]
    return list((found - others)[:, None])


def reward_of(decisions: Trajectories, rewards: list[np.ndarray]) -> np.ndarray:
    """The reward of the round and seat of every decision."""
    rounds = [len(one) for one in rewards]
    start = np.cumsum([0, *rounds[:-1]])
    return np.concatenate(rewards)[start[decisions.game] + decisions.round, decisions.seat]


SMALL = "b2c32"  # the value network of MCR, whose discard models have no layers to begin with


class RiichiLearning:
    """Riichi: all five models of `suphx` can learn."""

    name = "riichi"
    agent: type[NetworkAgent] = SuphxAgent
    points = POINTS

    def check(self, config: RlConfig) -> None:
        """Refuse settings that are not for this game."""
        if config.reward in DISTANCES:
            raise ValueError(f"reward={config.reward} is the win distance of MCR: start from a player of it")

    def value_channels(self, channels: int) -> int:
        """How many of a discard model's channels the value network sees: what the seat does."""
        return SUPHX_CHANNELS

    def critic(self, config: RlConfig) -> tuple[str, bool]:
        """The size of the value network, and whether it sees everything."""
        return config.value_network, config.critic == "oracle"

    def learnable(self, decisions: Trajectories, models: tuple[str, ...]) -> np.ndarray:
        """bool[n]: where a model that learns was asked."""
        return learnable(decisions, models)

    def flow(self, agent: Any, decisions: Trajectories, models: tuple[str, ...]) -> Flow:
        """The answers of the models that learn."""
        return flow_of(agent, decisions, models)

    def returns(
        self, config: RlConfig, decisions: Trajectories, games: Sequence[Stored], predictor: Predictor | None
    ) -> np.ndarray:
        """float32[n]: what comes of each decision from there on."""
        if config.reward == "global":
            assert predictor is not None
            rewards = global_rewards(predictor, games)
        else:
            rewards = round_rewards(decisions, self.points)
        return reward_of(decisions, self.compared(config, rewards, games))

    def compared(self, config: RlConfig, rewards: list[np.ndarray], games: Sequence[Stored]) -> list[np.ndarray]:
        """Where walls are played several times, rewards less those of the other plays."""
        return against_others(rewards, [wall_of(game) for game in games]) if config.repeat else rewards

    @property
    def descriptor(self) -> Game:
        """The game itself."""
        return game_named(self.name)

    @cached_property
    def _situations(self) -> np.ndarray | None:
        return single_rounds.pool_of(self.descriptor)

    def gain(self, now: NetworkAgent, base: NetworkAgent, walls: int, seed: int) -> Gain:
        """What one player gains over another."""
        return single_rounds.gain(now, base, walls, seed, pool=self._situations)


class McrLearning(RiichiLearning):
    """MCR: the discard model of `mcr`, rewarded by points or by win distance."""

    name = "mcr"
    agent = McrAgent
    points = 25.0

    def check(self, config: RlConfig) -> None:
        """Refuse settings that are not for this game."""
        if config.models != ("discard",):
            raise ValueError("learn: of the players of MCR the discard model learns; write learn=discard")
        if config.reward == "global":
            raise ValueError("reward=global is for games of several rounds: choose round, distance or fan-distance")
        if config.oracle:
            raise ValueError("oracle needs channels of the hidden tiles, and MCR has no such channels")

    def value_channels(self, channels: int) -> int:
        """All of them."""
        return channels

    def critic(self, config: RlConfig) -> tuple[str, bool]:
        """A small network of its own, which sees what the seat does."""
        return (SMALL if config.value_network == START else config.value_network), False

    def learnable(self, decisions: Trajectories, models: tuple[str, ...]) -> np.ndarray:
        """bool[n]: where the discard model was asked."""
        asked = (decisions.action < mcr_actions.CHOW_LOW) & (decisions.legal[:, : mcr_actions.CHOW_LOW].sum(1) > 1)
        return asked & np.isfinite(decisions.log_prob)

    def flow(self, agent: Any, decisions: Trajectories, models: tuple[str, ...]) -> Flow:
        """The tiles thrown."""
        return discard_flow(agent, decisions, decisions.legal[:, : mcr_actions.CHOW_LOW])

    def returns(
        self, config: RlConfig, decisions: Trajectories, games: Sequence[Stored], predictor: Predictor | None
    ) -> np.ndarray:
        """float32[n]: points of the hand, or what the win distance falls from there to the end."""
        if config.reward not in DISTANCES:
            return super().returns(config, decisions, games, predictor)
        before, at_end = win_distances(decisions, config.reward == "fan-distance")
        return before + reward_of(decisions, self.compared(config, [-one for one in at_end], games))


def learning_of(game: str) -> type[RiichiLearning]:
    """What learning asks of a game."""
    found: type[RiichiLearning] = load(game_named(game).learning)
    return found
