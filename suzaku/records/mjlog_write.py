"""Writing Tenhou's mjlog XML. The seed of a wall cannot be found back, so each `INIT` carries the wall itself."""

from urllib.parse import quote

from suzaku.records import types as ev
from suzaku.records.mjlog import ADDED_BIT, CHOW_BIT, ENDS, PONG_BIT, TABLES
from suzaku.records.types import Game, Round, Win, own_name, own_tiles, red_of
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.rules import HANCHAN
from suzaku.riichi.yaku import YAKU
from suzaku.tiles import KIND_OF, RED

END_NAMES = {end: name for name, end in ENDS.items()}


def write_mjlog(game: Game) -> bytes:
    """The game as XML."""
    table = next((bits for bits, name in TABLES.items() if name == game.lobby), 0)
    rules = game.rules
    go_type = (
        1
        | table
        | (8 if rules.rounds == HANCHAN else 0)
        | (0 if rules.open_tanyao else 4)
        | (0 if rules.red_fives else 2)
    )
    players = " ".join(f'n{seat}="{quote(player.name)}"' for seat, player in enumerate(game.players))
    dans = ",".join(str(max(player.dan, 0)) for player in game.players)
    rates = ",".join(f"{player.rate if player.rate == player.rate else 1500:.2f}" for player in game.players)
    ref = f' ref="{game.id}"' if own_name(game) else ""
    text = [
        f'<mjloggm ver="2.3"{ref}><GO type="{go_type}"/>',
        f'<UN {players} dan="{dans}" rate="{rates}" sx="M,M,M,M"/>',
    ]
    text.append('<TAIKYOKU oya="0"/>')
    away: set[int] = set()
    for i, told in enumerate(game.rounds):
        last = game.final_scores if i + 1 == len(game.rounds) else None
        text += _Writer(told, game, away, last).text
    return ("\n".join(text) + "</mjloggm>\n").encode()


