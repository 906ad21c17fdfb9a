# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids of one material, as CAD has them: their inertials, and COLLADA files in millimetres."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from solids import Solid

MILLIMETRE = 1e-3

COLLADA = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified>
<unit name="millimeter" meter="0.001"/><up_axis>Z_UP</up_axis></asset>
<library_effects>
{effects}
</library_effects>
<library_materials>
{materials}
</library_materials>
<library_geometries>
{geometries}
</library_geometries>
<library_visual_scenes><visual_scene id="scene">
{nodes}
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
"""

EFFECT = """<effect id="{name}-effect"><profile_COMMON><technique sid="t"><lambert><diffuse>\
<color>{color} 1</color></diffuse></lambert></technique></profile_COMMON></effect>"""

MATERIAL = '<material id="{name}-material" name="{name}"><instance_effect url="#{name}-effect"/></material>'

GEOMETRY = """<geometry id="{name}"><mesh>
<source id="{name}-points"><float_array id="{name}-array" count="{floats}">{points}</float_array>
<technique_common><accessor source="#{name}-array" count="{count}" stride="3"><param name="X" type="float"/>\
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="{name}-vertices"><input semantic="POSITION" source="#{name}-points"/></vertices>
<triangles count="{triangles}" material="{name}"><input semantic="VERTEX" source="#{name}-vertices" offset="0"/>
<p>{faces}</p></triangles>
</mesh></geometry>"""

NODE = """<node id="{name}-node" name="{name}"><instance_geometry url="#{name}"><bind_material><technique_common>\
<instance_material symbol="{name}" target="#{name}-material"/></technique_common></bind_material>\
</instance_geometry></node>"""


class Inertial(NamedTuple):
    """Mass [kg], centre of mass [m], and tensor about that [kg·m²], in the link's frame."""

    mass: float
    com: npt.NDArray[np.float64]
    inertia: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Body:
    """A closed solid of one material.

    Parameters
    ----------
    name : str
    color : tuple of float
    density : float
        [kg/m³]
    solid : Solid
        [mm]
    """

    name: str
    color: tuple[float, float, float]
    density: float
    solid: Solid

    def inertial(self) -> Inertial:
        """Return the sum over tetrahedra between the origin and each triangle."""
        a, b, c = np.moveaxis(MILLIMETRE * np.array(self.solid[0])[np.array(self.solid[1])], 1, 0)
        masses = self.density * np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
        mass, total = float(masses.sum()), a + b + c
        com = masses @ total / (4.0 * mass)
        second = sum(np.einsum("i,ij,ik->jk", masses, each, each) for each in (a, b, c, total)) / 20.0
        about_com = second - mass * np.outer(com, com)
        return Inertial(mass, com, np.trace(about_com) * np.eye(3) - about_com)

    def mirrored(self) -> Body:
        """Return the same for the other side of the robot."""
        vertices, faces = self.solid
        return replace(self, solid=([(x, -y + 0.0, z) for x, y, z in vertices], [face[::-1] for face in faces]))


def together(bodies: Iterable[Body]) -> Inertial:
    """Return the inertial of several bodies."""
    each = [body.inertial() for body in bodies]
    mass = sum(one.mass for one in each)
    com = sum((one.mass * one.com for one in each), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for one in each:
        away = one.com - com
        inertia += one.inertia + one.mass * (away @ away * np.eye(3) - np.outer(away, away))
    return Inertial(mass, com, inertia)


def collada(bodies: Sequence[Body]) -> str:
    """Return a COLLADA file in millimetres, z up: a geometry with a material for each body."""

    def each(template: str, values: Callable[[Body], dict[str, object]] = lambda _body: {}) -> str:
        return "\n".join(template.format(name=body.name, **values(body)) for body in bodies)

    def geometry(body: Body) -> dict[str, object]:
        points, faces = body.solid
        return {
            "points": " ".join(f"{value:g}" for value in chain(*points)),
            "faces": " ".join(map(str, chain(*faces))),
            "floats": 3 * len(points),
            "count": len(points),
            "triangles": len(faces),
        }

    return COLLADA.format(
        effects=each(EFFECT, lambda body: {"color": " ".join(f"{part:g}" for part in body.color)}),
        materials=each(MATERIAL),
        geometries=each(GEOMETRY, geometry),
        nodes=each(NODE),
    )
