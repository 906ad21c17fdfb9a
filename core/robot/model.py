# SPDX-License-Identifier: Apache-2.0
"""A robot as data classes: model, links, joints, parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from ..arrays import FloatArray, readonly
from ..body.inertial import Inertial
from ..body.moments import Moments
from ..body.pose import Pose
from ..body.shapes import Shape
from ..errors import Finding, InertiaError
from ..mesh.surface import Surface

InertiaMode = Literal["auto", "filled", "manual", "none"]

WriteAs = Literal["as_is", "convex_hull", "simplified", "decomposed"]

JointKind = Literal["fixed", "revolute", "continuous", "prismatic", "screw", "universal", "ball"]

DYNAMICS = ("damping", "friction")
"""Numbers of a joint that SDF has in ``<dynamics>``, by their names there and in `Joint`; 0 has no effect."""

SPRING = ("spring_reference", "spring_stiffness")
"""Those of a spring, which Blender's joints do not have."""

WORLD = "world"
"""The name of a joint's parent that fixes a robot to the world."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """A triangle mesh under a linear map: its points in the part's frame [m] are ``stretch @ vertex``.

    The map holds unit, scale, mirror and shear, so that an unchanged surface keeps its identity, and with it its
    integrated moments.
    """

    surface: Surface
    stretch: FloatArray
    kind: ClassVar[str] = "mesh"

    def __post_init__(self) -> None:
        object.__setattr__(self, "stretch", readonly(self.stretch, (3, 3)))
        if not abs(np.linalg.det(self.stretch)) > 0.0:
            raise InertiaError.of("zero_scale", "", "part")

    @property
    def volume_scale(self) -> float:
        """The mesh's volume over that of the surface."""
        return abs(float(np.linalg.det(self.stretch)))

    @cached_property
    def baked(self) -> Surface:
        """The surface with the map applied, its winding still outward [m]."""
        return self.surface.stretched(self.stretch)


@dataclass(frozen=True)
class Unusable:
    """Takes the place of a geometry that could not be read; its moments raise `error`."""

    error: InertiaError
    kind: ClassVar[str] = "unusable"

    def moments(self) -> Moments:
        raise self.error


Geometry = Shape | Mesh | Unusable


@dataclass(frozen=True, eq=False)
class Part:
    """A solid part of a link. Unless it is a `Collision`, it has mass and does not collide.

    Parameters
    ----------
    name : str
        Unique in its link.
    pose : Pose
        In the link's frame.
    geometry : Geometry
        In the part's frame.
    density : float or None
        [kg/m³]; None leaves it to the link.
    params : mapping of str to str, or None
        ``auto_inertia_params`` by qualified name, such as ``{"gz:voxel_size": "0.01"}``. None leaves them to the
        link; an empty mapping hides the link's.
    findings : tuple of Finding
        About reading it.
    mass : float or None
        Its own mass [kg], which overrides its density and its link's target.
    """

    name: str
    pose: Pose
    geometry: Geometry
    density: float | None = None
    params: Mapping[str, str] | None = None
    findings: tuple[Finding, ...] = ()
    mass: float | None = None


class Look(NamedTuple):
    """Linear RGBA, and the metalness and roughness of physically based rendering, 0 to 1; None if not given."""

    color: tuple[float, float, float, float] | None = None
    metalness: float | None = None
    roughness: float | None = None


@dataclass(frozen=True, eq=False)
class Collision(Part):
    """A part that collides; without `has_mass` it has no mass.

    Its mesh is written for contacts as `write_as` chooses: the mesh as measured, its convex hull, a mesh
    of fewer faces within `simplify_tolerance` [m], or to be decomposed into convex pieces by the simulator. `look` is
    that of its visual if it is drawn, see `model_as_written`.
    """

    has_mass: bool = True
    write_as: WriteAs = "as_is"
    simplify_tolerance: float = 0.001
    look: Look = Look()


@dataclass(frozen=True, eq=False)
class Texture:
    """A texture on a visual's mesh or shape.

    Parameters
    ----------
    stem : str
        Stem of its file's name.
    suffix : {".png", ".jpg"}
    data : bytes
        Content of the file.
    uv : ndarray, shape (m, 3, 2), or None
        Texture coordinates, from the bottom left, of each corner of the mesh's triangles; None on a shape.
    """

    stem: str
    suffix: str
    data: bytes
    uv: FloatArray | None


@dataclass(frozen=True, eq=False)
class Visual:
    """A visual of a link; `pose` is in the link's frame, `color` is linear RGBA or None.

    `metalness` and `roughness`, 0 to 1, are those of physically based rendering; None if not given. `material` is the
    name of its material; empty if it has none. `image` is the file of the texture that an import gives it.
    """

    name: str
    pose: Pose
    geometry: Geometry
    color: tuple[float, float, float, float] | None = None
    metalness: float | None = None
    roughness: float | None = None
    texture: Texture | None = None
    material: str = ""
    image: Path | None = None


