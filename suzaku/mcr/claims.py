"""Kernels that say who may claim a discard or rob a kong, and ask them one by one.

Seats are asked by priority: first all that may win, in turn order, then the one that may pong or kong, then the one
that may chow. A seat whose answer could no longer matter is not asked, so every recorded answer is a real decision.
"""

from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr.deal import is_last, left_for
from suzaku.mcr.score import win_fans
from suzaku.mcr.state import AFTER_KONG, CLAIM, FOURTH_TILE, LAST_TILE, NO_MIXED_KONGS, ROB, ROBBING_KONG, SELF_DRAWN
from suzaku.table.kernels import ask_queued


@kernel
def win_flags(s, kind, drawn, robbing):
    """The circumstances of a win on a kind that seat `turn` has drawn, discarded, or adds to a pong."""
    flags = 0 if s.rules.mixed_kongs else NO_MIXED_KONGS
    if drawn:
        flags |= SELF_DRAWN
        if s.after_kong:
            flags |= AFTER_KONG
    if robbing:
        flags |= ROBBING_KONG
    elif is_last(s, s.turn):
        flags |= LAST_TILE
    if s.public[kind] == 3:
        flags |= FOURTH_TILE
    return flags


@kernel
def fans_of(tables, s, p, kind, flags):
    """Fan of seat p's hand with the winning kind already in it, without flowers (-1: not complete), and which."""
    return win_fans(
        tables, s.hand[p], s.meld_type[p], s.meld_kind[p], s.melds[p], kind, flags, (p - s.dealer) & 3, s.wind
    )  # fmt: skip


@kernel
def can_win_on(tables, s, p, kind, robbing):
    """Whether seat p may win on a tile of seat `turn`."""
    if s.shanten[p] != 0:
        return False
    s.hand[p, kind] += 1
    fan = fans_of(tables, s, p, kind, win_flags(s, kind, False, robbing))[0]
    s.hand[p, kind] -= 1
    return fan >= s.rules.minimum


@kernel
def _can_pong(s, p, kind):
    return s.hand[p, kind] >= 2 and not is_last(s, s.turn)


@kernel
def chow_options(s, p, kind):
    """The chows seat p may make with a discard of the seat before it: bit i for action CHOW_LOW + i."""
    if kind >= 27 or (s.turn + 1) & 3 != p or is_last(s, s.turn):
        return 0
    options = 0
    for shape in range(3):
        low = kind % 9 - shape
        if low < 0 or low > 6:
            continue
        a = kind - shape + (1 if shape == 0 else 0)
        b = kind - shape + (1 if shape == 2 else 2)
        if s.hand[p, a] > 0 and s.hand[p, b] > 0:
            options |= 1 << shape
    return options


@kernel
def fill_claims(s, p, out):
    """Set what seat p may do with the offered discard or kong."""
    out[act.PASS] = True
    if (s.can_win >> p) & 1:
        out[act.WIN] = True
    if s.phase == ROB:
        return
    if _can_pong(s, p, s.offer):
        out[act.PONG] = True
        if s.hand[p, s.offer] == 3 and left_for(s, p) > 0:
            out[act.OPEN_KONG] = True
    options = chow_options(s, p, s.offer)
    for i in range(3):
        if (options >> i) & 1:
            out[act.CHOW_LOW + i] = True


@kernel
def open_claims(tables, s, kind, robbing):
    """Offer a tile of seat `turn` to the others and queue up those who can claim it."""
    s.offer = kind
    s.phase = ROB if robbing else CLAIM
    s.claim[:] = act.PASS
    s.queue[:] = -1
    s.can_win = 0
    n = 0
    for i in range(1, 4):
        p = (s.turn + i) & 3
        if can_win_on(tables, s, p, kind, robbing):
            s.can_win |= 1 << p
            s.queue[n] = p
            n += 1
    if robbing:
        return
    for i in range(1, 4):
        p = (s.turn + i) & 3
        if not (s.can_win >> p) & 1 and _can_pong(s, p, kind):
            s.queue[n] = p
            n += 1
    p = (s.turn + 1) & 3
    if not (s.can_win >> p) & 1 and not _can_pong(s, p, kind) and chow_options(s, p, kind) != 0:
        s.queue[n] = p


@kernel
def ask_next(s):
    """Ask the next queued seat whose answer can still matter; whether there is one."""
    taken = False  # a kong or pong was claimed: a seat that cannot win has nothing to say any more
    for p in range(4):
        if s.claim[p] == act.WIN:  # the first in turn order wins alone
            return False
        if s.claim[p] == act.PONG or s.claim[p] == act.OPEN_KONG:
            taken = True
    return ask_queued(s, taken)
