# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF files made by a grammar: nearly all valid, with what bears on inertia, and with copies that MuJoCo makes."""

from __future__ import annotations

from random import Random

from .inertials import inertial
from .tree import Node
from .values import angle, coordinate, density, size, text, texts

WORDS = tuple(
    """
    mujoco compiler option size asset mesh texture hfield material default worldbody body geom joint freejoint inertial
    site frame replicate flexcomp composite include file class childclass type pos quat euler axisangle fromto mass
    density diaginertia fullinertia count offset plane box sphere capsule ellipsoid cylinder sdf true false auto
    tetrahedron.obj ../tetrahedron.obj /dev/zero 1000000000 exact shell legacy convex contype group inertiafromgeom
    """.split()
)

MESHES = ("tetrahedron.obj", "open.obj", "two.obj", "box.stl", "arm/box.stl")
SHAPES = {"sphere": 1, "box": 3, "ellipsoid": 3, "capsule": 2, "cylinder": 2}
"""Kinds of geoms, and how many sizes each has."""

COMPILER = {
    "angle": ("radian", "degree"),
    "inertiafromgeom": ("auto", "true", "false"),
    "fusestatic": ("true", "false"),
    "balanceinertia": ("true",),
    "boundmass": ("0.01",),
    "settotalmass": ("5",),
    "inertiagrouprange": ("0 1", "0 5"),
    "meshdir": ("arm", "."),
    "strippath": ("true",),
    "eulerseq": ("XYZ", "zyx"),
}


class MjcfGrammar:
    """Makes one file.

    Parameters
    ----------
    random : Random
    """

    def __init__(self, random: Random) -> None:
        self._random, self._count = random, 0
        self._meshes: list[str] = []

    def file(self) -> Node:
        """Return the root."""
        random, root = self._random, Node("mujoco", {"model": "r"})
        if self._chance(0.6):
            names = random.sample(sorted(COMPILER), random.choice((1, 1, 2, 3)))
            root.add("compiler", **{name: random.choice(COMPILER[name]) for name in names})
        if self._chance(0.3):
            root.add("default").add("geom", density=text(density(random)))
        if self._chance(0.6):
            self._assets(root.add("asset"))
        world = root.add("worldbody")
        for _ in range(random.choice((1, 1, 2))):
            self._body(world, 3)
        if self._chance(0.1):
            root.add("include", file=random.choice(("part.xml", "part.xml", "part.xml", "model.xml", "../part.xml")))
        return root

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _assets(self, assets: Node) -> None:
        random = self._random
        for number in range(random.choice((1, 1, 2))):
            mesh = assets.add("mesh", name=f"m{number}")
            self._meshes.append(f"m{number}")
            if self._chance(0.8):
                mesh.attributes["file"] = random.choice(MESHES)
            elif self._chance(0.5):
                mesh.attributes["vertex"] = "0 0 0 1 0 0 0 1 0 0 0 1"
            else:
                mesh.attributes |= {"builtin": random.choice(("sphere", "hemisphere")), "params": "3"}
            if self._chance(0.3):
                mesh.attributes["scale"] = texts(*(size(random) for _ in range(3)))
            if self._chance(0.3):
                mesh.attributes["inertia"] = random.choice(("exact", "shell", "legacy", "convex"))
        if self._chance(0.2):
            assets.add("hfield", name="h", nrow="4", ncol="4", size="1 1 1 1")
        if self._chance(0.2):
            assets.add("texture", name="t", type="2d", file=random.choice(("tetrahedron.obj", "none.png")))

    def _body(self, parent: Node, depth: int) -> None:
        random = self._random
        if depth == 3 and self._chance(0.15):
            parent = parent.add("replicate", count="100000000" if self._chance(0.1) else "3", offset="1 0 0")
        if self._chance(0.1):
            parent = parent.add("frame")
            self._pose(parent)
        self._count += 1
        body = parent.add("body")
        if self._chance(0.9):
            body.attributes["name"] = f"b{self._count}"
        self._pose(body)
        if self._chance(0.7):
            joint = body.add("joint", type=random.choice(("hinge", "slide", "ball")))
            if self._chance(0.5):
                joint.attributes |= {"axis": "0 0.6 0.8", "range": "-1 1", "armature": "0.1"}
        if self._chance(0.6):
            self._inertial(body)
        for _ in range(random.choice((0, 1, 1, 2))):
            self._geom(body)
        if self._chance(0.05):
            count = "100000 100000 1" if self._chance(0.1) else "3 3 3"
            flex = body.add("flexcomp", name=f"f{self._count}", type="grid", count=count, spacing=".1 .1 .1")
            flex.attributes |= {"mass": "1", "dim": "3"}
        if self._chance(0.2):
            body.add("site", name=f"s{self._count}", pos="0 0 1")
        for _ in range(random.choice((0, 1, 1)) if depth else 0):
            self._body(body, depth - 1)

    def _pose(self, node: Node) -> None:
        random = self._random
        if self._chance(0.7):
            node.attributes["pos"] = texts(*(coordinate(random) for _ in range(3)))
        kind = random.random()
        if kind < 0.2:
            node.attributes["quat"] = texts(*(coordinate(random) for _ in range(4)))
        elif kind < 0.4:
            node.attributes["euler"] = texts(*(angle(random) for _ in range(3)))
        elif kind < 0.5:
            node.attributes["axisangle"] = texts(*(coordinate(random) for _ in range(3)), angle(random))

    def _inertial(self, body: Node) -> None:
        random, (mass, tensor) = self._random, inertial(self._random)
        own = body.add("inertial", pos=texts(*(coordinate(random) for _ in range(3))), mass=text(mass))
        if self._chance(0.5):
            own.attributes["diaginertia"] = texts(*(tensor[name] for name in ("ixx", "iyy", "izz")))
        else:
            order = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
            own.attributes["fullinertia"] = texts(*(tensor[name] for name in order))

    def _geom(self, body: Node) -> None:
        random = self._random
        geom = body.add("geom")
        if self._meshes and self._chance(0.4):
            geom.attributes |= {"type": random.choice(("mesh", "mesh", "box")), "mesh": random.choice(self._meshes)}
        else:
            kind = random.choice(sorted(SHAPES))
            geom.attributes |= {"type": kind, "size": texts(*(size(random) for _ in range(SHAPES[kind])))}
            if kind in ("capsule", "cylinder") and self._chance(0.4):
                geom.attributes["fromto"] = texts(*(coordinate(random) for _ in range(6)))
        self._pose(geom)
        if self._chance(0.3):
            geom.attributes["mass"] = text(size(random))
        elif self._chance(0.3):
            geom.attributes["density"] = text(density(random))
        if self._chance(0.3):
            geom.attributes |= {"contype": "0", "conaffinity": "0", "group": random.choice("0123")}