@dataclass(frozen=True, eq=False)
class Link:
    """A rigid body of a model.

    Parameters
    ----------
    name : str
        Unique in its model.
    pose : Pose
        In the model's frame.
    mode : {"auto", "filled", "manual", "none"}
        How its inertial is to be written. With ``none`` it has none: nothing is computed, and it has no mass.
    density : float or None
        [kg/m³] of all collisions without a density of their own.
    mass : float or None
        Target mass [kg]: mass and tensor are scaled to it, except for parts with a mass of their own.
    params : mapping of str to str
        ``auto_inertia_params`` of all collisions without their own.
    manual : Inertial or None
        An inertial entered by hand, in the link's frame; it overrides the mode.
    empty : bool
        True if it has no parts and nothing depends on it, such as a tool's frame: then it is left out of the file.
    masses : tuple of Part
        Parts with mass and without collision.
    """

    name: str
    pose: Pose = Pose.identity
    mode: InertiaMode = "auto"
    density: float | None = None
    mass: float | None = None
    params: Mapping[str, str] = field(default_factory=dict)
    manual: Inertial | None = None
    collisions: tuple[Collision, ...] = ()
    visuals: tuple[Visual, ...] = ()
    findings: tuple[Finding, ...] = ()
    empty: bool = False
    masses: tuple[Part, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """All solid parts, collisions first."""
        return (*self.collisions, *self.masses)

    @property
    def weighed(self) -> tuple[Part, ...]:
        """The parts that have mass, in the same order."""
        return (*(collision for collision in self.collisions if collision.has_mass), *self.masses)


@dataclass(frozen=True, eq=False)
class Frame:
    """A named frame fixed to a link, such as a tool's tip; `pose` is in the frame of the link `attached_to`.

    In the URDF that it is from, it is a link that the fixed joint `joint` holds.
    """

    name: str
    pose: Pose
    attached_to: str
    joint: str = ""


class Mimic(NamedTuple):
    """A joint follows another: its position is ``multiplier * position + offset`` [rad or m]."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint between two links, by their names.

    Parameters
    ----------
    kind : {"fixed", "revolute", "continuous", "prismatic", "screw", "universal", "ball"}
    parent : str
        A link, or `WORLD`.
    pose : Pose
        In the child's frame.
    axis, axis2 : tuple of float
        In the joint's frame, of any length above 0; only a universal joint has the second.
    lower, upper : float or None
        Limits [rad], of a prismatic joint [m]; None if there are none.
    effort, velocity : float or None
        Maximum [N·m or N], [rad/s or m/s]; None for no limit.
    damping, friction : float
        [N·m·s/rad or N·s/m], [N·m or N].
    spring_reference, spring_stiffness : float
        Position at which its spring is at rest [rad or m]; [N·m/rad or N/m], 0 without a spring.
    pitch : float
        Of a screw: travel in one turn [m].
    rotor_inertia : float
        Of its motor's rotor about the rotor's axis [kg·m²]; 0 if it is not given.
    gear_ratio : float
        Speed of the rotor over that of the joint; of a prismatic joint in rad/m.
    mimic : Mimic or None
        The joint that it follows.
    place : Element or None
        That of its file, which as text is its place; None if it is not from a file.
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    pose: Pose = Pose.identity
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    axis2: tuple[float, float, float] = (1.0, 0.0, 0.0)
    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None
    damping: float = 0.0
    friction: float = 0.0
    spring_reference: float = 0.0
    spring_stiffness: float = 0.0
    pitch: float = 0.0
    rotor_inertia: float = 0.0
    gear_ratio: float = 1.0
    mimic: Mimic | None = None
    place: object = None

    @property
    def has_motor(self) -> bool:
        """True if a rotor or a gear is given."""
        return self.rotor_inertia != 0.0 or self.gear_ratio != 1.0

    @property
    def armature(self) -> float:
        """The rotor's inertia as the joint feels it: N²·J [kg·m², of a prismatic joint kg]."""
        return self.gear_ratio**2 * self.rotor_inertia


@dataclass(frozen=True, eq=False)
class Model:
    """A model: links, the joints between them, and frames; `mass` [kg] is the target of all links together, if any.

    `pose` is the model's in its world; `placed` gives it to the links. A `static` model does not move, and its masses
    do not matter. `author` and `description` are for model.config.
    With `dummy_root`, its URDF has a link without mass above the root.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...] = ()
    findings: tuple[Finding, ...] = ()
    frames: tuple[Frame, ...] = ()
    mass: float | None = None
    static: bool = False
    author: str = ""
    description: str = ""
    dummy_root: bool = False
    pose: Pose = Pose.identity

    def placed(self) -> Model:
        """Return the same model with the poses of its links in the world, for formats whose models have no pose."""
        links = tuple(replace(link, pose=self.pose @ link.pose) for link in self.links)
        return replace(self, links=links, pose=Pose.identity) if any(self.pose.to_sdf()) else self
