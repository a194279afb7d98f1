"""A recorded match of MCR played through the rules, told as a record again, and as text.

- A recorded match played through the rules, and a played one told as a record.
- A recorded match of MCR as text.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from suzaku.mcr import actions as act
from suzaku.mcr import state as md
from suzaku.mcr import state as st
from suzaku.mcr.picture import fans_of_win
from suzaku.mcr.render import draw_text
from suzaku.mcr.rules import Rules
from suzaku.mcr.table import Table
from suzaku.records.botzone import Event, Recorded, read_matches, read_tile, write_json, write_text, write_tile
from suzaku.records.stored import Stored, hash_name, table_after
from suzaku.table.game import game_named
from suzaku.tiles import to_text


@dataclass
class Replayed:
    """What came of a replay."""

    stored: Stored | None
    actions: int
    divergence: str = ""  # the first difference, with the board


class _DivergeError(Exception):
    pass


def replay_recorded(game: Recorded) -> Replayed:
    """Play a recorded match and compare every draw, every action, the fans and the scores."""
    table = Table.deal([game.full_wall()], Rules.botzone(), wind=game.wind)
    actions: list[int] = []
    at = 0
    try:
        for seat, hand in enumerate(game.hands):
            held = table.hand(seat)
            if seat == table.seat:
                held.remove(int(table.record.drawn))
            _same(f"the tiles dealt to seat {seat}", to_text(held), to_text(hand))
        for at, event in enumerate(game.events):  # noqa: B007
            _follow(table, game.events, at, actions)
        _check_end(table, game)
    except _DivergeError as error:
        where = f"{game.source}: {game.id}, event {at + 1} of {len(game.events)}"
        return Replayed(None, len(actions), f"{where}: {error}\n{draw_text(table.record)}")
    return Replayed(_stored(game, table, actions), len(actions))


def _same(what: str, here: object, there: object) -> None:
    if here != there:
        raise _DivergeError(f"{what}: {here} by the rules, {there} in the record")


def _act(table: Table, action: int, actions: list[int]) -> None:
    try:
        table.act(action)
    except ValueError as error:
        raise _DivergeError(str(error)) from None
    actions.append(action)


def _follow(table: Table, events: list[Event], at: int, actions: list[int]) -> None:
    event, s = events[at], table.record
    if event.verb in ("CHI", "PENG", "GANG") or (event.verb == "HU" and at and events[at - 1].verb != "DRAW"):
        return _check_claim(table, event)
    if event.verb == "HUANG":
        return _same("the end", st.RESULT_NAMES[int(s.result)] if table.game_over else "none", "draw")
    if table.game_over:
        raise _DivergeError("the hand is over by the rules, the record goes on")
    if event.verb == "FOUL":
        table.foul(event.seat)
        actions.append(act.FOUL + event.seat)
        return None
    _same("the seat whose turn it is", table.seat, event.seat)
    if event.verb == "DRAW":
        return _same("the tile drawn", write_tile(int(s.drawn)), write_tile(event.tile))
    base = {"PLAY": act.DISCARD, "ANGANG": act.CLOSED_KONG, "BUGANG": act.ADDED_KONG}.get(event.verb)
    if base is None and event.verb != "HU":
        raise _DivergeError(f"{event.verb} is not possible here")
    _act(table, act.WIN if base is None else base + event.tile, actions)
    if s.phase in (st.CLAIM, st.ROB):
        answers = _answers(table, event, events[at + 1] if at + 1 < len(events) else None)
        if answers is not None:
            while s.phase in (st.CLAIM, st.ROB):
                _act(table, answers.get(table.seat, act.PASS), actions)
    return None


def _answers(table: Table, event: Event, after: Event | None) -> dict[int, int] | None:
    """What each seat answered to an offer: what was claimed next, and the claims that were overruled."""
    if after is not None and after.verb == "FOUL":
        return None  # the hand ends here
    found = {seat: _claim(table, words) for seat, words in event.claims.items()}
    if after is not None and after.verb in ("CHI", "PENG", "GANG", "HU"):
        words = f"CHI {write_tile(after.tile)}" if after.verb == "CHI" else after.verb
        found[after.seat] = _claim(table, words)
    return found


def _claim(table: Table, words: str) -> int:
    verb, *tiles = words.upper().split()
    if verb == "CHI":
        shape = int(table.record.offer) + 1 - read_tile(tiles[0])
        if not 0 <= shape <= 2:
            raise _DivergeError(f"{words} is not a chow with the discard {write_tile(int(table.record.offer))}")
        return act.CHOW_LOW + shape
    return {"PENG": act.PONG, "GANG": act.OPEN_KONG, "HU": act.WIN}.get(verb, act.PASS)


def _check_claim(table: Table, event: Event) -> None:
    s = table.record
    if event.verb == "HU":
        return _same("the winner", int(s.win_seat) if table.game_over else -1, event.seat)
    i = int(s.melds[event.seat]) - 1
    made = md.MELD_NAMES[s.meld_type[event.seat, i]] if i >= 0 and s.turn == event.seat else "no claim"
    return _same("the claim", made, {"CHI": "chow", "PENG": "pong", "GANG": "open_kong"}[event.verb])


def _check_end(table: Table, game: Recorded) -> None:
    if not table.game_over:
        raise _DivergeError("the record ends, the rules go on")
    if game.events[-1].verb not in ("HU", "HUANG", "FOUL"):
        raise _DivergeError("the record ends before its result")
    s = table.record
    if game.fan is not None and s.wins:
        _same("the fan", int(s.win_fan) + int(s.win_flowers), game.fan)
    if game.fans is not None and s.wins:
        here = sorted((fan.chinese, times) for fan, times in fans_of_win(s))
        _same("the fans", here, sorted((_old_name(name), times) for name, times in game.fans))
    if game.scores is not None:
        _same("the scores", table.scores, game.scores)


def _old_name(name: str) -> str:
    """Newer calculators name the waits anew."""
    return {"独听・边张": "边张", "独听・嵌张": "嵌张", "独听・单钓": "单钓将"}.get(name, name)


def _stored(game: Recorded, table: Table, actions: list[int]) -> Stored:
    happened = np.array([game.wind, *actions], np.uint8).tobytes() + np.array(game.hands, np.uint8).tobytes()
    return Stored(
        id=game.id, source=game.source, format=game.format, lobby="", time="", rules=table.rules,
        players=[hash_name(name) for name in game.players], dan=[-1] * 4, rate=[float("nan")] * 4,
        start=[4 * game.wind, 0, 0, 0, 0], scores=table.scores, ranks=[rank - 1 for rank in table.ranks], finished=True,
        walls_known=game.wall is not None, decisions=len(actions), walls=game.full_wall().reshape(1, -1),
        actions=np.array(actions, np.uint8), game="mcr",
        content=hashlib.blake2b(happened, digest_size=16).hexdigest(),
    )  # fmt: skip


def tell(stored: Stored) -> Recorded:
    """A stored hand as a record, for the writers."""
    if stored.game != "mcr" or not stored.rules.duplicate or len(stored.walls) != 1:
        raise ValueError(f"{stored.id}: Botzone's formats hold single hands of MCR with private walls")
    game = game_named("mcr")
    array = game.new_table(stored.rules, stored.start)
    s, tables = array[0], game.tables()
    game.deal_stored(tables, s, stored.walls)
    hands = [stored.walls[0, st.PRIVATE * i + 21 : st.PRIVATE * (i + 1)][::-1].tolist() for i in range(4)]
    events = [Event("DRAW", int(s.seat), int(s.drawn))]
    told = Recorded(stored.id, stored.source, "botzone", int(s.wind), hands, events, wall=stored.walls[0])
    told.players = list(stored.players)
    for action in stored.actions.tolist():
        before = array[0].copy()
        game.step(tables, s, action)
        _tell_step(events, before, int(action), s)
    told.scores = s.scores.tolist()
    if s.wins:
        told.fan = int(s.win_fan) + int(s.win_flowers)
        told.fans = [(fan.chinese, times) for fan, times in fans_of_win(s)]
    elif s.result == st.FOUL:
        told.error = "WA"
    return told


def _tell_step(events: list[Event], before: np.record, action: int, s: np.record) -> None:
    seat = int(before.seat)
    if action >= act.FOUL:
        events.append(Event("FOUL", action - act.FOUL))
        return
    if before.phase in (st.CLAIM, st.ROB):
        offered = events[-1]
        if action != act.PASS:
            offered.claims[seat] = _claim_words(before, action)
        if s.phase == before.phase and s.discards == before.discards:
            return  # another seat is asked about the same tile
        caller = int(s.turn)
        if s.phase != st.CLAIM and s.melds[caller] > before.melds[caller]:
            i = int(s.melds[caller]) - 1
            type_, low = int(s.meld_type[caller, i]), int(s.meld_kind[caller, i])
            verb = {md.CHOW: "CHI", md.PONG: "PENG"}.get(type_, "GANG")
            offered.claims.pop(caller, None)
            events.append(Event(verb, caller, low + 1 if verb == "CHI" else low))
    elif action == act.WIN:
        events.append(Event("HU", seat, int(s.win_tile)))
        return
    elif action < act.CHOW_LOW:
        events.append(Event("PLAY", seat, action))
    elif action < act.ADDED_KONG:
        events.append(Event("ANGANG", seat, action - act.CLOSED_KONG))
    else:
        events.append(Event("BUGANG", seat, action - act.ADDED_KONG))
    if s.phase >= st.ROUND_OVER:
        if s.wins:
            events[-1].claims.pop(int(s.win_seat), None)
            events.append(Event("HU", int(s.win_seat), int(s.win_tile)))
        else:
            events.append(Event("HUANG"))
    elif s.phase == st.TURN:
        events.append(Event("DRAW", int(s.turn), int(s.drawn)))


def _claim_words(s: np.record, action: int) -> str:
    if act.CHOW_LOW <= action <= act.CHOW_HIGH:
        return f"CHI {write_tile(int(s.offer) + 1 - (action - act.CHOW_LOW))}"
    return {act.PONG: "PENG", act.OPEN_KONG: "GANG", act.WIN: "HU"}[action]


def show_match(game: Recorded, moves: bool = False) -> Iterator[str]:
    """The pieces of text that tell a match: who played, what happened if wanted, and the table at its end."""
    yield f"{game.id} ({game.format})"
    for seat, player in enumerate(game.players):
        yield f"  seat {seat}: {player or '-'}"
    if moves:
        for i, event in enumerate(game.events, 1):
            tile = f" {write_tile(event.tile)}" if event.tile >= 0 else ""
            yield f"  {i:3d} seat {event.seat} {event.verb}{tile}" if event.seat >= 0 else f"  {i:3d} {event.verb}"
    replayed = replay_recorded(game)
    if replayed.stored is None:
        yield f"Here the record and the rules disagree: {replayed.divergence}"
    else:
        yield draw_text(table_after(replayed.stored, len(replayed.stored.actions))[0])


def show_matches(text: bytes, name: str, most: int, moves: bool = False) -> list[str]:
    """At most so many matches of a text, a piece of text each."""
    return ["\n".join(show_match(game, moves)) for game in read_matches(text, name, most)]


def write(stored: Stored, format: str) -> bytes:
    """A stored game in one of the formats of MCR."""
    return write_json(tell(stored)) if format == "botzone" else write_text(tell(stored))
