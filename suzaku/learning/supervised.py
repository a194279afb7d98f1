"""Supervised learning of one model from a store of games (Suphx 4.1), and its report.

- What the report of supervised learning says: the figures of the best model on validation or test games.
- Supervised learning of one model from a store of games (Suphx 4.1): what the loop (`loop.py`) learns.
"""

import copy
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from torch import nn

from suzaku.learning.config import Config
from suzaku.learning.learner import DivergedError, Learner, Learnt, Process, Report, Validation, learning_rate
from suzaku.learning.loader import LoadedBatch, Loader, WithAuxiliary, evaluation_batches
from suzaku.learning.loop import BEST, LAST
from suzaku.learning.metrics import Predictions, summary
from suzaku.learning.samples import VERSIONS, game_of, none_found
from suzaku.networks import checkpoint
from suzaku.networks.modules import Dropout, Network, carried_over, to_device
from suzaku.networks.run import has_bfloat16
from suzaku.networks.spec import ModelSpec, spec_of
from suzaku.records.decisions import decisions
from suzaku.records.players import check_players, named
from suzaku.records.store import Store, Unseen

PAPERS = {  # what the papers report, per cent
    "suphx": {"discard": 76.7, "riichi": 85.7, "chow": 95.0, "pong": 91.9, "kong": 94.0},  # Table 3
    "gao": {"discard": 70.44, "riichi": 75.9, "chow": 90.6, "pong": 88.3},
    "mcr": {"discard": 71.5, "pong": 92.4, "chow": 90.7},  # Table 2; its players were people
}
EVERYTHING = 10**9
VALIDATION = 50_000  # samples of the validation games that are reported on


def report(learner: "Supervised", folder: Path) -> Report:
    """Evaluate the best model of a run, and keep the figures in its checkpoint.

    They are those of the validation games, or of the games of a test store that the model was not made with.
    """

    config, device = learner.config, learner.process.device
    module, info = checkpoint.load(folder / BEST)
    module.to(device)
    if learner.test is not None:
        unseen = Unseen(learner.test, learner.store)
        split, note = "test", unseen.said()
        results = evaluate_model(module, unseen, config, "", EVERYTHING, device)
    else:
        split, note = "validation", ""
        results = evaluate_model(module, learner.store, config, split, VALIDATION, device)
    info["results"][split] = results
    checkpoint.save(folder / BEST, module, info)

    def draw(panel: Any) -> None:
        _draw_calibration(panel, results["calibration"])

    return Report(_lines(config.spec, split, results, note), results, (draw,))


def _lines(spec: ModelSpec, split: str, results: dict[str, Any], note: str) -> list[str]:
    """The figures as Markdown, with a note on the games they are from."""
    paper = PAPERS.get(spec.family.player, {}).get(spec.decision)
    compared = f"; the paper {paper} %" if paper else ""
    lines = [
        f"On {results['samples']:,} {split} samples: **{results['accuracy']:.2%}** right (95 % interval ± "
        f"{results['interval']:.2%}); the most frequent answer alone {results['majority']:.2%}{compared}.",
        *(["", note] if note else []),
        "",
    ]
    if "top_3" in results:
        lines += [
            f"Without the legal mask {results['unmasked_accuracy']:.2%} ({results['unmasked_legal']:.2%} of choices "
            f"legal); among the first three {results['top_3']:.2%}.",
            "",
        ]
    else:
        lines += _confusion(results["classes"])
    for title, key in (
        ("shanten", "by_shanten"),
        ("own discards", "by_turn"),
        ("others in riichi (0 none, 1 some)", "by_others_riichi"),
    ):
        lines += _table(title, results[key]) if results[key] else []
    lines += ["| stated probability | right | samples |", "|---|---|---|"]
    lines += [f"| {stated:.1%} | {share:.2%} | {n:,} |" for stated, share, n in results["calibration"]]
    return [*lines, ""]


def _table(title: str, rows: dict[str, tuple[float, int]]) -> list[str]:
    lines = [f"| {title} | right | samples |", "|---|---|---|"]
    return [*lines, *(f"| {key} | {share:.2%} | {n:,} |" for key, (share, n) in rows.items()), ""]


