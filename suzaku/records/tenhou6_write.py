"""Writing tenhou.net/6 JSON."""

import json
from typing import Any

from suzaku.records import types as ev
from suzaku.records.tenhou6 import (
    ALL_WAIT,
    DAN,
    DORA,
    END_NAMES,
    NOBODY_WAITS,
    RED_FIVE,
    TABLES,
    URA,
    WON,
    YAKU,
    YAKUMAN_NAME,
    write_tile,
)  # fmt: skip
from suzaku.records.types import Game, Round, Win, four_tiles, own_tiles, red_of
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.rules import EAST_ONLY
from suzaku.riichi.yaku import YAKU as YAKU_TABLE
from suzaku.tiles import RED, TILES

LIMITS = ((13, "役満"), (11, "三倍満"), (8, "倍満"), (6, "跳満"), (5, "満貫"))


def write_tenhou6(game: Game) -> bytes:
    """The game as one JSON text."""
    table = next((letter for letter, name in TABLES.items() if name == game.lobby), "")
    shown = table + ("東" if game.rules.rounds == EAST_ONLY else "南") + ("喰" if game.rules.open_tanyao else "")
    shown += "赤" if game.rules.red_fives else ""
    log: dict[str, Any] = {"title": ["", ""], "name": [player.name for player in game.players]}
    log["rule"] = {"disp": shown, "aka": 1}
    if all(0 <= player.dan < len(DAN) for player in game.players):
        log["dan"] = [DAN[player.dan] for player in game.players]
    if all(player.rate == player.rate for player in game.players):
        log["rate"] = [player.rate for player in game.players]
    log["ref"] = game.id
    if game.final_scores is not None:
        log["sc"] = [value for score in game.final_scores for value in (score, 0)]
    log["log"] = [_round(told) for told in game.rounds]
    return json.dumps(log, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _digits(tiles: list[int]) -> str:
    return "".join(str(write_tile(tile)) for tile in tiles)


def _call_text(letter: str, own: list[int], tile: int, distance: int) -> str:
    """A call with the letter before the tile: first if it came from the left, then after one tile, or late."""
    place = {3: 0, 2: 1, 1: len(own)}[distance]
    return _digits(own[:place]) + letter + _digits([tile, *own[place:]])


def _round(told: Round) -> list[Any]:
    takes: list[list[Any]] = [[], [], [], []]
    throws: list[list[Any]] = [[], [], [], []]
    shown = [told.indicator]
    pongs: dict[tuple[int, int], tuple[list[int], int, int]] = {}
    riichi = False
    for type_, seat, a, b in told.events.tolist():
        if type_ == ev.DRAW:
            takes[seat].append(write_tile(a))
        elif type_ == ev.RIICHI:
            riichi = True
        elif type_ == ev.DISCARD:
            number = 60 if b else write_tile(a)
            throws[seat].append(f"r{number}" if riichi else number)
            riichi = False
        elif type_ == ev.INDICATOR:
            shown.append(a)
        elif type_ == ev.CALL:
            tile, distance = (b >> 2) - 1, ((b & 3) - seat) % 4
            own = own_tiles(a, tile)
            takes[seat].append(
                _call_text("m" if a == act.OPEN_KONG else "p" if a >= act.PONG else "c", own, tile, distance)
            )
            if a == act.OPEN_KONG:
                throws[seat].append(0)
            elif a >= act.PONG:
                pongs[seat, own[1]] = own, tile, distance
        elif type_ == ev.KONG:
            throws[seat].append(_kong_text(seat, a, pongs))
    ura = next((win.ura for win in told.wins if win.ura), ())
    entry: list[Any] = [[told.number, told.honba, told.sticks], list(told.scores)]
    entry += [[write_tile(tile) for tile in shown], [write_tile(tile) for tile in ura]]
    for seat in range(4):
        hand = [tile for tile in range(TILES) for _ in range(int(told.hands[seat, tile]))]
        entry += [[write_tile(tile) for tile in hand], takes[seat], throws[seat]]
    return [*entry, _result(told)]


def _kong_text(seat: int, action: int, pongs: dict[tuple[int, int], tuple[list[int], int, int]]) -> str:
    if action < act.ADDED_KONG:
        tiles = four_tiles(action - act.CLOSED_KONG)
        return _digits(tiles[1:]) + "a" + _digits(tiles[:1])
    kind = action - act.ADDED_KONG
    own, tile, distance = pongs[seat, kind]
    added = red_of(kind) if red_of(kind) >= 0 and max(*own, tile) < RED else kind
    place = {3: 0, 2: 1, 1: 2}[distance]
    return _digits(own[:place]) + "k" + _digits([added, tile, *own[place:]])


def _result(told: Round) -> list[Any]:
    deltas = list(told.deltas or (0, 0, 0, 0))
    if not told.wins:
        end = int(told.events[-1][2])
        name = END_NAMES[end]
        if end == st.EXHAUSTED and told.tenpai in (0, 15):
            name = ALL_WAIT if told.tenpai else NOBODY_WAITS
        return [name, deltas] if any(deltas) else [name]
    result: list[Any] = [WON]
    for win, part in zip(told.wins, told.win_deltas(), strict=True):
        result += [part, [win.seat, win.source, win.seat, _worth(win, told.dealer), *_yaku(win)]]
    return result


def _yaku(win: Win) -> list[str]:
    names = []
    opened = _is_open(win)
    for row in YAKU_TABLE:
        if (win.yaku or 0) >> row.number & 1:
            worth = YAKUMAN_NAME if win.yakuman else f"{row.open if opened else row.closed}飜"
            names.append(f"{YAKU[row.number]}({worth})")
    if not win.yakuman:
        for number, han in zip((DORA, URA, RED_FIVE), win.dora or (), strict=True):
            if han:
                names.append(f"{YAKU[number]}({han}飜)")
    return names


def _is_open(win: Win) -> bool:
    """Whether the hand was open: then its yaku add up to the han by their open worth."""
    own = (win.han or 0) - sum(win.dora or ())
    return sum(row.closed for row in YAKU_TABLE if (win.yaku or 0) >> row.number & 1) != own


def _worth(win: Win, dealer: int) -> str:
    points, han, fu = win.points or 0, win.han or 0, win.fu or 0
    name = f"{fu}符{han}飜"
    if win.yakuman:
        name = YAKUMAN_NAME
    elif han >= 5:
        name = next(limit for least, limit in LIMITS if han >= least)
    elif fu << (2 + han) >= 2000:
        name = "満貫"
    if win.seat != win.source:
        return f"{name}{points}点"
    if win.seat == dealer:
        return f"{name}{points // 3}点∀"
    # a share is rounded up to hundreds, the dealer's being twice the basic points
    small = next(s for s in range(100, points, 100) for big in (points - 2 * s,) if 2 * s - 100 <= big <= 2 * s)
    return f"{name}{small}-{points - 2 * small}点"
