"""Small kernels that the games share: numbered actions, who is asked, places, shuffling, hiding.

- Kernels over masks of legal actions, and the marks of stored ones.
- Kernels over the seats that wait to be asked about a tile of another: the fields `queue`, `claim` and `can_win`.
- The places of the seats at the end of a game.
- Kernels that shuffle tiles.
- What the games share of hiding what a seat cannot see, and of redrawing it.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.seeds import GOLDEN, below, mix

AWAY = 128  # added to a stored action that is no decision: the player was away
EVERYONE = -1  # in place of whom to follow, where a game's decisions are collected


@kernel
def only_choice(legal):
    """The one legal action, or -1 if there are several."""
    found = -1
    for a in range(legal.shape[0]):
        if legal[a]:
            if found >= 0:
                return -1
            found = a
    return found


@kernel
def find_illegal(actions, legal, seats):
    """Index of the first table whose action is not legal, or -1; tables that ask nobody take any."""
    for i in range(actions.shape[0]):
        a = actions[i]
        if seats[i] >= 0 and (a < 0 or a >= legal.shape[1] or not legal[i, a]):
            return i
    return -1


@kernel
def choose_random(legal, x):
    """A random legal action from 64 random bits."""
    n = 0
    for a in range(legal.shape[0]):
        n += legal[a]
    k = below(x, n)
    a = -1
    while k >= 0:
        a += 1
        k -= legal[a]
    return a


@kernel
def ask_queued(s, only_wins):
    """Ask the next queued seat, of those that may win if only these matter; whether there is one."""
    while s.queue[0] >= 0:
        p = s.queue[0]
        last = s.queue.shape[0] - 1
        for i in range(last):
            s.queue[i] = s.queue[i + 1]
        s.queue[last] = -1
        if only_wins and not (s.can_win >> p) & 1:
            continue
        s.seat = p
        return True
    return False


@kernel
def is_queued(s, seat):
    """Whether a seat waits to be asked."""
    for i in range(s.queue.shape[0]):  # noqa: SIM110 (kernels have no generators)
        if s.queue[i] == seat:
            return True
    return False


@kernel
def ask_afresh(s, seat, answer, queued):
    """After claims were opened anew for redrawn hands: what `seat` answered stays, and whether it waits to be asked."""
    s.claim[seat] = answer
    at = 0
    for i in range(s.queue.shape[0]):
        p = s.queue[i]
        s.queue[i] = -1
        if p >= 0 and p != s.seat and (p != seat or queued):
            s.queue[at] = p
            at += 1


@kernel
def fill_ranks(s):
    """Set the place of each seat by its score, 0 for the first; ties go to the earlier seat."""
    n = s.scores.shape[0]
    for p in range(n):
        rank = 0
        for q in range(n):
            if s.scores[q] > s.scores[p] or (s.scores[q] == s.scores[p] and q < p):
                rank += 1
        s.ranks[p] = rank


@kernel
def wall_bits(s):
    """The random state that a deal's wall is shuffled with: it depends on seed, game and deal alone."""
    return mix(mix(mix(s.seed + GOLDEN) ^ np.uint64(s.game)) ^ np.uint64(s.deal))


@kernel
def shuffle(tiles, n, x):
    """Shuffle the first n tiles of an array from a random state; the new state."""
    for i in range(n - 1, 0, -1):
        x += GOLDEN
        j = below(mix(x), i + 1)
        tile = tiles[i]
        tiles[i] = tiles[j]
        tiles[j] = tile
    return x


def hide_claims(s: np.record, seat: int, asking: bool, passing: int) -> None:
    """Hide who was asked, could have won or wanted to call, also after the claims are settled."""
    s.queue[:] = -1
    s.claim[:] = passing
    s.can_win = s.can_win & (1 << seat) if asking else 0
    if asking and s.seat != seat:
        s.seat = -1
