"""Learning a two-way model from labelled positions, and what its answers are worth.

- The loss of learning by rolled-out branches: what the answers are expected to lose, and an anchor at the start.
- What answers are worth by labels they were not learnt from.
- Learning a two-way model from labelled positions: what the loop (`suzaku/learning/loop.py`) learns.
"""

import copy
import math
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from suzaku.agents.suphx import SuphxAgent
from suzaku.arena.statistics import mean_interval
from suzaku.features.sparse import SparsePlanes
from suzaku.learning.learner import DivergedError, Learner, Learnt, Process, Report, Validation
from suzaku.learning.loop import BEST
from suzaku.learning.sample import Samples
from suzaku.learning.samples import exchange_suits
from suzaku.networks import checkpoint
from suzaku.networks.bundled import find_models
from suzaku.rl.branch_config import BranchConfig
from suzaku.rl.branch_labels import Labels, read_labels
from suzaku.rl.config import start_folder
from suzaku.rl.critic import place
from suzaku.table.tables import take

# L = - E[ d p ] / s  +  anchor * E[ KL(p || p_start) ]
#
# p is the probability of yes, d the labelled difference between yes and no, s the root mean square of all differences:
# E[d p] is what the policy gains over always answering no. It is the policy gradient with both actions known: no
# importance weights, no baseline. It is linear in d, so labels may be as noisy as they like: few rollouts of many
# positions are learnt from without bias. (A logistic loss on the sign of d, weighted by its size, is not linear: noise
# without a mean would move it.) With the anchor alone against it, the best log odds of yes are those of the start plus
# d / (s anchor).


def branch_loss(logit: Tensor, start: Tensor, difference: Tensor, anchor: float) -> tuple[Tensor, Tensor]:
    """The loss of log odds of yes, for the start's log odds and differences in units of s; and the KL divergence."""
    yes = torch.sigmoid(logit)
    kl = yes * (logsigmoid(logit) - logsigmoid(start)) + (1 - yes) * (logsigmoid(-logit) - logsigmoid(-start))
    return -(difference * yes).mean() + anchor * kl.mean(), kl.mean()


# The answers are the model's and the labels judge them: the gain of new answers over old ones is unbiased however
# noisy the labels are. What was lost against the better branch is not known, since a noisy label seems better than it
# is; so half of the rollouts choose and the other half judge the choice, which is a lower bound of what the best
# answers gain.

UNSURE = "–"  # of fewer than two positions nothing can be said
CLEAR = 2.0  # standard errors from zero that make a sign clear

Interval = tuple[float, float]  # a mean and half of its 95 % interval


@dataclass
class Figures:
    """Answers before and after, judged by labels; points a decision, or those of the reward."""

    positions: int
    difference: Interval  # yes less no
    yes: Interval  # share answered with yes before
    changed: Interval  # share answered otherwise now
    agrees: tuple[Interval, Interval]  # with the sign of the difference: before, after
    clear: int  # positions whose sign is clear
    agrees_clear: tuple[Interval, Interval]  # with these
    lost: tuple[Interval, Interval]  # against the choice by half of the rollouts: before, after
    gain: Interval  # after less before

    def lines(self) -> list[str]:
        """As Markdown."""

        def share(one: Interval) -> str:
            return f"{one[0]:.1%} ± {one[1]:.1%}" if math.isfinite(one[1]) else UNSURE

        def worth(one: Interval) -> str:
            return f"{one[0]:+,.1f} ± {one[1]:,.1f}" if math.isfinite(one[1]) else UNSURE

        return [
            f"{self.positions:,} positions that nothing was learnt from or chosen by. Yes is worth "
            f"{worth(self.difference)} more than no; it was answered in {share(self.yes)}, and in "
            f"{share(self.changed)} the answer is another one now. Gain of the new answers: **{worth(self.gain)}** a "
            "decision.",
            "",
            "| | before | after |",
            "|---|---:|---:|",
            f"| agrees with the sign of the difference | {share(self.agrees[0])} | {share(self.agrees[1])} |",
            f"| the same where it is clear ({self.clear:,}) | {share(self.agrees_clear[0])} | "
            f"{share(self.agrees_clear[1])} |",
            f"| lost against the choice by half of the rollouts | {worth(self.lost[0])} | {worth(self.lost[1])} |",
            "",
        ]


