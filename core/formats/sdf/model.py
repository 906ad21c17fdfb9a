# SPDX-License-Identifier: Apache-2.0
"""The models of an SDF file as values, by libsdformat's rules for frames, names and joints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import pi
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from ...body.pose import Pose
from ...document.document import Document
from ...document.element import Element, child_of, children_of, text_of
from ...errors import Finding, InertiaError, Severity, first_error
from ...robot.joints import AXES, named
from ...robot.model import (
    DYNAMICS,
    SPRING,
    WORLD,
    Collision,
    Frame,
    Geometry,
    Joint,
    JointKind,
    Link,
    Mesh,
    Model,
    Unusable,
    Visual,
    WriteAs,
)
from ..motors import GEAR_RATIO, MIMIC, ROTOR_INERTIA, mimic_of, sdf_motor
from ..robot_file import (
    Color,
    ImportedRobot,
    LostPart,
    color_of,
    elements_left_out,
    mesh_not_imported,
    no_longer_following,
    not_imported,
)
from .collision import MeshUse, quad_of
from .links import SdfLink
from .read import SdfFile
from .scope import MODEL, BodyKey, Scope
from .scope import Joint as ReadJoint
from .spec.codes import sdf_error
from .spec.description import shape_of
from .spec.values import child_number, vector
from .spec.versions import in_model_frame
from .tree import SdfModel

KINDS = frozenset(get_args(JointKind))

UNLIMITED = 1e16
"""From here on, SDFormat's limits mean no limit."""

READ = {
    "model": frozenset({"pose", "link", "joint", "frame", "static", "include", "model"}),
    "link": frozenset({"pose", "inertial", "collision", "visual"}),
    "collision": frozenset({"pose", "geometry", "density", "auto_inertia_params"}),
    "visual": frozenset({"pose", "geometry", "material"}),
    "material": frozenset({"diffuse"}),
    "joint": frozenset({"pose", "parent", "child", "axis", "axis2", "thread_pitch", "screw_thread_pitch"})
    | {ROTOR_INERTIA, GEAR_RATIO, MIMIC},
    "axis": frozenset({"xyz", "limit", "dynamics", "mimic", "use_parent_model_frame"}),
    "axis2": frozenset({"xyz", "limit", "dynamics", "use_parent_model_frame"}),
    "limit": frozenset({"lower", "upper", "effort", "velocity"}),
    "dynamics": frozenset((*DYNAMICS, *SPRING)),
}
"""What is imported of each element; anything else is counted in a finding."""

SEEN = ("visual", "material")
"""What else these have is only appearance."""

NO, YES, ZERO = ("false", "0"), ("true", "1"), ("0", "0.0")
DEFAULTS = {
    "self_collide": NO,
    "kinematic": NO,
    "enable_wind": NO,
    "gravity": YES,
    "allow_auto_disable": YES,
    "cast_shadows": YES,
    "transparency": ZERO,
}
"""Values with which an element has no effect."""

WRITE_AS: Mapping[str, WriteAs] = {"convex_hull": "convex_hull", "convex_decomposition": "decomposed"}
"""How a collision's mesh is written again, by the optimization that its file has."""

_BEGINNING = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def sdf_models(file: SdfFile) -> list[ImportedRobot]:
    """Return every model of a file, with the links of models nested in it as its own.

    Raises InertiaError for what libsdformat refuses the file for.
    """
    document = file.document
    error = first_error(file.findings)
    if error is not None:
        raise InertiaError(error.code, error.subject, error.sentence, error.fix, error.sdf_codes)
    world = [_of_world(scope, document) for scope in file.scopes if scope.is_world]
    robots = [_Reading(file, model, parts, findings=[*world]).robot() for model, parts in _models(file)]
    unread = next((finding for finding in file.findings if finding.code == "include_not_read"), None)
    if unread is not None and not robots:
        raise InertiaError(unread.code, unread.subject, unread.sentence, unread.fix, unread.sdf_codes)
    return robots


def sdf_joints(file: SdfFile) -> dict[str, tuple[Joint, ...]]:
    """Return the joints of each model as `sdf_models` does, by its name; no mesh is read."""
    return {model.name: _Reading(file, model, parts).placed_joints() for model, parts in _models(file)}


