"""The first page and the page that waits for people: lists, the address to send, kept games."""

from dataclasses import replace

import pytest

from suzaku.records.store import Store, part_name, write_part, write_summary
from tests.records.made import made_game
from tests.web.test_delete import kept_game

# Lists of which an entry is wider than the list, so that it is cut off when it is chosen.
CUT = """() => [...document.querySelectorAll("select")].filter((one) => {
  const width = one.offsetWidth;
  one.style.width = "max-content";
  const needed = one.offsetWidth;
  one.style.width = "";
  return needed > width;
}).map((one) => one.name)"""


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_no_entry_of_a_list_is_cut_off(server, new_page, language):
    page = new_page(locale=language)
    for game, rules in (("riichi", "tenhou"), ("mcr", "botzone")):
        page.locator("select[name=game]").select_option(game)
        page.locator(f"select[name=rules] option[value={rules}]").wait_for(state="attached")
        for width in (1280, 844, 390, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(CUT) == [], f"{game} at {width}"


def test_who_has_no_name_yet_is_given_the_address_too(server, new_page):
    page = new_page(f"#/table/{server.new_table(people=2)}")
    page.get_by_label("Your name").wait_for()
    assert page.locator(".address code").inner_text() == page.url
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("Copied").wait_for()


def test_a_kept_game_is_deleted_after_a_question(server, new_page):
    id = kept_game(server.games)
    page = new_page()
    row = page.locator(f".games li:has(a[href='#/replay/{id}'])")
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    row.get_by_role("button").click()
    assert asked == ["Delete this game for good? Nobody can replay it then."]
    page.once("dialog", lambda dialog: dialog.accept())
    row.get_by_role("button").click()
    row.wait_for(state="detached")
    assert id not in [one["id"] for one in server.ask("/api/games")]


def test_games_of_a_match_are_listed_under_the_address_that_the_arena_prints(server, new_page, tmp_path):
    one = made_game(2)
    other = replace(one, id="other", players=["Aoi", "b", "c", "d"])
    write_part(tmp_path / part_name(0), [one, other], {})
    write_summary(tmp_path, 1, 2, 0)
    server.games.add(Store(tmp_path), "arena/x y")
    page = new_page("#/?source=arena/x%20y")
    page.locator(".games li").nth(1).wait_for()
    assert page.locator("select[name=source]").evaluate("one => one.selectedOptions[0].text") == "arena/x y (2)"
    page.get_by_label("With player").fill("aoi")
    page.get_by_label("With player").press("Enter")
    page.locator(".games li").nth(1).wait_for(state="detached")
    assert page.locator(".games li a").get_attribute("href").startswith("#/replay/other.")
    page.goto(f"http://{server.host}/#/")
    page.locator("select[name=source]", has=page.locator("option[value=page]:checked")).wait_for()  # drawn anew
    page.locator("select[name=source]").select_option("arena/x y")
    page.locator(".games li").nth(1).wait_for()


def test_who_started_a_game_may_delete_it_at_a_server_that_others_reach(server, new_page):
    mine, others = "mine", "theirs"
    listed = {"names": ["a", "b", "c", "d"], "scores": [0] * 4, "ranks": [0, 1, 2, 3], "agents": [None] * 4}
    rows = [
        {**listed, "id": id, "game": "riichi", "started": "2026-01-02T03:04:05+00:00", "finished": 1}
        for id in (mine, others)
    ]
    page = new_page()
    page.route("**/api/games", lambda route: route.fulfill(json=[{**row, "deletable": False} for row in rows]))
    page.evaluate("localStorage.setItem('suzaku-owner:mine', 'secret')")
    page.reload()
    page.locator(".games li").nth(1).wait_for()
    assert page.locator(".games li").evaluate_all("all => all.map((one) => one.querySelectorAll('button').length)") == [
        1,
        0,
    ]
