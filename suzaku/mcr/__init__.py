"""Chinese Standard Mahjong (MCR, 国标麻将): scoring and the algebra of its hands."""

from suzaku.mcr.evaluate import CountedFan, Shanten, Win, evaluate, shanten, waits
from suzaku.mcr.evaluate_many import evaluate_many

__all__ = ["CountedFan", "Shanten", "Win", "evaluate", "evaluate_many", "shanten", "waits"]
