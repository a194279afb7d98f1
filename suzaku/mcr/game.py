"""MCR as a descriptor: see `suzaku/game.py`."""

import numpy as np

from suzaku.game import Game
from suzaku.hand.tables import tables
from suzaku.mcr import hand_counts
from suzaku.mcr.actions import ACTION_NAMES, FOUL, PASS
from suzaku.mcr.batch import start_many
from suzaku.mcr.decision_types import DECISION_TYPES
from suzaku.mcr.hidden import resample_hidden
from suzaku.mcr.legal import fill_legal
from suzaku.mcr.loops.collect import collect
from suzaku.mcr.loops.play_on import play_on, start_of, walls_of
from suzaku.mcr.loops.replay import deal_stored, new_table, replay
from suzaku.mcr.render.page import round_number, view
from suzaku.mcr.render.page_events import event_of, in_secret
from suzaku.mcr.render.picture import picture
from suzaku.mcr.render.text import draw_text
from suzaku.mcr.rules import PRESETS, Rules
from suzaku.mcr.state import STATE, WALL
from suzaku.mcr.step import step
from suzaku.mcr.table import Table


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
    hands=hand_counts.HANDS,
    rates=hand_counts.hand_rates,
    shown_rates=hand_counts.SHOWN,
    in_secret=in_secret,
    passing=PASS,
    fouls=FOUL,
)
