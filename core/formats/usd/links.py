# SPDX-License-Identifier: Apache-2.0
"""A rigid body of a USD stage as a link: what its mass attributes give, the rest as engines compute it.

The rules are those in which OpenUSD and Newton agree. A body's mass wins over the masses of its shapes, and scales
them; of a shape without a mass, its density wins over the body's, that over its material's, that over 1000 kg/m³.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ...body.materials import WATER
from ...document.element import Element
from ...errors import Finding, first_error, has_error
from ...judge.geometry.written import Written
from ...robot.model import Collision, Link, Visual
from ...robot.part import PartBody
from ...robot.resolve import LinkBody, resolve_link, scaled
from ..file_link import FileLink, PartNames
from .read import Body, MassValues, Shape, UsdRobot


@dataclass(frozen=True, eq=False)
class UsdLink(FileLink):
    """A body; its `element` is its prim.

    It is auto if engines compute its tensor from its colliders; a mass alone scales what they compute.
    """

    read: Body
    above: str | None

    @property
    def is_root(self) -> bool:
        return self.above is None

    @property
    def parent(self) -> str | None:
        return self.above

    @property
    def given(self) -> MassValues:
        """What its mass attributes give."""
        return self.read.values

    @property
    def has_inertial(self) -> bool:
        return self.given.is_given

    @property
    def has_tensor(self) -> bool:
        return self.given.tensor is not None

    @property
    def has_collision(self) -> bool:
        return bool(self.read.colliders)

    @property
    def collision_places(self) -> Sequence[Element | None]:
        return [None if shape.is_drawn else shape.place for shape in self.read.colliders]

    @property
    def has_geometry(self) -> bool:
        return any(shape.collides or shape.is_drawn for shape in self.read.shapes)

    @cached_property
    def inertial(self) -> Inertial | None:
        """What is given, with a tensor; the mass or centre that it lacks is that of its colliders, as in engines."""
        given, tensor = self.given, self.given.tensor
        if tensor is None:
            return None
        computed = self.computed.inertial if given.mass is None or given.com is None else None
        mass, com = given.mass, given.com
        if computed is not None:
            mass, com = mass or computed.mass, computed.com if com is None else com
        elif com is None and not self.has_collision:
            com = np.zeros(3)
        return None if mass is None or com is None else Inertial(mass, com, tensor)

    @property
    def mass(self) -> float | None:
        return self.given.mass if self.inertial is None else self.inertial.mass

    @property
    def com(self) -> FloatArray | None:
        return self.given.com if self.inertial is None else self.inertial.com

    @property
    def written(self) -> Written | None:
        return self.given.written if self.inertial is not None and self.inertial.is_finite() else None

    def _written(self, mass: Element, tensor: Element) -> Written:
        raise NotImplementedError  # `written` has the numbers of the stage

    @cached_property
    def _solid(self) -> Link:
        collisions = tuple(self._collision(shape) for shape in self.read.colliders)
        return Link(self.name, self.read.pose, "filled", WATER if self.auto else None, collisions=collisions)

    @cached_property
    def link(self) -> Link:
        return self._solid if self.auto else replace(self._solid, mode="manual", manual=self.inertial)

    def _collision(self, shape: Shape) -> Collision:
        (pose, geometry), mass = shape.placed, shape.own.mass
        return Collision(
            shape.name,
            pose,
            geometry,
            shape.chosen_density if mass is None else None,
            mass=mass,
            write_as="decomposed" if shape.given["approximation"] == "convexDecomposition" else "as_is",
        )

    @cached_property
    def visuals(self) -> Sequence[Visual]:
        return [_visual(shape) for shape in self.read.shapes if shape.is_drawn]

    @property
    def part_names(self) -> PartNames:
        return {
            (kind, shape.name): (shape.given["material"].rpartition("/")[2],)
            for shape in self.read.shapes
            for kind in ("collision", "visual")
        }

    @cached_property
    def computed(self) -> LinkBody:
        """What engines compute from the colliders, whatever the body itself gives but a density."""
        body = resolve_link(replace(self._solid, density=WATER))
        shapes = {shape.name: shape for shape in self.read.colliders if shape.own.has_own_shape}
        if not shapes or body.inertial is None:
            return body
        parts = tuple(_with_own(part, shapes[part.name]) if part.name in shapes else part for part in body.parts)
        first, *others = (part.inertial for part in parts if part.inertial is not None)
        return replace(body, inertial=sum(others, start=first), parts=parts)

    @cached_property
    def body(self) -> LinkBody:
        given = self.given
        if not self.auto:
            body = self._given(self.read.pose)
            lacking = self.inertial is None and given.tensor is not None
            return replace(body, findings=(*body.findings, self._lacking())) if lacking else body
        inertial, parts = self.computed.inertial, self.computed.parts
        findings = (*self.findings, *self.computed.findings)
        if given.mass is not None:  # of a mass that none can have, the finding
            findings += Inertial(given.mass, np.zeros(3), np.eye(3)).findings()
        if inertial is not None and not has_error(findings):
            if given.mass is not None:
                parts = tuple(scaled(part, given.mass / inertial.mass) for part in parts)
                inertial = inertial.scaled_to(given.mass)
            if given.com is not None:
                with np.errstate(invalid="ignore", over="ignore"):
                    inertial = Inertial(inertial.mass, given.com, inertial.inertia_about(given.com))
                findings += inertial.findings()
        inertial = None if has_error(findings) else inertial
        return replace(self.computed, inertial=inertial, parts=parts, findings=findings, mode="auto", link=self.link)

    def _lacking(self) -> Finding:
        """Return the finding for a tensor whose mass or centre would be that of colliders, which have none."""
        lacking = "mass" if self.given.mass is None else "centerOfMass"
        error = first_error(self.computed.all_findings()) if self.has_collision else None
        if error is None:
            return Finding.of("error", "usd_partial", "", "nothing", lacking=lacking)
        return Finding.of("error", "usd_partial", "", "unknown", lacking=lacking, reason=error.sentence)


def _visual(shape: Shape) -> Visual:
    color, metalness, roughness = shape.look
    material = shape.given["material"].rpartition("/")[2]
    return Visual(shape.name, *shape.placed, color, metalness, roughness, material=material)


def usd_links(robot: UsdRobot, parents: Mapping[str, str]) -> list[UsdLink]:
    """Return the bodies of a stage as links; `parents` has the link that a joint holds each by."""
    links = []
    for body in robot.bodies:
        auto = body.values.tensor is None and bool(body.colliders)
        static = bool(body.given["kinematic"])
        links.append(UsdLink(robot.name, body.name, body.place, auto, static, (), body, parents.get(body.name)))
    return links


def _with_own(part: PartBody, shape: Shape) -> PartBody:
    """Return a collider with the centre and tensor that it gives itself; a tensor without its own is moved to it."""
    if part.inertial is None:
        return part
    pose, before = shape.in_body
    com = part.inertial.com if shape.own.com is None else pose.R @ before @ shape.own.com + pose.p
    tensor = part.inertial.inertia_about(com)
    if shape.own.tensor is not None:
        tensor = pose.R @ shape.own.tensor @ pose.R.T
    return replace(part, inertial=Inertial(part.inertial.mass, com, tensor))
