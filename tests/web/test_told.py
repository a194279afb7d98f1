"""What the page tells people besides the game: no yaku, declined wins, whose time ran out, who is slow, refusals."""

import gzip
import re

import pytest

from suzaku.records.formats import read_games, write_game
from suzaku.records.to_events import to_events
from suzaku.web.uploads import COMPILING, SLOW
from tests.records.made import made_game
from tests.riichi.dealt import PONG, RIICHI

api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright (make test installs it)")

NONE, SOME = ["ron", "tsumo"], ["ron"]


def test_a_hand_without_a_yaku_says_so(server, new_page):
    lacking = {"waits": {"1m": 3, "4m": 4}, "no_yaku": {"1m": NONE, "4m": NONE}}

    def change(message):
        if message["type"] == "view" and message.get("own"):
            own = message["own"]
            own["no_yaku"] = {}
            own["discards"] = {"37": {"furiten": False, **lacking}}
        yield message

    room = server.dealt_table([RIICHI])
    page = new_page(f"#/table/{room.id}", change=change)
    waits, drawn = page.locator(".waits"), page.locator(".own-hand .tile.new")
    drawn.hover()
    assert re.search(r"Waits\s*×3\s*×4\s*no yaku", waits.inner_text())
    lacking["no_yaku"] = {"1m": SOME}
    page.reload()
    drawn.hover()
    assert re.search(r"×3\s*no yaku: only by tsumo\s*×4$", waits.inner_text().strip())
    page.get_by_role("button", name="Riichi").click()  # which is a yaku
    drawn.hover()
    assert "yaku" not in waits.inner_text()


def test_a_hint_explains_what_it_shows(server, new_page):
    kinds = ["policy", "values"]

    def change(message):
        if message["type"] == "hint":
            for kind in ("policy", "values"):
                message.pop(kind, None)
            message[kinds.pop(0)] = {"39": 0.1, "40": 0.3, "117": 0.0, "119": 0.6}
            message["best"], message["declined"] = 119, {"action": 117, "why": "ends_fourth"}
            message["tiles"] = {"39": ["2m", "3m"], "40": ["3m", "5m"]}
            message["discards"] = {
                "0": {
                    "tile": "1m", "shanten": 0, "accepts": {"2m": 1, "5m": 3}, "unseen": 4,
                    "win_alone": 0.2, "points": 9, "no_yaku": {"5m": ["ron"]},
                },
            }  # fmt: skip
            for one in message["danger"]:
                one["kinds"]["1m"] = [0.004, "suji"]
        yield message

    room = server.dealt_table([PONG])
    page = new_page(f"#/table/{room.id}", change=change)
    page.locator(".own-hand .tile.new:not([aria-disabled])").wait_for()
    page.keyboard.press("h")
    panel = page.locator(".hint-panel")
    panel.wait_for()
    text = panel.inner_text()
    assert "lets the win pass (Ron): it would end the game with you fourth" in text
    assert "win alone" in panel.locator("thead").inner_text()
    assert "if nobody else won first" in text
    assert "who play to win" not in text  # the other chance to win, that of a closed hand
    rows = panel.locator(".claims li")
    assert [row.split()[0] for row in rows.all_inner_texts()] == ["Pass", "Chow", "Chow", "Ron"]  # the win is listed
    tiles = "rows => rows.map((row) => [...row.querySelectorAll('.tile')].map((one) => one.dataset.kind))"
    assert rows.evaluate_all(tiles) == [[], ["3m", "5m"], ["2m", "3m"], []]
    cells = panel.locator("td.danger")
    assert cells.all_inner_texts() == ["0.4%*"] * 3
    assert cells.first.get_attribute("title") == "suji"
    assert re.search(r"20%\s*no yaku", panel.locator("tbody").inner_text())
    assert panel.locator(".accepted .lacking .tile").evaluate_all("t => t.map((one) => one.dataset.kind)") == ["5m"]
    assert "closed one does with riichi" in text
    assert "with which probability" in text
    assert rows.first.inner_text().split() == ["Pass", "60.0%"]
    page.keyboard.press("h")
    panel.get_by_text("what the action is worth").wait_for()
    assert rows.first.inner_text().split() == ["Pass", "60.0"]  # worths that add up to 1 are no probabilities


