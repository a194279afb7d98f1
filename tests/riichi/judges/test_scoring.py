"""Random wins against two independent judges: the same han, fu and payments."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from suzaku.riichi import evaluate, score
from suzaku.riichi.evaluate import evaluate_many
from suzaku.riichi.rules import Rules
from suzaku.riichi.state import ADDED_KONG, CHOW, CLOSED_KONG, MELD_NAMES, OPEN_KONG, PONG
from suzaku.riichi.yaku import names
from suzaku.tiles import WINDS, from_tenhou, to_text
from tests.riichi.judges.random_wins import RandomWin, as_arrays, random_win

HANDS = 24_000
SLOW = 50  # `mahjong` needs some 50 ms for a hand of one suit: it sees one in so many of these


@pytest.fixture(scope="module")
def wins() -> list[RandomWin]:
    rng = Random(2024)
    return [random_win(rng) for _ in range(HANDS)]


@pytest.fixture(scope="module")
def values(wins):
    return evaluate_many(**as_arrays(wins))


def _text(tiles):
    return to_text([from_tenhou(tile) for tile in tiles])


def _show(win: RandomWin, value) -> str:
    melds = " ".join(f"{MELD_NAMES[kind]}:{_text(group)}" for kind, group in win.melds)
    return (
        f"{_text(win.closed)} {melds} win {_text([win.win])} flags {win.flags} "
        f"round {WINDS[win.round_wind]} seat {WINDS[win.seat_wind]}: ours {names(value['yaku'])} {value}"
    )


def _paid(value, honba):
    """Ours as the judges say it: the discarder's payment, or the dealer's and the others'."""
    if value["yaku"] == 0:
        return None
    if value["ron"]:
        return (int(value["ron"]) + 300 * honba,)
    return tuple(int(pay) + 100 * honba for pay in value["tsumo"])


def _agrees(value, honba, paid, han, fu, is_yakuman) -> bool:
    ours = _paid(value, honba)
    if paid != ours or ours is None:
        return paid == ours
    if value["yakuman"] == 1 and not is_yakuman:
        # The hand can be read as a yakuman, or as 13 and more ordinary han. The judges may list the latter; by the
        # rules a yakuman goes before counted han. The payments are the same, as was checked.
        return han >= 13
    return han == value["han"] and (value["yakuman"] > 0 or fu == value["fu"])


def test_the_hands_hold_every_yaku(values) -> None:
    seen = {name for mask in set(values["yaku"].tolist()) for name in names(mask)}
    assert len(seen) == 51  # all but renhou
    assert (values["yaku"] == 0).any()


def test_text_form_equals_batch(wins, values) -> None:
    for win, value in zip(wins[:2000], values, strict=False):
        rest = list(win.closed)
        rest.remove(win.win)
        found = evaluate(
            _text(rest),
            _text([win.win]),
            [(MELD_NAMES[kind], _text(group)) for kind, group in win.melds],
            tsumo=bool(win.flags & score.DRAW),
            riichi=bool(win.flags & score.RIICHI),
            double_riichi=bool(win.flags & score.DOUBLE_RIICHI),
            ippatsu=bool(win.flags & score.IPPATSU),
            last_tile=bool(win.flags & score.LAST_TILE),
            after_kong=bool(win.flags & score.AFTER_KONG),
            robbing_kong=bool(win.flags & score.ROBBING_KONG),
            first_turn=bool(win.flags & score.FIRST_TURN),
            round_wind=WINDS[win.round_wind],
            seat_wind=WINDS[win.seat_wind],
            dora_indicators=_text(win.dora_indicators),
            ura_indicators=_text(win.ura_indicators),
            honba=win.honba,
        )
        if value["yaku"] == 0:
            assert found is None
            continue
        paid = (found.ron,) if found.tsumo is None else found.tsumo
        assert [name for name, _ in found.yaku] == names(value["yaku"])
        assert (found.han, found.fu, found.yakuman) == (value["han"], value["fu"], value["yakuman"]), _show(win, value)
        assert sum(han for _, han in found.yaku) + found.dora + found.ura + found.red == found.han
        assert paid == _paid(value, win.honba)


UNCOMPILED = """
from random import Random
import numpy as np
from suzaku.hand.tables import tables
from suzaku.riichi.evaluate import rules_record
from suzaku.riichi.rules import Rules
from suzaku.riichi.score import win_value
from tests.riichi.judges.random_wins import as_arrays, random_win
rng = Random(2024)
given = as_arrays([random_win(rng) for _ in range(300)])
for i, hand in enumerate(given["hands"]):
    key = np.array([sum(int(n) * 5**k for k, n in enumerate(suit)) for suit in np.split(hand, [9, 18, 27])], np.int32)
    melds = np.count_nonzero(given["meld_types"][i])
    names = "meld_types", "meld_tiles", "wins", "flags", "round_winds", "seat_winds", "extra"
    rest = [given[name][i] for name in names]
    print(*win_value(tables(), rules_record(Rules.tenhou()), hand, key, melds, *rest))
"""


def test_uncompiled_is_the_same(values) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", UNCOMPILED],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    for line, value in zip(run.stdout.splitlines(), values[:300], strict=True):
        mask, han, fu, yakuman = map(int, line.split())
        assert (mask, han + 13 * yakuman, fu) == (value["yaku"], value["han"], value["fu"])


