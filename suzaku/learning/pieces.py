"""The pieces of a run: each start of it, on whatever machine, with its steps and the time they took."""

import contextlib
import os
import platform
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

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
