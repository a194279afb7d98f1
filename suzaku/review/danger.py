"""How dangerous each kind of tile is to throw, opponent by opponent."""

from typing import Any

import numpy as np

from suzaku.agents.heuristic.danger import OPPONENT, fill_danger
from suzaku.lookahead.safety import SAFETY, safety_many
from suzaku.riichi.hidden import hide
from suzaku.riichi.visible import fill_dora, fill_unseen
from suzaku.tiles import KINDS, NAMES

MARKS = ("genbutsu", "suji", "half_suji", "no_two_sided")  # the first that holds is told


def danger(record: np.ndarray, seat: int) -> list[dict[str, Any]]:
    """For each opponent in turn order: how likely each kind deals in by `heuristic`'s model, and what is known of it.

    The model was fitted to games of strong players: it reads rivers and melds, and covers hands without riichi too.
    """
    hidden = hide(record, seat)
    safety = np.zeros((1, 3), SAFETY)
    safety_many(hidden, np.array([seat]), safety)
    unseen, dora = np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64)
    fill_unseen(hidden[0], seat, unseen)
    fill_dora(hidden[0], dora)
    opponent = np.zeros(1, OPPONENT)[0]
    found = []
    for i in range(3):
        q = (seat + 1 + i) % 4
        fill_danger(hidden[0], q, unseen, dora, opponent)
        kinds = {}
        for kind in range(KINDS):
            known = next((name for name in MARKS if int(safety[0, i][name]) >> kind & 1), "")
            kinds[NAMES[kind]] = [round(float(opponent.probability[kind]), 4), known]
        found.append({"seat": q, "riichi": bool(record["riichi"][0, q]), "kinds": kinds})
    return found
