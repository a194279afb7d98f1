"""Drawing a table: as text, as SVG and in a terminal, for all eyes or for one seat's."""

import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from rich.console import Console

from suzaku.riichi import state as st
from suzaku.riichi import yaku
from suzaku.riichi.picture import meld_of, picture, settlement
from suzaku.riichi.render import RoundEnd, draw_svg, draw_text, settlement_text
from suzaku.riichi.rules import Rules
from suzaku.riichi.state import STATE
from suzaku.table.picture import HIDDEN, meld_text
from suzaku.table.svg import RED_INK
from suzaku.table.terminal import Board, ranking, summary
from suzaku.tiles import KIND_OF, RED, full_set, parse

NAMES = ("player 1", "player 2", "player 3", "player 4")


def set_hand(s: np.record, seat: int, text: str) -> None:
    s.hand[seat] = 0
    s.red[seat] = 0
    for tile in parse(text):
        s.hand[seat, KIND_OF[tile]] += 1
        if tile >= RED:
            s.red[seat, tile - RED] += 1


def set_meld(s: np.record, seat: int, kind: int, first: str, called: str = "", source: int = 0, red: int = 0) -> None:
    i = int(s.melds[seat])
    s.meld_type[seat, i] = kind
    s.meld_tile[seat, i] = parse(first)[0]
    s.meld_called[seat, i] = parse(called)[0] if called else -1
    s.meld_from[seat, i] = source
    s.meld_red[seat, i] = red
    s.melds[seat] += 1
    s.open_melds[seat] += kind != st.CLOSED_KONG


def discard(s: np.record, seat: int, text: str, flag: int = 0) -> None:
    i = int(s.river_size[seat])
    s.river[seat, i] = parse(text)[0]
    s.river_flag[seat, i] = flag
    s.river_order[seat, i] = s.discards
    s.river_size[seat] += 1
    s.discards += 1


@pytest.fixture
def s() -> np.record:
    """South 2 with one honba; seat 1 deals; seat 3 has called, seat 0 is in riichi, seat 2 is to move."""
    array = np.zeros(1, STATE)
    array["rules"] = Rules.tenhou().to_record()
    s = array[0]
    s.wall[:] = full_set()
    s.wall[st.INDICATORS] = parse("4p1z2z3z4z")
    s.wall[st.URA_INDICATORS] = parse("9m9p9s1m1p")
    s.indicators, s.left = 1, 42
    s.round_no, s.dealer, s.honba, s.sticks = 5, 1, 1, 1
    s.scores[:] = 24000, 31000, 20000, 24000
    s.meld_called[:] = s.meld_added[:] = -1
    set_hand(s, 0, "123456m123p1155s")
    set_hand(s, 1, "19m19p19s1234567z")
    set_hand(s, 2, "340m406p340s55z77z")
    set_hand(s, 3, "11m99p22s4z")
    set_meld(s, 3, st.PONG, "7z", "7z", source=1)
    set_meld(s, 3, st.CHOW, "4s", "6s", source=2, red=1)
    discard(s, 1, "7z", st.RIVER_CALLED)
    discard(s, 2, "6s", st.RIVER_CALLED)
    discard(s, 0, "9s", st.RIVER_RIICHI)
    discard(s, 1, "8s", st.RIVER_DRAWN)
    s.riichi[0] = 1
    s.riichi_due = -1
    s.phase, s.seat, s.turn, s.drawn = st.TURN, 2, 2, parse("7z")[0]
    return s


ALL = """\
South 2   honba 1   riichi sticks 1   tiles left 42
dora indicators 4p

N seat 0   24000   riichi
  1m 2m 3m 4m 5m 6m 1p 2p 3p 1s 1s 5s 5s
  : 9s!
E seat 1   31000   dealer
  1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z
  : 7z^8s'
S seat 2   20000   asked
  3m 4m 0m 4p 0p 6p 3s 4s 0s 5z 5z 7z  + 7z
  : 6s^
W seat 3   24000
  1m 1m 9p 9p 2s 2s 4z
  melds 7z(7z)7z<E  (6s)4s0s<S

South to move
"""


