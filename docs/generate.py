"""Writes the tables of pages that are made from the code, each between two marks in its page: python docs/generate.py

The channel tables of features.md, the fans of mcr-fans.md and the features of winning_scores.md. A test compares them.
"""

from pathlib import Path

from suzaku.features.channels import FeatureSet, Group, encoding_of
from suzaku.features.sets import SETS
from suzaku.mcr.fans import FANS, REPEATED
from suzaku.system import some
from suzaku.winning_scores.features import GROUPS, SIZE, features_hash

FOLDER = Path(__file__).parent
BEGIN, END = "<!-- made by docs/generate.py -->\n", "<!-- to here -->\n"


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


def features() -> str:
    """All sets, and their channel tables."""
    return "\n".join((_list(), *_sections()))


def mcr_fans() -> str:
    """The fans."""
    lines = ["| no. | name | 中文 | fan | condition | not counted beside it |", "|---|---|---|---|---|---|"]
    for fan in FANS:
        value = f"{fan.value} each" if fan.number in REPEATED else str(fan.value)
        excludes = " ".join(str(number) for number in fan.excludes)
        lines.append(f"| {fan.number} | {fan.name} | {fan.chinese} | {value} | {fan.condition} | {excludes} |")
    return "\n".join(lines) + "\n"


def winning_scores() -> str:
    """The features of winning scores."""
    lines = [
        f"{SIZE:,} features, hash `{features_hash()}`.",
        "",
        "| group | size | set | meaning |",
        "|---|---:|---|---|",
    ]
    lines += [f"| {group.name} | {group.count:,} | {group.encoding} | {group.meaning} |" for group in GROUPS]
    return "\n".join(lines) + "\n"


def pages() -> dict[Path, str]:
    """What each page is to hold."""
    found = {}
    for name, made in (("features", features()), ("mcr-fans", mcr_fans()), ("winning_scores", winning_scores())):
        page = FOLDER / f"{name}.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        found[page] = f"{before}{BEGIN}{made}{END}{rest.partition(END)[2]}"
    return found


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
