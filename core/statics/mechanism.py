# SPDX-License-Identifier: Apache-2.0
"""A model as rigid bodies that joints move, in arrays: poses, torques of gravity, inertia at the joints.

The joints are those of a tree, so sums over the bodies below a joint give all numbers exactly. Every vector of a body
is in the model's frame as it is with all joints at 0: a joint then only adds its motion about a fixed axis through a
fixed point (Murray, Li & Sastry 1994, A Mathematical Introduction to Robotic Manipulation, section 3.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, isfinite, pi

import numpy as np

from ..arrays import Bools, FloatArray
from ..body.inertial import Inertial
from ..body.pose import Pose
from ..errors import Finding, InertiaError, Severity
from ..robot.joints import AXES, kinematic_order, leaders_of, own_joints, wrong_numbers
from ..robot.model import WORLD, Joint, Model
from ..units import few_text

GRAVITY = 9.81
"""Along -z [m/s²], as in Pinocchio, MuJoCo and Drake."""

SINGULAR = 1e-14
"""A mass matrix with ones on its diagonal has rounding errors of this size: smaller eigenvalues are zero."""


@dataclass(frozen=True, eq=False)
class Mechanism:
    """The joints that move, parents first, and the bodies that they move.

    Body k is all that joint k moves rigidly; the last body is that of the root, which is held. Arrays of poses have the
    shape (p, m), with the positions [rad or m] of the m joints in `free`.

    Parameters
    ----------
    model : Model
    joints : tuple of Joint
        Those that move, n of them; followers too.
    free : tuple of str
        The names of the joints that follow no other one.
    notes : tuple of Finding
        What is held though it could move, and loops.
    parent : tuple of int
        Of each joint, the number of the body that it is fixed to; -1 is the root.
    axis, point : ndarray, shape (n, 3)
        A unit vector, and a point on the axis [m].
    turn, slide : ndarray, shape (n,)
        Rotation and travel [m] for each unit of its position: 1 and 0 for a hinge, 0 and 1 for a slider.
    reduction, offset : ndarray, shape (n, m) and (n,)
        Positions of all joints: ``reduction @ positions of the free ones + offset``.
    bodies : tuple of Inertial
        In the model's frame, all joints at 0; n + 1 of them.
    body_of : mapping of str to int
        The number of the body that each link is in.
    fixed : bool
        True if a joint fixes the root to the world.
    """

    model: Model
    joints: tuple[Joint, ...]
    free: tuple[str, ...]
    notes: tuple[Finding, ...]
    parent: tuple[int, ...]
    axis: FloatArray
    point: FloatArray
    turn: FloatArray
    slide: FloatArray
    reduction: FloatArray
    offset: FloatArray
    bodies: tuple[Inertial, ...]
    body_of: Mapping[str, int]
    fixed: bool
    followed: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, model: Model, inertials: Mapping[str, Inertial | None], payload: Mapping[str, float] | None = None
    ) -> Mechanism:
        """Return the mechanism of a model.

        Parameters
        ----------
        model : Model
        inertials : mapping of str to Inertial or None
            By link, in its frame. A link without one has no mass.
        payload : mapping of str to float
            Masses [kg] at the origins of links or frames.

        Raises
        ------
        InertiaError
            For a joint with an impossible axis or limits, and for a payload at a place that is not there.
        """
        poses, places = {link.name: link.pose for link in model.links}, {link.name: link.name for link in model.links}
        at = dict(poses)
        for frame in model.frames:
            if frame.attached_to in poses:
                at.setdefault(frame.name, poses[frame.attached_to] @ frame.pose)
                places.setdefault(frame.name, frame.attached_to)
        tree = own_joints(model.joints)
        leaders = leaders_of(model.joints)
        numbers: dict[str, int] = {}
        body_of: dict[str, int] = {}
        joints, parent = list[Joint](), list[int]()
        for name in kinematic_order(poses, model.joints):
            joint = tree.get(name)
            below = -1 if joint is None else body_of.get(joint.parent, -1)
            if joint is not None and AXES[joint.kind] > 0:
                wrong = next((each for each in wrong_numbers(joint) if each.severity == "error"), None)
                if wrong is not None:
                    raise InertiaError(wrong.code, joint.name, wrong.sentence, wrong.fix)
                numbers[joint.name] = len(joints)
                joints.append(joint)
                parent.append(below)
                below = len(joints) - 1
            body_of[name] = below
        free = [joint.name for joint in joints if joint.name not in leaders]
        reduction, offset = np.zeros((len(joints), len(free))), np.zeros(len(joints))
        columns = {name: column for column, name in enumerate(free)}
        for row, joint in enumerate(joints):
            leader, multiplier, offset[row] = leaders.get(joint.name, (joint.name, 1.0, 0.0))
            reduction[row, columns[leader]] = multiplier
        bodies = [Inertial.zero] * (len(joints) + 1)
        loads = [(name, inertial, poses[name]) for name, inertial in inertials.items() if inertial and name in poses]
        for name, mass in (payload or {}).items():
            if name not in at:
                raise InertiaError.of("unknown_link", name, "payload", name=name, links=few_text([*at], 8))
            loads.append((places[name], Inertial(mass, np.zeros(3), np.zeros((3, 3))), at[name]))
        for name, inertial, pose in loads:
            if inertial.mass > 0.0 or inertial.inertia.any():  # a rotor may be a tensor without a mass
                bodies[body_of[name]] = bodies[body_of[name]] + inertial.transformed(pose)
        frames = [poses[joint.child] @ joint.pose for joint in joints]
        axes = np.array([joint.axis for joint in joints]).reshape(-1, 3)
        axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
        return cls(
            model,
            tuple(joints),
            tuple(free),
            tuple(_notes(model, tree.values())),
            tuple(parent),
            np.array([frame.R @ axis for frame, axis in zip(frames, axes, strict=True)]).reshape(-1, 3),
            np.array([frame.p for frame in frames]).reshape(-1, 3),
            np.array([float(joint.kind != "prismatic") for joint in joints]),
            np.array([_travel(joint) for joint in joints]),
            reduction,
            offset,
            tuple(bodies),
            body_of,
            any(joint.parent == WORLD for joint in tree.values()),
            {name: leader for name, (leader, *_) in leaders.items() if name in numbers},
        )

    @cached_property
    def mass(self) -> float:
        """Of all bodies [kg]."""
        return sum(body.mass for body in self.bodies)

    @cached_property
    def masses_below(self) -> FloatArray:
        """Mass [kg] that each joint moves, shape (n,)."""
        masses = np.array([body.mass for body in self.bodies])
        for number in reversed(range(len(self.joints))):
            masses[self.parent[number]] += masses[number]
        return masses[:-1]

    @cached_property
    def cross(self) -> FloatArray:
        """The matrix of each joint's axis, shape (n, 3, 3), by which a vector is multiplied as in a cross product."""
        return _cross_matrix(self.axis)

    @cached_property
    def below(self) -> Bools:
        """True where joint i moves the body of joint k, shape (n, n)."""
        above = np.eye(len(self.joints), dtype=bool)
        for number, parent in enumerate(self.parent):
            if parent >= 0:
                above[:, number] |= above[:, parent]
        return above

    @cached_property
    def ranges(self) -> tuple[FloatArray, FloatArray]:
        """The limits (m,) of the free joints; a full turn of a hinge without any, and 0 of another such joint."""
        of = {joint.name: joint for joint in self.joints}
        lower, upper = zip(*(_range(of[name]) for name in self.free), strict=True) if self.free else ((), ())
        return np.array(lower), np.array(upper)

    @cached_property
    def matters(self) -> Bools:
        """True where the position of free joint k may change the torque of free joint i, shape (m, m)."""
        moved = (self.reduction != 0.0).astype(float)
        return np.asarray(moved.T @ (self.below | self.below.T) @ moved > 0.0)

    def positions(self, values: Mapping[str, float]) -> FloatArray:
        """Return the positions (m,) of the free joints; 0 for those without a value. Followers' values do not count.

        Raises
        ------
        InertiaError
            ``pose_refused`` for a joint that is not there or does not move, or a value that is not a number.
        """
        moving = {joint.name for joint in self.joints}
        for name, value in values.items():
            if name not in moving:
                from difflib import get_close_matches  # which a right name does not need

                near = " or ".join(get_close_matches(name, moving, 2, 0.6)) or few_text(sorted(moving), 8)
                raise InertiaError.of("pose_refused", name, "unknown", name=name, near=near or "none")
            if not np.isfinite(value):
                raise InertiaError.of("pose_refused", name, "number", name=name, value=value)
        return np.array([float(values.get(name, 0.0)) for name in self.free])

    def poses(self, q: FloatArray) -> dict[str, Pose]:
        """Return the pose of each link in the model's frame at positions (m,)."""
        R, p = self.motions(q[None])
        moved = Pose.many(R[0], p[0])
        return {link.name: moved[self.body_of[link.name]] @ link.pose for link in self.model.links}

    def motions(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the motion of each body from its pose with all joints at 0: rotations (p, n + 1, 3, 3) and shifts."""
        every = self._every(q)
        R = np.broadcast_to(np.eye(3), (len(every), len(self.bodies), 3, 3)).copy()
        p = np.zeros(R.shape[:3])
        for k, parent in enumerate(self.parent):
            angle, point = (self.turn[k] * every[:, k])[:, None], self.point[k]
            turned = rotated(np.eye(3), self.cross[k], angle[:, :, None]).swapaxes(1, 2)
            shift = self.slide[k] * every[:, k, None] * self.axis[k] + point - turned @ point
            R[:, k] = R[:, parent] @ turned
            p[:, k] = np.einsum("pij,pj->pi", R[:, parent], shift) + p[:, parent]
        return R, p

    def com(self, q: FloatArray) -> FloatArray:
        """Return the centre of mass of all bodies (p, 3) [m]; not a number if nothing has mass."""
        with np.errstate(invalid="ignore"):
            return self._gravity(q)[1] / np.float64(self.mass)

    def gravity_torques(self, q: FloatArray) -> FloatArray:
        """Return what the motor of each free joint gives to hold a pose, shape (p, m) [N·m, of a slider N].

        That of a joint with followers holds these too.
        """
        return self._gravity(q)[0] @ self.reduction

    def effective_inertia(self, q: FloatArray, floating: bool = False) -> FloatArray:
        """Return the inertia that the motor of each free joint accelerates, shape (p, m) [kg·m², of a slider kg].

        It is 1/(M⁻¹)ᵢᵢ of the mass matrix M with the rotors: all other joints move without torque. The root is held;
        with `floating` it moves freely too. It is 0 where nothing has inertia.
        """
        S, F, whole = self._momenta(q)
        M = np.where(self.below, S @ F.swapaxes(1, 2), 0.0)
        M = M + M.swapaxes(1, 2) - M * np.eye(len(self.joints))
        if floating and not self.fixed and self.mass > 0.0:
            M = M - F @ np.linalg.pinv(whole, hermitian=True) @ F.swapaxes(1, 2)
        M = M + np.diag([joint.armature for joint in self.joints])
        M = self.reduction.T @ M @ self.reduction
        diagonal = np.sqrt(np.maximum(np.diagonal(M, axis1=1, axis2=2), 0.0))
        scale = np.where(diagonal > 0.0, diagonal, 1.0)
        values, vectors = np.linalg.eigh(M / (scale[:, :, None] * scale[:, None, :]))
        inverse = np.sum(vectors**2 / np.maximum(values, SINGULAR)[:, None, :], axis=2)
        return np.where(inverse * SINGULAR < 0.01, diagonal**2 / inverse, 0.0)

    def _momenta(self, q: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the twist of each joint (p, n, 6), the momentum of what it moves, and the whole's inertia (p, 6, 6).

        A twist is angular, then linear; all are about the centre of mass of the pose with all joints at 0, so that
        numbers stay small wherever the model is placed.
        """
        R, p = self.motions(q)
        n, parent = len(self.joints), np.array(self.parent, dtype=int)
        masses = np.array([body.mass for body in self.bodies])
        centres = np.array([body.com for body in self.bodies])
        origin = masses @ centres / (masses.sum() or 1.0)
        inertia = np.zeros((len(R), n + 1, 6, 6))
        centres = np.einsum("pkij,kj->pki", R, centres) + p - origin
        C = _cross_matrix(centres)
        tensors = R @ np.array([body.inertia for body in self.bodies]) @ R.swapaxes(2, 3)
        m = masses[:, None, None]
        inertia[..., :3, :3], inertia[..., :3, 3:] = tensors - m * (C @ C), m * C
        inertia[..., 3:, :3], inertia[..., 3:, 3:] = -m * C, m * np.eye(3)
        for k in reversed(range(n)):
            inertia[:, self.parent[k]] += inertia[:, k]
        axis = np.einsum("pkij,kj->pki", R[:, parent], self.axis)
        point = np.einsum("pkij,kj->pki", R[:, parent], self.point) + p[:, parent] - origin
        turn, slide = self.turn[:, None], self.slide[:, None]
        S = np.concatenate([turn * axis, turn * np.cross(point, axis) + slide * axis], axis=2)
        return S, np.einsum("pkij,pkj->pki", inertia[:, :n], S), inertia[:, n]

    def _every(self, q: FloatArray) -> FloatArray:
        """Return the positions (p, n) of all joints, followers too."""
        every: FloatArray = q @ self.reduction.T + self.offset
        return every

    def moments(self, shape: tuple[int, ...]) -> list[FloatArray]:
        """Return the first moment of each body about its joint's point [kg·m], as new arrays to add to."""
        points = [*self.point, np.zeros(3)]
        pairs = zip(self.bodies, points, strict=True)
        return [np.broadcast_to(body.mass * (body.com - point), (*shape, 3)).copy() for body, point in pairs]

    def lever(self, k: int, position: FloatArray) -> FloatArray:
        """Return the first moment of all that joint k moves, if it were at the joint's point, about its parent's."""
        parent = self.parent[k]
        from_parent = self.point[k] - (self.point[parent] if parent >= 0 else 0.0)
        moment: FloatArray = self.masses_below[k] * (from_parent + self.slide[k] * position[..., None] * self.axis[k])
        return moment

    def _gravity(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the torque of each joint (p, n), and the first moment of all bodies (p, 3)."""
        every = self._every(q)
        up: list[FloatArray] = [np.broadcast_to([0.0, 0.0, 1.0], (len(every), 3))] * len(self.bodies)
        for k, parent in enumerate(self.parent):
            up[k] = rotated(up[parent], self.cross[k], -self.turn[k] * every[:, k, None])
        torques = np.zeros(every.shape)
        moments = self.moments(every.shape[:1])
        for k in reversed(range(len(self.joints))):
            moved = rotated(moments[k], self.cross[k], self.turn[k] * every[:, k, None])
            above = up[self.parent[k]]
            across = np.sum(above @ self.cross[k] * moved, axis=1)
            along = self.masses_below[k] * (above @ self.axis[k])
            torques[:, k] = GRAVITY * (self.turn[k] * across + self.slide[k] * along)
            moments[self.parent[k]] += moved + self.lever(k, every[:, k])
        return torques, moments[-1]


def rotated(vectors: FloatArray, cross: FloatArray, angle: FloatArray) -> FloatArray:
    """Return vectors (..., 3) rotated by angles (..., 1) about a unit vector, of which `cross` is the matrix."""
    across = vectors @ cross.T  # Rodrigues' formula
    turned: FloatArray = vectors + np.sin(angle) * across + 2.0 * np.sin(angle / 2.0) ** 2 * (across @ cross.T)
    return turned


def _cross_matrix(vectors: FloatArray) -> FloatArray:
    """Return the matrices (..., 3, 3) by which vectors (..., 3) are multiplied from the left as in a cross product."""
    matrix = np.zeros((*vectors.shape, 3))
    for row, column, component, sign in ((0, 1, 2, -1), (0, 2, 1, 1), (1, 2, 0, -1)):
        matrix[..., row, column] = sign * vectors[..., component]
        matrix[..., column, row] = -sign * vectors[..., component]
    return matrix


def _travel(joint: Joint) -> float:
    return {"prismatic": 1.0, "screw": joint.pitch / (2.0 * pi)}.get(joint.kind, 0.0)


def _range(joint: Joint) -> tuple[float, float]:
    """Return the positions over which a joint is tried; of a hinge that can turn further, one turn."""
    low, high = joint.lower, joint.upper
    if joint.kind in ("prismatic", "screw"):
        return (0.0, 0.0) if low is None or high is None else (low, high)
    low, high = -inf if low is None else low, inf if high is None else high
    if high - low < 2.0 * pi:
        return low, high
    start = -pi if low <= -pi and pi <= high else low if isfinite(low) else high - 2.0 * pi
    return start, start + 2.0 * pi


def _notes(model: Model, tree: Iterable[Joint]) -> Iterator[Finding]:
    """Yield what is held or left open, about the model."""
    joints = [*tree]
    axes = [joint.name for joint in joints if joint.kind in ("ball", "universal")]
    used = {id(joint) for joint in joints}
    loops = [joint.name for joint in model.joints if id(joint) not in used]
    unlimited = [joint.name for joint in joints if joint.kind in ("prismatic", "screw") and _range(joint) == (0.0, 0.0)]
    notes: tuple[tuple[Severity, str, list[str]], ...] = (
        ("info", "axes", axes),
        ("warning", "loop", loops),
        ("info", "unlimited", unlimited),
    )
    for severity, form, names in notes:
        if names:
            yield Finding.of(severity, "held_joint", model.name, form, count=len(names), names=few_text(names, 8))
