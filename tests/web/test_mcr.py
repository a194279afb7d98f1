"""MCR at the web table: played by clicks from the lobby, with plans as hints, fans at the end, and replayed."""

import json

import pytest

from suzaku.cli.compile_parts import compile_here, parts_of
from suzaku.cli.play import NEEDED
from suzaku.mcr import Rules, Table
from suzaku.mcr import actions as act
from tests.web.test_layout import check

api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright (make test installs it)")
WAIT = 60_000
OWN = ".own-hand .tile:not([aria-disabled])"


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """All that a table of MCR needs, so that nobody waits."""
    for part in parts_of(*NEEDED["mcr"]):
        compile_here(part)


def new_table(server, **wanted) -> str:
    usual = {"game": "mcr", "length": "hand", "opponents": ["shanten"] * 3, "seed": 3}
    return server.new_table(**{**usual, **wanted})


def play(client) -> dict:
    """Throw the first tile and claim nothing until the hand is over; the last view."""
    while not (view := client.next("view"))["view"].get("settlement"):
        if view.get("legal"):
            legal = view["legal"]
            client.send(type="act", ask=view["ask"], action=next((a for a in (107, 108) if a in legal), legal[0]))
    return view


def test_a_hand_is_played_kept_and_replayed(server):
    id = new_table(server, rules="table", length="hand")
    client = server.sit(id)
    while not (view := client.next("view")).get("legal"):
        pass
    assert (view["view"]["game"], view["view"]["walls"]) == ("mcr", None)
    assert "shanten" in view["own"]
    client.send(type="hint", ask=view["ask"])
    hint = client.next("hint")
    assert hint["agent"] == "mcr"  # the usual one
    assert any(row["plans"] for row in [*hint["discards"].values(), hint["now"]] if "plans" in row)
    client.send(type="act", ask=view["ask"], action=112)
    assert client.next("error")["text"] == "foul of seat 3 is not legal now"
    client.send(type="act", ask=view["ask"], action=view["legal"][0])
    end = play(client)
    assert sum(end["view"]["settlement"]["deltas"]) == 0
    client.close()
    summary = server.ask(f"/api/replays/{id}")
    assert (summary["game"], len(summary["rounds"])) == ("mcr", 1)
    frames = server.ask(f"/api/replays/{id}/rounds/0")
    assert frames[-1]["view"]["settlement"] == end["view"]["settlement"]
    opinions = server.ask(f"/api/replays/{id}/rounds/0/opinions?agent=mcr")
    assert len(opinions) == len(frames) - 1
    assert server.ask(f"/api/replays/{id}/rounds/0/opinions?agent=suphx")[0] == 404
    assert server.ask(f"/api/replays/{id}/forecast") is None
    assert server.ask(f"/api/replays/{id}/record?format=botzone")[0] == 400  # flowers: no format of Botzone's


def test_the_prevalent_wind_of_a_single_hand_is_replayed_as_it_was(server):
    seed = next(seed for seed in range(9) if Table(Rules.botzone(), seed=seed).record.wind == 2)
    id = new_table(server, people=0, seed=seed, opponents=["shanten"] * 4)
    client = server.sit(id)
    while not client.next("view")["view"].get("settlement"):
        pass
    client.close()
    assert server.ask(f"/api/replays/{id}/rounds/0")[0]["view"]["round"] == 8
    record = server.ask(f"/api/replays/{id}/record?format=botzone")
    assert record["initdata"]["quan"] == 2
    again = server.ask("/api/replays?name=match.json", json.dumps(record).encode())
    assert [one["game"] for one in again] == ["mcr"]
    record["logs"][-1]["output"]["content"] = {str(i): 5 for i in range(4)}
    code, why = server.ask("/api/replays?name=match.json", json.dumps(record).encode())
    assert (code, "the scores" in why, "\n" in why) == (400, True, False)


def test_the_agent_with_networks_plays_and_gives_hints(server, monkeypatch):
    monkeypatch.setattr(server.lobby, "agents", [*server.lobby.agents, "mcr"])
    monkeypatch.setattr(server.lobby.house, "advisers", [*server.lobby.house.advisers, "mcr"])
    client = server.sit(new_table(server, opponents=["mcr", "shanten", "shanten"]))
    while not (view := client.next("view")).get("legal"):
        pass
    client.send(type="hint", ask=view["ask"], agent="mcr")
    hint = client.next("hint", "error")
    assert hint["type"] == "hint", hint
    assert hint["agent"] == "mcr"
    assert {int(action) for action in hint["policy"]} <= set(view["legal"])
    assert sum(hint["policy"].values()) == pytest.approx(1, abs=0.01)
    client.send(type="act", ask=view["ask"], action=view["legal"][0])
    assert sum(play(client)["view"]["settlement"]["deltas"]) == 0
    client.close()


