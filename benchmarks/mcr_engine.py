"""Speed of the MCR engine on one thread beside Riichi's in the same run, by CPU time.

python benchmarks/mcr_engine.py [--quick]
"""

import argparse
import time

from suzaku import mcr, riichi


def kernel_play(tables, steps: int) -> tuple[float, float]:
    """Decisions and games a second of random play with the choice inside the kernel."""
    tables.play_random(500)
    start = time.process_time()
    _, games = tables.play_random(steps)
    seconds = time.process_time() - start
    return len(tables) * steps / seconds, games / seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    steps = 2000 if parser.parse_args().quick else 20_000
    rows = {
        "mcr, duplicate": kernel_play(mcr.Tables(64, seed=1), steps),
        "mcr, one wall with flowers": kernel_play(mcr.Tables(64, mcr.Rules.table(hands=1), seed=1), steps),
        "riichi, east-only": kernel_play(riichi.Tables(64, seed=1, length="east"), steps),
    }
    base = rows["riichi, east-only"][0]
    print("| random play | decisions a second | games a second | decisions beside Riichi |\n|---|---:|---:|---:|")
    for name, (decisions, games) in rows.items():
        print(f"| {name} | {decisions:,.0f} | {games:,.0f} | {decisions / base:.2f} |")


if __name__ == "__main__":
    main()
