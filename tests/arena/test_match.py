"""Matches: exact where they must be, the same in every way of playing, and kept when interrupted."""

import json
import os
import signal
import textwrap

import numpy as np
import pytest

from suzaku.agents.agent import Agent, Answers, Follower
from suzaku.agents.mjai.process import Limits
from suzaku.agents.simple import ShantenAgent, TsumogiriAgent
from suzaku.arena.log import GAMES, Log
from suzaku.arena.match import Match
from suzaku.arena.play import Play, Played, here, processes
from suzaku.arena.statistics import count_places, mean_ranks
from suzaku.arena.summary import summarise
from suzaku.arena.table_worker import Reply, TableWorker
from suzaku.records.statistics import collect_stats
from suzaku.riichi import Table
from suzaku.riichi.actions import ACTIONS, PASS
from suzaku.workers import Here
from tests.agents.mjai_games import HANGING, all_end, needs_proc, pids_in, running, write_bot


def play(match: Match, games: int, tables: int = 16, **more) -> Played:
    """A match in this process."""
    workers = here(match, tables)
    try:
        return Play(match, Log(match), games, **more).run(workers)
    finally:
        workers.close()


@pytest.fixture(scope="module")
def small() -> Played:
    """A match of two unlike agents."""
    return play(Match(("shanten", "random"), "2v2", seed=4, length="east"), 24)


@pytest.mark.parametrize(("agents", "mode"), [(2, "1v3"), (2, "2v2"), (4, "4way")])
@pytest.mark.parametrize("agent", ["random", "shanten"])
def test_an_agent_against_itself_comes_to_two_and_a_half_exactly(agent, agents, mode):
    match = Match((agent,) * agents, mode, seed=3, length="east")
    played = play(match, 12)
    assert (mean_ranks(count_places(match, played.rows)) == 2.5).all()
    summary = summarise(played, times=4)
    assert {e.average_rank for e in summary.entrants} == {2.5}
    assert {e.half for e in summary.entrants} == {0.0}
    assert {c.p for c in summary.comparisons} == {1.0}


def test_a_network_against_itself_comes_to_two_and_a_half_exactly(monkeypatch):
    """The four games on a deal are one game only if no answer depends on the tables beside it."""
    monkeypatch.setattr("suzaku.networks.run.torch_is_faster", lambda: False)  # not for batches as small as these
    match = Match(("weak", "weak"), "1v3", seed=3, length="east")
    played = play(match, 4, tables=3)
    assert (mean_ranks(count_places(match, played.rows)) == 2.5).all()
    assert (played.rows["scores"] == played.rows["scores"][:, :1]).all()


def test_equal_agents_of_other_names_are_statistically_equal():
    """Two random players that draw different numbers: nothing is told apart, and the truth lies in the interval."""
    from suzaku.agents.simple import RandomAgent

    match = Match(("one", "two"), "1v3", seed=8, length="east")
    workers = here(match, 64, {"one": RandomAgent(1), "two": RandomAgent(2)})
    played = Play(match, Log(match), 240).run(workers)
    (found,) = summarise(played, times=4).comparisons
    assert abs(found.difference) <= 1.5 * found.half
    assert found.half < 0.2


def test_a_game_is_the_game_a_table_plays(small):
    """The first game, played by hand on a table, ends with the same scores."""
    match = small.match
    agents = [ShantenAgent(), TableWorker(match, 1).agents[1]]
    row = small.rows[1, 2]
    seats = match.seats(np.array([row["number"]]))[0]
    table = Table(match.rules, seed=4)
    table.record.game = 1
    table.record.deal = 0
    from suzaku.hand.tables import tables as hand_tables
    from suzaku.riichi.deal import deal_round

    deal_round(hand_tables(), table.record)
    while not table.game_over:
        if table.round_over:
            table.next_round()
            continue
        records = np.array([table.record])
        answer = agents[seats[table.seat]].act(records, table.legal_mask()[None])
        table.act(int(answer.actions[0]))
    assert table.scores == row["scores"].tolist()
    assert [rank - 1 for rank in table.ranks] == row["ranks"].tolist()


def test_tables_and_processes_do_not_change_the_games(small):
    again = play(small.match, 24, tables=3)
    assert (again.rows == small.rows).all()
    workers = processes(small.match, 5, 2)
    try:
        spread = Play(small.match, Log(small.match), 24).run(workers)
    finally:
        workers.close()
    assert (spread.rows == small.rows).all()


