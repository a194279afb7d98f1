"""A second game needs a descriptor and nothing else: arena, store and replay take it as it is."""

import pickle
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from suzaku.agents.simple import TsumogiriAgent
from suzaku.arena.log import Log
from suzaku.arena.match import Match
from suzaku.arena.play import Play, Played, here
from suzaku.arena.report import to_markdown
from suzaku.arena.summary import summarise
from suzaku.arena.table_worker import TableWorker
from suzaku.cli.main import app
from suzaku.features import sets
from suzaku.features.channels import FeatureSet, Group
from suzaku.networks import spec
from suzaku.records.decisions import decisions, decisions_of, replay_decisions, types_mask
from suzaku.records.library import Library
from suzaku.records.statistics import collect_stats
from suzaku.records.store import Filters, Store
from suzaku.records.stored import table_after
from suzaku.records.to_events import to_events
from suzaku.records.types import RecordError
from suzaku.review.agreement import measure
from suzaku.review.opinion import rounds_of
from suzaku.table.game import GAMES, game_named
from tests.games.highest_card import GAME, High, Low, Rules

NAME = "highest-card"
HIGH, LOW = (f"python:tests.games.highest_card:{one}" for one in ("High", "Low"))
run = CliRunner().invoke


@pytest.fixture(autouse=True)
def known(monkeypatch):
    """The game is known by its name."""
    monkeypatch.setitem(GAMES, NAME, "tests.games.highest_card")


def play(match: Match, games: int, folder=None, tables: int = 5) -> Played:
    workers = here(match, tables, {"high": High(), "low": Low()})
    return Play(match, Log(match, folder), games).run(workers)


def test_a_match_is_played_and_reported():
    match = Match(("high", "low"), "1v2", seed=3, game=NAME)
    assert (match.length, match.rules_text) == ("short", "usual")
    summary = summarise(play(match, 40), times=4)
    high, low = summary.entrants
    assert high.average_rank < 1.3 < 2.3 < low.average_rank
    assert high.rates["win rate"] > 80 > 20 > low.rates["win rate"]
    assert high.points_a_game > 0 > low.points_a_game
    text = to_markdown(summary)
    assert text.startswith("1v2, 42 short matches on 14 deals, seed 3, rules usual")
    assert "| win % |" in text
    assert "dan" not in text
    assert "riichi" not in text


def test_the_average_rank_of_three_seats_is_two():
    match = Match(("high", "low", "high"), "3way", seed=1, length="long", game=NAME, rules_text="lowest")
    summary = summarise(play(match, 48), times=4)
    assert summary.entrants[0].average_rank > 2 > summary.entrants[1].average_rank
    assert summary.rules == "lowest"
    means = [e.average_rank for e in summary.entrants]
    assert sum(means) == pytest.approx(6)


def test_an_interrupted_match_goes_on_and_other_settings_are_refused(tmp_path):
    match = Match(("high", "low"), "1v2", seed=3, game=NAME)
    first, whole = play(match, 9, tmp_path / "a"), play(match, 24)
    again = play(match, 24, tmp_path / "a", tables=3)
    assert (first.new, again.new) == (9, 15)
    assert (again.rows == whole.rows).all()
    with pytest.raises(ValueError, match=r"another match \(rules 'usual', not 'lowest'\)"):
        Log(Match(("high", "low"), "1v2", seed=3, game=NAME, rules_text="lowest"), tmp_path / "a")
    with pytest.raises(ValueError, match="another match"):
        Log(Match(("high", "low"), "1v3", seed=3), tmp_path / "a")


@pytest.fixture
def store(tmp_path, known) -> Store:
    """The games of a match, kept in a store in two runs."""
    match = Match(("high", "low"), "1v2", seed=3, save="store", game=NAME, rules_text="start_score=5")
    play(match, 9, tmp_path / "match")
    play(match, 12, tmp_path / "match")
    return Store(tmp_path / "match" / "games")


