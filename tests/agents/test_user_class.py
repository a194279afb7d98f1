"""Agents of the user's own: named by file or module and class, and refused in one sentence when broken."""

import pytest
from typer.testing import CliRunner

from suzaku.agents.make import make_agent
from suzaku.agents.user_class import identity
from suzaku.cli.main import app

GOOD = """
from suzaku.agents.simple import TsumogiriAgent

class Mine(TsumogiriAgent):
    pass

class Numbered(TsumogiriAgent):
    def __init__(self, number):
        self.number = number

class Unready(TsumogiriAgent):
    def __init__(self):
        raise OSError("no weights")

class Half(TsumogiriAgent.__bases__[0]):
    pass

class Lists(TsumogiriAgent):
    def act(self, records, legal, streams=None):
        return [37] * len(records)

other = 3
"""


def test_a_class_of_a_file_or_a_module_is_an_agent(tmp_path, monkeypatch):
    (tmp_path / "good_agent.py").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    first = make_agent("python:good_agent.py:Mine")
    assert type(first).__name__ == "Mine"
    assert type(make_agent(f"python:{tmp_path / 'good_agent.py'}:Mine")) is type(first)
    assert type(make_agent("python:good_agent:Mine")).__name__ == "Mine"


def test_another_file_is_another_agent(tmp_path):
    path = tmp_path / "changing.py"
    path.write_text(GOOD)
    before = make_agent(f"python:{path}:Mine")
    known = identity(before)
    assert known.startswith("changing.py ")
    assert identity(make_agent(f"python:{path}:Mine")) == known
    path.write_text(GOOD.replace("    pass", "    name = 'new'", 1))
    after = make_agent(f"python:{path}:Mine")
    assert (before.name, after.name) == ("tsumogiri", "new")
    assert identity(after) != known


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("python:", "names no class"),
        ("python:good.py", "names no class"),
        ("python:none.py:Mine", "none.py cannot be read \\(No such file"),
        ("python:no_such_module:Mine", "no_such_module cannot be loaded \\(ModuleNotFoundError"),
        ("python:good.py:Mien", "good.py has no class 'Mien'; did you mean Mine"),
        ("python:good.py:other", "other is not a subclass of suzaku.agents.agent.Agent"),
        ("python:good.py:Numbered", "Numbered\\(\\) cannot be made \\(TypeError: .*number"),
        ("python:good.py:Unready", "Unready\\(\\) cannot be made \\(line 13: OSError: no weights\\)"),
        ("python:good.py:Half", "Half\\(\\) cannot be made \\(TypeError: .*act"),
        ("python:broken.py:Mine", "broken.py cannot be loaded \\(line 2: SyntaxError"),
        ("python:failing.py:Mine", "failing.py cannot be loaded \\(line 2: ZeroDivisionError"),
    ],
)
def test_what_is_wrong_is_one_sentence(text, sentence, tmp_path, monkeypatch):
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "broken.py").write_text("import os\ndef act(:\n")
    (tmp_path / "failing.py").write_text("import os\n1 / 0\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=sentence) as caught:
        make_agent(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("command", ["arena {} random --games 4 --length east", "watch --agent {} --seed 3"])
def test_an_agent_that_gives_a_list_is_named_with_what_was_expected(command, tmp_path, monkeypatch):
    (tmp_path / "good.py").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, command.format("python:good.py:Lists").split())
    assert done.exit_code == 2, done.output
    said = (
        "suzaku: agent Lists gave an object of type list: expected suzaku.agents.agent.Answers with an action for each"
    )
    assert done.stderr.splitlines()[-1].startswith(said)
