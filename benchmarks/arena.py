"""Speed of the arena: hanchan a minute for an agent, and where the time goes.

python benchmarks/arena.py [shanten] [--games 400] [--tables 512] [--processes 1]

Four of the agent sit at every table. The agent's own parts (features, network) are shown if it has an attribute
`seconds` with the time of each.
"""

import argparse
import time

from rich.console import Console
from rich.table import Table

from suzaku.agents.make import make_agent
from suzaku.arena.crew import Crew, Here, Processes
from suzaku.arena.floor import Floor, usual_tables
from suzaku.arena.log import Log
from suzaku.arena.match import Match
from suzaku.arena.play import Play, Played


def run(agent: str, games: int, tables: int, processes: int) -> tuple[Played, float]:
    """Play; the result, and the seconds that passed."""
    match = Match((agent, agent), "1v3", seed=1)
    crew: Crew = Here(match, tables) if processes == 1 else Processes(match, tables, processes)
    start = time.perf_counter()
    played = Play(match, Log(match), games).run(crew)
    seconds = time.perf_counter() - start
    crew.close()
    return played, seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agent", nargs="?", default="shanten")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--tables", type=int)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    made = make_agent(options.agent)
    tables = options.tables or usual_tables([made])
    made.close()
    warm = Floor(Match((options.agent, options.agent), "1v3", seed=2), 4)
    warm.advance([0, 1, 2, 3], 600)
    warm.close()
    played, seconds = run(options.agent, options.games, tables, options.processes)
    clock = played.clocks[options.agent]
    title = f"{options.agent}: {played.rows.size:,} hanchan, {options.processes} x {tables} tables"
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
    Console().print(found)


if __name__ == "__main__":
    main()
