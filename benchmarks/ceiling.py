"""How much of a round's points is fixed by what a seat cannot see: no critic can explain more than that.

python benchmarks/ceiling.py [--agent suphx] [--positions 300] [--plays 16] [--temperature 1 0.5] [--after 0 20 50 90]

Four copies of an agent play rounds, drawing their answers at a temperature. Each position is played to the end of its
round many times, with other random numbers. The variance of the points between positions is what the position fixes,
the variance within them is what it leaves open.

- "hands and wall": all plays of a position share the wall. A critic that sees the wall can know the mean of the plays.
- "hands": the unseen wall is shuffled again in every play. A critic that sees all hands can know the mean of these.

Each row prints the share of the variance with its 95 % interval, by resampling positions. A thousand rounds take about
ten seconds of a core with `suphx`.
"""

import argparse
import time

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.agents.make import make_agent
from suzaku.arena.single_rounds import ROOM, deal_rounds, situations
from suzaku.riichi.game import GAME
from suzaku.riichi.rules import Rules
from suzaku.rl.branches import TABLES, play_round, unseen_places
from suzaku.table.tables import take

SEED = 7
RESAMPLED = 1000


def positions(agent: Agent, n: int, after: int, pool: np.ndarray, seed: int) -> tuple[np.ndarray, ...]:
    """Tables after so many decisions of a round, what is legal there, and the scores when the round began.

    Rounds that end before are left out.
    """
    records, legal = deal_rounds(GAME, pool, np.arange(n), seed, Rules.tenhou())
    began = records["scores"].astype(np.int64)
    seats, followed = records["seat"].copy(), np.zeros(n, np.bool_)
    hands, over = np.zeros((n, 4), GAME.hands), np.zeros(n, np.int64)
    moves, moved = np.zeros((n, ROOM), np.uint8), np.zeros(n, np.int64)
    for _ in range(after):
        places = np.flatnonzero(seats >= 0)
        actions = np.zeros(n, np.int64)
        actions[places] = agent.act(take(records, places), legal[places], np.zeros(len(places), np.int64)).actions
        GAME.play_on(GAME.tables(), records, actions, legal, seats, followed, hands, moves, moved, over)
        seats[hands["hands"][:, 0] > 0] = -1
    left = np.flatnonzero(seats >= 0)
    return take(records, left), legal[left], began[left]


def played(
    agent: Agent, found: tuple[np.ndarray, ...], plays: int, is_wall_known: bool, rng: np.random.Generator
) -> np.ndarray:
    """float64[positions, plays, 4]: the points of the round for each seat."""
    records, legal, began = found
    out = np.zeros((len(records), plays, 4))
    each = max(1, TABLES // plays)
    for first in range(0, len(records), each):
        rows = np.arange(first, min(first + each, len(records)))
        tables, may = take(records, rows.repeat(plays)), legal[rows].repeat(plays, 0)
        if not is_wall_known:
            for table in tables:
                places = unseen_places(table)
                table["wall"][places] = rng.permutation(table["wall"][places])
        streams = np.tile(np.arange(1, plays + 1), len(rows))
        play_round(agent, tables, agent.act(tables.copy(), may, streams).actions, streams)
        out[rows] = tables["scores"].reshape(len(rows), plays, 4) - began[rows, None]
    return out


def share(points: np.ndarray) -> float:
    """The share of the variance that lies between positions, without bias from the number of plays."""
    plays = points.shape[1]
    within = points.var(axis=1, ddof=1).mean()
    between = points.mean(axis=1).var(axis=0, ddof=1).mean() - within / plays
    return float(between / (between + within))


def main() -> None:
    """Print a row for each temperature and moment of the round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", default="suphx", help="who plays in all seats")
    parser.add_argument("--positions", type=int, default=300, help="rounds that are begun")
    parser.add_argument("--plays", type=int, default=16, help="plays of each position")
    parser.add_argument("--temperature", type=float, nargs="+", default=[1.0, 0.5], help="of the agent's draws")
    parser.add_argument("--after", type=int, nargs="+", default=[0, 20, 50, 90], help="decisions of the round so far")
    options = parser.parse_args()
    pool = situations()
    print(f"{options.agent}, {options.positions} rounds, {options.plays} plays of each, seed {SEED}")
    print(f"{'temperature':>11} {'after':>5} {'positions':>9} {'hands':>14} {'hands and wall':>14} {'seconds':>7}")
    for temperature in options.temperature:
        agent = make_agent(f"{options.agent}:temperature={temperature},seed={SEED}")
        agent.expect_many()
        for after in options.after:
            began, rng = time.perf_counter(), np.random.default_rng((SEED, after))
            found = positions(agent, options.positions, after, pool, SEED)
            texts = []
            for is_wall_known in (False, True):
                points = played(agent, found, options.plays, is_wall_known, rng)
                rows = rng.integers(len(points), size=(RESAMPLED, len(points)))
                low, high = np.percentile([share(points[one]) for one in rows], [2.5, 97.5])
                texts.append(f"{share(points):.2f} ± {(high - low) / 2:.2f}")
            seconds = time.perf_counter() - began
            print(
                f"{temperature:11g} {after:5} {len(found[0]):9} {texts[0]:>14} {texts[1]:>14} {seconds:7.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
