"""How dangerous each kind of tile is to throw, opponent by opponent."""

from typing import Any

import numpy as np

from suzaku.game import game_named
from suzaku.lookahead.safety import SAFETY, safety_many
from suzaku.riichi.hidden import hide
from suzaku.tiles import NAMES

SAMPLES = 400  # deals of the hidden tiles behind a danger figure
ENOUGH = 40  # of them in which a seat is tenpai, for the figure to say something


def danger(record: np.ndarray, seat: int) -> list[dict[str, Any]]:
    """For each opponent in turn order: what is known to be safe, and how often random hands wait for each kind.

    Where hardly any random hand is tenpai at all, as without riichi, they tell nothing: the figure is None.
    """
    hidden = hide(record, seat)
    safety = np.zeros((1, 3), SAFETY)
    safety_many(hidden, np.array([seat]), safety)
    copies = record.repeat(SAMPLES)
    game_named("riichi").redraw(copies, seat, int(record["discards"][0]))
    found = []
    for i in range(3):
        q = (seat + 1 + i) % 4
        waits = copies["waits"][:, q]
        furiten = (waits & copies["discarded"][:, q]) != 0
        told = int((waits != 0).sum()) >= ENOUGH
        marks = {name: int(safety[0, i][name]) for name in ("genbutsu", "suji", "half_suji", "no_two_sided")}
        kinds = {}
        for kind in range(34):
            known = next((name for name, mask in marks.items() if mask >> kind & 1), "")
            bit = (waits >> np.uint64(kind)) & np.uint64(1) != 0
            probability = round(float((bit & ~furiten).mean()), 4) if told else None
            kinds[NAMES[kind]] = [0.0 if known == "genbutsu" else probability, known]
        found.append({"seat": q, "riichi": bool(record["riichi"][0, q]), "kinds": kinds})
    return found
