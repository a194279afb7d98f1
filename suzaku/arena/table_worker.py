"""The tables of one worker: all step together, every agent answers one batch a step, and finished games are kept.

- A game of a match as it is stored, and as a record that `suzaku data show` reads.
- The tables of one worker: all step together, every agent answers one batch a step, finished games make room.
"""

import io
import time
import zlib
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from suzaku.agents.agent import Agent, Follower, ProgramAgent, check_answers, check_game
from suzaku.agents.make import make_agent
from suzaku.agents.mjai.process import Limits
from suzaku.arena.match import STORE, Match
from suzaku.records.formats import ENDINGS, write_stored
from suzaku.records.stored import Stored
from suzaku.seeds import read_seed
from suzaku.table.kernels import find_illegal
from suzaku.table.tables import take


def stored_game(
    match: Match,
    row: np.ndarray,
    moves: np.ndarray,
    log_prob: np.ndarray | None = None,
    versions: list[int] | None = None,
) -> Stored:
    """The game as walls and actions, with what a trajectory tells more. The walls follow from the seed and the deal."""
    number = int(row["number"])
    deal = number // match.turns
    game = match.descriptor
    rounds = int(row["hands"]["hands"][0])
    names = match.names
    return Stored(
        id=f"arena-{match.seed}-{number}",
        source="arena",
        format=match.save,
        lobby="",
        time="",
        rules=match.rules,
        players=[names[entrant] for entrant in match.seats(np.array([number]))[0]],
        dan=[-1] * game.seats,
        rate=[float("nan")] * game.seats,
        start=game.start_of(match.rules, match.seed, deal),
        scores=row["scores"].tolist(),
        ranks=row["ranks"].tolist(),
        finished=True,
        walls_known=True,
        decisions=len(moves),
        walls=game.walls_of(match.rules, match.seed, deal, rounds),
        actions=moves.copy(),
        game=match.game,
        log_prob=log_prob,
        versions=versions,
    )


def game_text(match: Match, stored: Stored) -> bytes:
    """The game in the match's format. Its name tells it from other agents' games on the same deal."""
    return write_stored(replace(stored, id=f"{stored.id}-{zlib.crc32(stored.actions.tobytes()):08x}"), match.save)


def file_name(match: Match, number: int) -> str:
    """The name of a saved game: its deal, and which game on that deal it is."""
    return f"{number // match.turns:06d}-{number % match.turns}.{ENDINGS[match.save]}"


ROOM = 256  # more actions than can follow without a choice
KEPT = (
    "records",
    "legal",
    "seats",
    "who",
    "followed",
    "number",
    "hands",
    "moves",
    "moved",
    "log_prob",
    "told",
    "versions",
)
MANY, FEW = 1024, 4  # tables of a worker: of agents that answer in batches, and of those with a process for each seat


def usual_tables(agents: Iterable[Agent]) -> int:
    """How many tables a worker has if nobody says."""
    return FEW if any(isinstance(agent, Follower) for agent in agents) else MANY


@dataclass
class Clock:
    """What an agent has used so far."""

    seconds: float = 0.0  # inside the agent
    asked: int = 0  # questions
    parts: dict[str, float] = field(default_factory=dict)  # seconds by part, as the agent tells
    faults: dict[str, int] = field(default_factory=dict)  # answers that had to be replaced, as the agent tells


@dataclass
class Reply:
    """What a worker hands back after a while."""

    games: np.ndarray  # rows of finished games
    texts: list[tuple[int, bytes]]  # number and record of each game, if games are saved in a format
    stored: list[Stored]  # the games, if they are saved
    wanted: int  # games it could take
    open: int  # games it has not finished
    clocks: dict[str, Clock]  # by agent, since the worker started
    seconds: float  # of work since the worker started
    rules: float  # of these, in the rules


