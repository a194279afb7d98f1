"""MCR as a descriptor: see `suzaku/table/game.py`."""

from collections.abc import Sequence

import numpy as np

from suzaku.mcr import counts
from suzaku.mcr.actions import ACTION_NAMES, FOUL, PASS, action_number
from suzaku.mcr.deal import deal_round, shuffle_wall, start_game, start_round
from suzaku.mcr.legal import DECISION_TYPES, fill_legal, types_of
from suzaku.mcr.redraw import hand_tiles, hide, redraw_one
from suzaku.mcr.rules import Rules
from suzaku.mcr.settle import advance
from suzaku.mcr.state import GAME_OVER, ROUND_OVER, STATE, WALL
from suzaku.mcr.step import step
from suzaku.seeds import read_seed
from suzaku.table.game import Game
from suzaku.table.loops import try_game, try_stored


def final_points(rules: Rules, scores: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """What a game is worth: the points won and lost."""
    return np.asarray(scores, float) - rules.start_score


def set_start(s: np.record, start: Sequence[int]) -> None:
    """Where a stored game begins: the number of the hand and four scores; the first hand if nothing is said."""
    s.hand_no = start[0] if len(start) else 0
    if len(start):
        s.scores[:] = start[1:]


def start_of(rules: Rules, seed: int, game: int) -> list[int]:
    """Where a game begins, as a store keeps it: the number of its first hand and four scores."""
    return GAME.stands(GAME.table_of(rules, read_seed(seed), game)[0])


GAME = Game(
    name="mcr",
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
    lengths={"hand": "single hands", "match": "matches of 16 hands"},
    start_game=start_game,
    shuffle_wall=shuffle_wall,
    start_round=start_round,
    deal_round=deal_round,
    advance=advance,
    legal=fill_legal,
    step=step,
    redraw_one=redraw_one,
    hands=counts.HANDS,
    count_hand=counts.count_hand,
    rates=counts.hand_rates,
    shown_rates=counts.SHOWN,
    counted=counts.COUNTED,
    hide=hide,
    hand_tiles=hand_tiles,
    final_points=final_points,
    set_start=set_start,
    start_fields=("hand_no",),
    start_of=start_of,
    passing=PASS,
    fouls=FOUL,
    table="suzaku.mcr.table:Table",
    render="suzaku.mcr.render",
    digits=1,
    learning="suzaku.rl.games:McrLearning",
    hints="suzaku.review.mcr_hints",
    formats=("botzone", "botzone-text"),
    write="suzaku.records.botzone_replay:write",
    usual_agent="mcr",
    stand_in="shanten",
)


def warm_up() -> None:
    """The rules of MCR."""
    try_game(GAME)
    try_stored(GAME)
    start_of(Rules(), 0, 0)
