# SPDX-License-Identifier: Apache-2.0
"""Reports the URIs of meshes that lead nowhere here, and whose meshes are read by the end of the URI."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ..errors import Finding, InertiaError
from .element import Element
from .locate import Locator, is_absolute
from .packages import Packages


def foreign_paths(uris: Iterable[tuple[Element, str, Locator]]) -> Iterator[Finding]:
    """Yield the finding for meshes that are found only by the ends of their URIs.

    Parameters
    ----------
    uris : iterable of (Element, str, Locator)
        Where each URI is written, the URI, and what finds its mesh.
    """
    places = {(uri, locator.folder): (element, locator) for element, uri, locator in reversed([*uris])}
    foreign = []
    for (uri, folder), (element, locator) in reversed(places.items()):
        given = Packages() if is_absolute(uri) else locator.given
        if found(replace(locator, by_end=False, given=given), uri) is None:
            path = found(locator, uri)
            if path is not None:
                foreign.append((element, uri, Path(os.path.relpath(path, folder)).as_posix()))
    if foreign:
        element, uri, other = foreign[0]
        values = {"count": len(foreign), "uri": ascii(uri), "other": other}
        yield Finding.of("warning", "foreign_path", str(element), **values)


def found(locator: Locator, uri: str) -> Path | None:
    """Return the path of a mesh; None if it is not found."""
    try:
        return locator.find_mesh(uri, "")
    except InertiaError:
        return None
