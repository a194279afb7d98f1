"""Records of MCR: our own matches written, read and verified in both formats of Botzone."""

import re
from itertools import pairwise

import numpy as np
import pytest

from suzaku.mcr import Rules, Table
from suzaku.mcr import actions as act
from suzaku.records.botzone import read_json, read_text, write_json, write_text
from suzaku.records.botzone_replay import replay_recorded, tell
from suzaku.records.statistics import collect_stats
from suzaku.records.store import Store, write_part, write_summary
from suzaku.records.stored import Stored
from suzaku.records.types import RecordError
from suzaku.review.opinion import rounds_of
from tests.mcr.test_table_judge import choose

FORMATS = {"json": (read_json, write_json), "text": (read_text, write_text)}


def played(seed: int, foul: bool = False) -> Stored:
    """A match of players who love kongs."""
    rng = np.random.default_rng(seed)
    table = Table(Rules.botzone(), seed=seed)
    wall, wind = table.record.wall.copy(), int(table.record.wind)
    actions = []
    while not table.game_over:
        action = choose(table, table.legal_actions(), rng, 1.1)
        if foul and len(actions) == 30:
            action = act.FOUL + 2
            table.foul(2)
        else:
            table.act(action)
        actions.append(action)
    return Stored(
        id=f"match-{seed}", source="here", format="", lobby="", time="", rules=table.rules,
        players=["a", "b", "c", "d"],
        dan=[-1] * 4, rate=[float("nan")] * 4, start=[4 * wind, 0, 0, 0, 0], scores=table.scores,
        ranks=[r - 1 for r in table.ranks], finished=True, walls_known=True, decisions=len(actions),
        walls=wall.reshape(1, -1), actions=np.array(actions, np.uint8), game="mcr",
    )  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
def test_matches_are_written_read_and_verified(form):
    read, write = FORMATS[form]
    verbs = set()
    for seed in range(30):
        stored = played(seed)
        recorded = tell(stored)
        verbs |= {event.verb for event in recorded.events}
        (again,) = read(write(recorded), "file")
        assert (again.id, again.wind, again.hands, again.scores) == (
            stored.id, recorded.wind, recorded.hands, stored.scores,
        )  # fmt: skip
        replayed = replay_recorded(again)
        assert replayed.divergence == ""
        assert replayed.stored.actions.tolist() == stored.actions.tolist()
        assert replayed.stored.scores == stored.scores
        if form == "json":
            assert (replayed.stored.walls == stored.walls).all()
    assert verbs >= {"DRAW", "PLAY", "CHI", "PENG", "GANG", "ANGANG", "BUGANG", "HUANG"}


def test_a_foul_is_kept_as_json_only():
    stored = played(3, foul=True)
    (again,) = read_json(write_json(tell(stored)), "file")
    assert replay_recorded(again).stored.actions.tolist() == stored.actions.tolist()
    assert again.scores == [10, 10, -30, 10]
    with pytest.raises(ValueError, match="no fouls"):
        write_text(tell(stored))


def test_what_differs_is_told_with_the_board():
    (game,) = read_text(write_text(tell(played(1))), "some.txt")
    game.scores = [1, 2, 3, 4]
    assert "the scores: " in replay_recorded(game).divergence
    (game,) = read_text(write_text(tell(played(1))), "some.txt")
    drawn = next(i for i, event in enumerate(game.events) if event.verb == "DRAW" and i > 10)
    game.events[drawn + 1].tile = (game.events[drawn + 1].tile + 13) % 34
    text = replay_recorded(game).divergence
    assert re.match(r"some.txt: match-1, event \d+ of \d+: discard \w+ is not legal", text)
    assert "tiles left" in text


def test_a_record_without_its_result_is_no_whole_one():
    stored = next(one for one in map(played, range(30)) if not any(one.scores))
    (game,) = read_text(write_text(tell(stored)).replace(b"Huang\n", b""), "x")
    assert "the record ends before its result" in replay_recorded(game).divergence


def test_an_overruled_claim_names_the_tile_that_was_offered():
    game = tell(played(1))
    for event in game.events:
        if event.verb == "PLAY":
            event.claims = {(event.seat + 2) % 4: "PENG"}
    drawn = [(event.seat, event.tile) for event in game.events if event.verb == "DRAW"]
    assert len(set(drawn)) < len(drawn)  # some lines of a text are alike
    lines = write_text(game).decode().splitlines()
    for before, line in pairwise(lines):
        if before.split()[2:3] == ["Play"] and line != "Huang":
            assert line.split()[-2:] == ["Peng", before.split()[3]]


def test_text_that_makes_no_sense_is_refused():
    with pytest.raises(RecordError, match="prevalent wind"):
        read_text(re.sub(rb"Wind .\n", b"", write_text(tell(played(1)))), "x")
    with pytest.raises(RecordError, match="line 2 makes no sense"):
        read_text(b"Match x\nPlayer 9 Draw W1\n", "x")
    with pytest.raises(RecordError, match="has no events"):
        read_text(b"Match x\nWind 1\n", "x")
    text = write_json(tell(played(3, foul=True)))
    for old, new, why in (
        (rb'"quan": \d, "wall', b'"quan": 7, "wall', "expected 0 to 3"),
        (rb'"action": "WA", "player": 2', b'"action": "WA"', "by no seat"),
    ):
        with pytest.raises(RecordError, match=why):
            read_json(re.sub(old, new, text), "x")
    with pytest.raises(RecordError):
        read_json(b'{"initdata": {"walltiles": "W1"}, "logs": []}', "x")


def test_figures_of_a_store_are_those_of_its_hands(tmp_path):
    games = [played(seed) for seed in range(6)] + [played(6, foul=True)]
    write_part(tmp_path / "part-00000.parquet", games, {})
    write_summary(tmp_path, 1, len(games), len(games))
    found = collect_stats(Store(tmp_path))
    rates = {name: value for name, value, _ in found.rates()}
    won = [game for game in games if max(game.scores) > 10]
    assert (found.game, found.games, int(found.counts.rounds)) == ("mcr", 7, 7)
    assert rates["win rate"] == pytest.approx(100 * len(won) / 28)
    assert rates["fouls"] == pytest.approx(100 / 28)
    assert dict(found.results())["foul"] == 1
    assert sum(n for _, n in found.results()) == 7
    asked = {name: (asked, taken) for name, asked, taken in found.decisions()}
    assert asked["win"][1] == len(won)
    assert asked["discard"][1] == sum(int((game.actions < 34).sum()) for game in games)
    assert found.parts()[0][1] >= found.parts()[1][1] >= 0
    assert "Big Four Winds" in dict(found.parts())


def test_a_foul_is_replayed_step_by_step():
    rounds = rounds_of(played(6, foul=True))
    assert rounds[0].actions[-1] == act.FOUL + 2
