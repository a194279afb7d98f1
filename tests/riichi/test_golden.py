"""The golden rounds: one readable file for each corner of the rules."""

from pathlib import Path

import pytest

from tests.riichi.golden_round import GoldenError, Runner, parse, run

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
SMALL = "hand 0: 4z ????????????\nplay:\n0: 4z\n...\nend:\nresult: exhaustive draw\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_round(path: Path) -> None:
    run(path)


def test_there_are_golden_rounds() -> None:
    assert len(FILES) > 70


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("hand 0", "hands", "x:1: expected one of"),
        ("4z ????????????", "4z", "x:1: 'hand 0' has 1 tiles, there is place for 13"),
        ("4z ????????????", "44444z ????????", "x:1: there is no 4z left"),
        ("4z ????????????", "8z ????????????", "x:1: cannot read tiles"),
        ("\n0: 4z", "\n1: 4z", "x:3: seat 1 cannot 'discard 4z': seat 0 is asked"),
        ("\n0: 4z", "\n0: jump", "x:3: 'jump' is not an action"),
        ("\n0: 4z", "\neast: 4z", "x:3: expected such as"),
        ("\n0: 4z", "\n? 0 may not: 4z\n0: 4z", "x:3: seat 0 can '4z'"),
        ("\n0: 4z", "\n? 0 may: pong\n0: 4z", "x:3: seat 0 cannot 'pong'"),
        ("\n0: 4z", "\n? wind: E", "x:3: expected '[?] 1 may"),
        ("...\n", "", "x:3: the round is not over"),
        ("...", "... soon", "x:4: expected '...' or '... left 4'"),
        ("exhaustive draw", "nine kinds", "x:6: result: expected 'nine kinds', found 'exhaustive draw'"),
        ("result: exhaustive draw", "han 2: 3", "x:6: seat 2 did not win"),
        ("end:\n", "", "x: a golden round needs"),
        ("hand 0", "rules: joy=True\nhand 0", "x:1: 'joy=True' changes no rule"),
        ("hand 0", "scores: 1 2 3\nhand 0", "x:1: expected 4 numbers, not 3"),
        ("hand 0", "round: X1\nhand 0", "x:1: expected a round"),
    ],
)
def test_mistakes_are_named_with_their_place(old: str, new: str, message: str) -> None:
    with pytest.raises(GoldenError, match=message):
        Runner(parse("x", SMALL.replace(old, new, 1))).run()
