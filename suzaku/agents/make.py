"""Agents by name: `random`, `tsumogiri`, `shanten`, `heuristic`, `suphx`, `gao` ..."""

import difflib
from collections.abc import Callable

from suzaku.agents.agent import Agent


def _random(rest: str) -> Agent:
    from suzaku.agents.simple import RandomAgent

    return RandomAgent()


def _tsumogiri(rest: str) -> Agent:
    from suzaku.agents.simple import TsumogiriAgent

    return TsumogiriAgent()


def _shanten(rest: str) -> Agent:
    from suzaku.agents.simple import ShantenAgent

    return ShantenAgent()


AGENTS: dict[str, Callable[[str], Agent]] = {
    "random": _random,
    "tsumogiri": _tsumogiri,
    "shanten": _shanten,
}


def make_agent(text: str) -> Agent:
    """The agent a text names; what follows a colon is the agent's own (a checkpoint folder, a command ...)."""
    name, _, rest = text.partition(":")
    if name not in AGENTS:
        near = difflib.get_close_matches(name, AGENTS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(AGENTS)}"
        raise ValueError(f"there is no agent {name!r}; {hint}")
    return AGENTS[name](rest)
