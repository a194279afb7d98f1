"""The answer of an mjai player as an action of the table it is asked about."""

import numpy as np

from suzaku.records import mjai_event as mj
from suzaku.records.melds import call_action
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.tiles import KIND_OF, from_mjai


def answer_action(event: mj.Event, record: np.record, legal: np.ndarray) -> int:
    """The action that an answer stands for; raises ValueError if it is none that the asked seat may take."""
    action = _action(event, record, legal)
    if not 0 <= action < act.ACTIONS or not legal[action]:
        raise ValueError("the answer is not legal here")
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
                raise ValueError(f"{name} is not the drawn tile")
            return act.DISCARD_DRAWN if drawn and (tsumogiri or not legal[tile]) else tile
        case mj.Reach():
            return act.RIICHI
        case mj.Chi() | mj.Pon() | mj.Daiminkan():
            tile = from_mjai(event.pai)
            if s.phase != st.CLAIM or tile != s.offer:
                raise ValueError(f"{event.pai} is not on offer")
            return call_action(tile, [from_mjai(name) for name in event.consumed])
        case mj.Ankan(_, consumed):
            return act.CLOSED_KONG + int(KIND_OF[from_mjai(consumed[0])])
        case mj.Kakan(_, name):
            return act.ADDED_KONG + int(KIND_OF[from_mjai(name)])
        case mj.Hora():
            return act.WIN_DISCARD if s.phase in (st.CLAIM, st.ROB) else act.WIN_DRAW
        case mj.Ryukyoku():
            return act.NINE_KINDS
    raise ValueError(f"{type(event).__name__} is no answer")
