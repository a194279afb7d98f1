"""A game of a match as it is stored, and as a record that `suzaku data show` reads."""

import zlib

import numpy as np

from suzaku.arena.match import Match
from suzaku.records.formats.write import ENDINGS, write_stored
from suzaku.records.stored import Stored


def stored_game(
    match: Match,
    row: np.ndarray,
    moves: np.ndarray,
    log_prob: np.ndarray | None = None,
    versions: list[int] | None = None,
) -> Stored:
    """The game as walls and actions, with what a trajectory tells more; the walls follow from the seed and the deal."""
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
        dan=[-1] * 4,
        rate=[float("nan")] * 4,
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


def game_text(match: Match, row: np.ndarray, moves: np.ndarray) -> bytes:
    """The game in the match's format. Its name tells it from other agents' games on the same deal."""
    stored = stored_game(match, row, moves)
    stored.id += f"-{zlib.crc32(moves.tobytes()):08x}"
    return write_stored(stored, match.save)


def file_name(match: Match, number: int) -> str:
    """The name of a saved game: its deal, and which game on that deal it is."""
    return f"{number // match.turns:06d}-{number % match.turns}.{ENDINGS[match.save]}"
