"""Settings from files and the command line, and the lists of them."""

from importlib import import_module

import pytest
from msgspec.structs import asdict, fields
from typer.testing import CliRunner

from suzaku.cli.main import app
from suzaku.cli.train import SETTINGS
from suzaku.learning.config import Config
from suzaku.learning.settings import read_settings, told


def test_later_settings_go_over_earlier_ones(tmp_path):
    file = tmp_path / "run.toml"
    file.write_text('steps = 10\nrate = 1e-3\nnetwork = "suphx-b1c8"\naugment = false\n')
    config = read_settings(Config, file, ["steps=20", "bfloat16=false"], model="pong", network=None)
    assert (config.steps, config.rate, config.network, config.model) == (20, 1e-3, "suphx-b1c8", "pong")
    assert not config.augment
    assert not config.bfloat16
    assert Config(**asdict(config)) == config


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (["step=3"], "did you mean steps"),
        (["wings=3"], "there are network"),
        (["steps"], "key=value"),
        (["steps=many"], "takes a value like 20000"),
        (["augment=perhaps"], "takes a value like true, not 'perhaps'"),
        (["steps=0"], "steps must be at least 1, not 0"),
        (["select=some"], "select must be one of all, one, paper, not 'some'"),
        (["seed=-1"], "seed must be at least 0"),
        (["rate=nan"], "rate must be a finite number, not nan"),
        (["clip=-1"], "clip must be more than 0"),
        (["average=1"], "average must be below 1"),
        (["auxiliary=1", "network=gao-86"], "auxiliary must be 0 for gao-86"),
        (["players=Suphx,Suphx"], "each once"),
        (["balance=inf"], "balance must be a finite number, not inf"),
    ],
)
def test_what_is_wrong_is_named(settings, reason):
    with pytest.raises(ValueError, match=reason):
        read_settings(Config, None, settings)


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(ValueError, match="cannot be read"):
        read_settings(Config, tmp_path / "none.toml", [])
    broken = tmp_path / "broken.toml"
    broken.write_text("steps = = 3")
    with pytest.raises(ValueError, match="is not valid TOML"):
        read_settings(Config, broken, [])
    wrong = tmp_path / "wrong.toml"
    for line in ('steps = "3x"', "steps = true", "rate = [1]", "rate = true", "network = 5"):
        wrong.write_text(line)
        with pytest.raises(ValueError, match="takes a value like"):
            read_settings(Config, wrong, [])
    wrong.write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"wrong\.toml is not valid TOML"):
        read_settings(Config, wrong, [])


def test_an_option_and_a_setting_that_disagree_are_refused():
    assert read_settings(Config, None, ["model=pong"], model="pong").model == "pong"
    with pytest.raises(ValueError, match="--model pong and --set model=chow disagree: say one of them"):
        read_settings(Config, None, ["model=chow"], model="pong")


@pytest.mark.parametrize("command", SETTINGS)
def test_a_command_lists_all_its_settings_with_what_they_mean(command):
    cls = getattr(import_module(SETTINGS[command][0]), SETTINGS[command][1])
    found = list(told(cls))
    assert [one.name for one in found] == [field.name for field in fields(cls)]
    assert all(one.meaning and one.group for one in found)
    assert set(cls.GROUPS) <= {one.name for one in found}
    assert cls() == read_settings(cls, None, [f"{one.name}={one.default}" for one in found])
    said = CliRunner().invoke(app, ["train", "settings", command])
    assert said.exit_code == 0, said.stderr
    for one in found:
        assert f"\n{one.name} " in said.stdout


def test_bounds_hold_in_python_too_and_are_listed():
    with pytest.raises(ValueError, match=r"average must be below 1, not 1"):
        Config(average=1.0)
    assert {one.name: one.bounds for one in told(Config)}["average"] == "≥ 0, < 1"
    refused = CliRunner().invoke(app, ["train", "settings", "supervized"])
    assert refused.exit_code == 2
    assert "did you mean supervised?" in refused.stderr