@needs_proc
def test_workers_end_though_a_program_does_not_answer(tmp_path):
    match = Match((f"mjai:{write_bot(tmp_path, HANGING)} {tmp_path / 'pids'}", "tsumogiri"), "1v3")
    workers = processes(match, 1, 1)
    workers._patience = 0.2
    workers.give([0])
    pids = pids_in(tmp_path / "pids")
    pids.append(workers._seats[0].link.pid)
    assert all(map(running, pids))
    workers.close()
    assert all_end(pids)


def test_a_program_that_never_answers_ends_the_match_in_a_sentence(tmp_path):
    match = Match((f"mjai:{write_bot(tmp_path, HANGING)} {tmp_path / 'pids'}", "tsumogiri"), "1v3")
    workers = here(match, 1, limits=Limits(0.2, 0.2))
    try:
        with pytest.raises(ValueError, match=r"does not play: .*no answer within 0\.2 seconds"):
            Play(match, Log(match), 4).run(workers)
    finally:
        workers.close()


def test_the_games_of_a_worker_that_is_killed_are_played_by_another(small, capsys):
    workers = processes(small.match, 5, 2)
    killed = []

    def kill(now: Play) -> None:
        if now.log.games and not killed:
            killed.append(workers._seats[1].link.pid)
            os.kill(killed[0], signal.SIGKILL)

    try:
        spread = Play(small.match, Log(small.match), 24).run(workers, kill)
    finally:
        workers.close()
    assert (spread.rows == small.rows).all()
    assert workers.replaced == 1
    assert f"worker 1 (process {killed[0]}) was ended from outside by SIGKILL" in capsys.readouterr().err


def test_until_stops_at_the_same_deal_whatever_the_order():
    match = Match(("shanten", "tsumogiri", "random"), "1v3", seed=1, length="east")
    found = [play(match, 4000, tables=tables, until=0.6) for tables in (7, 100)]
    assert len(found[0].rows) % 16 == 0
    assert found[0].rows.size < 4000
    assert found[0].rows.shape == found[1].rows.shape
    assert (found[0].rows == found[1].rows).all()


class Interrupted(TableWorker):
    """Tables whose games are interrupted after some of them."""

    left = 9

    def work(self, numbers: list[int]) -> Reply:
        if self.left <= 0:
            raise KeyboardInterrupt
        reply = self.advance(numbers, 0.0)
        self.left -= len(reply.games)
        return reply


def test_an_interrupted_match_goes_on(small, tmp_path):
    folder, kept = tmp_path / "match", 0
    for runs in range(1, 4):
        played = Play(small.match, Log(small.match, folder), 24).run(Here(Interrupted(small.match, 8)))
        assert played.complete == (runs == 3)
        assert (folder / GAMES).stat().st_size // small.match.row.itemsize == min(24, played.new + kept)
        kept += played.new
        with open(folder / GAMES, "ab") as stream:
            stream.write(b"half a row")
    assert (played.rows == small.rows).all()


def test_fewer_games_than_were_played(small, tmp_path):
    """Games out of turn of a longer match do not stand in for those that are missing; whole deals all count."""
    log = Log(small.match, tmp_path / "a")
    log.add(small.rows[[0, 2, 3]].ravel(), [])
    shorter = Play(small.match, log, 12)
    assert (shorter.total, shorter.finished) == (12, 6)
    played = shorter.run(here(small.match, 4))
    assert played.new == 6
    assert (played.rows == small.rows[:2]).all()
    again = Play(small.match, Log(small.match, tmp_path / "a"), 6).run(here(small.match, 4))
    assert again.new == 0
    assert (again.rows == small.rows).all()


def test_a_folder_of_another_match_is_refused(small, tmp_path):
    Log(small.match, tmp_path / "a").close({})
    with pytest.raises(ValueError, match="another match"):
        Log(Match(("shanten", "random"), "2v2", seed=5, length="east"), tmp_path / "a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match="something else"):
        Log(small.match, tmp_path / "b")


class Wrong(Agent):
    """Answers what is not legal."""

    name = "wrong"

    def __init__(self, actions) -> None:
        self.actions = actions

    def act(self, records, legal, streams=None):
        """The wrong answer."""
        return Answers(self.actions(legal))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda legal: np.full(len(legal), PASS), r"agent bad answered 119 \(pass\) in seat \d of game \d+"),
        (lambda legal: np.full(len(legal), ACTIONS), r"120 \(no action\)"),
        (
            lambda legal: np.zeros(len(legal) + 1, int),
            r"agent Wrong gave actions of type int64 and shape \[\d\]: expected .*Answers",
        ),
        (lambda legal: np.full(len(legal), 0.5), "float64"),
    ],
)
def test_an_illegal_answer_is_a_clear_error(answer, words):
    match = Match(("bad", "tsumogiri"), "1v3")
    worker = TableWorker(match, 4, {"bad": Wrong(answer)})
    with pytest.raises(ValueError, match=words):
        worker.advance([0, 1, 2, 3], 60)


