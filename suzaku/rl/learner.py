"""Reinforcement learning by self-play: what the loop (`suzaku/learning/loop.py`) learns. One step is an iteration:

    actors play games with the newest weights -> buffer -> decisions replayed and encoded -> learner -> next version

With actors of their own, an iteration's games are played while the one before is learnt from. What is done follows
from the settings and the seed alone; killed at any moment, the run goes on from the last saved iteration and plays the
same games again.
"""

import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from suzaku.agents.network import NetworkAgent
from suzaku.arena.single_rounds import Gain
from suzaku.learning.learner import Learner, Learnt, Process, Report, Schedule, Validation
from suzaku.learning.loop import BEST
from suzaku.networks import checkpoint
from suzaku.networks.run import has_bfloat16
from suzaku.records.stored import Stored
from suzaku.rl.buffer import ReplayBuffer, Trajectories, joined, replay_games
from suzaku.rl.config import RlConfig
from suzaku.rl.critic import Critic, explained
from suzaku.rl.games import Predictor
from suzaku.rl.natural import surely_left_out
from suzaku.rl.oracle import GammaSchedule, GuidedAgent, widened
from suzaku.rl.player import Player, Tensors
from suzaku.rl.policy import Flow
from suzaku.rl.policy_gradient import advantages
from suzaku.rl.policy_update import PolicyUpdate
from suzaku.rl.self_play import Harvest, Open, SelfPlay, Setup
from suzaku.system import some
from suzaku.table.game import game_named
from suzaku.table.tables import take

STRENGTH_SEED = 77  # of the walls of validations; final claims are made on others
REPLAYED = 50  # games that are replayed together
RATES = ("win rate", "deal-in rate", "riichi rate", "call rate", "mean fan")


