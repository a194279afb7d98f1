"""Self-play on a Ray cluster of several nodes: the same games, whatever dies on the way, and nobody waits for ever."""

import os
import signal
import subprocess
import sys
import time

import pytest
import ray
import torch

from suzaku.cli.train_rl import on_cluster
from suzaku.learning.loop import Run
from suzaku.rl.config import RlConfig
from suzaku.rl.learner import Reinforcement
from suzaku.workers import LostError
from suzaku.workers import workers as module
from suzaku.workers.ray import Cluster
from tests.rl.helpers import SMALL, same, weights

pytestmark = pytest.mark.timeout(300)
needs_no_space = pytest.mark.skipif(" " in sys.executable, reason="Ray starts no Python whose path has a space")
SETTINGS = {**SMALL, "workers": 2, "iterations": 3, "tables": 2}


@pytest.fixture(scope="module")
def cluster(only_cluster):
    """A head with one core, to which nodes are added."""
    from ray.cluster_utils import Cluster as Nodes

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    found = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield found
    found.shutdown()


@pytest.fixture(scope="module")
def quiet(player, tmp_path_factory):
    """The same run in processes of this machine, undisturbed."""
    folder = tmp_path_factory.mktemp("quiet")
    one = Reinforcement(RlConfig(start=str(player), **SETTINGS), folder)
    Run(one, folder).run(lambda figures: None, every=1)
    return weights(one), one.played


@pytest.fixture
def driver(cluster, monkeypatch):
    """This process as a driver of the cluster, with shorter limits."""
    monkeypatch.setattr(module, "SILENCE", 10.0)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()


def learn(player, folder, tell=lambda figures, one: None):
    """A run on the cluster."""
    one = Reinforcement(RlConfig(start=str(player), **SETTINGS), folder, open_actors=on_cluster(Cluster()))
    Run(one, folder).run(lambda figures: tell(figures, one), every=1)
    return one


@needs_no_space
def test_a_killed_actor_and_a_lost_node_change_nothing(driver, quiet, player, tmp_path):
    node = driver.add_node(num_cpus=1)
    driver.wait_for_nodes()

    def tell(figures, one):
        if figures["step"] == 1:
            ray.kill(one.self_play.actors._seats[0].link._actor)
        if figures["step"] == 2:
            driver.remove_node(node, allow_graceful=False)

    one = learn(player, tmp_path, tell)
    assert one.version == 3
    assert one.played == quiet[1]
    assert same(weights(one), quiet[0])
    assert ray.is_initialized()  # the cluster was there before


@needs_no_space
def test_an_actor_that_gets_no_core_is_told_and_its_games_are_played_by_the_other(
    driver, quiet, player, tmp_path, capsys
):
    """The node of the test before is gone, whatever Ray still counts: the head has one core for two actors."""
    one = learn(player, tmp_path)
    assert same(weights(one), quiet[0])
    assert one.played == quiet[1]


@needs_no_space
def test_a_cluster_without_a_core_ends_the_run_in_a_sentence(driver, player, tmp_path):
    @ray.remote(num_cpus=1)
    class Greedy:
        def here(self):
            pass

    other = Greedy.remote()
    ray.get(other.here.remote())
    try:
        told = r"no worker could start: worker \d waits for a core\. The same command goes on from"
        with pytest.raises(LostError, match=told):
            learn(player, tmp_path)
    finally:
        ray.kill(other)


@needs_no_space
def test_a_killed_learner_goes_on(cluster, quiet, player, tmp_path):
    settings = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={str(value).lower()}")]
    command = [sys.executable, "-m", "suzaku", "train", "rl", "--ray", "--start", str(player), "--out", str(tmp_path)]
    environment = os.environ | {"RAY_ADDRESS": cluster.address, "OMP_NUM_THREADS": "1"}
    said = tmp_path.with_suffix(".txt")
    with said.open("wb") as stream:
        first = subprocess.Popen(command + settings, env=environment, stdout=stream, stderr=stream)
    state = tmp_path / "last.state.pt"
    for _ in range(1200):
        if state.exists() or first.poll() is not None:
            break
        time.sleep(0.1)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert state.exists(), said.read_text()
    again = subprocess.run(
        command + settings, env=environment, capture_output=True, text=True, timeout=200, check=False
    )
    assert again.returncode == 0, again.stderr
    kept = torch.load(state, weights_only=True)
    assert kept["version"] == 3
    assert same(kept["modules"]["discard"], quiet[0])


def test_a_path_that_ray_cannot_start_is_told(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/my programs/python")
    with pytest.raises(ValueError, match="takes no spaces: install Suzaku elsewhere"):
        Cluster()


def test_a_cluster_that_does_not_answer_is_told(monkeypatch):
    def init(**about):
        raise ConnectionError("Could not find any running Ray instance.")

    monkeypatch.setattr(ray, "init", init)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setenv("RAY_ADDRESS", "auto")
    with pytest.raises(ValueError, match="no Ray cluster answers at RAY_ADDRESS=auto: start one"):
        Cluster()
