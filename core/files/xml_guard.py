# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits on XML, checked before a library without limits reads it."""

from __future__ import annotations

from xml.parsers import expat

from ..errors import InertiaError

MAX_DEPTH = 256
"""Maximum depth of elements: far more than any nested model has, and half of TinyXML2's limit."""

MAX_ELEMENTS = 1_000_000
"""Maximum number of elements in a file."""


def guard(data: bytes, name: str) -> None:
    """Check XML for what would harm a reader.

    Raises
    ------
    InertiaError
        ``doctype``, ``too_deep``, ``too_many_elements``, ``bad_encoding`` or ``bad_xml``; the subject is ``name:line``.
    """
    parser = expat.ParserCreate()
    depth = count = 0

    def refuse(code: str, form: str = "", **values: int) -> InertiaError:
        return InertiaError.of(code, f"{name}:{parser.CurrentLineNumber}", form, **values)

    def doctype(*_: object) -> None:
        raise refuse("doctype", "xml")

    def start(*_: object) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > MAX_DEPTH:
            raise refuse("too_deep", "elements", limit=MAX_DEPTH)
        if count > MAX_ELEMENTS:
            raise refuse("too_many_elements", limit=MAX_ELEMENTS)

    def end(_tag: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        code = "bad_encoding" if "encoding" in reason else "bad_xml"
        raise InertiaError.of(code, f"{name}:{error.lineno}", "libxml", reason=reason) from None
    except (LookupError, UnicodeError, ValueError) as error:  # from Python's codecs, for an unknown encoding
        raise InertiaError.of("bad_encoding", name, "unknown", error=error) from None
    finally:
        # Break the reference cycle of parser and handlers.
        parser.StartDoctypeDeclHandler = parser.StartElementHandler = parser.EndElementHandler = None
