"""The mjai player: one answer a line, whatever the line holds."""

import json
import random
import socket
import threading

import numpy as np
import pytest

from suzaku.agents.agent import Agent, Answers
from suzaku.agents.mjai.bot import Bot, play_on_server, read_address
from suzaku.agents.mjai.mjai_events import round_events, step_events
from suzaku.agents.simple import RandomAgent, ShantenAgent, TsumogiriAgent
from suzaku.records import mjai_event as mj
from suzaku.records.mjai import write_mjai
from suzaku.riichi import Rules, Table
from suzaku.riichi import actions as act
from tests.agents.mjai_games import DISCARD, DRAW, OWN_DRAW, START
from tests.records.made import told


def make(agent: Agent | None = None, player: int | None = None) -> tuple[Bot, list[str]]:
    said: list[str] = []
    return Bot(agent or TsumogiriAgent(), said.append, Rules.tenhou(), player), said


def say(bot: Bot, message: object) -> dict | None:
    answer = bot.react(json.dumps(message))
    return None if answer is None else json.loads(answer)


class Caller(Agent):
    """Takes the last legal action but the pass, and scores all by their number."""

    name = "caller"

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        scores = np.where(legal, np.arange(120) / 120, np.nan).astype(np.float32)
        scores[:, act.PASS] = np.nan
        return Answers(np.nanargmax(scores, 1), scores)


def test_every_line_has_one_answer_but_those_that_ask_for_none():
    bot, said = make()
    assert bot.react("\n") is None
    assert say(bot, {"type": "start_game", "id": 1, "names": ["a", "b", "c", "d"], "new_field": {}}) == {"type": "none"}
    assert say(bot, START) == {"type": "none"}
    assert say(bot, {**DRAW, "can_act": False}) is None
    assert say(bot, {"type": "hello_from_the_future"}) == {"type": "none"}
    assert say(bot, {**DISCARD, "can_act": False}) is None
    answer = say(bot, {"type": "dora", "dora_marker": "1p"})  # the pong is still open, and not answered yet
    assert answer is not None
    assert answer["type"] == "none"
    assert answer["meta"]["mask_bits"] == 1 << 41 | 1 << 45
    assert say(bot, {"type": "none"}) == {"type": "none"}
    assert said == []


def test_broken_lines_are_told_and_answered_with_none():
    bot, said = make()
    for line in (b"{bad", b"\xff\xfe", "5", '"text"', "null", '{"no": "type"}', '[1, {"type": 3}]', "{}"):
        assert bot.react(line) == b'{"type":"none"}'
    assert len(said) == 9
    assert say(bot, []) == {"type": "none"}


def test_an_array_is_answered_once_at_its_end_and_a_game_may_begin_in_the_middle():
    bot, said = make(player=1)
    assert say(bot, [{"type": "start_game"}]) == {"type": "none"}
    assert say(bot, [{"type": "end_kyoku"}]) == {"type": "none"}
    answer = say(bot, OWN_DRAW)
    assert answer is not None
    assert answer["meta"].pop("eval_time_ns") > 0
    assert "q_values" not in answer["meta"]
    assert {key: answer[key] for key in answer if key != "meta"} == {
        "type": "dahai", "actor": 1, "pai": "W", "tsumogiri": True,
    }  # fmt: skip
    record = bot.view.question()[0]
    assert (record.round_no, record.honba, record.sticks, record.dealer) == (6, 1, 2, 2)
    assert said == []


def test_which_player_it_is_shows_from_the_hand():
    bot, said = make()
    assert say(bot, OWN_DRAW)["actor"] == 1
    assert said == []


def test_a_round_it_cannot_follow_is_played_by_discarding_what_is_drawn():
    bot, said = make(ShantenAgent(), player=1)
    say(bot, START)
    assert say(bot, {"type": "dahai", "actor": 1, "pai": "1m", "tsumogiri": False}) == {"type": "none"}
    assert len(said) == 1
    assert "cannot follow dahai" in said[0]
    drawn = {"type": "tsumo", "actor": 1, "pai": "W"}
    assert say(bot, drawn) == {"type": "dahai", "actor": 1, "pai": "W", "tsumogiri": True}
    assert say(bot, OWN_DRAW)["meta"]  # the next round is played again
    assert len(said) == 1


def test_meta_holds_the_scores_of_the_legal_actions_as_mortal_does():
    bot, _ = make(Caller(), player=1)
    answer = say(bot, [START, DRAW, DISCARD])
    assert answer["type"] == "pon"
    assert answer["consumed"] == ["1m", "1m"]
    assert answer["target"] == 2
    assert answer["meta"]["q_values"] == [pytest.approx(act.PONG / 120, abs=1e-5), 0.0]
    answer = say(bot, [{key: answer[key] for key in answer if key != "meta"}])
    assert answer["type"] == "dahai"
    assert len(answer["meta"]["q_values"]) == bin(answer["meta"]["mask_bits"]).count("1")


