"""Writes the table of features of `docs/winning_scores.md`: python -m suzaku.winning_scores.docs"""

from suzaku.winning_scores.features import GROUPS, SIZE, features_hash


def table() -> str:
    """The features as Markdown."""
    lines = [
        f"{SIZE:,} features, hash `{features_hash()}`.",
        "",
        "| group | size | set | meaning |",
        "|---|---:|---|---|",
    ]
    lines += [f"| {group.name} | {group.count:,} | {group.encoding} | {group.meaning} |" for group in GROUPS]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
