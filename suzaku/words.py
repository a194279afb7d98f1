"""Numbers and lists in words, for people."""

import math


def amount(value: float, digits: int) -> str:
    """A number with so many digits after the point; a dash where there is none."""
    return "-" if math.isnan(value) else f"{value:,.{digits}f}"


def some(n: int, word: str) -> str:
    """A number of things in words: 1 game, 2 games."""
    return f"{n:,} {word}" + ("" if n == 1 else "s")
