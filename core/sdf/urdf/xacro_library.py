# SPDX-License-Identifier: Apache-2.0
"""Limits the package xacro to expressions: by itself it runs any code in a file.

It hands ``${...}`` and ``$(eval ...)`` to Python's eval. From there generators give access to their frames and `vars`
to every class, and ``$(eval)`` has all builtins.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from importlib import util
from typing import Any

from ...errors import InertiaError

REFUSED = frozenset(f"{kind}_{what}" for kind in ("gi", "cr", "ag") for what in ("frame", "code", "await")) | {
    *("format", "format_map", "mro")
}
"""Attributes that escape from an expression, besides those that begin with two underscores."""

PLAIN = {name: vars(builtins)[name] for name in ("list", "dict", "map", "str", "float", "int")}
"""The builtins that ``$(eval)`` may use."""

REPLACED = {"safe_eval", "eval_extension", "parse", "glob", "eval_all", "handle_macro_call", "grab_property"}
"""Functions of the library that must be replaced by ours for the limits to hold."""


def load_xacro(find: Callable[[str], str]) -> Any:
    """Return a copy of the library, since it keeps its state in globals; `find` returns the folder of a package.

    Raises
    ------
    InertiaError
        ``xacro`` if it is not installed, or is too old.
    """
    try:
        library, substitution = _copy("xacro"), _copy("xacro.substitution_args")
    except ImportError:
        raise _unusable("is not installed") from None
    if not REPLACED.issubset(vars(library)):
        raise _unusable("is too old")
    evaluate, extend = library.safe_eval, library.eval_extension

    def safe_eval(text: str, *names: Any) -> Any:
        check_expression(text)
        return evaluate(text, *names)

    def substitute(text: str, _: Any, names: Any) -> Any:
        check_expression(text)
        return eval(text, {"__builtins__": PLAIN}, names)

    def extension(text: str) -> Any:
        if text == "$(cwd)":
            return extend(text)
        try:
            return substitution.resolve_args(text, context=library.substitution_args_context)
        except substitution.ArgException as error:
            raise InertiaError.of("bad_xacro", "", "argument", name=error) from None

    library.safe_eval, library.eval_extension = safe_eval, extension
    substitution.eval, substitution._eval_find, substitution._eval_dict["find"] = substitute, find, find
    for name in ("vars", "type"):
        dict.pop(library._global_symbols["python"], name, None)
    return library


def _copy(name: str) -> Any:
    spec = util.find_spec(name)
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _unusable(reason: str) -> InertiaError:
    return InertiaError.of("xacro", "", "package", reason=reason)


def check_expression(text: str) -> None:
    """Check that an expression cannot run arbitrary code; raise ``xacro_refused`` otherwise. Syntax errors pass."""
    try:
        nodes = [*ast.walk(ast.parse(text.strip(), mode="eval"))]
    except (SyntaxError, ValueError):
        return  # the library reports it
    for node in nodes:
        name = getattr(node, "attr", getattr(node, "id", ""))
        if name.startswith("__") or (isinstance(node, ast.Attribute) and name in REFUSED):
            raise InertiaError.of("xacro_refused", text=text[:80], name=name)
