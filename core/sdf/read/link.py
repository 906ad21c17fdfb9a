# SPDX-License-Identifier: Apache-2.0
"""Reads a <link> element into a `Link`: the inertial in the file, and the collisions when needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ...body.pose import Pose
from ...errors import Finding, InertiaError, has_error
from ...judge.geometry.written import Written, written
from ...robot.model import Collision, Geometry, InertiaMode, Link, Part, Unusable, Visual
from ...robot.part import PartBody
from ...robot.resolve import LinkBody, resolve_link
from ..codes import sdf_error, with_sdf_codes
from ..file_link import FileLink, PartNames
from ..spec.values import boolean, child_number, pose
from ..spec.versions import relative_to_of
from ..xml.document import Document, Element, Place, child_of, children_of, text_of
from .collision import WITHOUT_VOLUME, CollisionReader, MeshUse, params_of, part_name
from .mesh_source import MeshStore
from .scope import BodyKey, Scope

NO_PARAMS: Mapping[str, str] = MappingProxyType({})

Y_UP = (".gltf", ".glb")
"""Suffixes of mesh files with y up: Drake rotates them, Gazebo does not."""

Z_UP = Pose(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]), np.zeros(3))
"""Drake's rotation of such a file."""


class AutoSettings(NamedTuple):
    """The settings of an auto inertial: density [kg/m³], target mass [kg] and ``auto_inertia_params``."""

    density: float | None = None
    mass: float | None = None
    params: Mapping[str, str] = NO_PARAMS


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
    _settings: AutoSettings
    _reader: CollisionReader
    _resolve: bool

    @property
    def inertial(self) -> Inertial | None:
        given = child_of(self.element, "inertial")
        whole = all(child_of(given, tag) is not None for tag in ("mass", "inertia"))
        return self.manual if whole and not has_error(self.findings) else None

    def _written(self, mass: Element, tensor: Element) -> Written:
        texts = {str(one.tag): text_of(one) for one in tensor}
        defaults = dict.fromkeys(("ixx", "iyy", "izz"), "1")
        posed = child_of(child_of(self.element, "inertial"), "pose")
        return written(defaults | texts, text_of(mass), pose(posed).R)

    @property
    def mass(self) -> float | None:
        try:
            return child_number(child_of(self.element, "inertial"), "mass")
        except InertiaError:
            return None

    @property
    def com(self) -> FloatArray | None:
        given = child_of(self.element, "inertial")
        if given is None or self.auto:
            return None
        try:
            return pose(child_of(given, "pose")).p
        except InertiaError:
            return None

    @cached_property
    def visuals(self) -> Sequence[Visual]:
        return [
            Visual(one.name, one.pose, _upright(_mesh_uri(element), one.geometry, self.place))
            for element, one in self.read_visuals()
        ]

    @cached_property
    def visuals_with_extent(self) -> Sequence[Part | Visual]:
        """Its visuals; planes and the like have no extent, and a glTF is listed in both of its possible
        orientations."""
        shown = []
        for element, visual in self.read_visuals():
            shape = element.find("geometry")
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

    @property
    def fluid_added_mass(self) -> bool:
        """True if the file gives one."""
        return child_of(child_of(self.element, "inertial"), "fluid_added_mass") is not None

    @cached_property
    def link(self) -> Link:
        """The link in the mode ``auto`` or ``manual``, with its collisions; this reads their mesh files."""
        return self._with_collisions(tuple(self._part(element, name) for name, element in self._elements.items()))

    @cached_property
    def body(self) -> LinkBody:
        """The link's inertial by libsdformat's rules; no mesh is read for a manual one.

        Collisions without a result are left out of the sum, as in libsdformat; the link is still `refused` by their
        findings.
        """
        skipped = self.auto and not self._resolve
        if skipped or has_error(self.findings):
            findings, link = self.findings, self._with_collisions(())
            if skipped:
                findings += (Finding.of("info", "not_resolved", str(self.place)),)
            return LinkBody(self.name, None, None, link.mode, 0.0, findings, link.mode, link.pose, ())
        return self._resolved(self.link if self.auto else self._with_collisions(()))

    @cached_property
    def mesh_uses(self) -> Mapping[str, MeshUse]:
        """How the mesh collisions use their files, by collision; those that cannot be found are left out."""
        uses = {}
        for name, element in self._elements.items():
            try:
                use = self._reader.mesh_use(element)
            except InertiaError:
                continue
            if use is not None:
                uses[name] = use
        return uses

    @cached_property
    def _elements(self) -> Mapping[str, Element]:
        """Its ``<collision>`` elements by name; libsdformat drops the second of two with one name."""
        found: dict[str, Element] = {}
        for number, element in enumerate(children_of(self.element, "collision")):
            found.setdefault(part_name(element, number), element)
        return found

    @property
    def meshes(self) -> MeshStore:
        """The mesh files that were read, by path, for `mesh_uses`."""
        return self._reader.meshes

    def misplaced_parts(self) -> Iterator[Finding]:
        """Yield an error for each ``<collision>`` and ``<visual>`` whose pose is relative to a missing frame."""
        for element in (*children_of(self.element, "collision"), *children_of(self.element, "visual")):
            if relative_to_of(child_of(element, "pose")):
                try:
                    self._part_pose(element)
                except InertiaError as error:
                    yield error.finding()

    @property
    def body_key(self) -> BodyKey:
        """Its key among the bodies of joints."""
        return id(self.scope), self.local_name

    def mesh_use(self, element: Element) -> MeshUse | None:
        """Return how one of its ``<collision>`` or ``<visual>`` elements uses a mesh file; None without a mesh."""
        return self._reader.mesh_use(element)

    def read_visuals(self) -> Iterator[tuple[Element, Collision]]:
        """Yield its ``<visual>`` elements, each read as a collision."""
        for number, element in enumerate(children_of(self.element, "visual")):
            yield element, self._part(element, part_name(element, number))

    def with_inertial(self, link: Link, body: LinkBody) -> SdfLink:
        """Return the link as if it were read with the inertial of `link`, which resolves to `body`."""
        other = replace(self, auto=link.mode == "auto", manual=link.manual, findings=())
        # Fill the cached properties: here they are known, and differ from the file.
        other.__dict__.update(link=link, body=body)
        return other

    def _with_collisions(self, collisions: tuple[Collision, ...]) -> Link:
        try:
            X = self.scope.pose(self.local_name)
        except InertiaError:  # it is among the file's findings
            X = Pose.identity
        mode: InertiaMode = "auto" if self.auto else "manual"
        density, mass, params = self._settings
        return Link(self.name, X, mode, density, mass, params, self.manual, collisions, (), self.findings)

    def _part(self, element: Element, name: str) -> Collision:
        """Return a ``<collision>`` or ``<visual>`` in the link's frame, `Unusable` if anything is wrong with it."""
        try:
            X = self._part_pose(element)
        except InertiaError as error:
            return Collision(name, Pose.identity, Unusable(error))
        return self._reader.collision(element, name, X)

    def _part_pose(self, element: Element) -> Pose:
        posed = child_of(element, "pose")
        X = pose(posed)
        relative_to = relative_to_of(posed)
        if not relative_to or relative_to == self.local_name:
            return X
        place = posed
        with np.errstate(over="ignore", invalid="ignore"):  # as when the frames were read
            return self.scope.pose(self.local_name, place).inverse() @ self.scope.pose(relative_to, place) @ X

    def _resolved(self, link: Link) -> LinkBody:
        body = resolve_link(link, from_file=True)
        body = body.for_reader("sdf") if self.auto else body  # elements of auto_inertia_params help an auto link alone
        if not body.all_findings():
            return body
        place = self.place

        def coded(part: PartBody) -> PartBody:
            where = self.document.at(self._elements[part.name])
            return replace(part, findings=tuple(where.about(with_sdf_codes(finding)) for finding in part.findings))

        findings = tuple(place.about(with_sdf_codes(finding)) for finding in body.findings)
        return replace(body, findings=findings, parts=tuple(coded(part) for part in body.parts))


