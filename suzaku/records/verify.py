"""Playing a recorded game through the engine: its actions, or the first place where the two disagree."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from suzaku.records import replay_events as fl
from suzaku.records import types as ev
from suzaku.records.types import Game, RecordError, Round, Win
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.picture import round_name
from suzaku.riichi.redraw import hand_tiles
from suzaku.riichi.yaku import names as yaku_names
from suzaku.system import some
from suzaku.table.game import game_named
from suzaku.tiles import NAMES, to_text

RIICHI = game_named("riichi")  # the formats of records are its


@dataclass
class Divergence:
    """Where the engine and a record disagree."""

    game: Game
    round: int  # index among the rounds of the record
    event: int  # index among the events of the round, or -1: at its end
    text: str  # what differs
    board: str  # the table at that point, drawn

    def __str__(self) -> str:
        recorded = self.game.rounds[self.round]
        place = f"{'ESWN'[recorded.number // 4 % 4]}{recorded.number % 4 + 1} honba {recorded.honba}"
        turn = ""
        if self.event >= 0:
            turn = f", event {self.event + 1} ({describe(recorded.events[self.event])})"
        return f"{self.game.source}: round {self.round + 1} ({place}){turn}: {self.text}\n{self.board}"


@dataclass
class Replayed:
    """What playing a record gave."""

    actions: list[np.ndarray]  # uint8 by round; + AWAY where the player was away
    divergence: Divergence | None
    final_scores: tuple[int, ...]
    ranks: tuple[int, ...]
    finished: bool  # the game came to its end


def describe(event: np.ndarray) -> str:
    """An event in words."""
    type_, seat, a, _ = (int(value) for value in event)
    words = f"seat {seat} {ev.EVENT_NAMES[type_]}"
    if type_ in (ev.DRAW, ev.DISCARD, ev.INDICATOR, ev.WIN) and a >= 0:
        words += f" {NAMES[a]}"
    elif type_ in (ev.CALL, ev.KONG):
        words += f" {RIICHI.action_names[a]}"
    elif type_ == ev.DRAWN_END and a != fl.UNKNOWN_END:
        words += f" {st.RESULT_NAMES[a]}"
    return words


def new_table(game: Game) -> np.ndarray:
    """A table record at the start of a recorded game, wherever its first round stands."""
    first = game.rounds[0]
    array = RIICHI.new_table(game.rules, [first.number, first.honba, first.sticks, *first.scores])
    array["dealer"] = first.dealer
    return array


def choose_rules(game: Game) -> None:
    """Give a game whose format does not tell its length the length that its end agrees with."""
    for rules in (game.rules, game.rules.with_length("east")):
        game.rules = rules
        if replay_game(game).divergence is None:
            return
    game.rules = game.rules.with_length("hanchan")


def replay_game(game: Game) -> Replayed:
    """Play a recorded game; stops at the first divergence."""
    s = new_table(game)[0]
    legal = np.zeros(RIICHI.actions, np.bool_)
    out = np.empty(fl.MOST_ACTIONS, np.uint8)
    actions: list[np.ndarray] = []
    divergence = None
    for i, recorded in enumerate(game.rounds):
        differs = "the game is over by the rules, the record goes on" if s.phase == st.GAME_OVER and i else ""
        event = -1
        if not differs:
            RIICHI.place_round(s, recorded.wall)
            differs = _start_differs(s, recorded)
        if not differs:
            code, event, n = fl.replay_events(
                RIICHI.tables(), s, recorded.hands, recorded.events, game.strict, legal, out
            )
            actions.append(out[:n].copy())
            if code == fl.AGREES:
                event = -1
                differs = _result_differs(s, recorded)
            else:
                differs = event_differs(code, s, recorded, event, legal)
        if not differs and i + 1 == len(game.rounds):
            differs = _game_differs(s, game)
        if differs:
            divergence = Divergence(game, i, event, differs, RIICHI.drawings.draw_text(s))
            break
    return Replayed(
        actions,
        divergence,
        tuple(int(v) for v in s.scores),
        tuple(int(v) for v in s.ranks),
        bool(s.phase == st.GAME_OVER),
    )


def event_differs(code: int, s: np.record, recorded: Round, row: int, legal: np.ndarray) -> str:
    """What differs at the event of a row, where `replay_events` has stopped with this code."""
    if code == fl.HANDS_DIFFER:
        return _hands_differ(s, recorded)
    events = recorded.events[: row + 1]
    if code == fl.ROUND_GOES_ON:
        return f"the record ends the round, by the rules {_asked(s, events)}"
    type_, seat, a, b = (int(value) for value in events[row])
    by_type = {ev.RIICHI: act.RIICHI, ev.WIN: act.WIN_DRAW, ev.DRAWN_END: act.NINE_KINDS}
    action = RIICHI.action_names[act.DISCARD_DRAWN if type_ == ev.DISCARD and b else by_type.get(type_, a)]
    match code:
        case fl.ILLEGAL:
            could = ", ".join(RIICHI.action_names[i] for i in np.flatnonzero(legal))
            return f"{action} is not legal for seat {seat}; legal: {could}"
        case fl.NOT_CLAIMED:
            action = RIICHI.action_names[act.WIN_DISCARD] if type_ == ev.WIN else action
            return f"{action} is not legal for seat {seat}: the tile on offer is {_tile(s.offer)}"
        case fl.OTHER_DRAW if s.phase == st.TURN and s.drawn != a:
            return f"the record says {_tile(a)} was drawn, the wall has {_tile(s.drawn)}"
        case fl.OTHER_DRAW:
            return f"the record says {_tile(a)} was drawn, by the rules {_asked(s, events[:-1])}"
        case fl.OTHER_TILE if type_ == ev.DISCARD or (type_ == ev.WIN and b == seat):
            return f"the record says seat {seat} had drawn {_tile(a)}, by the rules it was {_tile(s.drawn)}"
        case fl.OTHER_TILE:
            taken = a if type_ == ev.WIN else (b >> 2) - 1
            return f"the record says {_tile(taken)} was taken, the tile on offer is {_tile(s.offer)}"
        case fl.NOT_ASKED:
            return _not_asked(s, events)
        case fl.OTHER_INDICATOR | fl.INDICATOR_TIME:
            return _indicators_differ(code, s, events)
        case fl.OTHER_RESULT:
            return f"the round ends by {st.RESULT_NAMES[a]} in the record, by {st.RESULT_NAMES[s.result]} by the rules"
        case fl.ROUND_ENDED:
            return f"the rules end the round ({st.RESULT_NAMES[s.result]}), the record goes on"
    declared = events[events[:, 0] == ev.RIICHI, 1][-1:]
    one, other = ("record", "rules do") if code == fl.RIICHI_NOT_PASSED else ("rules", "record does")
    accepts = "accepts" if one == "record" else "accept"
    return f"the {one} {accepts} the riichi of seat {int(declared[0]) if len(declared) else seat}, the {other} not"


def _tile(tile: int) -> str:
    return NAMES[tile] if tile >= 0 else "nothing"


def _hands_differ(s: np.record, recorded: Round) -> str:
    """The first hand that the wall deals otherwise; the dealer's first draw is no part of it."""
    dealt = [hand_tiles(s, seat) for seat in range(4)]
    dealt[s.turn].remove(int(s.drawn))
    told = [np.repeat(np.arange(len(NAMES)), hand).tolist() for hand in recorded.hands]
    seat = next(seat for seat in range(4) if sorted(dealt[seat]) != told[seat])
    return f"seat {seat} was dealt {to_text(told[seat])} in the record, {to_text(dealt[seat])} by the wall"


