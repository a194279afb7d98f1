"""What the encoders write for fixed positions, as digests by group: a change that no table declares is noticed.

To renew the file after a declared change: python -m tests.features.test_digests
"""

import hashlib
import json
import sys
from typing import Any

import pytest

from suzaku.features.channels import first, table_hash
from tests.features.positions import GOLDEN, TABLES, encoded

FILE = GOLDEN / "digests.json"
COMMAND = "python -m tests.features.test_digests"
Digests = dict[str, dict[str, Any]]


def digests(table: str) -> Digests:
    """For each group, a hash of what its table declares and one of what is written."""
    planes, told = encoded(table), {}
    for group in TABLES[table]:
        at = first(TABLES[table], group.name)
        written = hashlib.sha256(planes[:, at : at + group.count].tobytes()).hexdigest()[:16]
        told[group.name] = {"declared": table_hash((group,)), "written": written}
    return told


def undeclared(now: Digests, before: Digests) -> list[str]:
    """The groups that are declared as before but written otherwise."""
    return [
        name
        for name, told in now.items()
        if name in before
        and told["declared"] == before[name]["declared"]
        and told["written"] != before[name]["written"]
    ]


def complaint(table: str, names: list[str]) -> str:
    """What to do about them."""
    return (
        f"the encoder {table} writes other values than before for {', '.join(names)}: if that is meant, raise the "
        f"version of these groups (checkpoints trained on the old values are then refused) and run {COMMAND}; if the "
        f"rules have changed and not the encoder, delete {FILE.name} first"
    )


@pytest.mark.parametrize("table", TABLES)
def test_no_encoder_has_changed_undeclared(table):
    now, before = digests(table), json.loads(FILE.read_text(encoding="utf-8"))[table]
    assert not undeclared(now, before), complaint(table, undeclared(now, before))
    assert now == before, f"the table {table} has changed: {COMMAND}"


def renew() -> None:
    """Write the digests anew, unless something has changed undeclared."""
    now = {table: digests(table) for table in TABLES}
    if FILE.exists():
        before = json.loads(FILE.read_text(encoding="utf-8"))
        for table, told in now.items():
            if names := undeclared(told, before.get(table, {})):
                sys.exit(complaint(table, names))
    FILE.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    renew()
