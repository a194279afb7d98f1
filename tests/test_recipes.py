"""The code and the commands in docs/recipes.md, as they stand there, on few games and steps."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app
from suzaku.features import sets, suphx
from suzaku.networks import spec as families
from suzaku.records.importing import import_records
from suzaku.records.store import Store
from suzaku.riichi.game import GAME
from suzaku.riichi.rules import PRESETS, Rules
from suzaku.table.game import GAMES, read_rules
from tests.features.states import some_states
from tests.records.made import write_folder

PAGE = (Path(__file__).parent.parent / "docs" / "recipes.md").read_text(encoding="utf-8")


class Recipe:
    """A recipe of the page: its Python, and its commands without "suzaku"."""

    def __init__(self, title: str) -> None:
        text = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
        self.files = dict(re.findall(r"```python (\S+)\n(.*?)```", text, re.DOTALL))
        self.code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        lines = "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).splitlines()
        assert all(line.startswith("suzaku ") for line in lines)
        self.commands = [shlex.split(line)[1:] for line in lines]


def run(words: list[str]) -> str:
    done = CliRunner().invoke(app, words, input="")
    assert done.exit_code == 0, done.output
    return done.stdout


def test_all_recipes_are_tested():
    assert re.findall(r"^## (.+)", PAGE, re.MULTILINE) == [
        "Add an agent",
        "Add a feature set",
        "Add a rule preset",
        "Add a game",
    ]
    assert PAGE.count("```python") == 7
    assert not re.search(r"^ {6,}\S", re.sub("```.*?```", "", PAGE, flags=re.DOTALL), re.MULTILINE), "code in no block"


def test_add_an_agent(tmp_path, monkeypatch):
    recipe = Recipe("Add an agent")
    for name, code in recipe.files.items():
        (tmp_path / name).write_text(code, encoding="utf-8")
    write_folder(tmp_path / "games", [2])
    monkeypatch.chdir(tmp_path)
    assert {words[0] for words in recipe.commands} == {"arena", "watch", "agreement", "play"}
    for words in recipe.commands:
        if words[0] == "play":  # serves until it is stopped: its agent is the one of the others
            assert words[-1] in recipe.commands[0]
            continue
        few = {"arena": ["--games", "4"], "watch": ["--rounds", "1"], "agreement": []}[words[0]]
        assert "ClosedAgent" in run(words + few)


def test_add_a_feature_set(tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="needs the extra [train]")
    from suzaku.networks.info import read_info
    from suzaku.networks.numpy_network import folded, logits, matrices
    from suzaku.networks.run import Model

    monkeypatch.setattr(sets, "SETS", dict(sets.SETS))
    monkeypatch.setattr(families, "FAMILIES", dict(families.FAMILIES))
    recipe, names = Recipe("Add a feature set"), {}
    for code in recipe.code:
        exec(code, names)
    records = some_states(60, 5).records
    features = sets.feature_set("hand")
    planes = features.encode(records)
    assert planes.shape == (60, *features.shape) == (60, 4, 34)
    assert (planes == suphx.encode_many(records, lookahead=False)[:, :4]).all(), "the first channels of suphx"
    out = np.full((61, 5, 34), 7, np.uint8)
    assert features.encode(records, out=out) is out
    assert (out[:60, :4] == planes).all()
    assert (out[60] == 7).all()
    assert (out[:, 4] == 7).all()

    monkeypatch.chdir(tmp_path)
    write_folder(tmp_path / "in", range(40, 52))
    import_records([str(tmp_path / "in")], tmp_path / "games")
    (words,) = recipe.commands
    few = ["steps=120", "rate=0.05", "batch=64", "warm_up=5", "eval_every=60", "eval_samples=300", "bfloat16=false"]
    run(words + [word for setting in few for word in ("--set", setting)])
    info = read_info("runs/linear/best")
    assert (info["network"], info["features"]["table"], info["features"]["hash"]) == ("linear", "hand", features.hash)
    played = Model("runs/linear/best")
    torchs, onnxs = played.run_torch(planes), played.run_onnxruntime(planes)
    assert onnxs.shape == (60, 34)
    assert np.abs(torchs - onnxs).max() < 0.05 * np.abs(onnxs).max()
    assert np.allclose(logits(matrices(folded(played.spec.layers, played.tensors)), planes), onnxs, atol=1e-4)
    figures = info["results"]["validation"]
    assert figures["unmasked_accuracy"] > 1.5 * figures["majority"], "it has learnt something"
    with pytest.raises(ValueError, match="a feature set 'hand' already"):
        exec(recipe.code[1], names)
    with pytest.raises(ValueError, match="a family of networks 'linear' already"):
        exec(recipe.code[2], names)


def test_add_a_rule_preset(monkeypatch):
    from suzaku.web.protocol import NewTable, asked_rules, offered

    recipe = Recipe("Add a rule preset")
    for name, switches in eval(f"{{{recipe.code[0]}}}").items():
        monkeypatch.setitem(PRESETS, name, switches)
    club = Rules(red_fives=False, uma=(30, 10, -10, -30), bust=False)
    assert Rules.preset("club") == read_rules(GAME, "club") == club
    assert offered(GAME)["club"]["bust"] is False
    assert asked_rules(NewTable(rules="club", switches={"bust": True})) == Rules.preset("club", bust=True)
    arena, bot = recipe.commands
    assert "rules club" in run([*arena, "--games", "4", "--processes", "1"])
    run(bot)


def test_add_a_game(tmp_path, monkeypatch, capsys):
    recipe = Recipe("Add a game")
    for name, module in eval(f"{{{recipe.code[0]}}}").items():
        monkeypatch.setitem(GAMES, name, module)
    monkeypatch.chdir(tmp_path)
    exec(recipe.code[1], {})
    assert capsys.readouterr().out == "81 decisions\n"
    assert len(Store("cards/games")) == 9
