"""The channels as text and as a picture."""

from pathlib import Path

import numpy as np
import pytest

from suzaku.cli.features import describe, draw
from suzaku.features import claims, oracle, suphx
from suzaku.features.channels import CLAIM, ORACLE, SUPHX, SUPHX_CHANNELS
from suzaku.riichi import ACTION_NAMES, Table
from suzaku.riichi.actions import CHOW_LOW, PONG

GOLDEN = Path(__file__).parent / "golden"


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


def claim_position() -> tuple[Table, int]:
    """The first chow that a game offers, with a seat that has melds already."""
    table = Table(seed=5)
    while True:
        legal = table.legal_actions()
        chows = [action for action in legal if CHOW_LOW <= action < PONG]
        if chows and table.record.melds[table.seat]:
            return table, chows[-1]
        table.act(legal[0])


def claim_text() -> str:
    """What the claim and oracle channels say of that position."""
    table, action = claim_position()
    state = table.record.reshape(1)
    planes = claims.encode_many(state, np.array([action]))[0, SUPHX_CHANNELS:]
    hidden = describe(oracle.encode_many(state)[0], ORACLE)
    return f"{table}\n{ACTION_NAMES[action]}\n\n{describe(planes, CLAIM)}\n{hidden}"


def test_golden_claim_and_oracle():
    assert claim_text() == (GOLDEN / "claim.txt").read_text(encoding="utf-8")


def test_picture_is_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra [plots]")
    planes = np.zeros((838, 34), np.uint8)
    draw(planes, SUPHX, tmp_path / "channels.png")
    assert (tmp_path / "channels.png").read_bytes()[1:4] == b"PNG"
