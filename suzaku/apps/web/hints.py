"""What a seat could do and what would come of it: the agent's opinion, shanten, probabilities to win, danger."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.agents.short_name import short_name
from suzaku.agents.winning import WINS, wanted_wins
from suzaku.apps.web.hand_info import kinds_of, no_yaku, ukeire_of, unseen_by
from suzaku.apps.web.inference import Inference
from suzaku.hand.tables import tables as hand_tables
from suzaku.lookahead.graph import GRAPH, POINTS, TENPAI, WIN
from suzaku.lookahead.query import expect_many
from suzaku.lookahead.safety import SAFETY, safety_many
from suzaku.records.melds import four_tiles, own_tiles, red_of
from suzaku.riichi import actions as act
from suzaku.riichi.hidden import hide, resample_hidden
from suzaku.riichi.state import RIICHI_DISCARD, TURN
from suzaku.tiles import KIND_OF, NAMES

SAMPLES = 400  # deals of the hidden tiles behind a danger figure
ENOUGH = 40  # of them in which a seat waits, for the figure to say something
FAR = 8  # a shanten above this is none


def opinion(answers: Answers, row: int, legal: np.ndarray) -> dict[str, Any]:
    """The agent's choice, and the probability (`policy`) or the worth (`values`) of each action if it tells them."""
    found: dict[str, Any] = {"best": int(answers.actions[row])}
    if answers.ratings is not None:
        ratings = {str(a): round(float(answers.ratings[row, a]), 4) for a in np.flatnonzero(legal)}
        name = "values" if answers.policy is None else "policy"
        found[name] = {a: rating for a, rating in ratings.items() if rating == rating}
    return found


def declined(record: np.ndarray, legal: np.ndarray, found: dict[str, Any]) -> dict[str, Any]:
    """The win that an agent lets pass, and why; the win stays among its opinions."""
    wins = [action for action in WINS if legal[action]]
    if not wins or found["best"] in wins:
        return {}
    for name in ("policy", "values"):
        if name in found:
            found[name].setdefault(str(wins[0]), 0.0)
    vain = wanted_wins(record, legal.reshape(1, -1))[0] < 0
    return {"declined": {"action": wins[0], "why": "ends_fourth" if vain else "other"}}


def meld_tiles(record: np.record, legal: np.ndarray) -> dict[str, list[str]]:
    """The own tiles that go into each meld that could be made."""
    found = {}
    for action in np.flatnonzero(legal[act.CHOW_LOW : act.WIN_DRAW]) + act.CHOW_LOW:
        if action <= act.OPEN_KONG:
            tiles = own_tiles(int(action), int(record.offer))
        elif action < act.ADDED_KONG:
            tiles = four_tiles(int(action) - act.CLOSED_KONG)
        else:
            kind = int(action) - act.ADDED_KONG
            red = kind < 27 and kind % 9 == 4 and record.red[record.seat, kind // 9] > 0
            tiles = [red_of(kind) if red else kind]
        if not record.rules.red_fives:
            tiles = [int(KIND_OF[tile]) for tile in tiles]
        found[str(action)] = [NAMES[tile] for tile in tiles]
    return found


def danger(record: np.ndarray, seat: int) -> list[dict[str, Any]]:
    """For each opponent in turn order: what is known to be safe, and how often random hands wait for each kind.

    Where hardly any random hand waits at all, as without riichi, they tell nothing: the figure is None.
    """
    hidden = hide(record, seat)
    safety = np.zeros((1, 3), SAFETY)
    safety_many(hidden, np.array([seat]), safety)
    copies = record.repeat(SAMPLES)
    resample_hidden(copies, seat, int(record["discards"][0]))
    found = []
    for i in range(3):
        q = (seat + 1 + i) % 4
        waits = copies["waits"][:, q]
        furiten = (waits & copies["discarded"][:, q]) != 0
        told = int((waits != 0).sum()) >= ENOUGH
        marks = {name: int(safety[0, i][name]) for name in ("genbutsu", "suji", "half_suji", "no_two_sided")}
        kinds = {}
        for kind in range(34):
            known = next((name for name, mask in marks.items() if mask >> kind & 1), "")
            bit = (waits >> np.uint64(kind)) & np.uint64(1) != 0
            probability = round(float((bit & ~furiten).mean()), 4) if told else None
            kinds[NAMES[kind]] = [0.0 if known == "genbutsu" else probability, known]
        found.append({"seat": q, "riichi": bool(record["riichi"][0, q]), "kinds": kinds})
    return found


class Hints:
    """Works hints out, beside the agents' thread, one at a time."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self._pool = ThreadPoolExecutor(1, "hints")
        self._graph = np.zeros(1, GRAPH)[0]

    async def work_out(self, adviser: str, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
        """All that can be said of a decision: a table record (an array of one) and what is legal (bool[1, 120])."""
        answers = await self.inference.ask(await asyncio.to_thread(self.inference.agent, adviser), record, legal)
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._pool, self.look, record, legal[0])
        said = opinion(answers, 0, legal[0])
        return {"agent": short_name(adviser), **said, **declined(record, legal[0], said), **found}

    def look(self, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
        """The hand's shanten, accepted tiles and probabilities by discard, the tiles of melds, the danger of each kind.

        Probabilities to win are those of the hand by itself, if nobody else wins first.
        """
        seat = int(record["seat"][0])
        seen = hide(record, seat)
        ukeire = ukeire_of(seen, seat)
        unseen = unseen_by(seen[0], seat)
        probabilities = np.full((1, 35, 3), np.nan)
        expect_many(hand_tables(), seen, np.array([seat]), POINTS, 1, self._graph, probabilities)
        discards: dict[str, Any] = {}
        if record["phase"][0] <= RIICHI_DISCARD:
            for action in np.flatnonzero(legal[: act.DISCARD_DRAWN + 1]):
                tile = int(record["drawn"][0]) if action == act.DISCARD_DRAWN else int(action)
                kind = int(KIND_OF[tile])
                row = {"tile": NAMES[tile], **_row(ukeire, unseen, probabilities[0], kind)}
                if row["shanten"] == 0:
                    row["no_yaku"] = no_yaku(seen[0], seat, kind, int(ukeire.accepts[kind]))
                discards[str(action)] = row
        now = {"shanten": int(ukeire.shanten[34])}
        if record["phase"][0] > TURN and not discards:
            now = _row(ukeire, unseen, probabilities[0], 34)
        tiles = meld_tiles(record[0], legal)
        return {"seat": seat, "now": now, "discards": discards, "tiles": tiles, "danger": danger(record, seat)}

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _row(ukeire: np.record, unseen: np.ndarray, probabilities: np.ndarray, row: int) -> dict[str, Any]:
    shanten = int(ukeire.shanten[row])
    found: dict[str, Any] = {
        "shanten": shanten if shanten <= FAR else None,
        "accepts": {NAMES[kind]: int(unseen[kind]) for kind in kinds_of(ukeire.accepts[row])},
        "unseen": int(ukeire.unseen[row]),
    }
    if not np.isnan(probabilities[row, WIN]):
        names = (("tenpai", TENPAI, 4), ("win", WIN, 4), ("points", POINTS, 0))
        found.update({name: round(float(probabilities[row, at]), digits) for name, at, digits in names})
    return found
