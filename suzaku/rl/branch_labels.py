"""Labelled positions on disk: a store of the rounds they are from, and beside each part a Parquet file of labels.

    part-00000.parquet     the rounds of self-play, as in any store
    labels-00000.parquet   a row a position: where it is, what the player answered, and the differences

A part is done when its labels are there. What was interrupted goes on with the next part, to the same labels.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from suzaku.agents.suphx import SuphxAgent
from suzaku.records.store import INPUTS, SUMMARY, Store, part_name, to_game, write_part, write_summary
from suzaku.records.stored import Stored, lot_of
from suzaku.rl.branch_config import BranchConfig
from suzaku.rl.branches import Positions, Worth, branch_differences, find_positions, points, records_at
from suzaku.rl.round_player import RoundPlayer
from suzaku.system import some, write_whole, writing

SCHEMA = pa.schema(
    [
        pa.field("game", pa.string()),  # id of the round in the store
        pa.field("at", pa.int32()),  # actions of it that came before
        pa.field("action", pa.int16()),  # of a yes
        pa.field("yes", pa.float32()),  # the probability of it that the player gave
        pa.field("difference", pa.float32()),  # mean of what yes brought more than no
        pa.field("error", pa.float32()),  # its standard error
        pa.field("differences", pa.list_(pa.float32())),  # each of them
    ]
)
EMPTY = 20  # parts without a position after which there will be none
SETTINGS = b"suzaku.settings"  # key of the metadata: those that the labels were made with, for whoever learns again
HELD_OUT = 5  # of so many positions one is for validation, one for the test

Tell = Callable[[int, int], None]  # positions so far, and rollouts that this command made


@dataclass
class Labels:
    """Positions with what was learnt of them by rolling out."""

    records: np.ndarray
    action: np.ndarray  # int64[n]: of a yes
    yes: np.ndarray  # float32[n]: what the player gave
    differences: np.ndarray  # float32[n, rollouts]
    lot: np.ndarray  # uint64[n]: of the game, which divides them

    def __len__(self) -> int:
        return len(self.action)

    @property
    def difference(self) -> np.ndarray:
        """float32[n]: what yes is worth more than no."""
        return self.differences.mean(1)

    @property
    def error(self) -> np.ndarray:
        """float32[n]: the standard error of that."""
        return self.differences.std(1, ddof=1) / np.sqrt(self.differences.shape[1])

    def split(self, name: str) -> np.ndarray:
        """The positions of training, validation or test; those of a game are together."""
        place = self.lot % HELD_OUT
        return np.flatnonzero({"validation": place == 0, "test": place == 1, "train": place > 1}[name])


def labels_key(config: BranchConfig, agent: SuphxAgent) -> bytes:
    """A hash of all that the labels follow from."""
    made_of = {"settings": config.of_labels(), "models": {name: one.hash for name, one in agent.models.items()}}
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest().encode()


def labelled_with(folder: Path) -> dict[str, Any]:
    """The settings that labels were made with, so that nobody has to repeat them; none of labels that do not say."""
    found = sorted(folder.glob("labels-*.parquet"))
    return _settings_of(_read_table(found[-1])) if found else {}


def make_labels(
    folder: Path, config: BranchConfig, agent: SuphxAgent, worth: Worth = points, tell: Tell | None = None
) -> None:
    """Play and roll out until there are enough positions; parts that stand there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    with writing(folder):
        found, number, rounds, rolled = 0, 0, 0, 0
        player: RoundPlayer | None = None
        while found < config.positions:
            path = folder / labels_name(number)
            if path.exists():
                found += len(_read_part(path, config, agent))
            else:
                (folder / SUMMARY).unlink(missing_ok=True)  # it is no whole store until all is rolled out
                player = player or RoundPlayer(agent, config.seed, config.length, 1)
                made = _make_part(folder, number, config, player, worth)
                found, rolled = found + made, rolled + 2 * made * config.rollouts
            number, rounds = number + 1, rounds + config.rounds
            if not found and number == EMPTY:
                asked = f"the {config.model} model was never asked in {some(rounds, 'round')}"
                raise ValueError(f"{asked}: nothing to label")
            if tell:
                tell(found, rolled)
        if not (folder / SUMMARY).exists():
            write_summary(folder, number, rounds, rounds)


