"""Every message between the page and the server, the limits they must keep, and why the server says no.

- Why the server says no: a code with its values, which the page can say in any language, and the English sentence.
- Every message between the page and the server, and the limits they must keep. `docs/web.md` explains them.
- The games and rules that a page may ask for.
"""

from dataclasses import fields, replace
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from suzaku.records.library import REFUSALS, RefusedError
from suzaku.table.game import Game, game_named, load, read_rules
from suzaku.table.kernels import AWAY

# code -> status of a plain request, and the sentence
SENTENCES: dict[str, tuple[int, str]] = {
    "too_many_watchers": (400, "the table has too many watchers"),
    "too_many_windows": (400, "this seat is open in too many windows"),
    "no_seat": (400, "no seat is free at this table"),
    "seated": (400, "you sit already"),
    "not_seated": (400, "sit down first"),
    "names_missing": (400, "somebody has not given a name yet"),
    "has_begun": (400, "the game has begun: names stay as they are"),
    "not_asked": (400, "you are not asked this now"),
    "only_watch": (400, "you only watch"),
    "not_legal": (400, "{name} is not legal now"),
    "cannot_follow": (400, "this discard cannot follow"),
    "no_hints": (400, "this table is played without hints"),
    "nobody_asked": (400, "nobody is asked now"),
    "hint_busy": (400, "the last hint is still being worked out"),
    "hint_failed": (400, "no hint could be worked out"),
    "no_agent": (404, "there is no agent {name!r} here that gives opinions"),
    "no_opponent": (400, "there is no opponent {name!r} here"),
    "server_full": (400, "the server has no room for another table"),
    "too_many_tables": (429, "{most} tables were opened from your address: play on at one of them, or try again later"),
    "upload_busy": (429, "a file from your address is still being read: send one at a time"),
    "uploads_full": (503, "files of others are being read: try again in a moment"),
    "upload_slow": (408, "the file did not arrive within {seconds} seconds"),
    "bad_message": (400, "{reason}"),
    "bad_table": (400, "{reason}"),
    "bad_record": (400, "{reason}"),
    "too_large": (413, "at most {most:,} bytes can be sent"),
    "other_site": (403, "another site may not ask this"),
    "wrong_host": (403, "this server does not answer to the name {host!r}; `suzaku play --allow-host NAME` adds one"),
    "file_busy": (503, "the file of games cannot be read now ({reason})"),
    **{code: (404 if code == "no_game" else 403, text) for code, text in REFUSALS.items()},
    "no_round": (404, "the game has no such round"),
    "no_step": (404, "the round has no such step"),
    "no_format": (404, "there is no format {name!r}"),
}


class RefusalError(ValueError):
    """A refusal by its code. The sentence is its text."""

    def __init__(self, code: str, **values: Any) -> None:
        self.code, self.values = code, values
        self.status, sentence = SENTENCES[code]
        super().__init__(sentence.format(**values))

    def message(self) -> dict[str, Any]:
        """The `error` for a page."""
        return {"type": "error", "text": str(self), "code": self.code, "values": self.values}

    def body(self) -> dict[str, Any]:
        """The body of a refused request."""
        return {"detail": str(self), "code": self.code, "values": self.values}


def refusal_of(error: ValueError, code: str) -> RefusalError:
    """The error itself if it is a refusal, otherwise one of this code, which says the reason in English."""
    if isinstance(error, RefusedError):
        return RefusalError(error.code, **error.values)
    return error if isinstance(error, RefusalError) else RefusalError(code, reason=str(error))


# What a page sends is read by msgspec into one of the classes below; anything else is refused with an `error`. What
# the server sends are plain objects with a `type`: `seated`, `people`, `view`, `waiting`, `hint`, `error`, `closed`.

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
    """The name of the person at this seat, possible until the game begins."""

    name: Text


class Start(Struct, tag="start", forbid_unknown_fields=True):
    """Begin: agents take the seats that are still free."""


class Act(Struct, tag="act", forbid_unknown_fields=True):
    """The answer to question `ask`. With riichi, `discard` may name the discard that follows."""

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
    """Stand up for good. An agent plays on."""


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
    """The message a page sent. ValueError if it is none."""
    return _read(_decoder, text)


def read_new_table(text: bytes) -> NewTable:
    """The table_request for a new table. ValueError if it is none."""
    return _read(_table_decoder, text)


def read_delete(text: bytes) -> Delete:
    """Who wants to delete a game. ValueError if that cannot be read."""
    return _read(_delete_decoder, text)


def read_mine(text: bytes) -> Mine:
    """The question which tables one sits at. ValueError if it is none."""
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


OLD_NAMES = {"no red fives": "no-red"}  # of tables that were kept before presets had their names


def switches_of(game: Game) -> list[str]:
    """The switches a page may turn."""
    return [field.name for field in fields(game.rules) if field.type in (bool, "bool")]


def offered(game: Game) -> dict[str, dict[str, bool]]:
    """The presets a page offers, each with its switches. Those that differ in length alone are one."""
    found: dict[str, dict[str, bool]] = {}
    seen: list[Any] = []
    for name in game.presets:
        rules = read_rules(game, name, list(game.lengths)[-1])
        if rules not in seen:
            seen.append(rules)
            found[name] = {switch: getattr(rules, switch) for switch in switches_of(game)}
    return found


def usual_lengths(game: Game) -> dict[str, str]:
    """The length of a game by preset, of those that are offered."""
    return {name: read_rules(game, name).length for name in offered(game)}


def new_table(table_request: NewTable, seed: int) -> Any:
    """The table a page asks for. ValueError if there is none such."""
    return load(game_named(table_request.game).table)(asked_rules(table_request), seed)


def asked_rules(table_request: NewTable) -> Any:
    """The rules a page asks for. ValueError if there are none such."""
    game = game_named(table_request.game)
    unknown = set(table_request.switches) - set(switches_of(game))
    if unknown:
        raise ValueError(f"the rules have no switch {sorted(unknown)[0]!r}")
    preset = OLD_NAMES.get(table_request.rules, table_request.rules)
    return replace(read_rules(game, preset, table_request.length), **table_request.switches)