class Watcher(Follower, TsumogiriAgent):
    """Plays as tsumogiri does and checks what it is told."""

    name = "watcher"

    def __init__(self) -> None:
        self.last: dict[tuple[int, int], np.record] = {}
        self.started = self.asked = 0
        self.faults = {"time-out": 2}

    def follow(self, place, seat, before, action, after):
        """Every step leads from the table it saw last."""
        if action < 0:
            self.started += 1
        else:
            assert self.last[place, seat] == before
            assert before.seat >= 0
        self.last[place, seat] = after.copy()

    def act_at(self, places, records, legal):
        """The table that is asked about is the one it saw last."""
        self.asked += len(places)
        for place, record in zip(places, records, strict=True):
            assert self.last[int(place), int(record.seat)] == record
        return self.act(records, legal)


def test_a_follower_is_told_everything():
    watcher = Watcher()
    match = Match(("watcher", "shanten"), "1v3", seed=2, length="east")
    workers = here(match, 3, {"watcher": watcher, "shanten": ShantenAgent()})
    told = Play(match, Log(match), 8).run(workers)
    plain = play(Match(("tsumogiri", "shanten"), "1v3", seed=2, length="east"), 8)
    assert (told.rows == plain.rows).all()
    assert watcher.started == 8
    assert watcher.asked > 100
    assert summarise(told, times=4).entrants[0].faults == {"time-out": 2}


def test_figures_are_those_of_data_stats(small, monkeypatch, tmp_path):
    """The rates of all entrants together equal what `suzaku data stats` counts in the same games."""
    games = []
    match = Match(small.match.agents, "2v2", seed=4, length="east", save="mjai")
    monkeypatch.setattr("suzaku.arena.table_worker.game_text", lambda match, stored: games.append(stored) or b"")
    play(match, 24)

    class Shelf:
        path = tmp_path
        parts = ()

        def games(self, *_):
            return iter(games)

    stats = collect_stats(Shelf())
    summary = summarise(small, times=4)
    hands = small.rows["hands"]
    for name in ("wins", "deal_ins", "riichi", "called", "tenpai", "win_points", "deal_in_points", "hands"):
        assert hands[name].sum() == stats.counts[name], name
    rates = {name: value for name, value, _ in stats.rates()}
    share = hands["hands"][match.seats(small.rows["number"].ravel()).reshape(*small.rows.shape, 4) == 0].sum()
    mixed = summary.entrants[0].rates["win rate"] * share + summary.entrants[1].rates["win rate"] * (
        hands["hands"].sum() - share
    )
    assert mixed / hands["hands"].sum() == pytest.approx(rates["win rate"])
    assert sum(e.points_a_round for e in summary.entrants) == pytest.approx(0)


def test_the_summary_is_plain_json(small):
    found = json.loads(json.dumps(summarise(small, times=4).to_json(), allow_nan=False))
    assert found["games"] == 24
    assert [e["name"] for e in found["entrants"]] == ["shanten", "random"]
    assert sum(found["entrants"][0]["places"]) == 48


def test_a_worker_that_cannot_start_takes_the_others_with_it(tmp_path):
    """One of the processes opens its tables, the other fails: neither is left."""
    code = """
        from pathlib import Path
        from suzaku.agents.simple import TsumogiriAgent

        class Lonely(TsumogiriAgent):
            def __init__(self):
                Path(__file__).with_suffix(".taken").touch(exist_ok=False)
    """
    (tmp_path / "lonely.py").write_text(textwrap.dedent(code), encoding="utf-8")
    match = Match((f"python:{tmp_path / 'lonely.py'}:Lonely", "tsumogiri"), "1v3")
    workers = processes(match, 1, 2)
    try:
        with pytest.raises(ValueError, match=r"lonely\.py.*File exists"):
            Play(match, Log(match), 100_000).run(workers)
    finally:
        workers.close()
    assert all_end([seat.link.pid for seat in workers._seats])
