"""Agents are called by names that fit beside a hand."""

import pytest

from suzaku.agents.make import short_name, short_names
from suzaku.cli.watch import Players


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("suphx", "suphx"),
        ("suphx:/somewhere/runs/mine/", "suphx:mine"),
        ("suphx:C:\\runs\\mine", "suphx:mine"),
        ("mjai:C:\\Python\\python.exe D:\\bots\\my_bot.py {seat}", "my_bot"),
        ("suphx:runs/mine,temperature=0.5", "suphx:mine,temperature=…"),
        ("mjai:/usr/bin/python /somewhere/my_bot.py {seat}", "my_bot"),
        ("mjai:python3.12 -u my_bot.py --seat={seat}", "my_bot"),
        ("mjai.app:uv run bot.py {seat}", "bot"),
        ("mjai:./target/release/akochan pipe {seat}", "akochan"),
        ("mjai:python", "python"),
        ("mjai:", "mjai"),
        ("python:somewhere/my_agent.py:MyAgent", "MyAgent"),
        ("python:", "python"),
    ],
)
def test_names_are_short_and_without_folders(name, shown):
    assert short_name(name) == shown


def test_agents_that_share_a_name_are_numbered():
    assert short_names(["gao", "suphx:a/run", "suphx:b/run", "weak"]) == ["gao", "suphx:run 1", "suphx:run 2", "weak"]
    assert Players(["tsumogiri"], "riichi").names() == tuple(f"tsumogiri {number}" for number in (1, 2, 3, 4))
