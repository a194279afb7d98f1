"""Writing mjai JSON lines as Mortal does."""

from suzaku.records import events as ev
from suzaku.records.formats import mjai_event as mj
from suzaku.records.game import Game, Round
from suzaku.records.ids import own_name
from suzaku.records.melds import four_tiles, own_tiles, red_of
from suzaku.riichi import actions as act
from suzaku.tiles import RED, TILES, WINDS, to_mjai


def write_mjai(game: Game) -> bytes:
    """The game as JSON lines."""
    names = [player.name for player in game.players]
    aka_flag = None if game.rules.red_fives else False  # mjai takes red fives for granted
    events: list[mj.Event] = [mj.StartGame(names=names, aka_flag=aka_flag, uri=own_name(game) or None)]
    for told in game.rounds:
        events += _round_events(told)
    if game.ended:
        events.append(mj.EndGame())
    return b"".join(mj.ENCODER.encode(event) + b"\n" for event in events)


def _tiles(tiles: list[int]) -> list[str]:
    return [to_mjai(tile) for tile in tiles]


def _round_events(told: Round) -> list[mj.Event]:
    hands = [_tiles([tile for tile in range(TILES) for _ in range(int(hand[tile]))]) for hand in told.hands]
    out: list[mj.Event] = [
        mj.StartKyoku(
            WINDS[told.number // 4 % 4],
            told.number % 4 + 1,
            told.honba,
            told.sticks,
            told.dealer,
            hands,
            to_mjai(told.indicator),
            list(told.scores),
        )
    ]
    pongs: dict[tuple[int, int], list[int]] = {}  # seat and kind -> tiles of its pong
    waiting: list[mj.Event] = []  # indicators that show after the discard
    wins = iter(zip(told.wins, told.win_deltas(), strict=True) if told.wins else ())
    after_closed = False
    for type_, seat, a, b in told.events.tolist():
        if type_ == ev.DRAW:
            out.append(mj.Tsumo(seat, to_mjai(a)))
        elif type_ == ev.DISCARD:
            out.append(mj.Dahai(seat, to_mjai(a), bool(b)))
            out += waiting
            waiting = []
        elif type_ == ev.RIICHI:
            out.append(mj.Reach(seat))
        elif type_ == ev.ACCEPTED:
            out.append(mj.ReachAccepted(seat))
        elif type_ == ev.INDICATOR:
            (out if after_closed else waiting).append(mj.Dora(to_mjai(a)))
        elif type_ == ev.CALL:
            source, tile = b & 3, (b >> 2) - 1
            own = own_tiles(a, tile)
            form = mj.Daiminkan if a == act.OPEN_KONG else mj.Pon if a >= act.PONG else mj.Chi
            out.append(form(seat, source, to_mjai(tile), _tiles(own)))
            if act.PONG <= a < act.OPEN_KONG:
                pongs[seat, own[1]] = [tile, *own]
        elif type_ == ev.KONG:
            out.append(_kong(seat, a, pongs))
        elif type_ == ev.WIN:
            win, deltas = next(wins)
            out.append(mj.Hora(seat, b, deltas, _tiles(list(win.ura or ()))))
        elif type_ == ev.DRAWN_END:
            out.append(mj.Ryukyoku(list(told.deltas or (0, 0, 0, 0))))
        after_closed = (type_ == ev.KONG and a < act.ADDED_KONG) or (type_ == ev.INDICATOR and after_closed)
    out += waiting
    out.append(mj.EndKyoku())
    return out


def _kong(seat: int, action: int, pongs: dict[tuple[int, int], list[int]]) -> mj.Event:
    if action < act.ADDED_KONG:
        return mj.Ankan(seat, _tiles(four_tiles(action - act.CLOSED_KONG)))
    kind = action - act.ADDED_KONG
    pong = pongs[seat, kind]
    added = red_of(kind) if red_of(kind) >= 0 and max(pong) < RED else kind
    return mj.Kakan(seat, to_mjai(added), _tiles(pong))
