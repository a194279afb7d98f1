"""`suzaku bot`: our agents at other people's tables, as a player that speaks mjai or Botzone's protocol."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suzaku.apps.game_options import GameCommand, GameName, LengthName, RulesText

if TYPE_CHECKING:
    from suzaku.agents.mjai.bot import Bot


class BotCommand(GameCommand):
    """The command `bot`, whose first word may also be `check`."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Read the words that follow `bot`."""
        if args[:1] == ["check"]:
            from suzaku.apps.bot_check import app

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
    from suzaku.apps.compiling.parts import try_out
    from suzaku.apps.compiling.start import prepare
    from suzaku.apps.errors import clear_errors, complain

    with clear_errors():
        from suzaku.agents.make import make_agent
        from suzaku.game import game_named

        agent = agent or game_named(game).usual_agent
        if package or game == "mcr":
            if server or rules or length or player is not None:
                raise ValueError("PLAYER, --server, --rules and --length are of mjai: leave them out for Botzone")
            _botzone(agent, game, package, out, keep_running)
            return
        if game != "riichi":
            raise ValueError(f"there is no protocol for bots of {game}: choose one of riichi, mcr")
        from suzaku.agents.mjai.client import play_on_server, read_address
        from suzaku.agents.mjai.process import MjaiAgent
        from suzaku.riichi.game import GAME
        from suzaku.rules_text import read_rules

        played = read_rules(GAME, rules, length)
        if server:
            read_address(server)
        playing = make_agent(agent)
        if isinstance(playing, MjaiAgent):
            raise ValueError(f"{agent} is a program that speaks mjai itself: it needs no bot in front of it")
        prepare("rules", agent)
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

    from suzaku.agents.agent import Follower
    from suzaku.agents.make import make_agent
    from suzaku.apps.compiling.parts import try_out
    from suzaku.apps.compiling.start import prepare
    from suzaku.apps.errors import complain

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
    prepare(game, f"{game} {agent}")
    from suzaku.agents.botzone.bot import Bot, talk

    try_out(playing)
    talk(Bot(playing, complain), sys.stdin, sys.stdout, keep_running)
