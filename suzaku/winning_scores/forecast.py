"""The probabilities that a closed hand is won with at least 1, 2, 3, 4 han, after each discard.

- What a model says of every discard of a closed hand at a table: with how many han it will be won.
- For people: the probabilities that a closed hand is won with at least 1, 2, 3, 4 han, after each discard.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from suzaku.hand.notation import check_tiles, read_hand, read_wind, to_counts
from suzaku.hand.shanten import fill_keys, shanten_counts
from suzaku.hand.tables import tables
from suzaku.kernel import kernel
from suzaku.riichi.evaluate import read_indicators, rules_record
from suzaku.riichi.rules import Rules
from suzaku.tiles import DORA_OF, RED, parse
from suzaku.winning_scores.distance import shapes
from suzaku.winning_scores.features import fill_features
from suzaku.winning_scores.hand import CLASSES, VIEW, fill_table_view, fill_unseen_bits, put, take, throws_red
from suzaku.winning_scores.learnt import add_rows, to_classes
from suzaku.winning_scores.model import Model, load_model
from suzaku.winning_scores.play import WORK

SILENT, DECLARED = 0, 1  # rows of an outlook: without and with riichi


@kernel
def fill_outlook(tables, shapes, rules, model, weights, v, w, out):
    """P(0), P(1), P(2), P(3), P(>= 4 han) of each discard of a hand of 14 tiles: out[2, 34, 5], NaN if not possible.

    The second half is with riichi, where that leaves the hand tenpai and enough tiles are left.
    """
    out[:] = np.nan
    fill_unseen_bits(v)
    for kind in range(34):
        if v.hand[kind] == 0:
            continue
        red = throws_red(v, kind)
        put(v, kind)
        if red:
            v.red[kind // 9] -= 1
        for riichi in range(2):
            n = fill_features(tables, shapes, rules, v, riichi == DECLARED, w.plan, w.features)
            add_rows(weights, w.features, n, w.blocks, w.sums)
            to_classes(model, w.sums, w.work)
            for c in range(CLASSES):
                out[riichi, kind, c] = w.work[c]
            if min(w.plan.tiles[0], w.plan.tiles[1]) != 1 or v.may_riichi == 0:
                break
        if red:
            v.red[kind // 9] += 1
        take(v, kind)


MOST_DRAWS = 18  # that a seat has in a round, if nobody calls
USUAL = "bcp"  # learnt against opponents who win too


@dataclass(frozen=True)
class Chances:
    """Probabilities to win with at least 1, 2, 3, 4 han after a discard."""

    silent: tuple[float, ...]
    riichi: tuple[float, ...] | None  # with riichi declared by the discard, where it can be

    @property
    def best(self) -> tuple[float, ...]:
        """With riichi if that wins more often with some han."""
        return self.riichi if self.riichi is not None and self.riichi[0] > self.silent[0] else self.silent


@cache
def bundled_model() -> Model:
    """The model that tells people."""
    return load_model(USUAL)


def table_chances(record: np.record, seat: int, model: Model | None = None) -> dict[int, Chances]:
    """Of each kind that a seat with a closed hand and a drawn tile can throw, none for other hands."""
    if record.melds[seat] or record.riichi[seat] or int(record.hand[seat].sum()) != 14:
        return {}
    view = np.zeros(1, VIEW)[0]
    fill_table_view(record, seat, view)
    return _chances(view, record.rules, model or bundled_model())


def hand_chances(
    hand: str,
    *,
    dora_indicators: str = "",
    round_wind: str = "E",
    seat_wind: str = "S",
    visible: str = "",
    draws: int = 12,
    rules: Rules = Rules.tenhou(),  # noqa: B008 (frozen)
    model: Model | None = None,
) -> dict[int, Chances]:
    """Of each kind of a closed hand of 14 tiles, written as text. `draws` are those left after the discard."""
    if not 0 <= draws <= MOST_DRAWS:
        raise ValueError(f"draws must be 0 to {MOST_DRAWS}, not {draws}")
    tiles = read_hand(hand, (14,), 0)
    indicators = read_indicators(dora_indicators, "dora")
    seen = tiles + indicators + parse(visible)
    check_tiles(seen, rules.red_fives)
    view = np.zeros(1, VIEW)[0]
    view.hand[:] = to_counts(tiles)
    fill_keys(view.hand, view.key)
    view.red[:] = [tiles.count(RED + suit) for suit in range(3)]
    view.unseen[:] = 4 - to_counts(seen)
    view.doras = len(indicators)
    view.dora[: len(indicators)] = DORA_OF[indicators]
    view.round_wind, view.seat_wind = read_wind(round_wind, "round wind"), read_wind(seat_wind, "seat wind")
    view.draws, view.may_riichi = draws, draws >= 1
    if shanten_counts(tables(), view.hand, 0) < 0:
        return {}  # it has won already
    return _chances(view, rules_record(rules), model or bundled_model())


def _chances(view: np.record, rules: np.record, model: Model) -> dict[int, Chances]:
    out = np.empty((2, 34, CLASSES))
    fill_outlook(tables(), shapes(), rules, model.number, model.weights, view, np.zeros(1, WORK)[0], out)
    at_least = out[:, :, ::-1].cumsum(-1)[:, :, -2::-1]  # sums from the highest class down to 1 han
    found = {}
    for kind in np.flatnonzero(view.hand):
        riichi = at_least[DECLARED, kind]
        found[int(kind)] = Chances(
            tuple(float(p) for p in at_least[SILENT, kind]),
            None if np.isnan(riichi[0]) else tuple(float(p) for p in riichi),
        )
    return found


def warm_up() -> None:
    """Probabilities by han."""
    hand_chances("123m4067p234789s1z", dora_indicators="3p", model=Model("mcp", "drawing"))