def _confusion(classes: dict[str, Any]) -> list[str]:
    """A row for every answer that was given, with how often the model guessed each."""
    names = ("no", "yes") if len(classes["confusion"]) == 2 else ("none", "lowest", "middle", "highest")
    lines = [f"| | guessed {' | '.join(names)} | precision | recall | F1 |", "|---|" + "---|" * (len(names) + 3)]
    for i, (name, row) in enumerate(zip(names, classes["confusion"], strict=True)):
        figures = [f"{n:,}" for n in row] + [f"{classes[key][i]:.3f}" for key in ("precision", "recall", "f1")]
        lines.append(f"| {name} | {' | '.join(figures)} |")
    return [*lines, ""]


def _draw_calibration(panel: Any, calibration: list[tuple[float, float, int]]) -> None:
    stated, share, _ = zip(*calibration, strict=True)
    panel.plot([0, 1], [0, 1], color="grey", linewidth=1)
    panel.plot(stated, share, marker="o")
    panel.set(xlabel="stated probability", ylabel="share right", title="calibration")
    panel.grid(alpha=0.3)


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
        for loaded in evaluation_batches(store, config, split, most, sparse=config.spec.takes_sparse(device)):
            with autocast(config, device):
                logits = module(to_device(loaded.planes, device))
            found.add(logits.float().cpu().numpy(), loaded.samples)
    if not found.logits:
        raise none_found(store, config.spec, "to evaluate on")
    return summary(found)


@torch.no_grad()
def move_average(average: nn.Module, module: nn.Module, keep: float, step: int) -> None:
    """Bring a moving average of weights, and of the batch norms' statistics, a step on; over fewer steps at first."""
    part = 1 - min(keep, (step + 1) / (step + 10))
    now = module.state_dict()
    for name, tensor in average.state_dict().items():
        if tensor.is_floating_point():
            tensor.lerp_(now[name], part)
        else:
            tensor.copy_(now[name])


