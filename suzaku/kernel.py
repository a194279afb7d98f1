"""The one decorator for compiled functions, and where their compiled code is kept.

Numba's own cache looks only at the file of a function, not at the files of the functions it calls. So the cache
lives in a folder named after a hash of all kernel sources: any change to any of them starts a fresh folder.
"""

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
import numpy
from numba import types

F = TypeVar("F", bound=Callable[..., Any])

KEEP_DAYS = 30  # folders of other versions that were not used for so long are deleted


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
    package = Path(__file__).parent
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        if not name.startswith("apps/"):
            digest.update(name.encode() + b"\0" + path.read_bytes())
    switches = [os.environ.get(name, "") for name in ("NUMBA_BOUNDSCHECK", "NUMBA_OPT")]
    digest.update(f"{numba.__version__} {numpy.__version__} {sys.version_info[:2]} {switches}".encode())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    folder = cache_root() / "kernels" / source_hash()
    fresh = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if fresh:
        for other in folder.parent.iterdir():
            if other != folder and time.time() - other.stat().st_mtime > KEEP_DAYS * 86400:
                shutil.rmtree(other, ignore_errors=True)
    else:
        os.utime(folder)
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


def is_warm(name: str) -> bool:
    """Whether the set of kernels called `name` was compiled before and waits in the cache."""
    return CACHE is not None and (CACHE / f"{name}.ready").exists()


def set_warm(name: str) -> None:
    """Remember that the set of kernels called `name` is in the cache."""
    if CACHE is not None:
        (CACHE / f"{name}.ready").touch()
