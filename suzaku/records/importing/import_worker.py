"""What is done with one input text, in a worker process: read it, play it through the engine, keep or report it."""

from dataclasses import dataclass, field

from suzaku.records.formats.read import is_mcr, read_games
from suzaku.records.game import UNREADABLE, RecordError, SkippedError
from suzaku.records.importing.sources import Item
from suzaku.records.stored import Stored, to_stored
from suzaku.records.verify import replay_game


@dataclass
class Outcome:
    """What came of one text."""

    name: str
    games: list[Stored] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)  # sentences: it cannot be read, or the engine disagrees
    skipped: list[str] = field(default_factory=list)  # sentences: sound, but not kept
    found: int = 0  # games that were read
    rounds: int = 0
    actions: int = 0
    divergences: list[str] = field(default_factory=list)  # in full, with the board


def import_item(item: Item) -> Outcome:
    """Read and play a text."""
    outcome = Outcome(item.name)
    if item.error:
        outcome.bad.append(item.error)
        return outcome
    try:
        if is_mcr(item.text):
            return _import_mcr(item, outcome)
        games = read_games(item.text, item.name)
    except RecordError as error:
        outcome.bad.append(str(error))
        return outcome
    except SkippedError as error:
        outcome.skipped.append(str(error))
        return outcome
    for game in games:
        try:
            replayed = replay_game(game)
        except UNREADABLE:
            outcome.bad.append("the record has numbers that no game has")
            continue
        outcome.found += 1
        outcome.rounds += len(game.rounds)
        outcome.actions += sum(len(actions) for actions in replayed.actions)
        if replayed.divergence is None:
            outcome.games.append(to_stored(game, replayed))
        else:
            text = str(replayed.divergence)
            outcome.divergences.append(text)
            outcome.bad.append(
                "the record and the rules disagree: " + text.splitlines()[0].removeprefix(f"{item.name}: ")
            )
    return outcome


def _import_mcr(item: Item, outcome: Outcome) -> Outcome:
    """Read and play matches of MCR."""
    from suzaku.records.mcr import read_matches, replay_recorded  # Riichi needs none of its kernels

    for game in read_matches(item.text, item.name):
        replayed = replay_recorded(game)
        outcome.found += 1
        outcome.rounds += 1
        outcome.actions += replayed.actions
        if replayed.stored is not None:
            outcome.games.append(replayed.stored)
        else:
            outcome.divergences.append(replayed.divergence)
            first = replayed.divergence.splitlines()[0].removeprefix(f"{item.name}: ")
            outcome.bad.append(f"the record and the rules disagree: {first}")
    return outcome


def verify_item(item: Item) -> Outcome:
    """Read and play a text; the games themselves are not handed back."""
    outcome = import_item(item)
    outcome.games = []
    return outcome
