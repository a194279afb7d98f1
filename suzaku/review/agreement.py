"""How often an agent decides as recorded players did, by type of decision.

- What an agent would have done where somebody did something, decision by decision.
- How often an agent decides as recorded players did, by type of decision.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.records.decisions import Decisions, replay_decisions
from suzaku.records.stored import Stored, hash_name
from suzaku.records.types import RecordError
from suzaku.review.opinion import Round, opinion
from suzaku.riichi import actions as act
from suzaku.table.game import Game, game_named


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


BATCH = 1024  # decisions the agent is asked about at once
TOP = 3
TYPED = "riichi"  # the game whose decisions are told apart by the types below
TYPES = ("riichi", "chow", "pong", "kong", "win")


@dataclass
class Count:
    """Decisions of one type: how many in each game, and how many of them the agent took alike."""

    asked: list[int] = field(default_factory=list)
    alike: list[int] = field(default_factory=list)
    near: list[int] = field(default_factory=list)  # the recorded one is among the agent's best three

    def add(self, alike: np.ndarray, near: np.ndarray | None) -> None:
        """Add the decisions of a game."""
        if len(alike):
            self.asked.append(len(alike))
            self.alike.append(int(alike.sum()))
            if near is not None:
                self.near.append(int(near.sum()))

    def share(self, right: list[int]) -> tuple[float, float]:
        """A share and half its 95 % interval; the games, not their decisions, are taken as independent."""
        n = np.array(self.asked, float)
        total = n.sum()
        if not total:
            return float("nan"), float("nan")
        share = sum(right) / total
        games = len(n)
        if games < 2:
            return share, 1.96 * float(np.sqrt(share * (1 - share) / total))
        spread = float(((np.array(right) - share * n) ** 2).sum()) * games / (games - 1)
        return share, 1.96 * float(np.sqrt(spread)) / total


@dataclass
class Agreement:
    """What was compared."""

    games: int = 0
    counts: dict[str, Count] = field(default_factory=dict)  # by type; "all" and "discard" also as "... not forced"

    def add(self, name: str, alike: np.ndarray, near: np.ndarray | None) -> None:
        """Add decisions of a game to the type of this name."""
        self.counts.setdefault(name, Count()).add(alike, near)


def forced_bit(game: Game) -> int:
    """The bit by which `collect` knows what is no decision, since there was no choice: the first that no type has."""
    return 1 << len(game.decision_types)


def _of_type(actions: np.ndarray, type_: str) -> np.ndarray:
    """Actions as far as they matter to a type of decision; -1 for all that are not of the type."""
    if type_ == "riichi":
        return np.where(actions == act.RIICHI, actions, -1)
    if type_ == "chow":
        return np.where((actions >= act.CHOW_LOW) & (actions < act.PONG), actions, -1)
    if type_ == "pong":
        return np.where((actions >= act.PONG) & (actions < act.OPEN_KONG), actions, -1)
    if type_ == "kong":
        return np.where((actions >= act.OPEN_KONG) & (actions < act.WIN_DRAW), actions, -1)
    return np.where((actions == act.WIN_DRAW) | (actions == act.WIN_DISCARD), actions, -1)


def near_best(game: Game, records: np.ndarray, ratings: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Whether fewer than three other decisions rate as high as the wanted one or higher."""
    worth = np.nan_to_num(ratings.astype(np.float64), nan=-1.0)
    actions = np.broadcast_to(np.arange(game.actions), worth.shape)
    same = game.same_decision(records[:, None], actions)
    rows, at = np.nonzero(same != actions)
    to, rating = same[rows, at], worth[rows, at]
    worth[rows, at] = -1
    there = to >= 0
    np.maximum.at(worth, (rows[there], to[there]), rating[there])
    own = worth[np.arange(len(records)), wanted]
    return (own >= 0) & ((worth >= own[:, None]).sum(1) <= TOP)


def measure(agent: Agent, games: Iterable[Stored], player: str = "") -> Iterator[Agreement]:
    """Compare an agent with the players of recorded games, or with one of them (a hashed name), game by game."""
    agent.expect_many()
    found = Agreement()
    game = game_named(agent.game)
    everything = sum(game.decision_types.values()) | forced_bit(game)
    for stored in games:
        if stored.game != game.name:
            raise RecordError(f"game {stored.id} is of {stored.game}, and {agent.name} plays {game.name}")
        seats = [seat for seat in range(game.seats) if not player or hash_name(stored.players[seat]) == player]
        if not seats:
            continue
        decided = replay_decisions(stored, everything)
        rows = np.flatnonzero(np.isin(decided.seat, seats))
        found.games += 1
        if len(rows):
            _compare(game, agent, decided, rows, found)
        yield found


def _compare(game: Game, agent: Agent, decided: Decisions, rows: np.ndarray, found: Agreement) -> None:
    records, legal, types = decided.records[rows], decided.legal[rows], decided.types[rows]
    answers = [agent.act(records[i : i + BATCH], legal[i : i + BATCH]) for i in range(0, len(rows), BATCH)]
    chosen = game.same_decision(records, np.concatenate([answer.actions for answer in answers]))
    taken = game.same_decision(records, decided.action[rows].astype(np.int64))
    ratings = [answer.ratings for answer in answers if answer.ratings is not None]
    near = near_best(game, records, np.concatenate(ratings), taken) | (chosen == taken) if ratings else None
    forced = types == forced_bit(game)

    def add(name: str, mask: np.ndarray, alike: np.ndarray) -> None:
        found.add(name, alike[mask], None if near is None else (near | alike)[mask])

    add("all", np.ones(len(rows), bool), chosen == taken)
    add("all, not forced", ~forced, chosen == taken)
    if game.name != TYPED:
        return
    thrown = taken < act.RIICHI
    add("discard", thrown, chosen == taken)
    add("discard, not forced", thrown & ~forced, chosen == taken)
    for name in TYPES:
        add(name, (types & game.decision_types[name]) > 0, _of_type(chosen, name) == _of_type(taken, name))
