"""Which games to keep: at import and at reading."""

import fnmatch
from dataclasses import dataclass

from suzaku.game import GAMES, game_named
from suzaku.records.stored import Stored


@dataclass(frozen=True)
class Filters:
    """Conditions on a game; all must hold."""

    min_dan: int | None = None  # every player has at least this dan (Tenhou's number: 10 first dan, 16 seventh dan)
    since: str = ""  # not before this date, YYYYMMDD
    until: str = ""  # not after this date, YYYYMMDD
    length: str = ""  # of the game's lengths; of Riichi "east" or "hanchan"
    source: str = ""  # a pattern such as "*houou*" that the file name or the kind of table must match
    walls: bool = False  # every wall is wholly known, and holds no tiles that were filled in
    part: int = 1  # one game in so many, always the same ones; a part of 8 lies within that of 4

    def __post_init__(self) -> None:
        for name in ("since", "until"):
            value = getattr(self, name)
            if value and not (value.isdigit() and 4 <= len(value) <= 10):
                raise ValueError(f"{name} must be a date such as 20240421 or a year, not {value!r}")
        if self.part < 1:
            raise ValueError(f"part must be at least 1, not {self.part}")
        if self.length:
            lengths = [length for game in GAMES for length in game_named(game).lengths]
            if self.length not in lengths:
                raise ValueError(f"length {self.length!r} is unknown: choose one of {', '.join(lengths)}")

    def reason(self, game: Stored) -> str:
        """Why a game is left out, or nothing."""
        if self.min_dan is not None and min(game.dan) < self.min_dan:
            return f"a player is below dan {self.min_dan}"
        if (self.since or self.until) and not game.time:
            return "its date is unknown"
        if self.since and game.time[: len(self.since)] < self.since:
            return f"it is from before {self.since}"
        if self.until and game.time[: len(self.until)] > self.until:
            return f"it is from after {self.until}"
        if self.length and game.rules.length != self.length:
            return f"its length is {game.rules.length}, not {self.length}"
        if self.source and not any(fnmatch.fnmatch(name, self.source) for name in (game.source, game.lobby)):
            return f"its source does not match {self.source}"
        if self.walls and not game.walls_known:
            return "its walls are not wholly known"
        if game.lot // 100 % self.part:
            return f"it is not in the one part of {self.part}"
        return ""
