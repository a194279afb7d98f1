"""Big look-up tables: one record, made once and kept in the cache folder."""

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from suzaku.folders import cache_root


def stored_record(name: str, dtype: np.dtype, make: Callable[[], np.ndarray], sources: Sequence[str]) -> np.record:
    """The record of this name from the cache folder, or newly made; a change of one of the sources makes it anew."""
    version = hashlib.sha256(b"".join(Path(source).read_bytes() for source in sources)).hexdigest()[:8]
    path = cache_root() / f"{name}-{version}.npy"
    try:
        stored = np.load(path)
        if stored.nbytes == dtype.itemsize:
            return stored.view(dtype)[0]
    except (OSError, ValueError):
        pass  # absent or damaged: make it again
    made = make()
    from suzaku.files import writing_whole  # here, so that no kernel is compiled anew when that file changes

    with contextlib.suppress(OSError):  # no room to keep it: it lives in memory alone
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing_whole(path) as file:
            np.save(file, made.view(np.uint8))
    return made[0]
