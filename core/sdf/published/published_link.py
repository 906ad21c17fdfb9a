# SPDX-License-Identifier: GPL-3.0-or-later
"""One link of a published file: its whole geometry, and what the file says that it weighs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

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
        Its collisions, without visuals; one that cannot be read is `Unusable`.
    published : Inertial or None
        In the link's frame; None where the file gives none, or none that can be read.
    given : bool
        Whether it has an ``<inertial>``.
    mass : float or None
        The mass that the file gives, be the rest readable or not.
    auto : bool
        Whether a simulator computes it.
    findings : tuple of Finding
        Errors that are all about the inertial; where a simulator computes it, about what it would compute it from too.
    names : mapping of (str, str) to tuple of str
        By ``("collision", name)`` and ``("visual", name)``: what a part is called besides, its mesh file and material.
    static : bool
        Whether its model never moves.
    has_visual : bool
    read_visuals, read_seen : callable
        Return `visuals` and `seen`: their meshes are large, and mostly nobody asks for them.
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
    static: bool = False
    has_visual: bool = False
    read_visuals: Callable[[], Sequence[Visual]] = tuple
    read_seen: Callable[[], Sequence[Part | Visual]] = tuple

    @cached_property
    def visuals(self) -> Sequence[Visual]:
        """Its visuals; one from which nothing can be computed is `Unusable`."""
        return self.read_visuals()

    @cached_property
    def seen(self) -> Sequence[Part | Visual]:
        """What is seen of it, by all who read the file: a glTF in both of the ways that simulators turn it."""
        return self.read_seen()

    @property
    def is_frame(self) -> bool:
        """Whether it is a mere frame, which weighs nothing: without inertial and geometry."""
        return not self.given and not (self.link.parts or self.has_visual)

    @property
    def full_name(self) -> str:
        """The name with its model's."""
        return f"{self.model}::{self.name}"