def test_whose_time_ran_out_and_whom_the_table_waits_for(server, new_page):
    events = [
        {"type": "timeout", "seat": 0},
        {"type": "absent", "seat": 1},
        {"type": "stand_in", "seat": 2, "why": "nonsense"},
    ]

    def change(message):
        if message["type"] == "view":
            message.pop("ask", None)
            yield {**message, "legal": [], "events": [*message["events"], *events]}
            yield {"type": "waiting", "seat": 3, "seconds": 3.0, "limit": 10}
        else:
            yield message

    room = server.dealt_table([PONG])
    page = new_page(f"#/table/{room.id}", change=change)
    said = page.locator("#notice")
    said.get_by_text("Time ran out: the agent moved for you").wait_for()
    said.get_by_text("tsumogiri 1 is gone: the agent moved").wait_for()
    said.get_by_text("tsumogiri 2 answered nonsense: what it drew was thrown for it").wait_for()
    page.locator(".actions").get_by_text("Waiting for tsumogiri 3 (at most 10 s)").wait_for()


def test_refusals_in_the_language_of_the_page(server, new_page):
    refusal = {"type": "error", "code": "no_opponent", "text": "there is none", "values": {"name": "Kuro"}}

    def change(message):
        yield refusal

    room = server.dealt_table([PONG])
    for language, known in (("en", "There is no opponent Kuro here."), ("zh", "没有名为Kuro的对手。")):
        page = new_page(f"#/table/{room.id}", change=change, locale=language)
        page.get_by_text(known, exact=True).wait_for()
    refusal.update(code="unheard of", text="a new sentence")
    page.reload()
    page.get_by_text("a new sentence", exact=True).wait_for()


def test_another_language_is_loaded_when_it_is_chosen(server, new_page):
    page = new_page()
    page.get_by_role("heading", name="New game").wait_for()
    page.get_by_role("button", name="Settings").click()
    page.locator("select[name=language]").select_option("zh")
    page.get_by_role("heading", name="新对局").wait_for()
    page.get_by_role("dialog", name="设置").wait_for()
    page.reload()
    page.get_by_role("heading", name="新对局").wait_for()


DIFFERENCES = (  # as `suzaku.records.verify` says them
    "the record says 5m was drawn, the wall has 7p",
    "the record says 5m was drawn, by the rules it is the turn of seat 0",
    "the record says seat 1 acts, by the rules seat 0 draws first",
    "the record says seat 1 acts, by the rules the round is over",
    "the record says seat 0 takes a tile of seat 3, by the rules seat 2 offers 9s",
    "the record ends the round, by the rules seat 0 is asked about 4m",
    "seat 2 was dealt 123m in the record, 124m by the wall",
    "chow low is not legal for seat 3: the tile on offer is 2m",
    "the record says seat 2 had drawn 5m, by the rules it was 4m",
    "the record says 4m was taken, the tile on offer is 0s",
    "the record says the dora indicator 4 is 4m, the wall has 3m",
    "the record shows a sixth dora indicator, a wall has five",
    "dora indicators shown so far: 2 in the record, 3 by the rules",
    "the record accepts the riichi of seat 3, the rules do not",
    "the rules accept the riichi of seat 3, the record does not",
    "the round ends by four winds in the record, by exhaustive draw by the rules",
    "the rules end the round (win on discard), the record goes on",
)


def why_not(text: bytes) -> str:
    """What is wrong with a record."""
    with pytest.raises(ValueError) as refused:
        read_games(text, "game")
    return str(refused.value)


def test_usual_reasons_against_a_record_are_translated(server, new_page):
    mjai = write_game(to_events(made_game(2)), "mjai")
    hidden = re.sub(rb'"tehais":\[\[.*?\]', b'"tehais":[[' + b",".join([b'"?"'] * 13) + b"]", mjai, count=1)
    cut = mjai[: mjai.index(b"\n", 3000)]
    bad = [b"", b"hello", b"\0\1", b"\x1f\x8bno", gzip.compress(mjai)[:-20], cut, cut[:-1], hidden, b"<mjloggm"]
    bad += [gzip.compress(gzip.compress(mjai)), gzip.compress(bytes(9 << 20))]
    reasons = [
        *map(why_not, bad),
        SLOW.format(60),
        COMPILING,
        *DIFFERENCES,
        "round 3: riichi is not legal for seat 2; legal: pass",
    ]
    page = new_page(locale="zh")
    ask = "async (all) => { const { reasonText } = await import('/js/texts.js'); return all.map(reasonText); }"
    for reason, said in zip(reasons, page.evaluate(ask, reasons), strict=True):
        assert said not in (reason, f"“{reason}”"), reason
        assert not re.search("[{}]", said)
    assert page.evaluate(ask, reasons[-1:]) == ["第3局:座位2的“riichi”不合法(可行:pass)"]
    assert page.evaluate(ask, ["something new"]) == ["“something new”"]
