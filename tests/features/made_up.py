"""Positions that games hardly bring about, made from those that they do by writing into the records."""

import numpy as np

from suzaku.hand.shanten import fill_keys
from suzaku.hand.tables import tables
from suzaku.riichi.actions import ADDED_KONG, CHOW_MIDDLE, OPEN_KONG, PONG
from suzaku.riichi.deal import refresh
from suzaku.riichi.state import CLAIM, TURN
from suzaku.riichi.state import PONG as PONG_MELD
from suzaku.tiles import KIND_OF, RED, parse

COMPLETE = ("119m19p19s1234567z", "11122233344455m", "22334455667788p", "11777s111222555z", "234567m234p22345s")
NEAR = ("1112345678999m1z", "112233m778899p19s", "111m999p111s1122z7p")
CLAIMED = (  # hand, offered tile, action
    ("1112346678899m", "5m", CHOW_MIDDLE),
    ("555m11122233z44p", "5m", OPEN_KONG),
    ("11113467p55667z", "5z", PONG),
    ("2223444666788s", "3s", CHOW_MIDDLE),
    ("55m777m111p22233s", "7m", PONG),
)
FIVE_IS_DORA = "4m"


def other_standings(records: np.ndarray) -> np.ndarray:
    """With other scores, rounds, repeat counters and sticks than a short game has."""
    rng, n = np.random.default_rng(1), len(records)
    records = records.copy()
    records["scores"] = rng.integers(-100, 700, (n, 4)) * 100
    records["scores"][::5, 1:] = records["scores"][::5, :1]
    records["round_no"] = np.arange(n) % 12
    records["dealer"] = records["round_no"] % 4
    records["honba"], records["sticks"] = rng.integers(0, 11, n), rng.integers(0, 9, n)
    records["rules"]["rounds"] = 8
    return records


def equal_indicators(records: np.ndarray) -> np.ndarray:
    """With four equal indicators, and four equal ones below them."""
    records = records.copy()
    for i, s in enumerate(records):
        s["wall"][[5, 7, 9, 11]], s["wall"][[4, 6, 8, 10]] = i % 34, (7 * i + 3) % 34
        s["indicators"] = 4
    return records


def fours(records: np.ndarray) -> np.ndarray:
    """With four tiles of a kind in the hand of each opponent."""
    records = records[records["phase"] == TURN][:4]
    for s in records:
        for q in {0, 1, 2, 3} - {int(s["seat"])}:
            _set_hand(s, q, "1111m258p369s123z")
            s["missed"][q] = 0
            refresh(tables(), s, q)
    return records


def long_rivers(records: np.ndarray) -> np.ndarray:
    """Without riichi, with 26 discards of each seat."""
    rng = np.random.default_rng(2)
    records = records[(records["riichi"] == 0).all(1) & (records["phase"] == TURN)]
    for s in records:
        for q in range(4):
            s["river_size"][q] = 26
            s["river"][q, :26] = rng.integers(0, 37, 26)
            s["river_flag"][q, :26] = rng.choice([0, 1, 4, 5], 26)
            s["river_order"][q, :26] = np.arange(26) * 4 + q
            s["discarded"][q] = np.bitwise_or.reduce(np.uint64(1) << KIND_OF[s["river"][q, :26]].astype(np.uint64))
            s["waits"][q] = 0
            s["missed"][q] = 0
            _set_hand(s, q, "147m258p369s1234z")
        s["melds"], s["open_melds"], s["unbroken"], s["drawn"], s["discards"] = 0, 0, 1, 30, 104
        _set_hand(s, int(s["seat"]), "147m258p369s12344z")
    return records


def riichi_limits(record: np.record) -> np.ndarray:
    """A seat that could declare riichi, with as few tiles left and points as that takes, and with fewer."""
    limits = [(left, points) for left in (3, 4, 5, 9) for points in (900, 1000, 5000)]
    records = np.array([record] * len(limits), record.dtype)
    for s, (left, points) in zip(records, limits, strict=True):
        s["left"], s["scores"][s["seat"]] = left, points
    return records


def rich_hands(record: np.record) -> np.ndarray:
    """A first turn, with hands that are complete and pay much, or nearly so; the last tile was drawn."""
    texts = (*COMPLETE, *NEAR)
    records = np.array([record] * len(texts), record.dtype)
    assert (records["phase"] == TURN).all()
    for s, text in zip(records, texts, strict=True):
        p = int(s["seat"])
        _set_hand(s, p, text)
        s["drawn"] = parse(text)[-1]
    return records


def rich_claims(record: np.record) -> tuple[np.ndarray, np.ndarray]:
    """A discard on offer, with hands that pay much after a call, and the calls."""
    records = np.array([record] * len(CLAIMED), record.dtype)
    assert (records["phase"] == CLAIM).all()
    for s, (hand, tile, _) in zip(records, CLAIMED, strict=True):
        turn = int(s["turn"])
        _set_hand(s, int(s["seat"]), hand)
        s["offer"] = s["river"][turn, s["river_size"][turn] - 1] = parse(tile)[0]
        s["wall"][5] = parse(FIVE_IS_DORA)[0]
    return records, np.array([action for _, _, action in CLAIMED])


def dora_kongs(record: np.record) -> tuple[np.ndarray, np.ndarray]:
    """A turn with a pong of doras, once with the red five in it, and the tile that makes it a kong; and the kongs."""
    records = np.array([record] * 2, record.dtype)
    assert (records["phase"] == TURN).all()
    for i, s in enumerate(records):
        p = int(s["seat"])
        _set_hand(s, p, "5m11122233z44p")
        s["melds"][p] = s["open_melds"][p] = 1
        s["meld_type"][p, 0], s["meld_red"][p, 0] = PONG_MELD, i
        s["meld_tile"][p, 0] = s["meld_called"][p, 0] = s["drawn"] = parse("5m")[0]
        s["wall"][5] = parse(FIVE_IS_DORA)[0]
    return records, np.full(2, ADDED_KONG + parse("5m")[0])


def _set_hand(s: np.void, p: int, text: str) -> None:
    """Give a seat without melds these tiles."""
    tiles = parse(text)
    s["melds"][p] = s["open_melds"][p] = 0
    s["hand"][p] = np.bincount(KIND_OF[tiles], minlength=34)
    s["red"][p] = [tiles.count(RED + suit) for suit in range(3)]
    fill_keys(s["hand"][p], s["key"][p])
