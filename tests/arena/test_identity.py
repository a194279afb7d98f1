"""A folder of games goes on only with the agents that played them, whatever they are called."""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from typer.testing import CliRunner

from suzaku.agents.make import make_agent
from suzaku.agents.user_class import identity
from suzaku.arena.log import SETTINGS, Log
from suzaku.arena.match import Match
from suzaku.cli.main import app
from suzaku.networks.bundled import bundled


def change_weights(folder: Path, model: str) -> None:
    """Make a checkpoint another one of the same name and form."""
    weights, text = folder / f"{model}.safetensors", folder / f"{model}.json"
    tensors = load_file(weights)
    name = min(tensors)
    save_file({**tensors, name: (tensors[name] * np.float32(1.5)).astype(tensors[name].dtype)}, weights)
    info = json.loads(text.read_text())
    info["weights"]["sha256"] = hashlib.sha256(weights.read_bytes()).hexdigest()
    text.write_text(json.dumps(info))


def test_other_weights_under_the_same_name_are_another_agent(tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(bundled("weak"), folder)
    name = f"suphx:{folder}"
    before = identity(make_agent(name))
    assert before.startswith("weights ")
    assert before == identity(make_agent("weak")) == identity(make_agent(name))
    match = Match((name, "shanten"), "1v3", length="east")
    Log(match, tmp_path / "games", {name: before, "shanten": ""}).close({})
    Log(match, tmp_path / "games", {name: before, "shanten": ""}).close({})
    change_weights(folder, "pong")
    after = identity(make_agent(name))
    assert after != before
    with pytest.raises(ValueError, match=f"was played by another {name} \\({before}, not {after}\\): give another"):
        Log(match, tmp_path / "games", {name: after, "shanten": ""})


def test_a_program_is_known_by_the_files_of_its_command(tmp_path):
    script = tmp_path / "bot.py"
    script.write_text("first")
    words = [f"mjai:python {script} {{seat}}", "tsumogiri"]
    folder = tmp_path / "games"
    agents = {name: make_agent(name) for name in words}
    Log(Match(tuple(words), "1v3"), folder, {name: identity(agent) for name, agent in agents.items()}).close({})
    script.write_text("second")
    refused = CliRunner().invoke(app, ["arena", *words, "--games", "4", "--out", str(folder)])
    assert refused.exit_code == 2
    assert "was played by another mjai:python" in refused.stderr
    assert f"(bot.py {hashlib.sha256(b'first').hexdigest()[:16]}, not bot.py" in refused.stderr
    assert identity(make_agent("mjai:python -m somewhere")) == ""


def test_a_folder_that_does_not_tell_goes_on_and_tells_from_then_on(tmp_path):
    match = Match(("shanten", "random"), "1v3", length="east")
    Log(match, tmp_path / "games").close({})
    assert "identities" not in json.loads((tmp_path / "games" / SETTINGS).read_text())
    log = Log(match, tmp_path / "games", {"shanten": "new", "random": ""})
    log.close({})
    assert "does not say which weights" in log.notice
    again = Log(match, tmp_path / "games", {"shanten": "new", "random": ""})
    again.close({})
    assert again.notice == ""
    with pytest.raises(ValueError, match="another shanten"):
        Log(match, tmp_path / "games", {"shanten": "newer", "random": ""})
