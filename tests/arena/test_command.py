"""The command `suzaku arena`."""

import json

import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app

run = CliRunner().invoke
MATCH = ["arena", "shanten", "random", "--games", "8", "--length", "east", "--times", "20", "--tables", "8"]


@pytest.mark.parametrize("form", ["mjai", "mjlog"])
def test_a_match_with_saved_games_and_plots(tmp_path, form):
    pytest.importorskip("matplotlib", reason="needs the extra [train]")
    folder = tmp_path / "match"
    words = [*MATCH, "--out", str(folder), "--save", form, "--print", "json"]
    first = run(app, words)
    assert first.exit_code == 0, first.output
    found = json.loads(first.stdout)
    assert found["games"] == 8
    assert found["entrants"][0]["games"] == 8
    assert json.loads((folder / "result.json").read_text()) == found
    assert "| average rank, 95 % |" in (folder / "result.md").read_text(encoding="utf-8")
    for picture in ("stable.png", "places.png"):
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")
    saved = sorted((folder / "games").iterdir())
    assert len(saved) == 8
    shown = run(app, ["data", "show", str(saved[5])])  # the second game of the second deal: shanten in seat 1
    assert shown.exit_code == 0, shown.output
    assert "seat 1: shanten" in shown.stdout
    assert "seat 2: random" in shown.stdout
    assert "game over" in shown.stdout
    assert "disagree" not in shown.stdout
    assert run(app, ["data", "verify", str(folder / "games"), "--workers", "1"]).exit_code == 0
    again = run(app, words)  # everything is played: the same figures, times aside
    assert json.loads(again.stdout)["entrants"][0]["places"] == found["entrants"][0]["places"]


def test_the_table_and_markdown():
    shown = run(app, MATCH)
    assert shown.exit_code == 0, shown.output
    assert "average rank" in shown.stdout
    assert "games still needed" in shown.stdout
    markdown = run(app, [*MATCH, "--print", "markdown"])
    assert markdown.stdout.startswith("1v3, 8 east-only games on 2 deals, seed 0, rules tenhou\n")
    assert "| shanten - random |" in markdown.stdout


def test_one_deal_has_no_interval_and_says_so():
    words = [*MATCH, "--games", "3"]
    note = "One deal gives no interval: play two deals or more, --games 8 or above."
    for form in ("table", "markdown"):
        shown = run(app, [*words, "--print", form])
        assert shown.exit_code == 0, shown.output
        assert note in shown.stdout
        assert "±" not in shown.stdout
        assert "on 1 deal, " in shown.stdout
    found = json.loads(run(app, [*words, "--print", "json"]).stdout)
    assert found["note"] == note
    assert found["entrants"][0]["half"] is found["comparisons"][0]["half"] is None
    assert json.loads(run(app, [*MATCH, "--print", "json"]).stdout)["note"] is None


