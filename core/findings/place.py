# SPDX-License-Identifier: Apache-2.0
"""Where a finding is: its subject, the file, line and element, as every command and page words it."""

from __future__ import annotations

import re

LAYER = r".*\.[uU][sS][dD][aAcCzZ]?(?:\[[^\[\]]*\])?"
"""A pattern of the file of a layer of USD, or of one in a package: ``robot.usdz[arm.usda]``."""

PLACE = re.compile(rf"(?P<file>.*[^:]):(?P<line>\d+)(?: (?=/)|$)|(?P<layer>{LAYER}) (?=</|/)")
"""How a subject about an element of a file begins: ``FILE:LINE /path``. One about the file's XML has no more than that.
A prim of USD has no line: ``LAYER </path>`` is a link, ``LAYER /path`` anything else."""

CALL = re.compile(r"/xacro:[^/\[]+\[(?P<place>[^\[\]]+:\d+)\]")
"""The call of a macro of xacro in a subject."""

_LINK = re.compile(r"/link\[@name='(?P<name>.*?)'\](?P<below>/.*)?$")
_PRIM = re.compile(r"<(?P<path>/[^<>]*)>$")
_LINKS = re.compile(r"/(?:link|body)\[@name='(.*?)'\](?=/|$)")
_NAMED = re.compile(r"/(?P<tag>\w+)\[@name='(?P<name>.*?)'\](?=/|$)")


def where_of(subject: str) -> str:
    """Return the place of a subject, such as ``arm.urdf:8 base``; a subject without a line is returned unchanged."""
    place = PLACE.match(subject)
    if place is None:
        return subject
    if place["layer"] is not None:
        return f"{place['layer']} {subject[place.end() :].strip('<>')}".removesuffix(" /")
    calls = "".join(f", called at {call}" for call in CALL.findall(subject)[-1:])
    return f"{place['file']}:{place['line']} {element_name(subject[place.end() :])}".rstrip() + calls


def name_of(subject: str) -> str:
    """Return the name of a subject without its file, such as ``base``; its place if it has no name."""
    place = PLACE.match(subject)
    if place is not None and place["layer"] is not None:
        return subject[place.end() :].strip("<>")
    return (element_name(subject[place.end() :]) if place else "") or where_of(subject)


def link_of(subject: str) -> str | None:
    """Return the name of the link, or of the body of an MJCF, that a subject is or is in; None for anything else.

    That of a link of USD is the last name of its path.
    """
    prim = _PRIM.search(subject)
    if prim is not None:
        return prim["path"].rpartition("/")[2]
    names: list[str] = _LINKS.findall(subject)
    return names[-1] if names else None


def is_link(subject: str) -> bool:
    """Return True for a subject that is a link of a file, or something in a link."""
    return PLACE.match(subject) is not None and (_LINK.search(subject) or _PRIM.search(subject)) is not None


def element_name(path: str) -> str:
    """Return the link of a path in a file and what is below it, or the last element with a name."""
    link = _LINK.search(path)
    if link is None:
        named = list(_NAMED.finditer(path))
        return f"{named[-1]['tag']} '{named[-1]['name']}'" if named else path.rpartition("/")[2]
    below = [f"{part['tag']} '{part['name']}'" for part in _NAMED.finditer(link["below"] or "")]
    return ", ".join([link["name"], *below])
