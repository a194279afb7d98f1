"""A small Riichi bot that speaks mjai. Plain Python, nothing to install: copy it and give it a better brain.

    suzaku bot check -- python examples/starter_bot.py {seat}             # is every answer right?
    suzaku arena "mjai:python examples/starter_bot.py {seat}" random      # how well does it play?
    python examples/starter_bot.py 0 < events.jsonl                       # by hand

It reads one event a line, or an array of events a line (as mjai.app sends them), and answers each line with one event.
A line with "can_act": false is told and not asked: it gets no answer.

The first half keeps the table. The second half, from `Bot.own_turn` on, is the brain: it throws what fits least,
declares riichi when it can, and wins after riichi. It never calls, so it needs to know no other yaku. Both halves
believe the events and not their own answers: a claim may be overruled by another player's.
"""

import json
import sys

WINDS = ["E", "S", "W", "N"]
DRAGONS = ["P", "F", "C"]  # white, green, red
KINDS = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] + WINDS + DRAGONS
ORPHANS = [i for i, kind in enumerate(KINDS) if kind[0] in "19" or i >= 27]
NONE = {"type": "none"}
BESIDE = ("dora", "reach_accepted")  # told between a question and what follows from it


def kind_of(tile):
    """The kind of a tile: a red five (5mr) is a five."""
    return tile.rstrip("r")


# --- the table


class Bot:
    """One player: what it knows of its table, and what it answers."""

    def __init__(self, player=None):
        self.player = player  # 0..3
        self.start_round({"tehais": [[], [], [], []], "scores": [25000] * 4})

    def start_round(self, event):
        self.scores = list(event["scores"])
        self.hand = list(event["tehais"][self.player or 0])  # without called tiles, with the drawn one
        self.drawn = None  # the tile just drawn, if it is our turn
        self.river = []  # what we have discarded
        self.melds = 0  # our calls and kongs
        self.closed = True  # no call of another player's tile
        self.barred = ()  # kinds that may not be thrown after a call
        self.riichi = False  # declared
        self.missed = False  # since riichi we let a winning tile go, and may win on a draw only
        self.left = 70  # tiles that can still be drawn
        self.offer = None  # a tile of another player that we might win on

    def take(self, event):
        """Take in one event; most are of other players."""
        kind = event["type"]
        own = event.get("actor") == self.player
        if kind not in BESIDE:
            if self.offer and self.riichi and is_complete([*self.hand, self.offer], self.melds):
                self.missed = True
            self.offer = None
        if kind == "start_game":
            self.player = event.get("id", self.player)
        elif kind == "start_kyoku":
            self.start_round(event)
        elif kind == "tsumo":
            self.left -= 1
            self.drawn = event["pai"] if own else None
            if own:
                self.hand.append(event["pai"])
        elif kind == "dahai":
            if own:
                self.hand.remove(event["pai"])
                self.river.append(kind_of(event["pai"]))
                self.drawn, self.barred = None, ()
            else:
                self.offer = event["pai"]
        elif kind in ("chi", "pon", "daiminkan", "ankan"):
            if own:
                self.melds += 1
                self.closed = self.closed and kind == "ankan"
                self.drawn = None
                for tile in event["consumed"]:
                    self.hand.remove(tile)
                if kind in ("chi", "pon"):
                    self.barred = barred_after(event["pai"], event["consumed"])
        elif kind == "kakan":
            if own:
                self.hand.remove(event["pai"])
                self.drawn = None
            else:
                self.offer = event["pai"]  # it can be robbed
        elif kind == "reach":
            self.riichi = self.riichi or own
        elif kind == "reach_accepted":
            self.scores[event["actor"]] -= 1000

    def answer(self, event):
        """The answer to the last event."""
        own = event.get("actor") == self.player
        if event["type"] == "tsumo" and own:
            return self.own_turn()
        if event["type"] in ("reach", "chi", "pon") and own:  # these are followed by a discard
            return self.discard(self.choose_discard())
        if self.offer:
            return self.claim(event["actor"])
        return NONE

    def discard(self, tile):
        """The discard of a tile of the hand; tsumogiri says whether it is the one just drawn."""
        return {"type": "dahai", "actor": self.player, "pai": tile, "tsumogiri": tile == self.drawn}

    # --- the brain

    def own_turn(self):
        """We have drawn: win, declare riichi, or discard. (Kongs and nine kinds could be answered here too.)"""
        if self.riichi:
            if is_complete(self.hand, self.melds):
                return {"type": "hora", "actor": self.player, "target": self.player, "pai": self.drawn}
            return self.discard(self.drawn)
        if self.may_riichi() and self.waiting_discards():
            return {"type": "reach", "actor": self.player}  # the discard is asked for after this
        return self.discard(self.choose_discard())

    def claim(self, target):
        """Another player discards (or adds to a kong) a tile: win on it, or pass. (Calls could be answered here.)"""
        furiten = self.missed or any(kind in self.river for kind in waits(self.hand, self.melds))
        if self.riichi and not furiten and is_complete([*self.hand, self.offer], self.melds):
            return {"type": "hora", "actor": self.player, "target": target, "pai": self.offer}
        return NONE

    def choose_discard(self):
        """The tile to throw: put your own idea here. After declaring riichi, it must leave the hand tenpai."""
        allowed = self.waiting_discards() if self.riichi else [t for t in self.hand if kind_of(t) not in self.barred]
        return min(allowed or self.hand, key=lambda tile: (self.worth(tile), tile.endswith("r")))

    def worth(self, tile):
        """How well a tile fits the others of the hand: pairs count most, then neighbours, then one between."""
        counts = count(self.hand)
        index = KINDS.index(kind_of(tile))
        worth = 4 * (counts[index] - 1)
        if index < 27:
            place = index % 9
            for step, gain in ((-2, 1), (-1, 2), (1, 2), (2, 1)):
                if 0 <= place + step < 9:
                    worth += gain * min(counts[index + step], 2)
            worth += 0.1 * min(place, 8 - place)  # tiles in the middle find neighbours
        return worth

    def may_riichi(self):
        """Riichi needs a closed hand, 1,000 points, and at least four tiles to be drawn."""
        return self.closed and self.scores[self.player] >= 1000 and self.left >= 4

    def waiting_discards(self):
        """The tiles that leave the hand tenpai when thrown."""
        found = {}
        for tile in set(self.hand):
            rest = list(self.hand)
            rest.remove(tile)
            found[tile] = bool(waits(rest, self.melds))
        return [tile for tile in self.hand if found[tile]]


