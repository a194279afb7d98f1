"""The files of the page are laid out to be read: no long lines, no large files, nothing that is not linked."""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

from suzaku.riichi.yaku import YAKU
from suzaku.web.protocol import SENTENCES
from suzaku.web.server import STATIC

COLUMNS = 120
LINES = 400


def columns(line: str) -> int:
    """How wide a line is; Japanese and Chinese letters are two columns wide."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


def files() -> list[Path]:
    found = sorted(path for path in STATIC.rglob("*") if path.is_file())
    assert len(found) > 20
    return found


def texts() -> dict[str, dict[str, Any]]:
    """What the page says, by language."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(STATIC.glob("texts/*.json"))}


def test_no_long_lines_and_no_large_files():
    for path in (path for path in files() if path.suffix != ".json"):  # there a text is a line
        lines = path.read_text("utf-8").splitlines()
        wide = [number for number, line in enumerate(lines, 1) if columns(line) > COLUMNS]
        assert not wide, f"{path.name}: lines {wide} are wider than {COLUMNS} columns"
        assert len(lines) <= LINES, f"{path.name} has {len(lines)} lines"


def test_every_file_is_linked_from_the_page():
    todo, seen = [STATIC / "index.html"], set()
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        assert path.is_file(), f"{path} is linked but is not there"
        seen.add(path)
        text = path.read_text("utf-8")
        links = re.findall(r'(?:href|src)="((?:css|js|\w+\.svg)[^"#]*)"', text) if path.suffix == ".html" else []
        links += re.findall(r'from "(\./[^"]+)"', text) if path.suffix == ".js" else []
        links += [f"../texts/{language}.json" for language in texts()] if path.name == "texts.js" else []
        todo += [(path.parent / link).resolve() for link in links]
    assert {path.resolve() for path in files()} == {path.resolve() for path in seen}


def test_every_text_is_there_in_every_language():
    english, *others = texts().values()
    assert len(others) == 2
    for said in others:
        assert list(said) == list(english)
        for part in ("words", "suits", "errors"):
            assert list(said[part]) == list(english[part])
            for key, text in said[part].items():
                assert text, key
                places = [sorted(re.findall(r"{(\w+)}", one)) for one in (text, english[part][key])]
                assert places[0] == places[1], f"{key}: the languages fill in other values"
        for sentence, text in said["reasons"].items():
            assert set(re.findall(r"{(\w+)}", text)) <= set(re.findall(r"{(\w+)}", sentence)), sentence
        assert set(said["yaku"]) >= {yaku.name for yaku in YAKU} - {"renhou"}  # which is not played
        for part in ("yaku", "reasons"):
            assert list(said[part]) == list(others[0][part])
            assert all(said[part].values())
    assert all(len(said["winds"]) == 4 and len(said["honours"]) == 7 for said in texts().values())
    assert set(english["errors"]) == set(SENTENCES)


def test_every_text_that_the_page_says_is_there():
    for path in STATIC.glob("js/*.js"):
        for key in re.findall(r'\b(?:t|fill)\("([^"]+)"', path.read_text("utf-8")):
            assert key in texts()["en"]["words"], f"{path.name} says {key!r}, which has no text"


def test_the_name_is_drawn_and_needs_no_font():
    """The header shows 朱雀 as strokes: none of its letters is text."""
    header = re.search("<header>.*?</header>", (STATIC / "index.html").read_text("utf-8"), re.DOTALL).group()
    shown = re.sub(r"<!--.*?-->", "", header, flags=re.DOTALL)
    svg = re.search(r'<svg viewBox="0 0 216 100".*?</svg>', shown, re.DOTALL).group()
    strokes = sum(path.count("M") for path in re.findall(r'd="([^"]+)"', svg))
    assert strokes >= 6 + 11  # as many as the two have
    assert not re.search("[\u4e00-\u9fff]", shown)
