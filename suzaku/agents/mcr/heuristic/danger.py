"""What a discard risks: rough, from what lies open."""

from suzaku.kernel import kernel
from suzaku.mcr.melds import CLOSED_KONG

HIT = 0.055  # how likely a middle tile of which all others are unseen hits a ready hand


@kernel
def readiness(s, p):
    """How many opponents are probably ready, from their melds and the length of the hand."""
    total = 0.0
    for other in range(4):
        if other == p:
            continue
        shown = 0
        for i in range(s.melds[other]):
            shown += s.meld_type[other, i] != CLOSED_KONG
        turn = s.river_size[other]
        ready = 0.02 * turn + (0.0, 0.06, 0.2, 0.45, 0.8)[shown]
        total += min(0.9, max(0.0, ready - 0.1))
    return total


@kernel
def danger(s, p, kind, unseen, loss):
    """The points that discarding a kind costs on average; `unseen` tiles of it are left."""
    for other in range(4):  # what was thrown since the own last discard and passed is safe for the moment
        if other != p and s.river_size[other] > 0 and s.river[other, s.river_size[other] - 1] == kind:
            return 0.0
    hit = HIT * (0.25 + 0.25 * unseen)
    if kind >= 27:
        hit *= 0.7 if unseen > 1 else 0.3
    elif kind % 9 == 0 or kind % 9 == 8:
        hit *= 0.8
    return readiness(s, p) * hit * loss
