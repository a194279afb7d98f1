"""The places of the seats at the end of a game."""

from suzaku.kernel import kernel


@kernel
def fill_ranks(s):
    """Set the place of each seat by its score, 0 for the first; ties go to the earlier seat."""
    for p in range(4):
        rank = 0
        for q in range(4):
            if s.scores[q] > s.scores[p] or (s.scores[q] == s.scores[p] and q < p):
                rank += 1
        s.ranks[p] = rank
