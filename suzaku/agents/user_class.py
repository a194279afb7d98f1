"""Agents that are not of this package, `python:my_agent.py:MyAgent`, and what an agent is beyond its name.

- Agents that are not of this package: `python:my_agent.py:MyAgent`, or `python:my_package.module:MyAgent`.
- What an agent is, beyond what it is called: the same name may stand for other weights tomorrow.
"""

import hashlib
import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from suzaku.agents.agent import Agent, Answers, ProgramAgent, check_answers
from suzaku.agents.network import NetworkAgent
from suzaku.system import did_you_mean

A = TypeVar("A")


def user_agent(text: str) -> Agent:
    """The agent that FILE:CLASS or MODULE:CLASS names. ValueError says why it cannot be had."""
    where, _, name = text.rpartition(":")
    if not where or not name:
        raise ValueError(f"python:{text} names no class: write python:my_agent.py:MyAgent, or python:my.module:MyAgent")
    module = _load(where)
    found = getattr(module, name, None)
    if found is None:
        agents = [key for key, value in vars(module).items() if isinstance(value, type) and issubclass(value, Agent)]
        raise ValueError(f"{where} has no class {name!r}" + (f"; {did_you_mean(name, agents)}" if agents else ""))
    if not isinstance(found, type) or not issubclass(found, Agent):
        raise ValueError(f"{where}: {name} is not a subclass of suzaku.agents.agent.Agent")
    try:
        agent = found()
    except Exception as error:  # of somebody else's code: anything
        raise ValueError(f"{where}: {name}() cannot be made ({_said(error, where)})") from None
    _check_what_it_gives(agent)
    return agent


def _check_what_it_gives(agent: Agent) -> None:
    """Let an agent's answers be looked at wherever it is asked."""
    for name in ("act", "act_at"):
        if ask := getattr(agent, name, None):

            def checked(*asked: Any, ask: Callable[..., object] = ask, **named: Any) -> Answers:
                tables = asked[0] if asked else named["records"]
                return check_answers(ask(*asked, **named), agent, len(tables))

            setattr(agent, name, checked)


def _load(where: str) -> ModuleType:
    """The module at a path, or of a name; a path is loaded once and again when its file has changed."""
    if not where.endswith(".py"):
        if (folder := str(Path.cwd())) not in sys.path:
            sys.path.insert(0, folder)  # as `python -m` does
        return _run(where, lambda: importlib.import_module(where))
    path = Path(where).resolve()
    try:
        source = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{where} cannot be read ({error.strerror})") from None
    name = f"suzaku_user_{path.stem}_{hashlib.sha256(str(path).encode() + source).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    loader = spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles look for it there
    if (folder := str(path.parent)) not in sys.path:
        sys.path.append(folder)  # what lies beside the file can be imported, as when Python runs it
    try:
        _run(where, lambda: loader.exec_module(module))
    except ValueError:
        del sys.modules[name]
        raise
    return module


def _run(where: str, load: Callable[[], A]) -> A:
    """Let somebody else's code run. ValueError if it does not."""
    try:
        return load()
    except Exception as error:  # of somebody else's code: anything
        raise ValueError(f"{where} cannot be loaded ({_said(error, where)})") from None


def _said(error: Exception, where: str) -> str:
    """What went wrong, and in which line of the file if it was there."""
    own = Path(where).name
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).name == own]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return (f"line {line}: " if line else "") + f"{type(error).__name__}: {text}".replace("\n", " ")


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
