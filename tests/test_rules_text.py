"""Rules as a setting: presets and switches by name, and what is wrong with one in a sentence."""

import re

import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app
from suzaku.riichi.game import GAME
from suzaku.riichi.rules import PRESETS, Rules
from suzaku.table.game import name_rules, read_rules, rules_from_text, rules_text


@pytest.mark.parametrize(
    ("setting", "rules"),
    [
        ("", Rules()),
        ("tenhou", Rules.tenhou()),
        ("tenhou-east", Rules.tenhou_east()),
        ("no-red", Rules.no_red()),
        ("tenhou,open_tanyao=false,uma=30/10/-10/-30", Rules(open_tanyao=False, uma=(30, 10, -10, -30))),
        (" no-red , wins-on-discard = 1 ", Rules.no_red(wins_on_discard=1)),
        ("bust=off", Rules(bust=False)),
    ],
)
def test_settings(setting, rules):
    assert read_rules(GAME, setting) == rules
    assert read_rules(GAME, name_rules(GAME, rules)).with_length(rules.length) == rules
    assert rules_from_text(GAME, rules_text(rules)) == rules


def test_names_are_the_shortest_and_leave_the_length_out():
    assert name_rules(GAME, Rules.tenhou_east()) == "tenhou"
    assert name_rules(GAME, Rules.no_red().with_length("east")) == "no-red"
    assert name_rules(GAME, Rules(uma=(30, 10, -10, -30), bust=False)) == "tenhou,bust=false,uma=30/10/-10/-30"


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("tenho", "there are no rules 'tenho'; did you mean tenhou?"),
        ("xyz", "there are no rules 'xyz'; there are tenhou, tenhou-east, no-red"),
        ("tenhou,open_tanya=false", "no switch 'open_tanya'; did you mean open_tanyao?"),
        ("tenhou,bust", "the switch bust has no value: write bust=true"),
        ("tenhou,bust=maybe", "the switch bust takes a value such as true, not 'maybe'"),
        ("tenhou,uma=many", "the switch uma takes a value such as 20/10/-10/-20, not 'many'"),
        ("tenhou,uma=1/2", "uma must be four numbers"),
        ("tenhou,rounds=5", "rounds must be 4"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(setting, sentence):
    with pytest.raises(ValueError, match=sentence.replace("?", r"\?").replace("(", r"\(")):
        read_rules(GAME, setting)


def test_a_preset_is_one_line(monkeypatch):
    """The recipe "Add a rule preset": arena, bot, the page and Python know it by its name."""
    from suzaku.arena.match import Match
    from suzaku.web.protocol import NewTable, asked_rules, offered

    monkeypatch.setitem(PRESETS, "club", {"red_fives": False, "uma": (30, 10, -10, -30), "bust": False})
    club = Rules(red_fives=False, uma=(30, 10, -10, -30), bust=False)
    assert Rules.preset("club") == read_rules(GAME, "club") == club
    match = Match(("shanten", "random"), "1v3", rules_text="club", length="east")
    assert (match.rules, match.rules_text) == (club.with_length("east"), "club")
    assert offered(GAME)["club"]["bust"] is False
    assert asked_rules(NewTable(rules="no red fives")) == Rules.no_red()  # of tables kept under its old name
    assert asked_rules(NewTable(rules="club", switches={"bust": True})) == Rules.preset("club", bust=True)
    for command in (["arena"], ["bot"], ["bot", "check"], ["watch"]):
        shown = CliRunner().invoke(app, [*command, "--help"]).output
        assert re.search(r"no-red, club[;)]", " ".join(re.sub(r"[│╭╮╰╯─]", " ", shown).split()))


def test_rules_that_there_are_not_are_told_alike():
    told = []
    for read in (Rules.preset, lambda name: read_rules(GAME, name)):
        with pytest.raises(ValueError, match="there are no rules 'tenho'; did you mean tenhou") as caught:
            read("tenho")
        told.append(str(caught.value))
    assert told[0] == told[1]


def test_the_length_is_one_of_the_games():
    assert read_rules(GAME, "no-red", "east") == Rules.no_red().with_length("east")
    with pytest.raises(ValueError, match="length 'west' is unknown: choose one of east, hanchan"):
        read_rules(GAME, "", "west")
