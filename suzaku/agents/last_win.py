"""The one win that is worth nothing: in the last round, when it ends the game and leaves its winner fourth."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.lookahead.payoff import points_of
from suzaku.riichi.claims import value_of
from suzaku.riichi.hands import add_tile, in_melds, remove_tile
from suzaku.riichi.score import base_points, round_up
from suzaku.riichi.visible import fill_dora


@kernel
def _scores_after(tables, s, p, drawn, scores):
    """The scores after seat p wins now, hidden doras apart."""
    dora = np.empty(34, np.int64)
    fill_dora(s, dora)
    tile = s.drawn if drawn else s.offer
    if not drawn:
        add_tile(s, p, tile)
    extra = 0
    for suit in range(3):
        extra += s.red[p, suit]
    for i in range(s.melds[p]):
        extra += s.meld_red[p, i]
    for kind in range(34):
        if dora[kind] > 0:
            extra += dora[kind] * (s.hand[p, kind] + in_melds(s, p, kind))
    _, han, fu, yakuman = value_of(tables, s, p, tile, drawn, False, extra)
    if not drawn:
        remove_tile(s, p, tile)
    base = base_points(s.rules, han, fu, yakuman)
    for q in range(4):
        scores[q] = s.scores[q]
    scores[p] += 1000 * s.sticks + 300 * s.honba
    if drawn:
        scores[p] += points_of(s.rules, han, fu, yakuman, p == s.dealer, True)
        for q in range(4):
            if q != p:
                scores[q] -= round_up(base * (2 if s.dealer in (p, q) else 1)) + 100 * s.honba
    else:
        points = points_of(s.rules, han, fu, yakuman, p == s.dealer, False)
        scores[p] += points
        scores[s.turn] -= points + 300 * s.honba


@kernel
def is_vain(tables, s, p, drawn):
    """Whether a win now would end the game with seat p in fourth place, and waiting could still change that."""
    if s.round_no < s.rules.rounds - 1 or s.left == 0 or s.riichi[p] or p == s.dealer:
        return False
    scores = np.empty(4, np.int64)
    _scores_after(tables, s, p, drawn, scores)
    top = scores[0]
    behind = 0
    lowest = scores[0]
    for q in range(4):
        top = max(top, scores[q])
        lowest = min(lowest, scores[q])
        if scores[q] > scores[p] or (scores[q] == scores[p] and q < p):
            behind += 1
    return behind == 3 and (top >= s.rules.target_score or (s.rules.bust and lowest < 0))