class Supervised(Learner):
    """A network that learns to decide like the players of a store."""

    COMMAND = "supervised"
    FREE = Learner.FREE | {"eval_samples"}

    def __init__(
        self, config: Config, store: str | Path | Store, process: Process | None = None, test: Path | None = None
    ) -> None:
        """Learn from a store; the report is on games of a store `test` that it lacks, or on its validation games."""
        self.config, self.test = config, test
        self.store = store if isinstance(store, Store) else Store(store)
        self.game = game_of(config.spec)
        self.process = process or Process.of_torchrun()
        if config.batch % self.process.world:
            raise ValueError(f"batch {config.batch} does not divide among {self.process.world} processes")
        torch.manual_seed(config.seed)
        self.module = self._begin().to(self.process.device)
        for part in self.module.modules():
            if isinstance(part, Dropout):
                part.on = config.dropout
        self.taught: nn.Module = self.module
        if config.auxiliary:
            self.taught = WithAuxiliary(self.module).to(self.process.device)
        self.optimiser = torch.optim.AdamW(
            self.taught.parameters(), lr=config.rate, weight_decay=config.decay, fused=True
        )
        self.parallel: nn.Module = self.taught
        self.player = copy.deepcopy(self.module) if config.average else self.module  # what is kept and looked at
        self._loader: Loader | None = None

    def _begin(self) -> Network:
        """Fresh weights, or those to start from."""
        config = self.config
        start = config.begins_with()
        if start is None:
            return Network(config.spec.layers)
        module, info = checkpoint.load(start)
        begun = spec_of(info)
        if begun == config.spec:
            return module
        given, wanted = begun.network, config.spec.network
        if given.family is not wanted.family or any(a > b for a, b in zip(given.sizes, wanted.sizes, strict=True)):
            raise ValueError(f"{start} is {given.name}: it cannot start {wanted.name}")
        return carried_over(module, Network(config.spec.layers), answers=begun.decision == config.spec.decision)

    @property
    def title(self) -> str:
        """The model and its network."""
        return f"{self.config.model} {self.config.network}"

    @property
    def bfloat16(self) -> bool:
        """Whether it is wanted, and the device has it."""
        return self.config.bfloat16 and has_bfloat16(self.process.device)

    @cached_property
    def games(self) -> int:
        """The number of games in the store, all splits together."""
        return len(self.store)

    def state(self) -> dict[str, Any]:
        """Weights and optimiser, and what they have learnt from."""
        return {
            "samples": VERSIONS.get(self.config.model, 1),
            "games": self.games,
            "module": self.taught.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            **({"average": self.player.state_dict()} if self.config.average else {}),
        }

    def restore(self, state: dict[str, Any], folder: Path) -> None:
        """Go on, if the samples are still the same."""
        if state.get("samples", 1) != VERSIONS.get(self.config.model, 1):
            raise ValueError(
                f"{folder} holds a run on other samples of {self.config.model}, which are taken otherwise now; "
                f"begin anew in another --out, or from {folder / LAST} with --set start="
            )
        games = state.get("games", self.games)
        if games != self.games:
            raise ValueError(
                f"{folder} holds a run on {games:,} games, {self.store} has {self.games:,}; "
                "choose another --out, or the store it was begun with"
            )
        self.taught.load_state_dict(state["module"])
        if self.config.average:
            self.player.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])

    def save(self, path: Path, about: dict[str, Any]) -> None:
        """An ordinary checkpoint."""
        info = {
            "network": self.config.network,
            "model": self.config.model,
            "training": self.settings(),
            "data": {"store": self.store.name, "games": self.games},
            **about,
        }
        checkpoint.save(path, self.player, info)

    def begin(self, step: int) -> None:
        """Start replaying and encoding games."""
        self._need_validation()
        if self.process.world > 1 and self.parallel is self.taught:
            if not torch.distributed.is_initialized():
                torch.distributed.init_process_group("nccl" if self.process.device != "cpu" else "gloo")
            self.parallel = nn.parallel.DistributedDataParallel(self.taught)
        sparse = self.config.spec.takes_sparse(self.process.device)
        self._loader = Loader(self.store, self.config, step, (self.process.rank, self.process.world), sparse)

    def end(self) -> None:
        """Stop the threads."""
        if self._loader is not None:
            self._loader.close()

    def _need_validation(self) -> None:
        """Say it now, not after the first thousand steps, if there is nothing to look at."""
        check_players(self.store, self.config.players)
        found = decisions(
            self.store,
            self.config.model,
            shuffle=None,
            split="validation",
            batch=1,
            one_player=self.config.one_player,
            game=self.game,
            teachers=named(self.config.players),
        )
        if next(found, None) is None:
            purpose = "for validation: it needs more games"
            raise none_found(self.store, self.config.spec, purpose)

    def wait(self) -> None:
        """Until a batch is encoded."""
        assert self._loader is not None
        self._loader.wait()
        self.waited = self._loader.waited

    def next_batch(self) -> LoadedBatch:
        """The next batch of the store's games."""
        assert self._loader is not None
        return next(self._loader)

    def learn(self, batch: LoadedBatch, step: int) -> Learnt:
        """One step of the optimiser."""
        device = self.process.device
        self.parallel.train()
        x, y = to_device(batch.planes, device), torch.from_numpy(batch.label).to(device)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.config, step)
        with autocast(self.config, device):
            found = self.parallel(x)
        logits = (found[0] if self.config.auxiliary else found).float()
        loss = decided = nn.functional.cross_entropy(logits, y, class_weights(self.config, y, logits.shape[1]))
        figures = {}
        if self.config.auxiliary:
            assert batch.hidden is not None
            hidden = torch.from_numpy(batch.hidden).to(device).float()
            beside = nn.functional.binary_cross_entropy_with_logits(found[1].float(), hidden)
            loss = decided + self.config.auxiliary * beside
            figures["auxiliary_loss"] = float(beside.detach())
        if not torch.isfinite(loss):
            raise DivergedError(
                f"the loss is no longer a finite number at step {step + 1:,}: try a lower rate in another --out"
            )
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.taught.parameters(), self.config.clip)
        self.optimiser.step()
        if self.config.average:
            move_average(self.player, self.module, self.config.average, step)
        right = float((logits.argmax(1) == y).float().mean())  # without the legal mask
        return Learnt(self.config.batch, {"loss": float(decided.detach()), "accuracy": right, **figures})

    def figures(self, step: int) -> dict[str, float]:
        """The learning rate."""
        return {"learning_rate": learning_rate(self.config, step)}

    def validate(self, step: int) -> Validation:
        """The figures of the validation games."""
        config = self.config
        results = evaluate_model(
            self.player, self.store, config, "validation", config.eval_samples, self.process.device
        )
        curve = {"accuracy": results["accuracy"], "loss": results["loss"]}
        return Validation(results["accuracy"], curve, results)

    def say(self, figures: dict[str, float], validated: dict[str, float]) -> str:
        """The figures in a line."""
        text = (
            f"loss {figures['loss']:.3f}  right {figures['accuracy']:.1%}  {figures['rate']:,.0f} samples/s  "
            f"waiting {figures['waiting']:.0%}"
        )
        return f"{text}  validation {validated['accuracy']:.2%}" if validated else text

    def report(self, folder: Path) -> Report:
        """The figures of the best model."""

        return report(self, folder)
