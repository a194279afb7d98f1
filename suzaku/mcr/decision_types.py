"""Types of decisions: what was being asked, whatever the answer."""

from suzaku.kernel import kernel
from suzaku.mcr import actions as act

DISCARD, CHOW, PONG, KONG, WIN = (1 << i for i in range(5))
DECISION_TYPES = {
    "discard": DISCARD,  # a tile was discarded, and there was a choice
    "chow": CHOW,  # a chow was possible ...
    "pong": PONG,
    "kong": KONG,  # open, closed or added
    "win": WIN,
}
FORCED = 1 << len(DECISION_TYPES)  # no decision at all: there was no choice


@kernel
def types_of(legal, action):
    """The types that a question with these legal actions belongs to, given the answer; FORCED without a choice."""
    types = 0
    discards = 0
    for a in range(act.CHOW_LOW):
        discards += legal[a]
    if action < act.CHOW_LOW and discards > 1:
        types |= DISCARD
    for a in range(act.CHOW_LOW, act.PONG):
        if legal[a]:
            types |= CHOW
    if legal[act.PONG]:
        types |= PONG
    for a in range(act.OPEN_KONG, act.WIN):
        if legal[a]:
            types |= KONG
    if legal[act.WIN]:
        types |= WIN
    return types if types else FORCED
