"""Golden rounds: a round of Riichi as a text that a person can read, and its runner.

A file has a head (`key: value` lines), `play:` (the decisions) and `end:` (what must come out).

Head: `rules: bust=False`, `scores:`, `round: E1` (the dealer's seat follows), `honba:`, `sticks:`, `dora:` and
`ura:` (indicators), `hand 0:` .. `hand 3:` (13 tiles each), `draws:` (in order, from the dealer's first tile on),
`last draws:` (the end of the wall; without kongs the last one is drawn last), `kong draws:`. `?` is any tile. Tiles
that are not named are filled in, always in the same way.

Play: `1: pong` (seat 1 is asked and answers so; `drawn` is short for `discard drawn tile`, `5m` for `discard 5m`).
Claims without a line are passed. `...` lets everybody discard what they draw until the next line fits, `... left 4`
until 4 tiles are left. `? 1 may: pong, riichi` and `? 1 may not: ...` look at the legal actions, `? asked:`, `? shown:`
(indicators), `? sticks:` and `? scores:` at the table.

End: `result:`, `winners:`, `from:`, `yaku 1:`, `han 1:`, `fu 1:`, `dora 1:` (dora, ura, red), `points 1:`,
`yakuman 1:`, `tenpai:`, `deltas:`, `scores:`, `shown:`, `next: E2 honba 1 sticks 0` or `next: game over`, `ranks:`.
"""

import random
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from suzaku import tiles
from suzaku.riichi import ACTION_NAMES, ACTIONS, Rules, Table, action_number
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.claims import fill_claims
from suzaku.riichi.yaku import names as yaku_names

ROUNDS = [f"{wind}{n}" for wind in tiles.WINDS for n in (1, 2, 3, 4)]
HEAD = {"rules", "scores", "round", "honba", "sticks", "dora", "ura", "draws", "last draws", "kong draws"}
HEAD |= {f"hand {seat}" for seat in range(4)}
END = {"result", "winners", "from", "tenpai", "deltas", "scores", "shown", "next", "ranks"}
END |= {f"{name} {seat}" for name in ("yaku", "han", "fu", "dora", "points", "yakuman") for seat in range(4)}


class GoldenError(AssertionError):
    """Something in a golden round is not as the file says, or cannot be read."""


@dataclass
class Golden:
    """A golden round as read from its file: line numbers are kept for messages."""

    name: str
    head: dict[str, tuple[int, str]] = field(default_factory=dict)
    play: list[tuple[int, str]] = field(default_factory=list)
    end: dict[str, tuple[int, str]] = field(default_factory=dict)

    def error(self, line: int, message: str) -> GoldenError:
        """An error with its place."""
        return GoldenError(f"{self.name}:{line}: {message}")


def parse(name: str, text: str) -> Golden:
    """Read a golden round."""
    golden = Golden(name)
    section, known = golden.head, HEAD
    playing = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split("#")[0].strip()
        if not line:
            continue
        if line in ("play:", "end:"):
            playing = line == "play:"
            section, known = golden.end, END
            continue
        if playing:
            golden.play.append((number, line))
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or key not in known:
            raise golden.error(number, f"expected one of {', '.join(sorted(known))}, not {line!r}")
        if key in section and key not in ("draws", "last draws"):
            raise golden.error(number, f"{key!r} stands twice")
        section[key] = (number, f"{section[key][1]} {value}" if key in section else value)
    if not golden.play or not golden.end:
        raise GoldenError(f"{name}: a golden round needs 'play:' and 'end:' with lines below them")
    return golden


def numbers(golden: Golden, line: int, text: str, count: int | None = None) -> list[int]:
    """Read numbers."""
    try:
        found = [int(part) for part in text.split()]
    except ValueError:
        raise golden.error(line, f"expected numbers, not {text!r}") from None
    if count is not None and len(found) != count:
        raise golden.error(line, f"expected {count} numbers, not {len(found)}")
    return found


def read_tiles(golden: Golden, line: int, text: str) -> list[int]:
    """Read tiles; `?` is -1."""
    try:
        return [
            tile for part in text.split() for tile in ([-1] * len(part) if set(part) == {"?"} else tiles.parse(part))
        ]
    except ValueError as error:
        raise golden.error(line, str(error)) from None


def rules_of(golden: Golden) -> Rules:
    """The rules with the changes of the head."""
    line, text = golden.head.get("rules", (0, ""))
    defaults = {f.name: f.default for f in fields(Rules)}
    changes = {}
    for part in text.split():
        name, _, value = part.partition("=")
        if name not in defaults or not value:
            raise golden.error(line, f"{part!r} changes no rule: expected such as bust=False")
        changes[name] = value == "True" if isinstance(defaults[name], bool) else int(value)
    return Rules.tenhou(**changes)


