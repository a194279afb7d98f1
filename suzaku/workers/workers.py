"""Workers do jobs for this process: here, in processes of this machine (`processes.py`), or on Ray (`ray.py`).

- A worker is opened from a setup, does one job at a time, and may keep a state from one of its jobs to the next.
- A job goes to whoever is free, or to a named worker where that state matters. Replies come as they are ready.
- Each worker elsewhere has a thread here that starts it, hands it jobs and reads its replies. The caller waits for all
  of them in `next`, where Ctrl-C always works.
- A worker that was killed, or gave no sign of life for a minute, is replaced. A job that anyone could do is done by the
  next that is free. A job for a named worker comes back as LOST, because the state it builds on is gone.
- A worker that cannot start, such as one that waits for a core of a cluster, holds up nobody. Where none can, the wait
  ends with a LostError after a minute.
- Whoever waits longer than half a minute, and three times longer than for any reply before, says for what.
"""

import collections
import enum
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from suzaku.system import say

Job = TypeVar("Job")
Reply = TypeVar("Reply")
A = TypeVar("A")
B = TypeVar("B")

TICK = 0.5  # seconds between two looks at the workers
SAY = 30.0  # seconds of waiting before it is said for what
SILENCE = 55.0  # seconds without a sign of life after which a worker is given up: it goes on within a minute
LOSSES = 3  # of one worker in a row, or with one job: then something is wrong with the machine or with the job
PATIENCE = 5.0  # seconds that a worker has to close what it holds


class LostError(RuntimeError):
    """Workers were lost, and so were those that took their place; or none could start."""


class GoneError(Exception):
    """A worker is gone; the text says how."""


class Lost(enum.Enum):
    """What comes back in place of a reply where the named worker was lost."""

    LOST = "lost"


LOST = Lost.LOST


class Worker(Protocol):
    """Does jobs, one after the other."""

    def work(self, job: Any) -> Any:
        """Do a job."""

    def close(self) -> None:
        """Let go of what is held."""


class Setup(Protocol):
    """What a worker is made from. It is sent to wherever the worker is."""

    def open(self) -> Worker:
        """Make the worker."""


@dataclass(frozen=True)
class Each(Generic[A, B]):
    """A worker without a state: a function of each of some items."""

    function: Callable[[A], B]

    def open(self) -> "Each[A, B]":
        """The worker is its own setup."""
        return self

    def work(self, items: list[A]) -> list[B]:
        """The results, in order."""
        return [self.function(item) for item in items]

    def close(self) -> None:
        """Nothing is held."""


class Workers(ABC, Generic[Job, Reply]):
    """Some workers."""

    count: int
    replaced = 0  # workers that were lost so far

    @abstractmethod
    def give(self, job: Job, worker: int | None = None) -> None:
        """Let a job be done, by whoever is free or by this worker. Returns at once."""

    @abstractmethod
    def next(self) -> tuple[int, Job, Reply | Lost]:
        """Wait for the next reply: who gives it, to which job. What goes wrong in a job is raised here."""

    @abstractmethod
    def stop(self) -> None:
        """Begin no further job; whoever waits in `next` gets a GoneError. From any thread."""

    @abstractmethod
    def close(self) -> None:
        """Send the workers home."""

    def map(self, jobs: Iterable[Job], ahead: int = 4) -> Iterator[Reply]:
        """The replies in the order of the jobs, of which no more than `ahead` a worker are under way."""
        jobs = iter(jobs)
        order: collections.deque[int] = collections.deque()
        kept: dict[int, Job] = {}  # by id: a job must not be freed while its id stands for it
        came: dict[int, Reply] = {}
        while True:
            for job in islice(jobs, ahead * self.count - len(order)):
                order.append(id(job))
                kept[id(job)] = job
                self.give(job)
            if not order:
                return
            while order[0] not in came:
                _, job, reply = self.next()
                assert reply is not LOST, "only a job for a named worker comes back as lost"
                came[id(job)] = reply
            del kept[order[0]]
            yield came.pop(order.popleft())


