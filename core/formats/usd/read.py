# SPDX-License-Identifier: Apache-2.0
"""The physics of a USD stage as values in SI: bodies with their mass properties, shapes and joints.

OpenUSD composes the stage, in a child process; what it returns is in the units of the stage.
"""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any

import numpy as np

from ...arrays import FloatArray
from ...body.pose import Pose, rigid
from ...body.shapes import SHAPES, Box, Ellipsoid, Sphere
from ...document.document import Document
from ...errors import InertiaError
from ...files.polygons import fans
from ...judge.geometry.written import Written, written
from ...mesh.surface import Surface
from ...robot.model import WORLD, Geometry, Look, Mesh, Unusable
from .library import StageFiles
from .mass_text import Units, single
from .override import SUFFIX
from .prims import Prim, layer_document

NEAR = 1e-5
"""Numbers that differ relatively by less are the same in single precision, after a few roundings."""

ROUNDING = 1e-13
"""That of a few products in double precision."""

TURNED = {"X": np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]), "Y": np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])}
"""Rotation of a shape along another axis than z."""

FARTHEST = 1e30
"""No number of a place is larger: a product of some of them is still finite."""

Y_UP = Pose(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]), np.zeros(3))
"""The pose of a stage whose y axis is up, in the model."""


@dataclass(frozen=True, eq=False)
class MassValues:
    """What a prim's mass attributes give [SI]; None for what is not authored.

    Parameters
    ----------
    mass, density : float or None
        [kg], [kg/m³]
    com : ndarray or None
        In the prim's frame, times its scale (3,) [m].
    moments : ndarray or None
        Along the principal axes (3,) [kg·m²].
    R : ndarray
        The principal axes in the prim, columns of (3, 3).
    newton : ndarray or None
        Newton's own tensor (3, 3), in the prim's axes [kg·m²].
    written : Written or None
        The digits of the tensor.
    """

    mass: float | None
    density: float | None
    com: FloatArray | None
    moments: FloatArray | None
    R: FloatArray
    newton: FloatArray | None
    written: Written | None

    @classmethod
    def read(cls, given: Mapping[str, Any], units: Units) -> MassValues:
        """Return the values of a body or shape."""
        com, diagonal, axes = (_numbers(given.get(name)) for name in ("com", "diagonal", "axes"))
        six = given.get("newton_inertia")
        six = None if six is None else np.array([float(value) for value in six])
        six = six if six is not None and np.isfinite(six).all() else None  # as Newton
        length = 0.0 if axes is None else float(np.linalg.norm(axes))
        R = np.eye(3) * (1.0 if length == 0.0 else np.nan)  # numbers that are not finite are a finding
        if axes is not None and 0.0 < length < np.inf:
            R = Pose.from_quaternion(np.zeros(3), [*axes[1:], axes[0]]).R
        return cls(
            optional(given["mass"], units.kilograms),
            optional(given["density"], units.density),
            None if com is None else com * np.array(units.scale) * units.meters,
            None if diagonal is None else _possible(diagonal) * units.moment,
            R,
            None if six is None else _symmetric(six) * units.moment,
            _digits(given["mass"], diagonal, six, R, units.moment),
        )

    @property
    def is_given(self) -> bool:
        """True if anything but a density is authored."""
        return any(value is not None for value in (self.mass, self.com, self.moments, self.newton))

    @property
    def is_whole(self) -> bool:
        """True if mass, centre and tensor are authored, and nothing contradicts them."""
        return self.mass is not None and self.com is not None and self.moments is not None and not self.disagree

    @property
    def has_own_shape(self) -> bool:
        """True if a centre of mass or a tensor is authored."""
        return self.com is not None or self.tensor is not None

    @cached_property
    @np.errstate(invalid="ignore", over="ignore")
    def tensors(self) -> Sequence[FloatArray]:
        """The tensors that are authored, in the prim's axes (3, 3): Newton's, then that of the moments."""
        usual = [] if self.moments is None else [self.R @ np.diag(self.moments) @ self.R.T]
        return usual if self.newton is None else [self.newton, *usual]

    @property
    def tensor(self) -> FloatArray | None:
        """The tensor in the prim's axes (3, 3): Newton's, which has more digits, if the other agrees with it."""
        return next(iter(reversed(self.tensors) if self.disagree else self.tensors), None)

    @cached_property
    def disagree(self) -> bool:
        """True if there are two tensors, and they differ."""
        if len(self.tensors) < 2:
            return False
        newton, usual = self.tensors
        return bool(np.abs(newton - usual).max() > NEAR * np.abs(usual).sum())  # False for what is not finite


