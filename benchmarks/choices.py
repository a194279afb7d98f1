"""Measure what tiles are worth keeping over a store of real games; write the numbers into `heuristic/tile_value.py`.

    python benchmarks/choices.py STORE [CHOICES]

At every discard that lowers no shanten and faces no riichi: which of the tiles that keep the shanten was thrown? A
logistic fit of the choice over the facts of `tile_value.py`, the tiles accepted, the ways to win, the points of a win
and the danger, one for each group of hands. 100,000 choices took two minutes of a busy core.
"""

import argparse
from pathlib import Path

import numpy as np
from calibrate import show

from suzaku.agents.heuristic import tile_value as keep
from suzaku.agents.heuristic.action_value import VIEW, deal_in, fill_view
from suzaku.agents.heuristic.tile_value import GROUPS, MOST_TRAITS, TRAITS, group_of, list_traits, look_at_hand
from suzaku.agents.heuristic.win_estimate import rate_rows
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.lookahead.patterns import patterns as win_patterns
from suzaku.lookahead.search import fill_query
from suzaku.lookahead.state import SEARCH
from suzaku.records.decisions import decisions
from suzaku.riichi.actions import DISCARD_DRAWN
from suzaku.riichi.state import RIICHI_DISCARD
from suzaku.tiles import KIND_OF

MOST = 14  # tiles to choose among
KNOWN = 4  # columns before those of the facts
CHOICE = np.dtype(
    [
        ("group", "i1"),
        ("size", "i1"),  # tiles to choose among
        ("chosen", "i1"),
        ("known", "f4", (MOST, KNOWN)),  # logarithms of accepted tiles, ways and points, then the danger
        ("traits", "i1", (MOST, MOST_TRAITS)),  # -1 for none
    ]
)


@kernel
def gather(tables, patterns, records, actions, v, q, out):
    """List the choices; how many rows were filled."""
    n = 0
    whole, facts = np.empty(3, np.int64), np.empty(MOST_TRAITS, np.int64)
    rows = v.rows
    for i in range(records.shape[0]):
        s = records[i]
        p = s.seat
        if actions[i] > DISCARD_DRAWN or s.riichi[p] or s.phase >= RIICHI_DISCARD:
            continue
        thrown = np.int64(KIND_OF[s.drawn if actions[i] == DISCARD_DRAWN else actions[i]])
        fill_view(s, p, v)
        if rows.riichis > 0:
            continue
        fill_query(s, p, 0, q)
        rate_rows(tables, patterns, s.rules, q, False, rows)
        if rows.now < 1 or rows.shanten[thrown] != rows.now or rows.probability[thrown] <= 0:
            continue
        look_at_hand(q, whole)
        row = out[n]
        size = 0
        for kind in range(34):
            if rows.shanten[kind] != rows.now or rows.probability[kind] <= 0:
                continue
            if kind == thrown:
                row.chosen = size
            row.known[size, 0] = np.log(rows.accepts[kind])
            row.known[size, 1] = np.log(rows.ways[kind])
            row.known[size, 2] = np.log(max(500.0, rows.points[kind]))
            row.known[size, 3] = deal_in(s, p, v, kind)[0]
            found = list_traits(rows, q, whole, kind, facts)
            for k in range(MOST_TRAITS):
                row.traits[size, k] = facts[k] if k < found else -1
            size += 1
        row.group, row.size = group_of(rows.now, q.closed), size
        if size > 1:
            n += 1
    return n


def columns(rows: np.ndarray) -> np.ndarray:
    """The facts and figures of each tile to choose among: [choices, MOST, KNOWN + TRAITS]."""
    x = np.zeros((len(rows), MOST, KNOWN + TRAITS), np.float32)
    real = np.arange(MOST) < rows["size"][:, None]
    x[:, :, :KNOWN] = np.where(real[:, :, None], rows["known"], 0)
    for k in range(MOST_TRAITS):
        at, tile = np.nonzero(real & (rows["traits"][:, :, k] >= 0))
        x[at, tile, KNOWN + rows["traits"][at, tile, k]] = 1
    return x


def fit(rows: np.ndarray, ridge: float = 3.0) -> tuple[np.ndarray, float]:
    """The weights that make the choices likeliest, by Newton's method, and the share they then foretell."""
    size = KNOWN + TRAITS
    w = np.zeros(size)
    right = 0
    for _ in range(7):
        slope, curve = -ridge * w, ridge * np.eye(size)
        right = 0
        for start in range(0, len(rows), 4000):
            some = rows[start : start + 4000]
            x, at = columns(some), np.arange(len(some))
            z = np.where(np.arange(MOST) < some["size"][:, None], x @ w, -np.inf)
            probability = np.exp(z - z.max(1, keepdims=True))
            probability /= probability.sum(1, keepdims=True)
            right += int((probability.argmax(1) == some["chosen"]).sum())
            mean = np.einsum("nm,nmf->nf", probability, x)
            slope += (x[at, some["chosen"]] - mean).sum(0)
            spread = (x * np.sqrt(probability)[:, :, None]).reshape(-1, size)
            curve += spread.T @ spread - mean.T @ mean
        w += np.clip(np.linalg.solve(curve, slope), -3, 3)
    return w, right / max(1, len(rows))


def main(store: str, choices: int) -> None:
    """Gather, fit and write."""
    v, q = np.zeros(1, VIEW)[0], np.zeros(1, SEARCH)[0]
    parts: list[np.ndarray] = []
    for batch in decisions(store, types=["discard"], shuffle=5, batch=16_384):
        out = np.zeros(len(batch), np.dtype((np.record, CHOICE)))
        n = gather(hand_tables(), win_patterns(), batch.records, batch.action.astype(np.int64), v, q, out)
        parts.append(out[:n].copy())
        if sum(map(len, parts)) >= choices:
            break
    rows = np.concatenate(parts)[:choices]
    weights = np.zeros((GROUPS, KNOWN + TRAITS))
    for group in range(GROUPS):
        weights[group], right = fit(rows[rows["group"] == group])
        print(f"group {group}: {(rows['group'] == group).sum():,} choices, {right:.1%} foretold")
    path = Path(keep.__file__)
    numbers = show("SPEED", weights[:, :2], 2) + "\n" + show("KEEP", weights[:, KNOWN:], 2)
    head = f"# Measured over {len(rows):,} choices of strong players: python benchmarks/choices.py STORE {choices}\n"
    before, _, rest = path.read_text().partition("# Measured over ")
    path.write_text(f"{before}{head}# fmt: off\n{numbers}# fmt: on{rest.partition('# fmt: on')[2]}")
    print(f"wrote {path}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", help="a folder made by `suzaku data import`")
    parser.add_argument("choices", type=int, nargs="?", default=100_000)
    arguments = parser.parse_args()
    main(arguments.store, arguments.choices)
