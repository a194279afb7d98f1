"""A zip file for Botzone's Python bots: `__main__.py` at its top, and of this package what a bot of MCR needs.

The start unpacks the zip beside the user's files, since kernels are cached by the files they come from. It needs the
Python and the libraries that this package needs; a platform with an older Python refuses it in one sentence.
"""

import hashlib
import io
import zipfile
from pathlib import Path

import suzaku
from suzaku.files import write_whole

LEFT_OUT = ("apps", "arena", "learning", "review", "rl")  # rooms that a bot of MCR does not import from
START = '''"""A bot of Botzone for Chinese Standard Mahjong: Suzaku's agent {agent}."""

import os
import sys
import tempfile
import zipfile

if sys.version_info < (3, 11):
    sys.exit("this bot needs Python 3.11 or newer, with numpy and numba")

here = os.path.dirname(os.path.abspath(__file__))
if os.path.isfile(here):  # run from the zip
    folder = os.path.join("data" if os.path.isdir("data") else tempfile.gettempdir(), "suzaku-{digest}")
    if not os.path.isdir(folder):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as part, zipfile.ZipFile(here) as file:
            file.extractall(os.path.join(part, "all"))
            os.replace(os.path.join(part, "all"), folder)
    sys.path.insert(0, folder)

from suzaku.agents.botzone.bot import Bot, talk
from suzaku.agents.make import make_agent

talk(Bot(make_agent({agent!r}, "mcr"), lambda text: print(text, file=sys.stderr)), sys.stdin, sys.stdout)
'''


def write_package(path: Path, agent: str) -> int:
    """Write the zip for an agent; its size in bytes."""
    root = Path(suzaku.__file__).parent
    files = [one for one in sorted(root.rglob("*.py")) if one.relative_to(root).parts[0] not in LEFT_OUT]
    digest = hashlib.sha256(b"".join(one.read_bytes() for one in files) + agent.encode()).hexdigest()[:16]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("__main__.py", START.format(agent=agent, digest=digest))
        for one in files:
            file.writestr(one.relative_to(root.parent).as_posix(), one.read_bytes())
    write_whole(path, made.getvalue())
    return len(made.getvalue())
