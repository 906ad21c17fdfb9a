# SPDX-License-Identifier: GPL-3.0-or-later
"""The markup that TinyXML2 accepts, as regular expressions that read each character only a few times."""

from __future__ import annotations

import re

MAX_ATTRIBUTES = 1000
"""Maximum attributes of one element; SDF has at most ten."""

SPACES = " \t\n\v\f\r"
"""White space in TinyXML2: that of XML and two control characters."""

_S = f"[{SPACES}]*+"
_NAME = "[A-Za-z_:\x80-\uffff][A-Za-z0-9_:.\x80-\uffff-]*+"

SPACE = re.compile(_S)

TAG = re.compile(f"<({_S})(/?)({_NAME})")
"""The beginning of a tag: white space, the slash of an end tag, the name."""

ATTRIBUTE = re.compile(rf"""({_S})({_NAME}){_S}={_S}("[^"]*+"|'[^']*+')""")
"""White space, an attribute's name, its value with quotes."""

TAG_END = re.compile(f"{_S}(/?)>")

# The rest is as in XML. Most tags are so, and most elements contain only a text: one match reads these whole.
_X = "[ \t\r\n]"
_PLAIN_NAME = "[A-Za-z_][A-Za-z0-9_.-]*+"
_PLAIN_ATTRIBUTE = rf"""{_X}++{_PLAIN_NAME}{_X}*+={_X}*+(?:"[^"<]*+"|'[^'<]*+')"""

PLAIN = re.compile(
    rf"{_X}*+<(?:/({_PLAIN_NAME}){_X}*+>"
    rf"|({_PLAIN_NAME})((?:{_PLAIN_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+){_X}*+(?:/>|>(?:([^<]*+)</\2{_X}*+>)?+))"
)
"""An end tag's name; or a start tag's name and attributes, and its text if the end tag follows."""

DECLARATION = re.compile(
    rf"""<\?xml{_X}++version{_X}*+={_X}*+(?:"1\.\d++"|'1\.\d++')"""
    rf"""(?:{_X}++encoding{_X}*+={_X}*+(?:"[A-Za-z][\w.-]*+"|'[A-Za-z][\w.-]*+'))?+"""
    rf"""(?:{_X}++standalone{_X}*+={_X}*+(?:"(?:yes|no)"|'(?:yes|no)'))?+{_X}*+\?>""",
    re.ASCII,
)

INSTRUCTION = re.compile(rf"<\?(?![xX][mM][lL][{SPACES}?]){_PLAIN_NAME}(?:{_X}|\?>)")


def tag_end(text: str, start: int) -> int:
    """Return the end of a tag."""
    found = TAG.match(text, start)
    while found:
        place = found.end()
        found = ATTRIBUTE.match(text, place)
    end = TAG_END.match(text, place)
    assert end
    return end.end()
