# SPDX-License-Identifier: Apache-2.0
"""Escapes for each kind of output, so that a name from a file never acts as a command, a new line or markup.

Only what writes an output calls these, once, on each text that may hold a name. Findings and tables hold plain text.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Control characters (C0, DEL, C1), other line ends, marks that reverse the direction of text, and what XML refuses:
lone surrogates and noncharacters."""

_IGNORED = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff"
)
"""Invisible characters (Unicode's Default_Ignorable_Code_Point), which .NET skips when it compares text."""

# GitHub's runner, which is in .NET, looks for `::name::` after any spaces, and for `##[name]` anywhere in a line.
_COMMAND = re.compile(rf"\A([\W{_IGNORED}]*?):(?=[{_IGNORED}]*:)")
_OLD_COMMAND = re.compile(rf"(#[{_IGNORED}]*#[{_IGNORED}]*)\[")

_FORMULA = re.compile(rf"[\s{_IGNORED}]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_MARKUP = re.compile(r"[`*|~<]|\\(?=[!-/:-@\[-`{-~]|$)|&(?=#?\w+;)|\](?=\()|(?<![^\W_])_|_(?![^\W_])")
_CODE = re.compile(r"`\s*([^`\s][^`]*)`")
_ENTITIES = {"<": "&lt;", "&": "&amp;"}


def for_terminal(text: str) -> str:
    """Return text for part of a line in a terminal, a log or XML; control characters are written as in Python."""
    line = _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)
    return _OLD_COMMAND.sub(r"\1\\x5b", line)


def for_log(text: str) -> str:
    """Return text for a whole line of a log, or its beginning, that is not a command of GitHub Actions."""
    return _COMMAND.sub(r"\1\\x3a", for_terminal(text))


def for_workflow_data(text: str) -> str:
    """Return text for the message of a workflow command, where ``%`` begins an escape."""
    return for_terminal(text).replace("%", "%25")


def for_workflow_property(text: str) -> str:
    """Return text for a property of a workflow command."""
    return for_workflow_data(text).replace(":", "%3A").replace(",", "%2C")


def for_sarif(text: str) -> str:
    """Return text for a message of SARIF, where ``[text](place)`` is a link."""
    return for_terminal(text).replace("](", r"\](")


def without_infinite(value: Any) -> Any:
    """Return a value for JSON with null in place of numbers that JSON does not have: absurd sizes overflow."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {name: without_infinite(each) for name, each in value.items()}
    return [without_infinite(each) for each in value] if isinstance(value, list | tuple) else value


def for_json(document: str) -> str:
    """Return the same JSON, with what a terminal or a log would read as a command written as ``\\uXXXX``."""
    lines = _CONTROL.sub(lambda match: match[0] if match[0] == "\n" else f"\\u{ord(match[0]):04x}", document)
    return _OLD_COMMAND.sub(r"\1\\u005b", lines)


def for_markdown(text: str) -> str:
    """Return text for a cell, a heading or an item of Markdown: one line, without markup of its own."""
    return _escaped(" ".join(text.split()))


def _escaped(text: str) -> str:
    line = for_terminal(re.sub(r"\s+", " ", text))
    return _MARKUP.sub(lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), line)


def for_markdown_item(text: str) -> str:
    """Return a sentence for an item of Markdown, whose commands in backticks are code that can be copied.

    All else is as `for_markdown` writes it, other backticks too, so what is between two of them has no markup.
    """
    texts = _CODE.split(text)  # between two commands, and each command without its backticks
    return "".join(
        f"`{for_terminal(' '.join(piece.split()))}`" if number % 2 else _escaped(piece)
        for number, piece in enumerate(texts)
    )


def for_csv(text: str) -> str:
    """Return text for a cell of CSV, with OWASP's quote before a spreadsheet formula or a log command."""
    cell = for_terminal(text)
    return f"'{cell}" if _FORMULA.match(cell) or _COMMAND.match(cell) else cell
