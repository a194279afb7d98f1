"""What a Riichi table is played with: see `suzaku/table/engine.py`."""

from suzaku.riichi.actions import ACTION_NAMES, action_number
from suzaku.riichi.deal import deal_round, shuffle_wall, start_game, start_round
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.rules import Rules
from suzaku.riichi.settle import advance
from suzaku.riichi.state import GAME_OVER, ROUND_OVER, STATE, WALL
from suzaku.riichi.step import step
from suzaku.table.engine import Engine

ENGINE = Engine(
    package="suzaku.riichi",
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
