"""`suzaku bot` as a process, and four of them at a table that is not ours."""

import inspect
import json
import shlex
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from suzaku.cli.bot import bot
from suzaku.cli.main import app
from suzaku.riichi.rules import Rules
from suzaku.table.game import game_named
from tests.agents.mjai_games import OWN_DRAW
from tests.agents.test_mjai_check import STARTER


def run(*arguments: str, text: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "suzaku", "bot", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=300, check=False)


def test_lines_in_and_lines_out():
    lines = ["", "{broken", json.dumps({"type": "start_game", "id": 1}), json.dumps(OWN_DRAW)]
    done = run("--agent", "shanten", text="\n".join(lines) + "\n")
    assert done.returncode == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["type"] for answer in answers] == ["none", "none", "dahai"]
    assert "suzaku: a line is not JSON: {broken" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--agent", "shantan"], "did you mean shanten"),
        (["--agent", "mjai:true"], "needs no bot"),
        (["--agent", "shanten", "--rules", "tenhou,ippatu=no"], "no switch 'ippatu'; did you mean ippatsu?"),
        (["--server", "http://x"], "expected an address"),
        (["--game", "mcr", "--server", "mjsonp://127.0.0.1:9/room"], "are of mjai"),
        (["--package", "botzone"], "add --game mcr"),
        (["--agent", "shanten", "--server", "mjsonp://127.0.0.1:9/room"], "mjsonp://127.0.0.1:9/room"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments, sentence):
    done = run(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_the_strongest_agent_plays_unless_told_otherwise():
    assert inspect.signature(bot).parameters["agent"].default == ""  # the game's usual one
    assert game_named("riichi").usual_agent == "suphx"
    assert "suzaku bot check" in CliRunner().invoke(app, ["bot", "--help"]).output


def check(*words: str) -> "tuple[int, str]":
    done = CliRunner().invoke(app, ["bot", "check", *words])
    return done.exit_code, done.output


def test_a_good_bot_passes_the_check(tmp_path):
    code, text = check("--games", "1", "--", sys.executable, str(STARTER), "{seat}")
    assert code == 0, text
    assert "1 games, " in text
    assert "all legal and in time" in text
    folder = tmp_path / "match"
    words = ["arena", "shanten", "random", "--games", "4", "--length", "east", "--out", str(folder), "--save", "mjai"]
    assert CliRunner().invoke(app, words).exit_code == 0
    game = folder / "games" / "000000-0.mjson"
    code, text = check("--record", str(game), "--arrays", "--", shlex.join([sys.executable, str(STARTER)]))
    assert code == 0, text
    assert "4 games, " in text  # one in the place of each player


def test_a_bad_bot_fails_the_check(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(
        'for line in iter(input, ""):\n    if "false" not in line: print(\'{"type":"none"}\', flush=True)\n'
    )
    code, text = check("--", sys.executable, str(path))
    assert code == 1
    assert "0 answers were right, and the next one is not.\nillegal: the player cannot pass" in text
    assert "legal answers:\n" in text
    for words, sentence in (
        (["no-such-program"], "cannot be started"),
        (["--record", "none.xml", "--", "a"], "none.xml"),
    ):
        code, text = check(*words)
        assert code == 2
        assert sentence in text


def test_four_bots_at_a_neutral_table():
    pytest.importorskip("riichienv", reason="riichienv deals and judges; install the [dev] extra")
    from benchmarks.neutral_table import play_many

    tally = play_many("shanten", [11], mode="4p-red-east", timeout=60)
    assert tally.games == 1
    assert tally.illegal == []
    assert tally.late == []
    assert tally.lost == 0
    assert len(tally.times) > 100


def test_the_check_plays_by_the_rules_that_are_named():
    from suzaku.cli.bot import _courses

    (_, _, run), *_ = _courses(8, 0, Rules.no_red(), [], print)
    assert run.keywords["table"].rules == Rules.no_red()
    done = CliRunner().invoke(app, ["bot", "check", "--rules", "no-rad", "--", sys.executable])
    assert (done.exit_code, done.stderr) == (2, "suzaku: there are no rules 'no-rad'; did you mean no-red?\n")
