"""How large the house is: files, lines and the median of each room, and the longest chain of imports.

python benchmarks/size.py [--check]     (make size; make check runs it with --check)

Each room has a budget of lines. `--check` ends with exit code 1 if a room is over its budget, a folder holds more than
25 modules, or a file more than 450 lines. A budget is raised only with a reason in the commit. Deleting is praised.
"""

import argparse
import ast
import statistics
import sys
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "suzaku"
BUDGET = {  # lines of a room, with a little room to grow
    "agents": 6080,
    "arena": 1710,
    "cli": 4072,
    "features": 2500,
    "hand": 630,
    "kernel": 440,
    "learning": 2790,
    "lookahead": 1870,
    "mcr": 4280,
    "networks": 2247,
    "plots": 50,
    "records": 5440,
    "review": 770,
    "riichi": 4340,
    "rl": 4500,
    "seeds": 40,
    "system": 250,
    "table": 1820,
    "tiles": 110,
    "web": 2760,
    "winning_scores": 2250,
    "workers": 790,
}
MOST_FILES = 25  # modules of a folder, __init__.py aside
MOST_LINES = 450  # of a file


def lines(path: Path) -> int:
    """The lines of a file."""
    return path.read_text(encoding="utf-8").count("\n")


@cache
def imports() -> dict[str, set[str]]:
    """Which modules of the package each one imports at its head."""
    paths = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in PACKAGE.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for name, path in paths.items():
        used = set()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                used |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        found[name] = used & paths.keys() - {name}
    return found


@cache
def chain(name: str) -> tuple[str, ...]:
    """The longest way down from a module by imports."""
    return (name, *max((chain(one) for one in imports()[name]), key=len, default=()))


def main() -> int:
    """Print the table; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="say only what is over its budget, with exit code 1")
    check = parser.parse_args().check
    rooms: dict[str, list[Path]] = {}
    folders: dict[Path, int] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE).parts
        if len(inside) > 1 or path.stem not in ("__init__", "__main__"):
            rooms.setdefault(inside[0].removesuffix(".py"), []).append(path)
        if path.name != "__init__.py":
            folders[path.parent] = folders.get(path.parent, 0) + 1
    faults = []
    if not check:
        print(f"{'room':16} {'files':>5} {'lines':>6} {'budget':>6} {'median':>6}")
    for room, paths in rooms.items():
        sizes = [lines(path) for path in paths]
        if not check:
            budget = BUDGET.get(room, 0)
            print(f"{room:16} {len(paths):5} {sum(sizes):6,} {budget:6,} {statistics.median(sizes):6.0f}")
        if room not in BUDGET:
            faults.append(f"the room {room} has no budget in benchmarks/size.py")
        elif sum(sizes) > BUDGET[room]:
            faults.append(f"the room {room} has {sum(sizes):,} lines, its budget is {BUDGET[room]:,}")
    faults += [f"{path} holds {n} modules, more than {MOST_FILES}" for path, n in folders.items() if n > MOST_FILES]
    every = [path for paths in rooms.values() for path in paths]
    faults += [f"{path} has {lines(path)} lines, more than {MOST_LINES}" for path in every if lines(path) > MOST_LINES]
    if not check:
        sizes = [lines(path) for path in every]
        print(f"{'all':16} {len(every):5} {sum(sizes):6,} {sum(BUDGET.values()):6,} {statistics.median(sizes):6.0f}")
        longest = max((chain(name) for name in imports()), key=len)
        print(f"longest chain of imports, {len(longest)}: {' > '.join(longest)}")
    for fault in faults:
        print(fault.replace(str(PACKAGE), "suzaku"), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
