"""Numbers and lists in words, for people."""


def some(n: int, word: str) -> str:
    """A number of things in words: 1 game, 2 games."""
    return f"{n:,} {word}" + ("" if n == 1 else "s")
