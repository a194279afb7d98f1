"""What an agent says of a decision: its choice, what it thinks of the other actions, and why it lets a win pass."""

from typing import Any

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.agents.short_name import short_name
from suzaku.agents.winning import WINS, wanted_wins


def opinion(answers: Answers, row: int, legal: np.ndarray) -> dict[str, Any]:
    """The agent's choice, and the probability (`policy`) or the worth (`values`) of each action if it tells them.

    One that has adapted its policy also tells what it was `before`.
    """
    found: dict[str, Any] = {"best": int(answers.actions[row])}
    if answers.ratings is not None:
        found["values" if answers.policy is None else "policy"] = _rated(answers.ratings[row], legal)
    if answers.before is not None:
        found["before"] = _rated(answers.before[row], legal)
    return found


def only_opinion(agent: str, answers: Answers, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
    """What can be said of a decision where hands are not looked at."""
    return {"agent": short_name(agent), **opinion(answers, 0, legal), "seat": int(record["seat"][0])}


def _rated(ratings: np.ndarray, legal: np.ndarray) -> dict[str, float]:
    """The ratings of the legal actions that have one."""
    found = {str(a): round(float(ratings[a]), 4) for a in np.flatnonzero(legal)}
    return {a: rating for a, rating in found.items() if rating == rating}


def declined(record: np.ndarray, legal: np.ndarray, found: dict[str, Any]) -> dict[str, Any]:
    """The win that an agent lets pass, and why; the win stays among its opinions."""
    wins = [action for action in WINS if legal[action]]
    if not wins or found["best"] in wins:
        return {}
    for name in ("policy", "values"):
        if name in found:
            found[name].setdefault(str(wins[0]), 0.0)
    vain = wanted_wins(record, legal.reshape(1, -1))[0] < 0
    return {"declined": {"action": wins[0], "why": "ends_fourth" if vain else "other"}}