def places_of(golden: Golden, dealer: int) -> dict[int, tuple[int, int]]:
    """The named tiles: place in the wall -> line, tile."""
    named: dict[int, tuple[int, int]] = {}

    def put(key: str, places: list[int], exact: bool = False, from_end: bool = False) -> None:
        line, text = golden.head.get(key, (0, ""))
        found = read_tiles(golden, line, text)
        if not found:
            return
        if len(found) > len(places) or (exact and len(found) != len(places)):
            raise golden.error(line, f"{key!r} has {len(found)} tiles, there is place for {len(places)}")
        for place, tile in zip(places[len(places) - len(found) :] if from_end else places, found, strict=False):
            if tile >= 0 and named.setdefault(place, (line, tile))[1] != tile:
                raise golden.error(line, f"{key!r} names a place of the wall twice")

    for seat in range(4):
        turn = (seat - dealer) % 4
        blocks = [135 - 16 * block - 4 * turn - i for block in range(3) for i in range(4)]
        put(f"hand {seat}", [*blocks, 135 - 48 - turn], exact=True)
    put("draws", list(range(83, 13, -1)))
    put("last draws", list(range(83, 13, -1)), from_end=True)
    put("kong draws", st.REPLACEMENTS.tolist())
    put("dora", st.INDICATORS.tolist())
    put("ura", st.URA_INDICATORS.tolist())
    return named


def build_wall(golden: Golden, rules: Rules, dealer: int) -> np.ndarray:
    """The wall: the named tiles in their places, the others shuffled in between, always the same way."""
    named = places_of(golden, dealer)
    rest = tiles.full_set(rules.red_fives).tolist()
    for line, tile in named.values():
        if tile not in rest:
            raise golden.error(line, f"there is no {tiles.NAMES[tile]} left for this line")
        rest.remove(tile)
    random.Random(0).shuffle(rest)
    return np.array([named[i][1] if i in named else rest.pop() for i in range(st.WALL)], np.int8)


