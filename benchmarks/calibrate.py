"""Measure the numbers of the `heuristic` player over a store of real games; write `agents/heuristic/coefficients.py`.

    python benchmarks/calibrate.py STORE [GAMES]

Danger: at every discard, each opponent and each kind held that it could win on: would it have dealt in, and for how
much? A logistic fit over the facts of `danger.py`, one for each hand type of opponent. Attack: after every discard, did
the hand win the round in the end, and what did the round bring otherwise? A logistic fit over what `win_estimate.py`
knows of the hand, one for each stage. 3,000 games took six minutes of one core.
"""

import argparse
from pathlib import Path

import numpy as np
from rich.progress import Progress

from suzaku.agents.heuristic import coefficients as weights
from suzaku.agents.heuristic.danger import FACTS, HAND_TYPES, MOST_FACTS, OPPONENT, list_facts, look
from suzaku.agents.heuristic.win_estimate import FAR_AWAY, RIICHI_STAGE, ROWS, STAGES, fill_situation, rate_rows
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.lookahead.patterns import patterns as win_patterns
from suzaku.lookahead.payoff import points_of
from suzaku.lookahead.safety import genbutsu
from suzaku.lookahead.search import draws_left, fill_query
from suzaku.lookahead.state import SEARCH
from suzaku.records.decisions import decisions
from suzaku.riichi.actions import DISCARD_DRAWN, RIICHI
from suzaku.riichi.claims import is_furiten, value_of
from suzaku.riichi.deal import add_tile, has, in_melds, remove_tile
from suzaku.riichi.redraw import fill_dora, fill_unseen
from suzaku.riichi.state import CLAIM, RIICHI_DISCARD, URA_INDICATORS, WIN_BY_DISCARD
from suzaku.tiles import DORA_OF, KIND_OF

