"""The events of mjai as structs: the fields that any of its dialects uses. Others are ignored when reading."""

import msgspec
from msgspec import Struct

Tiles = list[str]


class Event(Struct, tag_field="type", omit_defaults=True):
    """An event of mjai."""


class StartGame(Event, tag="start_game"):
    """A game begins."""

    names: list[str] | None = None
    kyoku_first: int | None = None
    aka_flag: bool | None = None
    uri: str | None = None  # where the record came from
    id: int | None = None  # to a player: which of the four it is


class StartKyoku(Event, tag="start_kyoku"):
    """A round begins."""

    bakaze: str
    kyoku: int
    honba: int
    kyotaku: int
    oya: int
    tehais: list[Tiles]
    dora_marker: str | None = None
    scores: list[int] | None = None


class Tsumo(Event, tag="tsumo"):
    """A draw."""

    actor: int
    pai: str


class Dahai(Event, tag="dahai"):
    """A discard."""

    actor: int
    pai: str
    tsumogiri: bool | None = None


class Chi(Event, tag="chi"):
    """A chow."""

    actor: int
    target: int
    pai: str
    consumed: Tiles


class Pon(Event, tag="pon"):
    """A pong."""

    actor: int
    target: int
    pai: str
    consumed: Tiles


class Daiminkan(Event, tag="daiminkan"):
    """An open kong."""

    actor: int
    target: int
    pai: str
    consumed: Tiles


class Ankan(Event, tag="ankan"):
    """A closed kong."""

    actor: int
    consumed: Tiles


class Kakan(Event, tag="kakan"):
    """An added kong."""

    actor: int
    pai: str
    consumed: Tiles


class Reach(Event, tag="reach"):
    """Riichi is declared."""

    actor: int


class ReachAccepted(Event, tag="reach_accepted"):
    """The riichi discard passed."""

    actor: int
    scores: list[int] | None = None


class Dora(Event, tag="dora"):
    """A new indicator."""

    dora_marker: str


class Hora(Event, tag="hora"):
    """A win."""

    actor: int
    target: int
    deltas: list[int] | None = None
    ura_markers: Tiles | None = None
    uradora_markers: Tiles | None = None  # gimite's name
    uradora_marker: Tiles | None = None
    pai: str | None = None
    fan: int | None = None
    fu: int | None = None
    hora_points: int | None = None
    scores: list[int] | None = None


class Ryukyoku(Event, tag="ryukyoku"):
    """A round without a winner."""

    deltas: list[int] | None = None
    reason: str | None = None
    tenpais: list[bool] | None = None
    scores: list[int] | None = None
    actor: int | None = None  # who showed nine kinds


class EndKyoku(Event, tag="end_kyoku"):
    """The round is over."""


class EndGame(Event, tag="end_game"):
    """The game is over."""

    scores: list[int] | None = None


class Nothing(Event, tag="none"):
    """A player's answer that does nothing."""


AnyEvent = (
    StartGame | StartKyoku | Tsumo | Dahai | Chi | Pon | Daiminkan | Ankan | Kakan | Reach | ReachAccepted | Dora | Hora
    | Ryukyoku | EndKyoku | EndGame | Nothing
)  # fmt: skip
DECODER = msgspec.json.Decoder(AnyEvent)
ENCODER = msgspec.json.Encoder()
