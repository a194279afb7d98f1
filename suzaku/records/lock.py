"""One writer a folder: see `suzaku/locks.py`."""

from suzaku.locks import writing

__all__ = ["writing"]
