"""Whole games against the plain judge: every question, every legal action, every wall and every payment."""

import numpy as np
import pytest

from suzaku.hand.tables import tables as hand_tables
from suzaku.mcr import ACTION_NAMES, Rules, Table
from suzaku.mcr import state as fl
from suzaku.mcr import state as st
from suzaku.mcr.score import win_fan
from suzaku.mcr.shanten import shanten
from suzaku.mcr.state import MELD_NAMES
from tests.mcr.table_judge import Judge

BITS = {
    "self_drawn": fl.SELF_DRAWN,
    "last_tile": fl.LAST_TILE,
    "fourth_tile": fl.FOURTH_TILE,
    "after_kong": fl.AFTER_KONG,
    "robbing_kong": fl.ROBBING_KONG,
}


def fan_of(hand, tile, sets, flags, seat_wind, round_wind) -> int:
    """The value of a hand; the judge decides everything else by itself."""
    counts = np.bincount(hand, minlength=34).astype(np.uint8)
    types, kinds = np.full(4, -1, np.int8), np.full(4, -1, np.int8)
    for i, one in enumerate(sets):
        types[i], kinds[i] = MELD_NAMES.index(one.name), min(one.tiles)
    bits = sum(BITS[flag] for flag in flags)
    return win_fan(hand_tables(), counts, types, kinds, len(sets), tile, bits, seat_wind, round_wind)


def words(action: int) -> tuple[str, int]:
    """An action as the judge names it."""
    name = ACTION_NAMES[action]
    for what in ("discard", "closed kong", "added kong"):
        if name.startswith(what):
            return what, (action - {"discard": 0, "closed kong": 39, "added kong": 73}[what])
    return name, -1


def choose(table: Table, legal: list[int], rng: np.random.Generator, greed: float) -> int:
    """Win if possible; else often towards a complete hand, so that games end in every way; kongs are loved."""
    kongs = [a for a in legal if 38 <= a < 107]
    if 107 in legal and rng.random() < 0.9:
        return 107
    if kongs and rng.random() < 0.8:
        return int(rng.choice(kongs))
    if rng.random() > greed or legal[0] >= 34:
        return int(rng.choice(legal))
    s = table.record
    best = []
    for a in legal:
        if a < 34:
            s.hand[s.seat, a] -= 1
            best.append((shanten(hand_tables(), s.hand[s.seat], s.melds[s.seat]), rng.random(), a))
            s.hand[s.seat, a] += 1
    return min(best)[2]


def compare_state(s: np.record, judge: Judge) -> None:
    for seat, player in enumerate(judge.players):
        assert np.bincount(player.hand, minlength=34).tolist() == s.hand[seat].tolist()
        melds = [MELD_NAMES[s.meld_type[seat, i]] for i in range(s.melds[seat])]
        assert melds == [one.name for one in player.sets]
        assert [int(s.meld_kind[seat, i]) for i in range(s.melds[seat])] == [min(one.tiles) for one in player.sets]
        assert int(s.flowers[seat]).bit_count() == player.flowers
        left = int(s.own_left[seat]) if judge.duplicate else int(s.left)
        assert left == len(judge.walls[seat])


def play_hand(table: Table, rng: np.random.Generator, greed: float, seen: set[str]) -> None:
    """Play one hand on both, comparing all the way."""
    s = table.record
    size = 136 if not table.rules.flowers else 144
    judge = Judge(
        s.wall[:size].tolist(), table.rules.duplicate, int(s.dealer), int(s.wind), fan_of, table.rules.minimum
    )
    before = table.scores
    while s.phase < st.ROUND_OVER:
        compare_state(s, judge)
        assert table.seat == judge.turn
        legal = table.legal_actions()
        assert {words(a) for a in legal} == judge.own_options()
        action = choose(table, legal, rng, greed)
        what, tile = words(action)
        table.act(action)
        seen.add(what)
        offered = judge.act(what, tile)
        if offered is None:
            continue
        robbing = what == "added kong"
        others = [(judge.turn + i) % 4 for i in (1, 2, 3)]
        options = {seat: judge.claims(seat, offered, robbing) for seat in others}
        answers: dict[int, str] = {}
        while s.phase in (st.CLAIM, st.ROB):
            seat = table.seat
            assert seat not in answers
            legal = table.legal_actions()
            assert {words(a) for a in legal} == options[seat] | {("pass", -1)}
            action = choose(table, legal, rng, greed)
            answers[seat] = ACTION_NAMES[action]
            table.act(action)
        claimed = set(answers.values()) - {"pass"}
        for seat in others:  # who was not asked had nothing to say that mattered
            if options[seat] and seat not in answers:
                assert "win" in claimed or (("win", -1) not in options[seat] and claimed & {"pong", "open kong"})
        seen |= {f"rob {a}" if robbing else a for a in claimed}
        judge.resolve(offered, robbing, answers)
    assert judge.over
    assert [a - b for a, b in zip(table.scores, before, strict=True)] == judge.points
    assert bool(s.wins) == (judge.won is not None)
    if judge.won:
        seat, fan, flags = judge.won
        assert (s.win_seat, s.win_fan + s.win_flowers) == (seat, fan)
        assert s.win_flags == sum(BITS[flag] for flag in flags)
        assert s.win_fan >= table.rules.minimum
        seen |= flags
    else:
        assert s.result == st.DRAWN
        seen.add("draw")


def play_games(rules: Rules, seeds: range, greed: float) -> set[str]:
    """What happened in whole games on which judge and table agree."""
    seen: set[str] = set()
    for seed in seeds:
        rng = np.random.default_rng(seed)
        table = Table(rules, seed=seed)
        while True:
            play_hand(table, rng, greed, seen)
            if table.game_over:
                break
            table.next_round()
    return seen


ALWAYS = {"discard", "pong", "open kong", "chow low", "chow middle", "chow high", "draw"}


@pytest.mark.parametrize(("rules", "games"), [(Rules.botzone(), 20), (Rules.table(), 1)])
def test_games_agree_with_the_judge(rules, games):
    assert play_games(rules, range(games), 0.7) >= ALWAYS


@pytest.mark.parametrize(("rules", "games"), [(Rules.botzone(minimum=0), 60), (Rules.table(minimum=0), 3)])
def test_games_with_many_wins_agree_with_the_judge(rules, games):
    """Without the minimum, hands are won in many ways."""
    assert play_games(rules, range(1000, 1000 + games), 1.0) >= ALWAYS | {
        "win", "self_drawn", "closed kong", "added kong", "fourth_tile"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "seed", "how"),
    [
        ("botzone", 3000, {"last_tile", "self_drawn"}),
        ("botzone", 3074, {"robbing_kong", "rob win"}),
        ("table", 3272, {"after_kong", "self_drawn"}),
        ("table", 3861, {"last_tile"}),
    ],
)
def test_rare_wins_agree_with_the_judge(preset, seed, how):
    assert play_games(Rules.preset(preset, minimum=0, hands=1), range(seed, seed + 1), 1.0) >= how
