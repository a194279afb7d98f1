"""A player of five small networks, which every test of the room starts from."""

import shutil

import pytest

pytest.importorskip("torch", reason="needs the extra [train]")

import numpy as np
import torch

from suzaku.agents.suphx import SuphxAgent
from suzaku.networks.bundled import bundled
from suzaku.networks.checkpoint import save
from suzaku.networks.modules import build
from suzaku.riichi.game import GAME
from suzaku.riichi.rules import LENGTHS

NETWORK = "suphx-b1c8"


@pytest.fixture(autouse=True, scope="package")
def one_thread():
    """Networks this small are slower with two."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True, scope="package")
def short_games():
    """A length of one round: the time of a small run goes into playing its games. Other processes do not know it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(LENGTHS, "round", 1)
        patch.setitem(GAME.lengths, "round", "single rounds")
        yield


@pytest.fixture(scope="session")
def player(tmp_path_factory):
    """A folder of five models: a trained one to discard, or riichi would never be possible; the others know nothing.

    They are sure enough of themselves that their answers differ.
    """
    folder = tmp_path_factory.mktemp("player")
    torch.manual_seed(5)
    for end in (".json", ".safetensors"):
        shutil.copy(bundled("weak") / f"discard{end}", folder)
    for model in list(SuphxAgent.MODELS)[1:]:
        module = build(NETWORK, model)
        with torch.no_grad():
            module.head.last.weight.mul_(60)
        save(folder / model, module, {"network": NETWORK, "model": model})
    return folder


@pytest.fixture(scope="module")
def few_situations():
    """Single rounds begin in two situations, instead of those of many games, which take seconds to play."""
    from suzaku.arena import single_rounds

    few = np.array([[0, 0, 0, 25000, 25000, 25000, 25000], [6, 1, 1, 31000, 24000, 18000, 26000]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(single_rounds, "situations", lambda: few)
        yield


@pytest.fixture(scope="session")
def games(player):
    """Trajectories of this player, in single precision."""
    from suzaku.arena.selfplay import self_play
    from suzaku.networks import run

    agent = SuphxAgent(player, temperature=0.7, seed=3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "torch_is_faster", lambda: False)
        return sorted(self_play("suphx", range(3), 9, own=agent, tables=3, length="east"), key=lambda game: game.id)
