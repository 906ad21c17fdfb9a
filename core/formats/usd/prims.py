# SPDX-License-Identifier: Apache-2.0
"""A prim of a USD stage as an element of a file: its place is its path and a layer, since USD has no lines."""

from __future__ import annotations

from pathlib import Path

from ...document.characters import Characters
from ...document.document import Document
from ...document.element import Element

ROOT = "usd"
"""The tag of the root element of a layer's document."""

CRATE, TEXT = b"PXR-USDC", b"#usda"
"""How layers in binary and in text begin."""


class Prim(Element):
    """A prim; as text its place, ``robot.usda </bot/arm>`` for a link and ``robot.usda /bot/Joints/elbow`` for another.

    Attributes
    ----------
    place : str
        Its path in the stage.
    """

    __slots__ = ("place",)

    place: str

    def __init__(self, document: Document, place: str, is_link: bool = False) -> None:
        super().__init__("link" if is_link else "prim", {"name": place.rpartition("/")[2]})
        self.document, self.place = document, place

    @property
    def line(self) -> int:
        """No line: 0."""
        return 0

    @property
    def where(self) -> str:
        """Its layer."""
        return self.document.name

    @property
    def path(self) -> str:
        """Its path, in angle brackets for a link."""
        return f"<{self.place}>" if self.tag == "link" else self.place

    def __str__(self) -> str:
        return self.where if self.place == "/" else super().__str__()


def layer_document(data: bytes, name: str, path: Path | None = None) -> Document:
    """Return the document of a layer, text or crate, which is read with the stage."""
    document = Document(path, name, data, Characters(b"", name), Element(ROOT, {}), 1)
    document.root = Prim(document, "/")
    document.root.tag = ROOT
    return document
