"""What every player at a table is to the rest of the program: tables that wait for an answer in, answers out.

- From what networks say to actions: which discard throws a kind, and a draw from a policy.
- What every player at a table is to the rest of the program: tables with a question in, answers out.
- What programs of other people have in common as agents, whatever they speak.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from suzaku.riichi import actions as act
from suzaku.table.game import game_named, load
from suzaku.tiles import KIND_OF, RED

NINE_KINDS_FROM = 11  # with so many kinds of terminals and honours, rather try the thirteen orphans
TERMINALS = np.array([kind >= 27 or kind % 9 in (0, 8) for kind in range(34)])


def discard_of_kind(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The action that throws each kind, or -1: int64[n, 34].

    A red five is kept if another five can go; of two like tiles the one just drawn goes.
    """
    out = np.full((len(records), 34), -1, np.int64)
    for tile in range(RED + 2, -1, -1):  # red fives first, so that plain ones take their place
        rows = np.flatnonzero(legal[:, tile])
        out[rows, KIND_OF[tile]] = tile
    rows = np.flatnonzero(legal[:, act.DISCARD_DRAWN])
    drawn = records["drawn"][rows]
    kind = KIND_OF[drawn]
    take = (drawn < RED) | (out[rows, kind] < 0) | (out[rows, kind] >= RED)
    out[rows[take], kind[take]] = act.DISCARD_DRAWN
    return out


