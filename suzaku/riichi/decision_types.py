"""Types of decisions: what was being asked, whatever the answer."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi import actions as act

DISCARD, RIICHI, CHOW, PONG, KONG, WIN, NINE_KINDS = (1 << i for i in range(7))
DECISION_TYPES = {
    "discard": DISCARD,  # a tile was discarded, and there was a choice
    "riichi": RIICHI,  # riichi was possible
    "chow": CHOW,  # a chow was possible ...
    "pong": PONG,
    "kong": KONG,  # open, closed or added
    "win": WIN,
    "nine_kinds": NINE_KINDS,
}
ALL = (1 << len(DECISION_TYPES)) - 1
FORCED = 1 << len(DECISION_TYPES)  # no decision at all: there was no choice


@kernel
def types_of(legal, action):
    """The types that a question with these legal actions belongs to, given the answer; FORCED without a choice."""
    types = 0
    discards = 0
    for a in range(act.DISCARD_DRAWN + 1):
        discards += legal[a]
    if action <= act.DISCARD_DRAWN and discards > 1:
        types |= DISCARD
    if legal[act.RIICHI]:
        types |= RIICHI
    for a in range(act.CHOW_LOW, act.PONG):
        if legal[a]:
            types |= CHOW
    if legal[act.PONG] or legal[act.PONG_RED]:
        types |= PONG
    for a in range(act.OPEN_KONG, act.WIN_DRAW):
        if legal[a]:
            types |= KONG
    if legal[act.WIN_DRAW] or legal[act.WIN_DISCARD]:
        types |= WIN
    if legal[act.NINE_KINDS]:
        types |= NINE_KINDS
    return types if types else FORCED


def same_tile(records: np.ndarray, actions: np.ndarray | int) -> np.ndarray:
    """Actions with the drawn tile named: throwing it or an equal one from the hand is the same decision."""
    return np.where(actions == act.DISCARD_DRAWN, records["drawn"], actions)
