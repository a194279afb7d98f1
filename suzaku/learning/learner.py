"""What the training loop needs of something that learns, the learning rate over its steps, and the pieces of a run.

- The learning rate over the steps of a run.
- The pieces of a run: each start of it, on whatever machine, with its steps and the time they took.
- What the training loop (`loop.py`) needs of something that learns.
"""

import contextlib
import math
import os
import platform
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Protocol

from msgspec import structs

from suzaku.networks.info import CheckpointError, check_sum, read_bytes


class Rates(Protocol):
    """The settings that it follows from."""

    @property
    def rate(self) -> float: ...
    @property
    def warm_up(self) -> int: ...
    @property
    def steps(self) -> int: ...


def learning_rate(config: Rates, step: int) -> float:
    """Up in a line, then down by half a cosine."""
    if step < config.warm_up:
        return config.rate * (step + 1) / config.warm_up
    done = (step - config.warm_up) / max(1, config.steps - config.warm_up)
    return config.rate * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))


UNKNOWN = "not recorded"


@dataclass
class Piece:
    """What one start of a run did; the steps up to its last checkpoint count."""

    began: str  # date and time, UTC
    first: int  # steps done before it
    last: int  # steps done after it
    samples: int
    seconds: float | None  # looks at the validation games included; None if nobody kept count
    machine: str
    precision: str  # bfloat16 or float32

    def to_dict(self) -> dict[str, Any]:
        """As it goes into a checkpoint."""
        return asdict(self)


def begin(step: int, device: str, processes: int, bfloat16: bool) -> Piece:
    """A piece that begins now, at a step."""
    began = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    precision = "bfloat16" if bfloat16 else "float32"
    return Piece(began, step, step, 0, 0.0, _machine(device, processes), precision)


def read_pieces(kept: list[dict[str, Any]] | None, step: int, batch: int) -> list[Piece]:
    """The pieces of a run that was kept at a step; one of which nobody kept count if it is older than they are."""
    if kept is not None:
        names = {field.name for field in fields(Piece)}
        return [Piece(**{name: value for name, value in piece.items() if name in names}) for piece in kept]
    return [Piece(UNKNOWN, 0, step, step * batch, None, UNKNOWN, UNKNOWN)] if step else []


def totals(pieces: list[Piece]) -> str:
    """All pieces together, in a sentence."""
    steps, samples = pieces[-1].last, sum(piece.samples for piece in pieces)
    known = [piece.seconds for piece in pieces if piece.seconds is not None]
    took = duration(sum(known)) if len(known) == len(pieces) else f"over {duration(sum(known))}"
    machines = list(dict.fromkeys(piece.machine for piece in pieces))
    count = "one piece" if len(pieces) == 1 else f"{len(pieces)} pieces"
    return f"{steps:,} steps, {samples:,} samples in {took}, in {count}, on {'; '.join(machines)}"


