"""A zip file for Botzone's Python bots: one `__main__.py` of plain Python, from 3.6 on, and the tables that it reads.

It holds the kernels of this package as they are, without Numba: see `bundle.py`.
"""

import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.agents.botzone import plain
from suzaku.agents.botzone.bot import Bot, talk
from suzaku.agents.botzone.bundle import Bundle
from suzaku.agents.mcr.heuristic.choose import choose_claim, choose_turn
from suzaku.agents.mcr.heuristic.coefficients import coefficients
from suzaku.agents.mcr.shanten import choose
from suzaku.files import write_whole
from suzaku.hand.tables import tables
from suzaku.mcr.lookahead.state import SEARCH
from suzaku.mcr.state import CALLED, TURN

MOST = 4_000_000  # bytes that Botzone takes

HEAD = '''"""A bot of Botzone for Chinese Standard Mahjong: the agent {agent} of Suzaku, in plain Python."""

import json
import sys
'''
CHOICE = {
    "shanten": "return {choose}(tables(), s, legal)",
    "heuristic": """return ({turn} if s.phase in ({called}, {at_turn}) else {claim})(
            tables(), s, legal, self.c, self.q, [0.0] * len(legal)
        )""",
}
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
        self.c, self.q = Record({constants}.fields), Record({query}.fields)
        for name, value in {usual!r}.items():
            setattr(self.c, name, value)

    def act(self, asked, legal):
        return Answer(self.choose(asked[0], legal[0]))

    def choose(self, s, legal):
        {choice}


if __name__ == "__main__":
    {talk}({bot}(Player(), lambda text: print(text, file=sys.stderr)), sys.stdin, sys.stdout)
"""


def bot_source(agent: str) -> tuple[str, bytes]:
    """The file of a bot, and the tables that lie beside it. ValueError if this agent cannot be packed."""
    if agent not in CHOICE:
        raise ValueError(f"{agent} cannot be packed for Botzone; there are {', '.join(CHOICE)}")
    named: dict[Any, str] = {tables: "tables", Agent: "object", Answers: "object"}
    bundle = Bundle({id(getattr(value, "py_func", value)): name for value, name in named.items()})
    given: dict[str, Any] = {
        "talk": talk, "bot": Bot, "choose": choose, "turn": choose_turn, "claim": choose_claim, "query": SEARCH,
        "constants": coefficients().dtype,
    }  # fmt: skip
    names = {key: bundle.name_of(value, _name(value, key)) for key, value in given.items()}
    record = tables()
    fields = [name for name in record.dtype.names or () if name in bundle.fields]
    shapes = [(name, record[name].dtype.name, record[name].shape) for name in fields]
    data = zlib.compress(b"".join(np.ascontiguousarray(record[name]).tobytes() for name in fields), 9)
    numbers = coefficients()
    usual = {name: float(numbers[name]) for name in numbers.dtype.names or ()}
    choice = CHOICE[agent].format(**names, called=CALLED, at_turn=TURN)
    end = END.format(**names, shapes=shapes, agent=agent, usual=usual, choice=choice)
    return HEAD.format(agent=agent) + "\n\n".join([Path(plain.__file__).read_text("utf-8"), bundle.source(), end]), data


def _name(value: Any, key: str) -> str:
    return getattr(value, "__name__", key.upper()) if isinstance(value, Callable) else key.upper()  # type: ignore[arg-type]


def write_package(path: Path, agent: str) -> int:
    """Write the zip for an agent; its size in bytes."""
    source, data = bot_source(agent)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("__main__.py", source)
        file.writestr(zipfile.ZipInfo("tables.bin"), data)
    if len(made.getvalue()) > MOST:
        raise ValueError(f"the package has {len(made.getvalue()):,} bytes, and Botzone takes {MOST:,}")
    write_whole(path, made.getvalue())
    return len(made.getvalue())
