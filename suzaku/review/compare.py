"""What an agent would have done where somebody did something, decision by decision."""

from typing import Any

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.review.opinion import opinion
from suzaku.review.rounds import Round
from suzaku.riichi.actions import DISCARD_DRAWN


def same_tile(records: np.ndarray, actions: np.ndarray | int) -> np.ndarray:
    """Actions with the drawn tile named: throwing it or an equal one from the hand is the same decision."""
    return np.where(actions == DISCARD_DRAWN, records["drawn"], actions)


def compare(one: Round, answers: Answers) -> list[dict[str, Any]]:
    """For every decision of a round: what the agent would do, and how much worse it thinks of what was played."""
    records = one.records[: len(one.actions)]
    best, taken = same_tile(records, answers.actions), same_tile(records, one.actions)
    found = []
    for i, played in enumerate(one.actions):
        row = opinion(answers, i, one.legal[i])
        row["same"] = bool(best[i] == taken[i])
        ratings = {int(a): rating for a, rating in (row.get("policy") or row.get("values") or {}).items()}
        if row["best"] in ratings and int(played) in ratings:
            rated = max(rating for a, rating in ratings.items() if same_tile(records[i], a) == taken[i])
            row["loss"] = round(max(0.0, ratings[row["best"]] - rated), 4)
        found.append(row)
    return found
