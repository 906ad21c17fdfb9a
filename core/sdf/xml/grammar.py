# SPDX-License-Identifier: GPL-3.0-or-later
"""The markup that TinyXML2 takes, as regular expressions; none of them looks at a character more than a few times."""

from __future__ import annotations

import re

MAX_ATTRIBUTES = 1000
"""Attributes of one element; SDF knows none with more than ten."""

SPACES = " \t\n\v\f\r"
"""White space to TinyXML2: that of XML and two control characters."""

_S = f"[{SPACES}]*+"
_NAME = "[A-Za-z_:\x80-\uffff][A-Za-z0-9_:.\x80-\uffff-]*+"

SPACE = re.compile(_S)

TAG = re.compile(f"<({_S})(/?)({_NAME})")
"""How a tag begins: white space, the slash of an end tag, the name."""

ATTRIBUTE = re.compile(rf"""({_S})({_NAME}){_S}={_S}("[^"]*+"|'[^']*+')""")
"""White space, an attribute's name, its value with quotes."""

TAG_END = re.compile(f"{_S}(/?)>")

# The rest is as XML has it. Most tags are so, and most elements hold a text alone: one match is all that these take.
_X = "[ \t\r\n]"
_PLAIN_NAME = "[A-Za-z_][A-Za-z0-9_.-]*+"
_PLAIN_ATTRIBUTE = rf"""{_X}++{_PLAIN_NAME}{_X}*+={_X}*+(?:"[^"<]*+"|'[^'<]*+')"""

PLAIN = re.compile(
    rf"{_X}*+<(?:/({_PLAIN_NAME}){_X}*+>"
    rf"|({_PLAIN_NAME})((?:{_PLAIN_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+){_X}*+(?:/>|>(?:([^<]*+)</\2{_X}*+>)?+))"
)
"""An end tag's name; or a start tag's name and attributes, and its text where the end tag follows."""

DECLARATION = re.compile(
    rf"""<\?xml{_X}++version{_X}*+={_X}*+(?:"1\.\d++"|'1\.\d++')"""
    rf"""(?:{_X}++encoding{_X}*+={_X}*+(?:"[A-Za-z][\w.-]*+"|'[A-Za-z][\w.-]*+'))?+"""
    rf"""(?:{_X}++standalone{_X}*+={_X}*+(?:"(?:yes|no)"|'(?:yes|no)'))?+{_X}*+\?>""",
    re.ASCII,
)

INSTRUCTION = re.compile(rf"<\?(?![xX][mM][lL][{SPACES}?]){_PLAIN_NAME}(?:{_X}|\?>)")


def tag_end(text: str, start: int) -> int:
    """Return where a tag ends that is known to be one."""
    found = TAG.match(text, start)
    while found:
        place = found.end()
        found = ATTRIBUTE.match(text, place)
    end = TAG_END.match(text, place)
    assert end
    return end.end()
