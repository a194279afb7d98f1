"""Supervised learning of one model from a store of games (Suphx 4.1): the loop, its checkpoints and its resume."""

import io
import json
import math
import os
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from suzaku.features.sparse import SparsePlanes
from suzaku.files import write_whole
from suzaku.learning.config import Config
from suzaku.learning.curves import Curves
from suzaku.learning.interrupts import defer_signals
from suzaku.learning.loader import Loader, evaluation_batches
from suzaku.learning.metrics import Predictions, summary
from suzaku.learning.pieces import Piece, begin, read_pieces
from suzaku.learning.samples import VERSIONS
from suzaku.networks import checkpoint
from suzaku.networks.bfloat16 import has_bfloat16
from suzaku.networks.build import build
from suzaku.networks.gao import Dropout
from suzaku.networks.info import checkpoint_of
from suzaku.networks.names import takes_sparse
from suzaku.networks.planes import to_device
from suzaku.records.decisions import decisions
from suzaku.records.store import Store

BEST, LAST, STATE = "best", "last", "last.state.pt"


@dataclass
class Progress:
    """What a run tells while it goes on."""

    step: int
    loss: float  # mean over the last steps
    accuracy: float  # share right over the last steps, without the legal mask
    rate: float  # samples a second
    learning_rate: float
    waiting: float  # share of the time that the trainer waited for batches


def learning_rate(config: Config, step: int) -> float:
    """Up in a line, then down by half a cosine."""
    if step < config.warm_up:
        return config.rate * (step + 1) / config.warm_up
    done = (step - config.warm_up) / max(1, config.steps - config.warm_up)
    return config.rate * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))


class _Recent:
    """Figures of the last steps."""

    def __init__(self, loader: Loader) -> None:
        self._loader, self._waited, self._began = loader, loader.waited, time.monotonic()
        self._losses: list[float] = []
        self._rights: list[float] = []

    def add(self, loss: float, right: float) -> None:
        """Take one step in."""
        self._losses.append(loss)
        self._rights.append(right)

    def progress(self, config: Config, step: int) -> Progress:
        """What to tell of them."""
        took = max(1e-9, time.monotonic() - self._began)
        return Progress(
            step,
            float(np.mean(self._losses)),
            float(np.mean(self._rights)),
            len(self._losses) * config.batch / took,
            learning_rate(config, step),
            (self._loader.waited - self._waited) / took,
        )


def class_weights(config: Config, label: torch.Tensor, classes: int) -> torch.Tensor | None:
    """Weights that even the classes of a batch out, as far as `balance` says."""
    if config.balance == 0 or config.model == "discard":
        return None
    counts = torch.bincount(label, minlength=classes).clamp(min=1).float()
    return (counts.sum() / (classes * counts)) ** config.balance


def autocast(config: Config, device: str) -> torch.autocast:
    """Compute in bfloat16 if that is wanted and the device has it, else in float32."""
    return torch.autocast(device.partition(":")[0], torch.bfloat16, enabled=config.bfloat16 and has_bfloat16(device))


def evaluate_model(
    module: nn.Module, store: str | Path | Store, config: Config, split: str, most: int, device: str
) -> dict[str, Any]:
    """The figures of a model on the validation games of a store, or on all games of a test store (split "")."""
    module.eval()
    found = Predictions()
    with torch.inference_mode():
        for loaded in evaluation_batches(store, config, split, most, sparse=takes_sparse(config.network, device)):
            with autocast(config, device):
                logits = module(to_device(loaded.planes, device))
            found.add(logits.float().cpu().numpy(), loaded.samples)
    if not found.logits:
        raise ValueError(f"{store} holds no {config.model} decisions to evaluate on")
    return summary(found)


class DivergedError(ValueError):
    """A run whose weights are no longer worth keeping."""


