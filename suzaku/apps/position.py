"""A position to look at: out of a game of simple players, or out of a recorded one."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from suzaku.riichi import Table


def position(seed: int, record: str | None, decisions: int, needed: str) -> "Table":
    """A table after some decisions; what `needed` names is compiled as well. ValueError if there is none."""
    return _played(seed, decisions, needed) if record is None else _recorded(record, decisions, needed)


def _played(seed: int, decisions: int, needed: str) -> "Table":
    """A table after some decisions of four simple players."""
    from suzaku.agents.efficiency import choose
    from suzaku.apps.compiling.start import prepare
    from suzaku.hand.tables import tables
    from suzaku.riichi import Table

    prepare(needed, "shanten")
    game = Table(seed=seed)
    for _ in range(decisions):
        game.act(int(choose(tables(), game.record, game.legal_mask())))
        if game.round_over:
            game.next_round()
        if game.game_over:
            raise ValueError(f"the game of seed {seed} is over before {decisions} decisions")
    return game


def _recorded(path: str, decisions: int, needed: str) -> "Table":
    """A table after some decisions of the first game of a record."""
    from suzaku.apps.compiling.start import prepare
    from suzaku.records.game import RecordError
    from suzaku.records.importing.import_worker import import_item
    from suzaku.records.importing.sources import find_files, read_items
    from suzaku.records.replay import table_after
    from suzaku.riichi import Table

    files = find_files([path])
    prepare(needed, "records")
    outcome = import_item(next(read_items(files)))
    if not outcome.games:
        raise RecordError(f"{outcome.name}: {(outcome.bad + outcome.skipped)[0]}")
    stored = outcome.games[0]
    if decisions >= len(stored.actions):
        raise ValueError(f"{path}: the game is over before {decisions} decisions")
    return Table.from_record(table_after(stored, decisions))
