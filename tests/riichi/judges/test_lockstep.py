"""Whole games in lockstep with riichienv under its Tenhou rules: the legal actions of every seat at every decision."""

import pytest

pytest.importorskip("riichienv", reason="riichienv judges the rules; install the [dev] extra")

from tests.riichi.judges.lockstep import Match, Tally
from tests.riichi.players import OrphanPlayer, Player, play_random

TABLES = {
    "random": [play_random] * 4,
    "closed": [Player(call=0)] * 4,
    "closed, letting wins pass": [Player(win=0.4, call=0.05)] * 4,
    "calling": [Player(win=0.6, call=0.7)] * 4,
    "mixed": [Player(), Player(call=1), OrphanPlayer(), play_random],
    "no wins": [Player(win=0, call=0.02, riichi=0.8)] * 4,
}


@pytest.mark.parametrize(("name", "games"), [("east", 430), ("hanchan", 90)])
def test_lockstep(name: str, games: int) -> None:
    tally = Tally()
    players = list(TABLES.values())
    for game in range(games):
        stacked = game % 12 >= 6  # the first round of every other six games, from a wall that makes rare hands
        Match(game, name == "east", players[game % 6], tally, stacked).play()
    print(tally)
    assert tally.games == games
    assert tally.decisions > 400 * games
    if name == "east":
        for action in ("riichi", "chow", "pong", "open", "closed", "added", "win on discard", "win by self-draw"):
            assert tally.actions[action] > 20, tally.actions
        for result in ("self-draw", "win on discard", "exhaustive draw", "four riichi", "four kongs"):
            assert tally.results[result] > 0, tally.results
