# SPDX-License-Identifier: Apache-2.0
"""A link of a robot's file: the inertial that the file gives, its geometry, and its place in the file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from ..arrays import FloatArray
from ..body.inertial import Inertial
from ..body.pose import Pose
from ..document.document import Document
from ..document.element import Element, child_of, children_of
from ..errors import Finding, has_error
from ..judge.geometry.written import Written
from ..robot.extent import Extent, extent_of
from ..robot.model import Collision, Link, Part, Visual
from ..robot.resolve import LinkBody, resolve_link
from ..units import listed_text

Source = Literal["collision", "visual"]
SOURCES: tuple[Source, ...] = get_args(Source)

DUMMY, DUMMY_SIZE = 0.05, 0.01
"""A collision is a dummy if it is at most this share of its visuals' size, and at most this large [m]."""

PartNames = Mapping[tuple[str, str], tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class FileLink(ABC):
    """A link of a file; each format has a class of its own.

    Parameters
    ----------
    model : str
        The model's name, with those of the models around it: ``model::nested``.
    local_name : str
        The link's name in its model.
    element : Element
        The ``<link>``; an included model has a document of its own.
    auto : bool
        True if a simulator computes its inertial.
    static : bool
        True if its model never moves.
    findings : tuple of Finding
        What is wrong with the link's own element; an error refuses the link.
    """

    model: str
    local_name: str
    element: Element
    auto: bool
    static: bool
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """The link's name with its model's: ``model::nested::link``."""
        return f"{self.model}::{self.local_name}"

    @property
    def document(self) -> Document:
        """The file of the link."""
        return self.element.document

    @property
    def has_inertial(self) -> bool:
        """True if it has an ``<inertial>``, whatever its content."""
        return child_of(self.element, "inertial") is not None

    @property
    def has_tensor(self) -> bool:
        """True if its inertial has a tensor, whatever its content."""
        return child_of(child_of(self.element, "inertial"), "inertia") is not None

    @property
    def has_collision(self) -> bool:
        """True if it has a collision, readable or not."""
        return child_of(self.element, "collision") is not None

    @property
    def has_geometry(self) -> bool:
        """True if it has a collision or a visual, readable or not."""
        return self.has_collision or child_of(self.element, "visual") is not None

    @property
    def collision_places(self) -> Sequence[Element | None]:
        """The elements of its collisions, in their order in `link`; None for one that is drawn, too."""
        return children_of(self.element, "collision")

    @property
    def is_frame(self) -> bool:
        """True if it has neither an inertial nor geometry."""
        return not (self.has_inertial or self.has_geometry)

    @property
    def is_root(self) -> bool:
        """True if it is the root of a tree of links; always False if its format has no tree."""
        return False

    @property
    def parent(self) -> str | None:
        """Its parent link, if its format has a tree of links."""
        return None

    @property
    @abstractmethod
    def inertial(self) -> Inertial | None:
        """The file's inertial, in the link's frame; None if mass or tensor are missing or cannot be read."""

    @property
    def written(self) -> Written | None:
        """The tensor as written, with its digits; None if there is no `inertial`."""
        given = child_of(self.element, "inertial")
        mass, tensor = child_of(given, "mass"), child_of(given, "inertia")
        return None if self.inertial is None or mass is None or tensor is None else self._written(mass, tensor)

    @abstractmethod
    def _written(self, mass: Element, tensor: Element) -> Written:
        """Return the texts of mass and tensor."""

    @property
    @abstractmethod
    def mass(self) -> float | None:
        """The mass in the file [kg], even if the rest of the inertial cannot be read."""

    @property
    @abstractmethod
    def com(self) -> FloatArray | None:
        """The centre of mass in the file (3,) [m], in the link's frame, even if the tensor cannot be read."""

    @property
    def com_texts(self) -> Sequence[str]:
        """The three numbers of the centre of mass as written; none if the format has no text, or the file none."""
        return ()

    @property
    @abstractmethod
    def link(self) -> Link:
        """The link with its collisions, without visuals; a collision that cannot be read is `Unusable`."""

    @property
    @abstractmethod
    def visuals(self) -> Sequence[Visual]:
        """Its visuals; one that cannot be computed is `Unusable`."""

    @property
    def drawn(self) -> Link:
        """The link with its collisions and its visuals."""
        return replace(self.link, visuals=tuple(self.visuals))

    @property
    def visuals_with_extent(self) -> Sequence[Part | Visual]:
        """All of its geometry that a simulator may show."""
        return self.visuals

    @property
    @abstractmethod
    def part_names(self) -> PartNames:
        """By ``("collision", name)`` and ``("visual", name)``: the names of the part's mesh file and material."""

    @property
    @abstractmethod
    def body(self) -> LinkBody:
        """The link's inertial: the given one, or computed if it is auto."""

    def _given(self, pose: Pose) -> LinkBody:
        """Return the body of the file's inertial, with what is wrong with its numbers; `pose` is in the model."""
        findings, inertial = self.findings, self.inertial
        if inertial is not None:
            findings += tuple(self.element.about(finding) for finding in inertial.findings())
        sound = None if has_error(findings) else inertial
        bare = Link(self.name, pose, "manual", manual=inertial)
        return LinkBody(self.name, sound, None, "manual", 0.0, findings, "manual", pose, (), bare)

    def parts(self, source: Source) -> tuple[Collision, ...]:
        """Return its collisions, or its visuals as parts that can be computed."""
        if source == "collision":
            return self.link.collisions
        return tuple(Collision(visual.name, visual.pose, visual.geometry) for visual in self.visuals)

    @property
    def has_dummy_collision(self) -> bool:
        """True if its collisions are a point inside its visuals, which says nothing about its shape."""
        collisions = extent_of(self.link.collisions)
        if collisions is None or not collisions.longest <= DUMMY_SIZE or self.auto:
            return False
        visuals = extent_of(self.visuals)
        return visuals is not None and collisions.longest <= DUMMY * visuals.longest

    @property
    def extent(self) -> Extent | None:
        """The box around all of its geometry that can be read."""
        return extent_of([*self.link.collisions, *self.visuals_with_extent])

    @property
    def solid(self) -> Link:
        """The link with its collisions alone, to compute their inertia."""
        return replace(self.link, mode="filled", manual=None, mass=None, params={}, findings=())

    def uniform(self) -> LinkBody | None:
        """Return its collisions as one uniform body, measured quickly; None if they have no result."""
        return self._uniform(self.solid)

    def uniform_shown(self) -> LinkBody | None:
        """Return the same, or for a link without collisions its visuals."""
        solid = self.solid
        if not solid.collisions or self.has_dummy_collision:
            solid = replace(solid, collisions=self.parts("visual"))
        return self._uniform(solid)

    def _uniform(self, solid: Link) -> LinkBody | None:
        body = resolve_link(solid, quick=True)
        return None if body.refused else body


def bodies_text(links: Sequence[FileLink]) -> str:
    """Return links as a finding names bodies: ``body arm``, or their count and the first names."""
    names = names_text(links)
    return f"body {names}" if len(links) == 1 else f"{len(links)} bodies ({names})"


def names_text(links: Sequence[FileLink]) -> str:
    """Return the first names of links, and how many more there are."""
    return listed_text([link.local_name for link in links], 3)
