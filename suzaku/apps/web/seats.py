"""Who sits at a web table: connections of browsers, and the seats they belong to."""

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from suzaku.agents.agent import Agent, Answers
from suzaku.agents.short_name import short_name, short_names
from suzaku.apps.web.protocol import write

BACKLOG = 200  # messages that may wait for a slow browser


class Connection:
    """One open page. Messages wait in a queue, so that a slow page holds up nobody."""

    def __init__(self) -> None:
        self.outgoing: asyncio.Queue[str | None] = asyncio.Queue(BACKLOG)
        self.seat: int | None = None  # None: not seated
        self.busy = False  # a hint is being worked out

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message; a page that reads too slowly is let go."""
        self.post(write(message))

    def post(self, text: str | None) -> None:
        """Queue a text; None ends the connection."""
        try:
            self.outgoing.put_nowait(text)
        except asyncio.QueueFull:
            while not self.outgoing.empty():
                self.outgoing.get_nowait()
            self.outgoing.put_nowait(None)


@dataclass
class Seat:
    """One side of the table."""

    agent_name: str
    agent: Agent  # plays, or stands in for a person who does not answer
    person: bool  # the seat is meant for a person
    name: str = ""
    token: str = ""  # the secret that gives the seat back to its person; "" while nobody took it
    asks: int = 0  # questions put to this seat so far: numbers that tell nothing about others
    ready: bool = False  # has seen the settlement
    gone_since: float = 0.0  # when the last connection was lost
    connections: set[Connection] = field(default_factory=set)
    answered: bool = False  # the agent has answered, or had its time to
    late: "asyncio.Future[Answers] | None" = None  # an answer that was not waited for any longer

    @property
    def free(self) -> bool:
        """Whether a person may sit down here."""
        return self.person and not self.token

    def take(self, name: str) -> None:
        """A person sits down."""
        self.token = secrets.token_urlsafe(18)
        self.name = clean_name(name)

    def away_for(self) -> float:
        """Seconds since the person's last page was closed; 0 while one is open."""
        return 0.0 if self.connections else time.monotonic() - self.gone_since

    def shown(self) -> dict[str, Any]:
        """What everybody may know of the seat."""
        if self.person:
            here = bool(self.connections)
            return {"name": self.name, "agent": None, "here": here, "free": self.free, "named": bool(self.name)}
        return {"name": self.name, "agent": short_name(self.agent_name), "here": True, "free": False, "named": True}


def name_agents(seats: list[Seat]) -> None:
    """Give the agents their names."""
    agents = [place for place in seats if not place.person]
    for place, name in zip(agents, short_names(place.agent_name for place in agents), strict=True):
        place.name = name


def clean_name(name: str) -> str:
    """A name without what cannot be seen."""
    return "".join(letter for letter in name if letter.isprintable()).strip()[:20]
