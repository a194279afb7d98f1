"""Numbered actions, whatever the game: kernels over masks of legal ones, and the marks of stored ones."""

from suzaku.kernel import kernel
from suzaku.seeds import below

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
