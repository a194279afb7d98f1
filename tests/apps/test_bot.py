"""`suzaku bot` as a process, and four of them at a table that is not ours."""

import json
import subprocess
import sys

import pytest

from tests.agents.test_mjai_bot import OWN_DRAW


def run(*arguments: str, text: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "suzaku", "bot", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=300, check=False)


def test_lines_in_and_lines_out():
    lines = ["", "{broken", json.dumps({"type": "start_game", "id": 1}), json.dumps(OWN_DRAW)]
    done = run("--agent", "shanten", text="\n".join(lines) + "\n")
    assert done.returncode == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["type"] for answer in answers] == ["none", "none", "dahai"]
    assert "suzaku bot: a line is no JSON text: {broken" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--agent", "shantan"], "did you mean shanten"),
        (["--agent", "mjai:true"], "needs no bot"),
        (["--server", "http://x"], "expected an address"),
        (["--server", "mjsonp://127.0.0.1:9/room"], "mjsonp://127.0.0.1:9/room"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments, sentence):
    done = run(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_four_bots_at_a_neutral_table():
    pytest.importorskip("riichienv", reason="riichienv deals and judges; install the [dev] extra")
    from benchmarks.neutral_table import play_many

    tally = play_many("shanten", [11], mode="4p-red-east", timeout=60)
    assert tally.games == 1
    assert tally.illegal == []
    assert tally.late == []
    assert tally.lost == 0
    assert len(tally.times) > 100
