"""The mcr player: the three networks of the paper, every win, and kongs by logic.

- What the MCR paper leaves to logic: kongs, and which of several chows is made once its model says yes.
- The `mcr` player: the three networks of the paper, every win, and kongs by logic.
"""

import numpy as np

from suzaku.agents.network import Layout, NetworkAgent, Opinions, only_choice
from suzaku.features.mcr_claims import fill_claim
from suzaku.features.mcr_planes import CLAIMS, HAZARD
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr.plans import SEARCH
from suzaku.mcr.search import search_plans
from suzaku.mcr.state import ADDED_KONG, CLOSED_KONG, OPEN_KONG, PONG
from suzaku.mcr.ways import fill_seat, move_to_meld
from suzaku.networks.spec import MCR_PLAN
from suzaku.table.tables import take


@kernel
def _distance(tables, s, p, action, q):
    """The win distance of seat p to a hand of the minimum after a kong, or as it is (-1)."""
    fill_seat(s, p, HAZARD, CLAIMS, q)
    q.slack = 0
    if action == act.OPEN_KONG:
        move_to_meld(q, OPEN_KONG, np.int64(s.offer), 3, np.int64(s.offer), -1)
    elif action >= act.ADDED_KONG:
        kind = action - act.ADDED_KONG
        q.hand[kind] -= 1
        for i in range(q.melds):
            if q.meld_type[i] == PONG and q.meld_kind[i] == kind:
                q.meld_type[i] = ADDED_KONG
    elif action >= 0:
        move_to_meld(q, CLOSED_KONG, action - act.CLOSED_KONG, 4, action - act.CLOSED_KONG, -1)
    return search_plans(tables, q)


@kernel
def choose_kong(tables, s, legal, q):
    """The first legal kong that leaves the hand of the asked seat as near to a win as it is, or -1."""
    before = -1
    for action in range(act.OPEN_KONG, act.WIN):
        if not legal[action]:
            continue
        if before < 0:
            before = _distance(tables, s, s.seat, -1, q)
        if _distance(tables, s, s.seat, action, q) <= before:
            return action
    return -1


@kernel
def choose_chow(tables, s, legal, q):
    """The legal chow after which the hand is nearest to a win, of several the most promising; or -1."""
    best, nearest, most = -1, 99, -1.0
    for action in range(act.CHOW_LOW, act.PONG):
        if not legal[action]:
            continue
        fill_claim(s, s.seat, action, q)
        distance = search_plans(tables, q)
        if distance < nearest or (distance == nearest and q.total > most):
            best, nearest, most = action, distance, q.total
    return best


@kernel
def _kongs(tables, records, legal, q, out):
    for i in range(records.shape[0]):
        out[i] = choose_kong(tables, records[i], legal[i], q)


@kernel
def _chows(tables, records, legal, q, out):
    for i in range(records.shape[0]):
        out[i] = choose_chow(tables, records[i], legal[i], q)


def wanted_kongs(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The kong that each hand makes, or -1: int64[n]."""
    out = np.empty(len(records), np.int64)
    _kongs(hand_tables(), records, legal, np.zeros(1, SEARCH)[0], out)
    return out


def best_chows(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The chow that each hand would make: int64[n]."""
    out = legal[:, act.CHOW_LOW : act.PONG].argmax(1) + act.CHOW_LOW
    several = np.flatnonzero(legal[:, act.CHOW_LOW : act.PONG].sum(1) > 1)
    if len(several):
        found = np.empty(len(several), np.int64)
        _chows(hand_tables(), records[several], legal[several], np.zeros(1, SEARCH)[0], found)
        out[several] = found
    return out


LAYOUT = Layout(act.ACTIONS, slice(act.CHOW_LOW, act.WIN), act.PASS)
CLAIM_ACTIONS = {"chow": (act.CHOW_LOW, act.PONG), "pong": (act.PONG, act.OPEN_KONG)}


class McrAgent(NetworkAgent):
    """The three models at a table; each sees what its own network does."""

    name = "mcr"
    game = "mcr"
    MODELS = MCR_PLAN.models

    def opinions(self, records: np.ndarray, legal: np.ndarray) -> Opinions:
        """Wins and kongs by rule, pongs, chows and discards by their models."""
        said = Opinions.none(len(records), LAYOUT)
        said.force(np.where(legal[:, act.WIN], act.WIN, -1))
        rows = np.flatnonzero(said.open & legal[:, act.OPEN_KONG : act.WIN].any(1))
        if len(rows):
            said.forced[rows] = wanted_kongs(take(records, rows), legal[rows])
        choices = legal.copy()
        choices[:, act.WIN] = False
        choices[:, act.OPEN_KONG : act.WIN] = False
        said.force(only_choice(choices))
        for model in CLAIM_ACTIONS:
            self._ask_claims(model, records, choices, said)
        rows = np.flatnonzero(said.open & ~legal[:, act.PASS])
        if len(rows):
            kinds = choices[rows, : act.CHOW_LOW]
            said.throw[rows] = np.where(kinds, np.arange(act.CHOW_LOW), -1)
            logits = self.ask("discard", self.encode("discard", take(records, rows)))
            said.discards[rows] = np.where(kinds, logits, -np.inf)
        return said

    def _ask_claims(self, model: str, records: np.ndarray, choices: np.ndarray, said: Opinions) -> None:
        """Ask a model that is told of a meld about each; any other once, and logic says which meld it is."""
        first, last = CLAIM_ACTIONS[model]
        may = choices[:, first:last] & said.open[:, None]
        if self.models[model].features.claim:
            rows, melds = np.nonzero(may)
            melds = melds + first
        else:
            rows = np.flatnonzero(may.any(1))
            melds = best_chows(take(records, rows), choices[rows]) if model == "chow" else np.full(len(rows), act.PONG)
        if len(rows):
            planes = self.encode(model, take(records, rows), melds)  # those that are not told of it leave it unread
            said.melds[rows, melds - LAYOUT.melds.start] = self.yes(model, planes)
