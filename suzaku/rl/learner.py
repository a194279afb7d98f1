"""Reinforcement learning by self-play: what the loop (`suzaku/learning/loop.py`) learns. One step is an iteration:

    actors play games with the newest weights -> buffer -> decisions replayed and encoded -> learner -> next version

With actors of their own, an iteration's games are played while the one before is learnt from. What is done follows
from the settings and the seed alone; killed at any moment, the run goes on from the last saved iteration and plays the
same games again.
"""

import copy
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from suzaku.agents.suphx import SuphxAgent
from suzaku.arena.single_rounds import gain, situations
from suzaku.learning.learner import DivergedError, Learner, Learnt, Process, Report, Schedule, Validation
from suzaku.networks import checkpoint
from suzaku.networks.bfloat16 import has_bfloat16
from suzaku.networks.bundled import bundled, find_models
from suzaku.networks.weights import read_weights
from suzaku.records.stored import Stored
from suzaku.riichi.game import GAME
from suzaku.rl.actor import Harvest, Order, Setup
from suzaku.rl.advantages import advantages
from suzaku.rl.buffer import ReplayBuffer
from suzaku.rl.config import RlConfig
from suzaku.rl.entropy import EntropyControl
from suzaku.rl.loss import effective_share, policy_loss
from suzaku.rl.policy import Flow, flow_of, learnable, log_probs, minibatch
from suzaku.rl.pool import Backend, Here, Pool, Processes
from suzaku.rl.rewards import Predictor, against_others, global_rewards, reward_of, round_rewards
from suzaku.rl.round_player import wall_of
from suzaku.rl.trajectories import replay_games
from suzaku.rl.value import build_value, explained, place, predict

STRENGTH_SEED = 77  # of the walls of the looks at the strength; final claims are made on others
DISTANCE_EVERY = 5  # iterations between two times that the distance from the start is reckoned
PLAYERS = ("suphx", "suphx-sl", "weak")  # bundled
RATES = ("win rate", "deal-in rate", "riichi rate", "call rate")


