# SPDX-License-Identifier: GPL-3.0-or-later
"""Links of URDF and SDF files as lxml elements, and their geometry's inertia by numpy and trimesh; core is not used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from lxml import etree

Array = np.ndarray
Element = Any
DECLARATION = re.compile(rb"^\s*<\?xml.*?\?>", re.DOTALL)
SIX = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


@dataclass(frozen=True)
class Body:
    """Mass [kg], centre [m] and tensor [kg·m²] about it, in the axes of the link."""

    mass: float
    com: Array
    inertia: Array

    def difference(self, other: Body, size: float) -> float:
        """Return the largest relative difference: of mass, of centre by `size`, of tensor by its trace."""
        centre = np.abs(self.com - other.com).max() / size
        tensor = np.abs(self.inertia - other.inertia).max() / max(abs(np.trace(other.inertia)), 1e-300)
        worst = max(abs(self.mass / other.mass - 1.0), centre, tensor)
        return float(worst) if np.isfinite(worst) else float("inf")


@dataclass(frozen=True)
class Solid:
    """Volume, centre and tensor at density 1 about the centre, and the corners of the box around it."""

    volume: float
    com: Array
    inertia: Array
    low: Array
    high: Array

    @property
    def size(self) -> float:
        """Return the diagonal of the box."""
        return float(np.linalg.norm(self.high - self.low))

    def body(self, mass: float) -> Body:
        """Return the body of this mass and uniform density."""
        return Body(mass, self.com, self.inertia * (mass / self.volume))


def read(path: Path) -> Element | None:
    """Return the root element of a file, read as generously as simulators do; None if there is none."""
    data = DECLARATION.sub(b"", path.read_bytes().lstrip(), count=1)
    try:
        return etree.fromstring(data, etree.XMLParser(remove_comments=True, recover=True))
    except etree.XMLSyntaxError:
        return None


def links(root: Element) -> Iterator[tuple[str, Element]]:
    """Yield the links with their full names, as `repair --json` gives them."""
    if root.tag == "robot":
        for link in root.findall("link"):
            yield f"{root.get('name')}::{link.get('name')}", link
    else:
        for link in root.iter("link"):
            above = [one.get("name") for one in link.iterancestors("model")]
            yield "::".join([*reversed(above), link.get("name")]), link


def body(link: Element) -> Body | None:
    """Return the inertial of a link, or None if there is none with numbers."""
    inertial = link.find("inertial")
    try:
        mass, pose, six = numbers(inertial)
    except (AttributeError, TypeError, ValueError):
        return None
    R = rotation(pose[3:])
    xx, yy, zz, xy, xz, yz = six
    return Body(mass, pose[:3], R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T)


def numbers(inertial: Element) -> tuple[float, Array, Array]:
    """Return mass, pose and ixx, iyy, izz, ixy, ixz, iyz as the file has them; raises where one is not there."""
    mass, tensor = inertial.find("mass"), inertial.find("inertia")
    if mass.get("value") is not None:
        return float(mass.get("value")), _pose(inertial), np.array([float(tensor.get(name)) for name in SIX])
    return float(mass.text), _pose(inertial), np.array([float(tensor.findtext(name, "0")) for name in SIX])


def change(link: Element, mass: float | None = None, com: Array | None = None, six: Array | None = None) -> None:
    """Write numbers into an inertial that has them already; those that are None stay."""
    inertial = link.find("inertial")
    urdf = inertial.find("mass").get("value") is not None
    if mass is not None:
        _set(inertial.find("mass"), "value" if urdf else None, mass)
    if com is not None:
        pose = _child(inertial, "origin" if urdf else "pose")
        text = " ".join(repr(float(value)) for value in com)
        if urdf:
            pose.set("xyz", text)
        else:
            pose.text = " ".join([text, *(pose.text or "0 0 0 0 0 0").split()[3:]])
    for name, value in zip(SIX, six if six is not None else (), strict=False):
        tensor = inertial.find("inertia")
        _set(tensor if urdf else _child(tensor, name), name if urdf else None, value)


def _child(element: Element, tag: str) -> Element:
    child = element.find(tag)
    return etree.SubElement(element, tag) if child is None else child


def _set(element: Element, attribute: str | None, value: float) -> None:
    if attribute is None:
        element.text = repr(float(value))
    else:
        element.set(attribute, repr(float(value)))


def solid(link: Element, kind: str, find: Callable[[str], Path | None]) -> Solid | None:
    """Return the solid of a link's collisions or visuals, parts added up; None where one is not closed or not known."""
    parts = [_part(element, find) for element in link.findall(kind)]
    known = [part for part in parts if part is not None]
    volume = sum(part.volume for part in known)
    if volume <= 0 or len(known) < len(parts):
        return None
    com = sum((part.volume * part.com for part in known), np.zeros(3)) / volume
    inertia = sum((part.inertia + _steiner(part.volume, part.com - com) for part in known), np.zeros((3, 3)))
    low, high = (np.array([getattr(part, end) for part in known]) for end in ("low", "high"))
    return Solid(volume, com, inertia, low.min(axis=0), high.max(axis=0))