DEALS = np.dtype(
    [
        ("hand_type", "i1"),
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
        ("pays", "f4"),  # points the search found
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
                if s.hand[p, kind] == 0 or has(o.safe, kind) or (o.hand_type == 1 and (i + kind) % 4 != 0):
                    continue
                row = out[n]
                n += 1
                row.hand_type, row.shown = o.hand_type, o.shown
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


@kernel
def _thrown(s, action, rows):
    """The kind an action throws; with riichi, the one that leaves the best wait."""
    if action != RIICHI:
        return np.int64(KIND_OF[s.drawn if action == DISCARD_DRAWN else action])
    best, ways = np.int64(0), -1.0
    for kind in range(34):
        if rows.shanten[kind] == 0 and rows.ways[kind] > ways:
            best, ways = np.int64(kind), rows.ways[kind]
    return best


@kernel
def gather_hands(tables, patterns, records, actions, q, rows, out):
    """List the hands after each discard with what became of them; how many rows were filled. Records are in order."""
    n = 0
    end = records.shape[0]
    for i in range(records.shape[0] - 1, -1, -1):
        s = records[i]
        p = s.seat
        if i + 1 < records.shape[0] and records[i + 1].deal != s.deal:
            end = i + 1
        # The record after a round's last one keeps its result, if the game went on.
        if end == records.shape[0] or records[end].deal != s.deal + 1 or actions[i] > RIICHI:
            continue
        if s.riichi[p] or s.phase == RIICHI_DISCARD:
            continue
        after, last = records[end], records[end - 1]
        fill_query(s, p, 0, q)
        fill_situation(s, p, draws_left(s, p), rows)
        rate_rows(tables, patterns, s.rules, q, True, rows)
        kind = _thrown(s, actions[i], rows)
        if rows.shanten[kind] > rows.now + 1:
            continue
        row = out[n]
        n += 1
        row.stage = RIICHI_STAGE if actions[i] == RIICHI else rows.stage[kind]
        row.shanten, row.ways, row.pays = rows.shanten[kind], rows.ways[kind], rows.pays[kind]
        row.draws, row.riichis, row.open_two, row.dealer = rows.draws, rows.riichis, rows.open_two, rows.dealer
        row.safe = 1
        for o in range(4):
            if o != p and s.riichi[o] and not has(genbutsu(s, o), kind):
                row.safe = 0
        row.hit = row.points = 0
        for j in range(after.wins):
            if after.win_seat[j] == p:
                row.hit, row.points = 1, after.win_points[j]
        row.delta = after.deltas[p]
        dealt = after.result == WIN_BY_DISCARD and after.win_from == p
        row.at_once = 1 if dealt and last.phase == CLAIM and last.discards == s.discards + 1 else 0
    return n


def fit(x: np.ndarray, y: np.ndarray, ridge: float = 3.0) -> np.ndarray:
    """The weights of a logistic fit, by Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(12):
        slope, curve = -ridge * w, ridge * np.eye(len(w))
        for start in range(0, len(y), 100_000):
            some = x[start : start + 100_000].astype(float)
            p = 1 / (1 + np.exp(-some @ w))
            slope += some.T @ (y[start : start + 100_000] - p)
            curve += some.T @ (some * (p * (1 - p))[:, None])
        w += np.clip(np.linalg.solve(curve, slope), -3, 3)
    return w


def fit_danger(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The weights of the facts for each hand type of opponent, the mean losses, and how much more a dora costs."""
    found = np.zeros((HAND_TYPES, FACTS))
    loss = np.zeros((HAND_TYPES, 2, 4))
    for hand_type in range(HAND_TYPES):
        these = rows[rows["hand_type"] == hand_type][:800_000]
        x = np.zeros((len(these), FACTS), np.float32)
        for i in range(MOST_FACTS):
            some = np.flatnonzero(these["n"] > i)
            x[some, these["facts"][some, i]] = 1
        found[hand_type] = fit(x, these["hit"].astype(float))
        hits = rows[(rows["hand_type"] == hand_type) & (rows["hit"] == 1)]
        for dealer in range(2):
            some = hits[hits["dealer"] == dealer]
            plain = some["points"][some["shown"] == 0].mean()
            for shown, more in enumerate((1.0, 1.2, 1.6, 2.4)):  # where few were seen, what each han adds by the rules
                points = some["points"][some["shown"] == shown]
                loss[hand_type, dealer, shown] = (points.sum() + 50 * plain * more) / (len(points) + 50)
    hits = rows[rows["hit"] == 1]
    ratio = hits["points"][hits["dora"] == 1].mean() / hits["points"][hits["dora"] == 0].mean()
    return found, loss, np.asarray(ratio)


def fit_attack(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The weights of the probability to win, the points of a win, and those of a round without one, for each stage."""
    win, points = np.zeros((STAGES, 11)), np.zeros((STAGES, 2))
    for stage in range(STAGES):
        r = rows[(rows["stage"] == stage) & (rows["ways"] > 0)]
        x, d = np.log(r["ways"] + 1.0), r["draws"] / 10
        columns = (
            np.ones(len(r)), x, d, d * d, x * d if stage < FAR_AWAY else 0 * d, r["riichis"] == 1, r["riichis"] >= 2,
            (r["riichis"] > 0) * r["safe"], r["open_two"], r["dealer"], np.maximum(0, r["shanten"] - 3.0),
        )  # fmt: skip
        win[stage] = fit(np.stack(columns, 1).astype(float), r["hit"].astype(float), 1.0)
        won = r[r["hit"] == 1]
        if stage < FAR_AWAY:
            known = np.stack([np.ones(len(won)), np.minimum(16_000, won["pays"])], 1)
            points[stage] = np.linalg.lstsq(known, won["points"], rcond=None)[0]
        else:
            points[stage, 0] = won["points"].mean()
    r = rows[(rows["hit"] == 0) & (rows["at_once"] == 0)]
    draws, riichis = np.digitize(r["draws"], [5, 9, 13]), np.minimum(2, r["riichis"])
    total, count = np.zeros((STAGES, 3, 2, 4)), np.zeros((STAGES, 3, 2, 4))
    for push in range(2):
        some = (r["riichis"] == 0) | (r["safe"] == 1 - push)
        at = (r["stage"][some], riichis[some], push, draws[some])
        np.add.at(total, at, r["delta"][some])
        np.add.at(count, at, 1)
    usual = total.sum(0) / np.maximum(1, count.sum(0))  # where few were seen, as in all stages
    return win, points, (total + 200 * usual) / (count + 200)


def show(name: str, array: np.ndarray, digits: int) -> str:
    """A table as Python text, its numbers in rows."""
    if array.ndim == 0:
        return f"{name} = {array:.{digits}f}\n"
    numbers = [f"{x:.{digits}f}," for x in np.round(array.ravel(), digits) + 0.0]
    width = max(map(len, numbers)) + 1
    by = min(array.shape[-1], 116 // width)
    lines = []
    for start in range(0, len(numbers), array.shape[-1]):
        row = numbers[start : start + array.shape[-1]]
        lines += ["   " + "".join(x.rjust(width) for x in row[i : i + by]) for i in range(0, len(row), by)]
    text = "\n".join(lines)
    return f"{name} = np.array([\n{text}\n]).reshape({', '.join(map(str, array.shape))})\n"


def write(path: Path, games: int, arrays: dict[str, tuple[np.ndarray, int]]) -> None:
    """Write the numbers as a Python file."""
    text = f'''"""Numbers measured over {games:,} games of strong players. Written by this command:

    python benchmarks/calibrate.py STORE {games}

`danger.py` and `win_estimate.py` say what the rows and columns are.
"""

import numpy as np

# fmt: off
'''
    path.write_text(text + "\n".join(show(name, np.asarray(array), digits) for name, (array, digits) in arrays.items()))


def gather(store: str, games: int) -> tuple[np.ndarray, np.ndarray]:
    """The DEALS and HANDS of the first games of a store."""
    o, q, rows = np.zeros(1, OPPONENT)[0], np.zeros(1, SEARCH)[0], np.zeros(1, ROWS)[0]
    deals: list[np.ndarray] = []
    hands: list[np.ndarray] = []
    seen = deal = 0
    with Progress(transient=True) as progress:
        bar = progress.add_task("games", total=games)
        for batch in decisions(store, shuffle=None, batch=32_768):
            # A game begins where the deal goes back; the games beyond the last one asked for are left out.
            game = seen + np.cumsum(np.diff(batch.records["deal"], prepend=deal) < 0)
            keep = int(np.searchsorted(game, games))
            records, actions = batch.records[:keep], batch.action[:keep]
            out = np.zeros(keep, HANDS)
            n = gather_hands(hand_tables(), win_patterns(), records, actions.astype(np.int64), q, rows, out)
            hands.append(out[:n])
            some = records[(actions <= RIICHI) & (np.arange(keep) % 4 == 0)]
            found = np.zeros(45 * len(some), DEALS)
            deals.append(found[: gather_deals(hand_tables(), some, o, found)].copy())
            seen, deal = int(game[-1]), int(batch.records["deal"][-1])
            progress.update(bar, completed=seen)
            if seen >= games:
                break
    if seen < games - 1:
        raise SystemExit(f"{store} has about {seen + 1:,} games, not {games:,}")
    return np.concatenate(deals), np.concatenate(hands)


def main(store: str, games: int) -> None:
    """Gather, fit and write."""
    deals, hands = gather(store, games)
    danger, loss, dora = fit_danger(deals)
    win, points, no_win = fit_attack(hands)
    path = Path(weights.__file__)
    write(
        path,
        games,
        {
            "DANGER": (danger, 2),
            "LOSS": (loss, 0),
            "DORA_LOSS": (dora, 2),
            "WIN": (win, 3),
            "POINTS": (points, 3),
            "NO_WIN": (no_win, 0),
        },
    )
    print(f"wrote {path}: {len(deals):,} tiles against opponents, {len(hands):,} hands")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", help="a folder made by `suzaku data import`")
    parser.add_argument("games", type=int, nargs="?", default=3000)
    arguments = parser.parse_args()
    main(arguments.store, arguments.games)
