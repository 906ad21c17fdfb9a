# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the add-on's sources: texts that are marked for translation, and texts that are shown without a mark."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from .message import CONTEXT, TOOLTIP, Message

CHECKOUT = Path(__file__).parents[2]

MARKS = {"iface_": CONTEXT, "rpt_": CONTEXT, "n_": CONTEXT, "nn_": CONTEXT, "say": CONTEXT, "tip_": TOOLTIP}
"""The context of each function's texts; in core, ``say`` is the translating function that callers pass."""

SHOWN = {"text", "heading", "title"}
"""Arguments of Blender's functions that are shown."""

SPEAK = {"report", "poll_message_set", "status_text_set", "header_text_set", "label"}
"""Functions whose arguments are shown."""

ENGLISH = {"Finding", "InertiaError", "print", "_left_out", "not_imported", "RuntimeError", "PreviewError", "help"}
"""Functions whose texts stay English: findings, which also go into files, and logs."""

SILENT = (
    "export/command.py",  # texts of the command line
    "export/offscreen.py",
    "headless.py",
    "importing/build.py",  # texts of findings, as in the others below
    "live/jobs.py",
    "mesh_tools/remedies.py",
    "scene/blocked_scripts.py",
    "scene/evaluated/instancers.py",
    "overlay/glsl.py",
    "overlay/shaders.py",
    "translations/",
)
"""Modules without texts of the interface."""

NAMES = {"Base Color", "Centres of Mass", "SDF Model"}
"""Blender's names, and names of ours that are not shown."""

WORDS = re.compile(r"[^\W\d_]{2,}[,;:.]? +[^\W\d_]{2,}")
"""Two adjacent words: a sentence, or part of one."""

WORD = re.compile(r"[^\W\d_]{3,}")


def sources(tree: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules of a tree with their paths in the checkout."""
    for path in sorted((CHECKOUT / tree).rglob("*.py")):
        yield path.relative_to(CHECKOUT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def marked() -> Iterator[Message]:
    """Yield all texts that the sources mark.

    Raises
    ------
    ValueError
        For a marked text that is not a literal: no catalogue could contain it.
    """
    for tree in ("sdf_inertia_addon", "core"):
        for place, module in sources(tree):
            yield from marked_in(place, module)


def marked_in(place: str, module: ast.Module) -> Iterator[Message]:
    """Yield the texts that a module marks."""
    for call in ast.walk(module):
        name = _called(call)
        if name not in MARKS:
            continue
        assert isinstance(call, ast.Call)
        for argument in call.args:
            for text in _branches(argument):
                if isinstance(text, ast.JoinedStr | ast.BinOp):
                    raise ValueError(f"{place}:{text.lineno}: {name} is given a text that is put together")
                if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value:
                    yield Message(MARKS[name], text.value, place)


def unmarked(known: set[str]) -> list[str]:
    """Return what the add-on's sources seem to show without marking it, each as ``file:line: text``.

    Parameters
    ----------
    known : set of str
        Texts that Blender finds by itself: labels and descriptions of classes, properties and choices.
    """
    return [
        f"{place}:{line}: {text}"
        for place, module in sources("sdf_inertia_addon")
        if not any(part in place for part in SILENT)
        for line, text in unmarked_in(module, known)
    ]


def unmarked_in(module: ast.Module, known: set[str]) -> Iterator[tuple[int, str]]:
    """Yield line and text of what a module seems to show without marking it."""
    quiet = _quiet(module)
    for node in ast.walk(module):
        if _called(node) == "label" and isinstance(node, ast.Call) and _is_translated_again(node):
            yield node.lineno, f"Blender translates what is no text of ours: {ast.unparse(node)}"
        for shown in _shown(node):
            if isinstance(shown, ast.Constant) and isinstance(shown.value, str) and re.search(r"[^\W\d_]", shown.value):
                yield shown.lineno, shown.value
        if id(node) in quiet or (isinstance(node, ast.Constant) and node.value in known | NAMES):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and WORDS.search(node.value):
            yield node.lineno, node.value
        if isinstance(node, ast.JoinedStr):
            literals = [part.value for part in node.values if isinstance(part, ast.Constant)]
            if any(WORD.search(text) and " " in text for text in map(str, literals)):
                yield node.lineno, ast.unparse(node)


def _is_translated_again(label: ast.Call) -> bool:
    """Return True if a label shows a value, such as an object's name, without disabling its translation."""
    given = {keyword.arg: keyword.value for keyword in label.keywords}
    text = given.get("text")
    return not (text is None or "translate" in given or isinstance(text, ast.Constant) or _called(text) in MARKS)


def _quiet(module: ast.Module) -> set[int]:
    """Return the nodes that are marked, or not shown: docstrings, English by rule, names of typed values."""
    quiet: set[int] = set()
    for node in ast.walk(module):
        spared: list[ast.AST] = []
        if isinstance(node, ast.Call) and _called(node) in {*MARKS, *ENGLISH}:
            spared = [*node.args, *node.keywords]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            spared = [node.value]
        elif isinstance(node, ast.Raise | ast.Assert):
            spared = [node]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and _names(node) & {"message", "remedy"}:
            spared = [node.value] if node.value else []  # text of a finding
        elif isinstance(node, ast.AnnAssign):
            spared = [node.annotation]
        for each in spared:
            quiet |= {id(below) for below in ast.walk(each) if _called(below) not in MARKS or below is each}
    return quiet


def _names(node: ast.Assign | ast.AnnAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _shown(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the arguments of a call that are shown unchanged."""
    if not isinstance(node, ast.Call):
        return
    shown = [keyword.value for keyword in node.keywords if keyword.arg in SHOWN]
    if _called(node) in SPEAK:
        shown += node.args
    for argument in shown:
        yield from _branches(argument)


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the possible values of an expression: both sides of a conditional."""
    if isinstance(node, ast.IfExp):
        yield from _branches(node.body)
        yield from _branches(node.orelse)
    else:
        yield node


def _called(node: ast.AST) -> str:
    """Return the name of the called function, if it has one."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