@dataclass(frozen=True, eq=False)
class Shape:
    """A shape of a body; `given` is as `usd_program.read` returns it."""

    given: Mapping[str, Any]
    name: str
    robot: UsdRobot
    body: Body

    @property
    def place(self) -> Prim:
        return self.robot.prim(self.given["path"], self.given["layer"])

    @property
    def collides(self) -> bool:
        return bool(self.given["collides"])

    @property
    def is_drawn(self) -> bool:
        is_shape = self.given["kind"] not in ("other", "plane")
        return is_shape and self.given["visible"] and self.given["purpose"] in ("default", "render")

    @cached_property
    def own(self) -> MassValues:
        """What it says of its mass itself; nothing if the body's prim is the shape, which then has these values."""
        nothing = {"mass": None, "density": None}
        given = nothing if self.given["path"] == self.body.given["path"] else self.given
        return MassValues.read(given, self.robot.units)

    @property
    def chosen_density(self) -> float | None:
        """The density that somebody chose [kg/m³]: its own, the body's, that of the material, in this order."""
        of_material = optional(self.given["material_density"], self.robot.units.density)
        return self.own.density or self.body.values.density or of_material or None

    @property
    def look(self) -> Look:
        color, opacity = self.given["color"], self.given["opacity"]
        metalness, roughness = (optional(self.given[name]) for name in ("metallic", "roughness"))
        if color is None:
            return Look(None, metalness, roughness)
        red, green, blue, alpha = map(float, (*color[:3], 1.0 if opacity is None else opacity))
        return Look((red, green, blue, alpha), metalness, roughness)

    @cached_property
    def in_body(self) -> tuple[Pose, FloatArray]:
        """Its pose in the body [m], and the map (3, 3) before that, such as a scale."""
        A, t = affine(self.given["world"], self.place)
        X_BW = self.body.frame.inverse()
        return rigid(X_BW.R @ A, (X_BW.R @ t + X_BW.p) * self.robot.units.meters)

    @cached_property
    def placed(self) -> tuple[Pose, Geometry]:
        """Its pose in the body, and its geometry; `Unusable` if it has no volume that is known."""
        try:
            return self._geometry(*self.in_body)
        except InertiaError as error:
            return Pose.identity, Unusable(error.about(str(self.place)))

    def _geometry(self, pose: Pose, before: FloatArray) -> tuple[Pose, Geometry]:
        meters, kind, numbers = self.robot.units.meters, self.given["kind"], self.given["numbers"]
        turn = TURNED.get(self.given["axis"], np.eye(3)) if kind in ("cylinder", "capsule", "cone") else np.eye(3)
        scale = turn.T @ before @ turn  # along the axes of the shape
        along = as_written(np.diag(scale))
        is_plain = np.abs(scale - np.diag(along)).max() <= NEAR * np.abs(scale).max()
        if kind == "mesh":
            surface = self.robot.surface(self.given["mesh"])
            # An object in Blender can be scaled along its own axes alone.
            bent = surface if is_plain else surface.stretched(before)
            return pose, Mesh(bent, meters * (np.diag(along) if is_plain else np.eye(3)))
        if kind not in SHAPES and kind != "cube":
            raise InertiaError.of("usd_shape", "", "plane" if kind == "plane" else "", type=self.given["type"])
        if along[2] < 0.0:
            turn = turn @ np.diag([1.0, -1.0, -1.0])  # the tip of a cone
        x, y, z = (np.abs(along) * meters).tolist()
        pose = pose @ Pose(turn, np.zeros(3))
        if is_plain and kind == "cube":
            size = float(numbers["size"])
            return pose, Box((size * x, size * y, size * z))
        is_round, is_even = _near(x, y), _near(x, y) and _near(x, z)
        if not is_plain or (kind != "sphere" and not (is_even if kind == "capsule" else is_round)):
            raise InertiaError.of("usd_shape", "", "scaled", kind=kind, x=x / meters, y=y / meters, z=z / meters)
        radius = float(numbers["radius"])
        if kind == "sphere":
            return pose, Sphere(radius * x) if is_even else Ellipsoid((radius * x, radius * y, radius * z))
        shape: Callable[[float, float], Geometry] = SHAPES[kind]
        return pose, shape(radius * x, float(numbers["height"]) * z)


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body; `given` is as `usd_program.read` returns it."""

    given: Mapping[str, Any]
    name: str
    robot: UsdRobot

    @property
    def place(self) -> Prim:
        return self.robot.prim(self.given["path"], self.given["layer"], True)

    @cached_property
    def frame(self) -> Pose:
        """Its pose in the stage, in the units of that; a mirror is a scale of -1 along all axes, as in engines."""
        A, t = affine(self.given["world"], self.place)
        return rigid(-A if np.linalg.det(A) < 0.0 else A, t)[0]

    @cached_property
    def scale(self) -> FloatArray:
        """The scale above it (3,), which multiplies its centre of mass and its shapes, but not its tensor."""
        scale = as_written(np.array([float(value) for value in self.given["scale"]]))
        return np.where((np.abs(scale - 1.0) < NEAR) | (scale == 0.0), 1.0, scale)

    @cached_property
    def pose(self) -> Pose:
        """In the model, z up [m]."""
        return self.robot.up @ Pose(self.frame.R, self.frame.p * self.robot.units.meters)

    @cached_property
    def units(self) -> Units:
        x, y, z = self.scale.tolist()
        return self.robot.units._replace(scale=(x, y, z))

    @cached_property
    def values(self) -> MassValues:
        return MassValues.read(self.given, self.units)

    @cached_property
    def shapes(self) -> Sequence[Shape]:
        names = labels(self.given["shapes"], self.given["path"].removeprefix("/"))
        return [Shape(shape, name, self.robot, self) for shape, name in zip(self.given["shapes"], names, strict=True)]

    @property
    def unapplied(self) -> set[str]:
        """The schemas of mass that are not applied to it, or to a collider, which has their attributes."""
        return {schema for given in (self.given, *self.given["shapes"]) for schema in given["unapplied"]}

    @property
    def colliders(self) -> Sequence[Shape]:
        return [shape for shape in self.shapes if shape.collides]


@dataclass(frozen=True, eq=False)
class UsdRobot:
    """A stage that OpenUSD composed."""

    document: Document
    files: StageFiles

    @property
    def stage(self) -> Mapping[str, Any]:
        stage: Mapping[str, Any] = self.files.stage
        return stage

    @cached_property
    def units(self) -> Units:
        return Units(float(self.stage["meters_per_unit"]), float(self.stage["kilograms_per_unit"]))

    @property
    def up(self) -> Pose:
        """The pose of the stage in the model, whose z axis is up."""
        return Y_UP if self.stage["up_axis"] == "Y" else Pose.identity

    @property
    def name(self) -> str:
        """The name of the model: that which the default prim shows, else its own, or the file without its suffix."""
        file = PurePath(PurePath(self.document.name).name.replace(SUFFIX, ""))  # a layer over it is the same model
        return self.stage["display_name"] or self.stage["default_prim"] or file.stem

    @cached_property
    def every_body(self) -> Mapping[str, Body]:
        """All bodies by path, in the order of the stage, those too that are not enabled."""
        names = labels(self.stage["bodies"], self.stage["default_prim"])
        return {body["path"]: Body(body, name, self) for body, name in zip(self.stage["bodies"], names, strict=True)}

    @cached_property
    def bodies(self) -> Sequence[Body]:
        """The bodies that are enabled."""
        return [body for body in self.every_body.values() if body.given["enabled"]]

    def prim(self, path: str, layer: int, is_link: bool = False) -> Prim:
        """Return a prim with its place: its path and a layer."""
        return Prim(self._documents[layer], path, is_link)

    @cached_property
    def _documents(self) -> Sequence[Document]:
        return [self.document, *(layer_document(b"", layer.name, layer.path) for layer in self.files.layers[1:])]

    @cached_property
    def _surfaces(self) -> dict[int, Surface]:
        return {}

    def surface(self, number: int | None) -> Surface:
        """Return a mesh, in the units of the stage; raises an error for one that is not valid."""
        if number is None:
            raise InertiaError.of("usd_shape", "", "empty")
        if number not in self._surfaces:
            self._surfaces[number] = _surface(self.stage["meshes"][number])
        return self._surfaces[number]


def _surface(mesh: Mapping[str, Any]) -> Surface:
    points = np.frombuffer(b64decode(mesh["points"]), dtype=np.float64).reshape(-1, 3)
    counts, corners = (np.frombuffer(b64decode(mesh[name]), dtype=np.int32) for name in ("counts", "indices"))
    if (counts < 0).any() or counts.sum() != len(corners):
        raise InertiaError.of("usd_shape", "", "corners", count=len(corners), needed=int(counts.sum()))
    polygons = counts >= 3
    triangles = fans(counts[polygons].astype(np.int64), corners[np.repeat(polygons, counts)].astype(np.int64)).triangles
    return Surface(points, triangles[:, ::-1] if mesh["left_handed"] else triangles)


def affine(world: Sequence[Any], place: Prim) -> tuple[FloatArray, FloatArray]:
    """Return OpenUSD's matrix for row vectors (16,) as a map of points: ``A p + t``."""
    matrix = np.array([float(value) for value in world]).reshape(4, 4)
    if not (np.abs(matrix) < FARTHEST).all():
        raise InertiaError.of("usd_shape", str(place), "matrix")
    return matrix[:3, :3].T, matrix[3, :3]


