# SPDX-License-Identifier: Apache-2.0
"""What MuJoCo does silently with the inertials of an MJCF, and which it refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isclose

import numpy as np

from ...body.compare import difference
from ...body.inertial import MUJOCO_LEAST, Inertial
from ...body.materials import WATER
from ...errors import Finding, has_error
from ...robot.extent import Extent, extent_of
from ...robot.model import Mesh
from ...robot.part import PartBody, resolve_part
from ...units import listed_text, numbers_text
from ..file_link import bodies_text, names_text
from .links import MjcfLink
from .read import Geom, MjcfRobot

NOTICEABLE = 0.01
"""A smaller relative difference of a mesh, or share of visuals, is not reported."""

TENSOR = 0.05
"""A smaller relative difference of a body is not reported: few robots are known better."""

OPEN = frozenset({"open_mesh", "zero_volume"})
"""Codes of findings about a mesh that encloses no volume."""

OVERLAP = 0.5
"""Visuals show the collisions if their boxes share more than this part of the larger one."""


def file_findings(robot: MjcfRobot, links: Sequence[MjcfLink]) -> Iterator[Finding]:
    """Yield what MuJoCo does to many bodies of a file, for the same reason."""
    place = str(robot.expanded.document.root)
    ignored = [link for link in links if link.auto and link.read.inertial is not None]
    if ignored:
        yield Finding.of("warning", "inertials_ignored", place, links=names_text(ignored))
    changes = [*_changes(robot, links)]
    if changes:
        yield Finding.of("warning", "compiler_changes", place, changes="; ".join(changes))
    moving = [link for link in links if link.auto and not link.static]
    tags = ((geom.parent, geom) for geom in robot.expanded.places[1:] if geom.tag == "geom")
    by_default = any(
        "density" in geom.attrib for parent, geom in tags if parent is not None and parent.tag == "default"
    )
    chosen = by_default or robot.compiler["settotalmass"] > 0.0
    light = [link for link in moving if any(_is_unchosen(link, geom) for geom in link.read.geoms)]
    if light and not chosen:
        yield Finding.of("warning", "unchosen_density", place, bodies=bodies_text(light))
    doubled = {link: both for link in moving if (both := _double_mass(link)) is not None}
    if doubled:
        visual, solid = (sum(masses) for masses in zip(*doubled.values(), strict=True))
        given = all(_is_given(geom) for link in doubled for geom in link.read.geoms if geom.is_visual and geom.counts)
        values = {"bodies": bodies_text([*doubled]), "visual": visual, "solid": solid}
        yield Finding.of("info" if given else "warning", "visual_mass", place, **values)
    loose = [] if robot.computes_none else [link for link in links if not link.static]
    left_out = [link for link in loose if _loses_mass(link)]
    if left_out:
        low, high = robot.compiler["inertiagrouprange"]
        some = [geom.mass for link in left_out for geom in link.read.geoms if _is_lost(geom)]
        values = {"groups": f"{low} {high}", "mass": sum(mass for mass in some if mass is not None)}
        form = "stated" if None not in some else ""
        yield Finding.of("warning", "mass_left_out", place, form, bodies=bodies_text(left_out), **values)


def _is_unchosen(link: MjcfLink, geom: Geom) -> bool:
    return geom.counts and not _is_given(geom) and "density" not in geom.place.attrib


def _is_given(geom: Geom) -> bool:
    """Return True if somebody chose what a geom weighs."""
    return geom.mass is not None or geom.density != WATER


def _loses_mass(link: MjcfLink) -> bool:
    """Return True for a body whose geoms are given a mass or density, but are not all in ``inertiagrouprange``."""
    return link.read.inertial is None and any(map(_is_lost, link.read.geoms))


def _is_lost(geom: Geom) -> bool:
    """Return True if somebody chose what a geom weighs, and MuJoCo leaves it out."""
    return _is_given(geom) and geom.weighs and not geom.counts


def weightless(links: Sequence[MjcfLink]) -> Iterator[MjcfLink]:
    """Yield the bodies that move and have no mass, nor has a body that is fixed to them: MuJoCo loads none."""
    heavy: set[str] = set()
    for link in reversed(links):
        read, inertial = link.read, unscaled(link)
        unknown = (link.auto and inertial is None) or (inertial is not None and not inertial.is_finite())
        if unknown or link.local_name in heavy or _is_heavy(inertial):
            heavy |= {read.parent} if read.parent is not None and not read.joints else set()
        elif read.joints and link.reader.robot.compiler["boundmass"] <= MUJOCO_LEAST:
            yield link


def _light(given: Inertial | None) -> Finding:
    """Return the finding for a body without enough mass, which may have an inertial, or geoms that weigh too little."""
    if given is None:
        return Finding.of("error", "mujoco_refuses", "", "bare", least=MUJOCO_LEAST)
    values = {"mass": given.mass, "moment": float(given.principal().moments[0]), "least": MUJOCO_LEAST}
    return Finding.of("error", "mujoco_refuses", "", "light", **values)


def _is_heavy(inertial: Inertial | None) -> bool:
    return inertial is not None and min(inertial.mass, *inertial.principal().moments) > MUJOCO_LEAST


def _changes(robot: MjcfRobot, links: Iterable[MjcfLink]) -> Iterator[str]:
    """Yield what the attributes of ``<compiler>`` change in the inertials of these links."""
    compiler = robot.compiler
    given = ((link.local_name, unscaled(link) or Inertial.zero) for link in links)
    bodies = [(name, inertial) for name, inertial in given if inertial.is_finite()]
    light = [name for name, inertial in bodies if inertial.mass < compiler["boundmass"]]
    if light and compiler["boundmass"] > 0.0:
        yield f"boundmass raises the mass of {listed_text(light, 3)} to {compiler['boundmass']:g} kg"
    small = [name for name, inertial in bodies if inertial.principal().moments[0] < compiler["boundinertia"]]
    if small and compiler["boundinertia"] > 0.0:
        yield f"boundinertia raises moments of {listed_text(small, 3)} to {compiler['boundinertia']:g} kg·m²"
    if compiler["balanceinertia"]:
        flat = [name for name, inertial in bodies if _excess(inertial) > 0.0]
        if flat:
            yield f"balanceinertia sets the moments of {listed_text(flat, 3)} to their mean"
    total = sum(inertial.mass for _, inertial in bodies)
    if compiler["settotalmass"] > 0.0 and not isclose(total, compiler["settotalmass"], rel_tol=1e-6):
        yield f"settotalmass scales all masses to {compiler['settotalmass']:g} kg"


def unscaled(link: MjcfLink) -> Inertial | None:
    """Return a link's inertial as MuJoCo reads or computes it, before the attributes of ``<compiler>`` change it."""
    return link.body.inertial if link.auto else link.read.inertial


