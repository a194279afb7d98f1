"""Library are kept, and replayed step by step with the agent's opinion; record files as well."""

import threading

import pytest

from suzaku.records.formats import write_game
from suzaku.records.library import Library
from suzaku.records.to_events import to_events
from suzaku.records.types import RecordError
from suzaku.web.replay import Replay, Replays, read_replays
from tests.records.made import keep_game, made_game

EXTRA = {
    "started": "2026-01-02T03:04:05+00:00",
    "ended": "",
    "seed": "5",
    "agents": [None, "a", "b", "c"],
    "points": [],
}


def test_a_game_comes_back_as_it_was(tmp_path):
    games = Library(tmp_path / "deep" / "games.sqlite")
    stored = made_game(1)
    keep_game(games, stored, **EXTRA)
    keep_game(games, stored, **EXTRA)
    assert len(games.latest(200)) == 1
    again = games.load(stored.id)
    assert again.walls.tolist() == stored.walls.tolist()
    assert again.actions.tolist() == stored.actions.tolist()
    assert again.rules == stored.rules
    assert again.players == stored.players


def test_a_file_that_is_no_database_is_told_and_kept(tmp_path):
    path = tmp_path / "games.sqlite"
    path.write_text("my diary, long enough not to look empty " * 50)
    with pytest.raises(ValueError, match="games cannot be kept there"):
        Library(path)
    assert path.read_text().startswith("my diary")


def test_frames_follow_the_game():
    stored = made_game(1)
    replay = Replay(stored, stored.players)
    assert len(replay.rounds) == len(stored.walls)
    assert sum(len(one.actions) for one in replay.rounds) == len(stored.actions)
    for number in range(len(replay.rounds)):
        frames = replay.frames(number)
        assert frames[0]["view"]["seats"][0]["river"] == []
        assert "settlement" in frames[-1]["view"]
        assert all("?" not in side["hand"] for frame in frames for side in frame["view"]["seats"])
    assert frames[-1]["view"]["ranking"][0]["score"] == max(stored.scores)


@pytest.mark.parametrize("format", ["mjai", "tenhou6", "mjlog"])
def test_a_record_file_is_opened(server, format):
    stored = made_game(2)
    found = server.ask("/api/replays?name=game", write_game(to_events(stored), format))
    assert len(found) == 1
    assert len(found[0]["rounds"]) == len(stored.walls)
    assert found[0]["note"] == ""
    id = found[0]["id"]
    frames = server.ask(f"/api/replays/{id}/rounds/1")
    opinions = server.ask(f"/api/replays/{id}/rounds/1/opinions?agent=shanten")
    assert len(opinions) == len(frames) - 1
    for frame, row in zip(frames, opinions, strict=False):
        if row["best"] == frame["action"]:
            assert row["same"]
    assert not all(row["same"] for row in opinions)
    for step in (0, 1):
        hint = server.ask(f"/api/replays/{id}/rounds/1/steps/{step}/hint?agent=shanten")
        assert hint["seat"] == frames[step]["seat"]
        assert hint["best"] == opinions[step]["best"]


def test_the_forecast_of_a_hanchan_is_told(server):
    stored = made_game(2, "hanchan")
    (found,) = server.ask("/api/replays?name=game", write_game(to_events(stored), "mjai"))
    told = server.ask(f"/api/replays/{found['id']}/forecast")
    assert len(told["reward"]) == len(told["place"]) == len(found["rounds"]) + 1
    assert told["reward"][-1] == [told["rewards"][rank] for rank in stored.ranks]
    assert told["place"][-1] == [rank + 1 for rank in stored.ranks]
    (short,) = server.ask("/api/replays?name=game", write_game(to_events(made_game(2)), "mjai"))
    assert server.ask(f"/api/replays/{short['id']}/forecast") is None, "no predictor knows east-only games"


def test_opened_games_are_changed_in_the_event_loop_alone(server, monkeypatch):
    threads, keep = [], Replays.keep

    def watched(self, id, replay):
        threads.append(threading.current_thread())
        return keep(self, id, replay)

    monkeypatch.setattr(Replays, "keep", watched)
    server.ask("/api/replays?name=game", write_game(to_events(made_game(1)), "mjai"))
    assert threads == [server.thread]


def test_a_file_of_several_games_gives_them_all(server):
    text = b"".join(write_game(to_events(made_game(seed)), "mjai") for seed in (1, 2))
    found = server.ask("/api/replays?name=two", text)
    assert len(found) == 2
    assert len({game["id"] for game in found}) == 2
    for game in found:
        assert server.ask(f"/api/replays/{game['id']}")["rounds"] == game["rounds"]


@pytest.mark.parametrize("format", ["mjai", "tenhou6"])
@pytest.mark.parametrize("limit", ["MOST_GAMES", "MOST_STEPS"])
def test_what_comes_after_the_games_that_are_kept_is_not_read(format, limit, monkeypatch):
    monkeypatch.setattr(f"suzaku.web.replay.{limit}", 1)
    one = write_game(to_events(made_game(2)), format).strip() + b"\n"
    broken = b'{"type":"nonsense"}\n' * 100 if format == "mjai" else b'{"title": 1\n' * 100
    assert len(read_replays(one * 2 + (broken if limit == "MOST_GAMES" else b""), "many")) == 1
    with pytest.raises(RecordError, match="line"):
        read_replays(one + broken, "few")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "empty"),
        (b"hello", "neither mjlog"),
        (b"<mjloggm", "broken"),
        (b"[]", "not a tenhou.net/6 log"),
        (b"\x1f\x8bxx", "gzip"),
    ],
)
def test_a_broken_file_is_one_clear_sentence(server, text, reason):
    code, told = server.ask("/api/replays?name=x", text)
    assert code == 400
    assert reason in told
    assert "\n" not in told


def test_a_file_that_is_too_large_is_refused(server):
    code, told = server.ask("/api/replays", b" " * (9 << 20))
    assert code == 413
    assert "8,388,608" in told


def test_what_does_not_exist_is_not_found(server):
    for path in ("nothing", "nothing/rounds/0"):
        assert server.ask(f"/api/replays/{path}")[0] == 404
    found = server.ask("/api/replays", write_game(to_events(made_game(2)), "mjai"))[0]["id"]
    for path in (
        "rounds/99",
        "rounds/0/steps/9999/hint?agent=shanten",
        "rounds/0/opinions?agent=nobody",
        "record?format=x",
    ):
        assert server.ask(f"/api/replays/{found}/{path}")[0] == 404


def test_only_so_many_games_stay_open():
    replays = Replays()
    stored = made_game(2)
    replay = Replay(stored, stored.players)
    for i in range(40):
        replays.keep(str(i), replay)
    assert replays.get("0") is None
    assert replays.get("39") is replay
