"""What a seat cannot see: views hide it, and redrawing keeps the rules."""

from collections import Counter

import numpy as np
import pytest

from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import ACTIONS, STATE, Table, resample_hidden
from suzaku.riichi import state as st
from suzaku.riichi.deal import add_tile, refresh
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.redraw import hide, redraw_one
from suzaku.riichi.step import step
from suzaku.riichi.tenpai_hands import WORK
from suzaku.seeds import GOLDEN, mix
from suzaku.tiles import KIND_OF, full_set, parse
from tests.riichi.soak import (
    NOTHING_LEGAL,
    OK,
    POINTS_LOST,
    PROBLEMS,
    WRONG_WAITS,
    check,
    choose,
    new_tables,
    same,
    some,
)


@kernel
def _resample_check(tables, records, seat, x, legal, counts, tables_out, work):
    """Redraw every table for `seat` and check it; the first problem and its index."""
    for i in range(records.shape[0]):
        s = records[i]
        redraw_one(tables, s, seat, work, mix(x + np.uint64(i)))
        fill_legal(tables, s, legal)
        problem = check(tables, s, legal, counts)
        if problem != OK:
            return problem, i
        for p in range(4):
            if s.riichi[p] and s.waits[p] == 0:
                return WRONG_WAITS, i
        # and the round can be played to its end
        tables_out[0] = s
        t = tables_out[0]
        t.auto = 0
        y = x
        while t.phase < st.ROUND_OVER:
            fill_legal(tables, t, legal)
            if legal.sum() == 0:
                return NOTHING_LEGAL, i
            y += GOLDEN
            step(tables, t, choose(legal, mix(y), True))
        if t.scores.sum() + 1000 * t.sticks != 100_000:
            return POINTS_LOST, i
        for w in range(t.wins):
            if t.win_yaku[w] == 0:
                return WRONG_WAITS, i
    return OK, -1


@pytest.mark.parametrize("seat", range(4))
def test_redrawing_keeps_the_rules(scattered: np.ndarray, seat: int) -> None:
    records = scattered.copy()
    legal = np.zeros(ACTIONS, np.bool_)
    args = np.uint64(77), legal, np.zeros(37, np.int64), np.zeros(1, STATE), np.zeros(1, WORK)[0]
    problem, i = _resample_check(hand_tables(), records, seat, *args)
    assert PROBLEMS[problem] == "ok", f"table {i}, phase {records[i].phase}, asked {records[i].seat}"


@pytest.mark.parametrize("seat", range(4))
def test_views_know_nothing_hidden(scattered: np.ndarray, seat: int) -> None:
    """A view before and after redrawing is the same in every field, and so is what its owner may do."""
    before = some(scattered, 24)
    after = before.copy()
    resample_hidden(after, seat, 5)
    changed = 0
    for i in range(len(before)):
        one, two = Table.from_record(before[i]), Table.from_record(after[i])
        changed += one.record.hand.tobytes() != two.record.hand.tobytes()
        assert same(one.view(seat).record, two.view(seat).record)
        assert one.view(seat).legal_actions() == two.view(seat).legal_actions()
    assert changed == len(before)


def test_views_hold_no_tile_of_others(scattered: np.ndarray) -> None:
    """Every tile in a view is the owner's, in a meld or river, or a dora indicator."""
    for record in some(scattered, 24):
        for seat in range(4):
            s = hide(np.array([record], STATE), seat)[0]
            others = [p for p in range(4) if p != seat]
            assert not s.hand[others].any()
            assert not s.red[others].any()
            assert not s.key[others].any()
            assert not s.waits[others].any()
            seen = np.flatnonzero(s.wall >= 0)
            assert set(seen) == set(st.INDICATORS[: s.indicators])
            assert s.drawn == -1 or s.turn == seat
            assert s.seed == 0


HIDDEN = {"hand", "red", "key", "waits", "missed", "past_key"}  # by seat, and only the owner's may be in a view
PARTLY = {"seed", "game", "wall", "shanten", "drawn", "seat", "queue", "can_win", "claim"}  # see `hide`
PUBLIC = (
    "rules deal auto round_no dealer honba sticks scores next left kongs indicators indicator_order due "
    "after_kong melds open_melds meld_type meld_tile meld_called meld_added meld_from meld_red meld_order "
    "added_order river_size river river_flag river_order discards discarded riichi riichi_due ippatsu pao "
    "unbroken phase turn offer forbidden kong_type result deltas wins win_seat win_from win_tile win_yaku "
    "win_han win_fu win_yakuman win_dora win_points tenpai repeats ranks"
)


def test_every_field_is_known_to_be_public_or_hidden(scattered: np.ndarray) -> None:
    """A new field of the record must be put into one of the lists above, and be hidden if others may not see it."""
    assert set(STATE.names) <= HIDDEN | PARTLY | set(PUBLIC.split())
    view = hide(scattered[-1:], 2)[0]
    for name in HIDDEN & set(STATE.names):
        assert not view[name][[0, 1, 3]].any(), name


def test_redrawing_depends_on_the_seed_alone(scattered: np.ndarray) -> None:
    a, b, c = (scattered[::5].copy() for _ in range(3))
    resample_hidden(a, 1, 5)
    resample_hidden(b, 1, 5)
    resample_hidden(c, 1, 6)
    assert same(a, b)
    assert (a["wall"] != c["wall"]).any(axis=1).all()


