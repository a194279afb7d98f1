"""A player's models: those of a folder, and the bundled ones for what it lacks."""

import json
import shutil

import pytest

from suzaku.agents.make import make_agent
from suzaku.networks import bundled as module
from suzaku.networks.bundled import bundled, find_models
from suzaku.networks.info import CheckpointError, read_info
from suzaku.networks.spec import GAO, SUPHX


@pytest.fixture(autouse=True)
def _anew():
    module._tell.cache_clear()


def copy(model, to, player="weak", **training):
    """Put a bundled checkpoint somewhere under another name, with other settings."""
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(bundled(player) / f"{model}.safetensors", to.with_name(f"{to.name}.safetensors"))
    info = json.loads((bundled(player) / f"{model}.json").read_text())
    info["training"].update(training)
    to.with_name(f"{to.name}.json").write_text(json.dumps(info))
    return to


@pytest.mark.parametrize(("where", "given"), [("best", "."), ("best", "best"), ("discard/best", "."), ("discard", ".")])
def test_what_a_folder_lacks_is_bundled_and_told_once(where, given, tmp_path, capsys):
    copy("discard", tmp_path / where)
    folder = tmp_path if given == "." else tmp_path / given
    found = find_models(folder, "suphx", SUPHX.models)
    assert list(found) == list(SUPHX.models)
    assert found["discard"] == tmp_path / where
    assert all(found[model] == bundled("suphx") / model for model in SUPHX.models if model != "discard")
    said = f"suzaku: {folder} has discard; riichi, chow, pong and kong are the bundled suphx\n"
    assert capsys.readouterr().err == said
    find_models(folder, "suphx", SUPHX.models)
    assert capsys.readouterr().err == ""


def test_a_player_of_one_own_model_has_five(tmp_path):
    copy("riichi", tmp_path / "run" / "best")
    agent = make_agent(f"suphx:{tmp_path / 'run'}")
    for name, loaded in agent.models.items():
        own = read_info(bundled("weak" if name == "riichi" else "suphx") / name)
        assert loaded.info["weights"] == own["weights"]
    assert list(agent.models) == list(SUPHX.models)
    copy("pong", tmp_path / "gao" / "best", "gao")
    assert list(make_agent(f"gao:{tmp_path / 'gao'}").models) == list(GAO.models)


@pytest.mark.parametrize("name", module.BASES)
def test_a_bundled_player_differs_from_another_in_some_models(name, capsys):
    found, base = find_models(bundled(name), "suphx", SUPHX.models), bundled(module.BASES[name])
    assert [model for model in SUPHX.models if found[model].parent != base] == ["discard"]
    assert read_info(found["discard"])["weights"] != read_info(base / "discard")["weights"]
    assert list(make_agent(name).models) == list(SUPHX.models)
    assert capsys.readouterr().err == ""


def test_a_whole_folder_needs_no_word(tmp_path, capsys):
    for model in SUPHX.models:
        copy(model, tmp_path / model)
    assert set(find_models(tmp_path, "suphx", SUPHX.models).values()) == {tmp_path / model for model in SUPHX.models}
    assert capsys.readouterr().err == ""


def test_models_that_see_other_channels_do_not_play_together(tmp_path):
    copy("discard", tmp_path / "one" / "best", lookahead=False)
    with pytest.raises(
        CheckpointError, match=r"discard was trained without .* the bundled riichi, chow, pong and kong"
    ):
        make_agent(f"suphx:{tmp_path / 'one'}")
    for model in SUPHX.models:
        copy(model, tmp_path / "some" / model, lookahead=model != "pong")
        copy(model, tmp_path / "none" / model, lookahead=False)
    with pytest.raises(CheckpointError, match="pong was trained without the look-ahead channels, the others with"):
        find_models(tmp_path / "some", "suphx", SUPHX.models)
    assert not make_agent(f"suphx:{tmp_path / 'none'}").lookahead


def test_what_cannot_play_is_refused(tmp_path):
    copy("discard", tmp_path / "gao" / "best", "gao")
    with pytest.raises(CheckpointError, match=r"is gao-86, not a network of suphx: try gao:.*gao$"):
        find_models(tmp_path / "gao", "suphx", SUPHX.models)
    copy("kong", tmp_path / "kong" / "best")
    with pytest.raises(CheckpointError, match="not a network of gao"):
        find_models(tmp_path / "kong", "gao", GAO.models)
    copy("pong", tmp_path / "wrong" / "chow")
    with pytest.raises(CheckpointError, match=r"chow\.json is the pong model, not the chow model"):
        find_models(tmp_path / "wrong", "suphx", SUPHX.models)
    (tmp_path / "empty").mkdir()
    with pytest.raises(CheckpointError, match="holds no checkpoint"):
        find_models(tmp_path / "empty", "suphx", SUPHX.models)
    with pytest.raises(CheckpointError, match=r"none\.json is missing"):
        find_models(tmp_path / "none", "suphx", SUPHX.models)


@pytest.mark.parametrize("player", ["suphx", "weak", "gao", "mcr"])
def test_the_card_says_what_the_checkpoints_say(player):
    card = (bundled("README.md")).read_text(encoding="utf-8").split(f"\n### {player}\n")[1].split("\n### ")[0]
    rows = [line.strip("| ").split(" | ") for line in card.splitlines() if line.startswith("| ")][1:]
    assert rows
    for model, network, _, _, samples, right, *_ in rows:
        info = read_info(bundled(player) / model)
        test = info["results"]["test"]
        share = test["unmasked_accuracy"] if (player, model) == ("gao", "discard") else test["accuracy"]  # as its paper
        assert (network, samples) == (info["network"], f"{test['samples']:,}")
        assert right == f"{share:.2%} ± {test['interval']:.2%}"


@pytest.mark.parametrize("target", ["tenhou", "expert", "uma"])
def test_the_card_says_how_well_rewards_are_predicted(target):
    card = bundled("README.md").read_text(encoding="utf-8")
    (row,) = (line for line in card.splitlines() if line.startswith(f"| {target} | reward-h64 |"))
    test = read_info(bundled("reward") / target)["results"]["test"]
    digits = 1 if target == "uma" else 0
    errors = [f"{error:,.{digits}f} ± {half:,.{digits}f}" for error, half in test["squared_errors"].values()]
    assert row.strip("| ").split(" | ")[2:] == [*errors, f"{test['variance']:,.0f}"]
