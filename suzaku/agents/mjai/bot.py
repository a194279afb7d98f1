"""An agent that plays mjai: a line of events in, a line with the answer out."""

import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from suzaku.agents.agent import Agent, Follower
from suzaku.agents.mjai.meta import meta_of
from suzaku.agents.mjai.mjai_events import HIDDEN, action_event
from suzaku.agents.mjai.view import EventError, SeatView
from suzaku.agents.simple import TsumogiriAgent
from suzaku.hand.tables import tables as hand_tables
from suzaku.records.formats import mjai_event as mj
from suzaku.riichi import actions as act
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.rules import Rules

NONE: dict[str, Any] = {"type": "none"}
KNOWN = {form.__struct_config__.tag for form in mj.AnyEvent.__args__}
IN_ROUND = KNOWN - {"none", "start_game", "end_kyoku", "end_game", "reach_accepted"}


class Bot:
    """Plays for one seat of a table that it knows from mjai events only; `complain` is told what is wrong with them."""

    def __init__(
        self, agent: Agent, complain: Callable[[str], None], rules: Rules | None = None, player: int | None = None
    ) -> None:
        self.agent = agent
        self.view = SeatView(rules or Rules.tenhou(), player)
        self._complain = complain
        self._answered = True  # what is asked now was answered already
        self._lost = False  # the events of this round could not be followed
        self._legal = np.zeros(act.ACTIONS, np.bool_)

    def react(self, line: str | bytes) -> bytes | None:
        """The answer to a line: one event, or an array of them. None: nothing is to be written."""
        if not line.strip():
            return None
        answer = self._react(line)
        return None if answer is None else mj.ENCODER.encode(answer)

    def _react(self, line: str | bytes) -> dict[str, Any] | None:
        try:
            message = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._complain(f"a line is not JSON: {_short(line)}")
            return NONE
        events = message if isinstance(message, list) else [message]
        last: dict[str, Any] = {}
        for event in events:
            if not isinstance(event, dict) or not isinstance(event.get("type"), str):
                self._complain(f"a line is not an event of mjai, an object with a type: {_short(line)}")
                continue
            last = event
            self._take(event)
        return None if last.get("can_act") is False else self._answer(last)

    def _take(self, raw: dict[str, Any]) -> None:
        """Follow one event; one of an unknown type is left alone."""
        type_ = raw["type"]
        if type_ not in KNOWN:
            return
        if type_ in ("start_game", "start_kyoku"):
            self._lost = False
            if isinstance(self.agent, Follower):
                self.agent.forget(0)
        if self._lost and type_ in IN_ROUND:
            return
        if type_ not in ("dora", "reach_accepted", "none"):  # after these the question is still the same
            self._answered = False
        try:
            self.view.take(msgspec.convert(raw, mj.AnyEvent))
        except (EventError, msgspec.ValidationError) as error:
            self._lost = True
            self._complain(
                f"cannot follow {type_}: {error}; until the next round, drawn tiles are discarded: {_short(raw)}"
            )

    def _answer(self, last: dict[str, Any]) -> dict[str, Any]:
        if self._lost:
            return self._default(last)
        asked = self.view.question()
        if asked is None or self._answered:
            return NONE
        self._answered = True
        record = asked[0]
        fill_legal(hand_tables(), record, self._legal)
        self._limit(record, last)
        legal = self._legal[None].copy()
        start = time.perf_counter_ns()
        try:
            if isinstance(self.agent, Follower):
                answers = self.agent.act_at(np.zeros(1, np.int64), asked, legal)
            else:
                answers = self.agent.act(asked, legal)
        except Exception as error:  # an agent that fails must not end the game
            self._complain(f"the agent {self.agent.name} failed: {type(error).__name__}: {error}")
            answers = TsumogiriAgent().act(asked, legal)
        spent = time.perf_counter_ns() - start
        ratings = None if answers.ratings is None else answers.ratings[0]
        meta = meta_of(record, legal[0], ratings, spent)
        return self._event(record, int(answers.actions[0])) | {"meta": meta}

    def _event(self, record: np.record, action: int) -> dict[str, Any]:
        """An action as an event, with mjai's numbers of the players."""
        event = msgspec.to_builtins(action_event(record, action))
        for name in ("actor", "target"):
            if name in event:
                event[name] = self.view.player_of(event[name])
        return event

    def _limit(self, record: np.record, last: dict[str, Any]) -> None:
        """Take away what the server says it does not allow: its rules may differ from ours."""
        barred, listed = last.get("cannot_dahai"), last.get("possible_actions")
        offered = [_key(event) for event in listed if isinstance(event, dict)] if isinstance(listed, list) else None
        for action in np.flatnonzero(self._legal):
            event = self._event(record, int(action))
            if event["type"] == "dahai":
                if isinstance(barred, list) and event["pai"] in barred:
                    self._legal[action] = False
            elif offered is not None and event["type"] != "none" and _key(event) not in offered:
                self._legal[action] = False
        if not self._legal.any():  # it cannot mean that
            fill_legal(hand_tables(), record, self._legal)

    def _default(self, last: dict[str, Any]) -> dict[str, Any]:
        """When the table is not known: throw what was drawn, and claim nothing."""
        drawn = last.get("type") == "tsumo" and last.get("pai") not in (None, HIDDEN)
        if not drawn or self.view.player not in (None, last.get("actor")):
            return NONE
        return {"type": "dahai", "actor": last.get("actor"), "pai": last["pai"], "tsumogiri": True}


def _key(event: dict[str, Any]) -> tuple[Any, ...]:
    used = event.get("consumed")
    return (event.get("type"), event.get("pai"), tuple(sorted(map(str, used))) if isinstance(used, list) else ())


def _short(text: object) -> str:
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    words = words.strip()
    return words if len(words) <= 200 else words[:200] + " ..."
