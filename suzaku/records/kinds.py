"""Kinds of decisions: what was being asked, whatever the answer."""

from suzaku.kernel import kernel
from suzaku.riichi import actions as act

DISCARD, RIICHI, CHOW, PONG, KONG, WIN, NINE_KINDS = (1 << i for i in range(7))
KINDS = {
    "discard": DISCARD,  # a tile was discarded, and there was a choice
    "riichi": RIICHI,  # riichi was possible
    "chow": CHOW,  # a chow was possible ...
    "pong": PONG,
    "kong": KONG,  # open, closed or added
    "win": WIN,
    "nine_kinds": NINE_KINDS,
}
ALL = (1 << len(KINDS)) - 1
FORCED = 1 << len(KINDS)  # no decision at all: there was no choice


def kinds_mask(kinds: str | list[str] | tuple[str, ...] | None) -> int:
    """The bits of some kinds by name; all of them for None."""
    if kinds is None:
        return ALL
    names = [kinds] if isinstance(kinds, str) else kinds
    for name in names:
        if name not in KINDS:
            raise ValueError(f"{name!r} is no kind of decision: choose among {', '.join(KINDS)}")
    return sum(KINDS[name] for name in set(names))


@kernel
def kinds_of(legal, action):
    """The kinds that a question with these legal actions belongs to, given the answer; FORCED without a choice."""
    kinds = 0
    discards = 0
    for a in range(act.DISCARD_DRAWN + 1):
        discards += legal[a]
    if action <= act.DISCARD_DRAWN and discards > 1:
        kinds |= DISCARD
    if legal[act.RIICHI]:
        kinds |= RIICHI
    for a in range(act.CHOW_LOW, act.PONG):
        if legal[a]:
            kinds |= CHOW
    if legal[act.PONG] or legal[act.PONG_RED]:
        kinds |= PONG
    for a in range(act.OPEN_KONG, act.WIN_DRAW):
        if legal[a]:
            kinds |= KONG
    if legal[act.WIN_DRAW] or legal[act.WIN_DISCARD]:
        kinds |= WIN
    if legal[act.NINE_KINDS]:
        kinds |= NINE_KINDS
    return kinds if kinds else FORCED
