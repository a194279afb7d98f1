"""A game of a match as a record that `suzaku data show` reads."""

import numpy as np

from suzaku.arena.match import Match
from suzaku.arena.step import walls_of
from suzaku.records.formats.write import write_game
from suzaku.records.stored import Stored
from suzaku.records.to_events import to_events
from suzaku.riichi.deal import read_seed, start_game
from suzaku.riichi.state import STATE, WALL

ENDINGS = {"mjai": "mjson", "mjlog": "mjlog", "tenhou6": "json"}


def stored_game(match: Match, row: np.ndarray, moves: np.ndarray) -> Stored:
    """The game as walls and actions; the walls follow from the seed and the deal."""
    number = int(row["number"])
    table = np.zeros(1, STATE)
    table["rules"] = match.rules.to_record()
    start_game(table[0], read_seed(match.seed), number // match.turns)
    walls = np.zeros((int(row["hands"]["hands"][0]), WALL), np.int8)
    walls_of(table[0], walls)
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
        start=None,
        scores=row["scores"].tolist(),
        ranks=row["ranks"].tolist(),
        finished=True,
        walls_known=True,
        decisions=len(moves),
        walls=walls,
        actions=moves.copy(),
    )


def game_text(match: Match, row: np.ndarray, moves: np.ndarray) -> bytes:
    """The game in the match's format."""
    return write_game(to_events(stored_game(match, row, moves)), match.save)


def file_name(match: Match, number: int) -> str:
    """The name of a saved game: its deal, and which game on that deal it is."""
    return f"{number // match.turns:06d}-{number % match.turns}.{ENDINGS[match.save]}"