def mesh_uris(element: Element) -> list[tuple[Element, str]]:
    """Return the mesh elements below an element, and what each names."""
    return [(mesh, mesh.get("filename") or mesh.findtext("uri", "")) for mesh in element.iter("mesh")]


def _part(element: Element, find: Callable[[str], Path | None]) -> Solid | None:
    shape = element.find("geometry/*")
    if shape is None:
        return None
    R, t = rotation(_pose(element)[3:]), _pose(element)[:3]
    if shape.tag == "mesh":
        [(_, uri)] = mesh_uris(element)
        path = find(uri)
        loaded = None if path is None else load_mesh(path)
        if loaded is None:
            return None
        scale = _values(shape, "scale", "1 1 1")
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = R * scale, t
        placed = loaded.copy()
        placed.apply_transform(matrix)
        if not placed.is_volume:
            return None
        return Solid(float(placed.volume), placed.center_mass, placed.moment_inertia, *placed.bounds)
    if shape.tag == "box":
        half = _values(shape, "size", "1 1 1") / 2
        volume, squares = 8 * half.prod(), half**2 / 3
    elif shape.tag == "sphere":
        half = np.full(3, float(_values(shape, "radius", "1")[0]))
        volume, squares = 4 / 3 * np.pi * half.prod(), half**2 / 5
    elif shape.tag == "cylinder":
        r, length = float(_values(shape, "radius", "1")[0]), float(_values(shape, "length", "1")[0])
        half, volume = np.array([r, r, length / 2]), np.pi * r * r * length
        squares = np.array([r * r / 4, r * r / 4, length * length / 12])
    else:
        return None
    inertia = volume * (squares.sum() * np.eye(3) - np.diag(squares))
    reach = np.abs(R) @ half
    return Solid(float(volume), t, R @ inertia @ R.T, t - reach, t + reach)


@lru_cache(maxsize=64)
def load_mesh(path: Path) -> trimesh.Trimesh | None:
    """Return a mesh in metres, or None if trimesh cannot read it."""
    try:
        loaded = trimesh.load(str(path), force="mesh")
        if path.suffix.lower() == ".dae" and loaded.units not in (None, "meter", "meters", "m"):
            loaded.convert_units("m")
        return loaded if len(loaded.faces) else None
    except Exception:  # of any kind, from any of trimesh's readers
        return None


def rotation(rpy: Array) -> Array:
    """Return the matrix of roll, pitch and yaw."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _pose(element: Element) -> Array:
    origin = element.find("origin")
    if origin is not None:
        return np.array([float(one) for key in ("xyz", "rpy") for one in (origin.get(key) or "0 0 0").split()])
    pose = np.array([float(one) for one in (element.findtext("pose") or "0 0 0 0 0 0").split()])
    return pose


def _values(shape: Element, name: str, default: str) -> Array:
    return np.array([float(one) for one in (shape.get(name) or shape.findtext(name) or default).split()])


def _steiner(mass: float, offset: Array) -> Array:
    return mass * (offset @ offset * np.eye(3) - np.outer(offset, offset))
