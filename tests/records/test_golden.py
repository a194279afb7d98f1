"""The golden rounds through every format: robbed kongs, abortive draws, nagashi, shared wins, liability, kong doras."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from suzaku.records.formats import WRITERS, read_games, write_game
from suzaku.records.stored import Stored
from suzaku.records.to_events import to_events
from suzaku.riichi import state as st
from tests.records.made import stored_again
from tests.riichi.golden_round import Runner, parse

FILES = sorted((Path(__file__).parents[1] / "riichi" / "golden").glob("*.txt"))
ROUNDS = {path.stem: parse(path.stem, path.read_text(encoding="utf-8")) for path in FILES}
ROUNDS = {name: golden for name, golden in ROUNDS.items() if "rules" not in golden.head}  # formats know Tenhou's alone


def stored(name: str) -> Stored:
    """A golden round as a stored game."""
    runner = Runner(ROUNDS[name])
    table, s, actions = runner.table, runner.s, []
    start = [int(s.round_no), int(s.honba), int(s.sticks), *s.scores.tolist()]
    wall = s.wall.copy()
    act = table.act

    def note(action: int) -> None:
        actions.append(int(action))
        act(action)

    table.act = note
    runner.run()
    return Stored(
        id=f"golden-{name}", source="golden", format="made", lobby="houou", time="", rules=table.rules,
        players=["A", "B", "C", "D"], dan=[16] * 4, rate=[1500.0] * 4, start=start, scores=table.scores,
        ranks=[0, 1, 2, 3], finished=bool(s.phase == st.GAME_OVER), walls_known=True, decisions=len(actions),
        walls=wall.reshape(1, -1), actions=np.array(actions, np.uint8),
    )  # fmt: skip


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize("name", ROUNDS)
def test_written_and_read_again(name, format):
    made = to_events(stored(name))
    again = to_events(stored_again(read_games(write_game(made, format), f"golden-{name}")[0]))
    for here, there in zip(made.rounds, again.rounds, strict=True):
        assert here.events.tolist() == there.events.tolist()
        assert (here.deltas, here.tenpai) == (there.deltas, there.tenpai)
        assert [(win.seat, win.yaku, win.points) for win in here.wins] == [
            (win.seat, win.yaku, win.points) for win in there.wins
        ]


def test_they_reach_every_way_a_round_ends_without_a_self_draw():
    ends = Counter(ROUNDS[name].end["result"][1] for name in ROUNDS if "result" in ROUNDS[name].end)
    assert set(st.RESULT_NAMES[2:]) <= set(ends)
