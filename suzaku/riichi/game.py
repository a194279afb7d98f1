"""Riichi as a descriptor: see `suzaku/table/game.py`."""

from suzaku.hand.tables import tables
from suzaku.riichi import loops
from suzaku.riichi.actions import ACTION_NAMES, PASS, RIICHI
from suzaku.riichi.decision_types import DECISION_TYPES, same_tile
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.loops import collect, deal_stored, new_table, play_on, replay, walls_of
from suzaku.riichi.picture import picture
from suzaku.riichi.redraw import resample_hidden
from suzaku.riichi.render import draw_text, event_of, in_secret, round_number, view
from suzaku.riichi.rules import PRESETS, Rules, final_points
from suzaku.riichi.state import STATE, WALL
from suzaku.riichi.step import step
from suzaku.riichi.table import Table, start_many
from suzaku.table.game import Game
from suzaku.table.loops import try_game

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
    hands=loops.HANDS,
    rates=loops.hand_rates,
    shown_rates=loops.SHOWN,
    ladder=True,
    in_secret=in_secret,
    passing=PASS,
    announcing=RIICHI,
    same_decision=same_tile,
)


def warm_up() -> None:
    """The rules of Riichi."""
    try_game(GAME)
