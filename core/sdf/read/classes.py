# SPDX-License-Identifier: GPL-3.0-or-later
"""What libsdformat refuses about an element that it could read, once it makes an object of it: names, types, numbers.

What needs the names of other models, links and frames is no matter of one element; see tree.py and joints.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import hypot

from ...errors import InertiaError
from ..codes import sdf_error
from ..spec.element_faults import shown
from ..spec.names import is_reserved, words
from ..spec.shapes import shape_of
from ..spec.values import text_of, vector
from ..xml.document import Document, Element, child_of, children_of
from .include import before_1_7

JOINT_TYPES = words("ball continuous fixed gearbox prismatic revolute revolute2 screw universal")

SENSOR_TYPES = words(
    "air_pressure air_speed altimeter boundingbox boundingbox_camera camera contact custom depth depth_camera"
    " force_torque gps gpu_lidar gpu_ray imu lidar logical_camera magnetometer multicamera navsat ray rfid rfidtag rgbd"
    " rgbd_camera segmentation segmentation_camera sonar thermal thermal_camera wide_angle_camera wideanglecamera"
    " wireless_receiver wireless_transmitter"
)

CAMERAS = words(
    "boundingbox boundingbox_camera camera depth depth_camera rgbd rgbd_camera segmentation segmentation_camera thermal"
    " thermal_camera wide_angle_camera wideanglecamera"
)

PIXELS = words(
    "L8 L_INT8 L16 L_INT16 R8G8B8 RGB_INT8 RGBA_INT8 BGRA_INT8 RGB_INT16 RGB_INT32 BGR_INT8 B8G8R8 BGR_INT16 BGR_INT32"
    " R_FLOAT16 RGB_FLOAT16 R_FLOAT32 RGB_FLOAT32 BAYER_RGGB8 BAYER_BGGR8 BAYER_GBRG8 BAYER_GRBG8"
)

NOISES = frozenset({"none", "gaussian", "gaussian_quantized"})

NOISY = frozenset({"altimeter", "force_torque", "imu"})
"""Sensors besides cameras the type of whose noise is looked at."""

SHADERS = words(
    "pixel vertex normal_map_objectspace normal_map_object_space normal_map_tangentspace normal_map_tangent_space"
)

UNIQUE = {
    "link": ("visual", "collision", "light", "sensor", "particle_emitter", "projector"),
    "joint": ("sensor",),
    "world": ("physics", "actor", "light"),
    "actor": ("animation",),
    "sdf": ("world",),
}
"""Children that may not share a name with one of their own kind; links, joints, frames and models are for tree.py."""

NAMED = words("world model link joint frame visual collision light sensor particle_emitter projector physics")
"""Elements whose name may not be reserved."""

SURFACES = frozenset({"EARTH_WGS84", "MOON_SCS", "CUSTOM_SURFACE"})

Refusals = Iterator[InertiaError]


def refusals(document: Document, element: Element) -> Refusals:
    """Yield what libsdformat refuses about an element of one of `CLASSES`."""
    name = element.get("name", "").strip()
    if element.tag in NAMED and is_reserved(name):
        yield reserved(document, element, name)
    if element.tag in UNIQUE:
        yield from _repeated_names(document, element)
    own = _OWN.get(element.tag)
    if own is not None:
        yield from own(document, element)


def reserved(document: Document, element: Element, name: str) -> InertiaError:
    """Return the error for a name that is libsdformat's own, or holds its ``::``."""
    why = "'::' stands between a model's name and that of a part" if "::" in name else "libsdformat keeps it for itself"
    message = f"the name {shown(name)} is reserved: {why}"
    return sdf_error("reserved_name", document.place(element), message, "rename it")


def _repeated_names(document: Document, element: Element) -> Refusals:
    for tag in UNIQUE[element.tag]:
        names = set()
        for child in children_of(element, tag):
            name = child.get("name", "default_physics" if tag == "physics" else "").strip()
            if name and name in names:
                message = f"{shown(name)} is the name of two <{tag}> of <{element.tag}>; libsdformat drops the second"
                yield sdf_error("duplicate_name", document.place(child), message, "rename one")
            names.add(name)


def _type(document: Document, element: Element, known: frozenset[str], kind: str, text: str) -> Refusals:
    if text and text not in known:
        message = f"{shown(text)} is no {kind}"
        yield sdf_error("bad_type", document.place(element), message, f"write {', '.join(sorted(known))}")


def _joint(document: Document, element: Element) -> Refusals:
    for tag in ("axis", "axis2"):
        axis = child_of(element, tag)
        xyz = child_of(axis, "xyz")
        if xyz is not None and text_of(xyz) and _is_zero(document, xyz):
            message = f"the <xyz> of its <{tag}> is zero, which is no direction"
            yield sdf_error("axis_zero", document.place(xyz), message, "write a direction, such as 0 0 1")
        if axis is not None and xyz is None and in_model_frame(document, axis):
            message = f"an <{tag}> in the frame of its model needs an <xyz>, before SDF 1.7"
            yield sdf_error("missing_element", document.place(axis), message, "add one", (9, 1))
    yield from _type(document, element, JOINT_TYPES, "type of joint", element.get("type", "").strip().lower())


def in_model_frame(document: Document, axis: Element) -> bool:
    """Say whether an axis is given as before 1.7, in its model's frame: up to 1.4 that was the only one."""
    said = child_of(axis, "use_parent_model_frame")
    if said is None:
        return bool(document.root.get("version", "").strip() == "1.4")
    return before_1_7(document) and text_of(said).lower() in ("true", "1")


def _is_zero(document: Document, xyz: Element) -> bool:
    try:
        return hypot(*vector(document, xyz, 3)) < 1e-6
    except InertiaError:
        return False  # told elsewhere