def test_fewer_games_than_the_folder_holds(tmp_path):
    folder = ["--out", str(tmp_path / "match"), "--print", "json"]
    assert run(app, [*MATCH, *folder]).exit_code == 0
    fewer = run(app, [*MATCH, "--games", "4", *folder])
    assert fewer.exit_code == 0, fewer.output
    assert "holds 8 games, more than 4: the figures are of all" in fewer.stderr
    assert json.loads(fewer.stdout)["games"] == 8


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["shanten", "shantem"], "did you mean shanten"),
        (["shanten"], "two agents or more"),
        (["shanten", "random", "--mode", "4way"], "four agents"),
        (["shanten", "random", "--save", "mjai"], "--save needs --out"),
        (["shanten", "random", "--game", "mcr", "--rules", "table", "--save", "botzone"], "in a store"),
        (["shanten", "random", "--rules", "no-rad"], "there are no rules 'no-rad'; did you mean no-red?"),
        (["shanten", "random", "--rules", "tenhou,umas=1"], "the rules have no switch 'umas'; did you mean uma?"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(words, sentence):
    result = run(app, ["arena", *words])
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_what_is_rounded_up_to_whole_deals_is_said():
    shown = run(app, ["arena", "tsumogiri", "random", "--games", "5", "--length", "east", "--print", "json"])
    assert "suzaku: 8 games instead of 5: every deal is played once in each seating.\n" in shown.stderr
    assert json.loads(shown.stdout)["games"] == 8
    assert json.loads(shown.stdout)["entrants"][0]["rates"]["mean win"] is None  # it never wins
    assert "instead of" not in run(app, MATCH).stderr
    table = run(app, ["arena", "tsumogiri", "random", "--games", "8", "--length", "east", "--print", "markdown"]).stdout
    assert "| mean win | - |" in table


def test_a_folder_of_a_match_is_taken_as_its_games(tmp_path):
    few = [*MATCH[:4], "4", *MATCH[5:]]
    assert run(app, [*few, "--out", str(tmp_path / "none")]).exit_code == 0
    refused = run(app, ["agreement", str(tmp_path / "none"), "--agent", "tsumogiri"])
    assert refused.exit_code == 2
    assert "this match has saved no games; suzaku arena --save does" in refused.stderr
    assert run(app, [*few, "--out", str(tmp_path / "match"), "--save", "mjai"]).exit_code == 0
    for words in (["agreement", "--agent", "tsumogiri"], ["data", "verify", "--workers", "1"]):
        done = run(app, [*words, str(tmp_path / "match")])
        assert done.exit_code == 0, done.output
        assert "4 games" in done.stdout
        assert "clocks" not in done.output


def test_other_rules(tmp_path):
    """The report and the log name the rules, final points follow them, and other ones are refused in the folder."""
    usual = json.loads(run(app, [*MATCH, "--print", "json"]).stdout)
    rules = ["--rules", "tenhou-east,uma=60/10/-10/-60", "--out", str(tmp_path / "match")]
    words = [word for word in MATCH if word not in ("--length", "east")]
    other = run(app, [*words, *rules, "--print", "markdown", "--save", "store"])
    assert other.exit_code == 0, other.output
    assert "8 east-only games on 2 deals, seed 0, rules tenhou,uma=60/10/-10/-60" in other.stdout
    settings = json.loads((tmp_path / "match" / "match.json").read_text())
    assert (settings["rules"], settings["length"], settings["game"]) == ("tenhou,uma=60/10/-10/-60", "east", "riichi")
    found = json.loads((tmp_path / "match" / "result.json").read_text())
    before, after = usual["entrants"][0], found["entrants"][0]
    assert after["places"] == before["places"]
    more = 40 * (before["places"][0] - before["places"][3]) / 8
    assert after["points_a_game"] == pytest.approx(before["points_a_game"] + more)
    assert usual["rules"] == "tenhou"
    stats = run(app, ["data", "stats", str(tmp_path / "match" / "games")])
    assert stats.exit_code == 0, stats.output
    refused = run(app, [*MATCH, "--out", str(tmp_path / "match"), "--save", "store"])
    assert refused.exit_code == 2
    assert "holds another match (rules 'tenhou,uma=60/10/-10/-60', not 'tenhou')" in refused.stderr


def test_a_folder_from_before_the_settings_told_the_rules(tmp_path):
    """It was Tenhou's Riichi, and goes on as such."""
    words = [*MATCH, "--out", str(tmp_path / "match"), "--print", "json"]
    assert run(app, words).exit_code == 0
    path = tmp_path / "match" / "match.json"
    settings = json.loads(path.read_text())
    path.write_text(json.dumps({key: value for key, value in settings.items() if key not in ("game", "rules")}))
    assert run(app, words).exit_code == 0
    assert run(app, [*words, "--rules", "no-red"]).exit_code == 2


def test_records_of_two_matches_on_the_same_deals_are_different_games(tmp_path):
    for agents in (["shanten", "random"], ["random", "shanten"]):
        words = ["--game", "mcr", "--games", "4", "--save", "botzone", "--out", str(tmp_path / agents[0])]
        assert run(app, ["arena", *agents, *words]).exit_code == 0
    store = str(tmp_path / "store")
    found = run(app, ["data", "import", str(tmp_path / "shanten"), str(tmp_path / "random"), "--out", store])
    assert found.exit_code == 0, found.output
    assert "8 games" in found.output


@pytest.mark.parametrize("form", ["store", "mjai"])
def test_saved_games_are_in_the_library(tmp_path, monkeypatch, form):
    """The games of a match are listed with those of the page, and shown, written and compared by their ids."""
    monkeypatch.setenv("SUZAKU_DATA", str(tmp_path / "data"))
    words = [*MATCH[:4], "4", *MATCH[5:], "--out", str(tmp_path / "match"), "--save", form]
    for _ in range(2):  # the second time nothing is played, and nothing listed twice
        played = run(app, words)
        assert played.exit_code == 0, played.output
        assert "these games at http://localhost:8686/#/?source=arena/match" in played.stderr
    listed = run(app, ["data", "list", "--player", "shanten", "--source", "arena/match"]).stdout.splitlines()
    ids = [line.split()[1] for line in listed]
    assert sorted(id.rpartition(".")[0] for id in ids) == [f"arena-0-{number}" for number in range(4)]
    shown = run(app, ["data", "show", "arena-0-3"])
    assert shown.exit_code == 0, shown.output
    assert "seat 3: shanten" in shown.stdout
    assert "game over" in shown.stdout
    written = run(app, ["data", "export", max(ids), "--format", "mjai"])
    assert json.loads(written.stdout.splitlines()[0])["names"] == ["random", "random", "random", "shanten"]
    compared = run(app, ["agreement", "arena/match", "--agent", "shanten", "--player", "shanten", "--json"])
    assert compared.exit_code == 0, compared.output
    found = json.loads(compared.stdout)
    assert (found["games"], found["types"]["all"]["agreement"]) == (4, 1.0)
    assert (
        "no such game is listed; there are arena/match (4 games)" in run(app, ["data", "list", "--player", "x"]).stderr
    )
    assert "must be a date" in run(app, ["data", "list", "--since", "yesterday"]).stderr


def test_a_saved_game_of_mcr_is_shown_by_its_id(tmp_path, monkeypatch):
    monkeypatch.setenv("SUZAKU_DATA", str(tmp_path / "data"))
    words = ["--game", "mcr", "--games", "4", "--save", "store", "--out", str(tmp_path / "match")]
    assert run(app, ["arena", "shanten", "random", *words]).exit_code == 0
    shown = run(app, ["data", "show", "arena-0-2"])
    assert shown.exit_code == 0, shown.output
    assert "seat 2: shanten" in shown.stdout
    assert "disagree" not in shown.stdout