def test_what_the_server_does_not_offer_is_not_chosen():
    bot, _ = make(Caller(), player=1)
    assert say(bot, [START, DRAW, {**DISCARD, "possible_actions": []}])["type"] == "none"
    bot, _ = make(Caller(), player=1)
    pong = {"type": "pon", "actor": 1, "target": 2, "pai": "1m", "consumed": ["1m", "1m"]}
    assert say(bot, [START, DRAW, {**DISCARD, "possible_actions": [pong]}])["type"] == "pon"
    answer = say(bot, {**pong, "cannot_dahai": ["N", "8s", "6s"]})
    assert answer["pai"] == "4s"


class Failing(Agent):
    """An agent with a fault."""

    def act(self, records, legal, streams=None):
        raise ZeroDivisionError


def test_an_agent_that_fails_is_replaced_for_that_answer():
    bot, said = make(Failing(), player=1)
    assert say(bot, OWN_DRAW)["pai"] == "W"
    assert "failed" in said[0]


@pytest.mark.parametrize("seed", [2, 3])
def test_written_records_can_be_followed(seed):
    """They show dora indicators after the discard, and all hands."""
    for player in range(4):
        bot, said = make(ShantenAgent(), player)
        for line in write_mjai(told(seed)).splitlines():
            assert bot.react(line) is not None
        assert said == []


def test_no_order_of_events_makes_it_fall():
    rng = random.Random(5)
    lines = [json.loads(line) for line in write_mjai(told(2)).splitlines() + write_mjai(told(4)).splitlines()]
    names = ["5m", "5mr", "1m", "E", "?", "9p", "C", ""]
    bot, said = make(RandomAgent(), 0)
    for _ in range(6):
        for event in lines:
            if rng.random() < 0.03:
                event = rng.choice(lines)
            if rng.random() < 0.02:
                event = dict(event)
                key = rng.choice([*event, "pai"])
                event[key] = rng.choice([*names, None, 7, -1, 10**12, [], [names] * 4, {"a": 1}, True])
            if rng.random() > 0.01:
                assert bot.react(json.dumps(event)) is not None
    assert said  # it noticed


class Server(threading.Thread):
    """The original server, as far as one player sees it: it waits for an answer to every message."""

    def __init__(self, table: Table, seat: int, error: str = "") -> None:
        super().__init__(daemon=True)
        self.table, self.seat, self.error = table, seat, error
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"mjsonp://127.0.0.1:{self.listener.getsockname()[1]}/room1"
        self.joined: dict = {}
        self.asked = 0
        self.trouble: list[str] = []

    def run(self) -> None:
        line, _ = self.listener.accept()
        with line, line.makefile("rwb") as stream:
            self.stream = stream
            self.joined = self.send({"type": "hello", "protocol": "mjsonp", "protocol_version": 3})
            if self.error:
                self.send({"type": "error", "message": self.error})
                return
            self.send({"type": "start_game", "id": self.seat, "names": ["a", "b", "c", "d"]})
            self.play()
            self.send({"type": "end_game", "scores": self.table.scores})

    def send(self, message: dict) -> dict:
        self.stream.write(json.dumps(message).encode() + b"\n")
        self.stream.flush()
        return json.loads(self.stream.readline() or b"{}")

    def tell(self, events: list[mj.Event]) -> dict:
        """Send events; the answer to the last one that can be answered."""
        answer: dict = {}
        for event in events:
            message = json.loads(mj.ENCODER.encode(event))
            if isinstance(event, mj.StartKyoku):
                del message["scores"]
            answer = self.send(message)
        return answer

    def play(self) -> None:
        from suzaku.agents.mjai.bot import answer_action

        table, others = self.table, ShantenAgent()
        answer = self.tell(round_events(table.record, self.seat))
        while not table.round_over and not table.game_over:
            legal = table.legal_mask()
            if table.seat == self.seat:
                self.asked += 1
                try:
                    action = answer_action(mj.DECODER.decode(json.dumps(answer)), table.record, legal)
                except ValueError as error:
                    self.trouble.append(f"{error}: {answer}")
                    return
            else:
                action = int(others.act(table.record.reshape(1).copy(), legal[None]).actions[0])
            before = table.record.copy()
            table.act(action)
            events = step_events(before, action, table.record.copy(), self.seat)
            answer = self.tell(events) if events else answer


def test_it_plays_a_round_at_the_original_server():
    server = Server(Table(seed=8), 2)
    server.start()
    bot, said = make(ShantenAgent())
    notes: list[str] = []
    play_on_server(bot, server.url, "suzaku", notes.append)
    server.join(20)
    assert server.trouble == []
    assert said == []
    assert server.joined == {"type": "join", "name": "suzaku", "room": "room1"}
    assert server.asked >= 5
    assert "room1" in notes[0]


def test_a_server_that_refuses_is_told():
    server = Server(Table(seed=8), 2, error="No such room.")
    server.start()
    with pytest.raises(ValueError, match="No such room"):
        play_on_server(make()[0], server.url, "suzaku", print)
    assert read_address("mjsonp://host/") == ("host", 11600, "default")
    for bad in ("http://host:1/x", "mjsonp://", "mjsonp://host:port/room", "host:11600"):
        with pytest.raises(ValueError, match="expected an address"):
            read_address(bad)
