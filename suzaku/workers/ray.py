"""Workers on a Ray cluster: each is an actor with a core of its own, on whatever node has one.

- Cores are never counted beforehand: what Ray says of them may be out of date. An actor that gets none is waited for
  while the others do its jobs, and joins them when a core is free.
- While a call is under way the actor is asked for signs of life. One that gives none for a minute, as after its node
  has vanished, is given up, and another is started wherever there is room.
"""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from suzaku.workers.workers import GoneError, Link, Remote, Setup

BEAT = 5.0  # seconds between two signs of life


class Cluster:
    """A Ray cluster: the one at RAY_ADDRESS, or one that is started on this machine.

    What workers print shows here if they are `heard`.
    """

    def __init__(self, heard: bool = False) -> None:
        try:
            import ray
        except ImportError:
            raise ValueError("--ray needs Ray: pip install 'suzaku[ray]'") from None
        if " " in sys.executable:  # its actors would never start
            raise ValueError(
                f"Ray gives {sys.executable!r} to a shell, which takes no spaces: install Suzaku elsewhere"
            )
        self.ray = ray
        self._started = not ray.is_initialized()
        if self._started:
            try:
                ray.init(include_dashboard=False, log_to_driver=heard)
            except ConnectionError:
                address = os.environ.get("RAY_ADDRESS", "")
                raise ValueError(
                    f"no Ray cluster answers at RAY_ADDRESS={address}: start one (ray start --head), or unset it for "
                    "one on this machine"
                ) from None

    @property
    def free(self) -> int:
        """Cores that nobody has reserved, as far as Ray knows."""
        return int(self.ray.available_resources().get("CPU", 0))

    def workers(self, setup: Setup, count: int, **about: Any) -> Remote[Any, Any]:
        """So many workers; `about` is what `Remote` takes."""
        kept = self.ray.put(setup)
        return Remote([RayLink(self.ray, kept) for _ in range(count)], ended=self.close, **about)

    def close(self) -> None:
        """A cluster that was there before stays."""
        if self._started:
            self.ray.shutdown()


class RayWorker:
    """The worker, on its node."""

    def beat(self) -> None:
        """A sign of life, while a job is done in another thread."""

    def open(self, setup: Setup) -> None:
        """Make the worker."""
        self._worker = setup.open()

    def work(self, job: Any) -> Any:
        """Do a job."""
        return self._worker.work(job)

    def close(self) -> None:
        """Let go of what is held."""
        self._worker.close()


class RayLink(Link):
    """A worker behind an actor."""

    def __init__(self, ray: Any, setup: Any) -> None:
        self._ray, self._setup = ray, setup
        self._actor: Any = None
        self._killed = False

    def start(self, alive: Callable[[], None]) -> None:
        """Ask for an actor, and open the worker once it is there."""
        options = {
            "num_cpus": 1,
            "max_restarts": 0,
            "max_concurrency": 2,  # signs of life beside the work
            "runtime_env": {"env_vars": {"OMP_NUM_THREADS": "1"}},
        }
        self._killed = False
        self.lacks = "a core"
        self._actor = self._ray.remote(**options)(RayWorker).remote()
        found = self._actor.beat.remote()
        while not self._ready([found], 1.0):
            pass
        self._get(found)
        self.lacks = ""
        alive()
        self._wait(self._actor.open.remote(self._setup), alive)

    def ask(self, job: Any, alive: Callable[[], None]) -> Any:
        """Call the actor."""
        return self._wait(self._actor.work.remote(job), alive)

    def end(self, patience: float) -> None:
        """Let it close, and kill it."""
        self._ray.wait([self._actor.close.remote()], timeout=patience)
        self.kill()

    def kill(self) -> None:
        """Whoever waits sees it at the next look."""
        self._killed = True
        if self._actor is not None:
            self._ray.kill(self._actor)

    def _wait(self, pending: Any, alive: Callable[[], None]) -> Any:
        """The value, with signs of life on the way."""
        beat, asked = None, time.monotonic()
        while True:
            if beat is None and time.monotonic() - asked > BEAT:
                beat, asked = self._actor.beat.remote(), time.monotonic()
            done = self._ready([pending] if beat is None else [pending, beat], 1.0)
            if pending in done:
                return self._get(pending)
            if beat is not None and beat in done:
                self._get(beat)
                alive()
                beat = None

    def _ready(self, pending: list[Any], seconds: float) -> list[Any]:
        if self._killed:
            raise GoneError("was ended")
        done, _ = self._ray.wait(pending, timeout=seconds)
        return done

    def _get(self, found: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(found)
        except errors.RayTaskError as error:
            raise error.cause from None
        except (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError, errors.NodeDiedError):
            raise GoneError("was lost, alone or with its node") from None