def wants_nine_kinds(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Where to abort with nine kinds: bool[n]."""
    hands = records["hand"][np.arange(len(records)), records["seat"]]
    return legal[:, act.NINE_KINDS] & (((hands > 0) & TERMINALS).sum(1) < NINE_KINDS_FROM)


def draw(policy: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The action that a number in [0, 1) draws from each row of a policy: int64[n]."""
    reached = policy.cumsum(1, dtype=np.float64)
    return (reached > (numbers * reached[:, -1])[:, None]).argmax(1)


# An agent is asked about many tables at once, or about one. The seat that is asked is in the record; an agent reads
# from the record only what that seat can see. Answers depend on the tables alone, never on which tables are asked
# together: so a match gives the same games however it is divided among processes.


@dataclass
class Answers:
    """The answers of an agent to some tables."""

    actions: np.ndarray  # int64[n]: one legal action a table
    policy: np.ndarray | None = None  # float32[n, 120]: the probability of each action at temperature 1; rows sum to 1
    log_prob: np.ndarray | None = None  # float32[n]: the logarithm of the probability with which the action was chosen
    values: np.ndarray | None = None  # float32[n, 120]: the worth of each action in [0, 1], NaN where not considered
    before: np.ndarray | None = None  # float32[n, 120]: the policy of an agent that adapts, as it was before

    @property
    def ratings(self) -> np.ndarray | None:
        """float32[n, 120]: what to show people of every action, the policy or else the values."""
        return self.values if self.policy is None else self.policy

    def part(self, rows: slice) -> "Answers":
        """The answers to some of the tables."""
        named = (self.policy, self.log_prob, self.values, self.before)
        return Answers(self.actions[rows], *(None if array is None else array[rows] for array in named))


class Agent(ABC):
    """A player. Subclasses say what it does in `act`."""

    name = "agent"
    game = "riichi"  # what it plays, by its name in `suzaku/table/game.py`
    version = 0  # of its weights, for players whose weights are replaced while they play

    @abstractmethod
    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """Answer for the seat that is asked on each table (STATE[n], bool[n, 120]); every table asks a seat.

        An agent that plays at random draws for each table from the stream of random numbers with that number
        (uint64[n], all 0 if not given): copies of one position differ if their streams do.
        """

    def expect_many(self) -> None:  # noqa: B027
        """Hear, before the first question, that many tables will be asked about at once."""

    def close(self) -> None:  # noqa: B027
        """Let go of processes and files."""


def check_game(agent: Agent, game: str, what: str) -> None:
    """ValueError if an agent cannot sit where this game is played; `what` is a word for that."""
    if agent.game != game:
        raise ValueError(f"agent {agent.name} plays {agent.game}, and the {what} is of {game}")


def check_answers(answers: object, agent: Agent, tables: int) -> Answers:
    """The answers of an agent to so many tables; ValueError names its class if they are none."""
    who = f"agent {type(agent).__name__}"
    wanted = f"expected suzaku.agents.agent.Answers with an action for each of the {tables} tables asked about"
    if not isinstance(answers, Answers):
        raise ValueError(f"{who} gave an object of type {type(answers).__name__}: {wanted}")
    actions = np.asarray(answers.actions)
    if actions.shape != (tables,) or actions.dtype.kind not in "iu":
        raise ValueError(f"{who} gave actions of type {actions.dtype} and shape {list(actions.shape)}: {wanted}")
    return answers


class Follower(Agent):
    """A player with a memory, such as a program of its own: it is told all that happens at its tables.

    `follow` is called after every step of every table where it sits (and once when a game begins, with action -1),
    before `act_at` asks about that table. At the end of a round `after` is the next one, already dealt.
    """

    keeps_time = False  # whether it keeps a limit of its own, and is waited for
    progress: Mapping[int, tuple[int, int]] = MappingProxyType({})  # by seat, while it prepares: rollouts, of how many

    @abstractmethod
    def follow(self, place: int, seat: int, before: np.record, action: int, after: np.record) -> None:
        """Seat `seat` at the table `place` of the match sees one action carried out by `before.seat`."""

    def forget(self, place: int) -> None:
        """Another game or round begins at a table, of which nothing was told yet."""

    def warm_up(self) -> None:
        """Load what the first answer would have to load."""

    def new_round(self, place: int, seat: int, record: np.record) -> None:
        """A round has been dealt at a table that waits between rounds; nothing has happened there yet."""

    @abstractmethod
    def act_at(self, places: np.ndarray, records: np.ndarray, legal: np.ndarray) -> Answers:
        """Answer for the seat that is asked at each of these places of the match."""


def try_out(agent: Agent, decisions: int = 60) -> None:
    """Let an agent decide a little on a table of its own, so that nothing is left to be loaded when a game begins."""
    if isinstance(agent, Follower):
        agent.warm_up()
        return
    game = game_named(agent.game)
    table = load(game.table)(game.rules(), seed=1)
    for _ in range(decisions):
        if table.seat < 0:
            break
        asked = table.record.reshape(1).copy()
        table.act(int(agent.act(asked, table.legal_mask()[None]).actions[0]))


def random_numbers(records: np.ndarray, seed: int, streams: np.ndarray | None = None) -> np.ndarray:
    """A random number in [0, 1) for each question: the same for the same question of the same game, seed and stream."""
    mixed = np.full(len(records), (seed * 0x9E3779B97F4A7C15 + 1) % 2**64, np.uint64)
    with np.errstate(over="ignore"):
        if streams is not None:
            mixed = _mix(mixed ^ np.asarray(streams).astype(np.uint64))
        for part in ("seed", "game", "deal", "discards", "left", "phase", "seat", "offer"):
            mixed = _mix(mixed ^ records[part].astype(np.uint64))
    return (mixed >> np.uint64(11)).astype(np.float64) / 2**53


def _mix(x: np.ndarray) -> np.ndarray:
    """The finaliser of splitmix64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


class ProgramAgent(Follower):
    """A program started with a command; its faults are counted and its answers replaced where they must be."""

    command: list[str]
    limits: Any  # how long it may take: `Limits` of `mjai/process.py`
    where: Callable[[int], str]  # what a place is to the user
    faults: Counter[str]

    @abstractmethod
    def starts(self, place: int, seat: int) -> bool:
        """Whether the seat's next answer is the first of a process, which may take as long as a start."""

    @property
    def useless(self) -> str:
        """A sentence if the program does not play at all."""
        return ""