class Here(Workers[Job, Reply]):
    """One worker, in this process: it works when its reply is asked for."""

    count = 1

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self._jobs: collections.deque[Job] = collections.deque()

    def give(self, job: Job, worker: int | None = None) -> None:
        """Note it."""
        self._jobs.append(job)

    def next(self) -> tuple[int, Job, Reply | Lost]:
        """Do the job that was given first."""
        job = self._jobs.popleft()
        return 0, job, self.worker.work(job)

    def stop(self) -> None:
        """Forget the jobs that are left."""
        self._jobs.clear()

    def close(self) -> None:
        """Close the worker."""
        self.worker.close()


class Link(ABC):
    """A worker elsewhere. Its own thread alone calls `start`, `ask` and `end`; anyone may call `kill`."""

    where = ""  # such as "process 4711"
    lacks = ""  # what it needs to start and has not got, such as a core

    @abstractmethod
    def start(self, alive: Callable[[], None]) -> None:
        """Start the worker and wait until it is open. GoneError if it ends before; errors of its setup are raised."""

    @abstractmethod
    def ask(self, job: Any, alive: Callable[[], None]) -> Any:
        """The reply to a job; `alive` is called with each sign of life. GoneError, or what went wrong in the job."""

    @abstractmethod
    def end(self, patience: float) -> None:
        """Let the worker close what it holds, and end it."""

    @abstractmethod
    def kill(self) -> None:
        """End the worker at once; whoever waits for it gets a GoneError."""


class _Seat:
    """What is known here of one worker elsewhere."""

    def __init__(self, number: int, link: Link) -> None:
        self.number, self.link = number, link
        self.jobs: collections.deque[Any] = collections.deque()  # for this worker alone
        self.is_ready = False
        self.is_silent = False  # it was given up for that
        self.silence = 0.0  # seconds that somebody waited here without a sign of life
        self.since: float | None = None  # when its job began, or its start
        self.losses = 0  # one after the other

    def begin(self) -> None:
        """It starts, or begins a job."""
        self.silence, self.since = 0.0, time.monotonic()

    def alive(self) -> None:
        """It gave a sign of life."""
        self.silence = 0.0

    @property
    def name(self) -> str:
        """How it is called in sentences."""
        return f"worker {self.number}" + (f" ({self.link.where})" if self.link.where else "")

    @property
    def work(self) -> str:
        """What is waited for."""
        if self.link.lacks:
            return f"worker {self.number} waits for {self.link.lacks}"
        seconds = time.monotonic() - (self.since or 0.0)
        state = f"at work for {seconds:.0f} s" if self.is_ready else f"starting for {seconds:.0f} s"
        silent = f", no sign of life for {self.silence:.0f} s" if self.silence > SAY / 2 else ""
        return f"{self.name} is {state}{silent}"


