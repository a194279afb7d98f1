"""Probabilities and points: closed forms, exact enumeration of small cases, and games played with the policy found."""

from functools import lru_cache

import numpy as np
import pytest

from suzaku.hand.shanten import shanten_counts
from suzaku.hand.tables import tables
from suzaku.lookahead.draws import expect, expect_row, simulate
from suzaku.lookahead.graph import GRAPH, POINTS, TENPAI, WIN
from suzaku.lookahead.search import draws_left, expect_many, fill_draws_query, fill_red_unseen
from suzaku.riichi import Rules, evaluate, evaluate_many
from suzaku.riichi.evaluate import rules_record
from suzaku.riichi.score import DRAW, RIICHI
from suzaku.riichi.state import TURN
from suzaku.tiles import parse_one
from tests.lookahead.queries import played, query

RULES = rules_record(Rules.tenhou())
OPEN = (("pong", "555z"), ("chow", "123m"), ("chow", "789s"))
GAMES = 20_000


def solve(g):
    assert expect(tables(), RULES, g)
    return g


def probability_of(tiles, pool, draws):
    """The probability to draw one of `tiles` in `draws` draws from `pool`."""
    miss = 1.0
    for i in range(draws):
        miss *= (pool - i - tiles) / (pool - i)
    return 1 - miss


def exact(g, row):
    """Tenpai, win and points by expectimax over every draw, the thrown tiles being truly gone."""
    melds = int(g.melds)

    def shanten(hand):
        return shanten_counts(tables(), np.array(hand, np.int8), melds)

    @lru_cache(None)
    def points(hand, win):
        flags = DRAW | (RIICHI if g.closed else 0)
        value = evaluate_many(
            np.array([hand], np.int8), np.array([win]), g.meld_type, g.meld_tile, flags, g.round_wind, g.seat_wind
        )[0]
        other = 2 if g.seat_wind else 3
        return int(value["tsumo"][0] * (g.seat_wind != 0) + value["tsumo"][1] * other)

    @lru_cache(None)
    def rest(hand, unseen, left):
        now = shanten(hand)
        if left == 0:
            return np.array([now == 0, 0.0, 0.0])
        total = np.zeros(3)
        for kind, n in enumerate(unseen):
            if n == 0:
                continue
            fewer = (*unseen[:kind], n - 1, *unseen[kind + 1 :])
            full = (*hand[:kind], hand[kind] + 1, *hand[kind + 1 :])
            near = shanten(full)
            if near < 0 and points(full, kind) > 0:
                value = np.array([1, 1, points(full, kind)])
            elif near < 0 or near == now:
                value = rest(hand, fewer, left - 1)
            else:
                ways = [(*full[:d], full[d] - 1, *full[d + 1 :]) for d in range(34) if full[d]]
                values = [rest(way, fewer, left - 1) for way in ways if shanten(way) == near]
                value = max(values, key=lambda v: (v[g.objective], v[TENPAI]))
            total += n * value
        return total / sum(unseen)

    hand = [int(n) for n in g.hand]
    hand[row] -= 1
    return rest(tuple(hand), tuple(int(n) for n in g.unseen), int(g.draws))


def test_a_single_wait_has_a_closed_form():
    g = solve(query("1z2z", melds=(*OPEN, ("pong", "444p")), draws=10))
    pool = int(g.unseen.sum())
    for tile in ("1z", "2z"):
        for draws in range(11):
            now = pool - (10 - draws)
            assert g.value[parse_one(tile), WIN, draws] == pytest.approx(probability_of(3, now, draws))
        assert g.value[parse_one(tile), TENPAI, 10] == 1


def test_points_are_the_scores_of_the_wins():
    g = solve(query("123m456p23478s11z5z", draws=1))
    row = parse_one("5z")
    win = evaluate("123m456p23478s11z", "6s", tsumo=True, riichi=True, seat_wind="S")
    assert g.value[row, WIN, 1] == pytest.approx(8 / 122)
    assert g.value[row, POINTS, 1] == pytest.approx(8 / 122 * (win.tsumo[0] + 2 * win.tsumo[1]))


def test_red_fives_and_ura_raise_the_points_by_their_probabilities():
    g = query("123m46p234789s11z5z", draws=1)
    row = parse_one("5z")
    plain = solve(g).value[row, POINTS, 1]
    one, two = (
        evaluate("123m46p234789s11z", tile, tsumo=True, riichi=True, seat_wind="S").tsumo for tile in ("5p", "0p")
    )
    g.red_unseen[:] = 1
    one, two = one[0] + 2 * one[1], two[0] + 2 * two[1]
    assert solve(g).value[row, POINTS, 1] == pytest.approx(plain * (0.75 * one + 0.25 * two) / one)
    g.red_unseen[:] = 0
    g.ura = 1
    assert plain < solve(g).value[row, POINTS, 1] < 1.5 * plain


def test_a_win_needs_a_yaku():
    melds = (("chow", "123m"), ("chow", "789s"), ("pong", "444p"))
    g = solve(query("56p11s9m", melds=melds))
    assert g.value[parse_one("9m"), TENPAI, 6] == 1
    assert g.value[parse_one("9m"), WIN, 6] == 0