class TableWorker:
    """Plays games of a match on some tables."""

    def __init__(
        self, match: Match, tables: int, agents: dict[str, Agent] | None = None, limits: Limits | None = None
    ) -> None:
        self.match, self.size = match, tables
        self.names = list(dict.fromkeys(match.agents))
        made = agents or {}
        self.agents = [made.get(name) or make_agent(name, match.game, cheating=True) for name in self.names]
        for agent in self.agents:
            check_game(agent, match.game, "match")
            agent.expect_many()
            if isinstance(agent, ProgramAgent):
                agent.limits = limits or agent.limits
                agent.where = lambda place: f"game {self.number[place]}"
        self.follows = np.array([isinstance(agent, Follower) for agent in self.agents])
        self.clocks = {name: Clock() for name in self.names}
        self.seconds = self.rules = 0.0
        self.waiting: deque[int] = deque()  # numbers of games without a table
        self.free = list(range(tables))[::-1]
        game = self._game = match.descriptor
        self.records = np.zeros(tables, game.record)
        self.records["rules"] = match.rules.to_record()
        self.legal = np.zeros((tables, game.actions), np.bool_)
        self.seats = np.full(tables, -1, np.int8)
        self.who = np.zeros((tables, game.seats), np.int64)  # agent (index in `names`) by seat
        self.followed = np.zeros(tables, np.bool_)
        self.number = np.full(tables, -1, np.int64)
        self.hands = np.zeros((tables, game.seats), game.hands)
        self.moves = np.zeros((tables, 4 * ROOM), np.uint8)
        self.moved = np.zeros(tables, np.int64)
        self.log_prob = np.zeros_like(self.moves, np.float16)  # of the moves; 0 where there was no choice
        self.told = np.zeros(tables, np.bool_)  # whether any agent of a table tells these
        self.versions = np.zeros((tables, game.seats), np.int64)  # of the agents' weights when the game began
        self._over = np.zeros(tables, np.int64)
        self._rows = np.arange(tables)
        self._tables = game.tables()

    def advance(self, numbers: list[int], seconds: float = 0.5, games: int | None = None) -> Reply:
        """Take on these games and play for a while, or until so many games have ended in this call."""
        start = time.perf_counter()
        self.waiting.extend(numbers)
        rows: list[np.ndarray] = []
        texts: list[tuple[int, bytes]] = []
        stored: list[Stored] = []
        while self.waiting or len(self.free) < self.size:
            self._seat_games()
            for i in self._step():
                rows.append(self._row(i))
                if self.match.save:
                    moves = self.moves[i, : self.moved[i]]
                    stored.append(stored_game(self.match, rows[-1], moves, *self._policy(i)))
                    if self.match.save != STORE:
                        texts.append((int(self.number[i]), game_text(self.match, stored[-1])))
                self.free.append(i)
            if time.perf_counter() - start >= seconds if games is None else len(rows) >= games:
                break
        self.seconds += time.perf_counter() - start
        for name, agent in zip(self.names, self.agents, strict=True):
            self.clocks[name].parts = dict(getattr(agent, "seconds", {}))
            self.clocks[name].faults = dict(getattr(agent, "faults", {}))
        open_games = self.size - len(self.free) + len(self.waiting)
        wanted = max(0, self.size + self.size // 8 + 1 - open_games)
        return Reply(
            np.array(rows, self.match.row), texts, stored, wanted, open_games, self.clocks, self.seconds, self.rules
        )

    def work(self, numbers: list[int]) -> Reply:
        """Take on these games and play for a while."""
        return self.advance(numbers)

    def snapshot(self) -> bytes:
        """The tables as they stand, with the games that wait: what another worker of this match can go on from."""
        kept: dict[str, Any] = {
            name: np.ascontiguousarray(getattr(self, name)).reshape(-1).view(np.uint8) for name in KEPT
        }
        data = io.BytesIO()
        np.savez(data, waiting=np.array(self.waiting, np.int64), free=np.array(self.free, np.int64), **kept)
        return zlib.compress(data.getvalue(), 1)

    def restore(self, snapshot: bytes) -> None:
        """Go on from what `snapshot` gave."""
        with np.load(io.BytesIO(zlib.decompress(snapshot)), allow_pickle=False) as kept:
            for name in KEPT:
                now = getattr(self, name)
                values = kept[name].view(now.dtype)
                wide = name in ("moves", "log_prob")  # they grow with the longest game
                setattr(self, name, values.reshape((self.size, -1) if wide else now.shape).copy())
            self.waiting, self.free = deque(kept["waiting"].tolist()), kept["free"].tolist()

    def close(self) -> None:
        """Let the agents go."""
        for agent in self.agents:
            agent.close()

    def _seat_games(self) -> None:
        """Start waiting games on free tables."""
        count = min(len(self.free), len(self.waiting))
        if not count:
            return
        numbers = [self.waiting.popleft() for _ in range(count)]
        index = np.array([self.names.index(agent) for agent in self.match.agents])
        seed = read_seed(self.match.seed)
        for number, seats in zip(numbers, self.match.seats(np.array(numbers)), strict=True):
            i = self.free.pop()
            self.number[i] = number
            self.who[i] = index[seats]
            self.followed[i] = self.follows[self.who[i]].any()
            self.hands[i] = 0
            self.moved[i] = 0
            self.log_prob[i] = 0
            self.told[i] = False
            self.versions[i] = [self.agents[k].version for k in self.who[i]]
            one = slice(i, i + 1)
            deal = number // self.match.turns
            self._game.start_many(self._tables, self.records[one], deal, seed, self.legal[one], self.seats[one])
            self._tell(i, self.records[i], -1)

    def _step(self) -> list[int]:
        """One step of all open tables: ask, carry out, and return the tables whose game is over."""
        asked = np.where(self.seats >= 0, self.who[self._rows, self.seats], -1)
        actions = np.zeros(self.size, np.int64)
        if self.moved.max() + ROOM >= self.moves.shape[1]:
            self.moves = np.concatenate([self.moves, np.zeros_like(self.moves)], 1)
            self.log_prob = np.concatenate([self.log_prob, np.zeros_like(self.log_prob)], 1)
        for k, agent in enumerate(self.agents):
            places = np.flatnonzero(asked == k)
            if len(places):
                actions[places] = self._ask(agent, self.clocks[self.names[k]], places)
        self._check(actions)
        told = np.flatnonzero(self.followed & (self.seats >= 0))
        before = take(self.records, told)
        start = time.perf_counter()
        n = self._game.play_on(
            self._tables, self.records, actions, self.legal, self.seats, self.followed,
            self.hands, self.moves, self.moved, self._over,
        )  # fmt: skip
        self.rules += time.perf_counter() - start
        for i, was in zip(told.tolist(), before, strict=True):
            self._tell(i, was, int(actions[i]))
        return self._over[:n].tolist()

    def _ask(self, agent: Agent, clock: Clock, places: np.ndarray) -> np.ndarray:
        """The agent's answers at these places."""
        records, legal = take(self.records, places), self.legal[places]
        start = time.perf_counter()
        if isinstance(agent, Follower):
            answers = agent.act_at(places, records, legal)
            if isinstance(agent, ProgramAgent) and agent.useless:
                raise ValueError(agent.useless)
        else:
            answers = agent.act(records, legal)
        clock.seconds += time.perf_counter() - start
        clock.asked += len(places)
        actions = np.asarray(check_answers(answers, agent, len(places)).actions)
        if self.match.save == STORE:
            self.told[places] |= answers.log_prob is not None
            self.log_prob[places, self.moved[places]] = np.nan if answers.log_prob is None else answers.log_prob
        return actions

    def _policy(self, i: int) -> tuple[np.ndarray | None, list[int] | None]:
        """What a trajectory tells of the policies at a table: log-probabilities by move, versions by seat."""
        if not self.told[i]:
            return None, None
        return self.log_prob[i, : self.moved[i]].copy(), self.versions[i].tolist()

    def _check(self, actions: np.ndarray) -> None:
        """Refuse an answer that is not legal: the agent is at fault."""
        i = find_illegal(actions, self.legal, self.seats)
        if i < 0:
            return
        a, seat = int(actions[i]), int(self.seats[i])
        names = self._game.action_names
        name = names[a] if 0 <= a < len(names) else "no action"
        could = ", ".join(names[b] for b in np.flatnonzero(self.legal[i]))
        raise ValueError(
            f"agent {self.names[self.who[i, seat]]} answered {a} ({name}) in seat {seat} of game {self.number[i]}, "
            f"round {self.records['deal'][i]}; legal: {could}"
        )

    def _tell(self, i: int, before: np.record, action: int) -> None:
        """Tell the followers at a table what has happened there."""
        if not self.followed[i]:
            return
        for seat in range(self._game.seats):
            agent = self.agents[self.who[i, seat]]
            if isinstance(agent, Follower):
                start = time.perf_counter()
                agent.follow(i, seat, before, action, self.records[i])
                self.clocks[self.names[self.who[i, seat]]].seconds += time.perf_counter() - start

    def _row(self, i: int) -> np.ndarray:
        """The result of the game that is over at a table."""
        row = np.zeros((), self.match.row)
        row["number"] = self.number[i]
        row["scores"] = self.records["scores"][i]
        row["ranks"] = self.records["ranks"][i]
        row["hands"] = self.hands[i]
        return row