def test_games_are_stored_and_replayed_to_decisions(store):
    games = list(store.games())
    assert len(games) == len(store) == 12
    assert len({game.id for game in games}) == 12
    assert {game.game for game in games} == {NAME}
    assert games[0].rules == Rules(start_score=5)
    for game in games:
        last = table_after(game, len(game.actions))[0]
        assert last.scores.tolist() == game.scores
        assert last.ranks.tolist() == game.ranks
        assert [len(one.actions) for one in rounds_of(game)] == [3, 3, 3]
        played = replay_decisions(game, types_mask(GAME, "play"))
        assert len(played) == 9
        high = played.legal[np.arange(9)].cumsum(1).argmax(1)
        plays_high = played.action == high
        assert plays_high.sum() == 3  # once a round: one of the three plays so
    batches = list(decisions(store, game=NAME, batch=16, buffer=64))
    assert sum(map(len, batches)) == 12 * 9
    assert batches[0].records.dtype == GAME.record
    assert list(decisions(store)) == []  # of Riichi there is none
    assert list(store.games(Filters(length="long"))) == []


def test_the_library_lists_three_seats(store, tmp_path):
    library = Library(tmp_path / "games.sqlite")
    library.add(store, "arena/cards")
    (row,) = library.latest(1)
    assert [len(row[name]) for name in ("names", "agents", "scores", "ranks")] == [3] * 4
    assert library.load(row["id"]).scores == row["scores"]


def test_a_game_lost_between_part_and_rows_is_not_stored_twice(tmp_path):
    match = Match(("high", "low"), "1v2", seed=3, save="store", game=NAME)
    play(match, 9, tmp_path / "a")
    rows = tmp_path / "a" / "games.bin"
    rows.write_bytes(rows.read_bytes()[: -match.row.itemsize])
    play(match, 9, tmp_path / "a")
    ids = [game.id for game in Store(tmp_path / "a" / "games").games()]
    assert len(ids) == len(set(ids)) == 9


def test_hidden_tiles_are_redrawn_and_the_table_is_drawn(store):
    table = table_after(next(store.games()), 6)
    before = table.copy()
    asked = int(table["seat"][0])
    seen = []
    for seed in range(8):
        GAME.redraw(table, asked, np.random.default_rng(seed))
        assert (table["held"][0].sum(1) == before["held"][0].sum(1)).all()
        assert (table["held"][0, asked] == before["held"][0, asked]).all()
        seen.append(table["held"].tobytes())
    assert len(set(seen)) > 1
    drawn = GAME.drawings.draw_text(table[0], asked)
    assert f"holds {np.flatnonzero(before['held'][0, asked]).tolist()}" in drawn
    assert "??" in drawn


def encode_held(records, claim, out, lookahead):
    out = np.zeros((len(records), 1, 20), np.uint8) if out is None else out
    out[: len(records), 0] = records["held"][np.arange(len(records)), records["seat"]]
    return out


def test_learning_keeps_games_apart(store, tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="needs the extra [train]")
    from suzaku.learning.config import Config
    from suzaku.learning.loop import Run
    from suzaku.learning.samples import stream
    from suzaku.learning.supervised import Supervised, evaluate_model

    monkeypatch.setattr("suzaku.features.sets.SETS", dict(sets.SETS))
    monkeypatch.setattr("suzaku.networks.spec.FAMILIES", dict(spec.FAMILIES))
    groups = (Group("held", 1, "stacked", "own tiles"),)
    sets.register(FeatureSet("held", NAME, "The own tiles.", groups, encode_held, cells=(20,)))
    seen = {"play": spec.ModelType(20, "held")}

    def family(game, models):
        return spec.Family("cards", game, re.compile("cards"), "'cards'", models, layers=lambda *_: ())

    with pytest.raises(ValueError, match="'cards' are of riichi, and the feature set 'held' of their model 'play' is"):
        spec.register(family("riichi", seen))
    with pytest.raises(ValueError, match="are of highest-card, and the feature set 'gao' of their model 'play' is of"):
        spec.register(family(NAME, {"play": spec.ModelType(34, "gao")}))
    with pytest.raises(ValueError, match="'nothing' is not a feature set"):
        spec.register(family(NAME, {"play": spec.ModelType(34, "nothing")}))
    spec.register(family(NAME, seen))
    with pytest.raises(ValueError, match="cards is of highest-card: there are no samples of it"):
        Supervised(Config(network="cards", model="play"), store.path)
    with pytest.raises(ValueError, match="cards is of highest-card"):
        next(stream(store, spec.model_spec("cards", "play"), 8, 1))

    config = Config(network="suphx-b1c8")
    sentence = "holds no games of riichi, which suphx-b1c8 plays"
    learner = Supervised(config, store.path)
    with pytest.raises(ValueError, match=sentence):
        Run(learner, tmp_path / "run").run(lambda _: None)
    with pytest.raises(ValueError, match=sentence):
        next(stream(store, config.spec, 8, 1))
    with pytest.raises(ValueError, match=sentence):
        evaluate_model(learner.module, store, config, "", 10, "cpu")


