"""The page in a headless Chromium: rounds played by clicks, a call, riichi, a win, a replay, a reconnect."""

import asyncio
import re
from typing import Any

import pytest

from suzaku.records.formats import write_game
from suzaku.records.to_events import to_events
from tests.records.made import made_game
from tests.riichi.dealt import PONG, RIICHI

api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright (make test installs it)")

FREE = ".own-hand .tile.new:not([aria-disabled])"  # the drawn tile, while it may be thrown
WAIT = 60_000  # milliseconds; a busy machine is slow


def hand(page: Any) -> list[str]:
    """The own tiles by their accessible names."""
    return page.eval_on_selector_all(".own-hand .tile", "tiles => tiles.map((tile) => tile.getAttribute('aria-label'))")


def test_riichi_a_win_and_a_call_by_clicks(server, new_page):
    room = server.dealt_table([RIICHI, PONG])
    page = new_page(f"#/table/{room.id}")
    page.get_by_role("button", name="Riichi").click()
    keeps = page.locator(".own-hand .tile.keeps")
    assert keeps.count() == 1
    assert keeps.first.get_attribute("aria-label") == "9 of circles, drawn, tenpai"
    assert page.locator(".own-hand .tile:disabled").count() == 13
    page.locator(".own-hand .tile:not([aria-disabled])").hover()
    assert "×3" in page.locator(".waits").inner_text()
    keeps.first.click()
    page.get_by_role("button", name="Ron").click()
    end = page.locator("dialog.end")
    end.wait_for()
    for text in ("Win on a discard", "dora indicator", "ippatsu", "double riichi", "han", "fu", "points", "+"):
        assert text in end.inner_text()
    assert page.locator(".at0 .river .turned").count() == 1  # the riichi tile lies sideways
    end.get_by_role("button", name="Next").click()
    page.locator(FREE).click()
    page.get_by_role("button", name="Pong").click()
    page.locator(".at0 .meld .turned").wait_for()  # turned, on the side of the seat it came from
    assert page.locator(".at0 .meld .tile").evaluate_all("t => t.map((one) => one.classList.contains('turned'))") == [
        False, False, True,
    ]  # fmt: skip
    assert page.locator(".at1 .river .called").count() == 1
    page.locator(".own-hand .tile:not([aria-disabled])").first.click()
    for _ in range(80):  # the rest of the round, as drawn
        page.locator(f"dialog.end, .act.pass, {FREE}").first.wait_for()
        if page.locator("dialog.end").count():
            break
        pick = page.locator(".act.pass")
        (pick if pick.count() else page.locator(FREE)).first.click()
        page.wait_for_timeout(20)
    assert "Exhaustive draw" in page.locator("dialog.end").inner_text()


def test_hints_tell_the_chances_by_han(server, new_page):
    page = new_page(f"#/table/{server.dealt_table([RIICHI]).id}")
    page.get_by_role("button", name="Hint").click()
    by_han = page.locator(".hint-panel .by-han")  # the best discards, of which the first is tenpai
    api.expect(by_han).to_have_count(3)
    assert ["with riichi" in text for text in by_han.all_inner_texts()] == [True, False, False]
    assert page.locator(".hint-panel td.win").all_inner_texts()[0].startswith("87%")  # with one han or more
    riichi = page.locator(".act.riichi")
    assert "%" in riichi.inner_text()
    riichi.click()
    page.locator(".own-hand .bar.best").wait_for()  # of the discard that declares riichi
    assert riichi.inner_text() == "Cancel"
    assert page.locator(".own-hand .bar em").all_inner_texts() == ["100%"]
    riichi.click()
    api.expect(riichi).to_contain_text("%")


def test_who_watches_is_told_whose_move_a_hint_judges(server, new_page):
    page = new_page(f"#/table/{server.new_table(people=0, opponents=['shanten'] * 4, pace=5)}")
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint-panel .whose").wait_for()
    assert re.search(r"would \(for .+ · (East|South|West|North)\): ", page.locator(".would").inner_text())


