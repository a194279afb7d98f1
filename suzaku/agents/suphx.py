"""The players of the papers: suphx, its oracle, and gao, with the rule-based winning model.

- Suphx's rule-based winning model (2.1): take every win, but none that ends the game with us in the last place.
- The `suphx` player: the decision flow of Fig. 1 with five trained models and the rule-based winning model.
- The `oracle` player, which cheats: its models see the other hands and the wall (Suphx 3.3). The arena alone seats it.
- Gao et al.'s player: four networks, every win, and closed kongs of tiles that no chow could use.
"""

import time

import numpy as np

from suzaku.agents.agent import wants_nine_kinds
from suzaku.agents.network import MELDS, NetworkAgent, Opinions, only_choice, open_choices, softmax, temper, temper_yes
from suzaku.features.oracle import encode_sparse
from suzaku.features.sets import feature_set
from suzaku.features.sparse import SparsePlanes
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.networks.run import Planes
from suzaku.networks.spec import GAO, SUPHX
from suzaku.riichi import actions as act
from suzaku.riichi.deal import in_melds
from suzaku.riichi.state import GAME_OVER, STATE, URA_INDICATORS
from suzaku.riichi.step import step
from suzaku.table.tables import take
from suzaku.tiles import DORA_OF, KIND_OF

WINS = (act.WIN_DRAW, act.WIN_DISCARD)


@kernel
def _cover_ura(s, w, action):
    """Overwrite the hidden indicators of w: the first shows the kind the winner has most of, the others nothing."""
    p = s.seat
    best, most = 0, -1
    blank, least = 0, 99
    for kind in range(34):
        dora = DORA_OF[kind]
        n = s.hand[p, dora] + in_melds(s, p, dora)
        if action == act.WIN_DISCARD and KIND_OF[s.offer] == dora:
            n += 1
        if n > most:
            best, most = kind, n
        if n < least:
            blank, least = kind, n
    for place in URA_INDICATORS:
        w.wall[place] = blank
    w.wall[URA_INDICATORS[0]] = best


@kernel
def ends_last(tables, s, action, work):
    """Whether a win by the asked seat would end the game with it fourth; `work` is a STATE array of one.

    Plays the win and looks at the ranks, without what the seat cannot see: answers of others, and hidden indicators.
    After riichi these might help, so a win is vain only if it is so with one that fits the hand best.
    """
    if s.round_no < s.rules.rounds - 1:
        return False
    work[0] = s
    w = work[0]
    w.auto = 0
    w.claim[:] = act.PASS
    w.queue[:] = -1
    _cover_ura(s, w, action)
    step(tables, w, action)
    return w.phase == GAME_OVER and w.ranks[s.seat] == 3


@kernel
def _decline_vain(tables, records, actions, work):
    """Replace wins that end the game in the last place by -1."""
    for i in range(len(actions)):
        if actions[i] >= 0 and ends_last(tables, records[i], actions[i], work):
            actions[i] = -1


