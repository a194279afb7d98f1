"""What a seat could do and what would come of it: the agent's opinion, shanten, probabilities to win, danger."""

from typing import Any

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.agents.short_name import short_name
from suzaku.hand.tables import tables as hand_tables
from suzaku.lookahead.graph import GRAPH, POINTS, WIN
from suzaku.lookahead.query import expect_many
from suzaku.records.melds import four_tiles, own_tiles, red_of
from suzaku.review.danger import danger
from suzaku.review.hand_info import hand_info, kinds_of, no_yaku, ukeire_of, unseen_by
from suzaku.review.opinion import declined, opinion
from suzaku.riichi import actions as act
from suzaku.riichi.hidden import hide
from suzaku.riichi.state import RIICHI_DISCARD, TURN
from suzaku.tiles import KIND_OF, NAMES
from suzaku.winning_scores.forecast import Chances, table_chances

__all__ = ["Looks", "hand_info", "hint"]
FAR = 8  # a shanten above this is none


def hint(agent: str, answers: Answers, record: np.ndarray, legal: np.ndarray, looked: dict[str, Any]) -> dict[str, Any]:
    """All that can be said of a decision: an agent's answers to a record (an array of one), and what `Looks` saw."""
    said = opinion(answers, 0, legal)
    return {"agent": short_name(agent), **said, **declined(record, legal, said), **looked}


class Looks:
    """Looks at decisions, one at a time: it keeps the memory that the look-ahead works in."""

    def __init__(self) -> None:
        self._graph = np.zeros(1, GRAPH)[0]

    def look(self, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
        """The hand's shanten, accepted tiles and probabilities by discard, the tiles of melds, the danger of each kind.

        One figure says how likely the hand wins. Of a closed hand that discards it is `win`, against others who win
        too. Of any other it is `win_alone`, if nobody else wins first; an opponent in riichi forbids that guess.
        """
        seat = int(record["seat"][0])
        seen = hide(record, seat)
        ukeire = ukeire_of(seen, seat)
        unseen = unseen_by(seen[0], seat)
        probabilities = np.full((1, 35, 3), np.nan)
        expect_many(hand_tables(), seen, np.array([seat]), POINTS, 1, self._graph, probabilities)
        alone = not np.delete(seen["riichi"][0], seat).any()
        declared = bool(record["phase"][0] == RIICHI_DISCARD)
        discards: dict[str, Any] = {}
        if record["phase"][0] <= RIICHI_DISCARD:
            chances = table_chances(seen[0], seat)
            for action in np.flatnonzero(legal[: act.DISCARD_DRAWN + 1]):
                tile = int(record["drawn"][0]) if action == act.DISCARD_DRAWN else int(action)
                kind = int(KIND_OF[tile])
                row = {"tile": NAMES[tile], **_row(ukeire, unseen, kind), **_points(probabilities[0, kind])}
                if kind in chances:
                    row.update(_against_others(chances[kind], declared))
                elif alone:
                    row.update(_alone(probabilities[0, kind]))
                if row["shanten"] == 0 and not declared:  # riichi is a yaku
                    row["no_yaku"] = no_yaku(seen[0], seat, kind, int(ukeire.accepts[kind]))
                discards[str(action)] = row
        now: dict[str, Any] = {"shanten": int(ukeire.shanten[34])}
        if record["phase"][0] > TURN and not discards:
            now = _row(ukeire, unseen, 34)
            if alone:
                now.update(_alone(probabilities[0, 34]))
        tiles = meld_tiles(record[0], legal)
        return {"seat": seat, "now": now, "discards": discards, "tiles": tiles, "danger": danger(record, seat)}


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


def _against_others(chances: Chances, declared: bool) -> dict[str, Any]:
    """The probabilities to win, and to win with at least 1, 2, 3, 4 han; with riichi where that wins more often."""
    han = chances.riichi if declared and chances.riichi is not None else chances.best
    return {"win": round(han[0], 4), "han": [round(p, 4) for p in han], "riichi": han is chances.riichi}


def _alone(probabilities: np.ndarray) -> dict[str, float]:
    """The probability to win if nobody else wins first, where it was worked out."""
    win = float(probabilities[WIN])
    return {} if np.isnan(win) else {"win_alone": round(win, 4)}


def _points(probabilities: np.ndarray) -> dict[str, int]:
    """The points that a win brings on average."""
    win, points = probabilities[WIN], probabilities[POINTS]
    return {"points": round(float(points / win))} if win > 0 else {}


def _row(ukeire: np.record, unseen: np.ndarray, row: int) -> dict[str, Any]:
    shanten = int(ukeire.shanten[row])
    return {
        "shanten": shanten if shanten <= FAR else None,
        "accepts": {NAMES[kind]: int(unseen[kind]) for kind in kinds_of(ukeire.accepts[row])},
        "unseen": int(ukeire.unseen[row]),
    }
