"""The table on a phone: faces upright, one style of tiles, a hand that stays where it is, and the whole screen used."""

import pytest

from tests.riichi.dealt import wall

UPRIGHT = {"width": 390, "height": 844}
SIDEWAYS = {"width": 844, "height": 390}
# Three chows with a 5p of the left, and a pong with a red five: five buttons when it is thrown.
CALLS = wall(["3457m340567p55z6p", "?", "?", "?"], "2z3z4z5p")
FREE = ".own-hand .tile.new:not([aria-disabled])"

# How each face on the table is turned on the screen, in degrees, and whether its face is that of its shape.
TURNED = """() => [...document.querySelectorAll(":is(.river, .melds) .tile")].map((one) => {
  let turn = new DOMMatrix();
  for (let at = one.querySelector("svg"); at; at = at.parentElement) {
    const style = getComputedStyle(at);
    const rotate = style.rotate === "none" ? "" : `rotate(${style.rotate})`;
    const own = new DOMMatrix(rotate).multiply(new DOMMatrix(style.transform));
    turn = own.multiply(turn);
  }
  const box = one.getBoundingClientRect();
  const lies = one.querySelector("use").getAttribute("href").endsWith("-lying");
  return [one.closest(".side").className.slice(5, 8), Math.round(Math.atan2(turn.b, turn.a) * 180 / Math.PI),
    lies === box.width > box.height];
})"""

STYLES = """() => [...new Set([...document.querySelectorAll(".tile use")]
  .map((one) => one.getAttribute("href")).filter((name) => !name.startsWith("#back")).map((name) => name[1]))]"""


def all_turned(message):
    """Views in which every second discard is one of riichi, and every seat has a pong."""
    if message["type"] == "view":
        for side in message["view"]["seats"]:
            side["river"] = [one for name, mark in side["river"] for one in ((name, mark), (name, mark + "r"))]
            side["melds"] = [{"type": "pong", "tiles": ["6s", "6s", "6s"], "called": 1, "added": None}]
    return [message]


def top(page) -> float:
    """Where the first tile of the own hand begins, from the top of the screen."""
    return page.locator(".own-hand .tile").first.bounding_box()["y"]


@pytest.mark.parametrize("size", [UPRIGHT, SIDEWAYS, {"width": 360, "height": 640}, {"width": 1280, "height": 800}])
def test_the_hand_stays_where_it_is_when_calls_are_offered(server, new_page, size):
    page = new_page(f"#/table/{server.dealt_table([CALLS]).id}", viewport=size)
    page.locator(FREE).wait_for()
    before = top(page)
    page.keyboard.press("d")
    page.locator(".act.pass").wait_for()
    assert page.locator(".act").count() == 5
    assert top(page) == before
    hand = page.locator(".own-hand").bounding_box()
    assert hand["y"] + hand["height"] <= size["height"]
    for one in page.locator(".act").all():
        box = one.bounding_box()
        assert 0 <= box["y"] <= hand["y"] - box["height"] + 1  # beside or above the hand, and on the screen


@pytest.mark.parametrize("size", [UPRIGHT, SIDEWAYS])
def test_faces_are_upright_at_every_seat_and_of_one_style(server, new_page, size):
    page = new_page(f"#/table/{server.dealt_table([CALLS]).id}", all_turned, viewport=size)
    page.locator(FREE).wait_for()
    page.keyboard.press("d")
    page.locator(".act.pass").wait_for()
    found = page.evaluate(TURNED)
    assert sorted(seat for seat, _, _ in found) == [f"at{place}" for place in range(4) for _ in range(5)]
    assert [one for one in found if one[1:] != [0, True]] == []
    assert page.evaluate(STYLES) == ["n"]  # large numbers: on a phone the labels are too small to be read


def test_the_table_on_its_side_fills_the_screen(server, new_page):
    page = new_page(f"#/table/{server.dealt_table([CALLS]).id}", viewport=SIDEWAYS)
    page.locator(FREE).wait_for()
    page.keyboard.press("d")
    page.locator(".act.pass").wait_for()
    board = page.locator(".board").bounding_box()
    assert board["width"] > 0.75 * 844
    assert page.locator(".at0 .river .tile").bounding_box()["width"] > 25
    boxes = [one.bounding_box() for one in page.locator(".river .tile, .score, .who, .middle, .side .hand").all()]
    for box in boxes:
        for side, length in (("x", "width"), ("y", "height")):
            assert board[side] - 1 <= box[side] <= board[side] + board[length] - box[length] + 1
