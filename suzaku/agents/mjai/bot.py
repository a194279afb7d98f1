"""An agent that plays mjai: a line of events in, a line with the answer out, on a pipe or over TCP.

- The answer of an mjai player as an action of the table it is asked about, and what can be wrong with it.
- What Mortal tells beside its answers in `meta`, told of our agents: the legal actions and their ratings.
- An agent that plays mjai: a line of events in, a line with the answer out.
- A player of the original mjai server: the same events over TCP, with a greeting before them.
"""

import json
import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
import numpy as np

from suzaku.agents.agent import Agent, Follower
from suzaku.agents.mjai.mjai_events import HIDDEN, action_event
from suzaku.agents.mjai.view import EventError, SeatView
from suzaku.agents.simple import TsumogiriAgent
from suzaku.hand.tables import tables as hand_tables
from suzaku.records import mjai_event as mj
from suzaku.records.types import call_action
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.redraw import hand_tiles
from suzaku.riichi.rules import Rules
from suzaku.tiles import KIND_OF, TILES, from_mjai, to_mjai

TIME_OUT, CRASH, NONSENSE, ILLEGAL = "time-out", "crash", "nonsense", "illegal"
LONGEST = 300  # letters of an answer that are shown


class FaultError(Exception):
    """What a program did wrong: the type, and the words for it."""

    def __init__(self, type_: str, text: str) -> None:
        super().__init__(text)
        self.type = type_


