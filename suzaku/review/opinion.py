"""What an agent says of a decision, and a stored game with the table before every action.

- The games whose hands are looked at for hints, and where: elsewhere there is the agent's opinion alone.
- What an agent says of a decision: its choice, what it thinks of the other actions, and why it lets a win pass.
- A stored game, round by round, with the table before every action.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.agents.make import short_name
from suzaku.agents.suphx import WINS, wanted_wins
from suzaku.records.stored import Stored, illegal, table_at_start
from suzaku.table.game import game_named, load
from suzaku.table.kernels import AWAY

# The module that a game names has `Looks`, whose `look(record, legal)` says all that the rules and the look-ahead tell
# of a decision; `hint(agent, answers, record, legal, looked)`, that and an agent's opinion; and
# `hand_info(table, seat, legal)`.


def looks_at(game: str) -> Any | None:
    """The module that looks at hands of a game."""
    path = game_named(game).hints
    return load(path) if path else None


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


@dataclass
class Round:
    """One round: the table before every action and after the last one."""

    records: np.ndarray  # the game's record [n + 1]
    legal: np.ndarray  # bool[n, actions]
    actions: np.ndarray  # int64[n]
    away: np.ndarray  # bool[n]: an agent played for a person who did not answer


def rounds_of(stored: Stored) -> list[Round]:
    """The rounds of a game. RecordError if an action of it is not legal."""
    game = game_named(stored.game)
    array = table_at_start(stored)
    s = array[0]
    rounds: list[Round] = []
    records: list[np.ndarray] = []
    legal: list[np.ndarray] = []
    actions: list[int] = []
    game.deal_stored(game.tables(), s, stored.walls)

    def finish() -> None:
        played = np.array(actions, np.int64)
        masks = np.array(legal, np.bool_).reshape(-1, game.actions)
        rounds.append(
            Round(np.concatenate([*records, array], dtype=array.dtype), masks, played & (AWAY - 1), played >= AWAY)
        )

    for action in stored.actions:
        if s.seat < 0:
            finish()
            records, legal, actions = [], [], []
            deal = int(s.deal)
            if not game.deal_stored(game.tables(), s, stored.walls) or s.deal == deal:
                return rounds
        mask = np.zeros(game.actions, np.bool_)
        game.legal(game.tables(), s, mask)
        taken = int(action) & (AWAY - 1)
        if taken >= game.actions or not (mask[taken] or 0 <= game.fouls <= taken):
            raise illegal(stored)
        records.append(array.copy())
        legal.append(mask)
        actions.append(int(action))
        game.step(game.tables(), s, taken)
    finish()
    return rounds
