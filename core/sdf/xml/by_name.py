# SPDX-License-Identifier: GPL-3.0-or-later
"""The elements of a tree that changes, by names such as ``link::visual``: each parent is looked through once."""

from __future__ import annotations

from dataclasses import dataclass, field

from .document import Element


@dataclass
class _Children:
    """Those children of an element that have a name, in their order, and how long these names are."""

    named: dict[str, list[Element]] = field(default_factory=dict)
    lengths: set[int] = field(default_factory=set)

    def add(self, child: Element) -> None:
        name = child.get("name")
        if name:
            self.named.setdefault(name, []).append(child)
            self.lengths.add(len(name))


class ByName:
    """Finds elements; it has to be told of every change."""

    def __init__(self) -> None:
        self._known: dict[Element, _Children] = {}

    def find(self, parent: Element, wanted: str, tag: str | None = None, shortest: int = 2) -> Element | None:
        """Return what a name stands for, of any tag without one; names may hold ``::`` too.

        Among the children of the model libsdformat overlooks names of one letter, unless it looks for the parent of
        something new.
        """
        children = self._children(parent)
        for child in children.named.get(wanted, ()):
            if tag is None or (tag == child.tag and len(wanted) >= shortest):
                return child
        for length in sorted(children.lengths, reverse=True):
            if length >= shortest and wanted.startswith("::", length):
                for child in children.named.get(wanted[:length], ()):
                    found = self.find(child, wanted[length + 2 :], tag, 1)
                    if found is not None:
                        return found
        return None

    def append(self, parent: Element, child: Element) -> None:
        """Add a child behind all others."""
        parent.append(child)
        if parent in self._known:
            self._known[parent].add(child)

    def remove(self, child: Element) -> None:
        """Take an element out of its tree."""
        parent = child.getparent()
        if parent in self._known:
            same = self._known[parent].named.get(child.get("name", ""), [])
            same[:] = [one for one in same if one is not child]
        parent.remove(child)

    def forget(self, parent: Element) -> None:
        """Take note that the children of an element are others now, or have other names."""
        self._known.pop(parent, None)

    def _children(self, parent: Element) -> _Children:
        if parent not in self._known:
            children = self._known[parent] = _Children()
            for child in parent.iterchildren("*"):
                children.add(child)
        return self._known[parent]
