"""What an agent would have done where somebody did something, decision by decision."""

from typing import Any

from suzaku.agents.agent import Answers
from suzaku.game import Game
from suzaku.review.opinion import opinion
from suzaku.review.rounds import Round


def compare(game: Game, one: Round, answers: Answers) -> list[dict[str, Any]]:
    """For every decision of a round: what the agent would do, and what it thinks of that and of what was played.

    What counts as a decision of its seat had a choice, and was not made for somebody who did not answer.
    """
    records = one.records[: len(one.actions)]
    best, taken = game.same_decision(records, answers.actions), game.same_decision(records, one.actions)
    found = []
    for i, played in enumerate(one.actions):
        row = opinion(answers, i, one.legal[i])
        row["same"] = bool(best[i] == taken[i])
        row["seat"] = int(records[i]["seat"])
        row["counts"] = bool(one.legal[i].sum() > 1 and not one.away[i])
        ratings = {int(a): rating for a, rating in (row.get("policy") or row.get("values") or {}).items()}
        if row["best"] in ratings and int(played) in ratings:
            row["played"] = max(
                rating for a, rating in ratings.items() if game.same_decision(records[i], a) == taken[i]
            )
        found.append(row)
    return found
