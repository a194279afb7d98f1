"""Speed of the arena: hanchan a minute for agents, and where the time goes.

python benchmarks/arena.py [heuristic suphx] [--games 400] [--tables 512] [--processes 2]

Four of an agent sit at every table, and the match is timed from its first step to its last game. The agent's own parts
(features, network) are shown if it has an attribute `seconds` with the time of each.
"""

import argparse
import time

from rich.console import Console
from rich.table import Table

from suzaku.agents.make import make_agent
from suzaku.arena.log import Log
from suzaku.arena.match import Match
from suzaku.arena.play import Play, Played, TableWorkers, here, processes
from suzaku.arena.table_worker import TableWorker, usual_tables


def run(agent: str, games: int, tables: int, count: int) -> tuple[Played, float]:
    """Play; the result, and the seconds that passed."""
    match = Match((agent, agent), "1v3", seed=1)
    workers: TableWorkers = here(match, tables) if count == 1 else processes(match, tables, count)
    start = time.perf_counter()
    played = Play(match, Log(match), games).run(workers)
    seconds = time.perf_counter() - start
    workers.close()
    return played, seconds


def measure(agent: str, games: int, tables: int | None, processes: int) -> Table:
    """The figures of one agent."""
    made = make_agent(agent)
    tables = tables or usual_tables([made])
    made.close()
    warm = TableWorker(Match((agent, agent), "1v3", seed=2), 4)
    warm.advance([0, 1, 2, 3], 600)
    warm.close()
    played, seconds = run(agent, games, tables, processes)
    clock = played.clocks[agent]
    title = f"{agent}: {played.rows.size:,} hanchan, {processes} x {tables} tables"
    found = Table(title=title, title_justify="left", show_header=False)
    found.add_column("")
    found.add_column("", justify="right")
    found.add_row("hanchan a minute", f"{60 * played.rows.size / seconds:,.0f}")
    found.add_row("decisions asked a second", f"{clock.asked / seconds:,.0f}")
    found.add_row("milliseconds a decision", f"{1000 * clock.seconds / max(clock.asked, 1):.4f}")
    parts = {f"agent: {name}": part for name, part in clock.parts.items()}
    shares = {**parts, "agent: all else" if parts else "agent": clock.seconds - sum(parts.values())}
    shares["rules"] = played.rules
    shares["arena"] = played.seconds - played.rules - clock.seconds
    for name, share in shares.items():
        found.add_row(f"share of {name}", f"{100 * share / played.seconds:.1f} %")
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="*", default=["heuristic", "suphx"])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--tables", type=int)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    for agent in options.agents:
        Console().print(measure(agent, options.games, options.tables, options.processes))


if __name__ == "__main__":
    main()
