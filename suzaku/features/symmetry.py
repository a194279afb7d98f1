"""Suit symmetry: exchanging the three suits leaves Riichi unchanged, but for the yakuman of green tiles."""

import itertools

import numpy as np

from suzaku.hand.shanten import fill_keys
from suzaku.kernel import kernel
from suzaku.riichi.actions import ACTIONS, ADDED_KONG, CLOSED_KONG
from suzaku.riichi.state import CHOW
from suzaku.tiles import KINDS, RED, TILES

SUIT_ORDERS = tuple(itertools.permutations(range(3)))  # order[suit] is where the suit goes; the first changes nothing
GREEN_PLACES = (1, 2, 3, 5, 7)
GREEN_DRAGON = 32
NEAR_GREEN = 11  # so many of the 14 tiles, and three replacements could make the yakuman


def _tile_map(order: tuple[int, ...]) -> np.ndarray:
    kinds = [order[k // 9] * 9 + k % 9 for k in range(27)] + list(range(27, KINDS))
    return np.array(kinds + [RED + order[suit] for suit in range(3)], np.int8)


TILE_MAPS = np.array([_tile_map(order) for order in SUIT_ORDERS])  # tile -> tile, for each order
KIND_SOURCES = np.array([np.argsort(tiles[:KINDS]) for tiles in TILE_MAPS])  # new kind -> old kind


def _action_map(tiles: np.ndarray) -> np.ndarray:
    actions = np.arange(ACTIONS)
    actions[:TILES] = tiles
    for start in (CLOSED_KONG, ADDED_KONG):
        actions[start : start + KINDS] = start + tiles[:KINDS]
    return actions


ACTION_MAPS = np.array([_action_map(tiles) for tiles in TILE_MAPS])  # action -> action, for each order


@kernel
def is_symmetric(s, p):
    """Whether no suit of seat p is so near to all green that the look-ahead could tell the suits apart."""
    for suit in range(3):
        n = s.hand[p, GREEN_DRAGON]
        for place in GREEN_PLACES:
            n += s.hand[p, 9 * suit + place]
        for m in range(s.melds[p]):
            low = s.meld_tile[p, m]
            if s.meld_type[p, m] == CHOW:
                n += 3 if low == 9 * suit + 1 else 0
            elif low == GREEN_DRAGON or (low // 9 == suit and low % 9 in GREEN_PLACES):
                n += 3
        if n >= NEAR_GREEN:
            return False
    return True


def permute_planes(planes: np.ndarray, order: int, axis: int = -1) -> np.ndarray:
    """Channels with the suits exchanged by SUIT_ORDERS[order]. `axis` is that of the kinds, -2 for Gao's planes."""
    return planes.take(KIND_SOURCES[order], axis)


def permute_records(records: np.ndarray, order: int) -> np.ndarray:
    """Table records with the suits exchanged by SUIT_ORDERS[order]."""
    tiles, source = TILE_MAPS[order], KIND_SOURCES[order]
    suits = np.argsort(SUIT_ORDERS[order])
    out = records.copy()
    for name in ("wall", "drawn", "river", "meld_called", "meld_added", "offer", "win_tile"):
        field = records[name]
        out[name] = np.where(field >= 0, tiles[field], field)
    lowest = records["meld_tile"]
    out["meld_tile"] = tiles[lowest]
    out["hand"] = records["hand"][..., source]
    out["red"] = records["red"][..., suits]
    for i, p in np.ndindex(len(out), 4):
        fill_keys(out["hand"][i, p], out["key"][i, p])
    out["past_key"][..., :3] = records["past_key"][..., suits]
    for name in ("waits", "discarded", "forbidden"):
        out[name] = _permute_mask(records[name], source)
    return out


def _permute_mask(masks: np.ndarray, source: np.ndarray) -> np.ndarray:
    bits = (masks[..., None] >> source.astype(np.uint64)) & np.uint64(1)
    return (bits << np.arange(KINDS, dtype=np.uint64)).sum(-1, dtype=np.uint64)