def _models(file: SdfFile) -> Iterator[tuple[SdfModel, Mapping[str, SdfModel]]]:
    """Yield the models that are in no other, each with its parts: itself and those in it, by the prefix of names."""
    for model in file.models:
        if "::" in model.name:
            continue
        prefix = f"{model.name}::"
        nested = {
            f"{inner.name.removeprefix(prefix)}::": inner for inner in file.models if inner.name.startswith(prefix)
        }
        parts = {"": model} | nested
        if any(part.links for part in parts.values()):
            yield model, parts


def _of_world(scope: Scope, document: Document) -> Finding:
    """Return the finding that the world itself is left out, and the joints in it, which hold its robots."""
    if not scope.joints:
        return not_imported(document.name, "world", "info")
    names = ", ".join(f"'{name}'" for name in scope.joints)
    return not_imported(document.name, "world_joints", joints=names)


@dataclass(eq=False)
class _Reading:
    """One model as it is being read; `parts` are it and the models nested in it, by the prefix of their names.

    Frames: M is the model's, S that of a part's scope, L a link's, J a joint's.
    """

    file: SdfFile
    read: SdfModel
    parts: Mapping[str, SdfModel]
    meshes: dict[Geometry, MeshUse] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    lost: list[LostPart] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    unread_looks: Counter[str] = field(default_factory=Counter)

    def placed_joints(self) -> tuple[Joint, ...]:
        """Place the links, and return the joints."""
        scope = self.read.scope
        self.X_MS = {prefix: scope.pose(prefix.removesuffix("::")) for prefix in self.parts}
        self.by_name: dict[str, SdfLink] = {}
        self.X_ML: dict[str, Pose] = {}
        self.bodies: dict[BodyKey, str] = {}
        for prefix, part in self.parts.items():
            for link in part.links:
                name = prefix + link.local_name
                self.by_name[name], self.X_ML[name] = link, self.X_MS[prefix] @ link.link.pose
                self.bodies[id(part.scope), link.local_name] = name
        return tuple(self._joints())

    def robot(self) -> ImportedRobot:
        joints = self.placed_joints()
        links = tuple(self._link(name, link) for name, link in self.by_name.items())
        frames = tuple(self._frames())
        for prefix, part in self.parts.items():
            self._report_rest(part.element)
            if prefix:
                place = str(part.element)
                self.findings.append(Finding.of("info", "nested_model", place, name=part.name))
                if part.static and not self.read.static:
                    self.unread["<static>"] += 1
        place = str(self.read.element)
        self.findings += elements_left_out(place, self.unread)
        self.findings += elements_left_out(place, self.unread_looks, "info")
        return ImportedRobot(
            self.file.document.path or Path(self.file.document.name),
            Model(self.read.name, links, joints, (), frames, static=self.read.static),
            {link.name: link.manual if self._has_numbers(link) else None for link in links},
            self.meshes,
            tuple(dict.fromkeys([*self.file.findings, *self.file.notes, *self.findings])),
            tuple(self.lost),
            pose=self._in_world(),
        )

    def _has_numbers(self, link: Link) -> bool:
        return link.mode != "auto" and self.by_name[link.name].has_inertial

    def _in_world(self) -> Pose:
        worlds = (scope for scope in self.file.scopes if scope.is_world)
        holding = (world for world in worlds if world.nested.get(self.read.name) is self.read.scope)
        return next((world.pose(self.read.name) for world in holding), self.read.scope.placed)

    def _link(self, name: str, read: SdfLink) -> Link:
        refused = first_error(read.findings)
        if refused is not None and read.manual is None and not read.auto:
            raise InertiaError(refused.code, refused.subject, refused.sentence, refused.fix)
        self.findings += read.findings
        parts = zip(read.link.collisions, children_of(read.element, "collision"), strict=True)
        collisions = [
            imported for part, element in parts if (imported := self._imported(read, part, element)) is not None
        ]
        visuals = tuple(self._visuals(read))
        self._report_rest(read.element)
        link = replace(
            read.link, name=name, pose=self.X_ML[name], collisions=tuple(collisions), visuals=visuals, findings=()
        )
        is_zero = link.manual is not None and link.manual.is_zero
        return replace(link, mode="none", manual=None) if is_zero else link

    def _imported(self, read: SdfLink, part: Collision, element: Element) -> Collision | None:
        """Return a part for import, or None; record its mesh, and report what is wrong with it."""
        if isinstance(part.geometry, Unusable):
            error = part.geometry.error
            shape = shape_of(child_of(element, "geometry"))
            if _has_no_volume(part) and shape is not None:
                self.findings.append(not_imported(str(element), "elements", elements=f"<{shape.tag}>"))
                return None
            self.findings.append(mesh_not_imported(f"{element.tag} '{part.name}'", error))
            if shape is not None and shape.tag == "mesh":
                link = read.name.removeprefix(f"{self.read.name}::")
                self.lost.append(LostPart(link, f"{element.tag} {part.name}"))
            return None
        self._report_rest(element)
        if not isinstance(part.geometry, Mesh):
            return part
        use = read.mesh_use(element)
        if use is None:  # a plane
            return part
        self.meshes[part.geometry] = use
        return replace(part, write_as=WRITE_AS.get(use.optimization, "as_is"))

    def _visuals(self, read: SdfLink) -> Iterator[Visual]:
        for element, part in read.read_visuals():
            imported = self._imported(read, _drawn(part, element), element)
            if imported is not None:
                material = child_of(element, "material")
                if material is not None:
                    self._report_rest(material)
                yield Visual(imported.name, imported.pose, imported.geometry, _color(material))

    def _joints(self) -> list[Joint]:
        read: list[Joint] = []
        names: list[str] = []
        for prefix, part in self.parts.items():
            for name, joint in part.scope.joints.items():
                read += self._read_joint(prefix, part.scope, name, joint)
                names.append(prefix + name)
        imported, lost = named(read, {name: name for name in names})
        self.findings += no_longer_following(str(self.read.element), lost)
        return imported

    def _read_joint(self, prefix: str, scope: Scope, name: str, joint: ReadJoint) -> Iterator[Joint]:
        """Yield a joint of a scope, if it can be imported."""
        place = joint.element
        kind = joint.kind
        parent, child = (self._body(scope, end) for end in joint.ends)
        if kind == "revolute2":
            kind = "universal"
            self.findings.append(not_imported(str(place), "revolute2", joint=name))
        if kind not in KINDS or child is None or parent is None or child == WORLD:
            # A joint to a model that is not read is not wrong itself.
            severity: Severity = "info" if scope.unread and kind in KINDS else "warning"
            self.findings.append(not_imported(str(place), "joint", severity, joint=name, kind=f"'{kind}'"))
            return
        X_SJ = scope.pose(name, place)
        X_LJ = self.X_ML[child].inverse() @ self.X_MS[prefix] @ X_SJ
        yield self._joint(scope, joint, prefix, name, cast(JointKind, kind), parent, child, X_LJ, X_SJ)

    def _joint(
        self,
        scope: Scope,
        joint: ReadJoint,
        prefix: str,
        name: str,
        kind: JointKind,
        parent: str,
        child: str,
        X_LJ: Pose,
        X_SJ: Pose,
    ) -> Joint:
        element = joint.element
        values: dict[str, Any] = {}
        if kind == "screw":
            values["pitch"] = _pitch(element)
        for tag in ("axis", "axis2")[: AXES[kind]]:
            axis = child_of(element, tag)
            if axis is None:
                continue
            values[tag] = self._axis(scope, joint, axis, X_SJ)
            self._report_rest(axis)
            limits = _limits(axis)
            if tag == "axis":
                values |= limits
                for inner in children_of(axis, "limit") + children_of(axis, "dynamics"):
                    self._report_rest(inner)
            elif limits:
                self.findings.append(not_imported(str(element), "second_axis"))
        self._report_rest(element)
        if AXES[kind] == 1:
            values |= sdf_motor(element)._asdict()
        mimic = child_of(child_of(element, "axis"), "mimic")
        values["mimic"] = mimic_of(child_of(element, MIMIC) if mimic is None else mimic, prefix)
        return Joint(prefix + name, kind, parent, child, X_LJ, place=element, **values)

    def _axis(self, scope: Scope, joint: ReadJoint, axis: Element, X_SJ: Pose) -> tuple[float, float, float]:
        """Return an axis in the joint's frame J; it may be given in another frame E of the scope S."""
        xyz = child_of(axis, "xyz")
        x, y, z = (0.0, 0.0, 1.0) if xyz is None else vector(xyz, 3)
        frame = "" if xyz is None else xyz.get("expressed_in", "").strip()
        if in_model_frame(axis):
            frame = MODEL
        if not frame:
            return x, y, z
        # For what was merged, the model's own frame is that of the model that it came from.
        frame = joint.root if frame == MODEL and joint.root else frame
        R_SE = scope.pose(frame, axis).R
        axis_J = X_SJ.R.T @ (R_SE @ np.array([x, y, z]))
        return float(axis_J[0]), float(axis_J[1]), float(axis_J[2])

    def _frames(self) -> Iterator[Frame]:
        """Yield the frames, those of merged models too."""
        for prefix, part in self.parts.items():
            for name, frame in part.scope.frames.items():
                place = frame.place
                if frame.fixed_to is None or place.tag != "frame":
                    continue
                link = self._body(part.scope, name)
                if link is None or link == WORLD:
                    self.findings.append(not_imported(str(place), "frame", frame=name))
                    continue
                X_MF = self.X_MS[prefix] @ part.scope.pose(name, place)
                yield Frame(prefix + name, self.X_ML[link].inverse() @ X_MF, link)

    def _body(self, scope: Scope, name: str) -> str | None:
        """Return the link that a name in a scope is fixed to, the world, or None."""
        key = scope.body(name)
        if key is None:
            return WORLD if name == WORLD else None
        return WORLD if key == (0, WORLD) else self.bodies.get(key)

    def _report_rest(self, parent: Element) -> None:
        """Count what is not imported of an element."""
        tag = parent.tag
        unread = (f"<{child.tag}>" for child in parent if child.tag not in READ[tag] and not _idle(child))
        (self.unread_looks if tag in SEEN else self.unread).update(unread)