# --- tiles


def barred_after(called, consumed):
    """The kinds that may not be thrown after a call: the called one, and the one at the other end of a run."""
    kinds = sorted(KINDS.index(kind_of(tile)) for tile in consumed)
    index = KINDS.index(kind_of(called))
    barred = [index]
    if kinds[0] == index + 1 and index % 9 < 6:  # 234 with a called 2: no 5
        barred.append(index + 3)
    if kinds[1] == index - 1 and index % 9 > 2:  # 234 with a called 4: no 1
        barred.append(index - 3)
    return [KINDS[i] for i in barred]


def count(tiles):
    """How many of each of the 34 kinds."""
    counts = [0] * len(KINDS)
    for tile in tiles:
        counts[KINDS.index(kind_of(tile))] += 1
    return counts


def waits(tiles, melds):
    """The kinds that would complete a hand."""
    held = count(tiles)
    return [kind for i, kind in enumerate(KINDS) if held[i] < 4 and is_complete([*tiles, kind], melds)]


def is_complete(tiles, melds):
    """Whether tiles and melds are four sets and a pair, seven pairs, or thirteen orphans."""
    counts = count(tiles)
    orphans = [counts[i] for i in ORPHANS]
    if melds == 0 and (counts.count(2) == 7 or (all(orphans) and sum(orphans) == 14)):
        return True
    for pair in range(len(KINDS)):
        if counts[pair] >= 2:
            counts[pair] -= 2
            if are_sets(counts, 4 - melds):
                return True
            counts[pair] += 2
    return False


def are_sets(counts, sets):
    """Whether the tiles are so many triplets and runs; the lowest tile belongs to one of the two."""
    counts = list(counts)
    first = next((i for i, n in enumerate(counts) if n), None)
    if first is None:
        return sets == 0
    if counts[first] >= 3:
        rest = list(counts)
        rest[first] -= 3
        if are_sets(rest, sets - 1):
            return True
    if first < 27 and first % 9 < 7 and counts[first + 1] and counts[first + 2]:
        for i in range(first, first + 3):
            counts[i] -= 1
        return are_sets(counts, sets - 1)
    return False


# --- lines in and out


def main():
    bot = Bot(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    for line in sys.stdin:
        if not line.strip():
            continue
        message = json.loads(line)
        events = message if isinstance(message, list) else [message]
        question = last = NONE
        for last in events:
            bot.take(last)
            if last["type"] not in BESIDE:
                question = last
        if last.get("can_act") is not False:
            print(json.dumps(bot.answer(question)), flush=True)  # unflushed, it would wait in a buffer


if __name__ == "__main__":
    main()
