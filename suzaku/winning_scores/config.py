"""The settings of `suzaku train winning-scores`; read by `suzaku/learning/settings.py`."""

from dataclasses import dataclass

from suzaku.learning.settings import above_zero, at_least
from suzaku.winning_scores.hand import LIVE, WHOLE
from suzaku.winning_scores.model import MODELS, OPPONENTS


@dataclass(frozen=True)
class WinningConfig:
    """What a run of `suzaku train winning-scores` does; with the same settings it does the same again."""

    model: str = "mcp"  # mcp: a softmax over 0, 1, 2, 3, >= 4 han; bcp: four logistic regressions
    opponents: str = "drawing"  # drawing: discard what they draw; one-player: play hands of their own
    tiles: int = LIVE  # to draw in a hand: 70 as at a table, up to 83 without a dead wall
    hands: int = 10_000_000  # hands to play and learn from, at most one position of each
    baseline: int = 200_000  # of them, the first are played by the baseline player
    explore: float = 0.0  # of the discards that are learnt from, the share that is any at random
    rate: float = 0.01  # Adagrad's step size
    l2: float = 0.01  # lambda of equations (2) and (4), over the sum of all hands
    seed: int = 1
    step_hands: int = 10_000  # hands of a step of the loop
    eval_every: int = 50  # steps between two looks at how often it wins
    eval_hands: int = 4_000  # hands of each aim in such a look
    save_every: int = 20  # steps between two checkpoints to resume from

    def __post_init__(self) -> None:
        at_least(self, 1, ("hands", "step_hands", "eval_every", "eval_hands", "save_every"))
        at_least(self, 0, ("baseline", "l2", "seed"))
        above_zero(self, ("rate",))
        if not 0 <= self.explore <= 1:
            raise ValueError(f"explore must be 0 to 1, not {self.explore}")
        if self.model not in MODELS:
            raise ValueError(f"model must be one of {', '.join(MODELS)}, not {self.model!r}")
        if not LIVE <= self.tiles <= WHOLE:
            raise ValueError(f"tiles must be {LIVE} (as at a table) to {WHOLE} (no dead wall), not {self.tiles}")
        if self.opponents not in OPPONENTS:
            raise ValueError(f"opponents must be one of {', '.join(OPPONENTS)}, not {self.opponents!r}")