def _drawn(part: Collision, visual: Element) -> Collision:
    """Return a visual that was read as a collision: a plane has no volume, but can be drawn."""
    plane = visual.find("geometry/plane")
    if plane is None or not _has_no_volume(part):
        return part
    try:
        return replace(part, geometry=quad_of(plane))
    except InertiaError as error:
        return replace(part, geometry=Unusable(error))


def _has_no_volume(part: Collision) -> bool:
    return isinstance(part.geometry, Unusable) and part.geometry.error.code == "unsupported_geometry"


def _idle(element: Element) -> bool:
    """Return True if an element has only default values, or is an ambient colour equal to the diffuse one."""
    if element.tag == "ambient":
        given = color_of(text_of(element))
        return given is not None and given == _color(element.parent)
    return not len(element) and text_of(element).lower() in DEFAULTS.get(element.tag, ())


def _pitch(element: Element) -> float:
    """Return how far a screw moves in one turn [m], as libsdformat reads it: 1 m if it is not given."""
    pitch = child_number(element, "screw_thread_pitch")
    if pitch is not None:
        return pitch
    turns = child_number(element, "thread_pitch")  # rad/m, and left-handed
    if turns == 0.0:
        raise sdf_error("bad_value", element, "thread_pitch", codes=())
    return 1.0 if turns is None else -2.0 * pi / turns


def _limits(axis: Element) -> dict[str, float]:
    """Return the limits and losses that an axis gives; no limit of effort or velocity is negative."""
    limit, dynamics = child_of(axis, "limit"), child_of(axis, "dynamics")
    limits = {name: _number(limit, name) for name in ("lower", "upper", "effort", "velocity")}
    losses = {name: _number(dynamics, name) for name in (*DYNAMICS, *SPRING)}
    given = {name: value for name, value in limits.items() if value is not None and abs(value) < UNLIMITED}
    usable = {name: value for name, value in given.items() if value >= 0.0 or name in ("lower", "upper")}
    return usable | {name: value for name, value in losses.items() if value}


def _number(parent: Element | None, tag: str) -> float | None:
    """Return a child's number as libsdformat reads it: that of KUKA's ``2.356"`` too, which is also a finding."""
    try:
        return child_number(parent, tag)
    except InertiaError:
        start = _BEGINNING.match(text_of(child_of(parent, tag)))
        return None if start is None else float(start[0])


def _color(material: Element | None) -> Color | None:
    given = child_of(material, "diffuse")
    return None if given is None else color_of(text_of(given))
