"""Self-play on a Ray cluster of several nodes: the same games, whatever dies on the way."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
import ray
import torch

from suzaku.learning.loop import Run
from suzaku.rl.config import RlConfig
from suzaku.rl.learner import Reinforcement
from suzaku.rl.ray_backend import RayBackend
from tests.rl.test_learner import SMALL, same, weights

needs_no_space = pytest.mark.skipif(" " in sys.executable, reason="Ray starts no Python whose path has a space")
SETTINGS = {**SMALL, "workers": 2, "iterations": 3, "tables": 2}


@pytest.fixture(scope="module")
def cluster(only_cluster):
    """A head with one core, to which nodes are added."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield found
    found.shutdown()


@pytest.fixture(scope="module")
def quiet(player, tmp_path_factory):
    """The same run in processes of this machine, undisturbed."""
    folder = tmp_path_factory.mktemp("quiet")
    one = Reinforcement(RlConfig(start=str(player), **SETTINGS), folder)
    Run(one, folder).run(lambda figures: None, every=1)
    return weights(one), one.played


@needs_no_space
def test_a_killed_actor_and_a_lost_node_change_nothing(cluster, quiet, player, tmp_path):
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    try:
        one = Reinforcement(RlConfig(start=str(player), **SETTINGS), tmp_path, backend=RayBackend())

        def tell(figures):
            if figures["step"] == 1:
                ray.kill(one.self_play._pool._actors[0])
            if figures["step"] == 2:
                cluster.remove_node(node, allow_graceful=False)

        Run(one, tmp_path).run(tell, every=1)
        assert one.version == 3
        assert one.played == quiet[1]
        assert same(weights(one), quiet[0])
        assert ray.is_initialized()  # the cluster was there before
    finally:
        ray.shutdown()


@needs_no_space
def test_a_killed_learner_goes_on(cluster, quiet, player, tmp_path):
    settings = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={str(value).lower()}")]
    command = [sys.executable, "-m", "suzaku", "train", "rl", "--ray", "--start", str(player), "--out", str(tmp_path)]
    environment = os.environ | {"RAY_ADDRESS": cluster.address, "OMP_NUM_THREADS": "1"}
    first = subprocess.Popen(command + settings, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    state = tmp_path / "last.state.pt"
    for _ in range(1200):
        if state.exists() or first.poll() is not None:
            break
        time.sleep(0.1)
    assert state.exists(), first.stderr.read().decode()
    first.send_signal(signal.SIGKILL)
    first.wait()
    again = subprocess.run(command + settings, env=environment, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    kept = torch.load(state, weights_only=True)
    assert kept["version"] == 3
    assert same(kept["modules"]["discard"], quiet[0])


class FakeRay:
    """A cluster of three cores, all of which are used once two actors are there."""

    def __init__(self):
        self.reserved = []

    def is_initialized(self):
        return True

    def cluster_resources(self):
        return {"CPU": 3.0}

    def available_resources(self):
        return {"CPU": 3.0 - sum(self.reserved)}

    def remote(self, num_cpus, **options):
        self.reserved.append(num_cpus)
        return lambda actor: SimpleNamespace(remote=lambda setup, snapshot: None)

    def kill(self, actor):
        pass


@pytest.mark.parametrize("snapshot", [None, b"of a run that goes on"])
def test_each_actor_reserves_a_core_as_long_as_there_are_some(monkeypatch, snapshot):
    fake = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", fake)
    monkeypatch.setattr(sys, "executable", "/usr/bin/python")
    backend = RayBackend()
    actors = [backend.make(None, snapshot) for _ in range(4)]
    assert fake.reserved == [1, 1, 1, 0]
    backend = RayBackend()
    backend.end(actors[0])
    backend.make(None, snapshot)
    assert fake.reserved[-1] == 0  # its node may be gone: it must not wait for a core


def test_a_path_that_ray_cannot_start_is_told(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/my programs/python")
    with pytest.raises(ValueError, match="takes no spaces: install Suzaku elsewhere"):
        RayBackend()


def test_a_cluster_that_does_not_answer_is_told(monkeypatch):
    def init(**about):
        raise ConnectionError("Could not find any running Ray instance.")

    monkeypatch.setattr(ray, "init", init)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setenv("RAY_ADDRESS", "auto")
    with pytest.raises(ValueError, match="no Ray cluster answers at RAY_ADDRESS=auto: start one"):
        RayBackend()
