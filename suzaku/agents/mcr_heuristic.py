"""The rule-based players of MCR: heuristic, which follows the plans of the look-ahead, and shanten.

- The numbers that the player's judgement hangs on, tuned by play against itself.
- What a discard risks: rough, from what lies open.
- The simplest player of MCR with an aim: towards a complete hand, concealed, and a win when it makes the minimum.
- The decisions: a discard, a kong, a claim. Each is what the look-ahead expects of the hand afterwards.
- The `heuristic` player of MCR: plans to the table's minimum, their probabilities and worth; no network.
"""

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr.actions import ACTIONS
from suzaku.mcr.plans import SEARCH
from suzaku.mcr.redraw import count_seen
from suzaku.mcr.search import search_plans
from suzaku.mcr.shanten import shanten
from suzaku.mcr.state import ADDED_KONG, CALLED, CHOW, CLOSED_KONG, OPEN_KONG, PONG, TURN
from suzaku.mcr.ways import chow_tiles, fill_seat, move_to_meld

COEFFICIENTS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hazard", "f8"),  # how likely another seat ends the hand between two own draws
                ("claims", "f8"),  # how often an opponent discards an unseen tile, against drawing it
                ("claim_gain", "f8"),  # what a hand expects counts so much more without a claim
                ("loss", "f8"),  # what dealing in costs beyond what everyone pays
                ("most", "f8"),  # points of an ordinary win: where what a hand expects levels off
            ],
            align=True,
        ),
    )
)
USUAL = {"hazard": 0.12, "claims": 0.35, "claim_gain": 1.05, "loss": 12.0, "most": 45.0}


def coefficients(**changed: float) -> np.record:
    """The usual numbers, some of them changed."""
    record = np.zeros(1, COEFFICIENTS)[0]
    for name, value in {**USUAL, **changed}.items():
        record[name] = value
    return record


HIT = 0.055  # how likely a middle tile of which all others are unseen hits a ready hand


@kernel
def readiness(s, p):
    """How many opponents are probably ready, from their melds and the length of the hand."""
    total = 0.0
    for other in range(4):
        if other == p:
            continue
        shown = 0
        for i in range(s.melds[other]):
            shown += s.meld_type[other, i] != CLOSED_KONG
        turn = s.river_size[other]
        ready = 0.02 * turn + (0.0, 0.06, 0.2, 0.45, 0.8)[shown]
        total += min(0.9, max(0.0, ready - 0.1))
    return total


@kernel
def danger(s, p, kind, unseen, loss):
    """The points that discarding a kind costs on average; `unseen` tiles of it are left."""
    for other in range(4):  # what was thrown since the own last discard and passed is safe for the moment
        if other != p and s.river_size[other] > 0 and s.river[other, s.river_size[other] - 1] == kind:
            return 0.0
    hit = HIT * (0.25 + 0.25 * unseen)
    if kind >= 27:
        hit *= 0.7 if unseen > 1 else 0.3
    elif kind % 9 == 0 or kind % 9 == 8:
        hit *= 0.8
    return readiness(s, p) * hit * loss


