"""A judge of MCR in plain Python, written from the rules alone: lists of tiles, one object a hand.

It knows nothing of the kernels but the value of a complete hand, which `fan_of` gives it. Tiles are kinds 0..33 and
flowers from 34 on. The players answer a discard all at once; `resolve` says what comes of it.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

FLOWER = 34


@dataclass
class Set:
    """A meld."""

    name: str  # chow, pong, open_kong, closed_kong, added_kong
    tiles: list[int]


@dataclass
class Player:
    """What lies in front of a seat."""

    hand: list[int] = field(default_factory=list)
    sets: list[Set] = field(default_factory=list)
    flowers: int = 0


class Judge:
    """One hand from its wall. `duplicate` says whether every seat has a wall of its own."""

    def __init__(
        self,
        wall: list[int],
        duplicate: bool,
        dealer: int,
        wind: int,
        fan_of: Callable[..., int],
        minimum: int = 8,
    ) -> None:
        self.duplicate, self.dealer, self.wind, self.fan_of = duplicate, dealer, wind, fan_of
        self.minimum = minimum
        self.walls = [wall[34 * i : 34 * i + 34] for i in range(4)] if duplicate else [list(wall)] * 4
        self.players = [Player() for _ in range(4)]
        self.unclaimed: list[int] = []  # discards that nobody took
        self.over = False
        self.points = [0, 0, 0, 0]
        self.won: tuple[int, int, frozenset[str]] | None = None  # seat, fan, circumstances
        if duplicate:
            for seat, player in enumerate(self.players):
                player.hand = [self.walls[seat].pop() for _ in range(13)]
        else:
            for size in (4, 4, 4, 1):
                for i in range(4):
                    for _ in range(size):
                        self.players[(dealer + i) % 4].hand.append(self.walls[0].pop())
            for i in range(4):
                self._replace_flowers(self.players[(dealer + i) % 4])
        self.draw(dealer)

    def _replace_flowers(self, player: Player) -> None:
        while any(tile >= FLOWER for tile in player.hand):
            player.hand.remove(next(tile for tile in player.hand if tile >= FLOWER))
            player.flowers += 1
            player.hand.append(self.walls[0].pop(0))

    def draw(self, seat: int, after_kong: bool = False) -> None:
        """A seat draws; the hand is a draw if it cannot."""
        self.turn, self.after_kong, self.called = seat, after_kong, False
        wall = self.walls[seat]
        if not wall:
            self.over = True
            return
        tile = wall.pop(0) if after_kong and not self.duplicate else wall.pop()
        while tile >= FLOWER:
            self.players[seat].flowers += 1
            self.after_kong = False
            if not wall:
                self.over = True
                return
            tile = wall.pop(0)
        self.drawn = tile
        self.players[seat].hand.append(tile)

    def last(self) -> bool:
        """Whether the tile just drawn or discarded is the last one."""
        return not self.walls[(self.turn + 1) % 4]

    def shown(self, tile: int) -> int:
        """How many of a tile lie open, the one just discarded not counted."""
        melds = [t for player in self.players for one in player.sets if one.name != "closed_kong" for t in one.tiles]
        return Counter(melds)[tile] + self.unclaimed.count(tile)

    def fan(self, seat: int, tile: int, how: str) -> tuple[int, frozenset[str]]:
        """The fan of a seat's hand with a tile, and the circumstances; `how` is draw, discard or rob."""
        player = self.players[seat]
        hand = sorted(player.hand if how == "draw" else [*player.hand, tile])
        flags = {"self_drawn"} if how == "draw" else {"robbing_kong"} if how == "rob" else set()
        if how == "draw" and self.after_kong:
            flags.add("after_kong")
        if how != "rob" and self.last():
            flags.add("last_tile")
        if self.shown(tile) == 3:
            flags.add("fourth_tile")
        fan = self.fan_of(hand, tile, player.sets, frozenset(flags), (seat - self.dealer) % 4, self.wind)
        return fan, frozenset(flags)

    def own_options(self) -> set[tuple[str, int]]:
        """What the seat whose turn it is may do."""
        player = self.players[self.turn]
        found = {("discard", tile) for tile in player.hand}
        if self.called:
            return found
        if self.fan(self.turn, self.drawn, "draw")[0] >= self.minimum:
            found.add(("win", -1))
        if self.walls[self.turn] and not self.last():
            found |= {("closed kong", tile) for tile in player.hand if player.hand.count(tile) == 4}
            found |= {("added kong", s.tiles[0]) for s in player.sets if s.name == "pong" and s.tiles[0] in player.hand}
        return found

    def claims(self, seat: int, tile: int, robbing: bool) -> set[tuple[str, int]]:
        """What another seat may do with a discard, or with a tile that is being added to a pong."""
        hand = self.players[seat].hand
        found = set()
        if self.fan(seat, tile, "rob" if robbing else "discard")[0] >= self.minimum:
            found.add(("win", -1))
        if robbing or self.last():
            return found
        if hand.count(tile) >= 2:
            found.add(("pong", -1))
        if hand.count(tile) == 3 and self.walls[seat]:
            found.add(("open kong", -1))
        if seat == (self.turn + 1) % 4 and tile < 27:
            for word, others in (("low", (1, 2)), ("middle", (-1, 1)), ("high", (-2, -1))):
                if all(0 <= tile % 9 + step < 9 and tile + step in hand for step in others):
                    found.add((f"chow {word}", -1))
        return found

    def act(self, what: str, tile: int) -> int | None:
        """The seat whose turn it is does something; the tile the others may now claim."""
        player = self.players[self.turn]
        if what == "win":
            self._win(self.turn, self.drawn, "draw")
        elif what == "closed kong":
            player.hand = [t for t in player.hand if t != tile]
            player.sets.append(Set("closed_kong", [tile] * 4))
            self.draw(self.turn, after_kong=True)
        else:  # a discard, or a tile for an added kong
            player.hand.remove(tile)
            return tile
        return None

    def resolve(self, tile: int, robbing: bool, answers: dict[int, str]) -> None:
        """All have answered: the first win in turn order, else pong or kong, else chow, else the turn goes on."""
        order = [(self.turn + i) % 4 for i in (1, 2, 3)]
        for seat in order:
            if answers.get(seat) == "win":
                self._win(seat, tile, "rob" if robbing else "discard")
                return
        if robbing:
            pong = next(s for s in self.players[self.turn].sets if s.name == "pong" and s.tiles[0] == tile)
            pong.name, pong.tiles = "added_kong", [tile] * 4
            self.draw(self.turn, after_kong=True)
            return
        for seat in order:
            if answers.get(seat) in ("pong", "open kong"):
                self._meld(seat, "pong" if answers[seat] == "pong" else "open_kong", tile, [tile] * 4)
                return
        word = answers.get(order[0], "pass").removeprefix("chow ")
        if word != "pass":
            low = tile - ("low", "middle", "high").index(word)
            self._meld(order[0], "chow", tile, [low, low + 1, low + 2])
            return
        self.unclaimed.append(tile)
        self.draw(order[0])

    def _meld(self, seat: int, name: str, tile: int, tiles: list[int]) -> None:
        tiles = tiles[:3] if name == "pong" else tiles
        self.players[seat].sets.append(Set(name, tiles))
        taken = list(tiles)
        taken.remove(tile)
        for one in taken:
            self.players[seat].hand.remove(one)
        self.turn, self.called = seat, True
        if name == "open_kong":
            self.draw(seat, after_kong=True)

    def _win(self, seat: int, tile: int, how: str) -> None:
        fan, flags = self.fan(seat, tile, how)
        fan += self.players[seat].flowers
        for other in range(4):
            if other != seat:
                pays = 8 + (fan if how == "draw" or other == self.turn else 0)
                self.points[other] -= pays
                self.points[seat] += pays
        self.won = (seat, fan, flags)
        self.over = True
