"""Workers: whoever does jobs for this process, here, in processes of this machine, or on a Ray cluster."""

from suzaku.workers.workers import LOST, Each, Here, LostError, Workers

__all__ = ["LOST", "Each", "Here", "LostError", "Workers"]
