"""Playing a recorded game through the engine: its actions, or the first place where the two disagree."""

from dataclasses import dataclass

import numpy as np

from suzaku.game import game_named
from suzaku.records import events as ev
from suzaku.records import replay_events as fl
from suzaku.records.game import Game, Round, Win
from suzaku.riichi import state as st
from suzaku.riichi.loops.replay import place_round
from suzaku.riichi.render.picture import round_name
from suzaku.riichi.yaku import names as yaku_names
from suzaku.tiles import NAMES

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
    words = f"seat {seat} {ev.NAMES[type_]}"
    if type_ in (ev.DRAW, ev.DISCARD, ev.INDICATOR, ev.WIN) and a >= 0:
        words += f" {NAMES[a]}"
    elif type_ in (ev.CALL, ev.KONG):
        words += f" {RIICHI.action_names[a]}"
    elif type_ == ev.DRAWN_END:
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
            place_round(s, recorded.wall)
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
                differs = _with_legal(s, legal, fl.TEXT[code]) if code == fl.ILLEGAL else fl.TEXT[code]
        if not differs and i + 1 == len(game.rounds):
            differs = _game_differs(s, game)
        if differs:
            divergence = Divergence(game, i, event, differs, RIICHI.text(s))
            break
    return Replayed(
        actions,
        divergence,
        tuple(int(v) for v in s.scores),
        tuple(int(v) for v in s.ranks),
        bool(s.phase == st.GAME_OVER),
    )


def _with_legal(s: np.record, legal: np.ndarray, text: str) -> str:
    return f"{text}; legal: {', '.join(RIICHI.action_names[a] for a in np.flatnonzero(legal))}"


def _start_differs(s: np.record, recorded: Round) -> str:
    """What differs at the start of a round."""
    here = (int(s.round_no), int(s.honba), int(s.sticks), tuple(s.scores.tolist()))
    there = (recorded.number, recorded.honba, recorded.sticks, tuple(recorded.scores))
    if here == there:
        if recorded.told_dealer is not None and recorded.told_dealer != s.dealer:
            return f"the dealer is seat {int(s.dealer)} by the rules, seat {recorded.told_dealer} in the record"
        if recorded.wall[st.INDICATORS[0]] != recorded.indicator:
            return f"the first dora indicator is {NAMES[recorded.indicator]}, not as in the wall"
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
        return f"tenpai seats {int(s.tenpai):04b} by the rules, {recorded.tenpai:04b} in the record (seat 0 rightmost)"
    if recorded.deltas is not None and tuple(recorded.deltas) != tuple(s.deltas.tolist()):
        return f"payments {tuple(s.deltas.tolist())} by the rules, {tuple(recorded.deltas)} in the record"
    return ""


def _win_differs(s: np.record, i: int, win: Win) -> str:
    mask, yakuman = int(s.win_yaku[i]), int(s.win_yakuman[i])
    ura = s.wall[st.URA_INDICATORS[: s.indicators]].tolist() if s.riichi[win.seat] else []
    if win.ura is not None and list(win.ura) != ura:
        return f"seat {win.seat}'s win shows other ura indicators than the wall holds"
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