@pytest.mark.parametrize("seat", range(4))
def test_redrawing_depends_on_nothing_hidden(scattered: np.ndarray, seat: int) -> None:
    """Whatever the others really hold, the same seed draws the same tiles for what the seat can see."""
    one = np.concatenate([some(scattered, 24), scattered[(scattered["riichi"] > 0).sum(1) > 1][:24]])
    two = one.copy()
    resample_hidden(two, seat, 5)
    changed = (one["hand"] != two["hand"]).any(axis=(1, 2))
    assert changed.all()
    resample_hidden(one, seat, 6)
    resample_hidden(two, seat, 6)
    for name in ("hand", "red", "key", "waits", "shanten", "missed", "drawn", "wall", "past_key"):
        assert (one[name] == two[name]).all(), name


def test_the_walls_of_later_rounds_are_redrawn_too() -> None:
    copies = Table(seed=3).record.reshape(1).repeat(50)
    resample_hidden(copies, 0, 1)
    assert len(set(copies["seed"].tolist())) == 50
    assert np.uint64(3) not in copies["seed"]


def late_table() -> np.record:
    """Seat 0 has drawn the last tile, beside four kongs, against riichi with orphans, with pairs and with four melds.

    It has not seen 44 tiles: the three hands and the ura indicators.
    """
    hands = [parse(hand) for hand in ("4s", "19m19p19s1234567z", "114477m225588p3s", "234567m345p678s9s")]
    kongs, ura, drawn = parse("8m67p2s"), parse("12345z"), 21
    rest = Counter(full_set(True).tolist())
    rest.subtract([tile for hand in hands for tile in hand] + 4 * kongs + ura + [drawn])
    left = list(rest.elements())
    np.random.default_rng(1).shuffle(left)
    s = new_tables(1, 0)[0]
    s.hand[:] = s.red[:] = s.key[:] = 0
    s.wall[:] = -1
    s.wall[st.URA_INDICATORS] = ura
    s.wall[st.INDICATORS] = [left.pop() for _ in range(5)]
    s.next, s.left, s.kongs, s.indicators, s.discards, s.drawn, s.unbroken = 13, 0, 4, 5, len(left), drawn, 0
    s.melds[0], s.meld_type[0], s.meld_tile[0] = 4, st.CLOSED_KONG, kongs
    for p in range(4):
        for tile in hands[p]:
            add_tile(s, p, tile)
        refresh(hand_tables(), s, p)
        river = left[p::4]
        s.river_size[p] = len(river)
        s.river[p, : len(river)] = river
        s.river_order[p, : len(river)] = np.arange(p, len(left), 4)
        s.discarded[p] = sum({1 << int(KIND_OF[tile]) for tile in river})
        if p > 0:
            s.riichi[p] = 1
            s.river_flag[p, len(river) - 1] = st.RIVER_RIICHI
    add_tile(s, 0, drawn)
    s.scores[1:] -= 1000
    s.sticks = 3
    return s


def test_riichi_hands_among_few_tiles_are_not_the_true_ones() -> None:
    """The hands are always tenpai, and differ: the true ones are some of many that fit."""
    s = late_table()
    assert check(hand_tables(), s, np.ones(1, np.bool_), np.zeros(37, np.int64)) == OK
    assert (s.waits[1:] != 0).all()
    records = np.repeat(np.array([s], STATE), 20)
    resample_hidden(records, 0, 3)
    assert (records["waits"][:, 1:] != 0).all()
    for p in range(1, 4):
        assert (records["hand"][:, p] == s.hand[p]).all(axis=1).sum() <= 2
    assert len(np.unique(records["hand"][:, 1:].reshape(20, -1), axis=0)) > 15


def test_redrawn_tiles_are_spread_evenly() -> None:
    """At the start of a round every hidden place gets every hidden tile equally often (chi-square, 33 degrees)."""
    table = Table(seed=4).record
    n = 20_000
    records = np.repeat(np.array([table], STATE), n)
    resample_hidden(records, 0, 8)
    hidden = 4 - table.hand[0].astype(int)
    hidden[KIND_OF[table.wall[5]]] -= 1
    for counts in (records["hand"][:, 2].sum(0), np.bincount(KIND_OF[records["wall"][:, 4]], minlength=34)):
        expected = hidden / hidden.sum() * counts.sum()
        assert counts[expected == 0].sum() == 0
        there = expected > 0
        chi = ((counts - expected)[there] ** 2 / expected[there]).sum()
        assert chi < 70  # one in 5,000 by chance, and the seed is fixed


def test_a_view_is_redrawn_like_the_table_itself(scattered: np.ndarray) -> None:
    """All that a seat does not see may be missing, as in a bot's table: what it is asked about can be rolled out."""
    asked = [record for record in some(scattered, 60) if record.phase < st.ROUND_OVER]
    assert {int(record.phase) for record in asked} >= {st.TURN, st.CLAIM}
    for record in asked:
        whole = np.array([record], STATE)
        view = hide(whole, int(record.seat))
        whole["game"] = 0
        resample_hidden(whole, int(record.seat), 9)
        resample_hidden(view, int(record.seat), 9)
        if record.phase < st.CLAIM:
            whole["claim"] = view["claim"]  # answers to the last discard
        assert same(whole[0], view[0])


def test_a_table_whose_tiles_do_not_add_up_is_refused() -> None:
    table = Table(seed=3).record.reshape(1).copy()
    table["next"] -= 1
    with pytest.raises(ValueError, match="do not add up"):
        resample_hidden(table, 0, 1)
