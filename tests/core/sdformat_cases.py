# SPDX-License-Identifier: GPL-3.0-or-later
"""From a case of libsdformat_cases.json to links of core.model, by as little reading as the cases need."""

import math
from itertools import product

import numpy as np
from lxml import etree

from core import Inertial, Pose
from core.mesh.surface import Surface
from core.model import Box, Capsule, Collision, Cone, Cylinder, Ellipsoid, Link, Mesh, Sphere

from .mesh_files import read

SHAPES = {
    "box": (Box, "size"),
    "sphere": (Sphere, "radius"),
    "ellipsoid": (Ellipsoid, "radii"),
    "cylinder": (Cylinder, "radius", "length"),
    "cone": (Cone, "radius", "length"),
    "capsule": (Capsule, "radius", "length"),
}


def shape(kind, sizes):
    maker, *names = SHAPES[kind]
    return maker(*(tuple(sizes[name]) if isinstance(sizes[name], list) else sizes[name] for name in names))


def links_of(case, data):
    """Return the links of a case, those with auto inertia and those with explicit numbers."""
    given = case["input"]
    if isinstance(given, dict) and "sdf" in given:
        return links_of_sdf(given["sdf"], data)
    if case["id"] in BY_HAND:
        return [BY_HAND[case["id"]](case)]
    return [_link_of_dict(given)]


def _link_of_dict(given):
    frames = {frame["name"]: Pose.from_sdf(frame["pose"]) for frame in given.get("frames", [])}
    link_pose = Pose.from_sdf(given.get("link_pose", [0] * 6))
    parts = []
    for number, one in enumerate(given["collisions"]):
        pose = Pose.from_sdf(one.get("pose", [0] * 6))
        if "relative_to" in one:
            pose = link_pose.inverse() @ frames[one["relative_to"]] @ pose
        parts.append(Collision(f"c{number}", pose, shape(one["shape"]["type"], one["shape"]), one.get("density")))
    density, mass = given.get("inertial_density"), given.get("inertial_mass")
    return Link("l", pose=link_pose, density=density, mass=mass, collisions=tuple(parts))


# --- cases told in words, or as bodies of a given mass --------------------------------------------------------------


def _bodies(bodies):
    """A link of shapes, each with the mass it is said to have: mass over volume is its density."""
    parts = []
    for number, (geometry, mass, pose) in enumerate(bodies):
        density = mass / geometry.moments().volume
        parts.append(Collision(f"c{number}", pose, geometry, density=density))
    return Link("l", collisions=tuple(parts))


def _boxes(case):
    return _bodies([(Box(tuple(b["box"])), b["mass"], Pose.from_sdf(b["pose"])) for b in case["input"]])


def _one_shape(case):
    given = case["input"]
    return _bodies([(shape(given["type"], given), given["mass"], Pose.identity)])


def _eight_cubes(case):
    turns = [(angle, axis) for axis in range(3) for angle in (0.0, math.pi / 2, math.pi)]
    bodies = []
    for number, corner in enumerate(product((-0.5, 0.5), repeat=3)):
        angle, axis = turns[number]
        rpy = [angle if i == axis else 0.0 for i in range(3)]
        bodies.append((Box((1, 1, 1)), case["expected"]["mass"] / 8, Pose.from_sdf([*corner, *rpy])))
    return _bodies(bodies)


def _four_cubes(case):
    places = [(5, 0, 0), (-5, 0, 0), (0, 5, 0), (0, -5, 0)]
    return _bodies([(Box((1, 1, 1)), 6, Pose(np.eye(3), place)) for place in places])


def _explicit(case):
    total = Inertial.zero
    for body in case["input"]:
        pose, tensor = Pose.from_sdf(body["pose"]), np.zeros((3, 3))
        if "moments" in body:
            tensor = tensor_of(body["moments"], body["products"])
        total += Inertial(body["mass"], np.zeros(3), tensor).transformed(pose)
    return Link("l", mode="manual", manual=total)


