"""Curves for TensorBoard: `tensorboard --logdir FOLDER` shows them while a run goes on."""

import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

from suzaku.files import why_not


class Curves:
    """The curves of one run; without tensorboard installed, nothing is written.

    torch's SummaryWriter writes in a thread of its own, which a full disk ends with a traceback. Here a disk that is
    full ends the curves alone, in a sentence.
    """

    def __init__(self, folder: Path, step: int) -> None:
        """Go on from a step: what was written beyond it, before an interrupt, is left out."""
        self._writer: Any = None
        try:
            from tensorboard.compat.proto.event_pb2 import SessionLog
            from tensorboard.summary.writer.record_writer import RecordWriter
        except ImportError:
            return
        name = f"events.out.tfevents.{time.time_ns() // 10**9}.{socket.gethostname()}.{os.getpid()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._writer = RecordWriter((folder / name).open("ab"))
        except OSError as problem:
            self._give_up(problem)
        self._write(file_version="brain.Event:2")
        # TensorBoard leaves out what it has read from this step on
        self._write(step=step + 1, session_log=SessionLog(status=SessionLog.START))

    def add(self, group: str, values: dict[str, float]) -> None:
        """Add a point to the curve of each value; the key "step" says where."""
        if self._writer is None:
            return
        from tensorboard.compat.proto.summary_pb2 import Summary

        points = [
            Summary.Value(tag=f"{group}/{name}", simple_value=value) for name, value in values.items() if name != "step"
        ]
        self._write(step=int(values["step"]), summary=Summary(value=points))

    def close(self) -> None:
        """Write all that is waiting."""
        if self._writer is not None:
            try:
                self._writer.close()
            except OSError as problem:
                self._give_up(problem)

    def _write(self, **event: Any) -> None:
        if self._writer is None:
            return
        from tensorboard.compat.proto.event_pb2 import Event

        try:
            self._writer.write(Event(wall_time=time.time(), **event).SerializeToString())
            self._writer.flush()
        except OSError as problem:
            self._give_up(problem)

    def _give_up(self, problem: OSError) -> None:
        self._writer = None
        print(f"suzaku: no more curves for TensorBoard are written: {why_not(problem)}", file=sys.stderr)
