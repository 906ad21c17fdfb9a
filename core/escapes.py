# SPDX-License-Identifier: GPL-3.0-or-later
"""One escape for each kind of output: a name from a file never becomes a command, a line or markup.

Only what writes an output calls these, once, on each text that may hold a name. Findings and tables hold plain text.
"""

from __future__ import annotations

import re

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters (C0, DEL, C1), other line ends, marks that reverse the direction of text, lone surrogates."""


def for_terminal(text: str) -> str:
    """Return a text for one line of a terminal or a log; each control character as Python writes it."""
    return _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)


def for_markdown(text: str) -> str:
    """Return a text for a cell, a heading or an item of Markdown: one line, without markup of its own."""
    line = for_terminal(" ".join(text.split()))
    for mark, escaped in (("|", r"\|"), ("<", "&lt;"), ("`", r"\`"), ("*", r"\*"), ("](", r"]\(")):
        line = line.replace(mark, escaped)
    return line


def for_csv(text: str) -> str:
    """Return a text for a cell of CSV, which a spreadsheet does not take for a formula (OWASP)."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def for_log(text: str) -> str:
    """Return a text for a whole line of a log, which is not a command of GitHub Actions."""
    line = for_terminal(text)
    return f" {line}" if line.lstrip().startswith(("::", "##[")) else line


def for_workflow_data(text: str) -> str:
    """Return a text for the message of a workflow command."""
    return for_terminal(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def for_workflow_property(text: str) -> str:
    """Return a text for a property of a workflow command."""
    return for_workflow_data(text).replace(":", "%3A").replace(",", "%2C")