def duration(seconds: float) -> str:
    """A time in hours and minutes, or what a short one needs."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def _machine(device: str, processes: int) -> str:
    """What computes: the graphics card or the processor, and how many of them."""
    import torch  # here, for those who only read of pieces

    if device != "cpu":
        name, unit, count = torch.cuda.get_device_name(device), "processes", processes
    else:
        name, unit, count = _processor(), "threads", torch.get_num_threads() * processes
    return name if count == 1 else f"{name}, {count} {unit}"


def _processor() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine() or os.name


# The loop keeps the folder of a run, its checkpoints and curves, counts steps and pieces, and goes on exactly after
# an interrupt. A learner has the weights: it says what a step is, what is to be kept, and how good it has become. It
# may be a network and an optimiser, several of them with a buffer of games, or a few NumPy arrays.


class DivergedError(ValueError):
    """A run whose weights are no longer worth keeping."""


@dataclass(frozen=True)
class Process:
    """Which of the processes that learn together this one is, and where it computes."""

    rank: int = 0
    world: int = 1
    device: str = "cpu"

    @classmethod
    def of_torchrun(cls) -> "Process":
        """As torchrun says; alone if it says nothing. On a GPU where there is one."""
        import torch

        device = f"cuda:{os.environ.get('LOCAL_RANK', 0)}" if torch.cuda.is_available() else "cpu"
        return cls(int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1)), device)


@dataclass(frozen=True)
class Schedule:
    """When the loop ends, validates and saves, in steps."""

    steps: int | None  # None: until somebody stops it, or the learner is done
    eval_every: int
    save_every: int
    keep_every: int | None = None  # of learners with checkpoints that stay: they are written with a state

    def saves(self, step: int) -> bool:
        """Whether a state is due after so many steps."""
        return step > 0 and any(step % every == 0 for every in (self.save_every, self.keep_every) if every)


@dataclass
class Learnt:
    """What came of a step."""

    samples: int  # learnt from, of all processes together
    figures: dict[str, float]  # the loop tells their means over the last steps


@dataclass
class Validation:
    """How good a learner is at a step."""

    score: float  # the higher the better: the best so far is kept
    curve: dict[str, float]  # the points of the validation curves
    results: dict[str, Any]  # all figures, for the checkpoint


@dataclass
class Report:
    """What a learner says of itself in the report of its run."""

    lines: list[str] = field(default_factory=list)  # of Markdown
    results: dict[str, Any] = field(default_factory=dict)  # its figures, for whoever wanted the run
    panels: tuple[Callable[[Any], None], ...] = ()  # each draws on one of matplotlib's axes, beside the curves
    intervals: dict[str, str] = field(default_factory=dict)  # of a validation curve, the one that is half its interval
    units: dict[str, str] = field(default_factory=dict)  # what validation curves are in
    undrawn: tuple[str, ...] = ()  # validation curves that are no picture


class Learner(ABC):
    """Something that learns step by step."""

    COMMAND: ClassVar[str]  # `suzaku train COMMAND`: a folder of another one is refused
    FREE: ClassVar[frozenset[str]] = frozenset(("steps", "eval_every", "save_every"))  # settings that may change later

    config: Any  # a struct of settings (`settings.py`)
    process: Process = Process()
    waited: float = 0.0  # seconds spent waiting for something to learn from

    @property
    @abstractmethod
    def title(self) -> str:
        """What is learnt, in a few words for the progress bar."""

    @property
    def schedule(self) -> Schedule:
        """When to end, validate and save: as the settings say."""
        return Schedule(self.config.steps, self.config.eval_every, self.config.save_every)

    def may_change(self, step: int) -> frozenset[str]:
        """The settings that a run which has come to this step may go on with otherwise."""
        return self.FREE

    @property
    def bfloat16(self) -> bool:
        """Whether it computes in bfloat16, for the record of the run."""
        return False

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """All that is needed to go on, as named parts: tensors, arrays, numbers, texts, and lists and dicts of them.

        torch's random numbers are the loop's; those of other generators belong here.
        """

    @abstractmethod
    def restore(self, state: dict[str, Any], folder: Path) -> None:
        """Go on from what `state` gave; a ValueError, before anything is changed, says what does not fit."""

    @abstractmethod
    def save(self, path: Path, about: dict[str, Any]) -> None:
        """Write a checkpoint of this name (several files if there are several models).

        `about` holds "step", "pieces" and "results", and goes into what the checkpoint says of itself.
        """

    def problems(self, path: Path) -> list[str]:
        """What is wrong with what `save` once wrote there, in a sentence each; as it is, networks are looked at."""
        files = [*path.parent.glob(f"{path.name}.*"), *path.glob("*.*")]
        found = []
        for name in sorted({file.with_suffix("") for file in files if file.suffix in (".json", ".safetensors")}):
            try:
                data, info = read_bytes(name)
                check_sum(name, data, info)
            except CheckpointError as problem:
                found.append(str(problem))
        return found

    def saved(self) -> None:  # noqa: B027
        """The state is on the disk: files that only older ones needed may go."""

    def begin(self, step: int) -> None:  # noqa: B027
        """Get ready to learn the next step: threads, workers. Raise here what would stop the run later."""

    def end(self) -> None:  # noqa: B027
        """Let go of what `begin` started."""

    def wait(self) -> None:  # noqa: B027
        """Wait until there is something to learn from; may be interrupted, and changes nothing that `state` gives."""

    @abstractmethod
    def next_batch(self) -> Any:
        """Take what the next step learns from; it is part of the step, and signals wait until that is over."""

    @abstractmethod
    def learn(self, batch: Any, step: int) -> Learnt:
        """Learn one step, `step` being those done before it; signals wait until it is over."""

    def figures(self, step: int) -> dict[str, float]:
        """What to tell beside the means of what was learnt, such as a learning rate."""
        return {}

    def validate(self, step: int) -> Validation | None:
        """How good it is now; None if that cannot be said."""
        return None

    def done(self, step: int) -> bool:
        """Whether it has learnt enough."""
        return self.schedule.steps is not None and step >= self.schedule.steps

    def say(self, figures: dict[str, float], validated: dict[str, float]) -> str:
        """What the loop tells, and the last point of the validation curves if there is one, as a line of text."""
        return "  ".join(f"{name} {value:.4g}" for name, value in figures.items() if name != "step")

    def report(self, folder: Path) -> Report:
        """What the report is to say beside curves, pieces and settings, of the run in this folder."""
        return Report()

    def settings(self) -> dict[str, Any]:
        """All settings by name."""
        return structs.asdict(self.config)
