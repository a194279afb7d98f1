"""What an MCR table is played with: see `suzaku/table/engine.py`."""

from suzaku.mcr.actions import ACTION_NAMES, action_number
from suzaku.mcr.deal import deal_round, shuffle_wall, start_game, start_round
from suzaku.mcr.legal import fill_legal
from suzaku.mcr.rules import Rules
from suzaku.mcr.settle import advance
from suzaku.mcr.state import GAME_OVER, ROUND_OVER, STATE, WALL
from suzaku.mcr.step import step
from suzaku.table.engine import Engine

ENGINE = Engine(
    package="suzaku.mcr",
    state=STATE,
    wall=WALL,
    rules=Rules,
    action_names=ACTION_NAMES,
    action_number=action_number,
    round_over=ROUND_OVER,
    game_over=GAME_OVER,
    start_game=start_game,
    shuffle_wall=shuffle_wall,
    start_round=start_round,
    deal_round=deal_round,
    advance=advance,
    fill_legal=fill_legal,
    step=step,
)
