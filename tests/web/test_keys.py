"""Keys at the table: none lets a win go at once, and of several calls none is taken unasked."""

from tests.riichi.dealt import RIICHI, wall
from tests.web.test_phone import CALLS, FREE

TSUMO = wall(["23m123m456p789s11z", "?", "?", "?"], "4m")  # the dealer wins with the first draw


def test_escape_never_passes_a_win_and_x_asks_first(server, new_page):
    page = new_page(f"#/table/{server.dealt_table([RIICHI]).id}")
    page.locator(FREE).wait_for()
    page.keyboard.press("r")
    page.keyboard.press("d")
    win, sure = page.get_by_role("button", name="Ron"), page.locator(".ask.sure")
    win.wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert (win.count(), sure.count()) == (1, 0)  # an answer would have taken the buttons away at once
    page.keyboard.press("x")
    assert (win.count(), sure.inner_text()) == (1, "Let the win go? X again")
    page.keyboard.press("Escape")
    assert (win.count(), sure.count()) == (1, 0)
    page.keyboard.press("x")
    page.keyboard.press("x")
    assert win.count() == 0


def test_the_drawn_tile_is_not_thrown_at_once_if_it_wins(server, new_page):
    page = new_page(f"#/table/{server.dealt_table([TSUMO]).id}")
    page.get_by_role("button", name="Tsumo").wait_for()
    page.keyboard.press("d")
    assert page.locator(".ask.sure").inner_text() == "Let the win go? D again"
    page.keyboard.press("d")
    page.locator(".at0 .river .tile").wait_for()


def test_of_several_calls_a_key_goes_from_one_to_the_next(server, new_page):
    page = new_page(f"#/table/{server.dealt_table([CALLS]).id}")
    page.locator(FREE).wait_for()
    page.keyboard.press("d")
    page.locator(".act.pass").wait_for()
    focused = "document.activeElement.dataset.action"
    page.keyboard.press("c")
    assert page.locator(".act.choice").count() == 3
    assert page.evaluate(focused) == "39"
    page.keyboard.press("c")
    assert page.evaluate(focused) == "40"
    page.keyboard.press("Escape")
    assert page.locator(".act.pass").count() == 1  # not passed either
    assert page.locator(".act.choice").count() == 0
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    page.locator(".at0 .meld").wait_for()
    kinds = page.locator(".at0 .meld .tile").evaluate_all("all => all.map((one) => one.dataset.kind).sort()")
    assert kinds == ["5p", "6p", "7p"]


def test_a_single_call_is_taken_by_its_key(server, new_page):
    page = new_page(f"#/table/{server.dealt_table([CALLS]).id}")
    page.locator(FREE).wait_for()
    page.keyboard.press("d")
    page.locator(".act.pass").wait_for()
    page.keyboard.press("p")
    page.locator(".at0 .meld").wait_for()
