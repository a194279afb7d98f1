"""Shanten and the value of wins: hands a second on one core, beside other libraries in the same run.

    python benchmarks/scoring.py

CPU time, best of three. The same random hands go to everyone, in the form each takes (its own melds and conditions
are made beforehand). `mahjong` is spared the hands of one suit, which take it a hundred times as long.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from suzaku.hand.shanten import shanten_many
from suzaku.hand.tables import tables
from suzaku.riichi import evaluate_many, score
from suzaku.riichi.state import ADDED_KONG, CHOW, CLOSED_KONG, OPEN_KONG, PONG
from tests.hand.random_hands import scattered
from tests.riichi.judges.random_wins import RandomWin, as_arrays, random_win

HANDS = 20_000
SLOW_HANDS = 300  # for what needs a millisecond a hand
Runs = dict[str, float]


def rate(work: Callable[[], object], hands: int) -> float:
    """Hands a second of CPU time, best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return hands / best


def bench_shanten() -> Runs:
    """Shanten of 14 random tiles."""
    rng = Random(1)
    hands = np.array([scattered(rng, 14) for _ in range(HANDS)])
    melds, out = np.zeros(HANDS, np.int8), np.empty(HANDS, np.int8)
    big = np.tile(hands, (10, 1)), np.tile(melds, 10), np.tile(out, 10)
    shanten_many(tables(), hands, melds, out)
    runs = {"suzaku": rate(lambda: shanten_many(tables(), *big), 10 * HANDS)}
    lists = hands.tolist()
    ids = [[4 * kind + i for kind in range(34) for i in range(hand[kind])] for hand in lists]
    try:
        from riichienv import calculate_shanten

        assert [calculate_shanten(hand) for hand in ids[:1000]] == out[:1000].tolist()
        runs["riichienv"] = rate(lambda: [calculate_shanten(hand) for hand in ids], HANDS)
    except ImportError:
        pass
    try:
        from xiangting import PlayerCount, calculate_replacement_number

        four = PlayerCount.FOUR
        assert [calculate_replacement_number(hand, four) - 1 for hand in lists[:1000]] == out[:1000].tolist()
        runs["xiangting"] = rate(lambda: [calculate_replacement_number(hand, four) for hand in lists], HANDS)
    except ImportError:
        pass
    try:
        from mahjong.shanten import Shanten

        judge = Shanten()
        runs["mahjong"] = rate(lambda: [judge.calculate_shanten(hand) for hand in lists[:SLOW_HANDS]], SLOW_HANDS)
    except ImportError:
        pass
    return runs


def for_riichienv(win: RandomWin) -> tuple:
    """What its evaluator and its calculation take."""
    from riichienv import _riichienv as core

    kind_of = {CHOW: "Chi", PONG: "Pon", OPEN_KONG: "Daiminkan", CLOSED_KONG: "Ankan", ADDED_KONG: "Kakan"}
    winds = (core.Wind.East, core.Wind.South, core.Wind.West, core.Wind.North)
    melds = [core.Meld(getattr(core.MeldType, kind_of[kind]), group, kind != CLOSED_KONG) for kind, group in win.melds]
    conditions = core.Conditions(
        tsumo=bool(win.flags & score.DRAW),
        riichi=bool(win.flags & score.RIICHI),
        player_wind=winds[win.seat_wind],
        round_wind=winds[win.round_wind],
    )
    return win.closed, melds, win.win, win.dora_indicators, conditions


def for_mahjong(win: RandomWin) -> tuple:
    """What its calculation takes."""
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.meld import Meld

    kind_of = {CHOW: Meld.CHI, PONG: Meld.PON, OPEN_KONG: Meld.KAN, CLOSED_KONG: Meld.KAN, ADDED_KONG: Meld.SHOUMINKAN}
    config = HandConfig(
        is_tsumo=bool(win.flags & score.DRAW),
        is_riichi=bool(win.flags & score.RIICHI),
        player_wind=27 + win.seat_wind,
        round_wind=27 + win.round_wind,
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True),
    )
    melds = [Meld(kind_of[kind], group, kind != CLOSED_KONG) for kind, group in win.melds]
    return win.tiles, win.win, melds, win.dora_indicators, config


def bench_evaluate() -> Runs:
    """Han, fu and payments of random wins of all hand types."""
    rng = Random(2)
    wins = [random_win(rng) for _ in range(HANDS)]
    arrays = {name: np.concatenate([values] * 10) for name, values in as_arrays(wins).items()}
    evaluate_many(**arrays)
    runs = {"suzaku": rate(lambda: evaluate_many(**arrays), 10 * HANDS)}
    try:
        from riichienv._riichienv import HandEvaluator

        given = [for_riichienv(win) for win in wins]
        runs["riichienv"] = rate(
            lambda: [HandEvaluator(hand, melds).calc(win, dora, [], how) for hand, melds, win, dora, how in given],
            HANDS,
        )
    except ImportError:
        pass
    try:
        from mahjong.hand_calculating.hand import HandCalculator

        judge = HandCalculator()
        slow = [for_mahjong(win) for win in wins if win.longest_suit < 12][:SLOW_HANDS]
        runs["mahjong"] = rate(lambda: [judge.estimate_hand_value(*hand) for hand in slow], len(slow))
    except ImportError:
        pass
    return runs


def main() -> None:
    """Measure and print."""
    table = Table("what", "library", "hands/s", "ns a hand", "suzaku is faster by", title="one core, CPU time")
    for what, runs in (("shanten", bench_shanten()), ("evaluate", bench_evaluate())):
        for library, speed in runs.items():
            ratio = "" if library == "suzaku" else f"{runs['suzaku'] / speed:,.1f}x"
            table.add_row(what, library, f"{speed:,.0f}", f"{1e9 / speed:,.0f}", ratio)
    Console().print(table)


if __name__ == "__main__":
    main()
