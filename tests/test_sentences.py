"""What the program says reads as English and stands alone: "is not a valid hand", and no "see above"."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "suzaku"
AWKWARD = re.compile(r"(?<!there )\b(?:is|are|was|were|be) no (?!longer)[a-z{]|\b(?:see|sentence) above\b")


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of every string of a file that is no docstring; "{}" for what an f-string fills in."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            inner.add(id(node.value))  # a docstring
    for node in ast.walk(tree):
        if id(node) in inner:
            continue
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_awkward_sentences_are_noticed():
    for text in ("12m is no hand", "values that are no finite numbers", "it is no {}", "it failed; see above"):
        assert AWKWARD.search(text), text
    for text in ("there is no player 5", "the loss is no longer a number", "12m is not a valid hand"):
        assert not AWKWARD.search(text), text


def test_no_sentence_is_awkward():
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line, text in sentences(path)
        if AWKWARD.search(text)
    ]
    assert not found, "\n".join(found)
