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

if TYPE_CHECKING:
    from suzaku.agents.agent import Agent
    from suzaku.apps.start import Step


def play(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")] = 8686,
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 lets others on the network join.")] = (
        "127.0.0.1"
    ),
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="Answer to this name too, such as that of a proxy; can be given several times."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser where there is a desktop.")] = True,
    opponent: Annotated[
        list[str] | None, typer.Option(help="Offer this agent too, such as suphx:FOLDER; can be given several times.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The file of games, instead of the one in your data folder.")
    ] = None,
) -> None:
    """Play against the AI in the browser, watch it think, replay any game.

    The address is printed, and opened where there is a desktop. Every game is kept in your data folder. Ctrl-C ends the
    server. Pages may choose only the bundled agents and those named here by --opponent.

    Examples:

    suzaku play

    suzaku play --host 0.0.0.0 --port 9000 --no-browser

    suzaku play --opponent suphx:runs/mine
    """
    from suzaku.apps.start import prepare

    try:
        listener = _bind(host, port)
        from suzaku.agents.make import make_agent
        from suzaku.apps.web.games import Games, data_folder

        for name in opponent or []:
            _check(make_agent(name))  # what is wrong is told now, not when somebody chooses it
        games = Games(data or data_folder() / "games.sqlite")
        prepare()
        prepare(web_steps, "web")
        from suzaku.apps.web.hosts import own_names, reachable
        from suzaku.apps.web.server import make_app
        from suzaku.apps.web.thinker import OFFERED

        port = listener.getsockname()[1]
        others = reachable(host, port)
        names = own_names(host, allow_host or [])
        app = make_app(games, list(dict.fromkeys([*(opponent or []), *OFFERED])), names, others)
        listener.listen()  # a browser that is early waits for the server
    except (ValueError, OSError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    address = _address(host, port)
    typer.echo(f"Suzaku plays at {address}   (Ctrl-C ends it)")
    for one in others:
        if one != address:
            typer.echo(f"Others on your network find it at {one}")
    typer.echo(f"Games are kept in {games.path}")
    sys.stdout.flush()
    if browser and _has_desktop():
        threading.Timer(0.3, webbrowser.open, (address,)).start()
    import uvicorn

    from suzaku.apps.web.protocol import MOST_MESSAGE

    config = uvicorn.Config(app, log_level="warning", ws_max_size=4 * MOST_MESSAGE, timeout_graceful_shutdown=2)
    uvicorn.Server(config).run(sockets=[listener])


def web_steps() -> "list[Step]":
    """The warm-up of what the page asks for beside the rules: hints and replays."""
    import numpy as np

    from suzaku.apps.web.own import own_hand, ukeire_of
    from suzaku.hand.tables import tables
    from suzaku.riichi.table import Table

    def hints() -> None:
        from suzaku.apps.web.hints import danger
        from suzaku.lookahead.graph import GRAPH, POINTS
        from suzaku.lookahead.question import expect_many

        out = np.zeros((1, 35, 3))
        expect_many(tables(), table.record.reshape(1), np.array([0]), POINTS, 1, np.zeros(1, GRAPH)[0], out)
        danger(table.record.reshape(1), 0)

    def replays() -> None:
        from suzaku.records import follow
        from suzaku.riichi.actions import ACTIONS
        from suzaku.riichi.state import STATE

        array = np.zeros(1, STATE)
        array["rules"] = table.rules.to_record()
        array["wall"] = table.record.wall
        hands, events = np.zeros((4, 37), np.int8), np.zeros((0, 4), np.int16)
        legal, actions = np.zeros(ACTIONS, np.bool_), np.zeros(9, np.uint8)
        follow.follow(tables(), array[0], hands, events, True, legal, actions)

    def agents() -> None:
        from suzaku.agents.make import make_agent
        from suzaku.agents.mjai_bot import warm_up
        from suzaku.apps.web.thinker import OFFERED

        for name in OFFERED:
            warm_up(make_agent(name), 200)  # as far as the end of a round: discards and claims

    table = Table()
    return [
        ("agents", 40, agents),
        ("accepted tiles and waits", 4, lambda: (ukeire_of(table.record.reshape(1), 0), own_hand(table, 0, []))),
        ("chances and danger", 20, hints),
        ("replays", 20, replays),
    ]


def _check(agent: "Agent") -> None:
    """Close an agent that was made for a try. ValueError if its program is not there."""
    agent.close()
    from suzaku.agents.mjai_process import MjaiAgent

    if isinstance(agent, MjaiAgent) and shutil.which(agent.command[0]) is None:
        raise ValueError(f"{agent.name}: there is no program {agent.command[0]}")


def _bind(host: str, port: int) -> socket.socket:
    """A socket at the address. ValueError if it cannot be had."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except OSError:
        raise ValueError(f"{host} is no address of this machine") from None
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
    from suzaku.apps.web.hosts import in_address

    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    return f"http://{in_address(shown)}:{port}"


def _has_desktop() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
