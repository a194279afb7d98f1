"""The one decorator for compiled functions, and where their compiled code is kept.

Numba's own cache looks only at the file of a function, not at the files of the functions it calls. So the cache of a
file's kernels lives in a folder named after a hash of that file and of all it imports from here: a change to any of
them starts a fresh folder, and the kernels that do not depend on it stay compiled.
"""

import contextlib
import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
import numpy
from numba import types
from numba.core import caching, event

F = TypeVar("F", bound=Callable[..., Any])

KEEP = 30 * 86400  # seconds that compiled kernels are kept after their last use


def cache_root() -> Path:
    """The folder for everything that can be made again: compiled kernels and look-up tables."""
    if "SUZAKU_CACHE" in os.environ:
        return Path(os.environ["SUZAKU_CACHE"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "suzaku" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "suzaku"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "suzaku"


@cache
def _sources() -> dict[str, bytes]:
    """All files of the package by module name."""
    package = Path(__file__).parent
    paths = package.rglob("*.py")
    return {
        ".".join((package.name, *path.relative_to(package).with_suffix("").parts)): path.read_bytes() for path in paths
    }


def imported_by(*names: str) -> set[str]:
    """The modules of the package among these, and all that they import from it, directly or not."""
    modules = _sources()
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
    modules = _sources()
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
    CACHE = None  # a read-only or full disk: compile every time rather than fail


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(**options: Any) -> Callable[[F], F]: ...
def kernel(function: Any = None, **options: Any) -> Any:
    """Compile a function of numbers, arrays and records with Numba. Never recursive, never raising."""
    if function is None:
        return lambda later: kernel(later, **options)
    compiled = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if hasattr(compiled, "get_call_template"):  # a plain function where compiling is switched off
        if CACHE is not None:
            compiled._cache = _Cache(function)
        _compile_once(compiled)
    return compiled


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
        if self._module in _sources():
            return self._folder.name
        with contextlib.suppress(OSError):  # a function typed at a prompt has no file
            return hashlib.sha256(Path(self._path).read_bytes()).hexdigest()
        return str(time.time())

    def get_disambiguator(self) -> str:
        return str(self._line) if self._module in _sources() else f"{self._module}-{self._line}"


class _Files(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # type: ignore[list-item]  # noqa: RUF012


class _Cache(caching.FunctionCache):
    _impl_class = _Files


def _compile_once(compiled: Any) -> None:
    """Let calls from other kernels share one compiled form.

    Numba compiles a callee anew for each combination of integer types and for every literal argument; with all
    integers widened, it is done once: a third fewer forms to compile at the first start.
    """
    resolve = compiled.get_call_template

    def widen(kind: Any) -> Any:
        kind = types.unliteral(kind)
        return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind  # type: ignore[attr-defined]

    def widened(args: Any, kws: Any) -> Any:
        return resolve(tuple(widen(arg) for arg in args), {name: widen(arg) for name, arg in dict(kws).items()})

    compiled.get_call_template = widened


class _Notice(event.Listener):
    """Says once that kernels are being compiled, for programs that do not show it themselves."""

    said = False

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        if not _Notice.said and dispatcher.py_func.__module__.startswith("suzaku."):
            _Notice.said = True
            print("suzaku: compiling for this machine, a minute or two; later starts use the cache", file=sys.stderr)

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _Notice())
if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    numpy.seterr(over="ignore")  # random numbers wrap around on purpose


def be_quiet() -> None:
    """Do not say that kernels are being compiled: the caller shows it."""
    _Notice.said = True


def is_warm(name: str) -> bool:
    """Whether the set of kernels called `name` was compiled before and waits in the cache."""
    return CACHE is not None and (CACHE / f"{name}-{source_hash()}.ready").exists()


def set_warm(name: str) -> None:
    """Remember that the set of kernels called `name` is in the cache."""
    if CACHE is not None:
        (CACHE / f"{name}-{source_hash()}.ready").touch()