def link_findings(link: MjcfLink, is_weightless: bool = False) -> Iterator[Finding]:
    """Yield what MuJoCo refuses about a link's inertial, or computes in an unexpected way.

    Parameters
    ----------
    is_weightless : bool
        True if it is among the `weightless`.
    """
    if is_weightless:
        yield link.element.about(_light(unscaled(link)))
    if link.auto and not link.static:
        yield from map(link.element.about, _odd_meshes(link))
    inertial, balanced = link.inertial, link.reader.robot.compiler["balanceinertia"]
    if inertial is None or balanced or not inertial.is_finite() or has_error(inertial.findings()):
        return
    if _excess(inertial) > 0.0:
        moments = numbers_text(inertial.principal().moments.tolist())
        yield link.element.about(Finding.of("error", "mujoco_refuses", "", "triangle", moments=moments))


def _excess(inertial: Inertial) -> float:
    """Return by how much the largest moment [kg·m²] exceeds the sum of the others; MuJoCo has no tolerance."""
    tensor = inertial.inertia
    moments = np.diag(tensor)
    diagonal = not np.any(tensor - np.diag(moments))
    low, middle, high = np.sort(moments) if diagonal else np.linalg.eigvalsh(tensor)
    rounding = 0.0 if diagonal else 8.0 * float(np.finfo(float).eps) * float(high)
    return float(high - (low + middle) - rounding)


