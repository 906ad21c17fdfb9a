# SPDX-License-Identifier: Apache-2.0
"""Makes links without inertial frames of the links that hold them, for a format in which each link has mass."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ..body.pose import Pose
from ..robot.massless import holders_in
from ..robot.model import WORLD, Collision, Frame, Joint, Link, Model, Visual
from .sdf.spec.names import UniqueNames


def fused(model: Model, names: Collection[str]) -> Model:
    """Return a model of these links, in which each one without inertial that a link with mass holds is a frame of it.

    Its collisions, without mass, and its visuals are parts of the link that holds it; joints and frames that named it
    name that link. A link that only the world holds stays.
    """
    links = tuple(link for link in model.links if link.name in names)
    model = replace(model, links=links)
    holders = {name: holder for name, holder in holders_in(model).items() if holder != WORLD}
    return _Fusion(model, holders).model() if holders else model


class _Fusion:
    """The poses X_HF of the frames F of all links in those of the links H that hold them; the others hold themselves.

    M is the model's frame.
    """

    def __init__(self, model: Model, holders: Mapping[str, str]) -> None:
        self.unfused, self.massless = model, holders
        X_MF = {link.name: link.pose for link in model.links} | {WORLD: Pose.identity}
        self.holders = {name: holders.get(name, name) for name in X_MF}
        self.X_HF = {name: X_MF[holder].inverse() @ X_MF[name] for name, holder in holders.items()}

    def model(self) -> Model:
        links = [self._link(link) for link in self.unfused.links if link.name not in self.massless]
        joints = [self._joint(joint) for joint in self.unfused.joints if {joint.parent, joint.child} <= {*self.holders}]
        frames = [self._frame(frame) for frame in self.unfused.frames if frame.attached_to in self.holders]
        frames += [Frame(name, self.X_HF[name], holder) for name, holder in self.massless.items()]
        between = tuple(joint for joint in joints if joint.parent != joint.child)
        return replace(self.unfused, links=tuple(links), joints=between, frames=tuple(frames))

    def _placed(self, name: str, pose: Pose) -> Pose:
        """Return a pose in a link's frame in that of its holder."""
        return self.X_HF[name] @ pose if name in self.massless else pose

    def _link(self, link: Link) -> Link:
        """Return a link with the parts of those that it holds."""
        held = [other for other in self.unfused.links if self.massless.get(other.name) == link.name]
        if not held:
            return link
        collisions: list[Collision] = [*link.collisions]
        visuals: list[Visual] = [*link.visuals]
        collision_names, visual_names = UniqueNames(), UniqueNames()
        for part in (*collisions, *link.masses):
            collision_names.take(part.name)
        for visual in visuals:
            visual_names.take(visual.name)
        for other in held:
            for part in other.collisions:
                name = collision_names.keep(_name(other, part))
                pose = self._placed(other.name, part.pose)
                collisions.append(replace(part, name=name, pose=pose, has_mass=False))
            for visual in other.visuals:
                name = visual_names.keep(_name(other, visual))
                visuals.append(replace(visual, name=name, pose=self._placed(other.name, visual.pose)))
        return replace(link, collisions=tuple(collisions), visuals=tuple(visuals))

    def _joint(self, joint: Joint) -> Joint:
        if not {joint.parent, joint.child} & {*self.massless}:
            return joint
        pose = self._placed(joint.child, joint.pose)
        return replace(joint, parent=self.holders[joint.parent], child=self.holders[joint.child], pose=pose)

    def _frame(self, frame: Frame) -> Frame:
        if frame.attached_to not in self.massless:
            return frame
        pose = self._placed(frame.attached_to, frame.pose)
        return replace(frame, attached_to=self.holders[frame.attached_to], pose=pose)


def _name(link: Link, part: Collision | Visual) -> str:
    """Return the name of a part in another link: it begins with that of its own."""
    return part.name if part.name.startswith(f"{link.name}_") else f"{link.name}_{part.name}"
