"""A state encodes the same from live play and from the record of the game."""

import numpy as np
import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app
from suzaku.features import gao, oracle, suphx
from suzaku.records.formats import WRITERS, read_games, write_game
from suzaku.records.stored import table_after
from suzaku.riichi import Table
from tests.records.made import made_game, stored_again, told

EVERY = 7  # decisions from one compared state to the next


def live_states(seed):
    """Tables of a game as it was played."""
    game = made_game(seed)
    table = Table.deal(list(game.walls), game.rules)
    for number, action in enumerate(game.actions):
        if table.round_over:
            table.next_round()
        if number % EVERY == 0:
            yield number, table.record.copy()
        table.act(int(action) % 128)


@pytest.mark.parametrize("format", WRITERS)
def test_live_and_recorded_states_encode_equally(format):
    game = stored_again(read_games(write_game(told(3), format), "made-game-0003")[0])
    number = 0
    for number, live in live_states(3):
        pair = np.append(table_after(game, number), table_after(game, number))
        pair[0] = live
        assert pair["seat"][0] == pair["seat"][1]
        for encode in (suphx.encode_many, gao.encode_many):
            planes = encode(pair)
            assert (planes[0] == planes[1]).all(), number
        if format == "mjlog":  # which keeps the hidden tiles
            planes = oracle.encode_many(pair)
            assert (planes[0] == planes[1]).all(), number
    assert number > 100


def test_a_recorded_state_is_shown(tmp_path):
    path = tmp_path / "made-game-0003.mjlog"
    path.write_bytes(write_game(told(3), "mjlog"))
    shown = CliRunner().invoke(app, ["features", "show", "--record", str(path), "--decisions", "30"])
    assert shown.exit_code == 0, shown.output
    assert "hand.0:" in shown.output
    over = CliRunner().invoke(app, ["features", "show", "--record", str(path), "--decisions", "99999"])
    assert over.exit_code == 2
    assert "over before" in over.output