def read_link(
    model: str,
    name: str,
    element: Element,
    static: bool,
    scope: Scope,
    reader: CollisionReader,
    resolve: bool,
) -> SdfLink:
    """Read a link of the model with the scoped name `model`; errors become its findings."""
    document = reader.document
    inertial = child_of(element, "inertial")
    findings: list[Finding] = []
    auto, manual, given = False, None, AutoSettings()
    try:
        auto = inertial is not None and boolean(inertial, "auto")
        if auto and inertial is not None:
            given = _read_auto_settings(document, inertial, findings)
        else:
            manual = _manual(document, inertial, findings, document.at(element))
    except InertiaError as error:
        findings.append(error.finding())
    own = model, name, element, auto, static, tuple(findings), manual, scope
    return SdfLink(*own, given, reader, resolve)


def _read_auto_settings(document: Document, inertial: Element, findings: list[Finding]) -> AutoSettings:
    density, mass = (child_number(inertial, tag) for tag in ("density", "mass"))
    unused = [f"<{tag}>" for tag in ("pose", "inertia") if child_of(inertial, tag) is not None]
    if unused:
        error = sdf_error("auto_overwrites", document.at(inertial), unused=" and ".join(unused))
        findings.append(error.finding("warning"))
    return AutoSettings(density, mass, params_of(inertial) or NO_PARAMS)


def _manual(document: Document, inertial: Element | None, findings: list[Finding], place: Place) -> Inertial:
    if inertial is None:
        findings.append(Finding.of("info", "default_inertial", str(place), "nothing"))
        return Inertial(1.0, np.zeros(3), np.eye(3))
    posed = child_of(inertial, "pose")
    if posed is not None and posed.get("relative_to"):
        error = sdf_error("inertial_relative_to", document.at(posed))
        findings.append(error.finding("warning"))
    mass = child_number(inertial, "mass")
    own = Inertial(1.0 if mass is None else mass, np.zeros(3), written_tensor(inertial))
    X = pose(posed)
    if np.array_equal(X.R, np.eye(3)):
        return Inertial(own.mass, X.p, own.inertia)
    with np.errstate(over="ignore", invalid="ignore"):  # infinite moments end in the finding not_finite
        return own.transformed(X)


def written_tensor(inertial: Element) -> FloatArray:
    """Return the tensor (3, 3) [kg·m²] of an ``<inertial>`` as written, in the axes of its pose."""
    tensor = child_of(inertial, "inertia")
    xx, yy, zz = (_moment(tensor, name, 1.0) for name in ("ixx", "iyy", "izz"))
    xy, xz, yz = (_moment(tensor, name, 0.0) for name in ("ixy", "ixz", "iyz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _moment(tensor: Element | None, name: str, default: float) -> float:
    given = child_number(tensor, name)
    return default if given is None else given


def _mesh_uri(part: Element) -> str:
    uri = part.find("geometry/mesh/uri")
    return "" if uri is None else text_of(uri)


def _materials(part: Element) -> Iterator[str]:
    for name in part.iterfind("material/script/name"):
        yield text_of(name)
        yield text_of(name).rpartition("/")[2]


def _upright(uri: str, geometry: Geometry, place: Place) -> Geometry:
    """Return a visual's geometry for computation, `Unusable` unless all simulators agree on it."""
    if not uri.lower().endswith(Y_UP):
        return geometry
    return Unusable(InertiaError.of("gltf_axes", str(place), uri=uri))
