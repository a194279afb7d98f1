"""Whose decisions teach: seats by the names of their players, and the share of each in a batch.

"Suphx,LuckyJ" are the decisions of these two as they come. "Suphx=1,LuckyJ=2,others=1" mixes them: a quarter of every
batch is Suphx's, half LuckyJ's, and a quarter is that of everyone else, at whatever table.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from suzaku.records.store import Store
from suzaku.records.stored import Stored, hash_name
from suzaku.system import did_you_mean

OTHERS = "others"
PROGRAMS = ("Suphx", "LuckyJ")  # names that an unknown one may be near to; a store has hashes alone


@dataclass(frozen=True)
class Teachers:
    """Some players, and what part of a batch is theirs."""

    names: frozenset[str]  # hashes
    others: bool = False  # everyone but these
    share: float = 1.0

    def seats(self, game: Stored) -> list[int]:
        """Their seats in a game."""
        return [seat for seat, name in enumerate(game.players) if (name in self.names) != self.others]


EVERYONE = Teachers(frozenset(), others=True)


def teachers(text: str) -> tuple[Teachers, ...]:
    """Teachers by names and shares; everyone for an empty text."""
    shares = _shares(text)
    if not any(shares.values()):
        return (named(text),)
    total = sum(shares.values())
    everyone = _hashes(shares)
    return tuple(
        Teachers(everyone, True, share / total) if name == OTHERS else Teachers(_hashes([name]), False, share / total)
        for name, share in shares.items()
    )


def named(text: str) -> Teachers:
    """All that are named, without the others; everyone for an empty text."""
    return Teachers(_hashes(_shares(text))) if text else EVERYONE


def check_players(store: Store, text: str) -> None:
    """Refuse the name of a player who is in no game of the store."""
    wanted = [name for name in _shares(text) if name != OTHERS]
    if not wanted:
        return
    there = {name for _, _, rows in store.read_groups(["players"]) for row in rows for name in row["players"]}
    for name in wanted:
        if hash_name(name) not in there:
            known = [program for program in PROGRAMS if hash_name(program) in there]
            hint = did_you_mean(name, known) if known else "a store has hashes of names: spell it as the records do"
            raise ValueError(f"{store}: no game has a player {name!r}; {hint}")


def _hashes(names: Iterable[str]) -> frozenset[str]:
    return frozenset(hash_name(name) for name in names if name != OTHERS)


def _shares(text: str) -> dict[str, float]:
    """The share of each name; 0 of all if none has one."""
    found: dict[str, float] = {}
    for part in text.split(",") if text else []:
        name, equals, share = (word.strip() for word in part.partition("="))
        if not name or name in found:
            raise ValueError(f"players {text!r}: expected names parted by commas, each once, such as Suphx,LuckyJ")
        found[name] = _share(text, name, share) if equals else 0.0
    if any(found.values()) and not all(found.values()):
        raise ValueError(f"players {text!r}: give a share to all of them, such as Suphx=1,LuckyJ=2, or to none")
    if OTHERS in found and (len(found) == 1 or not found[OTHERS]):
        raise ValueError(f"players {text!r}: {OTHERS} are all but some named players, such as in Suphx=1,{OTHERS}=1")
    return found


def _share(text: str, name: str, share: str) -> float:
    try:
        value = float(share)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise ValueError(f"players {text!r}: the share of {name} must be a number above 0, not {share!r}")
    return value
