# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF files made by a grammar: nearly all valid, with all that urdfdom and libsdformat read of a robot."""

from __future__ import annotations

from random import Random

from .inertials import inertial
from .sdf_grammar import MESHES
from .tree import Node
from .values import angle, coordinate, size, text, texts

WORDS = tuple(
    """
    robot link joint inertial collision visual geometry origin mass inertia material box sphere cylinder mesh filename
    scale radius length size value xyz rpy ixx ixy izz parent child axis limit mimic name type l0 l1 j1 fixed revolute
    floating planar world gazebo reference a::b xacro:macro tetrahedron.obj package://p/t.obj
    """.split()
)

JOINTS = ("fixed", "fixed", "revolute", "continuous", "prismatic", "floating", "planar")


class UrdfGrammar:
    """Makes one file.

    Parameters
    ----------
    random : Random
    """

    def __init__(self, random: Random) -> None:
        self._random = random

    def file(self) -> Node:
        """Return the root."""
        random, root = self._random, Node("robot", {"name": "r"})
        if self._chance(0.2):
            material = root.add("material", name="grey")
            material.add("color", rgba="0.5 0.5 0.5 1")
        names = [f"l{number}" for number in range(random.choice((1, 2, 2, 3, 4)))]
        if self._chance(0.1):
            names[0] = "world"
        for name in names:
            self._link(root, name)
        for number, child in enumerate(names[1:], 1):
            self._joint(root, random.choice(names[:number]), child, f"j{number}")
        for name in names[1:]:
            if self._chance(0.15):
                self._gazebo(root, name)
        if self._chance(0.3):
            random.shuffle(root.children)
        return root

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _origin(self, parent: Node, probability: float = 0.6) -> None:
        random = self._random
        if not self._chance(probability):
            return
        origin = parent.add("origin")
        if self._chance(0.9):
            origin.attributes["xyz"] = texts(*(coordinate(random) for _ in range(3)))
        if self._chance(0.6):
            origin.attributes["rpy"] = texts(*(angle(random) for _ in range(3)))

    def _link(self, root: Node, name: str) -> None:
        random, link = self._random, root.add("link", name=name)
        if name == "world":
            return
        if self._chance(0.85):
            own = link.add("inertial")
            self._origin(own)
            mass, tensor = inertial(random)
            own.add("mass", value=text(mass))
            own.add("inertia", **{name: text(value) for name, value in tensor.items()})
        for tag, counts in (("visual", (0, 1, 1, 2)), ("collision", (0, 1, 1, 2))):
            for number in range(random.choice(counts)):
                part = link.add(tag)
                if self._chance(0.3):
                    part.attributes["name"] = f"{tag}{number}"
                self._origin(part)
                self._geometry(part)
                if tag == "visual" and self._chance(0.4):
                    material = part.add("material", name=random.choice(("grey", "red")))
                    if self._chance(0.5):
                        material.add("color", rgba="1 0 0 1")

    def _geometry(self, part: Node) -> None:
        random, geometry = self._random, part.add("geometry")
        kind = random.choice(("box", "sphere", "cylinder", "mesh", "mesh", "capsule"))
        if kind == "box":
            geometry.add("box", size=texts(*(size(random) for _ in range(3))))
        elif kind == "sphere":
            geometry.add("sphere", radius=text(size(random)))
        elif kind == "mesh":
            name = random.choice(MESHES)
            mesh = geometry.add("mesh", filename=random.choice((name, name, f"file://{name}", f"package://arm/{name}")))
            if self._chance(0.4):
                mesh.attributes["scale"] = texts(*(size(random) for _ in range(3)))
        else:
            geometry.add(kind, radius=text(size(random)), length=text(size(random)))

    def _joint(self, root: Node, parent: str, child: str, name: str) -> None:
        random = self._random
        kind = random.choice(JOINTS)
        joint = root.add("joint", name=name, type=kind)
        self._origin(joint, 0.8)
        joint.add("parent", link=parent)
        joint.add("child", link=child)
        if kind not in ("fixed", "floating"):
            joint.add("axis", xyz=random.choice(("0 0 1", "1 0 0", "0 0.6 0.8")))
        if kind in ("revolute", "prismatic"):
            joint.add("limit", lower="-1", upper="1", effort="10", velocity="1")
        if self._chance(0.1):
            joint.add("dynamics", damping="0.1", friction="0")

    def _gazebo(self, root: Node, link: str) -> None:
        own = root.add("gazebo", reference=link)
        own.add(self._random.choice(("preserveFixedJoint", "disableFixedJointLumping", "selfCollide")), "true")
