"""Agents by name: `random`, `shanten`, `heuristic`, `suphx`, `gao`, `mjai:COMMAND`, `python:FILE:CLASS` ..."""

from collections.abc import Callable

from suzaku.agents.agent import Agent
from suzaku.words import did_you_mean


def _random(rest: str) -> Agent:
    from suzaku.agents.simple import RandomAgent

    return RandomAgent()


def _tsumogiri(rest: str) -> Agent:
    from suzaku.agents.simple import TsumogiriAgent

    return TsumogiriAgent()


def _shanten(rest: str) -> Agent:
    from suzaku.agents.simple import ShantenAgent

    return ShantenAgent()


def _network(name: str, rest: str, weights: str) -> Agent:
    """A player with networks; `rest` is FOLDER,temperature=T,seed=S with every part left out at will."""
    from suzaku.agents.gao import GaoAgent
    from suzaku.agents.suphx import SuphxAgent
    from suzaku.networks.bundled import bundled

    folder = str(bundled(weights))
    numbers: dict[str, float] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            folder = part
            continue
        if key not in ("temperature", "seed"):
            raise ValueError(f"{name} has no setting {key!r}; there are temperature and seed")
        try:
            numbers[key] = float(value)
        except ValueError:
            raise ValueError(f"{name}: {key} takes a number, not {value!r}") from None
    agent = GaoAgent if name == "gao" else SuphxAgent
    return agent(folder, numbers.get("temperature", 0.0), int(numbers.get("seed", 0)))


def _mjai(rest: str) -> Agent:
    from suzaku.agents.mjai.process import MjaiAgent

    return MjaiAgent(rest)


def _mjai_app(rest: str) -> Agent:
    from suzaku.agents.mjai.process import MjaiAgent

    return MjaiAgent(rest, arrays=True)


def _heuristic(rest: str) -> Agent:
    from suzaku.agents.heuristic.agent import HeuristicAgent

    return HeuristicAgent()


def _efr(rest: str) -> Agent:
    """`rest` is MODEL,reward=PREDICTOR with either left out at will."""
    from suzaku.agents.efr import USUAL, EfrAgent

    model, reward = USUAL, ""
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            model = part
        elif key == "reward":
            reward = value
        else:
            raise ValueError(f"efr has no setting {key!r}; there is reward")
    return EfrAgent(model, reward)


def _python(rest: str) -> Agent:
    from suzaku.agents.user_class import user_agent

    return user_agent(rest)


AGENTS: dict[str, Callable[[str], Agent]] = {
    "random": _random,
    "tsumogiri": _tsumogiri,
    "shanten": _shanten,
    "suphx": lambda rest: _network("suphx", rest, "suphx"),
    "weak": lambda rest: _network("suphx", rest, "weak"),
    "gao": lambda rest: _network("gao", rest, "gao"),
    "mjai": _mjai,
    "mjai.app": _mjai_app,
    "heuristic": _heuristic,
    "efr": _efr,
    "python": _python,
}


def make_agent(text: str) -> Agent:
    """The agent a text names; what follows a colon is the agent's own (a checkpoint folder, a command ...)."""
    name, _, rest = text.partition(":")
    if name not in AGENTS:
        raise ValueError(f"there is no agent {name!r}; {did_you_mean(name, AGENTS)}")
    return AGENTS[name](rest)
