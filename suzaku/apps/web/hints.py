"""What a seat could do and what would come of it: the agent's opinion, shanten, chances to win, danger."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.apps.web.own import kinds_of, ukeire_of, unseen_by
from suzaku.apps.web.thinker import Thinker
from suzaku.hand.tables import tables as hand_tables
from suzaku.lookahead.graph import GRAPH, POINTS, TENPAI, WIN
from suzaku.lookahead.question import expect_many
from suzaku.lookahead.safety import SAFETY, safety_many
from suzaku.riichi import actions as act
from suzaku.riichi.hidden import hide, resample_hidden
from suzaku.riichi.state import RIICHI_DISCARD, TURN
from suzaku.tiles import KIND_OF, NAMES

SAMPLES = 400  # deals of the hidden tiles behind a danger figure
FAR = 8  # a shanten above this is none


def opinion(answers: Answers, row: int, legal: np.ndarray) -> dict[str, Any]:
    """The agent's choice, and what it thinks of each action if it says so."""
    found: dict[str, Any] = {"best": int(answers.actions[row])}
    if answers.ratings is not None:
        scores = {str(a): round(float(answers.ratings[row, a]), 4) for a in np.flatnonzero(legal)}
        found["scores"] = {a: score for a, score in scores.items() if score == score}
    return found


def danger(record: np.ndarray, seat: int) -> list[dict[str, Any]]:
    """For each opponent in turn order: what is known to be safe, and how often random hands wait for each kind."""
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
        marks = {name: int(safety[0, i][name]) for name in ("genbutsu", "suji", "half_suji", "no_two_sided")}
        kinds = {}
        for kind in range(34):
            known = next((name for name, mask in marks.items() if mask >> kind & 1), "")
            bit = (waits >> np.uint64(kind)) & np.uint64(1) != 0
            chance = 0.0 if known == "genbutsu" else float((bit & ~furiten).mean())
            kinds[NAMES[kind]] = [round(chance, 4), known]
        found.append({"seat": q, "riichi": bool(record["riichi"][0, q]), "kinds": kinds})
    return found


class Hints:
    """Works hints out, beside the agents' thread, one at a time."""

    def __init__(self, thinker: Thinker) -> None:
        self.thinker = thinker
        self._pool = ThreadPoolExecutor(1, "hints")
        self._graph = np.zeros(1, GRAPH)[0]

    async def work_out(self, adviser: str, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
        """All that can be said of a decision: a table record (an array of one) and what is legal (bool[1, 120])."""
        answers = await self.thinker.ask(await asyncio.to_thread(self.thinker.agent, adviser), record, legal)
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._pool, self.look, record, legal[0])
        return {"agent": adviser, **opinion(answers, 0, legal[0]), **found}

    def look(self, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
        """The hand's shanten, accepted tiles and chances by discard, and the danger of each kind."""
        seat = int(record["seat"][0])
        seen = hide(record, seat)
        ukeire = ukeire_of(seen, seat)
        unseen = unseen_by(seen[0], seat)
        chances = np.full((1, 35, 3), np.nan)
        expect_many(hand_tables(), seen, np.array([seat]), POINTS, 1, self._graph, chances)
        discards: dict[str, Any] = {}
        if record["phase"][0] <= RIICHI_DISCARD:
            for action in np.flatnonzero(legal[: act.DISCARD_DRAWN + 1]):
                tile = int(record["drawn"][0]) if action == act.DISCARD_DRAWN else int(action)
                kind = int(KIND_OF[tile])
                discards[str(action)] = {"tile": NAMES[tile], **_row(ukeire, unseen, chances[0], kind)}
        now = {"shanten": int(ukeire.shanten[34])}
        if record["phase"][0] > TURN and not discards:
            now = _row(ukeire, unseen, chances[0], 34)
        return {"seat": seat, "now": now, "discards": discards, "danger": danger(record, seat)}

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _row(ukeire: np.record, unseen: np.ndarray, chances: np.ndarray, row: int) -> dict[str, Any]:
    shanten = int(ukeire.shanten[row])
    found: dict[str, Any] = {
        "shanten": shanten if shanten <= FAR else None,
        "accepts": {NAMES[kind]: int(unseen[kind]) for kind in kinds_of(ukeire.accepts[row])},
        "unseen": int(ukeire.unseen[row]),
    }
    if not np.isnan(chances[row, WIN]):
        names = (("tenpai", TENPAI, 4), ("win", WIN, 4), ("points", POINTS, 0))
        found.update({name: round(float(chances[row, at]), digits) for name, at, digits in names})
    return found
