"""Self-play on a Ray cluster of several nodes: the same games, whatever dies on the way."""

import os
import signal
import subprocess
import sys
import time

import pytest
import torch

from suzaku.learning.loop import Run
from suzaku.rl.config import RlConfig
from suzaku.rl.learner import Reinforcement
from suzaku.rl.ray_backend import RayBackend
from tests.rl.test_learner import SMALL, same, weights

ray = pytest.importorskip("ray")
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


def test_a_path_that_ray_cannot_start_is_told(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/my programs/python")
    with pytest.raises(ValueError, match="takes no spaces: install Suzaku elsewhere"):
        RayBackend()
