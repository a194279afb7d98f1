"""Riichi as a descriptor (see `suzaku/table/game.py`), and how its games stand between their rounds."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi import counts
from suzaku.riichi.actions import ACTION_NAMES, ACTIONS, PASS, RIICHI, action_number
from suzaku.riichi.deal import deal_round, shuffle_wall, start_game, start_round
from suzaku.riichi.legal import DECISION_TYPES, fill_legal, same_tile, types_of
from suzaku.riichi.redraw import hand_tiles, hide, redraw_one
from suzaku.riichi.rules import Rules, final_points
from suzaku.riichi.settle import advance
from suzaku.riichi.state import GAME_OVER, ROUND_OVER, STATE, WALL
from suzaku.riichi.step import step
from suzaku.riichi.tenpai_hands import WORK
from suzaku.table.game import Game, rates_of
from suzaku.table.loops import try_game


def set_start(s: np.record, start: Sequence[int]) -> None:
    """Where a stored game begins: round, honba, sticks and four scores."""
    if len(start):
        s.round_no, s.honba, s.sticks = start[:3]
        s.dealer = start[0] % 4
        s.scores[:] = start[3:]


GAME = Game(
    name="riichi",
    module=__name__,
    seats=4,
    record=STATE,
    wall=WALL,
    action_names=tuple(ACTION_NAMES),
    action_number=action_number,
    decision_types=DECISION_TYPES,
    types_of=types_of,
    round_over=ROUND_OVER,
    game_over=GAME_OVER,
    rules=Rules,
    lengths={"east": "east-only games", "hanchan": "hanchan"},
    start_game=start_game,
    shuffle_wall=shuffle_wall,
    start_round=start_round,
    deal_round=deal_round,
    advance=advance,
    legal=fill_legal,
    step=step,
    redraw_one=redraw_one,
    redraw_work=WORK,
    hands=counts.HANDS,
    count_hand=counts.count_hand,
    rates=partial(rates_of, counts.RATES),
    shown_rates=counts.SHOWN,
    counted=counts.COUNTED,
    hide=hide,
    hand_tiles=hand_tiles,
    final_points=final_points,
    set_start=set_start,
    start_fields=("round_no", "honba", "sticks"),
    situations=True,
    worst_round=1500,  # Gao et al. do not learn from a round in which the player they follow loses more
    ladder=True,
    passing=PASS,
    announcing=RIICHI,
    same_decision=same_tile,
    table="suzaku.riichi.table:Table",
    render="suzaku.riichi.render",
    learning="suzaku.rl.games:RiichiLearning",
    hints="suzaku.review.hints",
    formats=("mjai", "tenhou6", "mjlog"),
    write="suzaku.records.formats:write_riichi",
    watched="tenhou-east",
    usual_agent="suphx",
    stand_in="tsumogiri",
)
_stored_action = GAME.stored_action


SITUATION = np.dtype(
    [
        ("round_no", "i4"),  # of the round that comes next, 0 = east 1
        ("dealer", "i4"),  # of that round
        ("honba", "i4"),  # it is played with
        ("sticks", "i4"),  # on the table before it
        ("scores", "i4", (4,)),
    ]
)


@kernel
def _note_situation(s, row):
    row.round_no = s.round_no
    row.dealer = s.dealer
    row.honba = s.honba
    row.sticks = s.sticks
    for p in range(4):
        row.scores[p] = s.scores[p]


@kernel
def situations(tables, s, walls, actions, out):
    """Write how a game stood before its first round and after each that was played to its end; how many rows.

    After the last round of a game the counters are those the next one would have had. -1 if an action is not legal;
    `out` needs a row more than there are walls.
    """
    legal = np.zeros(ACTIONS, np.bool_)
    _note_situation(s, out[0])
    n = 1
    for i in range(actions.shape[0]):
        action = _stored_action(tables, s, walls, actions[i], legal)
        if action < 0:
            return -1
        step(tables, s, action)
        if s.phase >= ROUND_OVER:
            round_no, dealer, honba = s.round_no, s.dealer, s.honba
            advance(s)
            _note_situation(s, out[n])
            s.round_no, s.dealer, s.honba = round_no, dealer, honba  # the next deal advances them itself
            n += 1
    return n


def warm_up() -> None:
    """The rules of Riichi."""
    try_game(GAME)
