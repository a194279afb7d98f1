"""Riichi as a descriptor: see `suzaku/game.py`."""

from suzaku.game import Game
from suzaku.hand.tables import tables
from suzaku.riichi import hand_counts
from suzaku.riichi.actions import ACTION_NAMES, PASS, RIICHI
from suzaku.riichi.batch import start_many
from suzaku.riichi.decision_types import DECISION_TYPES, same_tile
from suzaku.riichi.hidden import resample_hidden
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.loops.collect import collect
from suzaku.riichi.loops.play_on import play_on, walls_of
from suzaku.riichi.loops.replay import deal_stored, new_table, replay
from suzaku.riichi.presets import PRESETS
from suzaku.riichi.render.page import round_number, view
from suzaku.riichi.render.page_events import event_of, in_secret
from suzaku.riichi.render.picture import picture
from suzaku.riichi.render.text import draw_text
from suzaku.riichi.rules import Rules
from suzaku.riichi.state import STATE, WALL
from suzaku.riichi.step import step
from suzaku.riichi.table import Table
from suzaku.riichi.uma import final_points

GAME = Game(
    name="riichi",
    record=STATE,
    wall=WALL,
    action_names=tuple(ACTION_NAMES),
    decision_types=DECISION_TYPES,
    rules=Rules,
    presets=PRESETS,
    lengths={"east": "east-only games", "hanchan": "hanchan"},
    table=Table,
    new_table=new_table,
    final_points=final_points,
    redraw=resample_hidden,
    text=draw_text,
    picture=picture,
    view=view,
    event=event_of,
    round_number=round_number,
    usual_agent="suphx",
    stand_in="tsumogiri",
    tables=tables,
    start_many=start_many,
    legal=fill_legal,
    step=step,
    deal_stored=deal_stored,
    play_on=play_on,
    walls_of=walls_of,
    replay=replay,
    collect=collect,
    hands=hand_counts.HANDS,
    rates=hand_counts.hand_rates,
    shown_rates=hand_counts.SHOWN,
    ladder=True,
    in_secret=in_secret,
    passing=PASS,
    announcing=RIICHI,
    same_decision=same_tile,
)