def read_answer(line: bytes, record: np.record, legal: np.ndarray) -> int:
    """The action that a line stands for; raises FaultError if it is no event of mjai, or none that is legal."""
    words = line.decode("utf-8", "replace").strip()[:LONGEST]
    try:
        event = mj.DECODER.decode(line)
    except msgspec.ValidationError as error:
        raise FaultError(NONSENSE, f"the answer is not an event of mjai ({error}): {words}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise FaultError(NONSENSE, f"the answer is not JSON: {words}") from None
    try:
        return answer_action(event, record, legal)
    except (ValueError, IndexError) as error:
        raise FaultError(ILLEGAL, f"{error}: {words}") from None


def answer_action(event: mj.Event, record: np.record, legal: np.ndarray) -> int:
    """The action that an answer stands for; raises ValueError if it is none that the asked seat may take."""
    action = _action(event, record, legal)
    if not 0 <= action < act.ACTIONS or not legal[action]:
        raise ValueError(_why_not(action, record))
    return action


def _action(event: mj.Event, s: np.record, legal: np.ndarray) -> int:
    own = getattr(event, "actor", None)
    if own is not None and own != s.seat:
        raise ValueError(f"the answer is one of player {own}, and player {int(s.seat)} is asked")
    match event:
        case mj.Nothing():
            return act.PASS
        case mj.Dahai(_, name, tsumogiri):
            tile = from_mjai(name)
            drawn = tile == s.drawn and s.phase != st.CALLED
            if tsumogiri and not drawn:
                raise ValueError(
                    f"{name} is not the drawn tile, which is {to_mjai(int(s.drawn)) if s.drawn >= 0 else 'none'}"
                )
            return act.DISCARD_DRAWN if drawn and (tsumogiri or not legal[tile]) else tile
        case mj.Reach():
            return act.RIICHI
        case mj.Chi() | mj.Pon() | mj.Daiminkan():
            tile = from_mjai(event.pai)
            if s.phase != st.CLAIM or tile != s.offer:
                raise ValueError(
                    f"{event.pai} is not on offer: {to_mjai(int(s.offer)) if s.phase == st.CLAIM else 'nothing'} is"
                )
            return call_action(tile, [from_mjai(name) for name in event.consumed])
        case mj.Ankan(_, consumed):
            return act.CLOSED_KONG + int(KIND_OF[from_mjai(consumed[0])])
        case mj.Kakan(_, name):
            return act.ADDED_KONG + int(KIND_OF[from_mjai(name)])
        case mj.Hora():
            return act.WIN_DISCARD if s.phase in (st.CLAIM, st.ROB) else act.WIN_DRAW
        case mj.Ryukyoku():
            return act.NINE_KINDS
    raise ValueError(
        f"the event {event.__struct_config__.tag} is not an answer: expected one such as dahai, pon or none"
    )


def _why_not(action: int, s: np.record) -> str:
    """Why an action is not legal, as far as it can be told from the type of decision and the hand."""
    claims = s.phase in (st.CLAIM, st.ROB)
    if action == act.PASS:
        return "the player cannot pass: it is its turn, and it must discard"
    if action <= act.DISCARD_DRAWN:
        if claims:
            return "the player is asked about another's tile, and cannot discard"
        if action != act.DISCARD_DRAWN and action not in hand_tiles(s, int(s.seat)):
            return "the hand does not hold this tile"
        if s.phase == st.RIICHI_DISCARD:
            return "after riichi is declared, the discard must leave the hand tenpai"
        if s.phase == st.CALLED:
            return "a tile that the call could have used may not be discarded (swap-calling)"
        if s.riichi[s.seat]:
            return "in riichi only the drawn tile can be discarded"
    if action == act.RIICHI:
        return "riichi needs a closed hand that a discard leaves tenpai, 1,000 points and enough tiles to draw"
    if action == act.WIN_DISCARD:
        return "this does not win: the hand is not complete with the tile, has no yaku, or is furiten"
    if action == act.WIN_DRAW:
        return "this does not win: the hand is not complete, or has no yaku"
    if action == act.NINE_KINDS:
        return "this needs nine kinds of terminals and honours at the first draw, before any call"
    if act.CHOW_LOW <= action < act.CLOSED_KONG and claims:
        return "the player may not make this call: the tiles are not in its hand, or it is not its to make"
    return "the answer is not legal here"


# Mortal numbers 46 actions: 37 discards, riichi, three chows, pong, kong, win, nine kinds, pass. Ours are finer: those
# that share a number there take the best of their ratings.

THEIRS = 46
RIICHI, CHOW, PONG, KONG, WIN, NINE_KINDS, PASS = 37, 38, 41, 42, 43, 44, 45


def their_number(action: int, drawn: int) -> int:
    """Mortal's number of an action."""
    if action < TILES:
        return action
    if action == act.DISCARD_DRAWN:
        return drawn
    if action < act.PONG:
        return RIICHI if action == act.RIICHI else CHOW + (action - act.CHOW_LOW) % 3
    if action < act.WIN_DRAW:
        return PONG if action <= act.PONG_RED else KONG
    return {act.NINE_KINDS: NINE_KINDS, act.PASS: PASS}.get(action, WIN)


def meta_of(record: np.record, legal: np.ndarray, ratings: np.ndarray | None, nanoseconds: int) -> dict:
    """The meta of an answer; an action that the agent did not weigh has the rating 0."""
    found: dict[int, float] = {}
    for action in np.flatnonzero(legal):
        rating = 0.0 if ratings is None or np.isnan(ratings[action]) else float(ratings[action])
        number = their_number(int(action), int(record.drawn))
        found[number] = max(rating, found.get(number, rating))
    meta: dict = {} if ratings is None else {"q_values": [round(found[number], 6) for number in sorted(found)]}
    meta["mask_bits"] = sum(1 << number for number in found)
    meta["shanten"] = int(record.shanten[record.seat])
    meta["eval_time_ns"] = nanoseconds
    return meta


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


PORT = 11600


def read_address(url: str) -> tuple[str, int, str]:
    """Host, port and room of an address such as mjsonp://localhost:11600/default."""
    wanted = "expected an address such as mjsonp://localhost:11600/default"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or PORT
    except ValueError:
        raise ValueError(f"{url!r}: {wanted}") from None
    if parts.scheme != "mjsonp" or not host:
        raise ValueError(f"{url!r}: {wanted}")
    return host, port, parts.path.strip("/") or "default"


def play_on_server(bot: Bot, url: str, name: str, told: Callable[[str], None]) -> None:
    """Join a room and play until the game is over; raises ValueError if the server refuses, OSError if it is away."""
    host, port, room = read_address(url)
    with socket.create_connection((host, port)) as line, line.makefile("rb") as lines:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for text in lines:
            type_ = _type_of(text)
            if type_ == "hello":
                answer: bytes | None = json.dumps({"type": "join", "name": name, "room": room}).encode()
                told(f"joining room {room} at {host}:{port}")
            elif type_ == "error":
                raise ValueError(f"the server says: {text.decode('utf-8', 'replace').strip()}")
            else:
                answer = bot.react(text)
            if answer is not None:
                line.sendall(answer + b"\n")
            if type_ == "end_game":
                return
    raise ValueError(f"the server at {host}:{port} closed the connection before the game was over")


def _type_of(text: bytes) -> str:
    try:
        message = json.loads(text)
    except ValueError:
        return ""
    return str(message.get("type", "")) if isinstance(message, dict) else ""
