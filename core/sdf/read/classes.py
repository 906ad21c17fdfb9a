# SPDX-License-Identifier: Apache-2.0
"""Checks what libsdformat refuses when it makes an object of a readable element: names, types, numbers.

Checks that need other models, links and frames are in tree.py and joints.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import hypot

from ...errors import InertiaError
from ..codes import sdf_error
from ..spec.description import shape_of
from ..spec.element_faults import reserved, shown
from ..spec.names import is_reserved
from ..spec.values import vector
from ..spec.versions import in_model_frame
from ..xml.document import Document, Element, child_of, children_of, text_of

JOINT_TYPES = frozenset(
    ["ball", "continuous", "fixed", "gearbox", "prismatic", "revolute", "revolute2", "screw", "universal"]
)

UNIQUE = {"link": ("visual", "collision"), "sdf": ("world",)}
"""Children that may not share a name with a sibling of the same kind; tree.py checks links, joints, frames and
models."""

NAMED = frozenset(["world", "model", "link", "joint", "frame", "visual", "collision"])
"""Elements whose name may not be reserved."""

Refusals = Iterator[InertiaError]


def refusals(document: Document, element: Element) -> Refusals:
    """Yield what libsdformat refuses about an element of one of `CLASSES`."""
    name = element.get("name", "").strip()
    if element.tag in NAMED and is_reserved(name):
        yield reserved(element, name)
    if element.tag in UNIQUE:
        yield from _repeated_names(document, element)
    own = _OWN.get(element.tag)
    if own is not None:
        yield from own(document, element)


def _repeated_names(document: Document, element: Element) -> Refusals:
    for tag in UNIQUE[element.tag]:
        named: dict[str, list[Element]] = {}
        for child in children_of(element, tag):
            named.setdefault(child.get("name", "").strip(), []).append(child)
        for name, same in named.items():
            if name and len(same) > 1:
                values = {"name": shown(name), "count": len(same), "tag": tag, "parent": element.tag}
                yield sdf_error("duplicate_name", document.place(same[1]), "siblings", **values)


def _joint(document: Document, element: Element) -> Refusals:
    for tag in ("axis", "axis2"):
        axis = child_of(element, tag)
        xyz = child_of(axis, "xyz")
        if xyz is not None and text_of(xyz) and _is_zero(document, xyz):
            yield sdf_error("axis_zero", document.place(xyz), tag=tag)
        if axis is not None and xyz is None and in_model_frame(axis):
            yield sdf_error("missing_element", document.place(axis), "axis", codes=(9, 1), tag=tag)
    kind = element.get("type", "").strip().lower()
    if kind and kind not in JOINT_TYPES:
        yield sdf_error("bad_type", document.place(element), kind=shown(kind), known=", ".join(sorted(JOINT_TYPES)))


def _is_zero(document: Document, xyz: Element) -> bool:
    try:
        return hypot(*vector(xyz, 3)) < 1e-6
    except InertiaError:
        return False  # reported elsewhere


def _part(document: Document, element: Element) -> Refusals:
    shape = shape_of(child_of(element, "geometry"))
    submesh = child_of(shape, "submesh") if shape is not None and shape.tag == "mesh" else None
    if submesh is not None and child_of(submesh, "name") is None:
        yield sdf_error("missing_element", document.place(submesh), "name", codes=(8,))


def _top(document: Document, element: Element) -> Refusals:
    """Yield an error if there is more than one model at the top: libsdformat reads only one."""
    models = children_of(element, "model")
    names = set()
    for number, model in enumerate(models):
        name = model.get("name", "").strip()
        if name in names:
            yield sdf_error("duplicate_name", document.place(model), "top", codes=(2, 11), name=shown(name))
        elif number:
            yield sdf_error("several_models", document.place(model), count=len(models))
        names.add(name)


_OWN: dict[str, Callable[[Document, Element], Refusals]] = {
    "joint": _joint,
    "collision": _part,
    "visual": _part,
    "sdf": _top,
}

CLASSES = NAMED | frozenset(UNIQUE) | frozenset(_OWN)
"""Tags of the elements that are checked here."""
