# SPDX-License-Identifier: GPL-3.0-or-later
"""One link of a published file: its whole geometry, and what the file says that it weighs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...body.inertial import Inertial
from ...errors import Finding
from ...robot.model import Link, Part, Visual
from ..xml.document import Document, Place


@dataclass(frozen=True, eq=False)
class PublishedLink:
    """A link as its file has it.

    Parameters
    ----------
    model, name : str
        The model's name, scoped where it stands in another, and the link's own in it.
    place : Place
    document : Document
        The file it stands in.
    link : Link
        Its collisions and visuals; one that cannot be read is `Unusable`.
    published : Inertial or None
        In the link's frame; None where the file gives none, or none that can be read.
    given : bool
        Whether it has an ``<inertial>``.
    mass : float or None
        The mass that the file gives, be the rest readable or not.
    auto : bool
        Whether a simulator computes it.
    findings : tuple of Finding
        Errors that are all about the inertial.
    names : mapping of (str, str) to tuple of str
        By ``("collision", name)`` and ``("visual", name)``: what a part is called besides, its mesh file and material.
    seen : sequence of Part or Visual
        What is seen of it, by all who read the file: a glTF in both of the ways that simulators turn it.
    """

    model: str
    name: str
    place: Place
    document: Document
    link: Link
    published: Inertial | None
    given: bool
    mass: float | None
    auto: bool = False
    findings: tuple[Finding, ...] = ()
    names: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    seen: Sequence[Part | Visual] = ()

    @property
    def full_name(self) -> str:
        """The name with its model's."""
        return f"{self.model}::{self.name}"
