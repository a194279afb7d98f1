"""One game out of whatever it is kept in: a record file of any format, an archive, or a store."""

from pathlib import Path

from suzaku.records.formats.read import read_games
from suzaku.records.game import RecordError, SkippedError
from suzaku.records.importing.sources import find_files, read_items
from suzaku.records.store import Store
from suzaku.records.stored import Stored, to_stored
from suzaku.records.verify import replay_game


def open_game(name: str) -> tuple[Stored, list[str]]:
    """The first game of a file or an archive, or the game STORE:ID of a store, and its players' names.

    RecordError says what is wrong. Of a record that cannot be followed to its end, the rounds before stay.
    """
    folder, colon, id = name.rpartition(":")
    if colon and Path(folder).is_dir() and not Path(name).exists():
        stored = Store(folder).find(id)
        return stored, [player or f"player {seat + 1}" for seat, player in enumerate(stored.players)]
    if any(Path(name).glob("part-*.parquet")):
        raise RecordError(f"{name}: this is a store of {Store(name).said()}; name one of them, {name}:ID")
    for item in read_items(find_files([name])):
        try:
            if item.error:
                raise RecordError(item.error)
            game = read_games(item.text, item.name, 1)[0]
            followed = replay_game(game)
            if followed.divergence is not None:
                if not followed.actions:
                    place = followed.divergence
                    raise RecordError(f"round {place.round + 1}: {place.text}")
                game.rounds = game.rounds[: len(followed.actions)]
        except (RecordError, SkippedError) as error:
            raise RecordError(f"{item.name}: {error}") from None
        names = [player.name or f"player {seat + 1}" for seat, player in enumerate(game.players)]
        return to_stored(game, followed), names
    raise RecordError(f"{name}: there is no game in it")
