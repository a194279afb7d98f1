"""Writes `docs/features.md` from the channel tables: python -m suzaku.features.docs > docs/features.md"""

from suzaku.features.gao import GAO
from suzaku.features.groups import CLAIM, ORACLE, SUPHX, VERSION, Group, size, table_hash
from suzaku.features.rounds import ROUND_FEATURES, SIZE

HEAD = """# What the networks see

This page is made from the tables in `suzaku/features/` (`python -m suzaku.features.docs > docs/features.md`); a test
compares the two. Every checkpoint carries the version and the hash of the table it was trained on, and is refused by
another one.

Channels are bytes, 255 for one, over the 34 kinds of tiles. Seats are counted from the observer on: self, next,
across, previous. **Stacked**: channel i is set where there are more than i tiles. **Tiles**: set at the kinds named.
**All**: the whole channel is set. **Steps**: channel i is all set when the number reaches step i + 1. **By discard**:
the value at a kind speaks of the hand after that kind is discarded. `suzaku features show` draws the channels of any
state of a game of simple players (`--seed`) or of a recorded one (`--record`).
"""


def _section(title: str, text: str, groups: tuple[Group, ...], start: int = 0) -> str:
    lines = [
        f"## {title}",
        "",
        f"{text} {size(groups)} channels, version {VERSION}, hash `{table_hash(groups)}`.",
        "",
        "| first | channels | name | encoding | meaning |",
        "|---|---|---|---|---|",
    ]
    for group in groups:
        lines.append(f"| {start} | {group.count} | `{group.name}` | {group.encoding} | {group.meaning} |")
        start += group.count
    return "\n".join(lines) + "\n"


def page() -> str:
    """The whole page."""
    rounds = "\n".join(f"| {count} | {name} |" for name, count in ROUND_FEATURES)
    return "\n".join(
        (
            HEAD,
            _section("Suphx", "The input of the discard and riichi models.", SUPHX),
            _section("Suphx, claims", "Behind the first 838 for chow, pong and kong models.", CLAIM, size(SUPHX)),
            _section("Oracle", "What the seat cannot see; masked out as oracle guiding goes on.", ORACLE),
            _section("Gao", "TABLE I of the paper, planes of 34 x 4.", GAO),
            f"## Reward predictor\n\n{SIZE} numbers a finished round.\n\n| count | what |\n|---|---|\n{rounds}\n",
        )
    )


if __name__ == "__main__":
    print(page(), end="")