def test_what_belongs_to_another_game_is_refused(store, tmp_path):
    match = Match(("high", "low"), "1v2", game=NAME)
    with pytest.raises(ValueError, match="agent tsumogiri plays riichi, and the match is of highest-card"):
        TableWorker(match, 1, {"high": TsumogiriAgent(), "low": Low()})
    with pytest.raises(ValueError, match="agent low plays highest-card, and the match is of riichi"):
        TableWorker(Match(("tsumogiri", "low"), "1v3"), 1, {"low": Low()})
    with pytest.raises(ValueError, match="format 'mjai' is unknown: choose one of store"):
        Match(("high", "low"), "1v2", game=NAME, save="mjai")
    with pytest.raises(RecordError, match="formats of records are of Riichi"):
        to_events(next(store.games()))
    with pytest.raises(ValueError, match="is of highest-card, and decisions of riichi are wanted"):
        next(decisions_of(store.games()))
    with pytest.raises(RecordError, match="games of highest-card are not counted"):
        collect_stats(store)


def test_the_command_plays_a_match_of_the_game(tmp_path):
    words = ["arena", HIGH, LOW, "--game", NAME, "--games", "9", "--times", "20", "--tables", "4"]
    kept = ["--rules", "lowest", "--length", "long", "--out", str(tmp_path / "match"), "--save", "store"]
    done = run(app, [*words, *kept, "--print", "markdown"])
    assert done.exit_code == 0, done.output
    assert "9 long matches on 3 deals, seed 0, rules lowest" in done.stdout
    assert len(Store(tmp_path / "match" / "games")) == 9
    for wrong, sentence in (
        (["--length", "east"], "length 'east' is unknown: choose one of short, long"),
        (["--save", "mjai"], "format 'mjai' is unknown: choose one of store"),
        (["--rules", "tenhou"], "there are no rules 'tenhou'; there are usual, lowest"),
        (["--game", "chess"], "there is no game 'chess'"),
        (["--game", "riichi"], "agent high plays highest-card, and the match is of riichi"),
    ):
        refused = run(app, [*words, *wrong])
        assert (refused.exit_code, sentence in refused.stderr) == (2, True), refused.output
    shown = " ".join(re.sub(r"[│╭╮╰╯─]", " ", run(app, ["arena", "--help"]).output).split())
    assert "What is played: riichi, mcr, highest-card." in shown
    assert "highest-card: usual, lowest" in shown
    assert "riichi: east, hanchan; mcr: hand, match; highest-card: short, long" in shown


def test_an_agent_is_compared_with_recorded_players(store):
    *_, found = measure(Low(), store.games())
    assert found.games == 12
    assert list(found.counts) == ["all", "all, not forced"]
    count = found.counts["all"]
    assert (sum(count.asked), sum(count.alike)) == (12 * 9, 12 * 6)  # but for one that plays its highest
    with pytest.raises(RecordError, match="is of highest-card, and tsumogiri plays riichi"):
        next(measure(TsumogiriAgent(), store.games()))


def test_a_game_that_is_not_there(monkeypatch):
    with pytest.raises(ValueError, match="there is no game 'richi'; did you mean riichi"):
        game_named("richi")
    with pytest.raises(ValueError, match="there is no game 'chess'; there are riichi, mcr, highest-card"):
        Match(("a", "b"), "1v2", game="chess")


def test_a_descriptor_travels_by_name_and_says_what_it_lacks():
    assert pickle.loads(pickle.dumps(GAME)) is GAME
    from dataclasses import replace

    with pytest.raises(ValueError, match="has no field 'rules'"):
        replace(GAME, record=np.dtype([("seat", "i1")]))
    with pytest.raises(ValueError, match="129 actions"):
        replace(GAME, action_names=("x",) * 129)
