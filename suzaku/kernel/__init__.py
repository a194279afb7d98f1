"""The one decorator for compiled functions."""

import contextlib
import sys
from collections.abc import Callable
from typing import Any, TypeVar, overload

import numba
import numpy
from numba import types
from numba.core import event

from suzaku.kernel.cache import CACHE, KernelCache, source_hash, sources
from suzaku.kernel.links import link

F = TypeVar("F", bound=Callable[..., Any])


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(**options: Any) -> Callable[[F], F]: ...
def kernel(function: Any = None, *, module: str = "", **options: Any) -> Any:
    """Compile a function of numbers, arrays and records with Numba. Never recursive, never raising.

    One that is made inside another function, around the kernels of a game, belongs to the `module` of that game: there
    it is an attribute of `GAME`, and its compiled code is kept with those it calls.
    """
    if function is None:
        return lambda later: kernel(later, module=module, **options)  # type: ignore[call-overload]
    if module:
        function.__module__, function.__qualname__ = module, f"GAME.{function.__name__}"
    njit: Any = numba.njit
    compiled = njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options)(function)
    if hasattr(compiled, "get_call_template"):  # a plain function where compiling is switched off
        if CACHE is not None:
            compiled._cache = KernelCache(function)
        _compile_once(compiled)
        link(compiled, is_ours=function.__module__ in sources() and "<locals>" not in function.__qualname__)
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
            print("suzaku: compiling for this machine, about a minute; later starts use the cache", file=sys.stderr)

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
    if CACHE is not None and KernelCache.kept:
        with contextlib.suppress(OSError):
            (CACHE / f"{name}-{source_hash()}.ready").touch()
