"""The figures of a match, as in the papers' tables."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from suzaku.arena.play import Played
from suzaku.arena.statistics import (
    Comparison,
    compare,
    count_places,
    mean_interval,
    mean_ranks,
    record_rank,
    resample_stable,
    stable_rank,
)
from suzaku.arena.table_worker import Clock


@dataclass
class Entrant:
    """The figures of one entrant."""

    name: str
    games: int  # seats of games, as three of them may sit at one table
    average_rank: float
    half: float  # half of its 95 % interval
    places: list[int]  # how often first ... fourth
    stable_rank: float
    stable_quartiles: tuple[float, float, float]  # of the resampled stable rank
    record_rank: str
    rates: dict[str, float]  # as `suzaku data stats` has them
    points_a_round: float
    points_a_game: float  # final points, with what the rules give for a place
    points_half: float  # half of its 95 % interval
    rank_points: float  # mean of 4, 3, 2, 1 for the order of all points of a deal; NaN unless four play on it
    milliseconds: float  # a decision
    faults: dict[str, int]  # answers that had to be replaced
    samples: np.ndarray  # the resampled stable ranks

    def place_rates(self) -> list[float]:
        """The rates of first to fourth, in per cent."""
        return [100 * n / max(sum(self.places), 1) for n in self.places]


@dataclass
class Summary:
    """The figures of a match."""

    game: str
    rules: str
    mode: str
    length: str
    seed: int
    deals: int
    games: int
    complete: bool
    entrants: list[Entrant]
    comparisons: list[Comparison]
    point_comparisons: list[Comparison]  # the same by final points a game

    @property
    def note(self) -> str:
        """Why there is no interval, or nothing if there is one."""
        if self.deals > 1:
            return ""
        games = self.games // (len(self.entrants) - 1 if self.mode.startswith("1v") else 1)
        return f"One deal gives no interval: play two deals or more, --games {2 * games} or above."

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data. Infinite, missing and not-a-number figures become null."""
        found = {**asdict(self), "note": self.note or None}
        for entrant in found["entrants"]:
            del entrant["samples"]
        return _plain(found)


def summarise(played: Played, sample_games: int | None = None, times: int = 1000) -> Summary:
    """Work out the figures from the deals that were wholly played."""
    match, rows = played.match, played.rows
    if not len(rows):
        raise ValueError("no deal has been wholly played yet")
    game = match.descriptor
    places = count_places(match, rows)
    seats = match.seats(rows["number"].ravel()).reshape(*rows.shape, game.seats)
    counts_of = game.hands.names or ()
    points = game.final_points(match.rules, rows["scores"], rows["ranks"])
    by_deal = _points_by_deal(points, seats, len(match.agents))
    ranked = _rank_points(by_deal) if len(match.agents) == game.seats and not match.one_against_rest else None
    entrants = []
    for i, (name, agent) in enumerate(zip(match.names, match.agents, strict=True)):
        hands = np.zeros(1, [(field, "i8", game.hands[field].shape) for field in counts_of])
        own = rows["hands"][seats == i]
        for field in counts_of:
            hands[field] = own[field].sum(0, dtype=np.int64)
        gained = int((rows["scores"][seats == i] - match.rules.start_score).sum(dtype=np.int64))
        counts = places[:, i].sum(0)
        mean, half = mean_interval(mean_ranks(places[:, i]))
        samples = resample_stable(places[:, i], sample_games, times)
        clock = played.clocks.get(agent, Clock())
        entrants.append(
            Entrant(
                name=name,
                games=int(counts.sum()),
                average_rank=mean,
                half=half,
                places=counts.tolist(),
                stable_rank=float(stable_rank(counts)),
                stable_quartiles=tuple(np.quantile(samples, [0.25, 0.5, 0.75], method="nearest").tolist()),
                record_rank=record_rank(counts, match.length == "hanchan") if game.ladder else "",
                rates={rate: float(value) for rate, value, _ in game.rates(hands.view(np.recarray)[0])},
                points_a_round=gained / max(int(hands["hands"][0]), 1),
                points_a_game=float(points[seats == i].mean()),
                points_half=mean_interval(by_deal[:, i])[1],
                rank_points=float(ranked[:, i].mean()) if ranked is not None else float("nan"),
                milliseconds=1000 * clock.seconds / max(clock.asked, 1),
                faults=clock.faults,
                samples=samples,
            )
        )
    return Summary(
        match.game,
        match.rules_text,
        match.mode,
        match.length,
        match.seed,
        len(rows),
        rows.size,
        played.complete,
        entrants,
        _compare_all(played, mean_ranks(places), (game.seats + 1) / 2),
        _compare_all(played, by_deal, float(points.mean())),
    )


def _points_by_deal(points: np.ndarray, seats: np.ndarray, entrants: int) -> np.ndarray:
    """float[deals, entrants]: the mean final points of each entrant on each deal."""
    return np.stack(
        [np.where(seats == i, points, 0).sum((1, 2)) / (seats == i).sum((1, 2)) for i in range(entrants)], axis=1
    )


def _rank_points(by_deal: np.ndarray) -> np.ndarray:
    """4, 3, 2 and 1 for the order of the points on each deal. Equals share theirs."""
    worse = (by_deal[:, :, None] > by_deal[:, None, :]).sum(2)
    equal = (by_deal[:, :, None] == by_deal[:, None, :]).sum(2)
    return 1 + worse + (equal - 1) / 2


def _compare_all(played: Played, means: np.ndarray, even: float) -> list[Comparison]:
    """Every two entrants on the same deals.

    In 1v3, a challenger is compared with what the last agent gets in its place: four of a kind on one deal play the
    same game four times and come to the `even` share exactly.
    """
    match = played.match
    values = means.copy()
    a_deal = match.turns // match.pairings  # counted as `games` are when a match is asked for
    if match.one_against_rest:
        values[:, -1] = even
    n = len(match.agents)
    return [
        compare(match.names[i], match.names[j], values[:, i] - values[:, j], a_deal)
        for i in range(n)
        for j in range(i + 1, n)
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
