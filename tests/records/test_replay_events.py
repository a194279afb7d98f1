"""A record that is changed anywhere no longer agrees with the rules."""

import copy
import re

import numpy as np
import pytest

from suzaku.records import types as ev
from suzaku.records.formats import read_games, write_game
from suzaku.records.verify import replay_game
from suzaku.riichi import actions as act
from suzaku.tiles import NAMES, to_text
from tests.records.made import made_game, stored_again, told


def first(game, kind, skip=0):
    """Round and row of an event of a kind."""
    for number, recorded in enumerate(game.rounds):
        rows = np.flatnonzero(recorded.events[:, 0] == kind)
        if len(rows) > skip:
            return number, int(rows[skip])
    raise AssertionError("no such event")


def differs(game):
    divergence = replay_game(game).divergence
    assert divergence is not None
    assert "dora indicators" in divergence.board
    assert divergence.game.source in str(divergence)
    return divergence


@pytest.mark.parametrize("seed", range(4))
def test_the_events_told_give_the_actions_again(seed):
    game = stored_again(told(seed))
    assert np.array_equal(game.actions, made_game(seed).actions)
    assert np.array_equal(game.walls, made_game(seed).walls)


@pytest.mark.parametrize(
    ("kind", "column", "value", "text"),
    [
        (ev.DRAW, 2, None, "the record says {new} was drawn, the wall has {old}"),
        (ev.DRAW, 1, None, "the record says seat {new} acts, by the rules it is the turn of seat {old}"),
        (ev.DISCARD, 2, None, r"discard {new} is not legal for seat \d; legal: discard .+"),
        (ev.DISCARD, 1, None, "the record says seat {new} acts, by the rules it is the turn of seat {old}"),
        (ev.RIICHI, 1, None, "the record says seat {new} acts, by the rules it is the turn of seat {old}"),
        (ev.INDICATOR, 2, None, "the record says the dora indicator 2 is {new}, the wall has {old}"),
        (ev.CALL, 2, act.OPEN_KONG, r"open kong is not legal for seat \d: the tile on offer is \d[mpsz]"),
        (
            ev.WIN,
            1,
            None,
            "the record says seat {new} takes a tile of seat {old}, by the rules it is the turn of seat {old}",
        ),
    ],
)
def test_a_changed_event_is_found(kind, column, value, text):
    game = copy.deepcopy(told(0))
    number, row = first(game, kind)
    events = game.rounds[number].events
    old = int(events[row, column])
    events[row, column] = value if value is not None else (old + 1) % (4 if column == 1 else 34)
    new = int(events[row, column])
    found = differs(game)
    assert found.round == number
    said = {"old": NAMES[old], "new": NAMES[new]} if column == 2 and value is None else {"old": old, "new": new}
    assert re.fullmatch(text.format(**said), found.text), found.text
    assert f", event {found.event + 1} (seat " in str(found)


def test_another_hand_and_another_time_of_an_indicator_are_found():
    game = copy.deepcopy(told(0))
    hands = game.rounds[0].hands
    kinds = np.flatnonzero(hands[2])
    hands[2, kinds[0]] -= 1
    hands[2, kinds[1]] += 1
    dealt, there = (to_text(np.repeat(np.arange(37), hand)) for hand in (told(0).rounds[0].hands[2], hands[2]))
    assert differs(game).text == f"seat 2 was dealt {there} in the record, {dealt} by the wall"
    game = copy.deepcopy(told(0))
    number, row = first(game, ev.INDICATOR)
    game.rounds[number].events = np.delete(game.rounds[number].events, row, 0)
    assert differs(game).text == "dora indicators shown so far: 1 in the record, 2 by the rules"


@pytest.mark.parametrize("kind", [ev.DRAW, ev.DISCARD, ev.ACCEPTED, ev.INDICATOR, ev.WIN])
def test_a_missing_event_is_found(kind):
    game = copy.deepcopy(told(0))
    number, row = first(game, kind)
    game.rounds[number].events = np.delete(game.rounds[number].events, row, 0)
    found = differs(game)
    assert found.round == number
    assert re.search(r"by the rules|by the wall|the (rules|record) (do|does) not|the wall has", found.text), found.text


@pytest.mark.parametrize(
    ("field", "text"), [("yaku", "yaku"), ("han", "han"), ("fu", "fu"), ("points", "points"), ("yakuman", "yakuman")]
)
def test_another_win_is_found(field, text):
    game = copy.deepcopy(told(0))
    win = next(win for recorded in game.rounds for win in recorded.wins)
    setattr(win, field, getattr(win, field) + 1)
    assert text in differs(game).text


def test_other_payments_scores_and_ends_are_found():
    for change in ("deltas", "scores", "final"):
        game = copy.deepcopy(told(0))
        if change == "final":
            game.final_scores = tuple(reversed(game.final_scores))
        else:
            setattr(game.rounds[1], change, (1, 2, 3, 4))
        found = differs(game)
        assert {"deltas": "payments", "scores": "starts as", "final": "final scores"}[change] in found.text
    game = copy.deepcopy(told(0))
    game.rounds.pop()
    assert "go on" in differs(game).text
    game = copy.deepcopy(told(0))
    game.rounds.append(game.rounds[-1])
    assert "goes on" in differs(game).text


@pytest.mark.parametrize(
    ("round_", "old", "new", "words"),
    [
        (1, r'oya="(\d)"', 'oya="3"', "the dealer is seat"),
        (0, r'oya="(\d)"', 'oya="1"', "the dealer is seat 0 by the rules, seat 1 in the record"),
        (1, r'seed="(\d+),', 'seed="7,', "the round starts as"),
        (1, r'seed="(\d+),(\d+),', r'seed="\1,9,', "honba 9"),
        (1, r'seed="(\d+),(\d+),(\d+),', r'seed="\1,\2,9,', "sticks 9"),
        (1, r'ten="(\d+),', 'ten="1,', "scores"),
    ],
)
def test_the_start_of_every_round_is_compared(round_, old, new, words):
    text = write_game(told(3), "mjlog").decode()
    start = [found.start() for found in re.finditer("<INIT", text)][round_]
    text = text[:start] + re.sub(old, new, text[start:], count=1)
    divergence = replay_game(read_games(text.encode(), "made")[0]).divergence
    assert divergence is not None
    assert divergence.round == round_
    assert words in divergence.text
