"""What an agent is, beyond what it is called: the same name may stand for other weights tomorrow."""

import hashlib
import inspect
from pathlib import Path

from suzaku.agents.agent import Agent
from suzaku.agents.network import NetworkAgent
from suzaku.agents.program import ProgramAgent

DIGITS = 16  # of a hash


def identity(agent: Agent) -> str:
    """A text that changes when the agent's weights do, the files that its command names, or the file of its class.

    Players of this package without weights are known by their names alone: nothing.
    """
    if isinstance(agent, NetworkAgent):
        weights = [f"{name} {model.hash}" for name, model in sorted(agent.models.items())]
        return "weights " + hashlib.sha256("\n".join(weights).encode()).hexdigest()[:DIGITS]
    if isinstance(agent, ProgramAgent):
        named = [Path(word) for word in agent.command]
        return ", ".join(f"{path.name} {_hash(path)}" for path in named if path.is_file())
    if type(agent).__module__.partition(".")[0] != "suzaku":
        path = inspect.getsourcefile(type(agent))
        return f"{Path(path).name} {_hash(Path(path))}" if path else ""
    return ""


def _hash(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            found.update(part)
    return found.hexdigest()[:DIGITS]