class ShantenAgent(Agent):
    """Wins when it can, claims nothing else, and throws what leaves most unseen tiles that bring it nearer."""

    name = "shanten"
    game = "mcr"

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The action nearest to a complete hand."""
        actions = np.empty(len(records), np.int64)
        _choose_many(hand_tables(), records, legal, actions)
        return Answers(actions)


@kernel
def choose(tables, s, legal):
    """The action of the asked seat, one of the legal ones."""
    if legal[act.WIN]:
        return act.WIN
    if legal[act.PASS]:
        return act.PASS
    p = s.seat
    hand = s.hand[p].copy()
    melds = s.melds[p]
    seen = np.zeros(34, np.uint8)
    count_seen(s, p, seen)
    nearest = 99
    for kind in range(34):
        if legal[kind]:
            hand[kind] -= 1
            nearest = min(nearest, shanten(tables, hand, melds))
            hand[kind] += 1
    best, most = -1, -1
    for kind in range(34):
        if not legal[kind]:
            continue
        hand[kind] -= 1
        if shanten(tables, hand, melds) == nearest:
            useful = _useful(tables, hand, melds, seen, nearest)
            if useful > most:
                best, most = kind, useful
        hand[kind] += 1
    return best


@kernel
def _useful(tables, hand, melds, seen, now):
    """Unseen tiles that lower the shanten of a hand."""
    tiles = 0
    for kind in range(34):
        if seen[kind] < 4:
            hand[kind] += 1
            if shanten(tables, hand, melds) < now:
                tiles += 4 - seen[kind]
            hand[kind] -= 1
    return tiles


@kernel
def _choose_many(tables, records, legal, out):
    for i in range(records.shape[0]):
        out[i] = choose(tables, records[i], legal[i])


@kernel
def expected(c, value):
    """The points that a sum over targets stands for: they are rare events, and one win is all there is."""
    return c.most * (1.0 - np.exp(-value / c.most))


@kernel
def _best_discard(s, p, c, q, values):
    """The discard that leaves most, less its danger; -1 if no target is in reach."""
    best, most, found = -1, -1e9, False
    for kind in range(34):
        if q.hand[kind] == 0:
            continue
        found |= q.value[kind] > 0.0
        worth = expected(c, q.value[kind]) - danger(s, p, kind, q.unseen[kind], c.loss)
        values[kind] = worth
        if worth > most:
            best, most = kind, worth
    return best if found else -1


@kernel
def choose_turn(tables, s, legal, c, q, values):
    """Win, make a kong, or discard."""
    if legal[act.WIN]:
        return act.WIN
    p = s.seat
    fill_seat(s, p, c.hazard, c.claims, q)
    search_plans(tables, q)
    best = _best_discard(s, p, c, q, values)
    if best < 0:
        values[:] = np.nan  # by shape, and not by worth
        return choose(tables, s, legal)
    most = values[best]
    if s.phase == TURN:
        for kind in range(34):
            if legal[act.CLOSED_KONG + kind]:
                fill_seat(s, p, c.hazard, c.claims, q)
                move_to_meld(q, CLOSED_KONG, kind, 4, kind, -1)
                search_plans(tables, q)
                values[act.CLOSED_KONG + kind] = expected(c, q.total)
                if expected(c, q.total) > most:
                    best, most = act.CLOSED_KONG + kind, expected(c, q.total)
            if legal[act.ADDED_KONG + kind]:
                fill_seat(s, p, c.hazard, c.claims, q)
                q.hand[kind] -= 1
                for i in range(q.melds):
                    if q.meld_type[i] == PONG and q.meld_kind[i] == kind:
                        q.meld_type[i] = ADDED_KONG
                search_plans(tables, q)
                values[act.ADDED_KONG + kind] = expected(c, q.total)
                if expected(c, q.total) > most:
                    best, most = act.ADDED_KONG + kind, expected(c, q.total)
    return best


@kernel
def _after_discard(q):
    """What the best discard after a claim leaves."""
    most = 0.0
    for kind in range(34):
        if q.hand[kind] > 0:
            most = max(most, q.value[kind])
    return most


@kernel
def choose_claim(tables, s, legal, c, q, values):
    """Win, claim, or pass."""
    if legal[act.WIN]:
        return act.WIN
    p, offer = np.int64(s.seat), np.int64(s.offer)
    fill_seat(s, p, c.hazard, c.claims, q)
    search_plans(tables, q)
    best, most = act.PASS, c.claim_gain * expected(c, q.total)
    values[act.PASS] = most
    for action in range(act.CHOW_LOW, act.OPEN_KONG + 1):
        if not legal[action]:
            continue
        fill_seat(s, p, c.hazard, c.claims, q)
        if action == act.OPEN_KONG:
            move_to_meld(q, OPEN_KONG, offer, 3, offer, -1)
        elif action == act.PONG:
            move_to_meld(q, PONG, offer, 2, offer, -1)
        else:
            low, a, b = chow_tiles(offer, action - act.CHOW_LOW)
            move_to_meld(q, CHOW, low, 1, a, b)
        search_plans(tables, q)
        worth = expected(c, q.total if action == act.OPEN_KONG else _after_discard(q))
        values[action] = worth
        if worth > most:
            best, most = action, worth
    return best


@kernel
def choose_many(tables, records, legal, c, q, actions, values):
    """Answer for the asked seat of each table."""
    for i in range(records.shape[0]):
        if records[i].phase == TURN or records[i].phase == CALLED:
            actions[i] = choose_turn(tables, records[i], legal[i], c, q, values[i])
        else:
            actions[i] = choose_claim(tables, records[i], legal[i], c, q, values[i])


class HeuristicAgent(Agent):
    """Follows the plans that promise most, claims when they gain, and avoids what ready opponents may win on."""

    name = "heuristic"
    game = "mcr"

    def __init__(self, **changed: float) -> None:
        self.coefficients = coefficients(**changed)
        self._query = np.zeros(1, SEARCH)[0]

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The action that promises most; values are shares of the points of an ordinary win."""
        actions = np.empty(len(records), np.int64)
        values = np.full((len(records), ACTIONS), np.nan, np.float32)
        choose_many(hand_tables(), records, legal, self.coefficients, self._query, actions, values)
        return Answers(actions, values=np.clip(values / self.coefficients["most"], 0.0, 1.0))