def test_keys_hints_and_a_reconnect(server, new_page):
    room = server.dealt_table([PONG])
    page = new_page(f"#/table/{room.id}")
    page.locator(FREE).wait_for()
    before = hand(page)
    page.keyboard.press("h")
    page.locator(".hint-panel").wait_for()
    assert "would" in page.locator(".hint-panel").inner_text()
    assert page.locator(".own-hand .bar.best").count() == 1
    dangers = page.locator("td.danger").all_inner_texts()
    assert len(dangers) > 20
    assert all("%" in text or text == "✓" for text in dangers)  # nobody is in riichi, and all are judged
    page.reload()
    page.locator(FREE).wait_for()
    assert hand(page) == before

    async def cut() -> None:
        for place in room.seats:
            for connection in place.connections:
                connection.send({"type": "closed", "reason": "closed"})  # the server stops, and comes back
                connection.post(None)

    asyncio.run_coroutine_threadsafe(cut(), server.loop).result(30)
    page.locator("#notice:not([hidden])").wait_for()
    page.locator(FREE).wait_for()
    assert hand(page) == before
    page.locator("#notice").wait_for(state="hidden")
    page.keyboard.press("d")
    page.get_by_role("button", name="Pong").wait_for()
    page.keyboard.press("x")
    page.locator(FREE).wait_for()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.locator(".at0 .river .tile").nth(1).wait_for()


def test_two_people_at_one_table(server, new_page):
    one = new_page()
    one.get_by_label("Your name").fill("Aoi")
    one.get_by_label("People at the table").select_option("2")
    one.get_by_label("Pace of the agents").select_option("0")
    one.get_by_role("button", name="Start").click()
    one.get_by_role("button", name="Begin now").wait_for()
    two = new_page(one.evaluate("location.hash"))
    two.get_by_label("Your name").fill("Beni")
    two.keyboard.press("Enter")
    for page in (one, two):
        page.locator(".own-hand .tile").first.wait_for()
        assert page.locator(".side .hand .tile").evaluate_all("t => t.every((one) => !one.dataset.kind)")
    assert hand(one)[:13] != hand(two)[:13]
    assert "Aoi" in two.locator(".board").inner_text()
    three = new_page(one.evaluate("location.hash"))
    three.get_by_text("No seat is free").wait_for()


def test_a_game_can_be_started_before_the_list_of_games_is_there(server, new_page):
    page = new_page()
    page.route("**/api/games", lambda route: None)  # no answer
    page.reload()
    page.get_by_role("button", name="Start").wait_for()


def test_the_replay_of_a_dropped_record(server, new_page, tmp_path):
    path = tmp_path / "game.mjson"
    path.write_bytes(write_game(to_events(made_game(2)), "mjai"))
    page = new_page()
    two = tmp_path / "two.mjson"
    two.write_bytes(path.read_bytes() + write_game(to_events(made_game(1)), "mjai"))
    page.locator("#record").set_input_files(two)
    api.expect(page.locator("dialog a")).to_have_count(2, timeout=WAIT)
    page.locator("dialog").get_by_role("button", name="Close").click()
    page.locator("#record").set_input_files(path)
    page.get_by_role("button", name="Forward").wait_for()
    page.locator(".agree, .disagree").first.wait_for()
    for _ in range(3):
        page.get_by_role("button", name="Forward").click()
    assert page.locator(".river .tile").count() >= 1
    others = page.locator(".side .hand .tile[data-kind]")
    assert others.count() == 0  # whoever judges a person's decisions sees what that person saw
    page.get_by_label("All hands open").check()
    assert others.count() > 30
    page.get_by_role("button", name="Last").click()
    page.locator(".settlement").wait_for()
    page.get_by_label("Round").select_option("1")
    api.expect(page.locator(".river .tile")).to_have_count(0, timeout=WAIT)