def shortest(value: Any) -> float:
    """Return a number in single precision as it was written: the fewest digits that read back as the same."""
    return float(str(np.float32(value)))


def optional(value: Any, unit: float = 1.0) -> float | None:
    """Return such a number in another unit; None stays."""
    return None if value is None else shortest(value) * unit


def _numbers(values: Sequence[Any] | None) -> FloatArray | None:
    return None if values is None else np.array([shortest(value) for value in values])


def as_written(values: FloatArray) -> FloatArray:
    """Return numbers (n,), those in single precision with the digits that these were written with."""
    short = np.array([shortest(value) for value in values])
    return np.where(np.abs(np.float32(values) - values) <= ROUNDING * np.abs(values), short, values)


def _symmetric(six: FloatArray) -> FloatArray:
    xx, yy, zz, xy, xz, yz = six.tolist()
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _possible(moments: FloatArray) -> FloatArray:
    """Return moments that are impossible only by the rounding of single precision as possible ones."""
    low, middle, high = np.sort(moments).tolist()
    excess = high - low - middle
    rounding = float(np.finfo(np.float32).eps) * high
    return np.where(moments == high, low + middle, moments) if 0.0 < excess <= rounding else moments


def _digits(
    mass: Any, diagonal: FloatArray | None, six: FloatArray | None, R: FloatArray, moment: float
) -> Written | None:
    """Return the digits of a tensor; `moment` is the unit of its numbers [kg·m²]."""
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    if diagonal is not None:
        texts = dict(zip(names, map(single, diagonal.tolist()), strict=False))
    elif six is not None:
        texts, R = dict(zip(names, map(repr, six.tolist()), strict=True)), np.eye(3)
    else:
        return None
    digits = written(texts, "0" if mass is None else single(float(mass)), R)
    return replace(digits, six=digits.six * moment, rounding=digits.rounding * moment)


def labels(prims: Sequence[Mapping[str, Any]], root: str) -> Sequence[str]:
    """Return a name for each prim: that which it shows, else its own, else its path below a root, if it is unique."""
    names = [prim["path"].rpartition("/")[2] for prim in prims]
    shown = [prim.get("display_name") or name for prim, name in zip(prims, names, strict=True)]
    counts = Counter([*shown, *(name for name, label in zip(names, shown, strict=True) if name != label), WORLD])
    return [
        next((label for label in (display, name) if counts[label] == 1), prim["path"].removeprefix(f"/{root}/"))
        for prim, display, name in zip(prims, shown, names, strict=True)
    ]


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= NEAR * max(a, b)
