"""Every action by the places it leads to.

- What scores are worth: the number of opponents a seat expects to end the game ahead of.
- The judgement of the `heuristic` player: every action by the places it leads to.
"""

import numpy as np

from suzaku.agents.heuristic.coefficients import NO_WIN, POINTS
from suzaku.agents.heuristic.danger import OPPONENT, fill_danger, loss_of
from suzaku.agents.heuristic.win_estimate import (
    RIICHI_STAGE,
    ROWS,
    TENPAI,
    fill_situation,
    rate_rows,
    rate_silent,
    stage_of,
    win_probability,
)
from suzaku.hand.shanten import FAR
from suzaku.kernel import kernel
from suzaku.lookahead.search import draws_left, fill_query
from suzaku.riichi.redraw import fill_dora, fill_unseen

# Each pair of seats is judged alone: the more rounds are to come, the less a lead counts. So points are worth most
# where places are close, and in the last round only those points count that change a place.

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


# What an action is worth is the number of opponents that its seat expects to end ahead of (`placement.py`), over three
# ways the round can go on: the discard deals in (`danger.py`), the hand wins (`win_estimate.py`), or neither. What the
# last costs on average was measured over records by stage of the hand, riichi against it and draws left.

RIICHI_STICK = 1000
FREEDOM = 500  # points that the way back is worth which riichi gives up: a better wait, or folding
PUSH = 0.06  # a discard with this probability to deal in is one of a hand that does not give way

VIEW = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rows", ROWS),
                ("opponent", OPPONENT, (4,)),
                ("unseen", "i8", (34,)),
                ("dora", "i8", (34,)),
                ("rounds", "f8"),  # rounds to come after this one
                ("bonus", "f8"),  # points that a win brings beside its own: sticks and honba
                ("value", "f8", (35,)),  # of each discard without riichi
                ("riichi_value", "f8", (35,)),  # of each discard with riichi
                ("scores", "f8", (4,)),  # work space
            ],
            align=True,
        ),
    )
)


@kernel
def fill_view(s, p, v):
    """What seat p sees of the table: tiles, opponents and placement."""
    fill_unseen(s, p, v.unseen)
    fill_dora(s, v.dora)
    for q in range(4):
        if q != p:
            fill_danger(s, q, v.unseen, v.dora, v.opponent[q])
    v.rounds = rounds_after(s)
    v.bonus = RIICHI_STICK * s.sticks + 300 * s.honba
    fill_situation(s, p, draws_left(s, p), v.rows)


@kernel
def not_winning(v, stage, danger):
    """Points that a round brings on average to a hand of some stage that does not win."""
    rows = v.rows
    riichis = min(2, np.int64(rows.riichis))
    draws = 0 if rows.draws < 5 else 1 if rows.draws < 9 else 2 if rows.draws < 13 else 3
    push = min(1.0, danger / PUSH)
    points = (1 - push) * NO_WIN[stage, riichis, 0, draws] + push * NO_WIN[stage, riichis, 1, draws]
    if stage == TENPAI:  # players stay silent where they fear more: silence itself loses no more than riichi
        points = max(
            points,
            (1 - push) * NO_WIN[RIICHI_STAGE, riichis, 0, draws] + push * NO_WIN[RIICHI_STAGE, riichis, 1, draws],
        )
    if rows.draws < 3:  # the payments at an exhaustive draw are near
        points += (3 - rows.draws) * (200 if stage <= 2 else -100)
    return points


@kernel
def outlook(s, p, v, stage, probability, points, danger, stake):
    """The worth of going on with a hand: it wins with some probability, or it does not."""
    lost = worth_after(s, p, not_winning(v, stage, danger) - stake, -1, v.rounds, v.scores)
    if probability <= 0:
        return lost
    return probability * worth_after(s, p, points + v.bonus, -1, v.rounds, v.scores) + (1 - probability) * lost


@kernel
def deal_in(s, p, v, kind):
    """The probability that throwing a kind deals in, and the worth lost then, weighted with its probability."""
    total = 0.0
    worth = 0.0
    for q in range(4):
        if q != p:
            probability = v.opponent[q].probability[kind]
            if probability > 0:
                points = loss_of(v.opponent[q], v.dora, kind) + 300 * s.honba
                total += probability
                worth += probability * worth_after(s, p, -points, q, v.rounds, v.scores)
    if total > 1:
        return 1.0, worth / total
    return total, worth


@kernel
def riichi_points(rows, row):
    """The points that a win with riichi brings."""
    return POINTS[RIICHI_STAGE, 0] + POINTS[RIICHI_STAGE, 1] * rows.pays[row]


@kernel
def value_rows(tables, s, p, v, q, riichi):
    """The worth of every discard of the hand in the query, `riichi` telling whether riichi is possible."""
    rows = v.rows
    v.value[:] = np.nan
    v.riichi_value[:] = np.nan
    for row in range(34):
        shanten = rows.shanten[row]
        if shanten == FAR:
            continue
        danger, loss = deal_in(s, p, v, row)
        stage = stage_of(shanten, not q.closed)
        probability, points = rows.probability[row], rows.points[row]
        if shanten == 0 and q.closed:
            probability, points = rate_silent(tables, s.rules, q, rows, row)
            if riichi:
                with_riichi = win_probability(rows, RIICHI_STAGE, rows.ways[row], 0, 0)
                pays = riichi_points(rows, row)
                v.riichi_value[row] = loss + (1 - danger) * outlook(
                    s, p, v, RIICHI_STAGE, with_riichi, pays, danger, RIICHI_STICK + FREEDOM
                )
        elif rows.riichis > 0 and probability > 0 and danger < PUSH:
            probability *= 1 - 0.2 * (1 - danger / PUSH) * (1 if shanten > 1 else 0)
        v.value[row] = loss + (1 - danger) * outlook(s, p, v, stage, probability, points, danger, 0)


@kernel
def value_discards(tables, patterns, s, p, v, q, riichi):
    """Rate and value every discard of the full hand in the query."""
    rate_rows(tables, patterns, s.rules, q, v.rows.riichis > 0, v.rows)
    value_rows(tables, s, p, v, q, riichi)


@kernel
def value_pass(tables, patterns, s, p, v, q):
    """The worth of seat p's hand of 3n+1 tiles as it stands."""
    fill_query(s, p, 0, q)
    rate_rows(tables, patterns, s.rules, q, False, v.rows)
    stage = stage_of(v.rows.shanten[34], not q.closed)
    return outlook(s, p, v, stage, v.rows.probability[34], v.rows.points[34], 0.0, 0)