def _asked(s: np.record, events: np.ndarray) -> str:
    """What the rules wait for, after these events."""
    if s.phase in (st.CLAIM, st.ROB):
        return f"seat {int(s.seat)} is asked about {_tile(s.offer)}"
    if s.phase == st.TURN and np.count_nonzero(events[:, 0] == ev.DRAW) < fl.DRAWS - s.left:
        return f"seat {int(s.seat)} draws first"
    if s.phase <= st.RIICHI_DISCARD:
        return f"it is the turn of seat {int(s.seat)}"
    return "the round is over"


def _not_asked(s: np.record, events: np.ndarray) -> str:
    type_, seat, _, b = (int(value) for value in events[-1])
    source = b & 3 if type_ == ev.CALL else b
    if type_ in (ev.CALL, ev.WIN) and source != seat:
        offers = s.phase in (st.CLAIM, st.ROB)
        there = f"seat {int(s.turn)} offers {_tile(s.offer)}" if offers else _asked(s, events)
        return f"the record says seat {seat} takes a tile of seat {source}, by the rules {there}"
    return f"the record says seat {seat} acts, by the rules {_asked(s, events)}"


def _indicators_differ(code: int, s: np.record, events: np.ndarray) -> str:
    shown = 1 + np.count_nonzero(events[:, 0] == ev.INDICATOR)
    if code == fl.INDICATOR_TIME:
        return f"dora indicators shown so far: {shown} in the record, {int(s.indicators)} by the rules"
    if shown > len(st.INDICATORS):
        return "the record shows a sixth dora indicator, a wall has five"
    wall = _tile(s.wall[st.INDICATORS[shown - 1]])
    return f"the record says the dora indicator {shown} is {_tile(int(events[-1, 2]))}, the wall has {wall}"


