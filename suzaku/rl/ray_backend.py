"""Actors on a Ray cluster: each is a process with a core, on whatever node has one; weights travel in the orders."""

import os
import sys
from collections.abc import Callable
from typing import Any

from suzaku.rl.actor import Actor, Harvest, Order, Setup
from suzaku.rl.pool import LostError


class RayBackend:
    """Actors of Ray. A cluster that runs is used (RAY_ADDRESS); else one is started on this machine."""

    def __init__(self) -> None:
        try:
            import ray
        except ImportError:
            raise ValueError("--ray needs Ray: pip install 'suzaku[ray]'") from None
        if " " in sys.executable:  # its actors would never start, and the run would wait for them
            raise ValueError(
                f"Ray gives {sys.executable!r} to a shell, which takes no spaces: install Suzaku elsewhere"
            )
        self._ray = ray
        self._started = not ray.is_initialized()
        if self._started:
            try:
                ray.init(include_dashboard=False, log_to_driver=False)
            except ConnectionError:
                address = os.environ.get("RAY_ADDRESS", "")
                raise ValueError(
                    f"no Ray cluster answers at RAY_ADDRESS={address}: start one (ray start --head), or unset it for "
                    "one on this machine"
                ) from None
        self._cores = int(ray.cluster_resources().get("CPU", 0))  # that no actor has reserved

    def make(self, setup: Setup, snapshot: bytes | None) -> Any:
        """An actor; it reserves a core as long as there is one for each."""
        reserved = min(1, self._cores)
        self._cores -= reserved
        options: dict[str, Any] = {
            "num_cpus": reserved,
            "max_restarts": 0,
            "runtime_env": {"env_vars": {"OMP_NUM_THREADS": "1"}},
        }
        remote: Callable[..., Any] = self._ray.remote
        return remote(**options)(Actor).remote(setup, snapshot)

    def send(self, actor: Any, order: Order) -> Any:
        """Call the actor."""
        return actor.play.remote(order)

    def receive(self, pending: Any) -> Harvest:
        """Wait for it."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(pending)
        except (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError, errors.NodeDiedError):
            raise LostError from None
        except errors.RayTaskError as error:
            raise error.cause from None

    def end(self, actor: Any) -> None:
        """Kill the actor; what takes its place starts wherever there is room, or the run would wait for a lost node."""
        self._cores = 0
        self._ray.kill(actor)

    def close(self) -> None:
        """A cluster that was there before stays."""
        if self._started:
            self._ray.shutdown()
