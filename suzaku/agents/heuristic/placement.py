"""What scores are worth: the number of opponents a seat expects to end the game ahead of.

Each pair of seats is judged alone: the more rounds are to come, the less a lead counts. So points are worth most where
places are close, and in the last round only those points count that change a place.
"""

import numpy as np

from suzaku.kernel import kernel

SPREAD = 3600.0  # of the difference of two scores in a round, as the scale of a logistic distribution
ROUGH = 450.0  # the same at the very end: points that are only estimated
BEST = 3.0  # the highest worth: ahead of all opponents
TIE = 50.0  # of equal scores the earlier seat is ahead


@kernel
def rounds_after(s):
    """How many rounds are to come after this one, repeats by the dealer included on average."""
    return 1.3 * max(0, np.int64(s.rules.rounds) - 1 - np.int64(s.round_no))


@kernel
def worth(s, p, scores, rounds):
    """How many opponents seat p expects to end ahead of, with these scores and so many rounds to come."""
    top = scores[0]
    lowest = scores[0]
    for q in range(1, 4):
        top = max(top, scores[q])
        lowest = min(lowest, scores[q])
    if s.rules.bust and lowest < 0:
        rounds = 0.0
    elif rounds < 1 and top < s.rules.target_score:
        rounds = 1.0
    scale = np.sqrt(ROUGH**2 + rounds * SPREAD**2)
    total = 0.0
    for q in range(4):
        if q != p:
            lead = scores[p] - scores[q] + (TIE if p < q else -TIE)
            total += 1.0 / (1.0 + np.exp(-lead / scale))
    return total


@kernel
def worth_after(s, p, points, payer, rounds, scores):
    """The worth after seat p gets points (or loses them), from `payer` or in equal parts if it is -1.

    `scores` is work space for four numbers.
    """
    for q in range(4):
        scores[q] = s.scores[q]
        if q != p and (payer < 0 or q == payer):
            scores[q] -= points / 3 if payer < 0 else points
    scores[p] += points
    return worth(s, p, scores, rounds)
