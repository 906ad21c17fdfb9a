# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings as the panel edits them: of the active link or part, and of all that is selected with it.

`Scene.sdf_inertia_selected` mirrors properties of `Object.sdf_inertia` and stores nothing: reading one gives the active
object's value, and writing one sets it on every selected object of the same kind. The properties of the object itself
act on that object alone, as scripts expect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_type_hints

import bpy

from ..names import PROPERTIES, SELECTED
from ..translations.words import PointerProperty
from .belonging import is_link, is_part, is_solid, link_above, parent_link
from .properties import SDF_INERTIA_PG_object

OF_MASS = ("use_density", "density", "material", "infill", "mass", "mass_in_grams")
OF_BOTH = (*OF_MASS, "geometry", "write_as", "simplify_tolerance")
OF_METHOD = ("method", "voxel_size", "thickness", "printed_wall", "printed_infill")
OF_PARTS = (*OF_BOTH, *OF_METHOD, "has_mass")
OF_LINKS = (
    *OF_BOTH,
    *OF_METHOD,
    *("joint_type", "joint_world", "joint_axis", "joint_along", "joint_axis2", "joint_pitch"),
    *(f"joint_{bound}_{kind}" for bound in ("lower", "upper") for kind in ("angle", "length")),
    *("joint_effort", "joint_velocity", "joint_damping", "joint_friction"),
    *("joint_rotor_inertia", "joint_gear_ratio"),
)
OF_SOLIDS = frozenset({"geometry", "write_as", "simplify_tolerance"})
"""What a link has only where it is a part of its own as well."""


def selected_with(context: bpy.types.Context, ob: bpy.types.Object) -> list[bpy.types.Object]:
    """Return an object and, if it is selected, all selected ones of its kind: links or parts, whichever it is."""
    selected = context.selected_objects
    if ob not in selected:
        return [ob]
    kind = is_link if is_link(ob) else is_part
    return [ob, *(other for other in selected if other != ob and kind(other))]


def has_parent(ob: bpy.types.Object) -> bool:
    """Return True if a joint of a link has something to be joined to; the root of a robot has not."""
    return bool(getattr(ob, PROPERTIES).joint_world or parent_link(ob))


def button_target(context: bpy.types.Context, ob: bpy.types.Object) -> str:
    """Return the target of a panel's button about an object: empty, for the selected ones, if there are several."""
    return "" if len(selected_with(context, ob)) > 1 else str(ob.name_full)


def shown_settings(context: bpy.types.Context, ob: bpy.types.Object) -> Any:
    """Return what a panel shows and edits of a link or part: the mirror if several objects are selected with it."""
    if len(selected_with(context, ob)) > 1:
        mirror = getattr(context.scene, SELECTED)
        if ob == _active_part():
            return mirror.parts
        if ob == _active_link():
            return mirror.links
    return getattr(ob, PROPERTIES)  # which can be animated and overridden


def _active_part() -> bpy.types.Object | None:
    ob = bpy.context.view_layer.objects.active
    return ob if ob is not None and is_part(ob) else None


def _active_link() -> bpy.types.Object | None:
    return link_above(bpy.context.view_layer.objects.active)


def _mirror(name: str, active: Callable[[], bpy.types.Object | None]) -> Any:
    """Return a property that reads and writes the property of that name of the active and the selected objects."""
    declared: Any = get_type_hints(SDF_INERTIA_PG_object)[name]
    keywords = {key: value for key, value in declared.keywords.items() if key not in ("update", "override")}
    numbers = {item[0]: item[-1] for item in keywords.get("items", ())}

    def get(_self: object) -> Any:
        ob = active()
        value = keywords.get("default") if ob is None else getattr(getattr(ob, PROPERTIES), name)
        return numbers.get(value, -1) if numbers else value

    def put(_self: object, value: Any) -> None:
        for ob in _changed_together(name, active):
            if ob.is_editable:
                identifier = next((key for key, number in numbers.items() if number == value), value)
                setattr(getattr(ob, PROPERTIES), name, identifier)

    return declared.function(**{**keywords, "get": get, "set": put, "options": {"SKIP_SAVE"}})


def _changed_together(name: str, active: Callable[[], bpy.types.Object | None]) -> list[bpy.types.Object]:
    """Return the active object, and the selected ones that have the setting of this name as well."""
    first = active()
    return [
        ob
        for ob in ([] if first is None else selected_with(bpy.context, first))
        if (name not in OF_SOLIDS or is_solid(ob)) and (name != "joint_type" or ob == first or has_parent(ob))
    ]


def count_values(shown: Any, name: str) -> int:
    """Return how many values the objects have in a setting that a panel shows and edits; 1 where it is that of one."""
    if not isinstance(shown, SelectedLinks | SelectedParts):
        return 1
    objects = _changed_together(name, _active_link if isinstance(shown, SelectedLinks) else _active_part)
    values = (getattr(getattr(ob, PROPERTIES), name) for ob in objects)
    return len({value if isinstance(value, str | float | int) else tuple(value) for value in values})


def _mirrors(label: str, names: tuple[str, ...], active: Callable[[], bpy.types.Object | None]) -> Any:
    # As texts, which Blender evaluates when it registers the class: 4.2 crashes at exit if a class keeps callbacks.
    annotations = {name: f"_mirror({name!r}, {active.__name__})" for name in names}
    return type(f"SDF_INERTIA_PG_{label}", (bpy.types.PropertyGroup,), {"__annotations__": annotations})


SelectedLinks = _mirrors("selected_links", OF_LINKS, _active_link)
SelectedParts = _mirrors("selected_parts", OF_PARTS, _active_part)


class SDF_INERTIA_PG_selected(bpy.types.PropertyGroup):
    """Settings of the active link and of the active part, each together with what is selected with it."""

    links: PointerProperty(type=SelectedLinks, name="Selected Links")
    parts: PointerProperty(type=SelectedParts, name="Selected Parts")


CLASSES = (SelectedLinks, SelectedParts, SDF_INERTIA_PG_selected)


def attach() -> None:
    pointer = PointerProperty(type=SDF_INERTIA_PG_selected, name="Selected", options={"SKIP_SAVE"})
    setattr(bpy.types.Scene, SELECTED, pointer)


def detach() -> None:
    delattr(bpy.types.Scene, SELECTED)