def test_options_are_those_of_the_game(server):
    options = server.ask("/api/options?game=mcr")
    assert options["agents"] == ["shanten", "random", "mcr"]
    assert options["agent"] == "mcr"  # who sits there, and gives hints, if nobody says
    assert options["usual_length"] == {"botzone": "hand", "table": "match"}
    assert server.ask("/api/options")["game"] == "riichi"
    refused = server.ask("/api/tables", {"game": "mcr", "opponents": ["tsumogiri"]})
    assert refused[0] == 400
    assert "there is no agent 'tsumogiri' of mcr" in refused[1]
    both = server.ask("/api/tables", {"game": "mcr", "switches": {"flowers": True}})
    assert both == (400, "private walls have no flowers: set duplicate=False or flowers=False")


def start(page, rules: str, seed: int) -> None:
    """Start a table of MCR from the lobby."""
    page.locator("select[name=game]").select_option("mcr")
    page.locator("select[name=rules] option[value=table]").wait_for(state="attached")
    page.locator("select[name=rules]").select_option(rules)
    page.locator("select[name=length]").select_option("hand")
    page.locator("select[name=pace]").select_option("0")
    page.locator("input[name=seed]").fill(str(seed))
    page.locator("form button.main").click()


def click_on(page, hints: bool) -> None:
    """Play by clicks to the end of the hand; with hints, what the agent would do."""
    for i in range(200):
        page.locator(f"dialog.end, .act.pass, .act.win, {OWN}").first.wait_for()
        if page.locator("dialog.end").count():
            return
        if hints and i == 0:
            page.keyboard.press("h")
            page.locator(".hint-panel .plans li").first.wait_for()
            assert page.locator(".own-hand .bar.best").count() >= 1 or page.locator(".with-meld").count()
        pick = page.locator(".act.win, .act.pass")
        (pick if pick.count() else page.locator(OWN)).first.click()
        page.wait_for_timeout(20)


def test_a_hand_by_clicks_with_flowers_plans_and_fans(server, new_page):
    page = new_page()
    page.get_by_role("button", name="Start").wait_for()
    start(page, "table", 149)  # a short hand
    page.locator(".own-hand .tile").first.wait_for()
    assert page.locator(".flowers .tile").count() >= 1
    assert page.locator(".doras, .sticks").count() == 0
    click_on(page, hints=True)
    end = page.locator("dialog.end")
    text = end.inner_text()
    for one in ("East 1", "Win on a discard", " fan", "points"):
        assert one in text
    check(page, "end of a hand of MCR")


def test_plans_fit_every_screen(server, new_page):
    id = new_table(server, rules="botzone", seed=11)
    page = new_page(f"#/table/{id}")
    page.locator(".own-hand .tile").first.wait_for()
    assert page.locator(".score .wall").count() == 4  # private walls
    page.locator(f".act.pass, {OWN}").first.wait_for()
    page.keyboard.press("h")
    page.locator(".hint-panel .plans li").first.wait_for()
    assert "%" in page.locator(".hint-panel .plans li").first.inner_text()
    check(page, "plans")


def test_bars_show_how_near_the_other_choices_of_a_claim_are(server, new_page):
    def nearly_alike(message):
        if message["type"] == "hint":
            del message["policy"]
            message["best"] = act.PASS
            message["values"] = {str(act.CHOW_HIGH): 0.48, str(act.PASS): 0.5}
        return [message]

    page = new_page(f"#/table/{new_table(server, rules='botzone', seed=11)}", nearly_alike)  # a chow, or none
    page.locator(".act.pass").wait_for()
    page.keyboard.press("h")
    page.locator(".claims li").nth(1).wait_for()
    assert [text.split() for text in page.locator(".claims li").all_inner_texts()] == [
        ["Pass", "50.0"],
        ["Chow", "48.0"],
    ]
    assert page.locator(".claims meter").evaluate_all("all => all.map((one) => one.value)") == pytest.approx([1, 0.8])
    assert "mcr would: Pass" in page.locator(".would").inner_text()


@pytest.mark.parametrize(("language", "texts"), [("ja", ("番", "見込み")), ("zh", ("番", "牌路"))])
def test_a_replayed_match_in_other_languages(server, new_page, tmp_path, language, texts):
    id = new_table(server, people=0, opponents=["shanten"] * 4)
    client = server.sit(id)
    while not (view := client.next("view")["view"]).get("settlement"):
        pass
    client.close()
    path = tmp_path / "match.json"
    path.write_text(json.dumps(server.ask(f"/api/replays/{id}/record?format=botzone")), "utf-8")
    page = new_page(locale=language, viewport={"width": 390, "height": 844}, has_touch=True)
    page.locator("#record").set_input_files(path)
    page.locator(".agree, .disagree").first.wait_for()
    for _ in range(2):
        page.locator(".controls button.main").click()
    page.locator(".opinion > button").first.click()
    page.locator(".hint-panel").wait_for()
    text = page.locator(".hint-panel").inner_text()
    assert all(one in text for one in texts)
    page.locator(".controls button").nth(3).click()
    page.locator(".settlement").wait_for()
    names = [row[0] if language == "en" else row[1] for win in view["settlement"]["wins"] for row in win["fans"]]
    if language == "zh":
        assert all(name in page.locator(".settlement").inner_text() for name in names)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