def test_text_shows_everything(s):
    assert draw_text(s) == ALL


def test_text_for_one_seat_hides_the_other_hands(s):
    text = draw_text(s, seat=3)
    assert "  ## ## ## ## ## ## ## ## ## ## ## ## ##  + ##\n" in text
    assert "  1m 1m 9p 9p 2s 2s 4z\n" in text
    assert text.count("##") == 13 + 13 + 14
    assert draw_text(s, reveal=False).count("##") == 13 + 13 + 14 + 7


@pytest.mark.parametrize("draw", [draw_text, draw_svg])
def test_what_a_seat_sees_does_not_depend_on_hidden_tiles(s, draw):
    before = draw(s, seat=1)
    set_hand(s, 0, "999m999p999s1111z")
    set_hand(s, 2, "222m222p222s2222z3z")
    s.drawn = parse("3z")[0]
    s.wall[st.URA_INDICATORS] = 0
    s.wall[14:] = 0
    assert draw(s, seat=1) == before


def test_who_is_asked_about_a_discard_is_hidden_from_the_others(s):
    s.phase, s.seat, s.drawn, s.turn = st.CLAIM, 0, -1, 1
    assert picture(s).asked == "North may claim the discard"
    assert picture(s, seat=0).seats[0].asked
    assert picture(s, seat=2).asked == "waiting for claims"
    assert not any(side.asked for side in picture(s, seat=2).seats)


@pytest.mark.parametrize(
    ("kind", "first", "called", "source", "red", "added", "text"),
    [
        (st.CHOW, "3m", "4m", 3, 1, "", "(4m)3m0m<S"),
        (st.CHOW, "3m", "0m", 3, 1, "", "(0m)3m4m<S"),
        (st.PONG, "7z", "7z", 3, 0, "", "(7z)7z7z<S"),
        (st.PONG, "7z", "7z", 2, 0, "", "7z(7z)7z<E"),
        (st.PONG, "5p", "5p", 1, 1, "", "0p5p(5p)<N"),
        (st.OPEN_KONG, "1s", "1s", 2, 0, "", "1s(1s)1s1s<E"),
        (st.ADDED_KONG, "5s", "5s", 1, 1, "0s", "5s5s(5s+0s)<N"),
        (st.CLOSED_KONG, "5s", "", 0, 1, "", "[0s5s5s5s]"),
    ],
)
def test_melds_show_what_was_called_from_whom(s, kind, first, called, source, red, added, text):
    s.dealer = 2  # so seat 0 is west
    set_meld(s, 0, kind, first, called, source, red)
    s.meld_added[0, 0] = parse(added)[0] if added else -1
    assert meld_text(meld_of(s, 0, 0)) == text


def test_svg_is_well_formed_and_hides_tiles(s):
    everything = draw_svg(s)
    ET.fromstring(everything)
    assert RED_INK in everything
    back = "#c7722b"  # only the indicators that are not shown yet
    assert everything.count(back) == 4
    assert draw_svg(s, seat=3).count(back) == 4 + 13 + 13 + 14


def paint(thing: object, width: int, height: int, **options: object) -> str:
    console = Console(file=io.StringIO(), width=width, height=height, **options)  # type: ignore[arg-type]
    console.print(thing)
    return console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 40), (120, 26), (200, 60)])
def test_the_board_fits_the_terminal(s, width, height):
    for seat in range(4):
        for _ in range(20):
            discard(s, seat, "1m")
    lines = paint(Board(picture, s, names=NAMES), width, height).splitlines()
    assert len(lines) < height
    text = "\n".join(lines)
    assert "South 2" in text
    for name in NAMES:
        assert name in text
    assert "…" not in text


def test_a_narrow_terminal_still_shows_every_hand(s):
    text = paint(Board(picture, s, names=NAMES), 48, 60)
    assert all(name in text for name in NAMES)


