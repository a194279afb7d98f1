"""A server of the web table in a thread of the tests, and clients that talk to it."""

import asyncio
import itertools
import json
import os
import shutil
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import uvicorn
from websockets.sync.client import connect

from suzaku.cli.compile_parts import compile_here, parts_of
from suzaku.cli.play import NEEDED
from suzaku.records.library import Library
from suzaku.riichi.rules import Rules
from suzaku.riichi.table import Table
from suzaku.web.protocol import MOST_MESSAGE, NewTable
from suzaku.web.room import Room
from suzaku.web.server import make_app


class Server:
    """The server, its address and its tables."""

    addresses = itertools.cycle(f"192.0.2.{i}" for i in range(250))  # of people: tables of one address are limited

    def __init__(self, folder: Any, agents: Sequence[str] = ("shanten", "tsumogiri", "random"), **options: Any) -> None:
        self.games = Library(folder / "games.sqlite")
        self.app = make_app(self.games, list(agents), **options)
        self.lobby = self.app.state.lobby
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen()
        self.host = f"127.0.0.1:{self.listener.getsockname()[1]}"
        config = uvicorn.Config(self.app, log_level="warning", ws_max_size=4 * MOST_MESSAGE)
        self.uvicorn = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.ready = threading.Event()
        self.thread.start()
        self.ready.wait(10)

    def run(self) -> None:
        """The thread."""
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.loop.call_soon(self.ready.set)
        self.loop.run_until_complete(self.uvicorn.serve([self.listener]))

    def ask(self, path: str, body: Any = None, headers: dict[str, str] | None = None, method: str | None = None) -> Any:
        """A request; what comes back, or the status of an error."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.host}{path}", data, headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())["detail"]

    def new_table(self, **table_request: Any) -> str:
        """A new table, against players that answer at once unless others are wished for; its id."""
        usual = {
            "pace": 0,
            "length": "east",
            "opponents": ["shanten"] * 3,
            "seed": 3,
        }  # not aborted at once
        return self.ask("/api/tables", {**usual, **table_request}, {"X-Forwarded-For": next(self.addresses)})["id"]

    def dealt_table(self, walls: list[str], seat: int = 0, **table_request: Any) -> Room:
        """A table with given walls, at which the person sits in a given seat, against tsumogiri."""

        async def make() -> Room:
            asked = NewTable(opponents=["tsumogiri"] * 3, pace=0, **table_request)
            room = await self.lobby.create(asked, next(self.addresses))
            room.table = Table.deal(walls, Rules.tenhou_east())
            room.walls = [room.table.record.wall.copy()]
            at = next(i for i, place in enumerate(room.seats) if place.person)
            room.seats[seat], room.seats[at] = room.seats[at], room.seats[seat]
            return room

        return asyncio.run_coroutine_threadsafe(make(), self.loop).result(60)

    def sit(self, id: str, token: str = "", name: str = "tester") -> "Client":
        """Sit down at a table."""
        client = Client(self, id)
        client.send(type="join", token=token, name=name)
        return client

    def close(self) -> None:
        """End the server."""
        self.uvicorn.should_exit = True
        self.thread.join(15)


class Client:
    """A page without a browser."""

    def __init__(self, server: Server, id: str, **options: Any) -> None:
        self.context = connect(f"ws://{server.host}/ws/{id}", **options)
        self.socket = self.context.__enter__()
        self.messages: list[dict[str, Any]] = []

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps(message))

    def next(self, *types: str, timeout: float = 60) -> dict[str, Any]:
        """The next message of one of these types."""
        while True:
            message = json.loads(self.socket.recv(timeout))
            self.messages.append(message)
            if message["type"] in types:
                return message

    def asked(self) -> dict[str, Any]:
        """The next view that asks something or shows the end of a round."""
        while True:
            view = self.next("view")
            if view.get("legal") or view["view"].get("settlement"):
                return view

    def answer(self, view: dict[str, Any], *wanted: int) -> None:
        """Answer a question with the first of the wanted actions that is legal, or any."""
        action = next((a for a in wanted if a in view["legal"]), view["legal"][0])
        self.send(type="act", ask=view["ask"], action=action)

    def play_round(self) -> dict[str, Any]:
        """Throw what is drawn until the round is over."""
        while True:
            view = self.asked()
            if view["view"].get("settlement"):
                return view
            self.answer(view, 116, 117, 119, 37)

    def close(self) -> None:
        """Close the page."""
        self.context.__exit__(None, None, None)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of this folder; all is compiled before it starts, so that nobody waits."""
    for part in parts_of(*NEEDED["riichi"], "records.importing"):
        compile_here(part)
    found = Server(tmp_path_factory.mktemp("web"))
    yield found
    found.close()


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_BROWSER = "no browser: install Debian's chromium, or `playwright install chromium`, or name one in SUZAKU_BROWSER"
WAIT = 60_000  # milliseconds; a busy machine is slow


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless browser of this machine, or Playwright's own."""
    api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright (make test installs it)")
    path = os.environ.get("SUZAKU_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    with api.sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        except api.Error:
            pytest.skip(NO_BROWSER)
        yield found
        found.close()


@pytest.fixture
def new_page(browser: Any, server: Server) -> Iterator[Any]:
    """Opens pages of separate people; no page may fail or complain."""
    contexts, problems = [], []

    def make(path: str = "", change: Any = None, **options: Any) -> Any:
        """Open a page; `change` may alter what the server sends over its websocket (a message, or several)."""
        context = browser.new_context(**{"viewport": {"width": 1100, "height": 760}, "locale": "en", **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        if change is not None:
            page.route_web_socket("**/ws/**", lambda socket: _alter(socket, change))
        page.goto(f"http://{server.host}/{path}")
        return page

    yield make
    for context in contexts:
        context.close()
    assert problems == []


def _alter(socket: Any, change: Any) -> None:
    def pass_on(text: str) -> None:
        for message in change(json.loads(text)):
            socket.send(json.dumps(message))

    socket.connect_to_server().on_message(pass_on)
