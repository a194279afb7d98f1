"""Questions for the look-ahead, from text and from played tables."""

import numpy as np

from suzaku.agents.simple import choose
from suzaku.hand.notation import read_melds, to_counts
from suzaku.hand.tables import tables
from suzaku.lookahead.analysis import _fill
from suzaku.lookahead.graph import GRAPH, WIN
from suzaku.lookahead.search import INDICATOR_OF
from suzaku.riichi import Table
from suzaku.riichi.state import MELD_NAMES
from suzaku.tiles import parse


def query(hand, melds=(), unseen=None, draws=6, objective=WIN, deepest=2, swaps=0, claims=0, seat_wind=1):
    """A query without doras and red fives; all tiles that are not held are unseen, or those of a text."""
    g = np.zeros(1, GRAPH)[0]
    groups, tiles = read_melds(melds, MELD_NAMES), parse(hand)
    held = tiles + [tile for _, group in groups for tile in group]
    left = 4 - to_counts(held) if unseen is None else to_counts(parse(unseen))
    _fill(g, tiles, groups, [], left)
    g.seat_wind, g.last, g.indicator_of[:] = seat_wind, -1, INDICATOR_OF
    g.draws, g.objective, g.deepest, g.swaps, g.claims = draws, objective, deepest, swaps, claims
    return g


def played(n, wanted, first_seed=0):
    """Records of tables where `wanted(record)` holds, from games of simple players."""
    found, seed = [], first_seed
    while len(found) < n:
        table = Table(seed=seed)
        seed += 1
        while table.seat >= 0 and len(found) < n:
            if wanted(table.record):
                found.append(table.record.copy())
            table.act(int(choose(tables(), table.record, table.legal_mask())))
    records = np.zeros(n, found[0].dtype)
    for i, record in enumerate(found):
        records[i] = record
    return records
