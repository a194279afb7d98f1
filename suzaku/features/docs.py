"""Writes `docs/features.md` from the channel tables: python -m suzaku.features.docs > docs/features.md"""

from suzaku.features.groups import FeatureSet, Group
from suzaku.features.sets import SETS
from suzaku.features.show import encoding_of
from suzaku.system import some

HEAD = """# What the networks see

This page is made from the tables in `suzaku/features/` (`python -m suzaku.features.docs > docs/features.md`). A test
compares the two. Every checkpoint carries the version and the hash of the table it was trained on, and is refused by
another one. The hash covers the names, sizes, encodings, steps and versions of the groups, not the meanings. A better
wording changes nothing, another threshold is another table. An encoder may write other values without a change of its
table. A test keeps digests of what was written for four recorded games, so it fails then and names the groups. Their
`version` must be raised (`suzaku/features/groups.py`).

Channels are bytes, 255 for one, over the 34 kinds of tiles. Seats are counted from the observer on: self, next,
across, previous. **Stacked**: channel i is set where there are more than i tiles. **Tiles**: set at the kinds named.
**All**: the whole channel is set. **Steps**: channel i is all set when the number reaches step i + 1. **By discard**:
the value at a kind speaks of the hand after that kind is discarded. `suzaku features show` draws the channels of any
state of a game of simple players (`--seed`) or of a recorded one (`--record`).
"""

SPEED = """## Speed

`python benchmarks/features.py STORE`, 20,000 decisions of Tenhou's top table, one thread of a small shared machine that
was in use (riichienv's encoders in the same run):

| encoder | states a second | to riichienv 215 x 34 |
|---|---|---|
| Suphx 838 x 34 without look-ahead | 120,000 | 6.5 |
| Suphx 838 x 34 with look-ahead | 25,200 | 1.4 |
| claims 958 x 34 with look-ahead | 15,400 | 0.8 |
| Gao 86 x 34 x 4 | 441,000 | 24 |
| oracle 93 x 34 | 1,260,000 | 68 |
| riichienv 74 x 34 | 297,000 | 16 |
| riichienv 215 x 34 | 18,400 | 1 |

With look-ahead a state takes 0.12 ms on average at tenpai, 0.08 at 1-shanten, 0.05 at 2-shanten and 0.04 beyond. The
slowest of 10,000 took 0.5 ms. Nothing is pruned: all hands search three replaced tiles. Hands of 14 random tiles of one
suit, the worst case, take 0.5 ms on average and 9 ms at the most of 1,000.
"""


def _list() -> str:
    """All sets, a line each."""
    lines = ["## Feature sets", "", "| name | game | shape | version | hash | what |", "|---|---|---|---|---|---|"]
    for one in SETS.values():
        shape = " x ".join(map(str, one.shape))
        lines.append(f"| `{one.name}` | {one.game} | {shape} | {one.version} | `{one.hash}` | {one.about} |")
    return "\n".join(lines) + "\n"


def _sections() -> list[str]:
    """The channel table of each set that is neither the first part of another one nor two told before, one by one."""
    told: list[FeatureSet] = []
    parts: set[tuple[Group, ...]] = set()
    out = []
    for one in SETS.values():
        starts = [other for other in told if one.groups[: len(other.groups)] == other.groups]
        of = max(starts, key=lambda other: other.channels, default=None)
        groups = one.groups[len(of.groups) :] if of else one.groups
        if groups not in parts and not any(other.groups[: len(groups)] == groups for other in told):
            out.append(_section(one, groups, of))
        told.append(one)
        parts.add(groups)
    return out


def _section(one: FeatureSet, groups: tuple[Group, ...], of: FeatureSet | None) -> str:
    start = of.channels if of else 0
    number = some(one.channels - start, "channel")
    lines = [
        f"## {one.name}",
        "",
        f"{one.about} {number} behind the {start} of `{of.name}`." if of else f"{one.about} {number}.",
        "",
        "| first | channels | name | encoding | meaning |",
        "|---|---|---|---|---|",
    ]
    for group in groups:
        lines.append(f"| {start} | {group.count} | `{group.name}` | {encoding_of(group)} | {group.meaning} |")
        start += group.count
    return "\n".join(lines) + "\n"


def page() -> str:
    """The whole page."""
    return "\n".join((HEAD, _list(), *_sections(), SPEED))


if __name__ == "__main__":
    print(page(), end="")