def judge(differences: np.ndarray, before: np.ndarray, after: np.ndarray) -> Figures:
    """The figures of answers (bool[n]) on positions with these labels (float[n, rollouts])."""
    mean, rollouts = differences.mean(1), differences.shape[1]
    error = differences.std(1, ddof=1) / np.sqrt(rollouts)
    clear = np.abs(mean) > CLEAR * np.maximum(error, 1e-9)
    right = [answers == (mean > 0) for answers in (before, after)]
    one, other = differences[:, : rollouts // 2].mean(1), differences[:, rollouts // 2 :].mean(1)
    chosen = (one * (other > 0) + other * (one > 0)) / 2
    taken = [(one + other) / 2 * answers for answers in (before, after)]
    return Figures(
        len(mean),
        mean_interval(mean),
        mean_interval(before.astype(float)),
        mean_interval((before != after).astype(float)),
        (mean_interval(right[0].astype(float)), mean_interval(right[1].astype(float))),
        int(clear.sum()),
        (mean_interval(right[0][clear].astype(float)), mean_interval(right[1][clear].astype(float))),
        (mean_interval(chosen - taken[0]), mean_interval(chosen - taken[1])),
        mean_interval(mean * (after.astype(float) - before)),
    )


AT_ONCE = 1024


class BranchLearner(Learner):
    """A model that learns which of its answers is worth more."""

    COMMAND = "branches"

    def __init__(self, config: BranchConfig, folder: Path, process: Process | None = None) -> None:
        """Learn from the labels of `config.labels`, or of the run in `folder`."""
        self.config, self.folder = config, folder
        self.process = process or Process.of_torchrun()
        if self.process.world > 1:
            raise ValueError("labels are few and learnt from in one process: leave torchrun out")
        self.paths = find_models(start_folder(config.start), "suphx", SuphxAgent.MODELS)
        torch.manual_seed(config.seed)
        module, self.info = checkpoint.load(self.paths[config.model])
        self.module = module.to(self.process.device)  # as it evaluates: batch norms stay as they were supervised
        self.first = copy.deepcopy(self.module)
        self.optimiser = torch.optim.Adam(self.module.parameters(), lr=config.rate)

    @property
    def labels_folder(self) -> Path:
        """Where the labels are."""
        return Path(self.config.labels) if self.config.labels else self.folder / "labels"

    @cached_property
    def labels(self) -> Labels:
        """All labelled positions."""
        found = read_labels(self.labels_folder, self.config, self._agent)
        for split in ("train", "validation", "test"):
            if len(found.split(split)) < 2:
                raise ValueError(f"{len(found):,} positions are too few to learn from some and judge by others")
        return found

    @cached_property
    def _agent(self) -> SuphxAgent:
        return SuphxAgent(start_folder(self.config.start))

    @cached_property
    def _planes(self) -> SparsePlanes:
        claim = None if self.config.model == "riichi" else self.labels.action
        found = self._agent.encode(self.config.model, self.labels.records, claim)
        assert isinstance(found, SparsePlanes)
        return found

    @cached_property
    def _unit(self) -> float:
        """The root mean square of the differences to learn from."""
        return float(np.sqrt(np.square(self.labels.difference[self.labels.split("train")]).mean())) or 1.0

    @property
    def title(self) -> str:
        """The model and its network."""
        return f"{self.config.model} {self.info['network']}, {self.config.reward} reward"

    def state(self) -> dict[str, Any]:
        """Weights and optimiser; batches follow from the step alone."""
        return {"module": self.module.state_dict(), "optimiser": self.optimiser.state_dict()}

    def restore(self, state: dict[str, Any], folder: Path) -> None:
        """Go on."""
        self.module.load_state_dict(state["module"])
        self.optimiser.load_state_dict(state["optimiser"])

    def save(self, path: Path, about: dict[str, Any]) -> None:
        """A folder of the five models: a whole player."""
        for model, where in self.paths.items():
            if model == self.config.model:
                training = {**self.settings(), "lookahead": self._agent.lookahead}
                named = {"network": self.info["network"], "model": model}
                checkpoint.save(
                    path / model, self.module, {**named, "training": training, "started": self.info, **about}
                )
            else:
                module, info = checkpoint.load(where)
                checkpoint.save(path / model, module, info, half=info["weights"].get("precision") == "half")

    def begin(self, step: int) -> None:
        """Read the labels and encode the positions: it takes seconds."""
        len(self._planes)
        self._step = step

    def next_batch(self) -> np.ndarray:
        """Some training positions; each pass through them has another order."""
        rows = self.labels.split("train")
        size = min(self.config.batch, len(rows))
        epoch, number = divmod(self._step, len(rows) // size)
        self._step += 1
        order = np.random.default_rng((self.config.seed, epoch)).permutation(len(rows))
        return rows[order[number * size : (number + 1) * size]]

    def learn(self, batch: np.ndarray, step: int) -> Learnt:
        """One step of the optimiser."""
        config, device = self.config, self.process.device
        planes = self._planes[batch]
        if config.augment:
            none = np.zeros(len(batch), np.int64)
            samples = Samples(take(self.labels.records, batch), none, none, np.zeros((len(batch), 0), np.bool_))
            exchange_suits(planes, samples, np.random.default_rng((config.seed, 1, step)))
        seen = place(planes, device)
        with torch.no_grad():
            start = _log_odds(self.first(seen))
        difference = torch.from_numpy(self.labels.difference[batch] / self._unit).to(device)
        loss, kl = branch_loss(_log_odds(self.module(seen)), start, difference, config.anchor)
        if not torch.isfinite(loss):
            raise DivergedError(f"the loss is no longer a finite number at step {step + 1:,}: try a lower rate")
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), config.gradient)
        self.optimiser.step()
        return Learnt(len(batch), {"loss": float(loss.detach()), "kl_start": float(kl.detach())})

    def log_odds(self, module: nn.Module, rows: np.ndarray) -> np.ndarray:
        """float32[n]: of yes, by a network, at some of the positions."""
        out = []
        with torch.inference_mode():
            for i in range(0, len(rows), AT_ONCE):
                out.append(_log_odds(module(place(self._planes[rows[i : i + AT_ONCE]], self.process.device))).cpu())
        return torch.cat(out).numpy()

    def validate(self, step: int) -> Validation:
        """What the answers gain over those of the start, on validation positions."""
        rows = self.labels.split("validation")
        before, after = (self.log_odds(module, rows) > 0 for module in (self.first, self.module))
        found = judge(self.labels.differences[rows], before, after)
        curve = {"gain": found.gain[0], "interval": found.gain[1], "changed": found.changed[0]}
        return Validation(found.gain[0], curve, {"gain": found.gain, "positions": found.positions})

    def say(self, figures: dict[str, float], validated: dict[str, float]) -> str:
        """The figures in a line."""
        text = f"loss {figures['loss']:.3f}  KL from the start {figures['kl_start']:.4f}"
        if not validated:
            return text
        return f"{text}  gain {validated['gain']:+.1f} ± {validated['interval']:.1f} a decision"

    def report(self, folder: Path) -> Report:
        """The best answers on the test positions, which nothing was learnt from or chosen by."""
        module, _ = checkpoint.load(folder / BEST / self.config.model)
        rows = self.labels.split("test")
        before, after = (self.log_odds(one, rows) > 0 for one in (self.first, module.to(self.process.device)))
        found = judge(self.labels.differences[rows], before, after)
        return Report(found.lines(), {**asdict(found), "said": found.lines()}, intervals={"gain": "interval"})


def _log_odds(logits: Tensor) -> Tensor:
    logits = logits.float()
    return logits[:, 1] - logits[:, 0]
