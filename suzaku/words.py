"""Words for people: numbers and lists, and sentences on stderr."""

import difflib
import math
import sys
from collections.abc import Iterable


def amount(value: float, digits: int) -> str:
    """A number with so many digits after the point; a dash where there is none."""
    return "-" if math.isnan(value) else f"{value:,.{digits}f}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What to say of a name that nothing has: the one it is nearest to, or all there are."""
    known = list(known)
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"


def no_rules(name: str, presets: Iterable[str]) -> str:
    """What to say of rules that no preset has."""
    return f"there are no rules {name!r}; {did_you_mean(name, presets)}"


def say(text: object) -> None:
    """Say a sentence on stderr."""
    print(f"suzaku: {text}", file=sys.stderr, flush=True)


def some(n: int, word: str) -> str:
    """A number of things in words: 1 game, 2 games."""
    return f"{n:,} {word}" + ("" if n == 1 else "s")