def test_mahjong_agrees(wins, values) -> None:
    pytest.importorskip("mahjong", reason="the judge 'mahjong' is not installed (extra 'dev')")
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.meld import Meld

    kinds = {CHOW: Meld.CHI, PONG: Meld.PON, OPEN_KONG: Meld.KAN, CLOSED_KONG: Meld.KAN, ADDED_KONG: Meld.SHOUMINKAN}
    calculator = HandCalculator()
    options = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)
    wrong = []
    seen = 0
    for i, (win, value) in enumerate(zip(wins, values, strict=True)):
        if win.longest_suit > 11 and i % SLOW:
            continue
        seen += 1
        flags, dealer = win.flags, win.seat_wind == 0
        draw, riichi = bool(flags & score.DRAW), bool(flags & (score.RIICHI | score.DOUBLE_RIICHI))
        config = HandConfig(
            is_tsumo=draw,
            is_riichi=riichi,
            is_daburu_riichi=bool(flags & score.DOUBLE_RIICHI),
            is_ippatsu=bool(flags & score.IPPATSU),
            is_rinshan=bool(flags & score.AFTER_KONG),
            is_chankan=bool(flags & score.ROBBING_KONG),
            is_haitei=bool(flags & score.LAST_TILE) and draw,
            is_houtei=bool(flags & score.LAST_TILE) and not draw,
            is_tenhou=bool(flags & score.FIRST_TURN) and draw and dealer,
            is_chiihou=bool(flags & score.FIRST_TURN) and draw and not dealer,
            player_wind=27 + win.seat_wind,
            round_wind=27 + win.round_wind,
            tsumi_number=win.honba,
            options=options,
        )
        melds = [Meld(kinds[kind], group, opened=kind != CLOSED_KONG) for kind, group in win.melds]
        indicators = win.dora_indicators + (win.ura_indicators if riichi else [])
        result = calculator.estimate_hand_value(sorted(win.tiles), win.win, melds, indicators, config)
        if result.error:
            paid = None
        else:
            cost = result.cost
            paid = tuple(cost[who] + cost[who + "_bonus"] for who in (("main", "additional") if draw else ("main",)))
        is_yakuman = any(yaku.is_yakuman for yaku in result.yaku or ())
        if not _agrees(value, win.honba, paid, result.han, result.fu, is_yakuman):
            wrong.append(f"{_show(win, value)} theirs {result.yaku} {result.han} {result.fu} {paid} {result.error}")
    assert seen >= 20_000
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:20])


def test_riichienv_agrees(wins) -> None:
    riichienv = pytest.importorskip("riichienv", reason="the judge 'riichienv' is not installed (extra 'dev')")
    from riichienv import _riichienv as core

    values = evaluate_many(**as_arrays(wins), rules=Rules.tenhou(double_yakuman=True))  # its evaluator always doubles
    kinds = {
        CHOW: riichienv.MeldType.Chi,
        PONG: riichienv.MeldType.Pon,
        OPEN_KONG: riichienv.MeldType.Daiminkan,
        CLOSED_KONG: riichienv.MeldType.Ankan,
        ADDED_KONG: riichienv.MeldType.Kakan,
    }
    seats = (core.Wind.East, core.Wind.South, core.Wind.West, core.Wind.North)
    wrong = []
    for win, value in zip(wins, values, strict=True):
        flags = win.flags
        draw = bool(flags & score.DRAW)
        conditions = core.Conditions(
            tsumo=draw,
            riichi=bool(flags & (score.RIICHI | score.DOUBLE_RIICHI)),
            double_riichi=bool(flags & score.DOUBLE_RIICHI),
            ippatsu=bool(flags & score.IPPATSU),
            rinshan=bool(flags & score.AFTER_KONG),
            chankan=bool(flags & score.ROBBING_KONG),
            haitei=bool(flags & score.LAST_TILE) and draw,
            houtei=bool(flags & score.LAST_TILE) and not draw,
            tsumo_first_turn=bool(flags & score.FIRST_TURN) and draw,
            player_wind=seats[win.seat_wind],
            round_wind=seats[win.round_wind],
            honba=win.honba,
        )
        melds = [riichienv.Meld(kinds[kind], sorted(group), kind != CLOSED_KONG) for kind, group in win.melds]
        # It counts whatever ura indicators it is given, and its Python front adds the winning tile once more beside two
        # kongs (it tells 13 tiles from 14 by the total modulo 3), so the evaluator behind that front is asked.
        ura = win.ura_indicators if flags & (score.RIICHI | score.DOUBLE_RIICHI) else []
        judge = riichienv.HandEvaluator(list(win.closed), melds).calc_rust
        result = judge.calc(win.win, win.dora_indicators, ura, conditions)
        if not result.is_win:
            paid = None
        elif draw:
            other = result.tsumo_agari_ko
            paid = (other if win.seat_wind == 0 else result.tsumo_agari_oya, other)
        else:
            paid = (result.ron_agari,)
        if not _agrees(value, win.honba, paid, result.han, result.fu, result.yakuman):
            theirs = [yaku.name_en for yaku in result.yaku_list()]
            wrong.append(f"{_show(win, value)} theirs {theirs} {result.han} {result.fu} {paid}")
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:20])