class Remote(Workers[Job, Reply]):
    """Workers elsewhere, each behind a link."""

    def __init__(
        self,
        links: Iterable[Link],
        *,
        patience: float = PATIENCE,
        resume: str = "",
        describe: Callable[[Job], str] = lambda job: "",
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        """`resume` says how to go on after a LostError, `describe` names a job in it; `ended` is called after all."""
        self._seats = [_Seat(number, link) for number, link in enumerate(links)]
        self.count = len(self._seats)
        self._patience, self._resume, self._describe, self._ended = patience, resume, describe, ended
        self._jobs: collections.deque[Job] = collections.deque()  # for whoever is free
        self._tries: collections.Counter[int] = collections.Counter()  # workers lost with a job, by its id
        self._change = threading.Condition()
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._closing = False
        self._longest = 0.0  # seconds that any reply took
        self._threads = [
            threading.Thread(target=self._serve, args=(seat,), daemon=True, name=seat.name) for seat in self._seats
        ]
        for thread in self._threads:
            thread.start()

    def give(self, job: Job, worker: int | None = None) -> None:
        """Put it where the worker's thread finds it."""
        with self._change:
            (self._jobs if worker is None else self._seats[worker].jobs).append(job)
            self._change.notify_all()

    def next(self) -> tuple[int, Job, Reply | Lost]:
        """Wait, and look after the workers meanwhile."""
        began = before = time.monotonic()
        limit = max(SAY, 3 * self._longest)
        while True:
            try:
                found = self._inbox.get(timeout=TICK)
            except queue.Empty:
                if self._closing:
                    raise GoneError("the workers were sent home") from None
                now = time.monotonic()
                self._look(min(now - before, 2 * TICK))  # not the time for which this process was suspended itself
                before = now
                if now - began > limit:
                    say("; ".join(["waiting for a reply", *(seat.work for seat in self._seats if seat.since)]))
                    limit *= 2
                continue
            if isinstance(found, BaseException):
                raise found
            worker, job, reply, seconds = found
            self._longest = max(self._longest, seconds)
            return worker, job, reply

    def close(self) -> None:
        """Let those close that are idle or soon will be, and end all."""
        self.stop()
        end = time.monotonic() + self._patience
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        for seat, thread in zip(self._seats, self._threads, strict=True):
            if thread.is_alive():
                seat.link.kill()
        for thread in self._threads:
            thread.join(PATIENCE)
        self._ended()

    def stop(self) -> None:
        """Begin no further job; whoever waits in `next` gets a GoneError. From any thread."""
        with self._change:
            self._closing = True
            self._change.notify_all()

    def _look(self, seconds: float) -> None:
        """Give up who has been silent for too long."""
        for seat in self._seats:
            if seat.since is None:
                continue
            before, seat.silence = seat.silence, seat.silence + seconds
            if seat.silence <= SILENCE:
                continue
            if not seat.link.lacks:
                seat.is_silent = True
                seat.silence = 0.0
                seat.link.kill()
            elif before <= SILENCE:
                ready = sum(one.is_ready for one in self._seats)
                say(f"{seat.work}: {ready} of {self.count} answer")
                if not ready and all(one.link.lacks for one in self._seats):  # those that start may still be ready
                    raise LostError(f"no worker could start: {seat.work}. {self._resume}".strip())

    def _serve(self, seat: _Seat) -> None:
        """The life of a worker and of those that take its place, in a thread of its own."""
        while not self._closing:
            job: Job | None = None
            named = False
            try:
                seat.begin()
                seat.link.start(seat.alive)
                seat.is_ready = True
                while True:
                    seat.since = None
                    job, named = self._take(seat)
                    if job is None:
                        break
                    seat.begin()
                    began = time.monotonic()
                    reply = seat.link.ask(job, seat.alive)
                    seat.losses = 0
                    self._inbox.put((seat.number, job, reply, time.monotonic() - began))
                seat.link.end(self._patience)
                return
            except GoneError as gone:
                seat.is_ready = False
                if self._closing or self._is_too_much(seat, job, named, gone):
                    return
            except BaseException as error:  # of the job, or of the setup
                seat.since = None
                seat.link.end(self._patience)
                self._inbox.put(error)
                return

    def _take(self, seat: _Seat) -> tuple[Job | None, bool]:
        """The next job of a worker, and whether it is for this one alone; none once all are sent home."""
        with self._change:
            self._change.wait_for(lambda: self._closing or seat.jobs or self._jobs)
            if self._closing:
                return None, False
            return (seat.jobs.popleft(), True) if seat.jobs else (self._jobs.popleft(), False)

    def _is_too_much(self, seat: _Seat, job: Job | None, named: bool, gone: GoneError) -> bool:
        """Hand on the job of a worker that is gone, if this may go on."""
        why = f"gave no sign of life for {SILENCE:.0f} s" if seat.is_silent else str(gone)
        text = f"{seat.name} {why}"
        seat.is_silent = False
        seat.link.kill()
        self.replaced += 1
        seat.losses += 1
        tries = seat.losses
        if job is not None and not named:
            self._tries[id(job)] += 1
            tries = max(tries, self._tries[id(job)])
        if tries >= LOSSES:
            doing = self._describe(job) if job is not None else ""
            told = f"{text}, the {tries}rd time in a row{' with ' + doing if doing else ''}. {self._resume}"
            self._inbox.put(LostError(told.strip()))
            return True
        say(f"{text}; another takes its place")
        if job is not None and named:
            self._inbox.put((seat.number, job, LOST, 0.0))
        elif job is not None:
            with self._change:
                self._jobs.appendleft(job)
                self._change.notify_all()
        return False
