"""Where compiled kernels are kept.

Numba's own cache looks only at the file of a function, not at the files of the functions it calls. So the cache of a
file's kernels lives in a folder named after a hash of that file and of all it imports from here: a change to any of
them starts a fresh folder, and the kernels that do not depend on it stay compiled.
"""

import contextlib
import hashlib
import os
import pickle
import re
import shutil
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy
from numba.core import caching

from suzaku.kernel.links import LINKS, Links
from suzaku.system import Lock, cache_root

DAMAGED = (EOFError, pickle.UnpicklingError)  # what reading half a file raises
KEEP = 30 * 86400  # seconds that compiled kernels are kept after their last use


@cache
def sources() -> dict[str, bytes]:
    """All files of the package by module name."""
    package = Path(__file__).parent.parent
    paths = package.rglob("*.py")
    return {
        ".".join((package.name, *path.relative_to(package).with_suffix("").parts)): path.read_bytes() for path in paths
    }


def imported_by(*names: str) -> set[str]:
    """The modules of the package among these, and all that they import from it, directly or not."""
    modules = sources()
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name in found or name not in modules:
            continue
        found.add(name)
        for where, what in re.findall(rb"^from (suzaku[.\w]*) import (\([^)]*\)|.*)", modules[name], re.M):
            base = where.decode()
            todo += [base, *(f"{base}.{part.decode()}" for part in re.findall(rb"\w+", what))]
    return found


@cache
def source_hash(module: str = "") -> str:
    """A hash of a module with all that it imports from here, or of all modules with kernels, and of the compiler."""
    modules = sources()
    if module not in modules:  # a file outside of the package may use any kernel
        names = imported_by(*(name for name, text in modules.items() if b"@kernel" in text))
    else:
        names = imported_by(module)
    digest = hashlib.sha256()
    for name in sorted(names):
        digest.update(name.encode() + b"\0" + modules[name])
    switches = [os.environ.get(name, "") for name in ("NUMBA_BOUNDSCHECK", "NUMBA_OPT")]
    python = (*sys.version_info[:2], sys.flags.optimize)
    digest.update(f"{numba.__version__} {numpy.__version__} {python} {switches}".encode())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """The folder of all compiled kernels, without what was not used for long."""
    folder = cache_root() / "kernels"
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # another process may be tidying up as well
        for old in folder.iterdir():
            if old.stat().st_mtime < time.time() - KEEP:
                shutil.rmtree(old) if old.is_dir() else old.unlink()
    return folder


def _module_folder(folder: Path, module: str) -> Path:
    """The folder of one module's kernels, marked as used."""
    own = folder / source_hash(module)
    with contextlib.suppress(OSError):
        own.mkdir(exist_ok=True)
        os.utime(own)
    return own


try:
    CACHE: Path | None = _cache_folder()
except OSError:
    CACHE = None  # a read-only disk: compile every time rather than fail


class _Locator(caching._CacheLocator):
    """Finds the folder of a kernel by what its module and all it imports say, wherever the package lies.

    Numba's own locators go by the path of the file: a second clone, or a clean one, would compile everything again.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        assert CACHE is not None
        self._folder = _module_folder(CACHE, function.__module__)
        self._module, self._line = function.__module__, function.__code__.co_firstlineno
        self._path = function.__code__.co_filename

    @classmethod
    def from_function(cls, function: Any, path: str) -> "_Locator":
        return cls(function)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        if self._module in sources():
            return self._folder.name
        with contextlib.suppress(OSError):  # a function typed at a prompt has no file
            return hashlib.sha256(Path(self._path).read_bytes()).hexdigest()
        return str(time.time())

    def get_disambiguator(self) -> str:
        return str(self._line) if self._module in sources() else f"{self._module}-{self._line}"


class _Files(caching.CompileResultCacheImpl):
    """What is written of a kernel: its code, and which other kernels it calls."""

    _locator_classes = [_Locator]  # type: ignore[list-item]  # noqa: RUF012

    def reduce(self, result: Any) -> Any:
        return Links.of(result) if LINKS else None, super().reduce(result)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        links, code = payload
        if links is None:
            return super().rebuild(target_context, code)
        if not links.load(target_context.codegen()):
            return None
        result = super().rebuild(target_context, code)
        links.keep(result)
        return result

    def check_cachable(self, result: Any) -> bool:
        if not LINKS:
            return super().check_cachable(result)
        return not result.lifted and Links.can_be_kept(result.library)


class KernelCache(caching.FunctionCache):
    """The compiled forms of a kernel on disk: each is compiled by one process at a time, and a full disk is no error.

    A process that finds a kernel missing holds its lock from then on until the kernel is saved. Kernels never call
    themselves, so locks are taken from callers to what they call, and no two processes can wait for each other.
    """

    _impl_class = _Files
    kept = True  # whether everything could be written so far

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._lock = Lock(Path(self._cache_path) / f"{self._impl.filename_base}.lock")
        self._is_ours = function.__module__ in sources()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        if not self._is_ours:
            return super()._index_key(sig, codegen)
        # Numba adds the kernels around which one is made, in words that differ in every process; the folder tells them.
        return sig, codegen.magic_tuple(), hashlib.sha256(self._py_func.__code__.co_code).hexdigest()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = self._load(sig, target_context)
        if found is None and self._lock.take():  # another process may have compiled it meanwhile
            found = self._load(sig, target_context)
            if found is not None:
                self._lock.leave()
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except (OSError, *DAMAGED):
            return None  # half a file after a crash of the machine, or one that may not be read

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            try:
                super().save_overload(sig, data)
            except DAMAGED:  # the list of the forms
                self.flush()
                super().save_overload(sig, data)
        except OSError:
            KernelCache.kept = False
        finally:
            self._lock.leave()

    def give_up(self) -> None:
        """Compiling failed: others may try."""
        self._lock.leave()
