# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents that are derived from others, such as the SDF of a URDF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from lxml import etree

from .document import Document, Element, Place


@dataclass(frozen=True, eq=False, kw_only=True)
class DerivedDocument(Document):
    """A document whose elements stand where those do that they were made of.

    Parameters
    ----------
    origins : dict of element to Place
        An element without an entry stands where its parent does.
    """

    origins: dict[Element, Place]

    @classmethod
    def of(cls, root: Element, origins: Mapping[Element, Place], source: Document) -> DerivedDocument:
        """Read a tree as a document in the place of another.

        Parameters
        ----------
        root : lxml element
        origins : mapping of element to Place
            What the elements of the tree were made of; the root has one.
        source : Document
            Whose name and path it has.

        Raises
        ------
        InertiaError
            What parsing raises, should the tree be too large.
        """
        made = [origins.get(element) for element in root.iter("*")]
        parsed = Document.parse(etree.tostring(root, encoding="utf-8"), source.name, source.path)
        known = {new: old for new, old in zip(parsed.root.iter("*"), made, strict=True) if old is not None}
        own = {one.name: getattr(parsed, one.name) for one in fields(parsed)}
        return cls(**own, origins=known)

    def line(self, element: Element) -> int:
        """Return the line that an element's origin begins on, from 1, in its own file."""
        document, origin = self._origin(element)
        return document.line(origin)

    def place(self, element: Element) -> str:
        """Return where an element's origin stands."""
        return str(self._origin(element))

    def _origin(self, element: Element) -> Place:
        while element not in self.origins:
            element = element.getparent()
        return self.origins[element]
