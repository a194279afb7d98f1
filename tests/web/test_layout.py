"""The page on phones, tablets and desks: nothing runs over an edge, every text can be read, everything has a name."""

import asyncio

from suzaku.records.formats import write_game
from suzaku.records.to_events import to_events
from tests.records.made import made_game
from tests.riichi.dealt import RIICHI

SIZES = ((1280, 800), (1024, 700), (768, 1024), (390, 844), (360, 640), (844, 390))
LONG = "Wolfeschlegelsteinha"  # as long as a name may be

# What sticks out of the window, or is cut off inside a box that hides or scrolls sideways.
CLIPPED = """() => {
  const width = document.documentElement.clientWidth, found = [];
  const name = (one) => `${one.tagName}.${one.getAttribute("class")}`;
  if (document.documentElement.scrollWidth > width) found.push(`the page is ${document.documentElement.scrollWidth}`);
  for (const one of document.querySelectorAll("body *:not(svg *)")) {
    if (one.closest(".visually-hidden") || !one.checkVisibility()) continue;
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    if (!box.width || !box.height) continue;
    if (box.right > width + 1 || box.left < -1) found.push(`${name(one)} at ${box.left}..${box.right}`);
    const cuts = style.overflowX !== "visible" && style.display !== "inline" && style.textOverflow !== "ellipsis";
    if (cuts && one.scrollWidth > one.clientWidth + 1) found.push(`${name(one)} cuts ${one.scrollWidth}`);
  }
  return [...new Set(found)];
}"""

# Texts whose colour is too close to what is behind them: 4.5 to 1, or 3 to 1 if large.
FAINT = """() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const read = (colour) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const behind = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null; // a picture: looked at by people
      const colour = read(style.backgroundColor);
      layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduceRight((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => (part /= 255) <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const one of document.querySelectorAll("body *:not(svg *)")) {
    const said = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!said || !one.checkVisibility() || one.closest(".visually-hidden, :disabled, option")) continue;
    const back = behind(one);
    if (!back) continue;
    const style = getComputedStyle(one), size = parseFloat(style.fontSize);
    const [high, low] = [light(over(read(style.color), back)), light(back)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const enough = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    if (ratio < enough) found.push(`${one.tagName}.${one.className} "${one.innerText}" ${ratio.toFixed(2)}`);
  }
  return [...new Set(found)];
}"""

UNNAMED = """() => {
  const named = (one) => one.innerText?.trim() || one.getAttribute("aria-label") || one.labels?.length;
  const all = [...document.querySelectorAll("button, a, select, input, meter, th, [role=img], dialog")];
  return all.filter((one) => one.checkVisibility() && !named(one)).map((one) => one.outerHTML.slice(0, 200));
}"""

ONE_TITLE = "() => [...document.querySelectorAll('h1')].filter((one) => one.innerText.includes('Suzaku')).length"


def check(page, where: str) -> None:
    """Look at what the page shows in every size, and in both themes."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(50)
        assert page.evaluate(CLIPPED) == [], f"{where} at {width} x {height}"
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        assert page.evaluate(FAINT) == [], f"{where}, {theme}"
    assert page.evaluate(UNNAMED) == [], where
    assert page.evaluate(ONE_TITLE) == 1, where


def test_every_page_fits_every_screen_and_can_be_read(server, new_page, tmp_path):
    path = tmp_path / "game.mjson"
    path.write_bytes(write_game(to_events(made_game(2)), "mjai"))
    room = server.dealt_table([RIICHI])
    page = new_page()
    page.get_by_role("button", name="Start").wait_for()
    page.get_by_text("All switches of the rules").click()
    check(page, "lobby")
    page.get_by_label("Settings").click()
    check(page, "settings")
    page.get_by_role("button", name="Close").click()

    async def rename() -> None:
        for place in room.seats:
            place.name = LONG

    asyncio.run_coroutine_threadsafe(rename(), server.loop).result(30)
    page.goto(f"http://{server.host}/#/table/{room.id}")
    page.get_by_role("button", name="Riichi").wait_for()
    check(page, "table")
    page.keyboard.press("h")
    page.locator(".hint-panel tbody tr").first.wait_for()
    check(page, "hint")
    page.set_viewport_size({"width": 844, "height": 390})
    hand = page.locator(".own-hand").bounding_box()
    tiles = [page.locator(".own-hand .tile").nth(i).bounding_box() for i in (0, 13)]
    assert tiles[1]["x"] + tiles[1]["width"] - tiles[0]["x"] > 0.8 * 844  # the hand has the whole width
    assert hand["y"] + hand["height"] <= 391
    board = page.locator(".board").bounding_box()
    assert board["width"] > 250
    assert board["y"] + board["height"] <= tiles[0]["y"] + 1
    page.get_by_role("button", name="Riichi").click()
    page.locator(".own-hand .tile.keeps").click()
    page.get_by_role("button", name="Ron").click()
    page.locator("dialog.end").wait_for()
    check(page, "settlement")
    page.goto(f"http://{server.host}/#/")
    page.locator("#record").set_input_files(path)
    page.locator(".agree, .disagree").first.wait_for()
    page.get_by_role("button", name="Forward").click()
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint-panel").wait_for()
    check(page, "replay")
    page.get_by_role("button", name="Last").click()
    page.locator(".settlement").wait_for()
    check(page, "settlement of a replay")
