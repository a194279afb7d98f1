"""`suzaku play`: a table in the browser."""

import os
import shutil
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.cli.errors import clear_errors
from suzaku.cli.options import PORT, GameName

if TYPE_CHECKING:
    from suzaku.agents.agent import Agent


# what a page needs of each game, and what is compiled while people play: the other game, replays, other commands
PLAYERS = ("suphx", "heuristic", "efr", "gao", "shanten")
NEEDED = {
    "riichi": (*(f"riichi {player}" for player in PLAYERS), "review.hints"),
    "mcr": ("mcr mcr", "mcr heuristic", "mcr shanten", "review.mcr_hints"),
}
LATER = (*NEEDED["riichi"], *NEEDED["mcr"], "records.importing", "cli.features", "lookahead.analysis")


def play(
    game: GameName = "riichi",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port. 0 takes any free one.")] = PORT,
    host: Annotated[str, typer.Option(help="The address to listen at. 0.0.0.0 lets others on the network join.")] = (
        "127.0.0.1"
    ),
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="Answer to this name too, such as that of a proxy. Can be given several times."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser where there is a desktop.")] = True,
    opponent: Annotated[
        list[str] | None, typer.Option(help="Offer this agent too, such as suphx:FOLDER. Can be given several times.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The file of games, instead of the one in your data folder.")
    ] = None,
) -> None:
    """Play against the AI in the browser, watch it think, replay any game.

    The address is printed, and opened where there is a desktop. Every game is kept in your data folder. Ctrl-C ends the
    server. Pages may choose only the bundled agents and those named here by --opponent.

    Both games can be played at the same server. --game is what a page offers first, and what --opponent is of.

    Examples:

    suzaku play

    suzaku play --host 0.0.0.0 --port 9000 --no-browser

    suzaku play --opponent suphx:runs/mine

    suzaku play --game mcr
    """
    from suzaku.web.starting import Starting

    with clear_errors():
        listener = _bind(host, port)
        from suzaku.agents.agent import check_game
        from suzaku.agents.make import make_agent
        from suzaku.records.library import Library
        from suzaku.table.game import game_named
        from suzaku.web.hosts import own_names, reachable

        game_named(game)
        for name in opponent or []:
            made = make_agent(name, game)  # what is wrong is told now, not when somebody chooses it
            check_game(made, game, "table")
            _check(made)
        games = Library(data)
        listener.listen()
        starting = Starting(listener)  # a browser that is early sees how far the start is
        port = listener.getsockname()[1]
        address, others = _address(host, port), reachable(host, port)
        _say_where(address, others, games.path)
        if browser and _has_desktop():
            threading.Timer(0.3, webbrowser.open, (address,)).start()
        from suzaku.cli.compile import prepare

        prepare(*NEEDED.get(game, (game,)), *(f"{game} {name}" for name in opponent or []), tell=starting.tell)
        starting.tell(1.0)
        from suzaku.web.inference import OFFERED
        from suzaku.web.server import make_app

        names = own_names(host, allow_host or [])
        app = make_app(games, list(dict.fromkeys([*(opponent or []), *OFFERED])), names, others, game)
    import uvicorn

    from suzaku.cli.compile import compile_aside
    from suzaku.web.protocol import MOST_MESSAGE

    config = uvicorn.Config(app, log_level="warning", ws_max_size=4 * MOST_MESSAGE, timeout_graceful_shutdown=2)
    starting.stop()
    with compile_aside(*LATER):
        uvicorn.Server(config).run(sockets=[listener])


def _say_where(address: str, others: list[str], kept: Path) -> None:
    """Say where the page is and where games are kept."""
    typer.echo(f"Suzaku plays at {address}   (Ctrl-C ends it)")
    for one in others:
        if one != address:
            typer.echo(f"Others on your network find it at {one}")
    typer.echo(f"Games are kept in {kept}")
    sys.stdout.flush()


def _check(agent: "Agent") -> None:
    """Close an agent that was made for a try. ValueError if its program is not there."""
    agent.close()
    from suzaku.agents.agent import ProgramAgent

    if isinstance(agent, ProgramAgent) and shutil.which(agent.command[0]) is None:
        raise ValueError(f"{agent.name}: there is no program {agent.command[0]}")


def _bind(host: str, port: int) -> socket.socket:
    """A socket at the address. ValueError if it cannot be had."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except OSError:
        raise ValueError(f"{host} is not an address of this machine") from None
    listener = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise ValueError(f"port {port} of {host} cannot be used ({error.strerror}); choose another: --port 0") from None
    return listener


def _address(host: str, port: int) -> str:
    from suzaku.web.hosts import in_address

    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    return f"http://{in_address(shown)}:{port}"


def _has_desktop() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
