# SPDX-License-Identifier: GPL-3.0-or-later
"""From a case of libsdformat_cases.json to the text of an SDF file: what the product's own reader is given."""

import math
from itertools import product

import numpy as np

from core.body.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere

SHAPES = {
    "box": (Box, "size"),
    "sphere": (Sphere, "radius"),
    "ellipsoid": (Ellipsoid, "radii"),
    "cylinder": (Cylinder, "radius", "length"),
    "cone": (Cone, "radius", "length"),
    "capsule": (Capsule, "radius", "length"),
}


def sdf_of(case):
    """Return the SDF of a case: its own where it has one, else one made of what it tells."""
    given = case["input"]
    if isinstance(given, dict) and "sdf" in given:
        return given["sdf"]
    return BY_HAND.get(case["id"], _told)(case)


def _told(case):
    """A case told by collisions, frames and what stands in <inertial>."""
    given = case["input"]
    frames = "".join(f"<frame name='{f['name']}'>{_pose(f['pose'])}</frame>" for f in given.get("frames", []))
    inertial = "".join(
        f"<{name}>{given[f'inertial_{name}']}</{name}>" for name in ("mass", "density") if f"inertial_{name}" in given
    )
    inertial += _pose(given["inertial_pose"]) if "inertial_pose" in given else ""
    if "inertial_moments" in given:
        inertial += "<inertia>{}</inertia>".format(
            "".join(f"<i{a}{a}>{m}</i{a}{a}>" for a, m in zip("xyz", given["inertial_moments"], strict=True))
        )
    return _link(map(_collision, given["collisions"]), inertial, given.get("link_pose", [0] * 6), frames)


def _link(collisions, inertial="", pose=(0,) * 6, frames=""):
    numbered = "".join(f"<collision name='c{number}'>{one}</collision>" for number, one in enumerate(collisions))
    return (
        f"<sdf version='1.11'><model name='m'>{frames}<link name='l'>{_pose(pose)}"
        f"<inertial auto='true'>{inertial}</inertial>{numbered}</link></model></sdf>"
    )


def _collision(one):
    density = f"<density>{one['density']}</density>" if "density" in one else ""
    return _pose(one.get("pose", [0] * 6), one.get("relative_to")) + density + _geometry(one["shape"])


def _geometry(shape):
    kind = shape["type"]
    sizes = "".join(f"<{name}>{_numbers(shape[name])}</{name}>" for name in SHAPES[kind][1:])
    return f"<geometry><{kind}>{sizes}</{kind}></geometry>"


def _pose(numbers, relative_to=None):
    attribute = f" relative_to='{relative_to}'" if relative_to else ""
    return f"<pose{attribute}>{_numbers(numbers)}</pose>"


def _numbers(value):
    return " ".join(str(number) for number in value) if isinstance(value, (list, tuple)) else str(value)


# --- cases told in words, or as bodies of a given mass --------------------------------------------------------------


def _bodies(bodies):
    """A link of shapes, each with its stated mass: mass over volume is its density."""
    parts = []
    for shape, mass, pose in bodies:
        maker, *names = SHAPES[shape["type"]]
        volume = maker(*(tuple(shape[n]) if isinstance(shape[n], list) else shape[n] for n in names)).moments().volume  # type: ignore[operator]
        parts.append({"shape": shape, "density": mass / volume, "pose": pose})
    return _link(map(_collision, parts))


def _box(*size):
    return {"type": "box", "size": list(size)}


def _boxes(case):
    return _bodies([(_box(*b["box"]), b["mass"], b["pose"]) for b in case["input"]])


def _one_shape(case):
    return _bodies([(case["input"], case["input"]["mass"], [0] * 6)])


def _eight_cubes(case):
    turns = [(angle, axis) for axis in range(3) for angle in (0.0, math.pi / 2, math.pi)]
    bodies = []
    for number, corner in enumerate(product((-0.5, 0.5), repeat=3)):
        angle, axis = turns[number]
        rpy = [angle if i == axis else 0.0 for i in range(3)]
        bodies.append((_box(1, 1, 1), case["expected"]["mass"] / 8, [*corner, *rpy]))
    return _bodies(bodies)


def _four_cubes(case):
    places = [(5, 0, 0), (-5, 0, 0), (0, 5, 0), (0, -5, 0)]
    return _bodies([(_box(1, 1, 1), 6, [*place, 0, 0, 0]) for place in places])


def _invalid(case):
    kind = case["input"]["shape"].lower()
    words = case["input"]["dims"].replace(",", "").split()
    sizes = {"size": words[1:]} if kind == "box" else dict(zip(words[::2], words[1::2], strict=True))
    return _link([f"<density>{case['input']['density']}</density>" + _geometry({"type": kind, **sizes})])


def _empty(_case):
    return _link(["<density>3</density><geometry><empty/></geometry>"])


def _voxels(_case):
    # As in the reference's test, the prefix is not declared.
    params = "<gz:voxel_size>0.01</gz:voxel_size><gz:voxel_grid_type>float</gz:voxel_grid_type>"
    part = f"<density>1240</density><auto_inertia_params>{params}</auto_inertia_params>{_geometry(_box(2, 2, 2))}"
    return _link([part])


def _cylinder_dae(case):
    file = "../clean/cylinder.dae" if case["id"] == "gzsim_cylinder_dae" else "model://cylinder_bottom_origin.dae"
    uri = f"<geometry><mesh><uri>{file}</uri></mesh></geometry>"
    return _link([f"<density>{case['input']['density']}</density>{uri}"])


BY_HAND = {
    "inertial_stats": _four_cubes,
    "gzmath_two_rotated_half_cubes": _boxes,
    "gzmath_diagonal_cubes": _boxes,
    "gzmath_eight_rotated_cubes": _eight_cubes,
    "gzmath_cylinder": _one_shape,
    "gzmath_sphere": _one_shape,
    "gzmath_capsule": _one_shape,
    "gzmath_cone2": _one_shape,
    "invalid_box": _invalid,
    "invalid_cone": _invalid,
    "invalid_sphere": _invalid,
    "empty_geometry": _empty,
    "collision_params_voxel": _voxels,
    "gzsim_cylinder_dae": _cylinder_dae,
    "gzsim_cylinder_dae_bottom_origin": _cylinder_dae,
}


def tensor_of(moments, products):
    """Return a tensor from SDFormat's three moments and three products (ixy, ixz, iyz)."""
    (ixx, iyy, izz), (ixy, ixz, iyz) = moments, products
    return np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
