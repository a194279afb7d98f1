"""Fixed positions: every decision of four recorded games, which between them hold all that the channels tell apart."""

import functools
from pathlib import Path
from typing import NamedTuple

import numpy as np

from suzaku.features import claims, gao, oracle, suphx
from suzaku.features.channels import CLAIM, GAO, ORACLE, SUPHX, SUPHX_CHANNELS, Group
from suzaku.riichi import Rules, Table
from suzaku.riichi.actions import ACTIONS, CHOW_LOW, WIN_DRAW
from suzaku.riichi.state import STATE

GOLDEN = Path(__file__).parent / "golden"
TABLES: dict[str, tuple[Group, ...]] = {"suphx": SUPHX, "claim": CLAIM, "oracle": ORACLE, "gao": GAO}


class Positions(NamedTuple):
    """Table records in the order of play, and every chow, pong and kong that could be made there."""

    records: np.ndarray
    legal: np.ndarray  # bool[n, 120]
    actions: np.ndarray  # what was done
    claimed: np.ndarray  # which record each claim belongs to
    claims: np.ndarray  # its action


def read_games() -> list[tuple[list[str], list[int]]]:
    """The walls and the actions of each game."""
    games: list[tuple[list[str], list[int]]] = []
    for line in (GOLDEN / "games.txt").read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "game":
            games.append(([], []))
        elif word == "wall":
            games[-1][0].append(rest)
        elif word == "play":
            games[-1][1].extend(map(int, rest.split()))
    return games


@functools.cache
def positions() -> Positions:
    """All of them."""
    games = read_games()
    total = sum(len(actions) for _, actions in games)
    records, legal = np.zeros(total, STATE), np.zeros((total, ACTIONS), bool)
    i = 0
    for walls, actions in games:
        table = Table.deal(walls, Rules.tenhou(), "east")
        for action in actions:
            if table.round_over:
                table.next_round()
            records[i], legal[i] = table.record, table.legal_mask()
            table.act(action)
            i += 1
        assert table.game_over
    claimed, made = np.nonzero(legal[:, CHOW_LOW:WIN_DRAW])
    return Positions(records, legal, np.concatenate([game[1] for game in games]), claimed, made + CHOW_LOW)


@functools.cache
def encoded(table: str) -> np.ndarray:
    """The channels of all positions (of all claims, for the claims' table), read-only."""
    at = positions()
    if table == "claim":
        planes = claims.encode_many(at.records[at.claimed], at.claims)[:, SUPHX_CHANNELS:].copy()
    else:
        planes = {"suphx": suphx, "oracle": oracle, "gao": gao}[table].encode_many(at.records)
    planes.flags.writeable = False
    return planes