def test_a_terminal_without_colour_or_unicode_gets_plain_letters(s):
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    console = Console(file=file, width=80, height=24, no_color=True)
    console.print(Board(picture, s, names=NAMES))
    end_of(s)
    console.print(RoundEnd(settlement(s), NAMES))  # an encoding error would be raised here
    file.flush()
    text = file.buffer.getvalue().decode("ascii")
    assert "0p" in text
    assert "9s!" in text


def end_of(s: np.record) -> None:
    """Seat 0 wins on a discard of seat 2."""
    s.phase, s.seat, s.turn, s.drawn = st.ROUND_OVER, -1, 2, -1
    s.result, s.wins, s.win_from, s.win_tile = st.WIN_BY_DISCARD, 1, 2, parse("5s")[0]
    s.win_seat[0] = 0
    s.win_yaku[0] = 1 << yaku.RIICHI | 1 << yaku.IPPATSU
    s.win_han[0], s.win_fu[0], s.win_points[0] = 3, 40, 5200
    s.win_dora[0] = 0, 1, 0
    s.deltas[:] = 6500, 0, -5500, 0
    s.scores[:] += s.deltas


WIN = """\
South 2, 1 honba: win on discard
North wins on the tile of South
North: 123456m123p1155s + 5s
  riichi           1 han
  ippatsu          1 han
  ura dora         1 han
  3 han 40 fu: 5200 points
  ura indicators 9m
North  seat 0   +6500 ->   30500  (place 2)
East   seat 1      +0 ->   31000  (place 1)
South  seat 2   -5500 ->   14500  (place 4)
West   seat 3      +0 ->   24000  (place 3)"""


def test_a_win_is_settled_in_text_and_in_the_terminal(s):
    end_of(s)
    assert settlement_text(settlement(s)) == WIN
    assert draw_text(s).endswith(WIN + "\n")
    painted = paint(RoundEnd(settlement(s), NAMES), 80, 24)
    for word in ("riichi", "ippatsu", "ura dora", "5,200 points", "+6,500", "14,500"):
        assert word in painted


def test_the_winner_is_shown_to_all(s):
    end_of(s)
    assert HIDDEN not in picture(s, seat=1).seats[0].hand
    assert HIDDEN in picture(s, seat=1).seats[3].hand


@pytest.mark.parametrize(
    ("han", "fu", "yakuman", "worth"),
    [
        (4, 30, 0, "4 han 30 fu"),
        (4, 40, 0, "4 han 40 fu, mangan"),
        (5, 30, 0, "5 han, mangan"),
        (7, 30, 0, "7 han, haneman"),
        (10, 30, 0, "10 han, baiman"),
        (12, 30, 0, "12 han, sanbaiman"),
        (14, 30, 0, "14 han, counted yakuman"),
        (0, 0, 1, "yakuman"),
        (0, 0, 2, "2 times yakuman"),
    ],
)
def test_the_worth_of_a_win_in_words(s, han, fu, yakuman, worth):
    end_of(s)
    s.win_han[0], s.win_fu[0], s.win_yakuman[0] = han, fu, yakuman
    assert settlement(s).wins[0].worth == worth


def test_a_draw_shows_the_waiting_hands(s):
    s.phase, s.seat, s.drawn, s.result, s.tenpai = st.ROUND_OVER, -1, -1, st.EXHAUSTED, 0b0011
    s.deltas[:] = 1500, 1500, -1500, -1500
    end = settlement(s)
    assert end.text == "tenpai: North, East"
    assert [hand.seat for hand in end.hands] == [0, 1]
    assert "tenpai" in paint(RoundEnd(end, NAMES), 80, 24)
    assert "+1,500" in paint(summary([end], NAMES), 80, 24)


def test_the_final_ranking_is_by_place(s):
    s.phase = st.GAME_OVER
    s.ranks[:] = 2, 0, 3, 1
    lines = paint(ranking(s, NAMES, (-16.0, 51.0, -30.0, -5.0)), 80, 24).splitlines()
    found = [name for line in lines for name in NAMES if name in line]
    assert found == ["player 2", "player 4", "player 1", "player 3"]
