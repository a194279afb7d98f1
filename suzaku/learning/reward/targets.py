"""What the places of a game are worth: the targets of the reward predictor.

| target   | 1st | 2nd | 3rd | 4th  | what it is                                                          |
|----------|-----|-----|-----|------|---------------------------------------------------------------------|
| `tenhou` | +90 | +45 | 0   | -135 | Tenhou's ranking points, 7 dan in the phoenix room, hanchan         |
| `expert` | +75 | +30 | 0   | -135 | the same in the expert room, which stable rank is counted in        |
| `uma`    | +20 | +10 | -10 | -20  | the bonus of the places alone, in thousands; points do not count    |

Table 6 of the paper prints the gains of east-only games (+60, +30; +50, +20) beside the losses of hanchan; those of a
hanchan are half as much again. In an east-only game all of Tenhou's points are two thirds of these. The points of the
phoenix room sum to zero for four players of 7 dan, so a game begins at zero for everybody.
"""

import numpy as np

TARGETS = {"tenhou": (90, 45, 0, -135), "expert": (75, 30, 0, -135), "uma": (20, 10, -10, -20)}


def rewards_of(target: str, length: str) -> np.ndarray:
    """float32[4]: what the first to the fourth place of a game of this length are worth."""
    if target not in TARGETS:
        raise ValueError(f"target must be one of {', '.join(TARGETS)}, not {target!r}")
    east_only = length == "east" and target != "uma"
    return np.array(TARGETS[target], np.float32) * np.float32(2 / 3 if east_only else 1)
