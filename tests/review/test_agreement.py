"""How often an agent decides as players did: the shares are those that counting by hand gives."""

import numpy as np
import pytest

from suzaku.agents.simple import ShantenAgent, TsumogiriAgent
from suzaku.records.stored import hash_name
from suzaku.review.agreement import measure, near_best
from suzaku.riichi import Table
from suzaku.riichi import actions as act
from suzaku.riichi.game import GAME
from suzaku.riichi.state import STATE
from tests.records.made import made_game

SEEDS = (2, 3)


def count_by_hand(seed: int, agent) -> dict[str, list[int]]:
    """Asked and alike for some kinds, going through a game action by action."""
    game = made_game(seed)
    table = Table.deal(list(game.walls), game.rules)
    found = {name: [0, 0] for name in ("all", "discard, not forced", "pong", "win")}

    def add(name: str, alike: bool) -> None:
        found[name][0] += 1
        found[name][1] += alike

    for taken in game.actions.tolist():
        if table.round_over:
            table.next_round()
        legal = table.legal_mask()
        chosen = int(agent.act(table.record.reshape(1).copy(), legal[None]).actions[0])
        drawn = int(table.record.drawn)
        tile, own = (drawn if action == act.DISCARD_DRAWN else action for action in (taken, chosen))
        add("all", tile == own)
        if taken < act.RIICHI and legal.sum() > 1:
            add("discard, not forced", tile == own)
        if legal[act.PONG] or legal[act.PONG_RED]:
            pongs = (act.PONG, act.PONG_RED)
            add("pong", taken == chosen or (taken not in pongs and chosen not in pongs))
        if legal[act.WIN_DRAW] or legal[act.WIN_DISCARD]:
            wins = (act.WIN_DRAW, act.WIN_DISCARD)
            add("win", (taken in wins) == (chosen in wins))
        table.act(taken)
    return found


@pytest.mark.parametrize("agent", [TsumogiriAgent(), ShantenAgent()], ids=lambda agent: agent.name)
def test_shares_are_those_counted_by_hand(agent):
    found = list(measure(agent, [made_game(seed) for seed in SEEDS]))[-1]
    assert found.games == len(SEEDS)
    for i, seed in enumerate(SEEDS):
        for name, (asked, alike) in count_by_hand(seed, agent).items():
            assert (found.counts[name].asked[i], found.counts[name].alike[i]) == (asked, alike), name


def test_one_player_alone():
    game = made_game(2)
    everyone = list(measure(TsumogiriAgent(), [game]))[-1].counts["all"]
    alone = [list(measure(TsumogiriAgent(), [game], hash_name(name)))[-1].counts["all"] for name in game.players]
    assert sum(sum(count.asked) for count in alone) == sum(everyone.asked)
    assert sum(sum(count.alike) for count in alone) == sum(everyone.alike)
    assert list(measure(TsumogiriAgent(), [game], "nobody")) == []


def test_the_best_three_count_a_tile_once():
    records = np.zeros(1, STATE)
    records["drawn"] = 5
    scores = np.full((1, 120), np.nan, np.float32)
    scores[0, [5, act.DISCARD_DRAWN, 7, 8, act.RIICHI]] = [0.1, 0.9, 0.8, 0.7, 0.6]
    assert [bool(near_best(GAME, records, scores, np.array([action]))[0]) for action in (5, 7, 8, act.RIICHI, 9)] == [
        True, True, True, False, False,
    ]  # fmt: skip
