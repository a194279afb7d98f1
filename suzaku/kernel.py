"""The one decorator for compiled functions, and where their compiled code is kept.

Numba's own cache looks only at the file of a function, not at the files of the functions it calls. So the cache
lives in a folder named after a hash of all kernel sources and what they import: any change to them starts a fresh
folder.
"""

import contextlib
import hashlib
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
import numpy
from numba import types
from numba.core import event

F = TypeVar("F", bound=Callable[..., Any])

KEEP = 8  # so many folders of other versions are kept, the last used ones


def cache_root() -> Path:
    """The folder for everything that can be made again: compiled kernels and look-up tables."""
    if "SUZAKU_CACHE" in os.environ:
        return Path(os.environ["SUZAKU_CACHE"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "suzaku" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "suzaku"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "suzaku"


def source_hash() -> str:
    """A hash of every source file that kernels, or the constants they use, can come from, and of the compiler."""
    digest = hashlib.sha256()
    for name, text in sorted(_kernel_sources(Path(__file__).parent).items()):
        digest.update(name.encode() + b"\0" + text)
    switches = [os.environ.get(name, "") for name in ("NUMBA_BOUNDSCHECK", "NUMBA_OPT")]
    python = (*sys.version_info[:2], sys.flags.optimize)
    digest.update(f"{numba.__version__} {numpy.__version__} {python} {switches}".encode())
    return digest.hexdigest()[:16]


def _kernel_sources(package: Path) -> dict[str, bytes]:
    """The files with kernels, and all files of the package that these import, by module name."""
    modules = {}
    for path in package.rglob("*.py"):
        modules[".".join((package.name, *path.relative_to(package).with_suffix("").parts))] = path.read_bytes()
    todo = [name for name, text in modules.items() if b"@kernel" in text]
    found: dict[str, bytes] = {}
    while todo:
        name = todo.pop()
        if name in found or name not in modules:
            continue
        found[name] = modules[name]
        for where, what in re.findall(rb"^from (suzaku[.\w]*) import (\([^)]*\)|.*)", modules[name], re.M):
            base = where.decode()
            todo += [base, *(f"{base}.{part.decode()}" for part in re.findall(rb"\w+", what))]
    return found


def _cache_folder() -> Path:
    folder = cache_root() / "kernels" / source_hash()
    fresh = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # another process may be tidying up as well
        os.utime(folder)
        others = sorted(
            (other for other in folder.parent.iterdir() if other != folder), key=lambda o: o.stat().st_mtime
        )
        for other in others[:-KEEP] if fresh else ():
            shutil.rmtree(other, ignore_errors=True)
    return folder


try:
    CACHE: Path | None = _cache_folder()
    numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]
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
    compiled = numba.njit(cache=CACHE is not None, nogil=True, error_model="numpy", **options)(function)
    if hasattr(compiled, "get_call_template"):  # a plain function where compiling is switched off
        _compile_once(compiled)
    return compiled


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
            print("suzaku: compiling for this machine, up to a minute; later starts use the cache", file=sys.stderr)

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
    return CACHE is not None and (CACHE / f"{name}.ready").exists()


def set_warm(name: str) -> None:
    """Remember that the set of kernels called `name` is in the cache."""
    if CACHE is not None:
        (CACHE / f"{name}.ready").touch()
