"""What a seat could do and what would come of it: the agent's opinion, probabilities, danger.

- How dangerous each kind of tile is to throw, opponent by opponent.
- What a seat can work out about its own hand: shanten, waits, furiten, and the waits after each discard.
- What a seat could do and what would come of it: the agent's opinion, shanten, probabilities to win, danger.
"""

from typing import Any

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.agents.heuristic.danger import OPPONENT, fill_danger
from suzaku.agents.make import short_name
from suzaku.hand.tables import tables as hand_tables
from suzaku.lookahead.graph import GRAPH, POINTS, WIN
from suzaku.lookahead.payoff import yaku_waits
from suzaku.lookahead.safety import SAFETY, furiten_of, safety_many
from suzaku.lookahead.search import expect_many
from suzaku.lookahead.ukeire import UKEIRE, ukeire_many
from suzaku.records.types import four_tiles, own_tiles, red_of
from suzaku.review.opinion import declined, opinion
from suzaku.riichi import actions as act
from suzaku.riichi.redraw import fill_dora, fill_unseen, hide
from suzaku.riichi.state import RIICHI_DISCARD, TURN
from suzaku.riichi.table import Table
from suzaku.tiles import KIND_OF, KINDS, NAMES
from suzaku.winning_scores.forecast import Chances, table_chances

MARKS = ("genbutsu", "suji", "half_suji", "no_two_sided")  # the first that holds is told


def danger(record: np.ndarray, seat: int) -> list[dict[str, Any]]:
    """For each opponent in turn order: how likely each kind deals in by `heuristic`'s model, and what is known of it.

    The model was fitted to games of strong players: it reads rivers and melds, and covers hands without riichi too.
    """
    hidden = hide(record, seat)
    safety = np.zeros((1, 3), SAFETY)
    safety_many(hidden, np.array([seat]), safety)
    unseen, dora = np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64)
    fill_unseen(hidden[0], seat, unseen)
    fill_dora(hidden[0], dora)
    opponent = np.zeros(1, OPPONENT)[0]
    found = []
    for i in range(3):
        q = (seat + 1 + i) % 4
        fill_danger(hidden[0], q, unseen, dora, opponent)
        kinds = {}
        for kind in range(KINDS):
            known = next((name for name in MARKS if int(safety[0, i][name]) >> kind & 1), "")
            kinds[NAMES[kind]] = [round(float(opponent.probability[kind]), 4), known]
        found.append({"seat": q, "riichi": bool(record["riichi"][0, q]), "kinds": kinds})
    return found


def unseen_by(record: np.record, seat: int) -> np.ndarray:
    """How many tiles of each kind a seat cannot see."""
    unseen = np.zeros(34, np.int8)
    fill_unseen(record, seat, unseen)
    return unseen


def ukeire_of(array: np.ndarray, seat: int) -> np.record:
    """Shanten and accepted tiles of a seat, from a record (an array of one) with what it sees."""
    found = np.zeros(1, UKEIRE)
    ukeire_many(hand_tables(), array, np.array([seat]), found)
    return found[0]


def kinds_of(mask: int) -> list[int]:
    """The kinds of a mask."""
    return [kind for kind in range(34) if int(mask) >> kind & 1]


def no_yaku(record: np.record, seat: int, thrown: int, waits: int) -> dict[str, list[str]]:
    """The waits after throwing a kind (-1: none) that do not win for want of a yaku, and how: by ron, or by both."""
    if not waits:
        return {}  # the usual case: calling a kernel with a table record costs more than it does
    on_discard, by_draw = yaku_waits(hand_tables(), record, seat, thrown, np.uint64(waits))
    found = {}
    for kind in kinds_of(waits):
        ways = [name for name, mask in (("ron", on_discard), ("tsumo", by_draw)) if not int(mask) >> kind & 1]
        if ways:
            found[NAMES[kind]] = ways
    return found


def hand_info(table: Table, seat: int, legal: list[int]) -> dict[str, Any]:
    """Shanten, waits and furiten now, and the waits that each legal discard leaves."""
    array = hide(table.record.reshape(1), seat)
    record = array[0]
    found = ukeire_of(array, seat)
    unseen = unseen_by(record, seat)

    def left(mask: int) -> dict[str, int]:
        return {NAMES[kind]: int(unseen[kind]) for kind in kinds_of(mask)}

    discards = {}
    for action in legal:
        if action <= act.DISCARD_DRAWN:
            tile = int(record.drawn) if action == act.DISCARD_DRAWN else action
            kind = int(KIND_OF[tile])
            if found.shanten[kind] == 0:
                waits = int(found.accepts[kind])
                furiten = bool(waits & (int(record.discarded[seat]) | 1 << kind)) or int(record.missed[seat]) == 2
                lacking = no_yaku(record, seat, kind, waits)
                discards[str(action)] = {"waits": left(waits), "furiten": furiten, "no_yaku": lacking}
    drawn = int(KIND_OF[record.drawn]) if record.turn == seat and record.drawn >= 0 else -1
    at_rest = drawn >= 0 or int(record.hand[seat].sum()) % 3 == 1  # otherwise a call has left no hand to be tenpai
    return {
        "shanten": int(found.shanten[34]),
        "waits": left(int(record.waits[seat])),
        "furiten": bool(record.waits[seat] and furiten_of(record, seat)),
        "no_yaku": no_yaku(record, seat, drawn, int(record.waits[seat])) if at_rest else {},
        "discards": discards,
    }


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


def warm_up() -> None:
    """Probabilities and danger."""
    table = Table()
    Looks().look(table.record.reshape(1), table.legal_mask())
    hand_info(table, 0, [])
    no_yaku(table.record, 0, 0, 1)
