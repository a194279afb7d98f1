"""The oracle player: it sees what is hidden, is marked as a cheat, and sits in the arena alone."""

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("torch", reason="needs the extra [train]")

import torch

from suzaku.agents.make import make_agent
from suzaku.agents.suphx import SuphxAgent
from suzaku.arena.match import Match
from suzaku.cli.main import app
from suzaku.features.channels import SUPHX_CHANNELS
from suzaku.networks.checkpoint import save
from suzaku.networks.modules import build
from suzaku.riichi import Tables
from suzaku.riichi.game import GAME

NETWORK = "oracle-b1c8"


@pytest.fixture(scope="module")
def oracle(tmp_path_factory):
    """Two models that see everything; the other three are the bundled ones."""
    folder = tmp_path_factory.mktemp("oracle")
    torch.manual_seed(2)
    for model in ("discard", "chow"):
        module = build(NETWORK, model)
        with torch.no_grad():
            module.head.last.weight.mul_(60)
        save(folder / model, module, {"network": NETWORK, "model": model})
    return folder


def test_it_sees_what_is_hidden_and_its_other_models_do_not(oracle):
    agent = make_agent(f"oracle:{oracle}", cheating=True)
    tables = Tables(24, seed=3)
    for _ in range(30):
        tables.step(np.array([np.flatnonzero(mask)[0] for mask in tables.legal]))
    records, legal = tables.records, tables.legal
    exchanged = records.copy()
    GAME.redraw(exchanged, exchanged["seat"].copy(), 5)
    mine = np.flatnonzero(records["phase"] == 0)
    assert len(mine) > 3
    answers, others = (agent.act(found[mine], legal[mine]).policy for found in (records, exchanged))
    assert not np.array_equal(answers, others)
    planes = agent.encode("discard", records[mine])
    assert planes.channels > SUPHX_CHANNELS
    suphx = SuphxAgent.from_models({**agent.models, **_bundled("discard", "chow")})
    assert np.array_equal(agent.yes("riichi", planes), suphx.yes("riichi", suphx.encode("discard", records[mine])))


def _bundled(*names):
    models = make_agent("suphx").models
    return {name: models[name] for name in names}


def test_only_the_arena_seats_it(oracle):
    for text in (f"oracle:{oracle}", "oracle:"):
        with pytest.raises(ValueError, match="sees the hidden tiles: only `suzaku arena` seats it"):
            make_agent(text)
    with pytest.raises(
        ValueError, match="an oracle that sees the hidden tiles: only `suzaku arena` seats it, as oracle"
    ):
        make_agent(f"suphx:{oracle}")
    with pytest.raises(ValueError, match="needs the folder of an oracle player"):
        make_agent("oracle:temperature=1", cheating=True)
    with pytest.raises(ValueError, match="no model with the oracle channels"):
        make_agent("oracle:suzaku/models/weak", cheating=True)
    assert Match((f"oracle:{oracle}", "weak"), "1v3").names == (f"oracle:{oracle} (cheats)", "weak")


@pytest.mark.parametrize(
    "words",
    [
        ["bot", "--agent"],
        ["play", "--no-browser", "--port", "0", "--opponent"],
        ["watch", "--agent"],
        ["adapt", "show", "--agent"],
    ],
)
@pytest.mark.parametrize("name", ["oracle", "suphx"])
def test_everything_else_refuses_it_in_a_sentence(oracle, words, name):
    found = CliRunner().invoke(app, [*words, f"{name}:{oracle}"])
    assert found.exit_code == 2
    assert "sees the hidden tiles: only `suzaku arena` seats it" in " ".join(found.output.split())
    assert "Traceback" not in found.output


def test_nothing_learns_from_it(oracle, tmp_path):
    for words in (["rl"], ["branches", "--model", "riichi"]):
        found = CliRunner().invoke(app, ["train", *words, "--out", str(tmp_path / "out"), "--start", str(oracle)])
        assert found.exit_code == 2
        assert "sees the hidden tiles: only `suzaku arena` seats it" in " ".join(found.output.split())
        assert not (tmp_path / "out").exists()