def test_next_difference_keeps_to_the_seat_and_the_address_to_the_place(server, new_page):
    stored = made_game(2)
    (opened,) = server.ask("/api/replays?name=game", write_game(to_events(stored), "mjai"))
    path = f"/api/replays/{opened['id']}/rounds"
    rounds = range(len(opened["rounds"]))
    opinions = [server.ask(f"{path}/{round}/opinions?agent=shanten") for round in rounds]
    seat = 2
    differing = [
        (round, step)
        for round in rounds
        for step, one in enumerate(opinions[round])
        if one["seat"] == seat and one["counts"] and not one["same"]
    ]
    in_first = [step for round, step in differing if round == 0]
    page = new_page(f"#/replay/{opened['id']}?round=0&step={in_first[-2]}&seat={seat}")
    page.get_by_label("Agent").select_option("shanten")
    for round, step in ((0, in_first[-1]), next(place for place in differing if place[0] > 0)):
        page.get_by_role("button", name="Next difference").click()
        place = f"#/replay/{opened['id']}?round={round}&step={step}&seat={seat}"
        page.wait_for_function("place => location.hash === place", arg=place, timeout=WAIT)
    page.locator(".disagree").wait_for()
    same = [one["same"] for row in opinions for one in row if one["seat"] == seat and one["counts"]]
    whole = page.locator(".agreement .me td").last
    api.expect(whole).to_contain_text(f"({sum(same)}/{len(same)})", timeout=WAIT)
    count = page.locator(".count").inner_text()
    page.reload()
    api.expect(page.locator(".count")).to_have_text(count, timeout=WAIT)
    assert page.get_by_label("Seen from").input_value() == str(seat)
    assert page.get_by_label("Round").input_value() == str(round)


@pytest.mark.parametrize(("language", "text"), [("ja", "新しい対局"), ("zh", "新对局")])
def test_on_a_phone_in_other_languages(server, new_page, language, text):
    room = server.dealt_table([RIICHI])
    page = new_page(locale=language, viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    page.get_by_text(text).wait_for()
    page.goto(f"http://{server.host}/#/table/{room.id}")
    page.locator(".own-hand .tile.new").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator(".own-hand .tile").first.bounding_box()
    assert box["width"] >= 44  # a thumb hits it
    page.keyboard.press("h")
    page.locator(".own-hand .bar").first.wait_for()
    tops = page.locator(".own-hand .bar").evaluate_all("bars => bars.map((one) => one.getBoundingClientRect().top)")
    rows = page.locator(".own-hand .tile").evaluate_all("t => t.map((one) => one.getBoundingClientRect().bottom)")
    assert max(tops) >= min(rows)  # the bars of the second row do not cover the first
    assert all(hand(page))
    unnamed = "b => b.filter((one) => !(one.innerText.trim() || one.getAttribute('aria-label'))).length"
    assert page.locator("button, a, [role=img]").evaluate_all(unnamed) == 0


def test_the_forecast_under_a_replay(server, new_page, tmp_path):
    stored = made_game(2, "hanchan")
    path = tmp_path / "game.mjson"
    path.write_bytes(write_game(to_events(stored), "mjai"))
    page = new_page()
    page.locator("#record").set_input_files(path)
    chart = page.locator(".forecast svg")
    chart.wait_for(timeout=WAIT)
    assert chart.locator("polyline").count() == 4
    assert page.locator(".forecast .value").all_inner_texts() == ["+90", "+45", "0", "−135"]
    assert page.locator(".forecast .time").first.inner_text() == "East 1"
    api.expect(chart).to_be_visible(timeout=WAIT)  # it may just be drawn anew
    box = chart.bounding_box()
    chart.click(position={"x": box["width"] - 1, "y": box["height"] / 2})
    last = page.locator(".forecast tbody tr").last
    api.expect(last).to_contain_text("End", timeout=WAIT)
    api.expect(last).to_contain_text("+90")
    assert page.get_by_label("Round").input_value() == str(len(stored.walls) - 1)
