"""The channels as text, as a picture and as a page."""

from pathlib import Path

import numpy as np
import pytest

from suzaku.features import suphx
from suzaku.features.docs import page
from suzaku.features.groups import SUPHX
from suzaku.features.show import describe, picture
from suzaku.riichi import Table

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"


def test_the_page_is_made_from_the_tables():
    assert (ROOT / "docs" / "features.md").read_text(encoding="utf-8") == page(), (
        "the channel tables have changed: python -m suzaku.features.docs > docs/features.md"
    )


def positions() -> dict[str, Table]:
    """Some positions, reached by always taking the first legal action that is no pass."""
    found = {}
    for name, seed, decisions in (("first-turn", 1, 0), ("middle", 5, 60), ("late", 12, 150)):
        table = Table(seed=seed)
        for _ in range(decisions):
            table.act(table.legal_actions()[0])
            if table.round_over:
                table.next_round()
        found[name] = table
    return found


@pytest.mark.parametrize("name", ["first-turn", "middle", "late"])
def test_golden_encodings(name):
    table = positions()[name]
    text = str(table.view(table.seat)) + "\n" + describe(suphx.encode_many(table.record.reshape(1))[0], SUPHX)
    assert text == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_picture_is_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra [plots]")
    planes = np.zeros((838, 34), np.uint8)
    picture(planes, SUPHX, tmp_path / "channels.png")
    assert (tmp_path / "channels.png").read_bytes()[1:4] == b"PNG"
