"""A game written in a format and read again is the same game."""

import gzip
import json
from collections import Counter

import numpy as np
import pytest

from suzaku.records import types as ev
from suzaku.records.formats import WRITERS, read_games, write_game
from suzaku.records.to_events import to_events
from suzaku.records.types import Game, Player, RecordError, SkippedError
from suzaku.riichi import actions as act
from suzaku.riichi.rules import Rules
from suzaku.table.kernels import AWAY
from tests.records.made import HALF_AWAY, made_game, stored_again, told

SEEDS = range(24)


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_written_and_read_again(format, seed):
    game = made_game(seed)
    again = stored_again(read_games(write_game(told(seed), format), game.id)[0])
    assert np.array_equal(again.actions % AWAY, game.actions % AWAY)
    assert again.scores == game.scores
    assert again.ranks == game.ranks
    assert again.finished
    assert len(again.walls) == len(game.walls)
    if format != "mjai":  # which does not tell the length of a game, nor dan
        assert again.rules == game.rules
        assert again.dan == game.dan
    if format == "mjlog":  # which we write with the wall
        assert np.array_equal(again.walls, game.walls)
        assert np.array_equal(again.actions, game.actions)
        assert again.walls_known
    else:
        assert not again.walls_known
        assert np.array_equal(np.sort(again.walls), np.sort(game.walls))


def test_the_games_made_reach_the_corners():
    calls, kinds = Counter(), Counter()
    for seed in SEEDS:
        for told_round in told(seed).rounds:
            for kind, _, a, _ in told_round.events.tolist():
                kinds[kind] += 1
                if kind in (ev.CALL, ev.KONG):
                    calls[a if a < act.CLOSED_KONG else act.CLOSED_KONG if a < act.ADDED_KONG else act.ADDED_KONG] += 1
            kinds["two wins"] += len(told_round.wins) == 2
    assert set(range(act.CHOW_LOW, act.OPEN_KONG + 1)) <= set(calls)  # with and without red fives
    assert calls[act.CLOSED_KONG] > 0
    assert calls[act.ADDED_KONG] > 0
    assert kinds["two wins"] > 0
    assert all(kinds[kind] for kind in range(11)), kinds


def test_absence_is_kept_in_mjlog():
    game = made_game(HALF_AWAY)
    assert np.count_nonzero(game.actions >= AWAY) > 5
    text = write_game(told(HALF_AWAY), "mjlog")
    assert text.count(b"<BYE") == 1
    assert np.array_equal(stored_again(read_games(text, game.id)[0]).actions, game.actions)


def test_gzipped_text_is_read():
    text = gzip.compress(write_game(told(0), "mjlog"))
    assert len(read_games(text, "made-game-0000.mjlog.gz")[0].rounds) == len(made_game(0).walls)


def test_several_games_in_one_mjai_file():
    text = write_game(told(0), "mjai") + write_game(told(1), "mjai")
    games = read_games(text, "two-games.jsonl")
    assert [len(game.rounds) for game in games] == [len(made_game(0).walls), len(made_game(1).walls)]
    assert games[0].id != games[1].id


def test_tenhou6_as_a_line_a_round():
    log = json.loads(write_game(told(2), "tenhou6"))
    del log["sc"]
    lines = b"\n".join(json.dumps({**log, "log": [entry]}).encode() for entry in log["log"])
    game = stored_again(read_games(lines, "made-game-0002.json")[0])
    assert np.array_equal(game.actions, made_game(2).actions % AWAY)


def test_one_round_alone_keeps_its_start():
    log = json.loads(write_game(told(2), "tenhou6"))
    del log["sc"]
    log["log"] = log["log"][-1:]
    game = stored_again(read_games(json.dumps(log).encode(), "made-game-0002.json")[0])
    assert game.start is not None
    assert len(game.walls) == 1
    assert np.array_equal(stored_again(to_events(game)).actions, game.actions)


def test_gimite_dialect():
    """Scores after each event, a reason, `uradora_markers`, no scores at the start, fu before rounding."""
    lines = []
    scores = [25000] * 4
    for line in write_game(told(3), "mjai").splitlines():
        event = json.loads(line)
        event.pop("scores", None)
        if event["type"] == "reach_accepted":
            scores[event["actor"]] -= 1000
        if event["type"] in ("hora", "ryukyoku"):
            scores = [a + b for a, b in zip(scores, event.pop("deltas"), strict=True)]
            event["scores"] = list(scores)
            if event.get("ura_markers"):
                event["uradora_markers"] = event.pop("ura_markers")
        lines.append(json.dumps(event))
    game = stored_again(read_games("\n".join(lines).encode(), "made-game-0003")[0])
    assert np.array_equal(game.actions, made_game(3).actions)


def test_seats_that_start_elsewhere_are_turned():
    lines = []
    for line in write_game(told(4), "mjai").splitlines():
        event = json.loads(line)
        for key in ("actor", "target", "oya"):
            if key in event:
                event[key] = (event[key] + 1) % 4
        for key in ("scores", "deltas", "tehais", "names"):
            if key in event:
                event[key] = event[key][-1:] + event[key][:-1]
        lines.append(json.dumps(event))
    game = stored_again(read_games("\n".join(lines).encode(), "made-game-0004")[0])
    assert np.array_equal(game.actions, made_game(4).actions)


def test_riichi_written_after_its_discard_is_understood():
    lines = write_game(told(0), "mjlog").decode().split("\n")
    at = next(i for i, line in enumerate(lines) if 'step="1"' in line)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    game = stored_again(read_games("\n".join(lines).encode(), "made-game-0000")[0])
    assert np.array_equal(game.actions, made_game(0).actions)


@pytest.mark.parametrize(
    ("kind", "reason"), [(0x19, "three players"), (0x0B, "no red fives"), (0x209, "rules of its own")]
)
def test_other_rules_are_skipped_with_the_reason(kind, reason):
    text = f'<mjloggm ver="2.3"><GO type="{kind}"/></mjloggm>'.encode()
    with pytest.raises(SkippedError, match=reason):
        read_games(text, "other")


def test_another_game_in_mjai_is_skipped():
    event = json.loads(write_game(told(0), "mjai").splitlines()[1])
    del event["dora_marker"]
    with pytest.raises(SkippedError, match="another game"):
        read_games(json.dumps(event).encode(), "other")


def test_a_players_view_is_no_record():
    event = json.loads(write_game(told(0), "mjai").splitlines()[1])
    event["tehais"][1] = ["?"] * 13
    with pytest.raises(RecordError, match="hidden"):
        read_games(json.dumps(event).encode(), "view")


def test_a_game_without_red_fives_says_so():
    """It is written as what it is; readers of records, which are of Tenhou's rules, pass it over."""
    game = Game("x", "x", "mjai", Rules.no_red(), [Player() for _ in range(4)], [], True, True)
    assert json.loads(write_game(game, "mjai").splitlines()[0])["aka_flag"] is False
    with pytest.raises(SkippedError, match="no red fives"):
        read_games(write_game(game, "mjai"), "x")
    assert "aka_flag" not in json.loads(write_game(told(3), "mjai").splitlines()[0])
