"""What answers are worth by labels they were not learnt from.

The answers are the model's and the labels judge them: the gain of new answers over old ones is unbiased however noisy
the labels are. What was lost against the better branch is not known, since a noisy label seems better than it is; so
half of the rollouts choose and the other half judge the choice, which is a lower bound of what the best answers gain.
"""

import math
from dataclasses import dataclass

import numpy as np

from suzaku.arena.spread import mean_interval

UNSURE = "–"  # of fewer than two positions nothing can be said
CLEAR = 2.0  # standard errors from zero that make a sign clear

Interval = tuple[float, float]  # a mean and half of its 95 % interval


@dataclass
class Figures:
    """Answers before and after, judged by labels; points a decision, or those of the reward."""

    positions: int
    difference: Interval  # yes less no
    yes: Interval  # share answered with yes before
    changed: Interval  # share answered otherwise now
    agrees: tuple[Interval, Interval]  # with the sign of the difference: before, after
    clear: int  # positions whose sign is clear
    agrees_clear: tuple[Interval, Interval]  # with these
    lost: tuple[Interval, Interval]  # against the choice by half of the rollouts: before, after
    gain: Interval  # after less before

    def lines(self) -> list[str]:
        """As Markdown."""

        def share(one: Interval) -> str:
            return f"{one[0]:.1%} ± {one[1]:.1%}" if math.isfinite(one[1]) else UNSURE

        def worth(one: Interval) -> str:
            return f"{one[0]:+,.1f} ± {one[1]:,.1f}" if math.isfinite(one[1]) else UNSURE

        return [
            f"{self.positions:,} positions that nothing was learnt from or chosen by. Yes is worth "
            f"{worth(self.difference)} more than no; it was answered in {share(self.yes)}, and in "
            f"{share(self.changed)} the answer is another one now. Gain of the new answers: **{worth(self.gain)}** a "
            "decision.",
            "",
            "| | before | after |",
            "|---|---:|---:|",
            f"| agrees with the sign of the difference | {share(self.agrees[0])} | {share(self.agrees[1])} |",
            f"| the same where it is clear ({self.clear:,}) | {share(self.agrees_clear[0])} | "
            f"{share(self.agrees_clear[1])} |",
            f"| lost against the choice by half of the rollouts | {worth(self.lost[0])} | {worth(self.lost[1])} |",
            "",
        ]


def judge(differences: np.ndarray, before: np.ndarray, after: np.ndarray) -> Figures:
    """The figures of answers (bool[n]) on positions with these labels (float[n, rollouts])."""
    mean, rollouts = differences.mean(1), differences.shape[1]
    error = differences.std(1, ddof=1) / np.sqrt(rollouts)
    clear = np.abs(mean) > CLEAR * np.maximum(error, 1e-9)
    right = [answers == (mean > 0) for answers in (before, after)]
    one, other = differences[:, : rollouts // 2].mean(1), differences[:, rollouts // 2 :].mean(1)
    chosen = (one * (other > 0) + other * (one > 0)) / 2
    taken = [(one + other) / 2 * answers for answers in (before, after)]
    return Figures(
        len(mean),
        mean_interval(mean),
        mean_interval(before.astype(float)),
        mean_interval((before != after).astype(float)),
        (mean_interval(right[0].astype(float)), mean_interval(right[1].astype(float))),
        int(clear.sum()),
        (mean_interval(right[0][clear].astype(float)), mean_interval(right[1][clear].astype(float))),
        (mean_interval(chosen - taken[0]), mean_interval(chosen - taken[1])),
        mean_interval(mean * (after.astype(float) - before)),
    )
