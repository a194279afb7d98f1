"""The documentation keeps up with the code."""

import contextlib
import dataclasses
import io
import re
from pathlib import Path

import pytest

from docs.generate import pages
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.rules import Rules

TOP = Path(__file__).parent.parent
PAGES = sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md")])


def test_every_switch_of_the_rules_is_explained():
    text = (TOP / "docs" / "rules.md").read_text(encoding="utf-8")
    for field in dataclasses.fields(Rules):
        assert f"| `{field.name}` |" in text


def test_every_action_has_a_line():
    text = (TOP / "docs" / "rules.md").read_text(encoding="utf-8").split("## Actions")[1].split("##")[0]
    found: list[int] = []
    for cell in re.findall(r"^\| ([\d., ]+) \|", text, re.MULTILINE):
        numbers = [int(number) for number in re.findall(r"\d+", cell)]
        found += range(numbers[0], numbers[1] + 1) if ".." in cell else numbers
    assert found == list(range(ACTIONS))


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_examples_run(page):
    """Every Python block runs, and prints what a comment line below a `print` says."""
    for code in re.findall(r"```python\n(.*?)```", (TOP / page).read_text(encoding="utf-8"), re.DOTALL):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(code, {})
        for promised in re.findall(r"^# (.+)$", code, re.MULTILINE):
            assert promised in printed.getvalue()


def rooms() -> list[set[str]]:
    """The folders and files of each row of the table of rooms, from the top."""
    text = (TOP / "docs" / "architecture.md").read_text(encoding="utf-8").split("## Rooms")[1].split("\n\nInside")[0]
    return [set(re.findall(r"`suzaku/([\w.]+)/?`", row.split(" | ")[0])) for row in re.findall(r"^\| `.*", text, re.M)]


def test_every_room_is_in_the_table():
    inside = {
        path.name for path in (TOP / "suzaku").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert set().union(*rooms()) == inside - {"__init__.py", "__main__.py"}


def test_rooms_import_only_rooms_above_them():
    level = {name.removesuffix(".py"): i for i, names in enumerate(rooms()) for name in names}
    for name in level:
        files = [TOP / "suzaku" / f"{name}.py", *(TOP / "suzaku" / name).rglob("*.py")]
        for path in filter(Path.exists, files):
            for used in re.findall(r"^\s*(?:from|import) suzaku\.(\w+)", path.read_text(encoding="utf-8"), re.M):
                assert level[used] <= level[name], f"{path.relative_to(TOP)} imports {used}, a room below it"


@pytest.mark.parametrize("page", [*PAGES, TOP / "suzaku" / "models" / "README.md"], ids=lambda page: page.name)
def test_files_that_pages_name_exist(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for name in re.findall(r"`((?:suzaku|tests|benchmarks|examples|docs)/[\w./-]+)`", text):
        assert (TOP / name).exists(), f"{page.name} names {name}, which is not there"


def test_files_that_tables_of_a_folder_name_exist():
    """Tables whose head or introduction names a folder give the files in it."""
    pages = (
        ("architecture.md", "Inside `(suzaku/riichi/)`:\n\n(.*?)\n\n"),
        ("web.md", "file of `(suzaku/web/)` (.*?)\n\n"),
    )
    for page, pattern in pages:
        text = (TOP / "docs" / page).read_text(encoding="utf-8")
        folder, table = re.search(pattern, text, re.DOTALL).groups()
        named = {name for row in table.splitlines() for name in re.findall(r"`([\w/]+\.py)`", row.split(" | ")[0])}
        for name in named:
            assert (TOP / folder / name).exists(), f"{page} names {folder}{name}, which is not there"
        inside = {path.relative_to(TOP / folder).as_posix() for path in (TOP / folder).rglob("*.py")}
        missing = {name for name in inside - named if not name.endswith("__init__.py")}
        assert not missing, f"{page} does not say what {', '.join(sorted(missing))} of {folder} is"


def test_tables_of_the_pages_are_those_of_the_code():
    made = pages()
    assert len(made) == 3
    for page, text in made.items():
        assert page.read_text(encoding="utf-8") == text, f"{page.name} is not up to date: python docs/generate.py"


def test_the_map_leads_to_what_it_names():
    text = (TOP / "docs" / "architecture.md").read_text(encoding="utf-8").split("## Where is it?")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if "`suzaku/" in line]
    assert len(rows) >= 50
    for question, files, *names in rows:
        code = "".join((TOP / name).read_text(encoding="utf-8") for name in re.findall(r"`(suzaku/[\w./]+)`", files))
        for name in re.findall(r"`(\w+)`", " ".join(names)):
            assert re.search(rf"^((def|class) )?{name}\b", code, re.MULTILINE), f"{question} {files} has no {name}"


def headings(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.+)", text, re.M)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target, heading in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8")):
        found = page.parent / target if target else page
        assert found.exists(), f"{page.name} links to {target}, which is not there"
        assert not heading or heading in headings(found), f"{page.name} links to #{heading}, which {found.name} has not"
