"""The training loop of anything that learns: its folder, checkpoints, curves, and exact resume.

- Ctrl-C and kill at the right moment: a step that has begun is ended first, so that a run can go on exactly.
- Curves for TensorBoard: `tensorboard --logdir FOLDER` shows them while a run goes on.
- The training loop of anything that learns (`learner.py`): its folder, checkpoints, curves, and exact resume.
"""

import io
import json
import os
import pickle
import signal
import socket
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch

from suzaku.learning.learner import DivergedError, Learner, Learnt, Piece, begin, read_pieces
from suzaku.learning.settings import defaults
from suzaku.system import say, why_not, write_whole, writing

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SOON = 2.0  # seconds after which it is said what is still going on


@contextmanager
def defer_signals(what: str = "") -> Iterator[None]:
    """Let these signals wait until the end of the block.

    A block that may take long says `what` it is, in a sentence that tells what a second signal does: it comes at once.
    """
    if threading.current_thread() is not threading.main_thread():  # signals come to the main thread only
        yield
        return
    came: list[int] = []
    told = threading.Timer(SOON, say, (what,))
    told.daemon = True

    def note(number: int, _: object) -> None:
        came.append(number)
        if what and len(came) == 1:
            told.start()
        elif what:
            restore()
            signal.raise_signal(number)

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {number: signal.signal(number, note) for number in SIGNALS}
    try:
        yield
    finally:
        told.cancel()
        restore()
        if len(came) == 1 or (came and not what):
            signal.raise_signal(came[0])


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


BEST, LAST, STATE = "best", "last", "last.state.pt"
EVERY = 20  # steps between two lines of progress
STOPPING = "the step that has begun is ended first; Ctrl-C again stops at once, and the run goes on from its last save"


class _Recent:
    """What came of the last steps."""

    def __init__(self, learner: Learner) -> None:
        self._learner, self._waited, self._began = learner, learner.waited, time.monotonic()
        self._learnt: list[Learnt] = []

    def add(self, learnt: Learnt) -> None:
        """Take one step in."""
        self._learnt.append(learnt)

    def figures(self, step: int) -> dict[str, float]:
        """What to tell of them, by name."""
        took = max(1e-9, time.monotonic() - self._began)
        names = dict.fromkeys(name for learnt in self._learnt for name in learnt.figures)
        means = {
            name: float(np.mean([learnt.figures[name] for learnt in self._learnt if name in learnt.figures]))
            for name in names
        }
        rate = sum(learnt.samples for learnt in self._learnt) / took
        waiting = (self._learner.waited - self._waited) / took
        return {"step": step, **means, "rate": rate, **self._learner.figures(step), "waiting": waiting}


