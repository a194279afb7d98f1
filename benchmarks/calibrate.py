"""Measure the numbers of the `heuristic` player over a store of real games and write `suzaku/agents/weights.py`.

    python benchmarks/calibrate.py STORE [games]

Danger: at every discard, each opponent and each kind held that it could win on: would it have dealt in, and for how
much? A logistic fit over the facts of `danger.py`, one for each sort of opponent. Attack: after every discard, did the
hand win the round in the end, and what did the round bring otherwise? A logistic fit over what `attack.py` knows of the
hand, one for each stage. 1,500 games take some minutes.
"""

import numpy as np

from suzaku.agents.danger import MOST_FACTS, list_facts, look
from suzaku.kernel import kernel
from suzaku.lookahead.payoff import points_of
from suzaku.riichi.claims import value_of
from suzaku.riichi.hands import add_tile, has, in_melds, is_furiten, remove_tile
from suzaku.riichi.state import URA_INDICATORS
from suzaku.riichi.visible import fill_dora, fill_unseen
from suzaku.tiles import DORA_OF

DEALS = np.dtype(
    [
        ("sort", "i1"),
        ("n", "i1"),  # number of facts
        ("facts", "i1", (MOST_FACTS,)),
        ("hit", "i1"),  # 1: the tile would have dealt in
        ("points", "i4"),
        ("dealer", "i1"),
        ("shown", "i1"),
        ("dora", "i1"),
    ]
)
HANDS = np.dtype(
    [
        ("stage", "i1"),
        ("shanten", "i1"),
        ("ways", "f4"),
        ("mean", "f4"),  # points the search found
        ("draws", "i1"),
        ("riichis", "i1"),
        ("open_two", "i1"),
        ("safe", "i1"),  # 1: the tile was safe against every riichi
        ("dealer", "i1"),
        ("hit", "i1"),  # 1: won the round
        ("points", "i4"),  # of the win
        ("delta", "i4"),  # what the round's end brought
        ("at_once", "i1"),  # 1: this very discard dealt in
    ]
)


@kernel
def _value(tables, s, q, kind, dora):
    """What seat q wins on a kind, ura doras included; 0 if it cannot."""
    add_tile(s, q, kind)
    extra = 0
    for k in range(34):
        han = dora[k]
        if s.riichi[q]:
            for i in range(s.indicators):
                han += 1 if DORA_OF[s.wall[URA_INDICATORS[i]]] == k else 0
        if han > 0:
            extra += han * (s.hand[q, k] + in_melds(s, q, k))
    for i in range(3):
        extra += s.red[q, i]
    for i in range(s.melds[q]):
        extra += s.meld_red[q, i]
    yaku, han, fu, yakuman = value_of(tables, s, q, kind, False, False, extra)
    remove_tile(s, q, kind)
    return points_of(s.rules, han, fu, yakuman, q == s.dealer, False) if yaku != 0 else 0


@kernel
def gather_deals(tables, records, o, out):
    """List the tiles that could be thrown to each opponent; how many rows were filled."""
    n = 0
    unseen, dora = np.empty(34, np.int64), np.empty(34, np.int64)
    facts = np.empty(MOST_FACTS, np.int64)
    for i in range(records.shape[0]):
        s = records[i]
        p = s.seat
        fill_unseen(s, p, unseen)
        fill_dora(s, dora)
        for j in range(1, 4):
            q = (p + j) & 3
            look(s, q, unseen, dora, o)
            for kind in range(34):
                # Against hands that hardly ever wait, a part of the kinds is enough.
                if s.hand[p, kind] == 0 or has(o.safe, kind) or (o.sort == 1 and (i + kind) % 4 != 0):
                    continue
                row = out[n]
                n += 1
                row.sort, row.shown = o.sort, o.shown
                row.n = list_facts(s, q, o, unseen, dora, kind, facts)
                for k in range(row.n):
                    row.facts[k] = facts[k]
                row.dealer = 1 if q == s.dealer else 0
                row.dora = 1 if dora[kind] > 0 else 0
                row.points = 0
                if has(s.waits[q], kind) and not is_furiten(s, q):
                    row.points = _value(tables, s, q, kind, dora)
                row.hit = 1 if row.points > 0 else 0
    return n
