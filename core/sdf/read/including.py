# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what an include overrides in its model, and checks what libsdformat refuses about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...errors import Finding, InertiaError
from ..codes import sdf_error
from ..spec.element_faults import no_attribute
from ..spec.names import is_reserved
from ..spec.values import text_of
from ..xml.document import Document, Element, child_of, children_of
from .classes import reserved
from .include import version_of
from .locate import NetworkError, NotFoundError

LISTED = 5
"""Includes that a warning lists besides the first."""


def name_of(document: Document, element: Element) -> str:
    """Return an element's name.

    Raises
    ------
    InertiaError
        ``no_name``.
    """
    name: str = element.get("name", "").strip()
    if not name:
        raise no_attribute(document, element, "name")
    return name


def given_name(document: Document, model: Element, including: Document, include: Element) -> str:
    """Return the name of an included model: the include's, else its own.

    Raises
    ------
    InertiaError
        ``no_name`` or ``reserved_name``.
    """
    given = child_of(include, "name")
    if given is None:
        return name_of(document, model)
    name = text_of(given)
    if is_reserved(name) or ("::" in name and version_of(including) > (1, 7)):
        raise reserved(including, given, name)
    return name


def check_placement(document: Document, include: Element) -> None:
    """Check that an include with a placement frame also has a pose."""
    given = child_of(include, "placement_frame")
    if given is None:
        return
    if child_of(include, "pose") is None:
        raise sdf_error("placement_without_pose", document.at(given))
    if text_of(given) == "__root__":
        raise reserved(document, given, "__root__")


def not_read(includes: Sequence[tuple[NotFoundError, str]]) -> Iterator[Finding]:
    """Yield one warning for each reason why includes were not read: on the network, not found, not allowed.

    The includes are given by error and URI.
    """
    for cause in dict.fromkeys((type(error), error.code) for error, _ in includes):
        same = [(error, uri) for error, uri in includes if (type(error), error.code) == cause]
        first = same[0][0]
        others = [ascii(uri) for uri in dict.fromkeys(uri for _, uri in same)][1:]
        more = f" and {len(others) - LISTED} more" if len(others) > LISTED else ""
        form = "network" if isinstance(first, NetworkError) else ""
        values = {"count": len(same), "reason": first.message, "others": ", ".join(others[:LISTED]) + more}
        finding = Finding.of("warning", "include_not_read", first.subject, form, **values, remedy=first.remedy)
        yield replace(finding, sdf_codes=first.sdf_codes)


def unmergeable(document: Document, model: Element, including: Document, include: Element) -> Iterator[InertiaError]:
    """Yield errors for elements of a model that cannot be merged into a world."""
    for tag in ("link", "gripper"):
        for one in children_of(model, tag):
            place = including.place(include)
            yield sdf_error("merge_unsupported", place, tag=tag, place=document.place(one))


def canonical_link(model: Element) -> str:
    """Return the link, or the nested model, that a model's own frame is fixed to."""
    first = child_of(model, "link")
    first = child_of(model, "model") if first is None else first
    return model.get("canonical_link", "").strip() or ("" if first is None else first.get("name", ""))


def not_whole(document: Document, model: Element) -> Iterator[InertiaError]:
    """Yield what libsdformat refuses about a model before it merges it into another."""
    static = child_of(model, "static")
    if child_of(model, "include") is not None or (static is not None and text_of(static).lower() in ("true", "1")):
        return
    names = [one.get("name", "") for tag in ("link", "model") for one in children_of(model, tag)]
    canonical = model.get("canonical_link", "").strip()
    if not names:
        yield sdf_error("no_link", document.place(model), "included")
    elif canonical and canonical.partition("::")[0] not in names:
        yield sdf_error("canonical_link_not_found", document.place(model), "included", canonical=canonical)
