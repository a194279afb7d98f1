"""MCR as a descriptor: see `suzaku/table/game.py`."""

import numpy as np

from suzaku.hand.tables import tables
from suzaku.mcr import loops
from suzaku.mcr.actions import ACTION_NAMES, FOUL, PASS
from suzaku.mcr.decision_types import DECISION_TYPES
from suzaku.mcr.legal import fill_legal
from suzaku.mcr.loops import collect, deal_stored, new_table, play_on, replay, start_of, walls_of
from suzaku.mcr.picture import picture
from suzaku.mcr.redraw import resample_hidden
from suzaku.mcr.render import draw_text, event_of, in_secret, round_number, view
from suzaku.mcr.rules import PRESETS, Rules
from suzaku.mcr.state import STATE, WALL
from suzaku.mcr.step import step
from suzaku.mcr.table import Table, start_many
from suzaku.table.game import Game
from suzaku.table.loops import try_game, try_stored


def final_points(rules: Rules, scores: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """What a game is worth: the points won and lost."""
    return np.asarray(scores, float) - rules.start_score


GAME = Game(
    name="mcr",
    record=STATE,
    wall=WALL,
    action_names=tuple(ACTION_NAMES),
    decision_types=DECISION_TYPES,
    rules=Rules,
    presets=PRESETS,
    lengths={"hand": "single hands", "match": "matches of 16 hands"},
    table=Table,
    new_table=new_table,
    final_points=final_points,
    redraw=resample_hidden,
    text=draw_text,
    picture=picture,
    view=view,
    event=event_of,
    round_number=round_number,
    usual_agent="mcr",
    stand_in="shanten",
    tables=tables,
    start_many=start_many,
    legal=fill_legal,
    step=step,
    deal_stored=deal_stored,
    play_on=play_on,
    walls_of=walls_of,
    start_of=start_of,
    replay=replay,
    collect=collect,
    hands=loops.HANDS,
    rates=loops.hand_rates,
    shown_rates=loops.SHOWN,
    in_secret=in_secret,
    passing=PASS,
    fouls=FOUL,
)


def warm_up() -> None:
    """The rules of MCR."""
    try_game(GAME)
    try_stored(GAME, loops.tally, loops.TALLY)
    start_of(Rules(), 0, 0)
