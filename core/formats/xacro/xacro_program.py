# SPDX-License-Identifier: Apache-2.0
"""Expands xacro by the package xacro: the program of a child process, see `core.child`; it imports no core.

It opens no file: the parent gives the text of each, if it may be read. A place is the number of a file and that of an
element in it; the elements that the parent gets keep their places and the macros' calls that they come from.

By itself the library runs any code in a file: it hands ``${...}`` and ``$(eval ...)`` to Python's eval. From there
generators give access to their frames and `vars` to every class, and ``$(eval)`` has all builtins.
"""

from __future__ import annotations

import ast
import builtins
import io
import os
import unicodedata  # noqa: F401  # Python imports it later, for a name that is not ASCII
from collections.abc import Iterator
from importlib import util
from traceback import walk_tb
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any
from xml.dom import expatbuilder, minidom  # noqa: F401  # minidom imports it later
from xml.parsers.expat import ErrorString, ExpatError

REFUSED = frozenset(f"{kind}_{what}" for kind in ("gi", "cr", "ag") for what in ("frame", "code", "await")) | {
    *("format", "format_map", "mro")
}
"""Attributes that escape from an expression, besides those that begin with two underscores."""

PLAIN = {name: vars(builtins)[name] for name in ("list", "dict", "map", "str", "float", "int")}
"""The builtins that ``$(eval)`` may use."""

REPLACED = {
    "safe_eval",
    "eval_extension",
    "parse",
    "glob",
    "eval_all",
    "handle_macro_call",
    "grab_property",
    "eval_text",
}
"""Functions of the library that must be replaced by ours for the limits to hold."""

MOST_STEPS = 50_000
"""Maximum number of elements that are expanded, and of macros that are called."""

LONGEST = 1_000_000
"""Maximum number of characters of an attribute or text."""

Place = tuple[int, int]


class RefusedError(Exception):
    """What the parent refuses by its own words: of which kind, with which values."""

    def __init__(self, kind: str, **values: Any) -> None:
        super().__init__(kind, values)


def _compiled(name: str) -> CodeType:
    """Return the code of a module, which needs no file later."""
    spec = util.find_spec(name)
    if spec is None or spec.loader is None:
        raise ImportError(name)
    compiled: CodeType = spec.loader.get_code(name)  # type: ignore[attr-defined]
    return compiled


def _copy(name: str) -> Any:
    """Return a copy of a module of xacro, since it keeps its state in globals."""
    module = ModuleType(name)
    module.__package__ = "xacro"
    exec(MODULES[name], vars(module))
    return module


MODULES = {name: _compiled(name) for name in ("xacro", "xacro.substitution_args")}


for _name in MODULES:  # loads what these import, while files can be opened
    _copy(_name)
if not REPLACED.issubset(vars(_copy("xacro"))):
    raise ImportError("xacro is too old")


def expand(
    parent: Any, blobs: list[bytes], path: str, folder: str, arguments: dict[str, str], environment: dict[str, str]
) -> Any:
    """Expand a file; its number is 0, and the parent numbers those that it includes.

    Parameters
    ----------
    blobs : list of bytes
        The file.
    path, folder : str
        Its path, and the folder in which it is run.
    arguments : dict of str to str
        Of its ``<xacro:arg>``.
    environment : dict of str to str
        What ``$(env)`` reads.

    Returns
    -------
    dict
        The expanded ``text``; the ``places`` of its elements, and the ``chains`` of calls that each is from, the
        outermost first, by the numbers of ``calls``: macro, place and the values of its parameters.
    """
    os.environ.clear()
    os.environ.update(environment)
    expansion = _Expansion(parent, folder)
    library = expansion.library
    library.init_stacks(path)
    try:
        tree = _marked(blobs[0], 0)
        library.process_doc(tree, mappings=arguments, verbosity=0)
        nodes = [*_elements(tree)]
        return {
            "text": tree.documentElement.toxml(),
            "places": [node.getUserData("place") for node in nodes],
            "chains": [node.getUserData("calls") for node in nodes],
            "calls": expansion.all_calls,
        }
    except Exception as error:
        return parent.fail(expansion.reason(error))  # it raises


