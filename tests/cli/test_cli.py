"""The command line: help at once, clear errors, a whole game."""

import shlex
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from suzaku.cli.errors import clear_errors
from suzaku.cli.main import app
from tests.agents.mjai_games import write_bot

run = CliRunner().invoke


def test_help_names_the_commands():
    result = run(app, ["--help"])
    assert result.exit_code == 0
    assert "watch" in result.output


def test_help_of_a_command_explains_its_options():
    result = run(app, ["watch", "--help"])
    assert result.exit_code == 0
    for word in ("--seed", "--length", "--delay", "--rounds", "--step"):
        assert word in result.output


def test_version():
    result = run(app, ["--version"])
    assert result.exit_code == 0
    assert result.output.startswith("suzaku")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("watch --sed 3", "watch has no option --sed; did you mean --seed?"),
        ("--vrsion", "there is no option --vrsion; did you mean --version?"),
        ("wotch", "there is no command wotch; did you mean watch?"),
        ("data imprt", "data has no command imprt; did you mean import?"),
        ("watch --seed x", "--seed must be a whole number, not 'x'"),
        (f"watch --seed {2**64}", f"--seed must be at most {2**64 - 1}, not '{2**64}'"),
        ("watch --delay=-1", "--delay must be at least 0, not '-1'"),
        ("train rl --out run --hours x", "--hours must be a number, not 'x'"),
        ("model export suphx --out x --format text", "--format must be one of 'onnx', not 'text'"),
        ("watch --seed", "--seed needs a value"),
        ("train rl --out run --ray=3", "--ray takes no value"),
        ("train supervised", "train supervised needs --model; suzaku train supervised --help explains it"),
        ("data import", "data import needs IN...; suzaku data import --help explains it"),
        ("watch more", "watch takes no 'more' here; suzaku watch --help explains what it takes"),
        ("watch --length west", "length 'west' is unknown: choose one of east, hanchan"),
        ("watch --agent shantem", "there is no agent 'shantem' of riichi; did you mean shanten?"),
        (
            "watch --agent shanten --agent random",
            "give --agent once for all seats, or four times, seat by seat; not 2 times",
        ),
    ],
)
def test_wrong_words_end_with_code_2_and_one_sentence(words, sentence):
    """What typer finds is told as what we find."""
    done = run(app, words.split())
    assert (done.exit_code, done.stderr) == (2, f"suzaku: {sentence}\n")


def test_a_program_without_words_shows_its_help():
    for words in ([], ["data"]):
        done = run(app, words)
        assert done.exit_code == 2
        assert "Usage" in done.output
        assert "suzaku: " not in done.stderr


def _too_early(*_: str, **__: object) -> None:
    raise AssertionError("it compiles before it looks at the input")