class Reinforcement(Learner):
    """A player that learns from its own games."""

    COMMAND = "rl"
    FREE = Learner.FREE | {"iterations", "keep_every", "walls"}

    def __init__(
        self,
        config: RlConfig,
        folder: Path,
        predictor: Predictor | None = None,
        backend: Backend | None = None,
        process: Process | None = None,
    ) -> None:
        self.config, self.folder, self.predictor = config, folder, predictor
        self.process = process or Process.of_torchrun()
        if config.reward == "global" and predictor is None:
            raise ValueError("reward=global needs a reward model")
        self.folder_of_start = bundled(config.start) if config.start in PLAYERS else Path(config.start)
        self.paths = find_models(self.folder_of_start, "suphx", SuphxAgent.MODELS)
        torch.manual_seed(config.seed)
        loaded = {model: checkpoint.load(path) for model, path in self.paths.items()}
        self.infos = {model: info for model, (_, info) in loaded.items()}
        device = self.process.device
        self.modules: dict[str, nn.Module] = {model: loaded[model][0].to(device) for model in config.models}
        self.first = copy.deepcopy(self.modules)  # where it started, for the KL divergence
        self.value = build_value(config.value_network).to(device)
        self.optimiser = torch.optim.Adam(
            [weight for module in self.modules.values() for weight in module.parameters()], lr=config.rate, fused=True
        )
        self.value_optimiser = torch.optim.Adam(self.value.parameters(), lr=config.value_rate, fused=True)
        self.entropy = EntropyControl(config.entropy, config.alpha, config.beta)
        self.buffer = ReplayBuffer(folder / "buffer", config.reuse)
        self.version = 0  # of the weights: iterations learnt
        self.played = 0  # games that have ended
        self.learnt = 0  # decisions learnt from
        self.next_game = 0  # number of the next game to begin
        self.snapshots: list[bytes] = []  # of the actors, before the orders that are under way
        self._orders: list[list[int]] = []  # the games that these begin
        self._flying: tuple[dict[str, Any], int] | None = None  # the weights that these play with
        self._backend = backend or (Processes() if config.workers else Here())
        self._count = max(1, config.workers) if backend is None else config.workers
        self._pool: Pool | None = None
        self._harvests: list[Harvest] = []
        self._agent: SuphxAgent | None = None
        self._situations: np.ndarray | None = None
        self._rates: dict[str, float] = {}
        self.stop_after(None, None)

    # what the loop asks

    @property
    def title(self) -> str:
        """What learns, for what."""
        return f"{self.config.learn}, {self.config.reward} reward"

    @property
    def schedule(self) -> Schedule:
        """As the settings say."""
        return Schedule(self.config.iterations, self.config.eval_every, self.config.save_every)

    @property
    def bfloat16(self) -> bool:
        """Whether it is wanted, and the device has it."""
        return self.config.bfloat16 and has_bfloat16(self.process.device)

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
            "modules": {model: module.state_dict() for model, module in self.modules.items()},
            "value": self.value.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "value_optimiser": self.value_optimiser.state_dict(),
            "entropy": self.entropy.state(),
            "version": self.version,
            "played": self.played,
            "learnt": self.learnt,
            "next_game": self.next_game,
            "snapshots": [np.frombuffer(snapshot, np.uint8) for snapshot in self.snapshots],
            "orders": [np.array(numbers, np.int64) for numbers in self._orders],
            "flying": None if self._flying is None else {"weights": self._flying[0], "version": self._flying[1]},
        }

    def restore(self, state: dict[str, Any], folder: Path) -> None:
        """Go on; the actors begin with the orders that were under way."""
        for model, module in self.modules.items():
            module.load_state_dict(state["modules"][model])
        self.value.load_state_dict(state["value"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.value_optimiser.load_state_dict(state["value_optimiser"])
        self.entropy.restore(state["entropy"])
        self.version, self.played, self.learnt = state["version"], state["played"], state["learnt"]
        self.next_game = state["next_game"]
        self.snapshots = [snapshot.tobytes() for snapshot in state["snapshots"]]
        self._orders = [numbers.tolist() for numbers in state["orders"]]
        flying = state["flying"]
        self._flying = None if flying is None else (flying["weights"], flying["version"])
        self.buffer.restore(self.version)

    def save(self, path: Path, about: dict[str, Any]) -> None:
        """A folder of the five models: a whole player."""
        self._write(path, about)
        if path.name == "last" and self.version and self.version % self.config.keep_every == 0:
            self._write(self.folder / "kept" / f"{self.version:06d}", about)

    def _write(self, path: Path, about: dict[str, Any]) -> None:
        for model, where in self.paths.items():
            info = dict(self.infos[model])
            if model in self.modules:
                training = {**self.settings(), "lookahead": True}
                extra = {"training": training, "played": self.played, "learnt": self.learnt, "started": info}
                named = {"network": info["network"], "model": model}
                checkpoint.save(path / model, self.modules[model], {**named, **extra, **about})
            else:
                module, info = checkpoint.load(where)
                checkpoint.save(path / model, module, info)

    def begin(self, step: int) -> None:
        """Open the tables, and give the first orders, or those that were under way."""
        config = self.config
        models = {model: read_weights(path) for model, path in self.paths.items()}
        setup = Setup(models, config.temperature, config.seed, config.tables, config.length, config.repeat)
        self._agent = setup.agent()
        self._agent.expect_many()
        self._pool = Pool(self._backend, setup, self._count, self.snapshots or None, str(self.folder))
        if self._flying is None:
            self._new_orders(0 if config.repeat else config.tables)
        self._send()

    def end(self) -> None:
        """Close the tables."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def _new_orders(self, more: int = 0) -> None:
        """Note what the actors play next, and with which weights."""
        weights = {
            model: {name: value.detach().float().cpu().clone() for name, value in module.state_dict().items()}
            for model, module in self.modules.items()
        }
        self._flying = weights, self.version
        each = -(-self.config.games // (self._count * max(1, self.config.repeat))) + more
        self._orders = [
            list(range(self.next_game + i * each, self.next_game + (i + 1) * each)) for i in range(self._count)
        ]
        self.next_game += each * self._count

    def _send(self) -> None:
        assert self._pool is not None
        assert self._flying is not None
        weights = {model: {k: v.numpy() for k, v in tensors.items()} for model, tensors in self._flying[0].items()}
        games = -(-self.config.games // self._count)
        for actor, numbers in enumerate(self._orders):
            self._pool.send(actor, Order(numbers, games, weights, self._flying[1]))

    def wait(self) -> None:
        """Until the actors have played; an interrupt changes nothing, they play the same again."""
        assert self._pool is not None
        began = time.monotonic()
        self._harvests = self._pool.receive()
        self.waited += time.monotonic() - began

    def next_batch(self) -> list[Harvest]:
        """What the actors have played."""
        return self._harvests

    def learn(self, batch: list[Harvest], step: int) -> Learnt:
        """One iteration."""
        assert self._pool is not None
        self.snapshots = [harvest.snapshot for harvest in batch]
        games: list[Stored] = [game for harvest in batch for game in harvest.games]
        self.played += len(games)
        self._count_rates(np.concatenate([harvest.hands for harvest in batch]))
        self.buffer.add(self.version, games)
        ahead = not isinstance(self._backend, Here)
        if ahead:  # the actors go on while this learns
            self._new_orders()
            self._send()
        drawn = self.buffer.draw(self.version, self.config.seed, self.version - self.config.staleness)
        figures: dict[str, float] = {"played": float(sum(harvest.seconds for harvest in batch))}
        samples = 0
        if drawn:
            flow, reward = self._prepare(drawn)
            figures |= self._learn(flow, reward, step)
            samples = len(flow) * self.config.epochs
        self.version += 1
        self.learnt += samples
        if not ahead:
            self._new_orders()
            self._send()
        return Learnt(samples, figures)

    # an iteration

    def _prepare(self, games: list[Stored]) -> tuple[Flow, np.ndarray]:
        """The decisions to learn from, in sequences, and the reward of each."""
        assert self._agent is not None
        decisions = replay_games(games)
        if self.config.reward == "global":
            assert self.predictor is not None
            rewards = global_rewards(self.predictor, games)
        else:
            rewards = round_rewards(decisions)
        if self.config.repeat:
            rewards = against_others(rewards, [wall_of(game) for game in games])
        reward = reward_of(decisions, rewards)
        rows = np.flatnonzero(learnable(decisions, self.config.models))
        order, _ = (part := decisions.part(rows)).sequences()
        rows = rows[order]
        tensors = {model: module.state_dict() for model, module in self.modules.items()}
        if set(self.modules) - {"discard"}:  # which meld is surest follows the newest weights
            self._agent.replace_weights(tensors, self.version)
        return flow_of(self._agent, part.part(order), self.config.models), reward[rows]

    def _learn(self, flow: Flow, reward: np.ndarray, step: int) -> dict[str, float]:
        config, device = self.config, self.process.device
        rng = np.random.default_rng((config.seed, 1, self.version))
        _, sequence = flow.decisions.sequences()
        value = predict(self.value, flow.planes, device) if config.advantage != "mean" else None
        gained = advantages(config.advantage, sequence, reward, value, config.discount)
        begun = self.version >= config.value_first or config.advantage == "mean"
        found: list[dict[str, float]] = []
        for _ in range(config.epochs):
            order = rng.permutation(len(flow))
            for first in range(0, len(order) - len(order) % config.batch or len(order), config.batch):
                rows = order[first : first + config.batch]
                if config.advantage != "mean":
                    self._learn_value(flow, rows, reward)
                found.append(self._learn_policy(flow, rows, gained, begun))
        means = {name: float(np.mean([one[name] for one in found])) for name in found[0]}
        if begun:
            self.entropy.follow(means["entropy"])
        figures = {**means, "alpha": self.entropy.alpha, "entropy_target": self.entropy.target}
        figures["reward"] = float(np.std(reward))
        if value is not None:
            figures["explained"] = explained(value, reward)
        return figures

    def _learn_value(self, flow: Flow, rows: np.ndarray, reward: np.ndarray) -> None:
        device = self.process.device
        self.value.train()
        with self._autocast():
            said = self.value(place(flow.planes[rows], device))[:, 0]
        loss = nn.functional.mse_loss(said.float(), torch.from_numpy(reward[rows]).to(device))
        self.value_optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.value.parameters(), self.config.gradient)
        self.value_optimiser.step()

    def _learn_policy(self, flow: Flow, rows: np.ndarray, gained: np.ndarray, begun: bool) -> dict[str, float]:
        config = self.config
        batch = minibatch(flow, rows)
        behaviour = torch.from_numpy(flow.behaviour[rows])
        with self._autocast(), torch.set_grad_enabled(begun):
            now, entropy = log_probs(self.modules, batch, len(rows), config.temperature)
            illegal = torch.isinf(now.detach())  # an alarm; the others are learnt from
            now = now.masked_fill(illegal, 0.0)
            weighed = policy_loss(now, behaviour, torch.from_numpy(gained[rows]), config.clip)
            loss = weighed.loss - self.entropy.alpha * entropy
        figures = {
            "entropy": float(entropy.detach()),
            "effective": effective_share(weighed.weights),
            "clipped": weighed.clipped,
            "illegal": float(illegal.float().mean()),
            "kl_behaviour": float((behaviour - now.detach()).mean()),
        }
        if config.anchor or self.version % DISTANCE_EVERY == 0:
            with torch.set_grad_enabled(False), self._autocast():
                before, _ = log_probs(self.first, batch, len(rows), config.temperature)
            figures["kl_start"] = float((weighed.weights * (now.detach() - before)).mean())
            if config.anchor and begun:
                # half the squared log-ratio has the gradient of KL(pi || start), where the weights make it pi's
                loss = loss + config.anchor * (weighed.weights * (now - before) ** 2).mean() / 2
        if not begun:
            return figures
        if not torch.isfinite(loss):
            raise DivergedError(f"the loss is no number any more at iteration {self.version:,}: try a lower rate")
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([w for module in self.modules.values() for w in module.parameters()], config.gradient)
        self.optimiser.step()
        return figures

    def _autocast(self) -> torch.autocast:
        return torch.autocast(self.process.device.partition(":")[0], torch.bfloat16, enabled=self.bfloat16)

    # what is told

    def report(self, folder: Path) -> Report:
        """What was played and learnt."""
        lines = [f"{self.version:,} iterations, {self.played:,} games, {self.learnt:,} decisions learnt.", ""]
        return Report(lines, {"games": self.played, "decisions": self.learnt})

    def _count_rates(self, hands: np.ndarray) -> None:
        """What the players of the newest games did."""
        total = np.zeros((), hands.dtype)
        for name in hands.dtype.names or ():
            total[name] = hands[name].sum()
        rates = {name: value for name, value, _ in GAME.rates(total.view(np.recarray)[()])}
        self._rates = {name: rates[name] for name in RATES if name in rates}

    def figures(self, step: int) -> dict[str, float]:
        """Games, versions and what the players do."""
        lost = self._pool.replaced if self._pool else 0
        return {"games": self.played, "decisions": self.learnt, "replaced": lost, **self._rates}

    def validate(self, step: int) -> Validation | None:
        """Single rounds against the start."""
        if not self.config.walls:
            return None
        base, now = SuphxAgent(self.folder_of_start), SuphxAgent(self.folder_of_start)
        now.replace_weights({model: module.state_dict() for model, module in self.modules.items()}, self.version)
        for agent in (base, now):
            agent.expect_many()
        if self._situations is None:
            self._situations = situations()
        found = gain(now, base, self.config.walls, STRENGTH_SEED, pool=self._situations)
        curve = {"gain": found.mean, "interval": found.half, "games": self.played}
        return Validation(found.mean, curve, {**curve, "walls": found.walls})

    def say(self, figures: dict[str, float], validated: dict[str, float]) -> str:
        """The figures in a line."""
        parts = [
            f"games {figures['games']:,.0f}",
            f"{figures['rate']:,.0f} decisions/s",
            f"entropy {figures.get('entropy', float('nan')):.3f}",
            f"alpha {figures.get('alpha', 0.0):.4f}",
            f"weights {figures.get('effective', float('nan')):.0%}",
            f"clipped {figures.get('clipped', 0.0):.1%}",
        ]
        if "explained" in figures:
            parts.append(f"explained {figures['explained']:.1%}")
        if validated:
            parts.append(f"gain {validated['gain']:+.0f} ± {validated['interval']:.0f}")
        return "  ".join(parts)