def _invalid(case):
    kind = case["input"]["shape"].lower()
    words = case["input"]["dims"].replace(",", "").split()
    if kind == "box":
        sizes = {"size": [float(word) for word in words[1:]]}
    else:
        sizes = {name: float(number) for name, number in zip(words[::2], words[1::2], strict=True)}
    part = Collision("c", Pose.identity, shape(kind, sizes), density=case["input"]["density"])
    return Link("l", collisions=(part,))


BY_HAND = {
    "inertial_stats": _four_cubes,
    "gzmath_two_rotated_half_cubes": _boxes,
    "gzmath_diagonal_cubes": _boxes,
    "gzmath_eight_rotated_cubes": _eight_cubes,
    "gzmath_zero_plus_mass": _explicit,
    "gzmath_cylinder": _one_shape,
    "gzmath_sphere": _one_shape,
    "gzmath_capsule": _one_shape,
    "gzmath_cone2": _one_shape,
    "invalid_box": _invalid,
    "invalid_cone": _invalid,
    "invalid_sphere": _invalid,
}


# --- cases given as SDF ---------------------------------------------------------------------------------------------


def links_of_sdf(text, data):
    """Return the links of a little SDF file: nested models, frames of one model, poses in degrees."""
    root = etree.fromstring(text.encode())
    return [link for model in root.iter("model") for link in _links_of_model(model, data)]


def _links_of_model(model, data):
    frames = {"__model__": Pose.identity}
    for element in model.iterfind("frame"):
        frames[element.get("name")] = _pose(element)
    for element in model.iterfind("link"):
        yield _link(element, frames, data)


def _link(element, frames, data):
    name, link_pose = element.get("name"), _pose(element)
    inertial = element.find("inertial")
    if inertial.get("auto", "false").lower() not in ("true", "1"):
        return Link(name, pose=link_pose, mode="manual", manual=_written(inertial))
    parts = []
    for one in element.iterfind("collision"):
        pose, relative_to = _pose(one), one.find("pose")
        if relative_to is not None and relative_to.get("relative_to"):
            pose = link_pose.inverse() @ frames[relative_to.get("relative_to")] @ pose
        parts.append(
            Collision(one.get("name"), pose, _geometry(one.find("geometry")[0], data), _number(one, "density"))
        )
    density, mass = _number(inertial, "density"), _number(inertial, "mass")
    return Link(name, pose=link_pose, density=density, mass=mass, collisions=tuple(parts))


def _written(inertial):
    tensor = {key: _number(inertial, f"inertia/i{key}") or 0.0 for key in ("xx", "yy", "zz", "xy", "xz", "yz")}
    tensor = tensor_of([tensor[key] for key in ("xx", "yy", "zz")], [tensor[key] for key in ("xy", "xz", "yz")])
    return Inertial(_number(inertial, "mass"), np.zeros(3), tensor).transformed(_pose(inertial))


def _geometry(element, data):
    if element.tag != "mesh":
        numbers = {child.tag: [float(word) for word in child.text.split()] for child in element}
        return shape(element.tag, {tag: n if tag in ("size", "radii") else n[0] for tag, n in numbers.items()})
    vertices, triangles = read(data / "meshes" / "cases" / element.findtext("uri"))
    scale = [float(word) for word in element.findtext("scale", "1 1 1").split()]
    # Gazebo's loader keeps vertices in float32.
    return Mesh(Surface(vertices.astype(np.float32), triangles), np.diag(scale))


def _pose(parent):
    element = parent.find("pose")
    if element is None:
        return Pose.identity
    numbers = np.array(element.text.split(), dtype=float)
    if element.get("degrees") == "true":
        numbers[3:] = np.radians(numbers[3:])
    return Pose.from_sdf(numbers)


def _number(parent, path):
    text = parent.findtext(path)
    return None if text is None else float(text)


def tensor_of(moments, products):
    """Return a tensor from SDFormat's three moments and three products (ixy, ixz, iyz)."""
    (ixx, iyy, izz), (ixy, ixz, iyz) = moments, products
    return np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