class Runner:
    """Plays a golden round and compares."""

    def __init__(self, golden: Golden) -> None:
        self.golden = golden
        rules = rules_of(golden)
        line, text = golden.head.get("round", (0, "E1"))
        if text not in ROUNDS:
            raise golden.error(line, f"expected a round such as E1 or S4, not {text!r}")
        number = ROUNDS.index(text)
        wall = build_wall(golden, rules, number % 4)
        scores = self.head_numbers("scores", 4)
        table = Table.deal([wall], rules)
        record = table.record
        record.round_no, record.dealer = number, number % 4
        record.honba, record.sticks = (self.head_numbers(key, 1, [0])[0] for key in ("honba", "sticks"))
        if scores:
            record.scores[:] = scores
        record.deal = 0
        table._place_wall()  # deal again, from the right seat on
        self.table, self.s = table, table.record

    def head_numbers(self, key: str, count: int, default: list[int] | None = None) -> list[int]:
        """Numbers of the head."""
        if key not in self.golden.head:
            return default or []
        return numbers(self.golden, *self.golden.head[key], count)

    def run(self) -> None:
        """Play all lines and compare the end."""
        for i, (line, text) in enumerate(self.golden.play):
            if text.startswith("?"):
                self.look(line, text[1:].strip())
            elif text.startswith("..."):
                self.go_on(line, text[3:].strip(), self.golden.play[i + 1 :])
            else:
                self.act(line, *self.read_action(line, text))
        while self.s.phase in (st.CLAIM, st.ROB):
            self.table.act(act.PASS)
        if self.s.phase < st.ROUND_OVER:
            raise self.golden.error(self.golden.play[-1][0], f"the round is not over: {self.state()}")
        for key, (line, text) in self.golden.end.items():
            found = self.found(key, line)
            if " ".join(text.split()) != found:
                raise self.golden.error(line, f"{key}: expected {text!r}, found {found!r}")

    def state(self) -> str:
        """Who is asked what, for messages."""
        legal = ", ".join(ACTION_NAMES[a] for a in self.table.legal_actions())
        return f"seat {self.table.seat} is asked for one of: {legal}" if legal else "nobody is asked"

    def read_action(self, line: int, text: str) -> tuple[int, int]:
        """Read "1: pong"."""
        seat, colon, name = (part.strip() for part in text.partition(":"))
        if not colon or seat not in ("0", "1", "2", "3"):
            raise self.golden.error(line, f"expected such as '1: pong', '...' or '? 1 may: pong', not {text!r}")
        return int(seat), self.action(line, name)

    def action(self, line: int, name: str) -> int:
        """The number of an action by its name."""
        try:
            return action_number("discard drawn tile" if name == "drawn" else name)
        except ValueError as error:
            raise self.golden.error(line, str(error)) from None

    def fits(self, seat: int, action: int) -> bool:
        """Whether this seat is asked and may do this."""
        return self.table.seat == seat and action in self.table.legal_actions()

    def act(self, line: int, seat: int, action: int) -> None:
        """Carry out a line; claims that it does not answer are passed."""
        while self.s.phase in (st.CLAIM, st.ROB) and not self.fits(seat, action):
            self.table.act(act.PASS)
        if not self.fits(seat, action):
            raise self.golden.error(line, f"seat {seat} cannot {ACTION_NAMES[action]!r}: {self.state()}")
        self.table.act(action)

    def go_on(self, line: int, until: str, following: list[tuple[int, str]]) -> None:
        """Let everybody discard what they draw."""
        left = None
        if until:
            word, _, count = until.partition(" ")
            if word != "left":
                raise self.golden.error(line, f"expected '...' or '... left 4', not '... {until}'")
            left = numbers(self.golden, line, count, 1)[0]
        target = next((self.read_action(n, t) for n, t in following if not t.startswith(("?", "..."))), None)
        while self.s.phase < st.ROUND_OVER:
            if left is not None and self.s.phase == st.TURN and self.s.left == left:
                return
            if left is None and target and self.fits(*target):
                return
            self.table.act(act.PASS if self.s.phase in (st.CLAIM, st.ROB) else act.DISCARD_DRAWN)

    def look(self, line: int, text: str) -> None:
        """Check a line with a question mark."""
        key, _, value = (part.strip() for part in text.partition(":"))
        words = key.split()
        if len(words) >= 2 and words[0] in ("0", "1", "2", "3") and words[1] == "may" and words[2:] in ([], ["not"]):
            self.look_at_actions(line, int(words[0]), [part.strip() for part in value.split(",")], len(words) == 2)
            return
        if key not in ("asked", "shown", "sticks", "scores"):
            raise self.golden.error(
                line, f"expected '? 1 may: ...', '? asked:', '? shown:', '? sticks:' or '? scores:', not {text!r}"
            )
        found = {
            "asked": lambda: str(self.table.seat),
            "sticks": lambda: str(self.s.sticks),
            "shown": lambda: self.found("shown", line),
            "scores": lambda: self.found("scores", line),
        }[key]()
        if found != value:
            raise self.golden.error(line, f"{key}: expected {value!r}, found {found!r}")

    def look_at_actions(self, line: int, seat: int, wanted: list[str], may: bool) -> None:
        """Check what a seat may do, or may not. Claims are looked at for all seats at once."""
        mask = np.zeros(ACTIONS, np.bool_)
        if self.s.phase in (st.CLAIM, st.ROB):
            if seat != self.s.turn:
                fill_claims(self.s, seat, mask)
        elif self.table.seat == seat:
            mask = self.table.legal_mask()
        for name in wanted:
            if mask[self.action(line, name)] != may:
                legal = ", ".join(ACTION_NAMES[a] for a in np.flatnonzero(mask)) or "nothing"
                raise self.golden.error(line, f"seat {seat} {'cannot' if may else 'can'} {name!r}; it can: {legal}")

    def found(self, key: str, line: int) -> str:
        """What came out, written as in the file."""
        s = self.s
        word, _, seat = key.partition(" ")
        if seat:
            winners = s.win_seat[: s.wins].tolist()
            if int(seat) not in winners:
                raise self.golden.error(line, f"seat {seat} did not win")
            i = winners.index(int(seat))
            return {
                "yaku": ", ".join(yaku_names(int(s.win_yaku[i]))),
                "han": str(s.win_han[i]),
                "fu": str(s.win_fu[i]),
                "yakuman": str(s.win_yakuman[i]),
                "points": str(s.win_points[i]),
                "dora": " ".join(map(str, s.win_dora[i])),
            }[word]
        if key == "next":
            if self.table.game_over:
                return "game over"
            after = self.table.copy()
            after._walls = [*(self.table._walls or []), tiles.full_set(self.table.rules.red_fives)]
            after.next_round()
            r = after.record
            return f"{ROUNDS[int(r.round_no)]} honba {r.honba} sticks {r.sticks}"
        return {
            "result": lambda: st.RESULT_NAMES[s.result],
            "winners": lambda: " ".join(map(str, s.win_seat[: s.wins])),
            "from": lambda: str(s.win_from),
            "tenpai": lambda: " ".join(str(p) for p in range(4) if int(s.tenpai) >> p & 1) or "nobody",
            "deltas": lambda: " ".join(map(str, s.deltas)),
            "scores": lambda: " ".join(map(str, s.scores)),
            "shown": lambda: " ".join(tiles.NAMES[t] for t in s.wall[st.INDICATORS[: s.indicators]]),
            "ranks": lambda: " ".join(map(str, self.table.ranks)),
        }[key]()


def run(path: Path) -> None:
    """Run one golden file."""
    Runner(parse(path.name, path.read_text(encoding="utf-8"))).run()