class Run:
    """A run in a folder: `best` and `last` checkpoints, the state to resume from, and the curves."""

    def __init__(self, learner: Learner, folder: Path) -> None:
        """Begin a run, or go on with the one that stands in the folder."""
        self.learner, self.folder = learner, folder
        self.rank = learner.process.rank
        self.step, self.best, self.curve = 0, -np.inf, []  # type: int, float, list[dict[str, float]]
        self.pieces: list[Piece] = []
        self._began = 0.0
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / STATE).exists():
            self._resume(folder / STATE)

    def _resume(self, path: Path) -> None:
        learner, device = self.learner, self.learner.process.device
        try:
            with zipfile.ZipFile(path) as parts:  # torch itself does not look whether the bytes are the ones written
                if parts.testzip():
                    raise ValueError
            state = unpack(torch.load(path, map_location="cpu", weights_only=True))
            before = json.loads(state["config"])
            step, best, curve = state["step"], state["best"], json.loads(state["curve"])
        except (RuntimeError, EOFError, OSError, KeyError, ValueError, pickle.UnpicklingError, zipfile.BadZipFile):
            last = f", or begin in another --out with --set start={self.folder / LAST}"
            other = last if hasattr(learner.config, "start") else ""
            raise ValueError(f"{path} is damaged: delete {self.folder} to begin anew{other}") from None
        command = state.get("command", state.get("kind", "supervised"))  # the first runs were all of one
        if command != learner.COMMAND:
            raise ValueError(f"{self.folder} holds a run of `suzaku train {command}`; choose another --out")
        usual = defaults(type(learner.config))
        now = json.loads(json.dumps(learner.settings()))
        changed = {key for key, value in now.items() if before.get(key, usual.get(key)) != value}
        changed -= learner.may_change(step)
        if changed:
            has = ", ".join(f"{key}={before.get(key, usual.get(key))}" for key in sorted(changed))
            raise ValueError(
                f"{self.folder} holds a run with other settings ({', '.join(sorted(changed))}): it has {has}; "
                "choose another --out or delete it"
            )
        learner.restore(state, self.folder)
        self.step, self.best, self.curve = step, best, curve
        self.pieces = read_pieces(state.get("pieces"), step, before.get("batch", 0))
        torch.set_rng_state(state["random"])
        if device != "cpu" and "device_random" in state:
            torch.cuda.set_rng_state(state["device_random"], device)
        if self.rank == 0:
            self._say_what_is_damaged()

    def _say_what_is_damaged(self) -> None:
        """Look at the checkpoints beside the state."""
        for name, then in ((LAST, f"it is written again from {STATE}"), (BEST, f"{LAST} stands beside it")):
            for problem in self.learner.problems(self.folder / name):
                say(f"{problem}; {then}")

    def save(self) -> None:
        """Keep all that is needed to go on."""
        if self.rank:
            return
        self._count()
        state: dict[str, Any] = {
            "command": self.learner.COMMAND,
            "config": json.dumps(self.learner.settings()),
            "step": self.step,
            "best": self.best,
            "curve": json.dumps(self.curve),
            "pieces": [piece.to_dict() for piece in self.pieces],
            "random": torch.get_rng_state(),
        }
        if self.learner.process.device != "cpu":
            state["device_random"] = torch.cuda.get_rng_state(self.learner.process.device)
        parts = self.learner.state()
        if both := parts.keys() & state.keys():
            raise TypeError(f"the loop keeps {sorted(both)} itself: the learner must name these parts otherwise")
        data = io.BytesIO()
        torch.save(pack(state | parts), data)
        with defer_signals():
            self._checkpoint(LAST, self.curve[-1] if self.curve else {})
            write_whole(self.folder / STATE, data.getvalue())
            self.learner.saved()

    def _checkpoint(self, name: str, results: dict[str, Any]) -> None:
        pieces = [piece.to_dict() for piece in self.pieces]
        self.learner.save(self.folder / name, {"step": self.step, "pieces": pieces, "results": results})

    def _count(self) -> None:
        """Bring the piece that is going on up to now."""
        if self._began:
            self.pieces[-1].last = self.step
            self.pieces[-1].seconds = round(time.monotonic() - self._began, 1)

    def _validation_is_due(self) -> bool:
        """Whether to look at the learner now; a look that was interrupted still is due."""
        if self.step == 0 or (self.curve and self.curve[-1]["step"] == self.step):
            return False
        return self.step % self.learner.schedule.eval_every == 0 or self.learner.done(self.step)

    def _validate(self) -> bool:
        """See how good the learner is, and keep it if it is the best so far; whether there was anything to see."""
        found = self.learner.validate(self.step)
        if found is None:
            return False
        with defer_signals():
            self._count()
            self.curve.append({"step": self.step, **{name: float(value) for name, value in found.curve.items()}})
            if found.score > self.best and self.rank == 0:
                self.best = float(found.score)
                self._checkpoint(BEST, {"validation": found.results})
        return True

    def run(
        self,
        tell: Callable[[dict[str, float]], None],
        every: int = EVERY,
        validated: Callable[[dict[str, float]], None] = lambda _: None,
    ) -> None:
        """Learn until the learner is done. An interrupt keeps what was learnt.

        `tell` hears the figures of training by name, `validated` each new point of the validation curves.
        """
        with writing(self.folder) if self.rank == 0 else nullcontext():
            self._run(tell, every, validated)

    def _run(
        self,
        tell: Callable[[dict[str, float]], None],
        every: int,
        validated: Callable[[dict[str, float]], None],
    ) -> None:
        learner = self.learner
        try:
            learner.begin(self.step)
        except BaseException:
            learner.end()  # what it had started
            raise
        curves = Curves(self.folder / "curves", self.step) if self.rank == 0 else None
        worth_keeping = True  # False once a step has begun that did not end
        try:
            if not learner.done(self.step):  # a run that is done has no further piece
                process = learner.process
                self.pieces.append(begin(self.step, process.device, process.world, learner.bfloat16))
                self._began = time.monotonic()
            recent = _Recent(learner)
            while True:
                if self._validation_is_due() and self._validate():
                    if curves:
                        curves.add("validation", self.curve[-1])
                    validated(self.curve[-1])
                    recent = _Recent(learner)
                if learner.done(self.step):
                    break
                if learner.schedule.saves(self.step):
                    self.save()
                learner.wait()
                with defer_signals(STOPPING):  # half a step would not be the same when the run goes on
                    worth_keeping = False
                    learnt = learner.learn(learner.next_batch(), self.step)
                    self.step += 1
                    self.pieces[-1].samples += learnt.samples
                    worth_keeping = True
                recent.add(learnt)
                if self.step % every == 0:
                    figures = recent.figures(self.step)
                    tell(figures)
                    if curves:
                        curves.add("training", figures)
                    recent = _Recent(learner)
        except DivergedError:
            worth_keeping = False
            raise
        finally:
            learner.end()
            if curves:
                curves.close()
            if worth_keeping:
                self.save()
            self._began = 0.0


def pack(value: Any) -> Any:
    """A state for torch to write: what is NumPy's, which it would not read back without running code, as bytes.

    Tuples come back as lists.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        data = io.BytesIO()
        np.save(data, value, allow_pickle=False)
        name = "npy" if isinstance(value, np.ndarray) else "npy scalar"
        return {name: torch.frombuffer(bytearray(data.getvalue()), dtype=torch.uint8)}
    if isinstance(value, dict):
        return {key.item() if isinstance(key, np.generic) else key: pack(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [pack(item) for item in value]
    return value


def unpack(value: Any) -> Any:
    """What `pack` was given."""
    if isinstance(value, dict):
        for name in ("npy", "npy scalar"):
            if value.keys() == {name}:
                found = np.load(io.BytesIO(value[name].numpy().tobytes()), allow_pickle=False)
                return found if name == "npy" else found[()]
        return {key: unpack(item) for key, item in value.items()}
    return [unpack(item) for item in value] if isinstance(value, (list, tuple)) else value
