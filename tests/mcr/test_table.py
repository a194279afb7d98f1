"""Tables of MCR: golden hands in text, what is conserved, what is refused, and what a seat sees."""

import numpy as np
import pytest

from suzaku.mcr import ACTION_NAMES, Rules, Table, Tables, random_rollouts, resample_hidden
from suzaku.mcr import state as st
from suzaku.mcr.redraw import count_seen
from suzaku.tiles import parse

ROB = {  # thirteen tiles, then what the seat draws
    0: "12345m678p11222z 3s9s",
    1: "33s456m789p456s77z 3s",
    2: "12s123p123m789m99p 6z",
    3: "147m258p69s44z6z5z9m 5z",
}


def deal(starts: dict[int, str], wind: int = 0, rules: Rules | None = None) -> Table:
    """A table whose seats begin with these tiles; the rest of the walls is in order."""
    first = {seat: parse(text.replace(" ", "")) for seat, text in starts.items()}
    rest = np.repeat(np.arange(34), 4).tolist()
    for tiles in first.values():
        for tile in tiles:
            rest.remove(tile)
    wall = []
    for seat in range(4):
        tiles = first.get(seat, [])
        tiles += [rest.pop(0) for _ in range(34 - len(tiles))]
        wall += tiles[::-1]
    return Table.deal([wall], rules, wind=wind)


def play(table: Table, script: str) -> None:
    """Actions by name, one a line; `seat: action`."""
    for line in filter(None, map(str.strip, script.splitlines())):
        seat, _, action = line.partition(": ")
        assert table.seat == int(seat), line
        table.act(action)


def test_a_kong_is_robbed_and_the_konger_pays():
    table = deal(ROB)
    play(
        table,
        """
        0: discard 3s
        2: pass
        1: pong
        1: discard 7z
        2: discard 6z
        3: discard 9m
        0: discard 9s
        1: added kong 3s
        """,
    )
    s = table.record
    assert (table.seat, int(s.phase)) == (2, st.ROB)
    assert [ACTION_NAMES[a] for a in table.legal_actions()] == ["win", "pass"]
    table.act("win")
    # Mixed Triple Chow, Robbing the Kong 8; Outside Hand 4; All Chows, Concealed Hand 2; Terminal Chows, Edge Wait 1
    assert (int(s.win_fan), int(s.win_from)) == (26, 1)
    assert table.scores == [-8, -34, 50, -8]
    assert s.meld_type[1, 0] == 1  # the pong stays one
    assert "Robbing the Kong" in str(table)


def test_a_kong_that_is_not_robbed_is_completed():
    table = deal({**ROB, 2: "45p123p123m789m99p 6z"})
    play(table, "0: discard 3s\n1: pong\n1: discard 7z\n2: discard 6z\n3: discard 9m\n0: discard 9s\n1: added kong 3s")
    s = table.record
    assert (table.seat, int(s.phase), int(s.after_kong)) == (1, st.TURN, 1)
    assert s.meld_type[1, 0] == 4
    assert s.own_left.tolist() == [19, 19, 20, 20]


def test_the_next_seat_wins_alone():
    waits = "12s123p123m789m"
    table = deal({0: "19p19s1234z567z48p 3s", 1: f"{waits}99p", 3: f"{waits}55z"})
    other = table.copy()
    play(table, "0: discard 3s\n1: win")
    assert (table.record.win_seat, table.game_over) == (1, True)
    assert table.scores[3] == -8
    play(other, "0: discard 3s\n1: pass\n3: win")
    assert other.record.win_seat == 3


def test_scores_and_tiles_are_conserved():
    for rules in (Rules.botzone(), Rules.table(hands=1)):
        tables = Tables(16, rules, seed=5, restart=False)
        rng = np.random.default_rng(5)
        while (tables.seat >= 0).any():
            actions = [rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in tables.legal]
            tables.step(np.array(actions))
            r = tables.records
            assert (r["scores"].sum(1) == 0).all()
            melds = np.where(r["meld_type"] < 0, 0, np.where(r["meld_type"] < 2, 3, 4)).sum((1, 2))
            open_ = r["river_size"].sum(1) - r["river_called"].sum((1, 2))
            flowers = np.unpackbits(r["flowers"], axis=1).sum(1)
            held = r["hand"].sum((1, 2)) + melds + open_ + r["left"] + flowers + (r["phase"] == st.ROB)
            assert (held == (144 if rules.flowers else 136)).all()


def test_what_is_hidden_is_redrawn():
    for rules in (Rules.botzone(), Rules.table(hands=1)):
        tables = Tables(32, rules, seed=9)
        tables.play_random(60)
        before = tables.records.copy()
        resample_hidden(tables.records, 2, 7)
        after = tables.records
        for a, b in zip(before, after, strict=True):
            assert (a.hand[2] == b.hand[2]).all()
            assert (a.hand.sum(1) == b.hand.sum(1)).all()
            assert (a.river == b.river).all()
            counts = b.hand.sum(0).astype(int) + np.bincount(b.wall[(b.wall >= 0) & (b.wall < 34)], minlength=34)
            seen = np.zeros(34, np.uint8)
            count_seen(b, 2, seen)
            kongs = [int(k) for p in (0, 1, 3) for t, k in zip(b.meld_type[p], b.meld_kind[p], strict=True) if t == 3]
            assert (counts + seen - b.hand[2] + 4 * np.bincount(kongs, minlength=34) == 4).all()
        assert (before["hand"] != after["hand"]).any()
        assert random_rollouts(tables.records[0], 1, 4).sum() == 0


def test_refusals_say_why():
    table = deal(ROB)
    for action, why in (
        ("win", "the hand is not complete"),
        ("discard 9s", "no 9s in the hand"),
        ("pong", "no tile of another seat is offered"),
        ("closed kong 1m", "the hand does not hold the tiles"),
        ("foul of seat 1", "a fine is not for a player"),
        (-1, "actions are 0 to 112"),
        (113, "actions are 0 to 112"),
    ):
        with pytest.raises(ValueError, match=why):
            table.act(action)
    table.act("discard 3s")
    with pytest.raises(ValueError, match="a tile of another seat is offered"):
        table.act("discard 1m")
    for rules, why in (({"hands": 4}, "1 or 16"), ({"flowers": True}, "private walls have no flowers")):
        with pytest.raises(ValueError, match=why):
            Rules(**rules)
    with pytest.raises(ValueError, match="136 tiles, not 3"):
        Table.deal(["123m"])


def test_a_false_win_costs_ten_to_each():
    table = Table(seed=1)
    table.foul(2)
    assert table.scores == [10, 10, -30, 10]
    assert table.game_over
    assert "fined for a foul" in str(table)


def test_a_match_goes_through_all_winds_and_dealers():
    table = Table(Rules.table(), seed=2)
    seen = []
    while True:
        seen.append((int(table.record.wind), int(table.record.dealer)))
        table.foul(len(seen) % 4)
        if table.game_over:
            break
        table.next_round()
    assert seen == [(wind, dealer) for wind in range(4) for dealer in range(4)]
    assert table.scores == [0, 0, 0, 0]


def test_a_view_hides_and_is_drawn():
    table = Table(seed=3)
    view = table.view(1)
    assert view.record.hand[[0, 2, 3]].sum() == 0
    assert (view.record.wall == -1).all()
    assert "## ##" in str(view)
    assert view._repr_html_().startswith("<svg")
    assert table._repr_html_().count("<g ") > 52
