"""`suzaku bot`: our agents at other people's tables, and other people's programs tried.

- `suzaku bot check`: try a program that plays mjai.
- `suzaku bot`: our agents at other people's tables, as a player that speaks mjai or Botzone's protocol.
"""

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suzaku.cli import data as opt
from suzaku.cli.errors import clear_errors, complain
from suzaku.cli.options import GameCommand, GameName, LengthName, RulesText

if TYPE_CHECKING:
    from suzaku.agents.mjai.bot import Bot


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
            metavar="COMMAND", help="What starts the program, after --. {seat} in it becomes its number, 0..3."
        ),
    ],
    games: Annotated[int, typer.Option(min=1, help="Games, two in each seat. Each seat has a process of its own.")] = 8,
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
        from suzaku.cli.compile import prepare
        from suzaku.riichi.game import GAME
        from suzaku.table.game import read_rules

        # one word is a program, or a whole command in quotes
        words = shlex.split(command[0]) if len(command) == 1 and shutil.which(command[0]) is None else command
        played = read_rules(GAME, rules, length)
        recorded = list(_recorded(record)) if record else []
        if not words or shutil.which(words[0]) is None:
            raise ValueError(f"{' '.join(words[:1])!r} cannot be started: there is no such program")
        prepare("riichi shanten")
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
    """The games of a file. The first that cannot be followed is an error."""
    from suzaku.cli.compile import prepare
    from suzaku.records.importing import import_item
    from suzaku.records.sources import find_files, read_items

    prepare("records.importing")
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


class BotCommand(GameCommand):
    """The command `bot`, whose first word may also be `check`."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Read the words that follow `bot`."""
        if args[:1] == ["check"]:
            return typer.main.get_command(app).make_context(f"{info_name} check", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


def bot(
    player: Annotated[
        int | None,
        typer.Argument(
            metavar="PLAYER", min=0, max=3, help="0..3, where start_game does not tell.", show_default=False
        ),
    ] = None,
    agent: Annotated[
        str, typer.Option(help="Who plays: suphx, heuristic, shanten ... [default: the game's usual agent]")
    ] = "",
    game: GameName = "riichi",
    server: Annotated[
        str, typer.Option(metavar="URL", help="Join a server: mjsonp://host:port/room. Otherwise stdin and stdout.")
    ] = "",
    name: Annotated[str, typer.Option(help="Its name at the server.")] = "suzaku",
    rules: RulesText = "",
    length: LengthName = "",
    keep_running: Annotated[
        bool, typer.Option(help="MCR: ask Botzone to keep the process for the whole match.")
    ] = True,
    package: Annotated[
        str, typer.Option(metavar="botzone", help="MCR: write a bot to upload, and end.", show_default=False)
    ] = "",
    out: Annotated[str, typer.Option(metavar="FILE", help="Where the package is written.")] = "suzaku-botzone.zip",
) -> None:
    """Play mjai: events on stdin, answers on stdout, one line each. With --game mcr, play as a bot of Botzone.

    A line is an event, or an array of events as mjai.app sends them. Each line gets one answer, but one with
    "can_act": false gets none. Where there is nothing to do the answer is {"type":"none"}.

    To try a bot of your own: suzaku bot check --help

    Examples:

    suzaku bot < events.jsonl

    suzaku bot --agent heuristic --server mjsonp://localhost:11600/default

    suzaku bot --game mcr --agent shanten
    """
    from suzaku.cli.compile import prepare
    from suzaku.cli.errors import clear_errors, complain

    with clear_errors():
        from suzaku.agents.make import make_agent
        from suzaku.table.game import game_named

        agent = agent or game_named(game).usual_agent
        if package or game == "mcr":
            if server or rules or length or player is not None:
                raise ValueError("PLAYER, --server, --rules and --length are of mjai: leave them out for Botzone")
            _botzone(agent, game, package, out, keep_running)
            return
        if game != "riichi":
            raise ValueError(f"there is no protocol for bots of {game}: choose one of riichi, mcr")
        from suzaku.agents.mjai.bot import play_on_server, read_address
        from suzaku.agents.mjai.process import MjaiAgent
        from suzaku.riichi.game import GAME
        from suzaku.table.game import read_rules

        played = read_rules(GAME, rules, length)
        if server:
            read_address(server)
        playing = make_agent(agent)
        if isinstance(playing, MjaiAgent):
            raise ValueError(f"{agent} is a program that speaks mjai itself: it needs no bot in front of it")
        prepare(f"riichi {agent}")
        from suzaku.agents.agent import try_out
        from suzaku.agents.mjai.bot import Bot

        try:
            try_out(playing)
            made = Bot(playing, complain, played, player)
            if server:
                try:
                    play_on_server(made, server, name, complain)
                except OSError as error:
                    raise ValueError(f"{server}: {error.strerror or error}") from None
            else:
                answer_lines(made)
        finally:
            playing.close()


def answer_lines(made: "Bot") -> None:
    """Answer the lines of stdin until it ends."""
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        answer = made.react(line)
        if answer is not None:
            out.write(answer + b"\n")
            out.flush()


def _botzone(agent: str, game: str, package: str, out: str, keep_running: bool) -> None:
    """A bot of Botzone on stdin and stdout, or the package of one."""
    from pathlib import Path

    from suzaku.agents.agent import Follower, try_out
    from suzaku.agents.make import make_agent
    from suzaku.cli.compile import prepare
    from suzaku.cli.errors import complain

    if game != "mcr":
        raise ValueError("Botzone's bots are of MCR: add --game mcr")
    playing = make_agent(agent, game)
    if isinstance(playing, Follower):
        raise ValueError(f"{agent} is a bot of Botzone itself: it needs no bot in front of it")
    if package:
        from suzaku.agents.botzone.package import write_package

        if package != "botzone":
            raise ValueError(f"there is no package for {package!r}: choose botzone")
        size = write_package(Path(out), agent)
        typer.echo(f"{out}: {size / 1e6:.1f} MB")
        return
    prepare(f"{game} {agent}")
    from suzaku.agents.botzone.bot import Bot, talk

    try_out(playing)
    talk(Bot(playing, complain), sys.stdin, sys.stdout, keep_running)