class _Expansion:
    """A copy of the library whose functions are limited, and ask the parent for files."""

    def __init__(self, parent: Any, folder: str) -> None:
        self.parent, self.folder, self.steps = parent, folder, 0
        self.all_calls: list[tuple[str, Place, dict[str, str]]] = []
        self.calls: list[int] = []
        self.properties: dict[str, Any] = {}
        self.library = library = _copy("xacro")
        self.substitution = substitution = _copy("xacro.substitution_args")
        self.base = SimpleNamespace(**vars(library))
        library.safe_eval, library.eval_extension, library.eval_text = self._eval, self._extension, self._text
        library.parse, library.open = self._included, self._yaml
        library.glob = SimpleNamespace(glob=lambda pattern: self.parent.ask("glob", pattern)[0])
        library.eval_all, library.handle_macro_call = self._evaluate, self._call
        library.grab_property = self._property
        substitution.eval, substitution._eval_find = self._substitute, self._find
        substitution._eval_dict["find"] = self._find
        for name in ("vars", "type"):
            dict.pop(library._global_symbols["python"], name, None)

    def _eval(self, text: str, *names: Any) -> Any:
        check_expression(text)
        return self.base.safe_eval(text, *names)

    def _substitute(self, text: str, _: Any, names: Any) -> Any:
        check_expression(text)
        return eval(text, {"__builtins__": PLAIN}, names)

    def _extension(self, text: str) -> Any:
        if text == "$(cwd)":
            return self.folder
        try:
            return self.substitution.resolve_args(text, context=self.library.substitution_args_context)
        except self.substitution.ArgException as error:
            raise RefusedError("argument", name=str(error)) from None

    def _text(self, text: str, symbols: Any) -> Any:
        value = self.base.eval_text(text, symbols)
        if isinstance(value, str) and len(value) > LONGEST:
            raise RefusedError("long", limit=LONGEST)
        return value

    def _find(self, name: str) -> str:
        return str(self.parent.ask("package", name)[0])

    def _yaml(self, name: str) -> io.StringIO:
        _, (data,) = self.parent.ask("yaml", name)
        return io.StringIO(data.decode("utf-8", "replace"))

    def _included(self, _: None, name: str) -> Any:
        number, blobs = self.parent.ask("include", name)
        if number is None:
            self.library.filestack.pop()
            absent = FileNotFoundError(f"the included file {ascii(name)} is not a file that is there")
            raise self.library.XacroException(exc=absent)  # xacro ignores this for an optional file
        return _marked(blobs[0], number)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise RefusedError("elements", limit=MOST_STEPS)

    def _evaluate(self, node: Any, macros: Any, symbols: Any) -> None:
        self._step()
        if node.tagName == "xacro:macro" and self.calls:  # the body of the macro that is called
            values = {name: str(value) for name, value in dict.items(symbols) if not name.startswith("*")}
            self.all_calls[self.calls[-1]][2].update(values)
        node.setUserData("calls", tuple(self.calls), _Copied)
        self.base.eval_all(node, macros, symbols)

    def _call(self, node: Any, macros: Any, symbols: Any) -> Any:
        if node.tagName == "xacro:call" or not node.tagName.startswith("xacro:"):
            return self.base.handle_macro_call(node, macros, symbols)
        self._step()
        self.calls.append(len(self.all_calls))
        self.all_calls.append((node.tagName.removeprefix("xacro:"), node.getUserData("place"), {}))
        self.base.handle_macro_call(node, macros, symbols)
        self.calls.pop()
        return True

    def _property(self, node: Any, symbols: Any) -> None:
        self.properties[node.getAttribute("name")] = node
        self.base.grab_property(node, symbols)

    def reason(self, error: Exception) -> list[Any]:
        """Return what the parent needs to know of an exception of the library.

        That is the place of the innermost element that it had reached, the number of what the parent has refused, what
        is refused here, and the library's message. Raises MemoryError if it is about that.
        """
        errors = [error]
        while isinstance(inner := getattr(errors[-1], "exc", None), Exception):
            errors.append(inner)
        if isinstance(errors[-1], MemoryError):
            raise MemoryError from None
        frames = (frame for outer in reversed(errors) for frame, _ in reversed([*walk_tb(outer.__traceback__)]))
        place = next(filter(None, map(self._place, frames)), None)
        refused = errors[-1].args if isinstance(errors[-1], RefusedError) else None
        message = " ".join(str(error).split()) or type(error).__name__
        return [place, getattr(errors[-1], "number", None), refused, message]

    def _place(self, frame: Any) -> Place | None:
        """Return the place of the element that a function of the library is at, or of a property that it evaluates."""
        if frame.f_globals is not vars(self.library):
            return None  # an expression, whose names the file chooses
        names = frame.f_locals
        lazy = self.properties.get(names["key"]) if frame.f_code.co_name == "_resolve_" else None
        node = lazy or names.get("tag") or names.get("elt") or names.get("node")
        node = node.parentNode if isinstance(node, minidom.Text) else node
        return node.getUserData("place") if isinstance(node, minidom.Element) else None


class _Copied:
    """Makes the copy of a node keep its place."""

    @staticmethod
    def handle(_operation: int, key: str, data: object, _source: Any, copy: Any) -> None:
        copy.setUserData(key, data, _Copied)


def check_expression(text: str) -> None:
    """Check that an expression cannot run arbitrary code; raise RefusedError otherwise. Syntax errors pass."""
    try:
        nodes = [*ast.walk(ast.parse(text.strip(), mode="eval"))]
    except (SyntaxError, ValueError):
        return  # the library reports it
    for node in nodes:
        name = getattr(node, "attr", getattr(node, "id", ""))
        if name.startswith("__") or (isinstance(node, ast.Attribute) and name in REFUSED):
            raise RefusedError("unsafe", text=text[:80], name=name)


def _marked(data: bytes, number: int) -> Any:
    """Return a file as the tree that xacro reads, whose elements know their places."""
    try:
        tree = minidom.parseString(data)
    except ExpatError as error:  # about namespaces, which the parent does not check
        raise RefusedError("xml", file=number, line=error.lineno, reason=ErrorString(error.code)) from None
    for index, node in enumerate(_elements(tree)):
        node.setUserData("place", (number, index), _Copied)
        node.setUserData("calls", (), _Copied)
    return tree


def _elements(tree: Any) -> Iterator[Any]:
    yield tree.documentElement
    yield from tree.documentElement.getElementsByTagName("*")
