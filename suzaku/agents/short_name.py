"""Names of agents short enough to be shown at a table."""

import re
from collections import Counter
from collections.abc import Iterable

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
