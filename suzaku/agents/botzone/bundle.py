"""Some functions of this package and all that they need, as one file of plain Python that runs on old versions too.

Kernels become ordinary functions over lists and integers, constants become literals, and records small objects; neither
Numba nor NumPy is needed. What is reachable is found by the objects themselves, so it does not matter in which file
something lives. Only what our kernels and the bot use of NumPy is known here: anything else is an error.
"""

import ast
import builtins
import inspect
import sys
import textwrap
from collections.abc import Iterable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

CASTS = ("int64", "uint64", "int32", "uint8")  # of numbers: Python's integers need none
RUNTIME = {"zeros", "empty", "exp"}  # of NumPy: functions of the same name in `plain.py`


class Bundle:
    """Collects definitions; `replaced` are objects that stand under a name in the runtime, `taken` its other names."""

    def __init__(self, replaced: dict[int, str], taken: Iterable[str] = ()) -> None:
        self.parts: list[str] = []
        self.fields: set[str] = set()  # attributes that are read of anything: they tell which tables are needed
        self._names: dict[int, str] = dict(replaced)
        self._taken = {*taken, *replaced.values()}
        self._kept: list[Any] = []  # objects that must live as long as their ids are used

    def name_of(self, value: Any, wish: str) -> str:
        """The name under which an object stands in the bundle, where it is put if it is not there yet."""
        value = getattr(value, "py_func", value)
        if id(value) in self._names:
            return self._names[id(value)]
        name = wish
        while name in self._taken or hasattr(builtins, name):
            name += "_"
        self._taken.add(name)
        self._names[id(value)] = name
        self._kept.append(value)
        if isinstance(value, FunctionType | type):
            self._define(value, name)
        else:
            self.parts.append(f"{name} = {_literal(value)}")
        return name

    def _define(self, value: Any, name: str) -> None:
        tree = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
        assert isinstance(tree, ast.FunctionDef | ast.ClassDef)
        tree.name = name
        known = vars(sys.modules[value.__module__])
        self.parts.append(ast.unparse(ast.fix_missing_locations(_Plain(self, known).visit(tree))))

    def source(self) -> str:
        """All of it; what is used first may stand last, since functions look names up when they run."""
        classes = [part for part in self.parts if part.startswith("class ")]
        return "\n\n".join([part for part in self.parts if part not in classes] + classes)


def _literal(value: Any) -> str:
    """A constant as Python writes it; a NumPy record type as a layout of the runtime."""
    if isinstance(value, np.dtype):
        return f"Layout({_layout(value)!r})"
    plain = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    if not isinstance(plain, int | float | str | bool | tuple | list | dict | None):
        raise TypeError(f"{value!r} cannot be put into a bundle")
    return repr(plain)


def _layout(kind: np.dtype) -> list[Any]:
    """Name and what is to be there first of each field: a number, a shape with one, or a layout."""
    found: list[Any] = []
    for name in kind.names or ():
        part = kind[name]
        if part.names:
            found.append((name, "layout", _layout(part)))
        else:
            found.append((name, 0.0 if part.base.kind == "f" else 0, part.shape))
    return found


class _Plain(ast.NodeTransformer):
    """Rewrites one definition."""

    def __init__(self, bundle: Bundle, known: dict[str, Any]) -> None:
        self.bundle, self.known = bundle, known
        self.locals: list[set[str]] = []

    def _names_in(self, node: ast.AST) -> set[str]:
        stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        caught = {n.name for n in ast.walk(node) if isinstance(n, ast.ExceptHandler) and n.name}
        return stored | caught | {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Without decorator of kernels, annotations and docstring."""
        node.decorator_list = [one for one in node.decorator_list if ast.unparse(one) in ("property", "staticmethod")]
        node.returns = None
        for one in [*node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]:
            if one is not None:
                one.annotation = None
        self.locals.append(self._names_in(node))
        node.body = self._body(node.body)
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        self.locals.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Without docstring."""
        node.decorator_list = []
        node.bases = [self.visit(one) for one in node.bases]
        node.body = self._body(node.body)
        return node

    def _body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        found: list[ast.stmt] = []
        for one in body:
            made = self.visit(one)
            found += made if isinstance(made, list) else [made]
        return found or [ast.Pass()]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Without the annotation."""
        if node.value is None:
            return []
        return self.visit(ast.Assign([node.target], node.value))

    def visit_Assign(self, node: ast.Assign) -> Any:
        """`x[:] = value` fills a list."""
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            if target.slice.lower or target.slice.upper or target.slice.step:
                raise TypeError(f"setting {ast.unparse(target)} is not known to the bundle: only all of a list is set")
            call = ast.Call(ast.Name("fill", ast.Load()), [self.visit(target.value), self.visit(node.value)], [])
            return ast.Expr(call)
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """`x[a, b]` of arrays is `x[a][b]` of lists."""
        if not isinstance(node.slice, ast.Tuple):
            return self.generic_visit(node)
        found: ast.expr = self.visit(node.value)
        for one in node.slice.elts[:-1]:
            found = ast.Subscript(found, self.visit(one), ast.Load())
        return ast.Subscript(found, self.visit(node.slice.elts[-1]), node.ctx)

    def visit_Call(self, node: ast.Call) -> Any:
        """Casts fall away, and what old versions of Python do not know."""
        node.keywords = [one for one in node.keywords if one.arg != "strict"]
        if isinstance(node.func, ast.Attribute) and self._value(node.func.value) is np:
            if node.func.attr in CASTS:
                return self.visit(node.args[0])
            if node.func.attr not in RUNTIME:
                raise TypeError(f"np.{node.func.attr} is not known to the bundle")
        return self.generic_visit(node)

    def _value(self, node: ast.expr) -> Any:
        """The object that a name outside of the function means; None for all else."""
        if isinstance(node, ast.Name) and not any(node.id in names for names in self.locals):
            return self.known.get(node.id)
        return None

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """What is read of a module."""
        owner = self._value(node.value)
        if owner is np:
            if node.attr in RUNTIME:
                return ast.Name(node.attr, ast.Load())
            if node.attr == "nan":
                return ast.Call(ast.Name("float", ast.Load()), [ast.Constant("nan")], [])
            if not isinstance(found := getattr(np, node.attr), type) or not issubclass(found, np.generic):
                raise TypeError(f"np.{node.attr} is not known to the bundle")
            return ast.Constant(None)  # lists have no type
        if isinstance(owner, ModuleType) and owner.__name__.startswith("suzaku"):
            return self._known(getattr(owner, node.attr), node.attr)
        if isinstance(node.ctx, ast.Load):
            self.bundle.fields.add(node.attr)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        """What is read of the own module."""
        value = self._value(node) if isinstance(node.ctx, ast.Load) else None
        return node if value is None or isinstance(value, ModuleType) else self._known(value, node.id)

    def _known(self, value: Any, name: str) -> ast.expr:
        """A small number stands where it is used, all else under a name."""
        if isinstance(value, int | float | str | bool | np.integer) and not isinstance(value, type):
            return ast.Constant(value.item() if isinstance(value, np.generic) else value)
        return ast.Name(self.bundle.name_of(value, name), ast.Load())
