"""The first start: what the match loop and the agents compile."""

from collections.abc import Callable

PLAIN = ("random", "tsumogiri", "shanten")  # compiled with the match loop

Step = tuple[str, float, Callable[[], object]]


def arena_steps() -> list[Step]:
    """Play a little, each part compiling what it needs."""
    from suzaku.arena.floor import Floor
    from suzaku.arena.match import Match

    def play() -> None:
        Floor(Match(PLAIN, "1v3", length="east"), 8).advance(list(range(8)), 0.0)

    return [("match loop", 20, play)]


def agent_steps(agent: str) -> list[Step]:
    """Let an agent play a little: once, here, and not in every worker while its clock runs."""
    from suzaku.agents.make import make_agent
    from suzaku.agents.mjai_bot import warm_up

    return [(agent, 20, lambda: warm_up(make_agent(agent), 200))]
