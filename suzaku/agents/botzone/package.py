"""A zip file for Botzone's Python bots: one `__main__.py` of plain Python, from 3.6 on, and the tables that it reads.

It holds the kernels of this package as they are, without Numba: see `bundle.py`. A player with networks has their
weights beside it, and needs NumPy for them.
"""

import ast
import io
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.agents.botzone import plain
from suzaku.agents.botzone.bot import Bot, talk
from suzaku.agents.botzone.bundle import Bundle
from suzaku.agents.botzone.network_player import NetworkPlayer, sight_of
from suzaku.agents.make import make_agent
from suzaku.agents.mcr_heuristic import choose, choose_claim, choose_turn, coefficients
from suzaku.agents.mcr_network import McrAgent
from suzaku.hand.tables import tables
from suzaku.mcr.plans import SEARCH
from suzaku.mcr.state import CALLED, TURN
from suzaku.networks import numpy_network
from suzaku.system import write_whole

MOST = 4_000_000  # bytes that Botzone takes
AGENTS = ("shanten", "heuristic", "mcr")

HEAD = '''"""A bot of Botzone for Chinese Standard Mahjong: the agent {agent} of Suzaku, in plain Python."""

import json
import sys
'''
END = """
TABLES = read_tables({shapes!r})


def tables():
    return TABLES


class Answer:
    def __init__(self, action):
        self.actions = [action]


class Player:
    name = {agent!r}

    def __init__(self):
        {start}

    def act(self, asked, legal):
        return Answer(self.choose(asked[0], legal[0]))

    def choose(self, s, legal):
        {choice}


if __name__ == "__main__":
    {talk}({bot}(Player(), lambda text: print(text, file=sys.stderr)), sys.stdin, sys.stdout)
"""
SHAPE = "return {choose}(tables(), s, legal)"
PLANS_START = """self.c, self.q = Record({constants}.fields), Record({query}.fields)
        for name, value in {usual!r}.items():
            setattr(self.c, name, value)"""
PLANS = """return ({turn} if s.phase in ({called}, {at_turn}) else {claim})(
            tables(), s, legal, self.c, self.q, [0.0] * len(legal)
        )"""
NETWORKS_START = """steps = {{
            name: read_npz(layers, io.BytesIO(read_beside(name + ".npz"))) for name, layers in {layers!r}.items()
        }}

        def ask(name, planes):
            return logits(steps[name], np.array([planes], np.uint8))[0].tolist()

        self.player = {player}({sights!r}, ask, Record({query}.fields))"""
LAYER = """class Layer:
    def __init__(self, **given):
        self.__dict__.update(given)"""
NETWORKS = "return self.player.choose(s, legal)"


class _Bare(ast.NodeTransformer):
    """Takes annotations off, which newer versions of Python alone can read."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """An argument."""
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """What a function returns."""
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """A variable."""
        assert node.value is not None
        return ast.Assign([node.target], node.value)


def _numpy_source() -> str:
    """The functions that run networks in NumPy, for old versions of Python."""
    tree = ast.parse(Path(numpy_network.__file__).read_text("utf-8"))
    kept = [one for one in tree.body if isinstance(one, ast.FunctionDef) or _assigned(one) in ("EPSILON", "BYTE")]
    made = [ast.unparse(ast.fix_missing_locations(_Bare().visit(one))) for one in kept]
    return "\n\n".join(["import io\n\nimport numpy as np", LAYER, *made])


def _assigned(node: ast.stmt) -> str:
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


def bot_source(agent: str) -> tuple[str, dict[str, bytes]]:
    """The file of a bot, and the files that lie beside it. ValueError if this agent cannot be packed."""
    family = agent.partition(":")[0]
    if family not in AGENTS:
        raise ValueError(f"{agent} cannot be packed for Botzone; there are {', '.join(AGENTS)}")
    playing = make_agent(agent, "mcr")
    named: dict[Any, str] = {tables: "tables", Agent: "object", Answers: "object", plain.Planes: "Planes"}
    runtime = {*vars(plain), *vars(numpy_network), "json", "sys", "io", "Layer", "TABLES", "Answer", "Player"}
    bundle = Bundle({id(getattr(value, "py_func", value)): name for value, name in named.items()}, runtime)

    def put(**given: Any) -> dict[str, str]:
        return {key: bundle.name_of(value, getattr(value, "__name__", key.upper())) for key, value in given.items()}

    names, files, parts = put(talk=talk, bot=Bot), {}, [Path(plain.__file__).read_text("utf-8")]
    start, choice = "pass", SHAPE
    if family == "shanten":
        choice = SHAPE.format(**put(choose=choose))
    elif family == "heuristic":
        numbers = coefficients()
        usual = {name: float(numbers[name]) for name in numbers.dtype.names or ()}
        start = PLANS_START.format(**put(query=SEARCH, constants=numbers.dtype), usual=usual)
        choice = PLANS.format(**put(turn=choose_turn, claim=choose_claim), called=CALLED, at_turn=TURN)
    else:
        assert isinstance(playing, McrAgent)
        if playing.temperature > 0:
            raise ValueError(f"{agent} draws its answers: a package plays without a temperature")
        if not playing.lookahead:
            raise ValueError(f"{agent} has learnt without the look-ahead: a package plays with it")
        sights = {name: sight_of(model) for name, model in playing.models.items()}
        layers = {name: model.spec.layers for name, model in playing.models.items()}
        start = NETWORKS_START.format(**put(player=NetworkPlayer, query=SEARCH), sights=sights, layers=layers)
        choice = NETWORKS
        files = {f"{name}.npz": _weights(model.tensors) for name, model in playing.models.items()}
        parts.append(_numpy_source())
    shapes, files["tables.bin"] = _tables(bundle.fields)
    parts += [bundle.source(), END.format(**names, shapes=shapes, agent=family, start=start, choice=choice)]
    return HEAD.format(agent=family) + "\n\n".join(parts), files


def _weights(tensors: Any) -> bytes:
    made = io.BytesIO()
    numpy_network.to_npz(tensors, made)
    return made.getvalue()


def _tables(wanted: Iterable[str]) -> tuple[list[Any], bytes]:
    """Name, type and shape of the tables of suits that are read, and all of their bytes."""
    record = tables()
    fields = [name for name in record.dtype.names or () if name in wanted]
    shapes = [(name, record[name].dtype.name, record[name].shape) for name in fields]
    return shapes, zlib.compress(b"".join(np.ascontiguousarray(record[name]).tobytes() for name in fields), 9)


def write_package(path: Path, agent: str) -> int:
    """Write the zip for an agent; its size in bytes."""
    source, files = bot_source(agent)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("__main__.py", source)
        for name, data in files.items():
            file.writestr(zipfile.ZipInfo(name), data)
    if len(made.getvalue()) > MOST:
        raise ValueError(f"the package has {len(made.getvalue()):,} bytes, and Botzone takes {MOST:,}")
    write_whole(path, made.getvalue())
    return len(made.getvalue())