def _start_differs(s: np.record, recorded: Round) -> str:
    """What differs at the start of a round."""
    here = (int(s.round_no), int(s.honba), int(s.sticks), tuple(s.scores.tolist()))
    there = (recorded.number, recorded.honba, recorded.sticks, tuple(recorded.scores))
    if here == there:
        if recorded.told_dealer is not None and recorded.told_dealer != s.dealer:
            return f"the dealer is seat {int(s.dealer)} by the rules, seat {recorded.told_dealer} in the record"
        if recorded.wall[st.INDICATORS[0]] != recorded.indicator:
            wall = _tile(recorded.wall[st.INDICATORS[0]])
            return f"the record says the dora indicator 1 is {_tile(recorded.indicator)}, the wall has {wall}"
        return ""
    return (
        f"the round starts as {round_name(s)} honba {here[1]}, sticks {here[2]}, scores {here[3]} by the rules, "
        f"but as round {there[0]}, honba {there[1]}, sticks {there[2]}, scores {there[3]} in the record"
    )


def _result_differs(s: np.record, recorded: Round) -> str:
    """What differs at the end of a round."""
    if len(recorded.wins) != s.wins:
        return f"{int(s.wins)} wins by the rules, {len(recorded.wins)} in the record"
    for win in recorded.wins:
        i = s.win_seat[: s.wins].tolist().index(win.seat)
        text = _win_differs(s, i, win)
        if text:
            return text
    if recorded.tenpai is not None and recorded.tenpai != s.tenpai:
        return f"tenpai: {_seats(int(s.tenpai))} by the rules, {_seats(recorded.tenpai)} in the record"
    if recorded.deltas is not None and tuple(recorded.deltas) != tuple(s.deltas.tolist()):
        return f"payments {tuple(s.deltas.tolist())} by the rules, {tuple(recorded.deltas)} in the record"
    return ""


def _seats(mask: int) -> str:
    return ", ".join(f"seat {seat}" for seat in range(4) if mask >> seat & 1) or "nobody"


def _tiles(tiles: Iterable[int]) -> str:
    return " ".join(map(_tile, tiles)) or "nothing"


def _win_differs(s: np.record, i: int, win: Win) -> str:
    mask, yakuman = int(s.win_yaku[i]), int(s.win_yakuman[i])
    ura = s.wall[st.URA_INDICATORS[: s.indicators]].tolist() if s.riichi[win.seat] else []
    if win.ura is not None and list(win.ura) != ura:
        return f"seat {win.seat}'s win shows the ura indicators {_tiles(win.ura)}, the wall has {_tiles(ura)}"
    pairs: list[tuple[str, object, object]] = [
        ("yaku", ", ".join(yaku_names(mask)), None if win.yaku is None else ", ".join(yaku_names(win.yaku))),
        ("times yakuman", yakuman, win.yakuman),
        ("points", int(s.win_points[i]), win.points),
    ]
    if not yakuman:
        pairs += [
            ("han", int(s.win_han[i]), win.han),
            ("fu", int(s.win_fu[i]), win.fu),
            ("dora, ura and red", tuple(s.win_dora[i].tolist()), win.dora),
        ]
    for name, here, there in pairs:
        if there is not None and here != there:
            return f"seat {win.seat}'s win has {name} {here} by the rules, {there} in the record"
    return ""


def _game_differs(s: np.record, game: Game) -> str:
    """What differs at the end of the game."""
    if game.ended and s.phase != st.GAME_OVER:
        return "the record ends the game, the rules go on"
    if game.final_scores is not None and tuple(s.scores.tolist()) != tuple(game.final_scores):
        return f"final scores {tuple(s.scores.tolist())} by the rules, {tuple(game.final_scores)} in the record"
    return ""


def show_game(game: Game, only: int | None = None, moves: bool = False) -> Iterator[str]:
    """The pieces of text that tell a game; `only` is the number of a round, counted from 1."""
    from suzaku.records.statistics import dan_name

    if only is not None and only > len(game.rounds):
        raise RecordError(f"{game.source}: the game has only {some(len(game.rounds), 'round')}")
    yield f"{game.id} ({game.format}), {some(len(game.rounds), 'round')}"
    for seat, player in enumerate(game.players):
        yield f"  seat {seat}: {player.name or '-'}" + (f", {dan_name(player.dan)}" if player.dan >= 0 else "")
    s = new_table(game)[0]
    legal = np.zeros(RIICHI.actions, np.bool_)
    out = np.empty(fl.MOST_ACTIONS, np.uint8)
    for number, recorded in enumerate(game.rounds, 1):
        RIICHI.place_round(s, recorded.wall)
        code, event, _ = fl.replay_events(RIICHI.tables(), s, recorded.hands, recorded.events, game.strict, legal, out)
        if only is None or number == only:
            yield f"\n--- round {number} of {len(game.rounds)} ---\n"
            if moves:
                yield "\n".join(f"  {i + 1:3d} {describe(row)}" for i, row in enumerate(recorded.events))
            yield RIICHI.drawings.draw_text(s)
        if code != fl.AGREES:
            differs = event_differs(code, s, recorded, event, legal)
            yield f"Here the record and the rules disagree, at event {event + 1}: {differs}."
            return