def _light(document: Document, element: Element) -> Refusals:
    yield from _type(
        document, element, frozenset({"point", "spot", "directional"}), "type of light", element.get("type", "").strip()
    )


def _emitter(document: Document, element: Element) -> Refusals:
    known = frozenset({"point", "box", "cylinder", "ellipsoid"})
    yield from _type(document, element, known, "type of particle emitter", element.get("type", "").strip())
    yield from _material(document, child_of(element, "material"))


def _sensor(document: Document, element: Element) -> Refusals:
    kind = element.get("type", "").strip()
    yield from _type(document, element, SENSOR_TYPES, "type of sensor", kind)
    if kind in CAMERAS:
        camera = child_of(element, "camera")
        pixels = child_of(child_of(camera, "image"), "format")
        if pixels is not None and text_of(pixels):
            yield from _value(document, pixels, PIXELS)
        yield from _noise(document, child_of(camera, "noise"))
    elif kind == "force_torque":
        own = child_of(element, "force_torque")
        for tag, known in (
            ("frame", frozenset({"parent", "child", "sensor"})),
            ("measure_direction", frozenset({"parent_to_child", "child_to_parent"})),
        ):
            told = child_of(own, tag)
            if told is not None and text_of(told):
                yield from _value(document, told, known)
    own = child_of(element, kind)
    if own is not None and kind in NOISY:
        for noise in own.iter("noise"):
            yield from _noise(document, noise)


def _noise(document: Document, noise: Element | None) -> Refusals:
    if noise is None:
        return
    told = child_of(noise, "type")
    text = noise.get("type", "") if told is None else text_of(told)
    if text and text.strip() not in NOISES:
        yield _no_value(document, noise, text, NOISES)


def _value(document: Document, element: Element, known: frozenset[str]) -> Refusals:
    if text_of(element) not in known:
        yield _no_value(document, element, text_of(element), known)


def _no_value(document: Document, element: Element, text: str, known: frozenset[str]) -> InertiaError:
    message = f"{shown(text)} is no value of <{element.tag}>"
    codes = (8,) if element.tag == "noise" else (9,)
    return sdf_error("bad_value", document.place(element), message, f"write {', '.join(sorted(known))}", codes)


def _part(document: Document, element: Element) -> Refusals:
    shape = shape_of(child_of(element, "geometry"))
    submesh = child_of(shape, "submesh") if shape is not None and shape.tag == "mesh" else None
    if submesh is not None and child_of(submesh, "name") is None:
        message = "a <submesh> has no <name>"
        yield sdf_error("missing_element", document.place(submesh), message, "name it", (8,))
    yield from _material(document, child_of(element, "material"))


def _material(document: Document, material: Element | None) -> Refusals:
    script, shader = child_of(material, "script"), child_of(material, "shader")
    if script is not None:
        for tag, codes in (("uri", (9,)), ("name", (8,))):
            told = child_of(script, tag)
            if told is None or not text_of(told):
                message = f"the <script> of a material has no <{tag}>"
                yield sdf_error("missing_element", document.place(script), message, "add one", codes)
    if shader is not None:
        kind = shader.get("type", "pixel").strip()
        if kind not in SHADERS:
            yield _no_value(document, shader, kind, SHADERS)
        elif kind.startswith("normal_map") and child_of(shader, "normal_map") is None:
            message = f"a <shader> of type {kind} has no <normal_map>"
            yield sdf_error("missing_element", document.place(shader), message, "add one", (8,))


def _atmosphere(document: Document, element: Element) -> Refusals:
    if element.get("type", "adiabatic").strip() != "adiabatic":
        yield _no_value(document, element, element.get("type", ""), frozenset({"adiabatic"}))


def _coordinates(document: Document, element: Element) -> Refusals:
    surface, orientation = child_of(element, "surface_model"), child_of(element, "world_frame_orientation")
    if surface is not None and text_of(surface):
        yield from _value(document, surface, SURFACES)
        if text_of(surface) == "CUSTOM_SURFACE":
            for tag in ("surface_axis_equatorial", "surface_axis_polar"):
                if child_of(element, tag) is None:
                    message = f"a surface_model of its own has no <{tag}>"
                    yield sdf_error("missing_element", document.place(element), message, "add one", (8,))
    if orientation is not None and text_of(orientation):
        yield from _value(document, orientation, frozenset({"ENU"}))


def _top(document: Document, element: Element) -> Refusals:
    """Yield an error where there is more than one model, light or actor: libsdformat makes one of them."""
    tops = [child for child in element.iterchildren("*") if child.tag in ("model", "light", "actor")]
    names = set()
    for number, child in enumerate(tops):
        name = (child.tag, child.get("name", "").strip())
        if name in names:
            message = f"{shown(name[1])} is the name of two <{child.tag}> at the top"
            yield sdf_error("duplicate_name", document.place(child), message, "rename one", (2, 11))
        elif number:
            message = f"a file holds one model, light or actor at its top; here are {len(tops)}, and the first counts"
            yield sdf_error(
                "several_models", document.place(child), message, "put each into a file, or all into a world"
            )
        names.add(name)


_OWN: dict[str, Callable[[Document, Element], Refusals]] = {
    "joint": _joint,
    "light": _light,
    "particle_emitter": _emitter,
    "sensor": _sensor,
    "collision": _part,
    "visual": _part,
    "atmosphere": _atmosphere,
    "spherical_coordinates": _coordinates,
    "sdf": _top,
}

CLASSES = NAMED | frozenset(UNIQUE) | frozenset(_OWN)
"""Tags of the elements that are looked at here."""
