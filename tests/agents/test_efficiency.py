"""The simple player: every answer is legal, and it plays to win."""

import numpy as np

from suzaku.agents.simple import choose
from suzaku.hand.shanten import fill_keys
from suzaku.hand.tables import tables
from suzaku.riichi import Table, Tables
from suzaku.riichi.actions import ACTION_NAMES, RIICHI, WIN_DISCARD, WIN_DRAW


def test_it_plays_whole_games_with_legal_actions_and_wins_most_rounds():
    many = Tables(20, seed=3, length="east", restart=False)
    rounds = wins = 0
    while (many.seat >= 0).any():
        actions = np.zeros(len(many), np.int64)
        for i in np.flatnonzero(many.seat >= 0):
            actions[i] = choose(tables(), many.records[i], many.legal[i])
        many.step(actions)  # refuses what is not legal
        rounds += int(many.round_ended.sum())
        wins += int(np.isin(actions[many.round_ended], (WIN_DRAW, WIN_DISCARD)).sum())
    assert rounds >= 60
    assert wins / rounds > 0.6


def test_it_wins_and_declares_riichi_when_it_can():
    table = Table(seed=1)
    legal = table.legal_mask()
    legal[RIICHI] = True
    assert choose(tables(), table.record, legal) == RIICHI
    legal[WIN_DRAW] = True
    assert choose(tables(), table.record, legal) == WIN_DRAW


def test_it_keeps_what_brings_the_hand_nearer():
    table = Table(seed=1)
    s = table.record
    s.hand[0] = 0
    for kind in (0, 1, 2, 3, 4, 5, 9, 10, 11, 18, 18, 24, 25, 30):  # 123456m123p1178s4z
        s.hand[0, kind] += 1
    s.red[0] = 0
    s.drawn = 30
    fill_keys(s.hand[0], s.key[0])
    legal = table.legal_mask()
    legal[RIICHI] = False
    assert ACTION_NAMES[choose(tables(), s, legal)] == "discard drawn tile"
