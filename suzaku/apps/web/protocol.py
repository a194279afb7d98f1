"""Every message between the page and the server, and the limits they must keep; `docs/web.md` explains them.

What a page sends is read by msgspec into one of the classes below; anything else is refused with an `error`. What the
server sends are plain objects with a `type`: `seated`, `people`, `view`, `waiting`, `hint`, `error`, `closed`.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from suzaku.choices import AWAY

MOST_MESSAGE = 4096  # bytes of one message from a page
MOST_MINE = 16 << 10  # bytes of the list of one's seats
MOST_UPLOAD = 8 << 20  # bytes of a record file
MOST_A_SECOND = 40  # messages a connection may send in a second
MOST_BAD = 20  # bad messages after which a connection is closed
MOST_TABLES = 200
MOST_AT_SEAT = 4  # connections at one seat: the same person in several windows
MOST_WATCHING = 16

Text = Annotated[str, Meta(max_length=40)]
Ask = Annotated[int, Meta(ge=0, le=1_000_000)]
Action = Annotated[int, Meta(ge=0, lt=AWAY)]  # no game has more
Seconds = Annotated[float, Meta(ge=0, le=600)]


class Join(Struct, tag="join", forbid_unknown_fields=True):
    """Sit down: at a free seat, or with the secret of a seat at that one again."""

    token: Text = ""
    name: Text = ""


class Name(Struct, tag="name", forbid_unknown_fields=True):
    """What the person at this seat is called; possible until the game begins."""

    name: Text


class Start(Struct, tag="start", forbid_unknown_fields=True):
    """Begin: agents take the seats that are still free."""


class Act(Struct, tag="act", forbid_unknown_fields=True):
    """The answer to question `ask`; with riichi, `discard` may name the discard that follows."""

    ask: Ask
    action: Action
    discard: Action | None = None


class Next(Struct, tag="next", forbid_unknown_fields=True):
    """The settlement was seen: deal the next round."""


class Hint(Struct, tag="hint", forbid_unknown_fields=True):
    """What would the agent do? Without a name, the server's usual one. With `announced`: once riichi is declared."""

    ask: Ask
    agent: Annotated[str, Meta(max_length=200)] = ""
    announced: bool = False


class Leave(Struct, tag="leave", forbid_unknown_fields=True):
    """Stand up for good; an agent plays on."""


Message = Join | Name | Start | Act | Next | Hint | Leave
_decoder = msgspec.json.Decoder(Message)


class NewTable(Struct, forbid_unknown_fields=True):
    """The body of POST /api/tables."""

    opponents: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=4)] = []
    people: Annotated[int, Meta(ge=0, le=4)] = 1  # seats for people; with 0, four agents play and all hands are open
    game: Text = "riichi"
    rules: Text = ""  # a preset; the game's usual one if there is none
    switches: dict[str, bool] = {}  # switches of the rules that differ from the preset
    length: Text = ""  # that of the rules if there is none
    seed: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    timer: Seconds = 0  # seconds for a decision; 0: no limit
    pace: Annotated[float, Meta(ge=0, le=5)] = 0.5  # seconds between the moves of agents
    hints: bool = True


class Mine(Struct, forbid_unknown_fields=True):
    """The body of POST /api/mine: the secrets of seats by table."""

    seats: Annotated[dict[Text, Text], Meta(max_length=100)]


class Delete(Struct, forbid_unknown_fields=True):
    """The body of DELETE /api/games/ID: the secret that POST /api/tables answered with."""

    owner: Text = ""


_delete_decoder = msgspec.json.Decoder(Delete)
_mine_decoder = msgspec.json.Decoder(Mine)
_table_decoder = msgspec.json.Decoder(NewTable)


def read_message(text: str | bytes) -> Message:
    """The message a page sent; ValueError if it is none."""
    return _read(_decoder, text)


def read_new_table(text: bytes) -> NewTable:
    """The table_request for a new table; ValueError if it is none."""
    return _read(_table_decoder, text)


def read_delete(text: bytes) -> Delete:
    """Who wants to delete a game; ValueError if that cannot be read."""
    return _read(_delete_decoder, text)


def read_mine(text: bytes) -> Mine:
    """The question which tables one sits at; ValueError if it is none."""
    return _read(_mine_decoder, text, MOST_MINE)


def _read(decoder: Any, text: str | bytes, most: int = MOST_MESSAGE) -> Any:
    if len(text) > most:
        raise ValueError(f"a message may have {most} bytes, not {len(text)}")
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from None


def write(message: dict[str, Any]) -> str:
    """A message of the server as text."""
    return msgspec.json.encode(message).decode()
