"""Agents by game and name: random, shanten, suphx, oracle:FOLDER, mjai:COMMAND, botzone:COMMAND, and their short
names.

- Names of agents short enough to be shown at a table.
- Agents by game and name: `random`, `shanten`, `suphx`, `oracle:FOLDER`, `mjai:COMMAND`, `botzone:COMMAND` ...
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from suzaku.networks.bundled import BASES, bundled
from suzaku.system import did_you_mean

if TYPE_CHECKING:
    from suzaku.agents.agent import Agent

LONGEST = 24  # letters
PROGRAMS = ("mjai:", "mjai.app:", "botzone:")  # agents that are commands
INTERPRETERS = ("python", "pypy", "node", "deno", "bun", "java", "ruby", "perl", "bash", "sh", "uv", "env")


def short_name(text: str) -> str:
    """An agent by a short name: a program by its own name, a class by its, paths without folders, no more than fits."""
    name, colon, rest = text.partition(":")
    if name == "python":
        short = rest.rpartition(":")[2] or name
    elif text.startswith(PROGRAMS):
        short = _program(rest) or name
    else:
        short = name + colon + " ".join(map(_last_part, rest.split()))
    return short if len(short) <= LONGEST else short[: LONGEST - 1] + "…"


def short_names(texts: Iterable[str]) -> list[str]:
    """The short names of several agents; those that share one are numbered, so that people can tell them apart."""
    names = [short_name(text) for text in texts]
    count, seen = Counter(names), Counter[str]()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if count[name] == 1 else f"{name} {seen[name]}")
    return found


def _program(command: str) -> str:
    """What a command runs: the script of an interpreter, otherwise the program."""
    quoted = re.findall(r"'[^']*'|\"[^\"]*\"|\S+", command)
    words = [_last_part(word.strip("'\"")) for word in quoted if "{seat}" not in word]
    names = [word for word in words if not word.startswith("-")]
    while len(names) > 1 and re.fullmatch(f"({'|'.join(INTERPRETERS)})[0-9.]*(\\.exe)?|run", names[0]):
        names.pop(0)
    return re.sub(r"\.(py|js|ts|jar|rb|pl|sh|exe)$", "", names[0]) if names else ""


def _last_part(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


NETWORK_AGENTS = {
    "suphx": ("suzaku.agents.suphx", "SuphxAgent"),
    "oracle": ("suzaku.agents.suphx", "OracleAgent"),
    "gao": ("suzaku.agents.suphx", "GaoAgent"),
    "mcr": ("suzaku.agents.mcr_network", "McrAgent"),
}  # loaded when they are wanted: each brings kernels of its own
ADAPTING = "suzaku.rl.adapt_agent"  # found by its name, as a user's class is


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
    """A player with networks; `rest` is FOLDER,temperature=T,seed=S with every part left out at will.

    `suphx` also takes adapt=K and adapt_NAME=VALUE: see `suzaku/rl/adapt_config.py`.
    """
    folder = str(bundled(weights))
    numbers: dict[str, float] = {}
    adapt: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals and part == "adapt" and name == "suphx":
            raise ValueError("adapt: say by how many rollouts, as in adapt=512")
        if not equals:
            folder = part
            continue
        if name == "suphx" and (key == "adapt" or key.startswith("adapt_")):
            adapt[key] = value
            continue
        if key not in ("temperature", "seed"):
            also = ", and adapt with its settings" if name == "suphx" else ""
            raise ValueError(f"{name} has no setting {key!r}; there are temperature and seed{also}")
        try:
            numbers[key] = float(value)
        except ValueError:
            raise ValueError(f"{name}: {key} takes a number, not {value!r}") from None
    temperature, seed = numbers.get("temperature", 0.0), int(numbers.get("seed", 0))
    if adapt:
        return _adapting(folder, temperature, seed, adapt)
    module, class_ = NETWORK_AGENTS[name]
    return getattr(import_module(module), class_)(folder, temperature, seed)


def _adapting(folder: str, temperature: float, seed: int, settings: dict[str, str]) -> Agent:
    """The one agent that learns while it plays: it lives with reinforcement learning, and needs torch."""
    try:
        import torch  # noqa: F401
    except (ImportError, OSError):
        raise ValueError("adapt needs torch, which is not installed: pip install 'suzaku[train]'") from None
    return import_module(ADAPTING).make(folder, temperature, seed, settings)


def _oracle(rest: str) -> Agent:
    if not rest.partition(",")[0] or "=" in rest.partition(",")[0]:
        raise ValueError("oracle needs the folder of an oracle player, such as oracle:runs/rl/oracle; none is bundled")
    return _network("oracle", rest, "suphx")


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
    **{name: partial(_network, "suphx", weights=name) for name in BASES},
    "oracle": _oracle,
    "gao": lambda rest: _network("gao", rest, "gao"),
    "mjai": _mjai,
    "mjai.app": _mjai_app,
    "heuristic": _heuristic,
    "efr": _efr,
    "python": _python,
}


def _mcr_random(rest: str) -> Agent:
    from suzaku.agents.simple import RandomAgent

    return RandomAgent(game="mcr")


def _mcr_shanten(rest: str) -> Agent:
    from suzaku.agents.mcr_heuristic import ShantenAgent

    return ShantenAgent()


def _mcr_heuristic(rest: str) -> Agent:
    from suzaku.agents.mcr_heuristic import HeuristicAgent

    return HeuristicAgent()


def _botzone(rest: str) -> Agent:
    from suzaku.agents.botzone.process import BotzoneAgent

    return BotzoneAgent(rest)


MCR_AGENTS: dict[str, Callable[[str], Agent]] = {
    "random": _mcr_random,
    "shanten": _mcr_shanten,
    "heuristic": _mcr_heuristic,
    "mcr": lambda rest: _network("mcr", rest, "mcr"),
    "botzone": _botzone,
    "python": _python,
}
AGENTS_OF = {"riichi": AGENTS, "mcr": MCR_AGENTS}  # by game; of a game without players here, Riichi's are named


SIMPLE = ("random", "tsumogiri", "shanten", "heuristic")  # agents without settings
CHEATS = ("oracle",)  # agents that look at what their seat cannot see


def cheats(text: str) -> bool:
    """Whether the agent that a text names sees the hidden tiles."""
    return text.partition(":")[0] in CHEATS


def plays(text: str, game: str) -> bool:
    """Whether the agent that a text names plays a game."""
    name, _, rest = text.partition(":")
    return _python(rest).game == game if name == "python" else name in AGENTS_OF.get(game, ())


def make_agent(text: str, game: str = "riichi", cheating: bool = False) -> Agent:
    """The agent of a game that a text names; what follows a colon is the agent's own (a folder, a command ...).

    One that sees the hidden tiles is made for those alone who say that it may cheat: the arena.
    """
    name, _, rest = text.partition(":")
    agents = AGENTS_OF.get(game, AGENTS)
    if name not in agents:
        raise ValueError(f"there is no agent {name!r} of {game}; {did_you_mean(name, agents)}")
    if cheats(text) and not cheating:
        raise ValueError(f"{text} sees the hidden tiles: only `suzaku arena` seats it")
    if rest and name in SIMPLE:
        raise ValueError(f"{text}: {name} has no settings, its name is all")
    return agents[name](rest)