def _double_mass(link: MjcfLink) -> tuple[float, float] | None:
    """Return the masses [kg] of the visuals and collisions of a body, if both are the same solid and have mass."""
    parts = {part.name: part.inertial for part in link.body.parts}
    visual = _mass(parts.get(part.name) for part in link.link.masses)
    solid = _mass(parts.get(part.name) for part in link.link.collisions)
    if visual > NOTICEABLE * solid > 0.0 and _overlap(extent_of(link.link.masses), extent_of(link.link.collisions)):
        return visual, solid
    return None


def _mass(inertials: Iterable[Inertial | None]) -> float:
    return sum(inertial.mass for inertial in inertials if inertial is not None)


def _overlap(a: Extent | None, b: Extent | None) -> bool:
    if a is None or b is None:
        return False
    shared = np.minimum(a.high, b.high) - np.maximum(a.low, b.low)
    return bool((shared > 0.0).all() and np.prod(shared) > OVERLAP * max(a.volume, b.volume))


def _odd_meshes(link: MjcfLink) -> Iterator[Finding]:
    """Yield the finding for a body whose meshes have another inertia than MuJoCo computes, or no certain one."""
    parts = {part.name: part for part in link.link.weighed if isinstance(part.geometry, Mesh)}
    meshes = {
        geom.name: (geom.mesh, link.reader.robot.meshes[geom.mesh].inertia)
        for geom in link.read.geoms
        if geom.name in parts
    }
    holes: list[str] = []
    odd: list[tuple[str, Inertial, Inertial]] = []
    for computed in link.body.parts:
        theirs, part = computed.inertial, parts.get(computed.name)
        if part is None or theirs is None:
            continue
        (mesh, how), ours = meshes[part.name], resolve_part(part, link.link, quick=True)
        if ours.inertial is None:
            holes += [mesh] * (how != "convex" and any(finding.code in OPEN for finding in ours.findings))
        elif how == "legacy" and _is_apart(theirs, ours.inertial, ours):
            odd.append((mesh, theirs, ours.inertial))
    if holes and link.body.inertial is not None:
        mass = link.body.inertial.mass
        yield Finding.of("warning", "mesh_inertia", "", "open", meshes=_listed(holes), mass=mass)
    if odd and link.body.inertial is not None:
        names, first, others = zip(*odd, strict=True)
        compiled, solid = _sum(first), _sum(others)
        apart = difference(compiled, solid)
        if max(apart.mass, apart.inertia) * compiled.mass > TENSOR * link.body.inertial.mass:
            yield _differs(_listed(names), compiled, solid)


def _is_apart(theirs: Inertial, ours: Inertial, measured: PartBody) -> bool:
    apart = difference(theirs, ours)
    return apart.mass > max(NOTICEABLE, measured.error) or apart.inertia > max(NOTICEABLE, measured.error_inertia)


def _differs(meshes: str, theirs: Inertial, ours: Inertial) -> Finding:
    """Return the finding with both masses, or if these agree with both moments."""
    if difference(theirs, ours).mass > NOTICEABLE:
        return Finding.of("warning", "mesh_inertia", "", "mass", meshes=meshes, theirs=theirs.mass, ours=ours.mass)
    first, second = (numbers_text(inertial.principal().moments.tolist()) for inertial in (theirs, ours))
    return Finding.of("warning", "mesh_inertia", "", "tensor", meshes=meshes, theirs=first, ours=second)


def _listed(names: Sequence[str]) -> str:
    return listed_text(list(dict.fromkeys(names)), 2)


def _sum(inertials: Sequence[Inertial]) -> Inertial:
    return sum(inertials[1:], start=inertials[0])
