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