SMALL = [
    ("56p11s9m", "4477p1s233m8s", 4),
    ("35p77s9m", "44p77s4566m1s", 4),
    ("25p37s9m", "1346p24568s9m2z", 5),
    ("1159m7p", "1m68m68p5m7p3z4z5z", 5),
    ("147p36s", "23568p1p2457s4z", 5),
]


@pytest.mark.parametrize("objective", [WIN, POINTS])
@pytest.mark.parametrize(("hand", "unseen", "draws"), SMALL)
def test_small_cases_are_exact(hand, unseen, draws, objective):
    g = solve(query(hand, OPEN, unseen, draws, objective))
    rows = np.flatnonzero(~np.isnan(g.value[:34, WIN, draws]))
    assert len(rows) >= 4
    for row in rows:
        assert g.value[row, :, draws] == pytest.approx(exact(g, int(row)), rel=1e-9)


def test_claims_add_discards_at_random():
    g = solve(query("123m456p23478s11z5z", draws=3, claims=1))
    assert g.value[parse_one("5z"), WIN, 3] == pytest.approx(probability_of(8, 122, 12))
    g.discarded = 1 << parse_one("9s")  # furiten: by draw alone
    assert solve(g).value[parse_one("5z"), WIN, 3] == pytest.approx(probability_of(8, 122, 3))


def test_swaps_never_hurt():
    for text in ("1357m4067p2347s11z", "135m46p2344678s11z"):
        plain = solve(query(text.replace("0", "5"), draws=12, deepest=1)).value
        swapped = solve(query(text.replace("0", "5"), draws=12, deepest=1, swaps=1)).value
        rows = ~np.isnan(plain[:, WIN, 12])
        assert rows.any()
        assert (swapped[rows, WIN, 12] >= plain[rows, WIN, 12]).all()


def test_too_large_a_graph_is_refused():
    g = query("13579m2468p24s112z", draws=12, deepest=3, swaps=1)
    assert not expect(tables(), RULES, g)
    assert np.isnan(g.value[parse_one("1z")]).all()


def test_far_hands_have_no_values():
    g = solve(query("147m258p369s12345z"))
    assert np.isnan(g.value).all()


@pytest.fixture(scope="module")
def records():
    """Tables in the middle of a round, where the asked seat is at most 2-shanten and has not declared riichi."""

    def wanted(s):
        p = s.seat
        return (
            s.phase == TURN and not s.riichi[p] and s.left > 12 and s.shanten[p] in (1, 2) and s.river_size[p] % 3 == 2
        )

    return played(60, wanted)


@pytest.mark.parametrize(("swaps", "claims"), [(0, 0), (0, 1), (1, 0)])
def test_played_games_agree(records, swaps, claims):
    g = np.zeros(1, GRAPH)[0]
    out = np.zeros(4)
    scores = []
    for i, s in enumerate(records[: 24 if swaps == 0 else 12]):
        fill_draws_query(s, s.seat, g)
        g.objective, g.swaps, g.claims = POINTS if i % 2 else WIN, swaps, claims
        g.deepest = max(0, shanten_counts(tables(), g.hand, g.melds))
        if swaps and g.deepest == 2:
            continue
        assert expect(tables(), s.rules, g)
        best = int(np.nanargmax(g.value[:, WIN, g.draws]))
        expect_row(tables(), s.rules, g, best)
        tenpai, win, points = g.value[best, :, g.draws]
        simulate(tables(), s.rules, g, GAMES, i, out)
        mean = out / GAMES
        error = np.sqrt(max(win * (1 - win), 1e-4) / GAMES)
        assert mean[1] == pytest.approx(win, abs=4 * error + 0.01 * win)
        assert mean[0] == pytest.approx(tenpai, abs=4 * np.sqrt(max(tenpai * (1 - tenpai), 1e-4) / GAMES) + 0.005)
        assert mean[2] == pytest.approx(points, abs=4 * np.sqrt((mean[3] - mean[2] ** 2) / GAMES) + 0.01 * points)
        scores.append((mean[1] - win) / error)
    assert len(scores) >= 4
    assert abs(np.mean(scores)) < 4 / np.sqrt(len(scores)) + 0.5


def test_many_tables_at_once(records):
    g = np.zeros(1, GRAPH)[0]
    seats = records["seat"].copy()
    out = np.zeros((len(records), 35, 3))
    expect_many(tables(), records, seats, WIN, 0, g, out)
    assert not np.isnan(out).all(axis=(1, 2)).any()
    s = records[0]
    fill_draws_query(s, s.seat, g)
    expect(tables(), s.rules, g)
    assert out[0] == pytest.approx(g.value[:, :, g.draws], nan_ok=True)


def test_draws_left_and_red_fives_of_a_table(records):
    s = records[0]
    p = int(s.seat)
    assert draws_left(s, p) == s.left // 4
    assert draws_left(s, (p + 1) % 4) == (s.left - 1) // 4 + 1
    red = np.zeros(3, np.int8)
    for s in records:
        fill_red_unseen(s, s.seat, red)
        for suit in range(3):
            assert red[suit] == 0 or s.red[s.seat, suit] == 0
