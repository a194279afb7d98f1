"""The pages are easy to read: short sentences, no semicolons, lines that fit a screen. Tables and code are free."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
PAGES = sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md"), TOP / "suzaku" / "models" / "README.md"])
WIDTH = 120
WORDS = 25  # a longer sentence is long
LONG = 0.10  # the share of a page's sentences that may be long
START = re.compile(r"\s*([-*]|\d\.) ")  # of an item of a list


def lines(text: str) -> Iterator[tuple[int, str]]:
    """The numbered lines of prose: those of tables and of code blocks, fenced or indented, are empty."""
    fenced = indented = False
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        deep = re.match(r" {4}", line) and not re.match(START, line)
        indented = bool(deep and (indented or not before.strip()))
        yield number, "" if fence or fenced or indented or line.lstrip().startswith("|") else line
        before = line


def plain(text: str) -> str:
    """Without stars and addresses: what stands in backquotes is one word, so is a file, of a link its text remains."""
    text = re.sub(r"`[^`]*`|\[[^\] ]*\.\w+\]\([^)]*\)", "code", text).replace("*", "")
    return re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of paragraphs and lists, each with the line on which its paragraph begins."""
    blocks: list[tuple[int, str]] = []
    for number, line in lines(text):
        if not line.strip() or line.startswith("#"):
            blocks.append((number, ""))
        elif START.match(line) or not blocks or not blocks[-1][1]:
            blocks.append((number, START.sub("", line, count=1) if START.match(line) else line))
        else:
            blocks[-1] = blocks[-1][0], f"{blocks[-1][1]} {line.strip()}"
    for number, block in blocks:
        found = re.sub(r"\b(e\.g|i\.e|eq|Fig|vs)\. ", r"\1 ", plain(block))
        for sentence in re.split(r"(?<=[.!?])[)\"]* +(?=[\"(]*[A-Z\d]|code)", found):
            if sentence.strip():
                yield number, sentence.strip()


def words(sentence: str) -> int:
    """Figures and signs are not counted."""
    return sum(bool(re.search("[A-Za-z]", word)) for word in sentence.split())


@pytest.fixture(params=PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def page(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_no_semicolons(page: Path):
    for number, line in lines(page.read_text(encoding="utf-8")):
        bare = re.sub(r"`[^`]*`|&\w+;", "", line)
        assert ";" not in bare, f"{page.relative_to(TOP)}:{number}: two sentences are better than a semicolon"


def test_lines_fit_a_screen(page: Path):
    for number, line in lines(page.read_text(encoding="utf-8")):
        seen = re.sub(r"\]\([^)]*\)", "]", line)
        assert len(seen) <= WIDTH, f"{page.relative_to(TOP)}:{number}: {len(seen)} characters, {WIDTH} fit"


def test_most_sentences_are_short(page: Path):
    found = list(sentences(page.read_text(encoding="utf-8")))
    long = [(words(sentence), number, sentence) for number, sentence in found if words(sentence) > WORDS]
    shown = "\n".join(
        f"{page.relative_to(TOP)}:{number}: {count} words: {sentence}" for count, number, sentence in long
    )
    assert len(long) <= LONG * len(found), f"{len(long)} of {len(found)} sentences have over {WORDS} words:\n{shown}"
