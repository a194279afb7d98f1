"""The answer of an mjai player as an action of the table it is asked about, and what can be wrong with it."""

import msgspec
import numpy as np

from suzaku.records.formats import mjai_event as mj
from suzaku.records.melds import call_action
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.table import hand_tiles
from suzaku.tiles import KIND_OF, from_mjai, to_mjai

TIME_OUT, CRASH, NONSENSE, ILLEGAL = "time-out", "crash", "nonsense", "illegal"
LONGEST = 300  # letters of an answer that are shown


class FaultError(Exception):
    """What a program did wrong: the type, and the words for it."""

    def __init__(self, type_: str, text: str) -> None:
        super().__init__(text)
        self.type = type_


def read_answer(line: bytes, record: np.record, legal: np.ndarray) -> int:
    """The action that a line stands for; raises FaultError if it is no event of mjai, or none that is legal."""
    words = line.decode("utf-8", "replace").strip()[:LONGEST]
    try:
        event = mj.DECODER.decode(line)
    except msgspec.ValidationError as error:
        raise FaultError(NONSENSE, f"the answer is not an event of mjai ({error}): {words}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise FaultError(NONSENSE, f"the answer is not JSON: {words}") from None
    try:
        return answer_action(event, record, legal)
    except (ValueError, IndexError) as error:
        raise FaultError(ILLEGAL, f"{error}: {words}") from None


def answer_action(event: mj.Event, record: np.record, legal: np.ndarray) -> int:
    """The action that an answer stands for; raises ValueError if it is none that the asked seat may take."""
    action = _action(event, record, legal)
    if not 0 <= action < act.ACTIONS or not legal[action]:
        raise ValueError(_why_not(action, record))
    return action


def _action(event: mj.Event, s: np.record, legal: np.ndarray) -> int:
    own = getattr(event, "actor", None)
    if own is not None and own != s.seat:
        raise ValueError(f"the answer is one of player {own}, and player {int(s.seat)} is asked")
    match event:
        case mj.Nothing():
            return act.PASS
        case mj.Dahai(_, name, tsumogiri):
            tile = from_mjai(name)
            drawn = tile == s.drawn and s.phase != st.CALLED
            if tsumogiri and not drawn:
                raise ValueError(
                    f"{name} is not the drawn tile, which is {to_mjai(int(s.drawn)) if s.drawn >= 0 else 'none'}"
                )
            return act.DISCARD_DRAWN if drawn and (tsumogiri or not legal[tile]) else tile
        case mj.Reach():
            return act.RIICHI
        case mj.Chi() | mj.Pon() | mj.Daiminkan():
            tile = from_mjai(event.pai)
            if s.phase != st.CLAIM or tile != s.offer:
                raise ValueError(
                    f"{event.pai} is not on offer: {to_mjai(int(s.offer)) if s.phase == st.CLAIM else 'nothing'} is"
                )
            return call_action(tile, [from_mjai(name) for name in event.consumed])
        case mj.Ankan(_, consumed):
            return act.CLOSED_KONG + int(KIND_OF[from_mjai(consumed[0])])
        case mj.Kakan(_, name):
            return act.ADDED_KONG + int(KIND_OF[from_mjai(name)])
        case mj.Hora():
            return act.WIN_DISCARD if s.phase in (st.CLAIM, st.ROB) else act.WIN_DRAW
        case mj.Ryukyoku():
            return act.NINE_KINDS
    raise ValueError(
        f"the event {event.__struct_config__.tag} is not an answer: expected one such as dahai, pon or none"
    )


def _why_not(action: int, s: np.record) -> str:
    """Why an action is not legal, as far as it can be told from the type of decision and the hand."""
    claims = s.phase in (st.CLAIM, st.ROB)
    if action == act.PASS:
        return "the player cannot pass: it is its turn, and it must discard"
    if action <= act.DISCARD_DRAWN:
        if claims:
            return "the player is asked about another's tile, and cannot discard"
        if action != act.DISCARD_DRAWN and action not in hand_tiles(s, int(s.seat)):
            return "the hand does not hold this tile"
        if s.phase == st.RIICHI_DISCARD:
            return "after riichi is declared, the discard must leave the hand tenpai"
        if s.phase == st.CALLED:
            return "a tile that the call could have used may not be discarded (swap-calling)"
        if s.riichi[s.seat]:
            return "in riichi only the drawn tile can be discarded"
    if action == act.RIICHI:
        return "riichi needs a closed hand that a discard leaves tenpai, 1,000 points and enough tiles to draw"
    if action == act.WIN_DISCARD:
        return "this does not win: the hand is not complete with the tile, has no yaku, or is furiten"
    if action == act.WIN_DRAW:
        return "this does not win: the hand is not complete, or has no yaku"
    if action == act.NINE_KINDS:
        return "this needs nine kinds of terminals and honours at the first draw, before any call"
    if act.CHOW_LOW <= action < act.CLOSED_KONG and claims:
        return "the player may not make this call: the tiles are not in its hand, or it is not its to make"
    return "the answer is not legal here"
