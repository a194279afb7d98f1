"""The first start: what the match loop compiles."""

from collections.abc import Callable


def arena_steps() -> list[tuple[str, float, Callable[[], object]]]:
    """Play a little, each part compiling what it needs."""
    from suzaku.arena.floor import Floor
    from suzaku.arena.match import Match

    def play() -> None:
        Floor(Match(("tsumogiri", "shanten"), "1v3", length="east"), 4).advance([0, 1, 2, 3], 0.0)

    return [("match loop", 20, play)]
