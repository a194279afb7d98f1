"""`suzaku analyse`: what it prints, as a table and as JSON, and how it refuses what cannot be."""

import json
from io import StringIO

import pytest
from rich.console import Console
from typer.testing import CliRunner

from suzaku.cli.analyse import show
from suzaku.cli.main import app
from suzaku.lookahead.analysis import analyse_hand
from suzaku.tiles import KIND_OF, parse_one
from suzaku.winning_scores.forecast import hand_chances

run = CliRunner().invoke


def analyse(*words):
    result = run(app, ["analyse", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_table_of_a_hand():
    text = analyse("123m4067p234789s1z", "--dora", "3p")
    rows = text.splitlines()
    assert "dora 4p" in rows[0]
    assert rows[1].startswith("tenpai; 12 draws left, 121 tiles unseen")
    assert "best by 1, 2, 3" in rows[2]
    best = rows[4].split()
    assert best[:2] == ["東", "0"]
    assert {"4p×3", "7p×3"} <= set(best)
    assert len(rows) == 4 + 14


def test_json_has_the_same_numbers_as_the_function():
    found = json.loads(analyse("135m4067p2347s112z", "--dora", "3p", "--turn", "8", "--objective", "win", "--json"))
    same = analyse_hand("135m4067p2347s112z", dora_indicators="3p", draws=10, objective="win")
    assert found["shanten"] == 2
    assert found["draws"] == 10
    assert [row["tile"] for row in found["discards"]] == [row.tile for row in same.discards]
    wins = [row["win"] for row in found["discards"]]
    assert wins == sorted(wins, reverse=True)
    assert wins[0] == pytest.approx(same.discards[0].win)
    assert len(found["discards"][0]["win_by_draws"]) == 11


def test_a_hand_of_thirteen_shows_its_waits():
    text = analyse("123m406p234789s1z", "--visible", "11z")
    assert "waits" in text
    assert "東×1" in text


def test_a_complete_hand_shows_its_value():
    assert "menzen tsumo 1, pinfu 1" in analyse("123m456p23478s11z9s", "--seat", "W", "--round", "S")
    assert "no yaku" in analyse("456p23478s11z9s", "--melds", "123m")


def test_melds():
    text = analyse("4067p234s1z", "--melds", "777z,111m", "--seat", "E", "--claims")
    assert "others' discards" in text
    assert "中" in text
    closed = analyse_hand("4067p234s11z5z", [("closed_kong", "1111m")], draws=6)
    assert json.loads(analyse("4067p234s11z5z", "--melds", "1111m:closed", "--draws", "6", "--json"))["discards"][0][
        "points"
    ] == pytest.approx(closed.discards[0].points)


def test_far_hands_have_no_chances():
    text = analyse("147m258p369s12345z")
    assert "a dash stands for the others" in text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["123m"], "is not a valid hand: it has 3 tiles, expected 14 or 13"),
        (["123m4067p234789s1x"], "expected digits and then one of m, p, s, z"),
        (["111m4067p234789s1z", "--visible", "11m"], "only four of a kind"),
        (["1234m4067p234s1z", "--melds", "135m"], "is not a valid chow"),
        (["1234m4067p234s1z", "--melds", "111z:open"], "only 'closed' can stand"),
        (["1234m4067p234s1z", "--melds", "111z:closed"], "only a kong of four tiles"),
        (["123m4067p234789s1z", "--turn", "3", "--draws", "3"], "give one of them"),
        (["123m4067p234789s1z", "--dora", "123456m"], "at most five"),
        (["123m4067p234789s1z", "--draws", "19"], "18"),
        (["123m4067p234789s1z", "--seat", "X"], "'X'"),
        (["--game", "mcr", "123m456p78s2399m1z5z", "--dora", "1m"], "leave them out with --game mcr"),
        ([], "analyse needs HAND"),
        (
            ["game.mjlog"],
            "is the name of a file and not a hand such as 123m4067p234789s1z: suzaku data show reads records",
        ),
        (["--game", "mcr", "README.md"], "suzaku agreement compares an agent with their players"),
    ],
)
def test_bad_input_ends_with_code_2(words, why):
    result = run(app, ["analyse", *words])
    assert result.exit_code == 2
    assert why in result.stderr
    assert "Traceback" not in result.output


def test_help_teaches_by_examples():
    text = run(app, ["analyse", "--help"]).output
    assert "suzaku analyse 123m4067p234789s1z --dora 3p" in text
    for word in ("--melds", "--visible", "--turn", "--draws", "--objective", "--claims", "--json"):
        assert word in text


def test_chances_by_han_are_shown_for_closed_hands():
    text = analyse("123m4067p234789s1z", "--dora", "3p")
    assert "han: 1+  2+  3+  4+" in text.splitlines()[2]
    assert text.splitlines()[4].count("%") == 6
    found = json.loads(analyse("123m4067p234789s1z", "--dora", "3p", "--json"))
    best = found["discards"][0]["by_han"]
    assert best["riichi"][0] > found["discards"][-1]["by_han"]["silent"][0]
    for other in (("4067p234789s1z", "--melds", "777z"), ("123m406p234789s1z",)):
        assert "han:" not in analyse(*other)
        assert all(row["by_han"] is None for row in json.loads(analyse(*other, "--json"))["discards"])


@pytest.mark.parametrize("hand", ["123m4067p234789s1z", "135m4067p2347s112z"])
def test_a_narrow_terminal_shows_the_chances_by_han_below(hand):
    found, chances = analyse_hand(hand), hand_chances(hand)
    by_han = {row.tile: chances[int(KIND_OF[parse_one(row.tile)])] for row in found.discards}
    screen = StringIO()
    show(Console(width=80, file=screen), found, by_han)
    rows = screen.getvalue().splitlines()
    assert max(len(row) for row in rows) <= 80
    below = rows[next(i for i, row in enumerate(rows) if "han: 1+" in row) :]
    for chance in by_han.values():
        assert any(" ".join(f"{p:3.0%}" for p in chance.best) in row for row in below)
    assert sum(row.count("%") for row in below) == 4 * len(by_han)


def test_the_plans_of_a_hand_of_mcr():
    result = run(app, ["analyse", "--game", "mcr", "123m456p78s2399m1z5z", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert next(iter(found)) in ("1z", "5z")
    best = found["1z"]["plans"][0]
    assert best["fan"] == sum(fan["value"] * fan["count"] for fan in best["fans"]) >= 8
    shown = run(app, ["analyse", "--game", "mcr", "123m456p78s2399m1z"])
    assert "Mixed Straight 8" in shown.stdout
    refused = run(app, ["analyse", "--game", "chess", "123m"])
    assert refused.exit_code == 2
