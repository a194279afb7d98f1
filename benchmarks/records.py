"""How fast records are read, imported and replayed, and how small they are stored.

    python benchmarks/records.py [RECORDS...]

Without arguments it makes games of its own and writes them as records; with arguments it takes the first games of those
files or archives. All figures are for one core. The last column is the ratio to a named peer measured in the same run:
parsing against the standard library's ElementTree on the same texts, storing against the same texts under gzip.
"""

import argparse
import gzip
import itertools
import statistics
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.records.decisions import decisions
from suzaku.records.formats import read_games, write_game
from suzaku.records.importing import import_records
from suzaku.records.sources import Item, find_files, read_items, unpack
from suzaku.records.store import Store
from suzaku.records.stored import Stored, table_at_start, to_stored
from suzaku.records.to_events import to_events
from suzaku.records.verify import replay_game
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.game import GAME


def made_items(n: int) -> list[Item]:
    """Records of games between simple players."""
    from suzaku.agents.simple import choose
    from suzaku.riichi.table import Table

    items = []
    for seed in range(n):
        table = Table(seed=seed)
        walls, actions = [table.record.wall.copy()], []
        while not table.game_over:
            if table.round_over:
                table.next_round()
                walls.append(table.record.wall.copy())
            actions.append(int(choose(hand_tables(), table.record, table.legal_mask())))
            table.act(actions[-1])
        game = Stored(
            f"made-game-{seed:04d}", "made", "made", "", "", table.rules, [""] * 4, [0] * 4, [1500.0] * 4, None,
            table.scores, [0, 1, 2, 3], True, True, len(actions), np.array(walls, np.int8), np.array(actions, np.uint8),
        )  # fmt: skip
        items.append(Item(f"{game.id}.mjlog", write_game(to_events(game), "mjlog")))
    return items


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The median time of some runs, after one that warms up."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="*", help="files, folders or archives of mjlog records")
    parser.add_argument("--games", type=int, default=200, help="how many games to take")
    options = parser.parse_args()
    if options.records:
        items = list(itertools.islice(read_items(find_files(options.records)), options.games))
    else:
        items = made_items(options.games)
    texts = [(unpack(item.text), item.name) for item in items]
    games = [read_games(text, name)[0] for text, name in texts]
    stored = [to_stored(game, replay_game(game)) for game in games]
    rounds, actions = sum(len(game.walls) for game in stored), sum(len(game.actions) for game in stored)
    length = sum(len(text) for text, _ in texts) / len(texts)
    print(f"{len(games)} games, {rounds} rounds, {actions} actions, {length:.0f} bytes each")
    print(f"{'':34}{'a second and core':>20}{'peer':>32}{'ratio':>8}")

    def line(name: str, value: float, unit: str, peer: str = "", ratio: float | None = None) -> None:
        print(f"{name:34}{value:>13,.0f} {unit:6}{peer:>32}{'' if ratio is None else f'{ratio:8.2f}'}")

    parse = seconds(lambda: [read_games(text, name) for text, name in texts])
    tree = seconds(lambda: [ElementTree.fromstring(text) for text, _ in texts])
    line("mjlog read, with the wall", len(texts) / parse, "files", "ElementTree, tags alone", tree / parse)
    check = seconds(lambda: [replay_game(game) for game in games])
    line("followed and compared", actions / check, "dec.")
    legal = np.zeros(ACTIONS, np.bool_)

    def run(checked: bool) -> None:
        for game in stored:
            GAME.replay(hand_tables(), table_at_start(game)[0], game.walls, game.actions, legal, checked)

    line("replayed", actions / seconds(lambda: run(False)), "dec.")
    line("replayed, each action checked", actions / seconds(lambda: run(True)), "dec.")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "in")
        source.mkdir()
        for (text, _), game in zip(texts, stored, strict=True):
            (source / f"{game.id}.mjlog").write_bytes(text)
        start = time.perf_counter()
        import_records([str(source)], Path(folder, "store"))
        line("imported", len(texts) / (time.perf_counter() - start), "files")
        store = Store(Path(folder, "store"))
        found = sum(len(batch) for batch in decisions(store))
        line("batches for learning, shuffled", found / seconds(lambda: [len(b) for b in decisions(store)]), "dec.")
        size = sum(part.stat().st_size for part in store.parts) / len(stored)
    packed = statistics.mean(len(gzip.compress(text)) for text, _ in texts)
    print(f"{'stored':34}{size:>13,.0f} bytes a game{'the text under gzip':>25}{packed / size:8.2f}")


if __name__ == "__main__":
    main()
