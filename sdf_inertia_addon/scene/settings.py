# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts the properties of an object for core: SI units, and None if nothing is set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.errors import Finding, InertiaError
from ...core.formats.sdf.spec.names import is_reserved
from ...core.mesh.methods import METHODS, Parameter
from ...core.robot.calculators import params_for
from ...core.robot.model import Geometry, Mesh
from ..names import MODEL, PROPERTIES
from .known_materials import all_names, density_of, same_density
from .properties import PROPERTY_OF

if TYPE_CHECKING:
    from .properties import SDF_INERTIA_PG_object


_NUMBERED = re.compile(r"\.\d{3,}$")

CUT = 58
"""Bytes from which on Blender may have cut a name, or did to put a number behind it."""


def keeps_name(name: str, original: str) -> bool:
    """Return True if a name is what Blender makes of an original one, which it numbers and cuts, and not another."""
    stem, whole = _NUMBERED.sub("", name), _NUMBERED.sub("", original)
    return stem == whole or (len(stem.encode()) >= CUT and original.startswith(stem))


def name_in_file(ob: bpy.types.Object) -> str:
    """Return what an imported object is called in its file; empty for one that was not, or was renamed since."""
    sdf_name: str = getattr(ob, PROPERTIES).sdf_name
    known = bool(sdf_name) and keeps_name(ob.name, sdf_name) and "::" not in sdf_name and not is_reserved(sdf_name)
    return sdf_name if known else ""


def shortest(number: float) -> float:
    """Return the shortest decimal that Blender would store as the same float32: 0.1, not 0.10000000149."""
    return float(str(np.float32(number)))


def stated_density(settings: SDF_INERTIA_PG_object) -> float | None:
    """Return the density [kg/m³], less what the infill leaves out, or None if none was given."""
    if not settings.use_density:
        return None
    density, infill = shortest(settings.density), shortest(settings.infill)
    return density if infill == 100.0 else density * infill / 100.0  # solid: as typed, without a rounding


def unknown_material(settings: SDF_INERTIA_PG_object, subject: str) -> list[Finding]:
    """Check that the material of an object has the density that is used.

    Returns
    -------
    list of Finding
        ``unknown_material``: an error if no density is saved with the object; a warning if the saved one is used, as in
        another user's file. ``material_differs``, a warning: the material has another density here than the saved
        one.
    """
    if not settings.material:
        return []
    known = density_of(settings.material)
    saved = shortest(settings.density)
    if known is None and not settings.use_density:
        near = get_close_matches(settings.material, all_names(), n=3) or ["Aluminium", "Steel", "PLA"]
        return [
            Finding.of(
                "error", "unknown_material", subject, "unknown", material=settings.material, near=", ".join(near)
            )
        ]
    if known is None:
        return [Finding.of("warning", "unknown_material", subject, "saved", material=settings.material, saved=saved)]
    if settings.use_density and not same_density(saved, known):
        return [
            Finding.of("warning", "material_differs", subject, material=settings.material, known=known, saved=saved)
        ]
    return []


def check_choices(settings: SDF_INERTIA_PG_object, *names: str) -> None:
    """Raise ``unknown_choice`` where one of these properties, of which Blender keeps a number, has an empty text.

    So it is in a file of a later version that has more choices, or one that something else has written to.
    """
    for name in names:
        if not getattr(settings, name):
            label = settings.bl_rna.properties[name].name
            raise InertiaError.of("unknown_choice", label=label)


def stated_mass(settings: SDF_INERTIA_PG_object) -> float | None:
    """Return the mass [kg], of a link its target, or None if none was given."""
    return shortest(settings.mass) if settings.use_mass else None


def stated_model_mass(scene: bpy.types.Scene) -> float | None:
    """Return the target mass [kg] of a scene's whole robot, or None if none was given."""
    settings = getattr(scene, MODEL)
    return shortest(settings.mass) if settings.use_mass else None


def is_static(scene: bpy.types.Scene) -> bool:
    """Return True if the whole robot of a scene is static."""
    return bool(getattr(scene, MODEL).static)


def model_texts(scene: bpy.types.Scene) -> tuple[str, str]:
    """Return the author and the description of a scene's robot."""
    settings = getattr(scene, MODEL)
    return settings.author, settings.description


def parameter_value(settings: SDF_INERTIA_PG_object, parameter: Parameter, metres_per_unit: float) -> float:
    """Return a parameter of a method: a length [m], or a share, which is shown in percent."""
    value = shortest(getattr(settings, PROPERTY_OF.get(parameter.name, parameter.name)))
    return metres_per_unit * value if parameter.unit else value / 100.0


def check_infill(method: SDF_INERTIA_PG_object, density: SDF_INERTIA_PG_object) -> None:
    """Raise ``bad_infill`` for a print whose density, that of a part or its link, has an infill too."""
    if method.method == "PRINTED" and density.use_density and density.infill != 100.0:
        raise InertiaError.of("bad_infill", "", "twice", percent=shortest(density.infill))


def params_of(
    settings: SDF_INERTIA_PG_object, metres_per_unit: float, shape: Geometry | None = None
) -> Mapping[str, str] | None:
    """Return the method as SDFormat's ``auto_inertia_params``, by qualified name; None where it is inherited.

    A length of 0 may depend on the `shape` that is measured, as a voxel's does; without one, nothing is reported.
    """
    if settings.method == "INHERIT":
        return None
    method = METHODS[settings.method.lower()]
    lengths = {}
    for parameter in method.parameters:
        length = parameter_value(settings, parameter, metres_per_unit)
        if length != 0.0 or parameter.default is None:  # an impossible one is refused where it is used
            lengths[parameter.name] = length
        elif isinstance(shape, Mesh):
            lengths[parameter.name] = parameter.default(shape.baked)
        else:
            return None
    return params_for(method.name, lengths)
