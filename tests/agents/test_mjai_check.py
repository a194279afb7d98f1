"""Trying bots: a good one passes, and what a bad one does first is named, with the position."""

import json
import sys
from pathlib import Path

import pytest

from suzaku.agents.mjai.check import Examinee, Tally, WrongError, play
from suzaku.agents.mjai.process import Limits
from suzaku.agents.simple import RandomAgent, ShantenAgent
from suzaku.riichi import Table

STARTER = Path(__file__).parents[2] / "examples" / "starter_bot.py"
OTHERS = [ShantenAgent(), RandomAgent(), ShantenAgent()]
GOOD = f"""
import json, os, sys, time
sys.path.insert(0, {str(STARTER.parent)!r})
from starter_bot import Bot
bot, asked = Bot(), 0
def say(answer): print(answer if isinstance(answer, str) else json.dumps(answer), flush=True)
for line in sys.stdin:
    event = json.loads(line)
    bot.take(event)
    if event.get("can_act") is False:
        {{told}}
        continue
    answer = bot.answer(event)
    asked += event["type"] == "tsumo"
    if asked == 3 and event["type"] == "tsumo":
        {{third}}
    say(answer)
"""
BAD = {  # what the bot does at its third draw, what it does when it is told something, the kind of fault, the words
    "illegal tile": ('answer["pai"] = next(k for k in ["1m", "9p", "N", "P", "C"] if k not in bot.hand)',
                     "pass", "illegal", "the hand does not hold this tile"),
    "no discard": ('answer = {"type": "none"}', "pass", "illegal", "the player cannot pass"),
    "wrong actor": ('answer["actor"] = 3', "pass", "illegal", "the answer is one of player 3, and player 0 is asked"),
    "wrong tsumogiri": ('answer.update(pai=next(k for k in bot.hand if k != bot.drawn), tsumogiri=True)',
                        "pass", "illegal", "is not the drawn tile"),
    "no call to make": ('answer = {"type": "hora", "actor": 0, "target": 0}', "pass", "illegal", "this does not win"),
    "bad JSON": ('answer = "{type: dahai}"', "pass", "nonsense", "the answer is not JSON: {type: dahai}"),
    "no event": ('answer = {"type": "discard"}', "pass", "nonsense", "Invalid value 'discard'"),
    "no tile": ('del answer["pai"]', "pass", "nonsense", "missing required field `pai`"),
    "crash": ("os._exit(3)", "pass", "crash", "it ended with code 3"),
    "late": ("time.sleep(1.4)", "pass", "late", "and has 1"),
    "silent": ("continue", "pass", "no answer", "does it flush its output"),
    "twice": ("say(answer)", "pass", "not asked", 'a line with "can_act": false gets none'),
    "every line": ("pass", 'say({"type": "none"})', "not asked", 'a line with "can_act": false gets none'),
}  # fmt: skip


def test_a_bot_that_says_nothing_is_told_while_it_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("suzaku.agents.mjai.check.SAY", 1)
    monkeypatch.setattr("suzaku.agents.mjai.check.MORE", 2.5)
    (tmp_path / "bot.py").write_text("import sys\nfor line in sys.stdin: pass")
    told = []
    with pytest.raises(WrongError, match=r"no answer: nothing within 0\.5 seconds, nor 2\.5 more"):
        examine(tmp_path / "bot.py", limits=Limits(0.5, 0.5), say=told.append)
    assert told == ["no answer for 1 seconds; it has 3", "no answer for 2 seconds; it has 3"]


def examine(path: Path, games: int = 1, **more) -> Tally:
    """Let a program play whole games in seat 0."""
    tally = Tally()
    program = Examinee([sys.executable, str(path)], 0, tally, **more)
    try:
        for seed in range(games):
            play(program, Table(seed=seed, length="east"), OTHERS, lambda: None)
    finally:
        program.close()
    return tally


@pytest.mark.parametrize("arrays", [False, True])
def test_the_starter_bot_does_nothing_wrong(arrays):
    tally = examine(STARTER, 3, arrays=arrays)
    assert tally.games == 3
    assert tally.answers["dahai"] > 100
    assert tally.answers["reach"] > 0
    assert tally.options["chi"] > 0
    assert tally.options["hora"] == tally.answers["hora"] > 0
    assert not tally.stayed
    assert "import suzaku" not in STARTER.read_text()
    assert "from suzaku" not in STARTER.read_text()


@pytest.mark.parametrize("name", BAD)
def test_the_first_fault_is_named_with_the_position(name, tmp_path, monkeypatch):
    monkeypatch.setattr("suzaku.agents.mjai.check.MORE", 1.0)
    third, told, type_, words = BAD[name]
    path = tmp_path / "bot.py"
    path.write_text(GOOD.replace("{third}", third).replace("{told}", told).replace("{{", "{").replace("}}", "}"))
    limits = Limits(1 if name in ("late", "silent") else 30, 60)
    with pytest.raises(WrongError) as wrong:
        examine(path, limits=limits)
    assert wrong.value.type == type_
    assert words in str(wrong.value)
    text = wrong.value.position
    assert text[0].startswith("place ")
    assert text[0].endswith("tiles left")
    assert len(text[1].removeprefix("tehai    ").split()) == 13
    told_at = text.index("the lines it was told in this round:")
    legal = [json.loads(line) for line in text[text.index("legal answers:") + 1 : told_at]]
    lines = [json.loads(line) for line in text[told_at + 1 :]]
    assert [line["type"] for line in lines[:3]] == ["start_game", "start_kyoku", "tsumo"]
    if name not in ("twice", "every line"):  # these are noticed a little later, or at once
        assert lines[-1]["type"] == "tsumo"
        assert sum(line["type"] == "tsumo" and line["actor"] == 0 for line in lines) == 3
        assert text[2] == f"drawn    {lines[-1]['pai']}"
        assert {"dahai"} <= {answer["type"] for answer in legal} <= {"dahai", "reach", "ankan", "hora"}


def test_a_bot_that_does_not_end_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("suzaku.agents.mjai.check.ENDING", 0.2)
    path = tmp_path / "bot.py"
    path.write_text("import time; time.sleep(100)")
    tally = Tally()
    Examinee([sys.executable, str(path)], 0, tally).close()
    assert tally.stayed