def wanted_wins(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The win to declare on each table, or -1: int64[n]."""
    actions = np.full(len(records), -1, np.int64)
    for action in WINS:
        actions[legal[:, action]] = action
    _decline_vain(hand_tables(), records, actions, np.zeros(1, STATE))
    return actions


CLAIMS = {"chow": (act.CHOW_LOW, act.PONG), "pong": (act.PONG, act.OPEN_KONG), "kong": (act.OPEN_KONG, act.WIN_DRAW)}


class SuphxAgent(NetworkAgent):
    """The five models at a table."""

    name = "suphx"
    MODELS = SUPHX.models

    def opinions(self, records: np.ndarray, legal: np.ndarray) -> Opinions:
        """Wins and aborts by rule; every possible claim and kong, riichi and the discards by their models."""
        said = Opinions.none(len(records))
        said.force(wanted_wins(records, legal))
        said.force(np.where(wants_nine_kinds(records, legal), act.NINE_KINDS, -1))
        choices = open_choices(legal)
        said.force(only_choice(choices))
        rows, melds = np.nonzero(choices[:, MELDS] & said.open[:, None])
        if len(rows):  # all options of a table side by side: what they share is encoded once
            planes = self.encode("chow", take(records, rows), melds + MELDS.start)
            for model, (first, last) in CLAIMS.items():
                mine = (melds >= first - MELDS.start) & (melds < last - MELDS.start)
                if mine.any():
                    said.melds[rows[mine], melds[mine]] = self.yes(model, planes[mine])
        rows = np.flatnonzero(said.open & ~legal[:, act.PASS])
        if len(rows):
            planes = self.encode("discard", take(records, rows))
            self.ask_turn(rows, planes, records, choices, said)
        return said


# It goes through the same decision flow as `suphx`; models that see what their seat sees play beside those that see
# all.


class OracleAgent(SuphxAgent):
    """Five models at a table, of which at least one sees everything."""

    name = "oracle"
    FAMILIES = ("oracle", "suphx")

    def sees_all(self, model: str) -> bool:
        """Whether a model has the oracle channels."""
        return self.models[model].features.hidden > 0

    def encode(self, model: str, records: np.ndarray, claim: np.ndarray | None = None) -> Planes:
        """What the seat sees, and what it does not if a model needs it: claims share their planes, and own turns do."""
        began = time.perf_counter()
        planes = feature_set(SUPHX.models[model].features).encode_sparse(records, claim, self.lookahead)
        together = CLAIMS if model in CLAIMS else ("discard", "riichi")
        if any(self.sees_all(one) for one in together):
            planes = self.add_hidden(planes, records)
        self.seconds["features"] += time.perf_counter() - began
        return planes

    def add_hidden(self, planes: SparsePlanes, records: np.ndarray) -> SparsePlanes:
        """Put the perfect features behind the visible ones."""
        return planes.before(encode_sparse(records))

    def ask(self, model: str, planes: Planes) -> np.ndarray:
        """The logits of a model, which is shown no more than its own channels."""
        assert isinstance(planes, SparsePlanes)
        return super().ask(model, planes.first(self.models[model].features.channels))


CHOWS = slice(0, act.PONG - act.CHOW_LOW)  # among the melds
PONGS = slice(CHOWS.stop, act.OPEN_KONG - act.CHOW_LOW)


def isolated_kongs(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The closed kong of a tile without neighbours in the hand, or -1: int64[n]."""
    hands = records["hand"][np.arange(len(records)), records["seat"]].astype(bool)
    near = np.zeros_like(hands)
    for suit in range(3):
        held = np.pad(hands[:, 9 * suit : 9 * suit + 9], ((0, 0), (2, 2)))
        near[:, 9 * suit : 9 * suit + 9] = held[:, :9] | held[:, 1:10] | held[:, 3:12] | held[:, 4:]
    kongs = legal[:, act.CLOSED_KONG : act.ADDED_KONG] & ~near
    return np.where(kongs.any(1), act.CLOSED_KONG + kongs.argmax(1), -1)


class GaoAgent(NetworkAgent):
    """The four models at a table."""

    name = "gao"
    MODELS = GAO.models

    def opinions(self, records: np.ndarray, legal: np.ndarray) -> Opinions:
        """Win, else kong by rule, else what the networks say."""
        said = Opinions.none(len(records))
        for win in (act.WIN_DRAW, act.WIN_DISCARD):
            said.force(np.where(legal[:, win], win, -1))
        said.force(np.where(wants_nine_kinds(records, legal), act.NINE_KINDS, -1))
        said.force(isolated_kongs(records, legal))
        choices = open_choices(legal)
        choices[:, act.OPEN_KONG : act.WIN_DRAW] = False
        said.force(only_choice(choices))
        rows = np.flatnonzero(said.open)
        if len(rows):
            planes = self.encode("discard", take(records, rows))
            offered = choices[rows, act.PASS]
            self._ask_claims(rows[offered], planes[offered], choices, said)
            self.ask_turn(rows[~offered], planes[~offered], records, choices, said)
        return said

    def _ask_claims(self, rows: np.ndarray, planes: Planes, legal: np.ndarray, said: Opinions) -> None:
        """Ask about pongs and chows; a red five goes into the meld."""
        pong = legal[rows, act.PONG : act.OPEN_KONG].any(1)
        if pong.any():
            which = np.where(legal[rows[pong], act.PONG_RED], act.PONG_RED, act.PONG)
            said.melds[rows[pong], which - MELDS.start] = self.yes("pong", planes[pong])
        chow = legal[rows, act.CHOW_LOW : act.PONG].any(1)
        if chow.any():
            asked = rows[chow]
            plain, red = (legal[asked, first : first + 3] for first in (act.CHOW_LOW, act.CHOW_LOW + act.CHOW_RED))
            may = plain | red
            logits = self.ask("chow", planes[chow])
            logits[:, 1:][~may] = -np.inf
            which = np.arange(3) + np.where(red, act.CHOW_LOW + act.CHOW_RED, act.CHOW_LOW) - MELDS.start
            at, shape = np.nonzero(may)
            said.melds[asked[at], which[at, shape]] = softmax(logits)[at, 1 + shape]

    def take_melds(self, melds: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
        """One model for all chows and one for the pong: the surer of the two is heard first."""
        out = np.zeros_like(melds)
        said = np.nan_to_num(melds)
        pong = temper_yes(said[:, PONGS].max(1), temperature)
        which = PONGS.start + said[:, PONGS].argmax(1)
        none = np.maximum(0, 1 - said[:, CHOWS].sum(1, keepdims=True))  # rounding may leave less than nothing
        chows = temper(np.concatenate([none, said[:, CHOWS]], 1), temperature)
        pong_first = said[:, PONGS].max(1) >= said[:, CHOWS].max(1)
        out[:, CHOWS] = chows[:, 1:] * np.where(pong_first, 1 - pong, 1)[:, None]
        out[np.arange(len(out)), which] = pong * np.where(pong_first, 1, chows[:, 0])
        return out, (1 - pong) * chows[:, 0]