def labels_name(number: int) -> str:
    """The file name of the labels of a part."""
    return f"labels-{number:05d}.parquet"


def _make_part(folder: Path, number: int, config: BranchConfig, player: RoundPlayer, worth: Worth) -> int:
    games, _ = player.play(list(range(number * config.rounds, (number + 1) * config.rounds)))
    assert isinstance(player.agent, SuphxAgent)
    found = find_positions(player.agent, games, config.model, config.seed)
    rolled = branch_differences(player.agent, found, config.rollouts, config.redraw, config.seed, worth)
    about = _metadata(config, player.agent)
    write_part(folder / part_name(number), games, {INPUTS: about[INPUTS]})
    write_labels(folder / labels_name(number), found, rolled, about)
    return len(found)


def write_labels(path: Path, positions: Positions, differences: np.ndarray, about: dict[bytes, bytes]) -> None:
    """Write the labels of a part, whole, with what is said about them."""
    columns = {
        "game": positions.game,
        "at": positions.at,
        "action": positions.action,
        "yes": positions.yes,
        "difference": differences.mean(1),
        "error": differences.std(1, ddof=1) / np.sqrt(differences.shape[1]),
        "differences": list(differences),
    }
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.table(columns, schema=SCHEMA.with_metadata(about)), buffer, compression="zstd")
    write_whole(path, buffer.getvalue().to_pybytes())


def _metadata(config: BranchConfig, agent: SuphxAgent) -> dict[bytes, bytes]:
    made_with = {**config.of_labels(), "start": config.start, "positions": config.positions}
    return {INPUTS: labels_key(config, agent), SETTINGS: json.dumps(made_with).encode()}


def _settings_of(table: pa.Table) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((table.schema.metadata or {}).get(SETTINGS, b"{}"))
    return {name: value for name, value in found.items() if value != ""}


def _read_table(path: Path) -> pa.Table:
    try:
        return pq.read_table(path)
    except (OSError, pa.ArrowException) as problem:
        raise ValueError(f"{path} cannot be read ({problem}): delete it to roll its positions out again") from None


def _read_part(path: Path, config: BranchConfig, agent: SuphxAgent) -> pa.Table:
    """The labels of a part; ValueError if they were made otherwise, which says how."""
    table = _read_table(path)
    if (table.schema.metadata or {}).get(INPUTS) == labels_key(config, agent):
        return table
    made, now = _settings_of(table), config.of_labels()
    if others := [f"--set {name}={made[name]}" for name in now if made.get(name, now[name]) != now[name]]:
        raise ValueError(f"{path.parent} holds labels made with {' '.join(others)}: say so, or choose another folder")
    what = f"of the player that {made['start']} was" if made else "of another player or of other settings"
    raise ValueError(f"{path.parent} holds labels {what}: start from what made them, or choose another folder")


def read_labels(folder: Path, config: BranchConfig, agent: SuphxAgent) -> Labels:
    """The first positions of a folder, as many as the settings say."""
    store = Store(folder)
    tables = [_read_part(folder / labels_name(number), config, agent) for number in range(len(store.parts))]
    rows = pa.concat_tables(tables)[: config.positions]
    if len(rows) < config.positions:
        raise ValueError(f"{folder} holds {len(rows):,} positions, and {config.positions:,} are wanted")
    games: dict[str, Stored] = {}
    for _, _, stored in store.read_groups():
        games |= {row["id"]: to_game(row) for row in stored}
    ids, at = rows["game"].to_pylist(), rows["at"].to_pylist()
    return Labels(
        records_at(games, ids, at),
        rows["action"].to_numpy().astype(np.int64),
        rows["yes"].to_numpy(),
        np.stack(rows["differences"].to_numpy()),
        np.array([lot_of(name) for name in ids], np.uint64),
    )
