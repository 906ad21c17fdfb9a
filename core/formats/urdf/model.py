# SPDX-License-Identifier: Apache-2.0
"""A URDF's robot as values: its own links, not lumped, and a frame for each link that is a bare point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...body.pose import Pose
from ...document.element import Element, child_of, children_of
from ...errors import Finding, InertiaError
from ...robot.joints import AXES, named
from ...robot.model import WORLD, Frame, InertiaMode, Joint, JointKind, Link, Model, Part, Unusable, Visual
from ..motors import Motor, mimic_of, transmissions
from ..robot_file import (
    Color,
    ImportedRobot,
    LostPart,
    color_of,
    elements_left_out,
    mesh_not_imported,
    no_longer_following,
    not_imported,
    part_key,
)
from ..sdf.spec.names import UniqueNames
from .links import GeometryReader, UrdfLink, is_point
from .read import Joint as ReadJoint
from .read import Part as UrdfPart
from .read import Robot

KINDS: Mapping[str, JointKind] = {
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "spherical": "ball",  # PyBullet's
}

OF_ROBOT = ("link", "joint", "material")

OF_CONTROLLERS = ("safety_controller", "calibration")
"""Elements of joints that say nothing about how they move."""

UNLIMITED = 1e16
"""Means no limit where URDF demands a number."""


def urdf_model(robot: Robot, links: Sequence[UrdfLink], reader: GeometryReader) -> ImportedRobot:
    """Return a robot as a model. What urdfdom refuses the file for is a warning: the rest of it is imported."""
    return _Reading(robot, links, reader).robot()


def urdf_joints(robot: Robot, links: Sequence[UrdfLink], reader: GeometryReader) -> dict[str, tuple[Joint, ...]]:
    """Return the joints that `urdf_model` gives the model, by its name; no mesh is read."""
    reading = _Reading(robot, links, reader)
    *_, joints = reading.frames_and_joints()
    return {reading.name: joints}


class _Reading:
    def __init__(self, robot: Robot, links: Sequence[UrdfLink], reader: GeometryReader) -> None:
        self.document = robot.document
        self.read = robot
        self.links = {link.local_name: link for link in reversed(links)}  # the first of a name, as in `robot.links`
        self.in_loops: set[str] = set()
        self.reader = reader
        refusals = (refusal.finding("warning") for refusal in robot.refusals)
        self.findings: list[Finding] = [*self.document.findings, *robot.findings, *refusals]
        materials = children_of(self.document.root, "material")
        self.images: dict[Element, Path | None] = {}
        self.lost: list[LostPart] = []
        self.motors = transmissions(self.document.root)
        self.unread: Counter[str] = Counter()
        self.name = self.document.root.get("name") or "robot"
        self.materials = {material.get("name", ""): material for material in reversed(materials)}

    def robot(self) -> ImportedRobot:
        poses, frames, joints = self.frames_and_joints()
        links = [self._link(name, pose) for name, pose in poses.items()]
        root, motor_elements = self.document.root, {element for element, _ in self.motors.values()}
        self.unread.update(
            f"<{element.tag}>"
            for element in root
            if element.tag not in OF_ROBOT and element not in motor_elements and not _is_idle(element)
        )
        self.findings += elements_left_out(str(root), self.unread)
        for path in dict.fromkeys(use.path for use in self.reader.uses.values()):
            self.findings += [finding.about(path.name) for finding in self.reader.store.file(path).findings]
        return ImportedRobot(
            self.document.path or Path(self.document.name),
            Model(self.name, tuple(links), joints, (), frames),
            {link.name: link.manual for link in links},
            self.reader.uses,
            tuple(dict.fromkeys(self.findings)),
            tuple(self.lost),
        )

    def frames_and_joints(self) -> tuple[dict[str, Pose], tuple[Frame, ...], tuple[Joint, ...]]:
        """Return the poses of the model's links, its frames and its joints; a joint may have the name of a link."""
        X_ML, holders, names = self._poses(), self._holders(), UniqueNames()
        links = {name: pose for name, pose in X_ML.items() if holders[name] == name != WORLD}
        for name in links:
            names.take(name)
        frames = tuple(self._frames(X_ML, holders, names))
        joints = {joint.name: joint for joint in self._joints(X_ML, holders)}
        imported, lost = named(joints.values(), {name: name for name in joints})
        self.findings += no_longer_following(str(self.document.root), lost)
        moving = {name for name, joint in joints.items() if AXES[joint.kind] == 1}
        self.motors = {name: motor for name, motor in self.motors.items() if name in moving}
        self.findings += names.findings
        return links, frames, tuple(imported)

    def _poses(self) -> dict[str, Pose]:
        """Return the pose of each link L in the model M, all joints at zero; parents first."""
        X_ML: dict[str, Pose] = {}
        for link in self.read.in_kinematic_order():
            joint = link.joint
            if link.name in X_ML:  # of two links of a name, the first
                continue
            if joint is None:
                X_ML[link.name] = Pose.identity
            elif joint.parent in X_ML:
                X_ML[link.name] = X_ML[joint.parent] @ joint.origin
            else:
                X_ML[link.name] = Pose.identity
                self.in_loops.add(joint.name)
                self.findings.append(not_imported(str(joint.element), "loop", joint=joint.name))
        return X_ML

    def _holders(self) -> dict[str, str]:
        """Return for each bare point the link that it is fixed to, and for each other link itself.

        A bare point may be fixed to a link above or below it: the root of many robots is a bare point. One that is
        fixed only to the world belongs to the world, and one without any fixed joint to itself. The world is a bare
        point too, but belongs to no link: a fixed joint to it is one.
        """
        beside: dict[str, list[str]] = {name: [] for name in self.read.links}
        for link in self.read.in_kinematic_order():
            if link.joint is not None and link.joint.kind == "fixed":
                beside[link.name].insert(0, link.joint.parent)
                beside[link.joint.parent].append(link.name)
        holders = {}
        for name, link in self.read.links.items():
            reached = [name] if is_point(link) and name != WORLD else []
            for node in reached:  # grows while it is read: the nearest first
                reached += [other for other in beside[node] if other not in reached]
            solid = [node for node in reached if node != WORLD and not is_point(self.read.links[node])]
            holders[name] = next(iter(solid), WORLD if WORLD in reached else name)
        return holders

    def _frames(self, X_ML: Mapping[str, Pose], holders: Mapping[str, str], names: UniqueNames) -> Iterator[Frame]:
        for name, X_MP in X_ML.items():
            holder = holders[name]
            if WORLD not in (name, holder) and holder != name:
                yield Frame(names.keep(name), X_ML[holder].inverse() @ X_MP, holder, self._fixed_joint(name))
            elif holder == WORLD != name:
                place = str(self.read.links[name].element)
                self.findings.append(not_imported(place, "fixed_point", link=name))

    def _fixed_joint(self, point: str) -> str:
        """Return the name of the joint that holds a bare point: that above it, or of a root the first below it."""
        above, links = self.read.links[point].joint, self.read.links.values()
        beside = [above] if above is not None else [link.joint for link in links if link.joint is not None]
        return next(
            (joint.name for joint in beside if joint.kind == "fixed" and point in (joint.parent, joint.child)), ""
        )

    def _joints(self, X_ML: Mapping[str, Pose], holders: Mapping[str, str]) -> Iterator[Joint]:
        """Yield the joints between links; of several fixed ones from the world to a link, by bare points, the first."""
        read = (self.read.links[name].joint for name in X_ML)
        joints = [joint for joint in read if joint is not None and joint.name not in self.in_loops]
        fixed = {joint.child for joint in joints if (joint.kind, joint.parent) == ("fixed", WORLD)}
        for joint in joints:
            parent, child = holders[joint.parent], holders[joint.child]
            if (joint.kind, parent) == ("fixed", WORLD) and child != joint.child:
                if child in fixed:
                    continue
                fixed.add(child)
            if parent != child:
                # In URDF a joint is at the origin of its child: here of a point that the child may hold.
                made = self._joint(joint, parent, child, X_ML[child].inverse() @ X_ML[joint.child])
                if made is not None:
                    yield made

    def _link(self, name: str, pose: Pose) -> Link:
        read = self.links.get(name)
        given = None if read is None else read.inertial
        if given is None:
            form = "link" if read is not None and (read.link.parts or read.visuals) else "bare_link"
            place = str(self.read.links[name].element)
            self.findings.append(Finding.of("warning", "default_inertial", place, form, name=name))
        given = None if given is None or given.is_zero else given  # a mass of 0 is none, too
        mode: InertiaMode = "none" if given is None else "manual"
        if read is None:  # a bare point on a joint that moves
            return Link(name, pose, mode)
        known = read.read.parts  # what follows a part that urdfdom cannot read is left out
        collisions = zip(read.link.collisions, known["collision"], strict=False)
        visuals = zip(read.visuals, known["visual"], strict=False)
        return Link(
            name,
            pose,
            mode,
            manual=given,
            collisions=tuple(part for part, urdf_part in collisions if self._is_read(name, part, urdf_part)),
            visuals=tuple(
                self._with_material(part, urdf_part)
                for part, urdf_part in visuals
                if self._is_read(name, part, urdf_part)
            ),
        )

    def _is_read(self, link: str, part: Part | Visual, urdf_part: UrdfPart) -> bool:
        """Return True for a part that can be imported; otherwise add a finding."""
        if isinstance(part.geometry, Unusable):
            if urdf_part.element.find("geometry/mesh") is not None:
                self.lost.append(LostPart(link, part_key(part)))
            self.findings.append(mesh_not_imported(f"a mesh of '{urdf_part.name or 'mesh'}'", part.geometry.error))
            return False
        return True

    def _with_material(self, part: Visual, urdf_part: UrdfPart) -> Visual:
        material = child_of(urdf_part.element, "material")
        if material is None:
            return part
        name = material.get("name", "")
        of_robot = self.materials.get(name)
        color = _color_of(material) or _color_of(of_robot)
        texture = child_of(material, "texture") or child_of(of_robot, "texture")
        named = texture is not None and texture.get("filename", "").strip()  # exporters leave empty ones
        return replace(
            part, material=name, color=color, image=self._image(texture, name) if texture and named else None
        )

    def _image(self, texture: Element, material: str) -> Path | None:
        """Return the file of a texture; None, with a finding, if it cannot be read."""
        if texture not in self.images:
            try:
                self.images[texture] = self.reader.locator.find_picture(texture.get("filename", ""), texture)
            except InertiaError as error:
                self.images[texture] = None
                self.findings.append(not_imported(str(texture), "texture", material=material, reason=error.sentence))
        return self.images[texture]

    def _joint(self, joint: ReadJoint, parent: str, child: str, pose: Pose) -> Joint | None:
        place = str(joint.element)
        if joint.kind == "floating" and parent == WORLD:
            self.findings.append(not_imported(place, "floating", "info", joint=joint.name, link=child))
            return None
        if joint.kind not in KINDS:
            self.findings.append(not_imported(place, "joint", joint=joint.name, kind=joint.kind))
            return None
        self.unread.update(f"<{element.tag}>" for element in joint.element if element.tag in OF_CONTROLLERS)
        axis = _numbers(child_of(joint.element, "axis"), "xyz")
        x, y, z = axis if len(axis) == 3 else (1.0, 0.0, 0.0)
        limit, dynamics = child_of(joint.element, "limit"), child_of(joint.element, "dynamics")
        limited = joint.kind in ("revolute", "prismatic")
        _, motor = self.motors.get(joint.name, (None, Motor()))
        armature = _number(dynamics, "armature") or 0.0  # MuJoCo's word for the rotor's inertia times the ratio squared
        rotor_inertia = motor.rotor_inertia or max(armature, 0.0) / motor.gear_ratio**2
        moving = AXES[KINDS[joint.kind]] == 1
        lower, upper = (_number(limit, name) or 0.0 if limited else None for name in ("lower", "upper"))
        return Joint(
            joint.name,
            KINDS[joint.kind],
            parent,
            child,
            pose,
            (x, y, z),
            lower=None if lower is None or lower <= -UNLIMITED else lower,
            upper=None if upper is None or upper >= UNLIMITED else upper,
            effort=_bound(limit, "effort"),
            velocity=_bound(limit, "velocity"),
            damping=_number(dynamics, "damping") or 0.0,
            friction=_number(dynamics, "friction") or 0.0,
            rotor_inertia=rotor_inertia if moving else 0.0,
            gear_ratio=motor.gear_ratio if moving else 1.0,
            mimic=mimic_of(child_of(joint.element, "mimic")),
            place=joint.element,
        )


def _is_idle(element: Element) -> bool:
    """Return True for what we write into a URDF for MuJoCo: it changes only how the paths of meshes are read."""
    compilers = all(child.tag == "compiler" and {*child.attrib} <= {"strippath"} for child in element)
    return element.tag == "mujoco" and compilers


def _color_of(material: Element | None) -> Color | None:
    color = child_of(material, "color")
    return None if color is None else color_of(color.get("rgba", ""))


def _numbers(element: Element | None, name: str) -> list[float]:
    """Return the numbers of an attribute; none if it is missing or has another word."""
    try:
        return [] if element is None else [float(word) for word in element.get(name, "").split()]
    except ValueError:
        return []


def _number(element: Element | None, name: str) -> float | None:
    numbers = _numbers(element, name)
    return numbers[0] if len(numbers) == 1 else None


def _bound(limit: Element | None, name: str) -> float | None:
    value = _number(limit, name)
    return None if value is None or value >= UNLIMITED or value < 0.0 else value
