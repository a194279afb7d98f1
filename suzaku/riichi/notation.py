"""Reading indicators from text."""

from collections.abc import Iterable

from suzaku.tiles import parse, to_text


def read_indicators(indicators: str | Iterable[str], what: str) -> list[int]:
    """Indicators from one text, or one text each."""
    tiles = parse(indicators if isinstance(indicators, str) else "".join(indicators))
    if len(tiles) > 5:
        raise ValueError(f"{len(tiles)} {what} indicators {to_text(tiles)}: there are at most five")
    return tiles
