"""`suzaku bot check`: try a program that plays mjai."""

import shlex
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.apps import data_options as opt
from suzaku.apps.errors import clear_errors, complain
from suzaku.apps.game_options import GameCommand, LengthName, RulesText

if TYPE_CHECKING:
    from suzaku.agents.mjai.check import Examinee, Tally
    from suzaku.records.stored import Stored
    from suzaku.riichi.rules import Rules

    Tell = Callable[[], None]
    Course = tuple[int, str, Callable[[Examinee], None]]

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command(cls=GameCommand)
def check(
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND", help="What starts the program, after --; {seat} in it becomes its number, 0..3."
        ),
    ],
    games: Annotated[int, typer.Option(min=1, help="Games, two in each seat; each seat has a process of its own.")] = 8,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Decides the deals.")] = 0,
    rules: RulesText = "tenhou-east",
    length: LengthName = "",
    record: Annotated[
        str,
        typer.Option(metavar="FILE", help="Ask it in the place of each player of these recorded games instead."),
    ] = "",
    arrays: Annotated[bool, typer.Option("--arrays", help="Send arrays of events, as mjai.app does.")] = False,
    answer_limit: Annotated[float, typer.Option(min=0.01, metavar="SECONDS", help="How long an answer may take.")] = 5,
    start_limit: Annotated[
        float, typer.Option(min=0.01, metavar="SECONDS", help="How long the first answer of a process may take.")
    ] = 180,
) -> None:
    """Try a bot: play games against it, and show the first wrong, late or illegal answer with the position.

    Two of its opponents play for a win, the third plays at random, so that odd things happen. In recorded games (any
    format that suzaku data show reads) its answers must be legal, and what was recorded goes on: it must believe the
    events it is told, not its own answers. The exit code is 0 if nothing was wrong, else 1.

    Examples:

    suzaku bot check -- python examples/starter_bot.py {seat}

    suzaku bot check --record game.mjson --arrays -- ./my_bot
    """
    with clear_errors():
        from suzaku.agents.mjai.check import Examinee, Tally, WrongError
        from suzaku.agents.mjai.process import Limits
        from suzaku.apps.compiling.start import prepare
        from suzaku.riichi.game import GAME
        from suzaku.rules_text import read_rules

        # one word is a program, or a whole command in quotes
        words = shlex.split(command[0]) if len(command) == 1 and shutil.which(command[0]) is None else command
        played = read_rules(GAME, rules, length)
        recorded = list(_recorded(record)) if record else []
        if not words or shutil.which(words[0]) is None:
            raise ValueError(f"{' '.join(words[:1])!r} cannot be started: there is no such program")
        prepare("shanten")
        tally, limits = Tally(), Limits(answer_limit, start_limit)
        seats: dict[int, Examinee] = {}
        try:
            with opt.counting("Answers:") as show:
                for seat, name, run in _courses(games, seed, played, recorded, lambda: show(tally.answers.total(), "")):
                    if seat not in seats:
                        seats[seat] = Examinee(words, seat, tally, arrays, limits, complain)
                    seats[seat].game = name
                    run(seats[seat])
        except WrongError as wrong:
            typer.echo(f"{tally.answers.total():,} answers were right, and the next one is not.\n{wrong}")
            for line in wrong.position:
                typer.echo(line)
            raise typer.Exit(1) from None
        finally:
            for program in seats.values():
                program.close()
        for line in _report(tally):
            typer.echo(line)


def _courses(games: int, seed: int, rules: "Rules", recorded: "list[Stored]", tell: "Tell") -> "Iterator[Course]":
    """What the program goes through: its seat, words for the game, and what plays it."""
    from suzaku.agents.mjai.check import play, replay
    from suzaku.agents.simple import RandomAgent, ShantenAgent
    from suzaku.riichi.table import Table

    for game in recorded:
        for seat in range(4):
            yield seat, f"game {game.id}", partial(replay, game=game, tell=tell)
    if not recorded:
        others = [ShantenAgent(), RandomAgent(), ShantenAgent()]
        for i in range(games):
            table = Table(rules, (seed + i) % 2**64)
            yield i // 2 % 4, f"game {i + 1}", partial(play, table=table, others=others, tell=tell)


def _recorded(file: str) -> "Iterator[Stored]":
    """The games of a file; the first that cannot be followed is an error."""
    from suzaku.apps.compiling.start import prepare
    from suzaku.records.importing.import_worker import import_item
    from suzaku.records.importing.sources import find_files, read_items

    prepare("records")
    for item in read_items(find_files([file])):
        outcome = import_item(item)
        for problem in outcome.bad + outcome.skipped:
            raise ValueError(f"{item.name}: {problem}")
        yield from outcome.games


def _report(tally: "Tally") -> Iterator[str]:
    """What a program has done that did nothing wrong."""
    import statistics

    def counts(found: dict[str, int]) -> str:
        return ", ".join(f"{name} {n:,}" for name, n in sorted(found.items(), key=lambda item: -item[1]))

    yield f"{tally.games:,} games, {tally.rounds:,} rounds, {tally.answers.total():,} answers: all legal and in time."
    yield f"answered: {counts(tally.answers)}"
    yield f"could have answered: {counts(tally.options)}"
    if tally.seconds:
        milliseconds = [1000 * spent for spent in tally.seconds]
        yield f"milliseconds an answer: median {statistics.median(milliseconds):.1f}, longest {max(milliseconds):.1f}"
    if tally.stayed:
        yield "It did not end when its input did, and was ended: let it stop reading at the end of its input."
