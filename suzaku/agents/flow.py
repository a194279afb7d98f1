"""Suphx's decision flow (Fig. 1) as probabilities: what the models say, step by step, made one policy.

On the own turn: win, kong, riichi, discard. On another's discard: win, else the surest chow, pong or kong whose model
says yes, else pass. The steps are taken in this order and none is weighed against a later one: riichi is declared when
its model says yes, however sure the discard model is of its tile. At a temperature every step is drawn in the same
order; at temperature 0 a model says yes above one half, and the best tile goes.
"""

from dataclasses import dataclass, field

import numpy as np

from suzaku.riichi import actions as act

MELDS = slice(act.CHOW_LOW, act.WIN_DRAW)  # chows, pongs and kongs among the actions


@dataclass(frozen=True)
class Layout:
    """Where the actions of a game stand."""

    actions: int
    melds: slice  # chows, pongs and kongs
    passing: int
    riichi: int = -1  # the declaration, in a game that has one


RIICHI = Layout(act.ACTIONS, MELDS, act.PASS, act.RIICHI)


@dataclass
class Opinions:
    """What the models say about n tables."""

    forced: np.ndarray  # int64[n]: the action that needs no model, or -1
    melds: np.ndarray  # float32[n, melds of the layout]: the probability of yes, NaN where not asked
    riichi: np.ndarray  # float32[n]: the probability of yes, NaN where not asked
    discards: np.ndarray  # float32[n, 34]: logits, -inf where the kind cannot go; all -inf where a pass is possible
    throw: np.ndarray  # int64[n, 34]: the action that discards each kind, or -1
    layout: Layout = field(default=RIICHI)

    @classmethod
    def none(cls, n: int, layout: Layout = RIICHI) -> "Opinions":
        """Nothing said yet."""
        width = layout.melds.stop - layout.melds.start
        melds, riichi = np.full((n, width), np.nan, np.float32), np.full(n, np.nan, np.float32)
        discards, throw = np.full((n, 34), -np.inf, np.float32), np.full((n, 34), -1, np.int64)
        return cls(np.full(n, -1, np.int64), melds, riichi, discards, throw, layout)

    def force(self, actions: np.ndarray) -> None:
        """Settle the tables that are still open with these actions (-1 for none)."""
        self.forced = np.where(self.forced < 0, actions, self.forced)

    @property
    def open(self) -> np.ndarray:
        """bool[n]: the tables whose models must be asked."""
        return self.forced < 0


def softmax(logits: np.ndarray) -> np.ndarray:
    """Probabilities, along the last axis."""
    grown = np.exp(logits - logits.max(-1, keepdims=True))
    return grown / grown.sum(-1, keepdims=True)


def temper_yes(yes: np.ndarray, temperature: float) -> np.ndarray:
    """The probability that a step is taken at a temperature, for the probability of yes of its model; NaN is no."""
    yes = np.nan_to_num(yes, nan=0.0)
    if temperature <= 0:
        return (yes > 0.5).astype(np.float32)
    if temperature == 1:
        return yes
    with np.errstate(divide="ignore", over="ignore"):
        odds = (np.log1p(-yes) - np.log(yes)) / temperature
        return 1 / (1 + np.exp(odds))


def temper(probabilities: np.ndarray, temperature: float) -> np.ndarray:
    """Probabilities at a temperature, along the last axis."""
    if temperature <= 0:
        return np.eye(probabilities.shape[-1], dtype=np.float32)[probabilities.argmax(-1)]
    if temperature == 1:
        return probabilities
    with np.errstate(divide="ignore"):
        return softmax(np.log(probabilities) / temperature)


def surest_first(yes: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """The probability that each option of a row is the first to be taken, the surest being asked first; and of none."""
    order = np.argsort(-np.nan_to_num(yes, nan=-1.0), axis=1, kind="stable")
    taken = np.take_along_axis(temper_yes(yes, temperature), order, 1)
    left = np.cumprod(1 - taken, axis=1)
    before = np.concatenate([np.ones_like(left[:, :1]), left[:, :-1]], 1)
    out = np.empty_like(taken)
    np.put_along_axis(out, order, taken * before, 1)
    return out, left[:, -1]


def turn_policy(opinions: Opinions, melds: np.ndarray, rest: np.ndarray, temperature: float) -> np.ndarray:
    """The policy, float32[n, actions]: `melds` are settled, `rest` is what they leave to the turn or to a pass."""
    layout = opinions.layout
    policy = np.zeros((len(rest), layout.actions), np.float32)
    policy[:, layout.melds] = melds
    own = (opinions.throw >= 0).any(1)
    policy[~own, layout.passing] = rest[~own]
    declare = temper_yes(opinions.riichi, temperature)
    if layout.riichi >= 0:
        policy[own, layout.riichi] = (rest * declare)[own]
    rows, kinds = np.nonzero(opinions.throw >= 0)
    if len(rows):
        discards = np.zeros((len(rest), 34), np.float32)
        discards[own] = temper(softmax(opinions.discards[own]), temperature)
        policy[rows, opinions.throw[rows, kinds]] = (rest * (1 - declare))[rows] * discards[rows, kinds]
    settled = np.flatnonzero(~opinions.open)
    policy[settled] = 0
    policy[settled, opinions.forced[settled]] = 1
    return policy
