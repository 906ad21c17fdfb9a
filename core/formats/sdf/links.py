# SPDX-License-Identifier: Apache-2.0
"""Reads a <link> element: the inertial in the file, and the collisions when needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ...body.pose import Pose
from ...document.element import Element, child_of, children_of, text_of
from ...document.locate import Locator
from ...errors import Finding, InertiaError, has_error
from ...files.mesh_store import MeshStore
from ...judge.geometry.written import Written, written
from ...robot.model import Collision, Link, Part, Unusable, Visual
from ...robot.resolve import LinkBody, resolve_link
from ..file_link import FileLink, PartNames
from .collision import WITHOUT_VOLUME, CollisionReader, MeshUse, params_of, part_name
from .scope import BodyKey, Scope
from .spec.codes import sdf_error, with_sdf_codes
from .spec.values import boolean, child_number, pose
from .spec.versions import relative_to_of

Y_UP = (".gltf", ".glb")
"""Suffixes of mesh files with y up: Drake rotates them, Gazebo does not."""

Z_UP = Pose(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]), np.zeros(3))
"""Drake's rotation of such a file."""


@dataclass(frozen=True, eq=False)
class SdfLink(FileLink):
    """A link of an SDF file, by libsdformat's rules.

    Parameters
    ----------
    manual : Inertial or None
        The inertial that the file gives, in the link's frame; libsdformat's default (1 kg, unit moments) if it
        gives none, with the finding ``default_inertial``. None for an auto link, and if it cannot be read.
    scope : Scope
        The frames of its model.
    """

    manual: Inertial | None
    scope: Scope
    _reader: CollisionReader
    _resolve: bool

    @property
    def _inertial(self) -> Element | None:
        return child_of(self.element, "inertial")

    @property
    def inertial(self) -> Inertial | None:
        whole = all(child_of(self._inertial, tag) is not None for tag in ("mass", "inertia"))
        return self.manual if whole and not has_error(self.findings) else None

    def _written(self, mass: Element, tensor: Element) -> Written:
        texts = dict.fromkeys(("ixx", "iyy", "izz"), "1") | {child.tag: text_of(child) for child in tensor}
        return written(texts, text_of(mass), pose(child_of(self._inertial, "pose")).R)

    @property
    def mass(self) -> float | None:
        try:
            return child_number(self._inertial, "mass")
        except InertiaError:
            return None

    @property
    def com(self) -> FloatArray | None:
        if self._inertial is None or self.auto:
            return None
        try:
            return pose(child_of(self._inertial, "pose")).p
        except InertiaError:
            return None

    @property
    def com_texts(self) -> Sequence[str]:
        return text_of(child_of(self._inertial, "pose")).split()[:3]

    @property
    def fluid_added_mass(self) -> bool:
        """True if the file gives one."""
        return child_of(self._inertial, "fluid_added_mass") is not None

    @property
    def body_key(self) -> BodyKey:
        """Its key among the bodies of joints."""
        return id(self.scope), self.local_name

    @property
    def meshes(self) -> MeshStore:
        """The mesh files that were read, by path, for `mesh_uses`."""
        return self._reader.meshes

    @cached_property
    def link(self) -> Link:
        """The link in the mode ``auto`` or ``manual``, with its collisions; this reads their mesh files."""
        return replace(self._bare, collisions=tuple(self._part(part, name) for name, part in self._collisions.items()))

    @property
    def _bare(self) -> Link:
        """The link without its collisions."""
        try:
            X = self.scope.pose(self.local_name)
        except InertiaError:  # it is among the file's findings
            X = Pose.identity
        link = Link(self.name, X, "auto" if self.auto else "manual", manual=self.manual, findings=self.findings)
        if not self.auto or has_error(self.findings):
            return link
        density, mass = (child_number(self._inertial, tag) for tag in ("density", "mass"))
        return replace(link, density=density, mass=mass, params=params_of(self._inertial) or {})

    @cached_property
    def body(self) -> LinkBody:
        """The link's inertial by libsdformat's rules; no mesh is read for a manual one.

        Collisions without a result are left out of the sum, as in libsdformat; the link is still `refused` by their
        findings.
        """
        skipped = self.auto and not self._resolve
        if not skipped and not has_error(self.findings):
            return self._resolved(self.link if self.auto else self._bare)
        findings, mode = self.findings, self._bare.mode
        if skipped:
            findings += (Finding.of("info", "not_resolved", str(self.element)),)
        return LinkBody(self.name, None, None, mode, 0.0, findings, mode, self._bare.pose, ())

    def _resolved(self, link: Link) -> LinkBody:
        body = resolve_link(link, from_file=True)
        body = body.for_reader("sdf") if self.auto else body  # elements of auto_inertia_params help an auto link alone
        if not body.all_findings():
            return body

        def coded(element: Element, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
            return tuple(element.about(with_sdf_codes(finding)) for finding in findings)

        parts = [replace(part, findings=coded(self._collisions[part.name], part.findings)) for part in body.parts]
        return replace(body, findings=coded(self.element, body.findings), parts=tuple(parts))

    def with_inertial(self, link: Link, body: LinkBody) -> SdfLink:
        """Return the link as if it were read with the inertial of `link`, which resolves to `body`."""
        other = replace(self, auto=link.mode == "auto", manual=link.manual, findings=())
        # Fill the cached properties: here they are known, and differ from the file.
        other.__dict__.update(link=link, body=body)
        return other

    @cached_property
    def _collisions(self) -> Mapping[str, Element]:
        """Its ``<collision>`` elements by name; libsdformat drops the second of two with the same name."""
        collisions: dict[str, Element] = {}
        for number, element in enumerate(children_of(self.element, "collision")):
            collisions.setdefault(part_name(element, number), element)
        return collisions

    @cached_property
    def mesh_uses(self) -> Mapping[str, MeshUse]:
        """How the mesh collisions use their files, by collision; those that cannot be found are left out."""
        uses = {}
        for name, element in self._collisions.items():
            try:
                use = self._reader.mesh_use(element)
            except InertiaError:
                continue
            if use is not None:
                uses[name] = use
        return uses

    def mesh_uris(self) -> Iterator[tuple[Element, str, Locator]]:
        """Yield where each URI of a mesh is written, the URI, and what finds its file."""
        for tag in ("collision", "visual"):
            for uri in self.element.iterfind(f"{tag}/geometry/mesh/uri"):
                yield uri, text_of(uri), self._reader.locator

    def mesh_use(self, element: Element) -> MeshUse | None:
        """Return how one of its ``<collision>`` or ``<visual>`` elements uses a mesh file; None without a mesh."""
        return self._reader.mesh_use(element)

    def read_visuals(self) -> Iterator[tuple[Element, Collision]]:
        """Yield its ``<visual>`` elements, each read as a collision."""
        for number, element in enumerate(children_of(self.element, "visual")):
            yield element, self._part(element, part_name(element, number))

    @cached_property
    def visuals(self) -> Sequence[Visual]:
        """Its visuals; a glTF is `Unusable`, since simulators do not agree on it."""
        visuals = []
        for element, read in self.read_visuals():
            uri = _mesh_uri(element)
            unclear = InertiaError.of("gltf_axes", str(self.element), uri=uri) if uri.lower().endswith(Y_UP) else None
            visuals.append(Visual(read.name, read.pose, Unusable(unclear) if unclear else read.geometry))
        return visuals

    @cached_property
    def visuals_with_extent(self) -> Sequence[Part | Visual]:
        """Its visuals; planes and the like have no extent, and a glTF is listed in both of its possible
        orientations."""
        shown = []
        for element, visual in self.read_visuals():
            shape = child_of(element, "geometry")
            if shape is None or any(child.tag in WITHOUT_VOLUME for child in shape):
                continue
            shown.append(visual)
            if _mesh_uri(element).lower().endswith(Y_UP):  # the file does not state its simulator
                shown.append(replace(visual, pose=visual.pose @ Z_UP))
        return shown

    @property
    def part_names(self) -> PartNames:
        return {
            (kind, part_name(element, number)): tuple(filter(None, (*_materials(element), _mesh_uri(element))))
            for kind in ("collision", "visual")
            for number, element in enumerate(children_of(self.element, kind))
        }

    def misplaced_parts(self) -> Iterator[Finding]:
        """Yield an error for each ``<collision>`` and ``<visual>`` whose pose is relative to a missing frame."""
        for element in (*children_of(self.element, "collision"), *children_of(self.element, "visual")):
            if relative_to_of(child_of(element, "pose")):
                try:
                    self._part_pose(element)
                except InertiaError as error:
                    yield error.finding()

    def _part(self, element: Element, name: str) -> Collision:
        """Return a ``<collision>`` or ``<visual>`` in the link's frame, `Unusable` if anything is wrong with it."""
        try:
            X = self._part_pose(element)
        except InertiaError as error:
            return Collision(name, Pose.identity, Unusable(error))
        return self._reader.collision(element, name, X)

    def _part_pose(self, element: Element) -> Pose:
        posed = child_of(element, "pose")
        X, relative_to = pose(posed), relative_to_of(posed)
        if posed is None or relative_to in ("", self.local_name):
            return X
        with np.errstate(over="ignore", invalid="ignore"):  # as when the frames were read
            return self.scope.pose(self.local_name, posed).inverse() @ self.scope.pose(relative_to, posed) @ X


def read_link(
    model: str, name: str, element: Element, static: bool, scope: Scope, reader: CollisionReader, resolve: bool
) -> SdfLink:
    """Read a link of the model with the scoped name `model`; errors become its findings."""
    given = child_of(element, "inertial")
    findings: list[Finding] = []
    auto, manual = False, None
    try:
        auto = given is not None and boolean(given, "auto")
        if given is None:
            findings.append(Finding.of("info", "default_inertial", str(element), "nothing"))
            manual = Inertial(1.0, np.zeros(3), np.eye(3))
        elif auto:
            findings += _check_auto(given)
        else:
            manual = _manual(given, findings)
    except InertiaError as error:
        findings.append(error.finding())
    if auto:  # its simulator would not find what is found by the end of a URI
        reader = replace(reader, locator=replace(reader.locator, by_end=False))
    return SdfLink(model, name, element, auto, static, tuple(findings), manual, scope, reader, resolve)


def _check_auto(given: Element) -> Iterator[Finding]:
    """Yield what an auto inertial overwrites; raises InertiaError for numbers that cannot be read."""
    for tag in ("density", "mass"):
        child_number(given, tag)
    unused = [f"<{tag}>" for tag in ("pose", "inertia") if child_of(given, tag) is not None]
    if unused:
        yield sdf_error("auto_overwrites", given, unused=" and ".join(unused)).finding("warning")


def _manual(given: Element, findings: list[Finding]) -> Inertial:
    """Return an ``<inertial>`` in the link's frame."""
    posed = child_of(given, "pose")
    if posed is not None and posed.get("relative_to"):
        findings.append(sdf_error("inertial_relative_to", posed).finding("warning"))
    mass, tensor = child_number(given, "mass"), written_tensor(given)
    X = pose(posed)
    unposed = Inertial(1.0 if mass is None else mass, np.zeros(3), tensor)
    if np.array_equal(X.R, np.eye(3)):
        return Inertial(unposed.mass, X.p, unposed.inertia)
    with np.errstate(over="ignore", invalid="ignore"):  # infinite moments end in the finding not_finite
        return unposed.transformed(X)


def written_tensor(inertial: Element) -> FloatArray:
    """Return the tensor (3, 3) [kg·m²] of an ``<inertial>`` as written, in the axes of its pose."""
    values = {"ixx": 1.0, "iyy": 1.0, "izz": 1.0, "ixy": 0.0, "ixz": 0.0, "iyz": 0.0}
    for name in values:
        given = child_number(child_of(inertial, "inertia"), name)
        values[name] = values[name] if given is None else given
    xx, yy, zz, xy, xz, yz = values.values()
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _mesh_uri(part: Element) -> str:
    return text_of(part.find("geometry/mesh/uri"))


def _materials(part: Element) -> Iterator[str]:
    for name in part.iterfind("material/script/name"):
        yield text_of(name)
        yield text_of(name).rpartition("/")[2]