@pytest.mark.parametrize(
    "words",
    [
        ["analyse", "123m", "--turn", "3", "--draws", "9"],
        ["arena", "shantem"],
        ["agreement", "nowhere", "--agent", "shanten"],
        ["bot", "--agent", "shantem"],
        ["bot", "check", "--games", "1", "--", "no-such-program"],
        ["data", "import", "nowhere", "--out", "store"],
        ["data", "show", "nowhere"],
        ["data", "stats", "nowhere"],
        ["data", "verify", "nowhere"],
        ["data", "export", "nowhere", "--format", "mjai", "--game", "1", "--out", "x"],
        ["features", "show", "--record", "nowhere"],
        ["model", "info", "nowhere"],
        ["model", "export", "nowhere", "--out", "x.onnx"],
        ["play", "--opponent", "shantem", "--port", "0", "--no-browser"],
        ["train", "supervised", "--model", "discard", "--data", "nowhere", "--out", "run"],
        ["watch", "--agent", "shantem"],
    ],
    ids=" ".join,
)
def test_every_command_says_what_is_wrong_in_one_sentence_of_one_form(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("suzaku.cli.compile.prepare", _too_early)
    result = run(app, words)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("suzaku: ")
    assert result.stderr.count("\n") == 1
    assert not any(tmp_path.iterdir())


def test_an_interrupt_says_what_is_kept_if_anything_is(tmp_path, capsys):
    nothing = "Nothing was written yet."
    for kept, said in ((tmp_path / "none", nothing), (tmp_path, nothing), (None, "Go on.")):
        with pytest.raises(typer.Exit), clear_errors("Go on.", kept):
            raise KeyboardInterrupt
        assert capsys.readouterr().err == f"Stopped. {said}\n"
    (tmp_path / "last.json").write_text("{}")
    with pytest.raises(typer.Exit), clear_errors("Go on.", tmp_path):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == "Stopped. Go on.\n"


@pytest.mark.parametrize("command", ["arena", "train rl --reward global", "train branches", "train winning-scores"])
def test_an_interrupt_at_the_beginning_does_not_boast(command, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("suzaku.cli.compile.prepare", interrupted)
    more = ["shanten", "random"] if command == "arena" else []
    result = run(app, [*command.split(), *more, "--out", str(tmp_path / "run")])
    assert result.exit_code == 130, result.output
    assert result.stderr.endswith("Stopped. Nothing was written yet.\n")


LIGHT = 7  # of these, the first are told without Numba too
TYPOS = (
    ("rl --out run --set bta=1", "unknown setting 'bta'; did you mean beta?"),
    ("supervised --model discard --data run --out run --set bach=1", "unknown setting 'bach'; did you mean batch?"),
    ("reward --data run --out run --set targt=1", "unknown setting 'targt'; did you mean target?"),
    ("branches --out run --model pung", "model must be one of riichi, chow, pong, kong, not 'pung'"),
    ("branches --out run --start suphz", "start: suphz is neither a bundled player nor a folder"),
    ("quickstart --out run --game richi", "there is no network for richi; did you mean riichi?"),
    ("quickstart --out run --agent heuristik", "there is no agent 'heuristik' of riichi; did you mean heuristic?"),
    ("rl --out run --start suphz", "start: suphz is neither a bundled player nor a folder; did you mean suphx?"),
    ("rl --out run --reward global --set reward_model=tenho", "tenho is neither a checkpoint nor a bundled reward"),
    ("supervised --model discard --data run --out run --network suphz-b1c8", "'suphz-b1c8' is not a network"),
    ("supervised --model disard --data run --out run", "'disard' is not a model of suphx-b10c128: expected one of"),
    ("supervised --model discard --data run --out run --start wek", "wek.json is missing"),
    ("supervised --model discard --data nowhere --out run", "nowhere is not a store of games"),
    ("reward --data nowhere --out run", "nowhere is not a store of games"),
    ("winning-scores --out run --set tils=70", "unknown setting 'tils'; did you mean tiles?"),
)


def test_train_refuses_a_typo_before_it_loads_torch(tmp_path):
    """Torch takes five to eight seconds to load; one process for all, since another test may have loaded it here."""
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom suzaku.cli.main import app\n"
        f"for number, (words, sentence) in enumerate({TYPOS!r}):\n"
        "    done = CliRunner().invoke(app, ['train', *words.split()])\n"
        "    assert done.exit_code == 2 and sentence in done.stderr, (words, done.stderr)\n"
        "    assert 'torch' not in sys.modules, words\n"
        f"    assert number >= {LIGHT} or 'numba' not in sys.modules, words\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not any(tmp_path.iterdir())


def test_the_command_line_does_not_import_numba():
    code = "import sys, suzaku.cli.main; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_watch_prints_a_hand_of_mcr():
    result = run(app, ["watch", "--game", "mcr", "--seed", "3", "--delay", "0"])
    assert result.exit_code == 0, result.output
    for text in ("North 1", " fan: ", "Final ranking", "suzaku watch --seed 3 --game mcr --length hand"):
        assert text in result.stdout


def test_watch_prints_a_whole_game_when_nobody_looks():
    result = run(app, ["watch", "--seed", "7", "--delay", "0"])
    assert result.exit_code == 0, result.output
    assert "East 1" in result.stdout
    assert "East 4" in result.stdout
    assert "Final ranking" in result.stdout
    assert "suzaku watch --seed 7 --length east" in result.stdout
    again = run(app, ["watch", "--seed", "7", "--delay", "0"])
    assert again.stdout == result.stdout
    assert "First use" not in again.stderr


def test_watch_takes_rules():
    result = run(app, ["watch", "--seed", "7", "--rounds", "1", "--rules", "no-red,bust=false"])
    assert result.exit_code == 0, result.output
    assert "suzaku watch --seed 7 --rules no-red,bust=false --length hanchan" in result.stdout
    refused = run(app, ["watch", "--rules", "no-rad"])
    assert (refused.exit_code, refused.stderr) == (2, "suzaku: there are no rules 'no-rad'; did you mean no-red?\n")


def test_watch_stops_after_the_rounds_asked_for():
    result = run(app, ["watch", "--seed", "7", "--rounds", "1", "--seat", "2"])
    assert result.exit_code == 0, result.output
    assert "East 1" in result.stdout
    assert "Final ranking" not in result.stdout


def test_watch_takes_any_agents():
    bot = f"mjai:{shlex.quote(sys.executable)} -m suzaku bot --agent tsumogiri"
    words = [word for agent in ("suphx", bot, "shanten", "shanten") for word in ("--agent", agent)]
    result = run(app, ["watch", "--seed", "7", "--rounds", "2", *words])
    assert result.exit_code == 0, result.output
    for name in ("suphx", bot[:10], "shanten 1", "shanten 2"):
        assert name in result.stdout
    assert f"--length east --agent suphx --agent {shlex.quote(bot)} --agent shanten" in result.stdout
    assert "played:" not in result.stderr, "the bot makes no mistake"


def test_watch_plays_with_the_agent_that_is_named():
    result = run(app, ["watch", "--seed", "7", "--rounds", "1", "--agent", "tsumogiri"])
    assert result.exit_code == 0, result.output
    assert "tsumogiri 4" in result.stdout
    assert "exhaustive draw" in result.stdout.lower(), "nobody wins who only throws what is drawn"


def test_watch_stops_when_a_program_does_not_play(tmp_path):
    command = write_bot(tmp_path, "def answer(event):\n    return 'pong!'")
    result = run(app, ["watch", "--agent", f"mjai:{command}", "--seed", "7"])
    assert result.exit_code == 2
    assert "does not play: asked 10 times" in result.stderr.splitlines()[-1]