class Trainer:
    """A run in a folder: `best` and `last` checkpoints, the state to resume from, and the curves."""

    def __init__(self, config: Config, store: str | Path, folder: Path) -> None:
        self.config, self.store, self.folder = config, store, folder
        self.rank, self.world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
        self.device = f"cuda:{os.environ.get('LOCAL_RANK', 0)}" if torch.cuda.is_available() else "cpu"
        if config.batch % self.world:
            raise ValueError(f"batch {config.batch} does not divide among {self.world} processes")
        torch.manual_seed(config.seed)
        self.module = self._begin().to(self.device)
        for part in self.module.modules():
            if isinstance(part, Dropout):
                part.on = config.dropout
        self.optimiser = torch.optim.AdamW(
            self.module.parameters(), lr=config.rate, weight_decay=config.decay, fused=True
        )
        self.step, self.best, self.curve = 0, -1.0, []  # type: int, float, list[dict[str, float]]
        self.pieces: list[Piece] = []
        self._began = 0.0
        folder.mkdir(parents=True, exist_ok=True)
        self._resume()
        self.parallel: nn.Module = self.module
        if self.world > 1:
            if not torch.distributed.is_initialized():
                torch.distributed.init_process_group("nccl" if self.device != "cpu" else "gloo")
            self.parallel = nn.parallel.DistributedDataParallel(self.module)

    @cached_property
    def games(self) -> int:
        """The number of games in the store, all splits together."""
        return len(Store(self.store))

    def _begin(self) -> nn.Module:
        """Fresh weights, or those to start from."""
        config = self.config
        if not config.start:
            return build(config.network, config.model)
        start = checkpoint_of(config.start, config.model)
        module, info = checkpoint.load(start)
        if (info["network"], info["model"]) != (config.network, config.model):
            raise ValueError(
                f"{start} is {info['network']} {info['model']}: it cannot start {config.network} {config.model}"
            )
        return module

    def _resume(self) -> None:
        path = self.folder / STATE
        if not path.exists():
            return
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            before = json.loads(state["config"])
        except (RuntimeError, EOFError, OSError, KeyError, ValueError, pickle.UnpicklingError):
            raise ValueError(
                f"{path} is damaged: delete it to begin anew, or from {self.folder / LAST} with --set start="
            ) from None
        changed = [
            key for key, value in self.config.to_dict().items() if before.get(key, getattr(Config, key)) != value
        ]
        free = {"steps", "eval_every", "eval_samples", "save_every"}
        if set(changed) - free:
            names = ", ".join(sorted(set(changed) - free))
            raise ValueError(
                f"{self.folder} holds a run with other settings ({names}); choose another --out or delete it"
            )
        if state.get("samples", 1) != VERSIONS.get(self.config.model, 1):
            raise ValueError(
                f"{self.folder} holds a run on other samples of {self.config.model}, which are taken otherwise now; "
                f"begin anew in another --out, or from {self.folder / LAST} with --set start="
            )
        games = state.get("games", self.games)
        if games != self.games:
            raise ValueError(
                f"{self.folder} holds a run on {games:,} games, {self.store} has {self.games:,}; "
                "choose another --out, or the store it was begun with"
            )
        self.module.load_state_dict(state["module"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step, self.best, self.curve = state["step"], state["best"], json.loads(state["curve"])
        self.pieces = read_pieces(state.get("pieces"), self.step, self.config.batch)
        torch.set_rng_state(state["random"])
        if self.device != "cpu" and "device_random" in state:
            torch.cuda.set_rng_state(state["device_random"], self.device)

    def save(self) -> None:
        """Keep all that is needed to go on."""
        if self.rank:
            return
        self._count()
        state = {
            "config": json.dumps(self.config.to_dict()),
            "samples": VERSIONS.get(self.config.model, 1),
            "games": self.games,
            "module": self.module.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "best": self.best,
            "curve": json.dumps(self.curve),
            "pieces": [piece.to_dict() for piece in self.pieces],
            "random": torch.get_rng_state(),
        }
        if self.device != "cpu":
            state["device_random"] = torch.cuda.get_rng_state(self.device)
        data = io.BytesIO()
        torch.save(state, data)
        with defer_signals():
            self._checkpoint(LAST, self.curve[-1] if self.curve else {})
            write_whole(self.folder / STATE, data.getvalue())

    def _checkpoint(self, name: str, results: dict[str, Any]) -> None:
        info = {
            "network": self.config.network,
            "model": self.config.model,
            "training": self.config.to_dict(),
            "step": self.step,
            "pieces": [piece.to_dict() for piece in self.pieces],
            "data": {"store": Path(self.store).name, "games": self.games},
            "results": results,
        }
        checkpoint.save(self.folder / name, self.module, info)

    def _count(self) -> None:
        """Bring the piece that is going on up to now."""
        if not self._began:  # nothing runs yet
            return
        piece = self.pieces[-1]
        piece.last, piece.samples = self.step, (self.step - piece.first) * self.config.batch
        piece.seconds = round(time.monotonic() - self._began, 1)

    def _validation_is_due(self) -> bool:
        """Whether the validation games are to be looked at now; a look that was interrupted still is."""
        if self.step == 0 or (self.curve and self.curve[-1]["step"] == self.step):
            return False
        return self.step % self.config.eval_every == 0 or self.step >= self.config.steps

    def _validate(self) -> None:
        """Look at the validation games; keep the best model so far."""
        results = evaluate_model(
            self.module, self.store, self.config, "validation", self.config.eval_samples, self.device
        )
        with defer_signals():
            self._count()
            self.curve.append({"step": self.step, "accuracy": results["accuracy"], "loss": results["loss"]})
            if results["accuracy"] > self.best and self.rank == 0:
                self.best = results["accuracy"]
                self._checkpoint(BEST, {"validation": results})

    def _need_validation(self) -> None:
        """Say it now, not after the first thousand steps, if there is nothing to look at."""
        found = decisions(
            self.store,
            self.config.model,
            shuffle=None,
            split="validation",
            batch=1,
            one_player=self.config.one_player,
        )
        if next(found, None) is None:
            raise ValueError(f"{self.store} holds no {self.config.model} decisions for validation: it needs more games")

    def _learn(self, planes: np.ndarray | SparsePlanes, label: np.ndarray) -> tuple[float, float]:
        self.parallel.train()
        x, y = to_device(planes, self.device), torch.from_numpy(label).to(self.device)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.config, self.step)
        with autocast(self.config, self.device):
            logits = self.parallel(x)
        logits = logits.float()
        loss = nn.functional.cross_entropy(logits, y, class_weights(self.config, y, logits.shape[1]))
        if not torch.isfinite(loss):
            raise DivergedError(
                f"the loss is no number any more at step {self.step + 1:,}: try a lower rate in another --out"
            )
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), self.config.clip)
        self.optimiser.step()
        return float(loss.detach()), float((logits.argmax(1) == y).float().mean())

    def run(self, tell: Callable[[Progress], None], every: int = 20) -> None:
        """Train to the last step; an interrupt keeps what was learnt."""
        self._need_validation()
        if self.step < self.config.steps:  # a run that is done has no further piece
            in_bfloat16 = self.config.bfloat16 and has_bfloat16(self.device)
            self.pieces.append(begin(self.step, self.device, self.world, in_bfloat16))
            self._began = time.monotonic()
        loader = Loader(
            self.store,
            self.config,
            self.step,
            (self.rank, self.world),
            takes_sparse(self.config.network, self.device),
        )
        curves = Curves(self.folder / "curves", self.step) if self.rank == 0 else None
        recent = _Recent(loader)
        worth_keeping = True
        try:
            while True:
                if self._validation_is_due():
                    self._validate()
                    if curves:
                        curves.add("validation", self.curve[-1])
                    recent = _Recent(loader)
                if self.step >= self.config.steps:
                    break
                if self.step and self.step % self.config.save_every == 0:
                    self.save()
                loaded = next(loader)
                with defer_signals():  # half a step would not be the same when the run goes on
                    loss, right = self._learn(loaded.planes, loaded.label)
                    self.step += 1
                recent.add(loss, right)
                if self.step % every == 0:
                    now = recent.progress(self.config, self.step)
                    tell(now)
                    if curves:
                        curves.add_progress(now)
                    recent = _Recent(loader)
        except DivergedError:
            worth_keeping = False
            raise
        finally:
            loader.close()
            if curves:
                curves.close()
            if worth_keeping:
                self.save()
            self._began = 0.0
