"""Tables put together by hand, to ask a player about them."""

import numpy as np

from suzaku.hand.tables import tables
from suzaku.riichi import Table
from suzaku.riichi.deal import add_tile, bit, refresh, remove_tile
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.state import CLAIM, INDICATORS, PONG, RIVER_RIICHI, TURN
from suzaku.tiles import KIND_OF, parse, parse_one


def position(hand, drawn="", left=50, dora="1z", seat=0, **changes):
    """A table record that asks `seat` about a hand, with an empty board; `changes` are fields of the record."""
    s = Table(seed=1).record
    s.hand[:], s.red[:], s.key[:], s.waits[:], s.shanten[:] = 0, 0, 0, 0, 6
    s.seat = s.turn = seat
    s.left, s.phase, s.drawn = left, TURN, -1
    s.wall[INDICATORS[0]] = parse_one(dora)
    for tile in parse(hand):
        add_tile(s, seat, tile)
    refresh(tables(), s, seat)
    if drawn:
        s.drawn = parse_one(drawn)
        add_tile(s, seat, s.drawn)
    s.unbroken = 0
    for name, value in changes.items():
        s[name] = value
    return s


def river(s, seat, text, riichi=False):
    """Put discards before a seat, in the order written; with `riichi` it declared with the last one."""
    for tile in parse(text):
        n = s.river_size[seat]
        s.river[seat, n] = tile
        s.river_order[seat, n] = s.discards
        s.discarded[seat] |= bit(KIND_OF[tile])
        s.river_size[seat] += 1
        s.discards += 1
    if riichi:
        s.river_flag[seat, s.river_size[seat] - 1] = RIVER_RIICHI
        s.riichi[seat] = 1
        s.sticks += 1
    return s


def offered(s, seat, tile, win=False):
    """Let another seat throw a tile, and ask about it."""
    river(s, seat, tile)
    s.phase, s.turn, s.offer, s.drawn = CLAIM, seat, parse_one(tile), -1
    s.can_win = 1 << int(s.seat) if win else 0
    return s


def melded(s, seat, text):
    """Give a seat a called triplet."""
    n = s.melds[seat]
    s.meld_type[seat, n], s.meld_tile[seat, n] = PONG, KIND_OF[parse(text)[0]]
    s.meld_from[seat, n] = (seat + 1) % 4
    s.melds[seat] += 1
    s.open_melds[seat] += 1
    if s.turn == seat and s.drawn >= 0:
        remove_tile(s, seat, s.drawn)
    refresh(tables(), s, seat)
    if s.turn == seat and s.drawn >= 0:
        add_tile(s, seat, s.drawn)
    return s


def answer(agent, s):
    """The action an agent takes, and the scores."""
    records, legal = np.zeros(1, s.dtype), np.zeros((1, 120), np.bool_)
    records[0] = s
    fill_legal(tables(), records[0], legal[0])
    answers = agent.act(records, legal)
    assert legal[0, answers.actions[0]]
    return int(answers.actions[0]), answers.values[0]
