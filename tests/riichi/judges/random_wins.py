"""Random complete hands of all sorts, with the circumstances of a win: what the judges and the benchmarks are fed."""

from dataclasses import dataclass, field
from itertools import chain
from random import Random

import numpy as np

from suzaku.riichi import score
from suzaku.riichi.state import ADDED_KONG, CHOW, CLOSED_KONG, OPEN_KONG, PONG
from suzaku.tiles import DORA_OF, from_tenhou

ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))
STYLES = ("any", "runs", "triplets", "flush", "pure", "outside", "simple", "three suits") * 4 + (
    "honours",
    "green",
    "gates",
)


@dataclass
class RandomWin:
    """One win in Tenhou ids."""

    closed: list[int]  # with the winning tile
    win: int
    melds: list[tuple[int, list[int]]]
    flags: int
    round_wind: int
    seat_wind: int
    dora_indicators: list[int] = field(default_factory=list)
    ura_indicators: list[int] = field(default_factory=list)
    honba: int = 0

    @property
    def tiles(self) -> list[int]:
        return self.closed + [tile for _, group in self.melds for tile in group]

    @property
    def longest_suit(self) -> int:
        """Closed tiles of one suit."""
        return max(sum(tile // 36 == suit for tile in self.closed) for suit in range(3))

    @property
    def extra(self) -> int:
        """Han of doras, counted apart from the package."""
        indicators = list(self.dora_indicators)
        if self.flags & (score.RIICHI | score.DOUBLE_RIICHI):
            indicators += self.ura_indicators
        doras = sum(int(DORA_OF[i // 4]) == tile // 4 for i in indicators for tile in self.tiles)
        return doras + sum(from_tenhou(tile) >= 34 for tile in self.tiles)


def _sets(rng: Random, style: str) -> list[list[int]] | None:
    """The kinds of four melds and a pair in a style, or None if a kind comes five times."""
    suit = rng.randrange(3)
    number = rng.randrange(7)
    runs = [9 * s + i for s in range(3) for i in range(7)]
    kinds = list(range(34))
    share = 0.7  # of runs among melds
    if style == "runs":
        share = 1.0
    elif style == "triplets":
        share = 0.1
    elif style in ("flush", "pure"):
        runs = [r for r in runs if r // 9 == suit]
        kinds = [k for k in kinds if k // 9 == suit or (style == "flush" and k >= 27)]
    elif style == "outside":
        runs = [r for r in runs if r % 9 in (0, 6)]
        kinds = list(ORPHANS[: rng.choice((6, 13))])
        share = rng.choice((0.0, 0.6))
    elif style == "simple":
        runs = [r for r in runs if r % 9 not in (0, 6)]
        kinds = [k for k in kinds if k not in ORPHANS]
    elif style == "honours":
        kinds = list(range(27, 34))
        share = rng.choice((0.0, 0.2))
    elif style == "three suits":
        runs = [r for r in runs if r % 9 == number or rng.random() < 0.1]
        kinds = [k for k in kinds if k % 9 == number or rng.random() < 0.1] or kinds
    elif style == "green":
        runs, kinds = [19], [19, 20, 21, 23, 25, 32]
    sets = []
    for _ in range(4):
        if runs and rng.random() < share:
            run = rng.choice(runs)
            sets.append([run, run + 1, run + 2])
        else:
            sets.append([rng.choice(kinds)] * 3)
    sets.append([rng.choice(kinds)] * 2)
    flat = list(chain(*sets))
    return None if any(flat.count(kind) > 4 for kind in flat) else sets


def _special(rng: Random) -> list[int]:
    """The kinds of seven pairs or thirteen orphans."""
    if rng.random() < 0.25:
        return [*ORPHANS, rng.choice(ORPHANS)]
    suit = rng.randrange(3)
    kinds = rng.choice((range(34), ORPHANS, range(27, 34), range(9 * suit, 9 * suit + 9)))
    if rng.random() < 0.2:
        kinds = [*range(9 * suit, 9 * suit + 9), *range(27, 34)]
    return sorted(rng.sample(list(kinds), 7) * 2)


def _flags(rng: Random, closed: bool, kongs: int, melds: int) -> int:
    """Circumstances that can be true together."""
    flags = score.DRAW if rng.random() < 0.5 else 0
    if closed and rng.random() < 0.5:
        flags |= score.DOUBLE_RIICHI if rng.random() < 0.2 else score.RIICHI
        if rng.random() < 0.3:
            flags |= score.IPPATSU
    chance = rng.random()
    if chance < 0.08:
        flags |= score.LAST_TILE
    elif chance < 0.2 and flags & score.DRAW and kongs and not flags & score.IPPATSU:
        flags |= score.AFTER_KONG
    elif chance < 0.14 and not flags & score.DRAW:
        flags |= score.ROBBING_KONG
    elif chance > 0.98 and not melds and flags in (0, score.DRAW):
        flags |= score.FIRST_TURN
    return flags


def random_win(rng: Random) -> RandomWin:
    """A random complete hand; whether it has a yaku is left open."""
    groups: list[tuple[int, list[int]]] = []
    style = rng.choice(STYLES)
    if rng.random() < 0.08:
        closed = _special(rng)
    elif style == "gates":
        suit = 9 * rng.randrange(3)
        closed = sorted([suit + k for k in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8)] + [suit + rng.randrange(9)])
    else:
        sets = None
        while sets is None:
            sets = _sets(rng, style)
        closed = list(sets[4])
        openness = rng.choice((0.0, 0.0, 0.3, 0.9))
        kongness = rng.choice((0.1, 0.1, 0.8))
        for group in sets[:4]:
            single = group[0] == group[1] and list(chain(*sets)).count(group[0]) == 3
            if single and rng.random() < kongness:
                kinds = (CLOSED_KONG, OPEN_KONG, ADDED_KONG) if openness else (CLOSED_KONG,)
                groups.append((rng.choice(kinds), [group[0]] * 4))
            elif rng.random() < openness:
                groups.append((PONG if group[0] == group[1] else CHOW, group))
            else:
                closed += group
    left = {kind: rng.sample(range(4 * kind, 4 * kind + 4), 4) for kind in range(34)}
    tiles = [left[kind].pop() for kind in closed]
    melds = [(kind, [left[k].pop() for k in group]) for kind, group in groups]
    rest = rng.sample(list(chain(*left.values())), 10)
    dora, ura = rng.randint(1, 5), rng.randint(1, 5)
    is_closed = all(kind == CLOSED_KONG for kind, _ in melds)
    return RandomWin(
        closed=sorted(tiles),
        win=rng.choice(tiles),
        melds=melds,
        flags=_flags(rng, is_closed, sum(kind >= OPEN_KONG for kind, _ in melds), len(melds)),
        round_wind=rng.randrange(4),
        seat_wind=rng.randrange(4),
        dora_indicators=rest[:dora],
        ura_indicators=rest[5 : 5 + ura],
        honba=rng.choice((0, 0, 1, 3)),
    )


def as_arrays(wins: list[RandomWin]) -> dict[str, np.ndarray]:
    """The arguments of `evaluate_many`."""
    n = len(wins)
    hands = np.zeros((n, 34), np.int8)
    kinds, lowest = np.zeros((n, 4), np.int8), np.zeros((n, 4), np.int8)
    for i, win in enumerate(wins):
        for tile in win.closed:
            hands[i, tile // 4] += 1
        for j, (kind, group) in enumerate(win.melds):
            kinds[i, j], lowest[i, j] = kind, min(group) // 4
    return {
        "hands": hands,
        "wins": np.array([win.win // 4 for win in wins], np.int8),
        "meld_types": kinds,
        "meld_tiles": lowest,
        "flags": np.array([win.flags for win in wins], np.int16),
        "round_winds": np.array([win.round_wind for win in wins], np.int8),
        "seat_winds": np.array([win.seat_wind for win in wins], np.int8),
        "extra": np.array([win.extra for win in wins], np.int16),
    }
