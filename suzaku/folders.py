"""The folders of this user: what can be made again, and what the user made."""

import os
import sys
from pathlib import Path


def cache_root() -> Path:
    """The folder for everything that can be made again, compiled kernels and look-up tables; SUZAKU_CACHE moves it."""
    return _folder("SUZAKU_CACHE", "cache", "Library/Caches", "XDG_CACHE_HOME", ".cache")


def data_folder() -> Path:
    """Where what the user made is kept; SUZAKU_DATA moves it."""
    return _folder("SUZAKU_DATA", "data", "Library/Application Support", "XDG_DATA_HOME", ".local/share")


def _folder(moved: str, windows: str, mac: str, variable: str, usual: str) -> Path:
    """A folder of the user, by the habits of the system."""
    if moved in os.environ:
        return Path(os.environ[moved])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "suzaku" / windows
    if sys.platform == "darwin":
        return Path.home() / mac / "suzaku"
    return Path(os.environ.get(variable, Path.home() / usual)) / "suzaku"
