"""Curves for TensorBoard: `tensorboard --logdir FOLDER` shows them while a run goes on."""

from pathlib import Path
from typing import Any


class Curves:
    """The curves of one run; without tensorboard installed, nothing is written."""

    def __init__(self, folder: Path, step: int) -> None:
        """Go on from a step: what was written beyond it, before an interrupt, is left out."""
        self._writer: Any = None
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            return
        self._writer = SummaryWriter(str(folder), purge_step=step)

    def add(self, group: str, values: dict[str, float]) -> None:
        """Add a point to the curve of each value; the key "step" says where."""
        if self._writer is None:
            return
        for name, value in values.items():
            if name != "step":
                self._writer.add_scalar(f"{group}/{name}", value, int(values["step"]))

    def close(self) -> None:
        """Write all that is waiting."""
        if self._writer is not None:
            self._writer.close()