class Reinforcement(Learner):
    """A player that learns from its own games."""

    COMMAND = "rl"
    FREE = Learner.FREE | {"iterations", "keep_every", "walls"}

    def __init__(
        self,
        config: RlConfig,
        folder: Path,
        predictor: Predictor | None = None,
        open_actors: Open | None = None,
        process: Process | None = None,
    ) -> None:
        self.config, self.folder, self.predictor = config, folder, predictor
        self.process = process or Process.of_torchrun()
        if self.process.world > 1:
            raise ValueError("self-play is learnt from in one process: leave torchrun out, and say --set workers=N")
        if config.reward == "global" and predictor is None:
            raise ValueError("reward=global needs a reward model")
        self.player = Player(config)
        for name, where in self.player.folders.items():
            if where.resolve().is_relative_to(folder.resolve()):
                raise ValueError(f"{name}: {where} lies in {folder}, which this run writes to: choose another --out")
        self.game = self.player.game
        torch.manual_seed(config.seed)
        device = self.process.device
        learning = self.player.oracles or self.player.modules
        self.modules: dict[str, nn.Module] = {model: module.to(device) for model, module in learning.items()}
        self.gammas = GammaSchedule.of(config) if config.oracle else None
        self.update = PolicyUpdate(self.modules, config, self._autocast())
        about = config.value_rate, config.gradient, device, self.bfloat16
        seen = self.game.value_channels(self.player.specs["discard"].features.channels)
        start, _ = checkpoint.load(self.player.paths["discard"])
        network, everything = self.game.critic(config)
        self.value = None if config.advantage == "mean" else Critic(network, everything, *about, seen, start)
        self.buffer = ReplayBuffer(folder / "buffer", config.reuse)
        self.self_play = SelfPlay(config, open_actors)
        self.version = 0  # of the weights: iterations learnt
        self.played = 0  # games that have ended
        self.learnt = 0  # decisions learnt from
        self._harvests: list[Harvest] = []
        self._agent: NetworkAgent | None = None
        self._rates: dict[str, float] = {}
        self.stop_after(None, None)

    @property
    def gamma(self) -> float:
        """The share of the perfect features that the policy sees now."""
        return self.gammas.gamma(self.version) if self.gammas else 0.0

    # what the loop asks

    @property
    def title(self) -> str:
        """What learns, for what."""
        guided = ", oracle guiding" if self.config.oracle else ""
        return f"{self.config.learn}, {self.config.reward} reward{guided}"

    @property
    def schedule(self) -> Schedule:
        """As the settings say."""
        config = self.config
        return Schedule(config.iterations, config.eval_every, config.save_every, config.keep_every)

    @property
    def bfloat16(self) -> bool:
        """Whether it is wanted, and the device has it."""
        return self.config.bfloat16 and has_bfloat16(self.process.device)

    def may_change(self, step: int) -> frozenset[str]:
        """What is to hold once gamma is 0 may be set otherwise until then."""
        return self.FREE | ({"after_rate", "after_reject"} if self.gammas and step < self.gammas.end else set())

    def stop_after(self, hours: float | None, games: int | None) -> None:
        """End, as if all was done, after so many hours from now or games of the run."""
        self._last_moment = math.inf if hours is None else time.monotonic() + 3600 * hours
        self._last_game = math.inf if games is None else games

    def done(self, step: int) -> bool:
        """Whether all iterations are done, all games played, or the time is over."""
        return step >= self.config.iterations or self.played >= self._last_game or time.monotonic() > self._last_moment

    def state(self) -> dict[str, Any]:
        """Weights and optimisers, and what the actors were at."""
        return {
            **self.update.state(),
            **self.self_play.state(),
            "start_hashes": self._start_hashes(),
            "value": self.value.state() if self.value else None,
            "version": self.version,
            "played": self.played,
            "learnt": self.learnt,
        }

    def _start_hashes(self) -> dict[str, str]:
        """Of all models that the run takes from elsewhere: the start's, an oracle's, and the one of the reward."""
        oracles = {f"oracle's {model}": info for model, info in self.player.oracle_infos.items()}
        infos = {**self.player.infos, **oracles, **({"reward": self.predictor.info} if self.predictor else {})}
        return {model: info["weights"]["sha256"] for model, info in infos.items()}

    def restore(self, state: dict[str, Any], folder: Path) -> None:
        """Go on; the actors begin with the orders that were under way."""
        whole = {"start_hashes", "tables"} <= state.keys() and not (state.get("deals") or state.get("oracle"))
        if not whole or (self.value and "mean" not in state["value"]):
            raise ValueError(f"{folder} was begun by an older version of Suzaku: choose another --out")
        now, before = self._start_hashes(), state["start_hashes"]
        if others := [name for name in now if now[name] != before.get(name)]:
            raise ValueError(
                f"{folder} began with another {' and '.join(others)} model than there is now: put it back, or choose "
                "another --out"
            )
        self.buffer.restore(state["version"])
        self.version, self.played, self.learnt = state["version"], state["played"], state["learnt"]
        if self.gammas and self.version >= self.gammas.end:
            self.update.cut_back()
        self.update.restore(state)
        self.self_play.restore(state)
        if self.value:
            self.value.restore(state["value"])

    def save(self, path: Path, about: dict[str, Any]) -> None:
        """Write a folder of all models: a whole player, without the oracle channels.

        `best` is written after a validation, and nothing else with it. `last` is written with every state, and beside
        it OUT/oracle as long as the player sees everything, and OUT/kept/VERSION where one is due.
        """
        about = self._about(about)
        self.player.write(path, self.update.mean, about)
        if path.name != "last" or not self.version:
            return
        if self.gamma == 1:
            self.player.write(self.folder / "oracle", self.modules, about, oracle=True)
        if self.version % self.config.keep_every == 0:
            self.player.write(self.folder / "kept" / f"{self.version:06d}", self.update.mean, about)

    def saved(self) -> None:
        """The buffer's files of before are not needed any more."""
        self.buffer.saved(self.version)

    def _about(self, about: dict[str, Any]) -> dict[str, Any]:
        training = {**self.settings(), "lookahead": self.player.lookahead}
        return {"training": training, "played": self.played, "learnt": self.learnt, **about}

    def begin(self, step: int) -> None:
        """Open the tables, and give the first orders, or those that were under way."""
        config = self.config
        length = config.length if self.game.descriptor.situations else ""
        tables = config.temperature, config.seed, config.tables, length, config.repeat
        mask = config.mask if config.oracle else ""
        setup = Setup(self.player.tensors(self.weights()), *tables, mask, self.game.name)
        self._agent = setup.agent()
        self._agent.expect_many()
        self.self_play.open(setup, str(self.folder), self.weights(), self.gamma)

    def end(self) -> None:
        """Close the tables."""
        self.self_play.close()

    def weights(self) -> Tensors:
        """The newest weights as actors take them: in oracle guiding the network stays wide for them to the end."""
        tensors = {model: module.state_dict() for model, module in self.modules.items()}
        if self.gammas and self.version >= self.gammas.end:
            return {model: widened(each) for model, each in tensors.items()}
        return tensors

    def wait(self) -> None:
        """Until the actors have played; an interrupt changes nothing, they play the same again."""
        began = time.monotonic()
        self._harvests = self.self_play.receive()
        self.waited += time.monotonic() - began

    def next_batch(self) -> list[Harvest]:
        """What the actors have played."""
        return self._harvests

    def learn(self, batch: list[Harvest], step: int) -> Learnt:
        """One iteration."""
        self.self_play.taken(batch)
        games: list[Stored] = [game for harvest in batch for game in harvest.games]
        self.played += len(games)
        self._count_rates(np.concatenate([harvest.hands for harvest in batch]))
        self.buffer.add(self.version, games)
        ahead = self.self_play.ahead
        if ahead:  # the actors go on while this learns
            self.self_play.order(self.weights(), self.version, self.gamma)
        drawn, stale = self.buffer.draw(self.version, self.config.seed, self.version - self.config.staleness)
        figures: dict[str, float] = {
            "play_seconds": sum(harvest.seconds for harvest in batch),
            "play_rate": sum(len(harvest.games) / max(1e-9, harvest.seconds) for harvest in batch),
            "drawn": len(drawn),
            "stale": stale / max(1, len(drawn) + stale),
        }
        samples = 0
        if drawn:
            flow, reward = self.prepare(drawn)
            samples = len(flow) * self.config.epochs
            if samples:
                figures |= self._learn(flow, reward)
        self.version += 1
        self.learnt += samples
        if self.gammas:
            self._pass_on()
        if not ahead:
            self.self_play.order(self.weights(), self.version, self.gamma)
        return Learnt(samples, figures)

    def _pass_on(self) -> None:
        """Keep the oracle before gamma falls; when it has come to 0, cut the first layer back and keep that player."""
        assert self.gammas is not None
        about = self._about({"step": self.version})
        if self.version == self.gammas.first:
            self.player.write(self.folder / "oracle", self.modules, about, oracle=True)
        if self.version == self.gammas.end:
            self.update.cut_back()
            self.player.write(self.folder / "cut", self.update.mean, about)

    # an iteration

    def prepare(self, games: list[Stored]) -> tuple[Flow, np.ndarray]:
        """The decisions to learn from, in sequences, and the reward of each."""
        assert self._agent is not None
        # some games at a time: the tables at all decisions take several times the room of those that are learnt from
        size = len(games) if self.config.repeat else REPLAYED
        parts = [self._learnable(games[start : start + size]) for start in range(0, len(games), size)]
        decisions = joined([part for part, _ in parts])
        reward = np.concatenate([part for _, part in parts])
        if set(self.modules) - {"discard"}:  # which meld is surest follows the newest weights
            self._agent.replace_weights(self.weights(), self.version)
        if isinstance(self._agent, GuidedAgent):
            self._agent.gamma = self.gamma
        return self.game.flow(self._agent, decisions, self.config.models), reward

    def _learnable(self, games: list[Stored]) -> tuple[Trajectories, np.ndarray]:
        """The decisions of some games that are learnt from, in sequences, and the reward of each."""
        decisions = replay_games(games)
        reward = self.game.returns(self.config, decisions, games, self.predictor)
        wanted = self.game.learnable(decisions, self.config.models)
        if self.config.natural:
            wanted &= ~surely_left_out(decisions.log_prob, self.config.sure)  # they need not be encoded
        order, _ = decisions.sequences()
        rows = order[wanted[order]]
        return decisions.part(rows), reward[rows]

    def _learn(self, flow: Flow, reward: np.ndarray) -> dict[str, float]:
        config, records = self.config, flow.decisions.records
        rng = np.random.default_rng((config.seed, 1, self.version))
        _, sequence = flow.decisions.sequences()
        figures = {"reward": float(np.std(reward))}
        value = self.value.judge(flow.planes, records) if self.value else None
        gained = advantages(config.advantage, sequence, reward, value, config.gae_lambda)
        begun = self.version >= config.value_first or self.value is None
        reject = 0.0
        if self.gammas:
            self.update.set_rate(self.gammas.rate(self.version))
            reject = self.gammas.reject(self.version)
            figures["gamma"] = self.gamma
        sample = np.arange(0, len(flow), -(-len(flow) // config.batch))
        before = self.update.log_prob(flow, sample)
        found: list[dict[str, float]] = []
        for _ in range(config.epochs):
            order = rng.permutation(len(flow))
            starts = range(0, len(order) - len(order) % config.batch or len(order), config.batch)
            for number, first in enumerate(starts):
                rows = order[first : first + config.batch]
                if self.value and (not begun or number % config.value_every == 0):
                    seen = self.value.planes(flow.planes[rows], take(records, rows))
                    self.value.learn(seen, reward[rows])
                found.append(self.update.step(flow, rows, gained, self.version, begun, reject))
        means = {name: float(np.mean([one[name] for one in found])) for name in found[0]}
        entropy = self.update.entropy
        if begun:
            figures |= self.update.end_iteration()
            entropy.follow(means["entropy"])
            moved = before - self.update.log_prob(flow, sample)
            figures["kl_version"] = float(moved[np.isfinite(moved)].mean())
        figures |= {**means, "alpha": entropy.alpha, "entropy_target": entropy.target}
        figures["kl_first"] = found[0]["kl_behaviour"]  # of the first batch, before its step
        if value is not None:
            figures["explained"] = explained(value, reward)
        return figures

    def _autocast(self) -> torch.autocast:
        return torch.autocast(self.process.device.partition(":")[0], torch.bfloat16, enabled=self.bfloat16)

    # what is told

    def report(self, folder: Path) -> Report:
        """What was played and learnt, and which player is the best."""
        iterations, games = some(self.version, "iteration"), some(self.played, "game")
        lines = [f"{iterations}, {games}, {self.learnt:,} decisions learnt.", ""]
        if (folder / BEST).exists():
            _, info = checkpoint.load(folder / BEST / next(iter(self.modules)))
            found = self.say_gain(info["results"]["validation"])
            lines += [f"`best` is the player after iteration {info['step']:,}: {found}.", ""]
        gains = {"gain": "interval", "oracle_gain": "oracle_interval"}
        units = dict.fromkeys(gains, "points a round")
        return Report(lines, {"games": self.played, "decisions": self.learnt}, (), gains, units, ("games",))

    def _count_rates(self, hands: np.ndarray) -> None:
        """What the players of the newest games did."""
        total = np.zeros((), hands.dtype)
        for name in hands.dtype.names or ():
            total[name] = hands[name].sum()
        counted = game_named(self.game.name).rates(total.view(np.recarray)[()])
        rates = {name: value for name, value, _ in counted}
        self._rates = {name: rates[name] for name in RATES if name in rates}

    def figures(self, step: int) -> dict[str, float]:
        """Games, versions and what the players do."""
        lost = self.self_play.replaced
        return {"games": self.played, "decisions": self.learnt, "replaced": lost, **self._rates}

    def validate(self, step: int) -> Validation | None:
        """Single rounds against the start, by the player and by the oracle if there is one."""
        if not self.config.walls:
            return None
        base, now = self.game.agent(self.player.folder), self.player.agent(self.update.mean, self.version)
        found = self._gain(now, base)
        curve = {"gain": found.mean, "interval": found.half, "games": self.played}
        if self.gamma > 0:
            perfect = self._gain(self.player.oracle(self.modules, self.version), base)
            curve |= {"oracle_gain": perfect.mean, "oracle_interval": perfect.half}
        if self.gammas:
            curve["gamma"] = self.gamma
        score = -math.inf if self.gamma > 0 else found.mean  # until then it is not the player that is wanted
        return Validation(score, curve, {**curve, "walls": found.walls})

    def _gain(self, now: NetworkAgent, base: NetworkAgent) -> Gain:
        for agent in (now, base):
            agent.expect_many()
        return self.game.gain(now, base, self.config.walls, STRENGTH_SEED)

    def say(self, figures: dict[str, float], validated: dict[str, float]) -> str:
        """The figures in a line; `say_gain` says what was validated."""
        parts = [
            f"games {figures['games']:,.0f}",
            f"{figures['rate']:,.0f} decisions/s",
            f"entropy {figures.get('entropy', float('nan')):.3f}",
            f"alpha {figures.get('alpha', 0.0):.4f}",
            f"weights {figures.get('effective', float('nan')):.0%}",
            f"clipped {figures.get('clipped', 0.0):.1%}",
        ]
        if figures.get("stale"):
            parts.append(f"too old {figures['stale']:.1%}")
        if "explained" in figures:
            parts.append(f"explained {figures['explained']:.1%}")
        if "gamma" in figures:
            parts.append(f"gamma {figures['gamma']:.3f}")
        if "rejected" in figures:
            parts.append(f"rejected {figures['rejected']:.1%}")
        if "natural_step" in figures:
            parts.append(f"step {figures['natural_step']:.5f} (luck {figures['natural_luck']:.5f})")
        return "  ".join(parts)

    def say_gain(self, found: dict[str, float]) -> str:
        """What a validation has found."""
        digits = self.game.descriptor.digits
        text = f"gain over the start {found['gain']:+.{digits}f} ± {found['interval']:.{digits}f} points a round"
        if "oracle_gain" in found:
            text += f", of the oracle {found['oracle_gain']:+.0f} ± {found['oracle_interval']:.0f}"
        return text