def _join(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


class _Writer:
    """Gives every tile of a round an id and writes the round."""

    def __init__(self, told: Round, game: Game, away: set[int], final: tuple[int, ...] | None) -> None:
        self.told, self.final, self.away = told, final, away
        self.names = [player.name for player in game.players]
        used = [0] * 37
        ids = []
        for tile in told.wall.tolist():
            if tile >= RED:
                ids.append((16, 52, 88)[tile - RED])
            else:
                first = 4 * tile + (1 if game.rules.red_fives and red_of(tile) >= 0 else 0)
                ids.append(first + used[tile])
                used[tile] += 1
        self.ids = ids
        self.tile_of = dict(zip(ids, told.wall.tolist(), strict=True))
        self.hands: list[list[int]] = [[], [], [], []]
        self.melds: list[list[int]] = [[], [], [], []]
        self.pongs: dict[tuple[int, int], tuple[list[int], int, int]] = {}  # seat, kind -> ids, called id, distance
        self.next, self.kongs, self.shown = 135, 0, 1
        self.replacement = False
        self.drawn = self.last = -1
        self.scores, self.sticks = list(told.scores), told.sticks
        for turn in range(16):
            for _ in range(4 if turn < 12 else 1):
                self.hands[(told.dealer + turn) % 4].append(ids[self.next])
                self.next -= 1
        hands = " ".join(f'hai{seat}="{_join(hand)}"' for seat, hand in enumerate(self.hands))
        seed = _join([told.number, told.honba, told.sticks, 0, 0, ids[5]])
        scores = _join([score // 100 for score in told.scores])
        wall = f' wall="{_join(ids)}"' if game.walls_known else ""
        self.text = [f'<INIT seed="{seed}" ten="{scores}" oya="{told.dealer}" {hands}{wall}/>']
        for event in told.events.tolist():
            self._event(*event)

    def _take(self, seat: int, tile: int) -> int:
        """Take a tile out of a hand, not the one just drawn if there is another."""
        found = [number for number in self.hands[seat] if self.tile_of[number] == tile]
        number = next((n for n in found if n != self.drawn), found[0])
        self.hands[seat].remove(number)
        return number

    def _event(self, type_: int, seat: int, a: int, b: int) -> None:
        out = self.text
        if type_ == ev.DRAW:
            if self.replacement:
                self.drawn = self.ids[st.REPLACEMENTS[self.kongs]]
                self.kongs += 1
            else:
                self.drawn = self.ids[self.next]
                self.next -= 1
            self.replacement = False
            self.hands[seat].append(self.drawn)
            out.append(f"<{'TUVW'[seat]}{self.drawn}/>")
        elif type_ == ev.DISCARD:
            if b:
                self.last = self.drawn
                self.hands[seat].remove(self.drawn)
            else:
                self.last = self._take(seat, a)
            out.append(f"<{'DEFG'[seat]}{self.last}/>")
            self.drawn = -1
        elif type_ == ev.RIICHI:
            out.append(f'<REACH who="{seat}" step="1"/>')
        elif type_ == ev.ACCEPTED:
            self.scores[seat] -= 1000
            self.sticks += 1
            out.append(f'<REACH who="{seat}" ten="{_join([s // 100 for s in self.scores])}" step="2"/>')
        elif type_ == ev.INDICATOR:
            out.append(f'<DORA hai="{self.ids[st.INDICATORS[self.shown]]}" />')
            self.shown += 1
        elif type_ == ev.CALL:
            self._call(seat, a, b & 3, (b >> 2) - 1)
        elif type_ == ev.KONG:
            self._kong(seat, a)
        elif type_ == ev.LEAVE:
            if seat not in self.away:
                out.append(f'<BYE who="{seat}" />')
            self.away.add(seat)
        elif type_ == ev.RETURN:
            self.away.discard(seat)
            out.append(f'<UN n{seat}="{quote(self.names[seat])}" />')
        elif type_ == ev.WIN:
            self._win(next(win for win in self.told.wins if win.seat == seat))
        elif type_ == ev.DRAWN_END:
            self._drawn_end(a)

    def _meld(self, seat: int, code: int) -> None:
        self.melds[seat].append(code)
        self.text.append(f'<N who="{seat}" m="{code}" />')

    def _call(self, seat: int, action: int, source: int, tile: int) -> None:
        own = [self._take(seat, t) for t in own_tiles(action, tile)]
        distance = (source - seat) % 4
        kind = int(KIND_OF[tile])
        if action == act.OPEN_KONG:
            self.replacement = True
            self._meld(seat, self.last << 8 | distance)
        elif action >= act.PONG:
            ids = sorted([*own, self.last])
            unused = next(i for i in range(4) if 4 * kind + i not in ids)
            self.pongs[seat, kind] = ids, self.last, distance
            self._meld(seat, (kind * 3 + ids.index(self.last)) << 9 | unused << 5 | PONG_BIT | distance)
        else:
            ids = sorted([*own, self.last])
            low = ids[0] // 4
            code = ((low // 9 * 7 + low % 9) * 3 + ids.index(self.last)) << 10
            for i, number in enumerate(ids):
                code |= (number & 3) << (3 + 2 * i)
            self._meld(seat, code | CHOW_BIT | distance)

    def _kong(self, seat: int, action: int) -> None:
        self.replacement = True
        if action < act.ADDED_KONG:
            kind = action - act.CLOSED_KONG
            self.hands[seat] = [number for number in self.hands[seat] if number // 4 != kind]
            self.last = 4 * kind
            self._meld(seat, 4 * kind << 8)
            return
        kind = action - act.ADDED_KONG
        ids, called, distance = self.pongs[seat, kind]
        added = next(number for number in self.hands[seat] if number // 4 == kind)
        self.hands[seat].remove(added)
        self.last = added
        place = ids.index(called)
        old = (kind * 3 + place) << 9 | (added & 3) << 5 | distance
        self.melds[seat].remove(old | PONG_BIT)
        self._meld(seat, old | ADDED_BIT)

    def _scores(self, deltas: list[int], last: bool) -> str:
        pairs = [value // 100 for pair in zip(self.scores, deltas, strict=True) for value in pair]
        self.scores = [score + delta for score, delta in zip(self.scores, deltas, strict=True)]
        text = f'sc="{_join(pairs)}"'
        if last and self.final is not None:
            text += ' owari="' + ",".join(f"{score // 100},0.0" for score in self.final) + '"'
        return text

    def _win(self, win: Win) -> None:
        told, wins = self.told, self.told.wins
        number = wins.index(win)
        deltas = told.win_deltas()[number]
        honba, sticks = (told.honba, self.sticks) if number == 0 else (0, 0)
        tile = self.drawn if win.seat == win.source else self.last
        hand = sorted({*self.hands[win.seat], tile})
        text = f'<AGARI ba="{honba},{sticks}" hai="{_join(hand)}"'
        if self.melds[win.seat]:
            text += f' m="{_join(self.melds[win.seat][::-1])}"'
        text += f' machi="{tile}" ten="{win.fu},{win.points},{_limit(win)}" {_yaku(win)}'
        text += f' doraHai="{_join([self.ids[st.INDICATORS[i]] for i in range(self.shown)])}"'
        if win.ura:
            text += f' doraHaiUra="{_join([self.ids[st.URA_INDICATORS[i]] for i in range(len(win.ura))])}"'
        text += f' who="{win.seat}" fromWho="{win.source}" {self._scores(deltas, win is wins[-1])} />'
        self.text.append(text)

    def _drawn_end(self, end: int) -> None:
        name = END_NAMES[end]
        text = "<RYUUKYOKU" + (f' type="{name}"' if name else "") + f' ba="{self.told.honba},{self.sticks}"'
        text += f" {self._scores(list(self.told.deltas or (0, 0, 0, 0)), True)}"
        for seat in range(4):
            nine = end == st.NINE_KINDS and len(self.hands[seat]) % 3 == 2
            if nine or (end == st.EXHAUSTED and (self.told.tenpai or 0) >> seat & 1):
                text += f' hai{seat}="{_join(sorted(self.hands[seat]))}"'
        self.text.append(text + " />")


def _limit(win: Win) -> int:
    han = win.han or 0
    if win.yakuman or han >= 13:
        return 5
    for limit, least in ((4, 11), (3, 8), (2, 6), (1, 5)):
        if han >= least:
            return limit
    return int((win.fu or 0) << (2 + han) >= 2000)


def _yaku(win: Win) -> str:
    numbers = [row for row in YAKU if (win.yaku or 0) >> row.number & 1]
    if win.yakuman:
        return f'yakuman="{_join([row.number for row in numbers])}"'
    own = (win.han or 0) - sum(win.dora or ())
    opened = sum(row.closed for row in numbers) != own
    pairs = [value for row in numbers for value in (row.number, row.open if opened else row.closed)]
    for number, han in zip((52, 53, 54), win.dora or (), strict=True):
        if han:
            pairs += [number, han]
    return f'yaku="{_join(pairs)}"'
