"""Big kernels are called where they are, not copied into every kernel that calls them.

Numba puts the code of everything a function calls into the function's own code, and optimises it again there: a
kernel near the top holds a copy of nearly all kernels below. Small ones gain by it, for they are inlined. Of a big one
only the name goes into its callers here, which takes 40 % off the time to compile. So a caller that comes from the
cache must see to it that what it calls is loaded before.

This reaches into Numba, so it is done for the versions it was tried with; others copy, as Numba does by itself.
"""

import hashlib
import importlib
import operator
from dataclasses import dataclass, field
from typing import Any

import numba
from llvmlite import binding as llvm
from numba import types
from numba.core import compiler

LINKS = numba.__version__.startswith("0.68.")
BIG = 500  # LLVM instructions; with 250 play is slower by some percent, with 1000 compiling by half

# Numba keeps no code with "dynamic globals" in its own cache, which could not load the kernels that the code calls.
MARK = "numba.dynamic.globals.suzaku"

Form = tuple[str, str, tuple[Any, ...]]  # module and name of a kernel, and the types it takes


@dataclass
class Links:
    """What a compiled kernel calls by name, and what its callers must call by name for it."""

    calls: dict[str, Form] = field(default_factory=dict)  # by the name of the code
    offers: dict[str, Form] = field(default_factory=dict)  # itself if it is big, or else what it calls
    symbols: list[str] = field(default_factory=list)  # what its code defines

    @staticmethod
    def of(result: Any) -> "Links":
        """The links of a compiled kernel."""
        links: Links = result.library.links
        module = result.library._final_module
        parts = (*module.functions, *module.global_variables)
        links.symbols = [part.name for part in parts if not part.is_declaration]
        return links

    @staticmethod
    def can_be_kept(library: Any) -> bool:
        """Whether code refers to nothing that only this process knows."""
        return not [name for name in library._dynamic_globals if name != MARK]

    def load(self, codegen: Any) -> bool:
        """Load what the kernel calls. False if that is not what it was compiled with."""
        for symbol, (module, name, args) in self.calls.items():
            kernel = operator.attrgetter(name)(importlib.import_module(module))
            kernel.compile(args)
            if kernel.overloads[args].fndesc.llvm_func_name != symbol:
                return False
        codegen._engine._defined_symbols.update(self.symbols)
        return True

    def keep(self, result: Any) -> None:
        """Remember the links of a kernel that comes from the cache."""
        result.library.links = self


class _Compiler(compiler.Compiler):
    """Gives the code the same name in every process, where Numba counts functions."""

    def _compile_bytecode(self) -> Any:
        self.state.func_id.unique_id = 0
        return super()._compile_bytecode()


def _name_record(kind: Any) -> tuple[str, tuple[int]]:
    """A name for the code of functions of a record that is the same in every process, where Numba counts types."""
    return "Record", (int(hashlib.sha256(kind.name.encode()).hexdigest()[:15], 16),)


if LINKS:
    types.Record.mangling_args = property(_name_record)  # type: ignore[method-assign, assignment]


def link(compiled: Any, is_ours: bool) -> None:
    """Let a kernel keep track of what it calls; big ones of the package are called, not copied."""
    function = compiled.py_func
    if is_ours and LINKS:
        compiled._compiler.pipeline_class = _Compiler
    compile_copies = compiled._compiler.compile

    def compile_links(args: Any, return_type: Any) -> Any:
        try:
            result = compile_copies(args, return_type)
        except BaseException:
            getattr(compiled._cache, "give_up", bool)()
            raise
        if not LINKS:
            return result
        library = result.library
        links = Links()
        for other in library._linking_libraries:
            if hasattr(other, "links"):
                links.calls.update(other.links.offers)
        links.offers = links.calls
        symbol = result.fndesc.llvm_func_name
        if is_ours and _is_big(library._final_module.get_function(symbol)):
            links.offers = {symbol: (function.__module__, function.__qualname__, tuple(result.signature.args))}
            library._shared_module = _stub(library)
        library.links = links
        return result

    compiled._compiler.compile = compile_links


def _stub(library: Any) -> Any:
    """What is copied into the callers of a big kernel: nothing but the mark."""
    stub = library._codegen._create_empty_module("stub")
    return llvm.parse_assembly(f'{stub}\n@"{MARK}" = weak_odr global i8 0')


def _is_big(function: Any) -> bool:
    count = 0
    for block in function.blocks:
        for _ in block.instructions:
            count += 1
            if count > BIG:
                return True
    return False
