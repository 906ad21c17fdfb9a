# SPDX-License-Identifier: GPL-3.0-or-later
"""SDF files made by a grammar: nearly all valid, with all that SDFormat allows in a robot."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from .inertials import inertial, quaternion
from .tree import Node
from .values import angle, coordinate, density, size, text, texts

VERSIONS = ("1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12")

MESHES = (*("tetrahedron.obj", "box.stl", "two.obj") * 4, "open.obj")
"""Files next to each input; see `robots`."""

INCLUDED = ("part.sdf", "arm")
"""What an input may include: a file, and a folder with a model.config."""

WORDS = tuple(
    """
    sdf world model link joint frame include inertial collision visual geometry mass inertia ixx iyz pose density box
    size mesh uri submesh parent child static relative_to attached_to auto name merge placement_frame canonical_link
    degrees __model__ __parent__ world::l m::l0 l0 l1 j1 f0 gz:voxel_size xmlns type axis rotation_format
    auto_inertia_params scale radius length plane polyline heightmap sensor quat_xyzw true 1 revolute fixed true
    tetrahedron.obj experimental:params plugin
    """.split()
)


@dataclass
class Scope:
    """Names that poses and joints of a model may use: links, frames, nested models, each after those that it depends
    on."""

    links: list[str] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)


class SdfGrammar:
    """Makes one file.

    Parameters
    ----------
    random : Random
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._version = random.choice(VERSIONS if random.random() < 0.5 else VERSIONS[-2:])
        self._minor = int(self._version[2:])

    def file(self) -> Node:
        """Return the root."""
        root = Node("sdf", {"version": self._version})
        if self._chance(0.7):
            root.attributes["xmlns:gz"] = "http://gazebosim.org/schema"
        if self._chance(0.8):
            self._model(root, "m", 0)
        else:
            world = root.add("world", name="w")
            for number in range(self._random.randint(1, 2)):
                self._model(world, f"m{number}", 0)
            if self._chance(0.5):
                self._include(world, "n")
        return root

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _model(self, parent: Node, name: str, depth: int) -> Scope:
        random, scope = self._random, Scope()
        model = parent.add("model", name=name)
        if self._chance(0.2):
            model.add("static", random.choice(("true", "false", "0", "1")))
        if self._chance(0.2):
            self._pose(model, Scope())
        if depth < 2 and self._minor >= 5 and self._chance(0.15):
            own = self._model(model, f"n{depth}", depth + 1)
            scope.frames += [f"n{depth}"] if self._minor >= 8 else []
            scope.links += [f"n{depth}::{one}" for one in own.links] if self._minor >= 8 else []
        if depth < 2 and self._chance(0.15):
            self._include(model, "i")
        for number in range(random.choice((1, 1, 1, 2, 2, 3))):
            self._link(model, scope, f"l{number}")
            if self._minor >= 7 and self._chance(0.3):
                frame = model.add("frame", name=f"f{number}")
                if self._chance(0.5):
                    frame.attributes["attached_to"] = random.choice(scope.links + scope.frames)
                self._pose(frame, scope)
                scope.frames.append(f"f{number}")
        self._joints(model, scope)
        if self._minor >= 7 and self._chance(0.1):
            model.attributes["canonical_link"] = random.choice(scope.links)
        if self._minor >= 8 and self._chance(0.1):
            model.attributes["placement_frame"] = random.choice(scope.links + scope.frames)
        return scope

    def _pose(self, parent: Node, scope: Scope) -> None:
        random = self._random
        place = [coordinate(random) for _ in range(3)]
        pose = parent.add("pose")
        if self._minor >= 9 and self._chance(0.15):
            pose.attributes["rotation_format"] = "quat_xyzw"
            pose.children = [texts(*place, *quaternion(random))]
        else:
            angles = [angle(random) for _ in range(3)]
            if self._minor >= 9 and self._chance(0.2):
                pose.attributes["degrees"] = "true"
                angles = [round(one * 57.29577951308232, 6) for one in angles]
            pose.children = [texts(*place, *angles)]
        names = scope.links + scope.frames
        if self._minor >= 7 and names and self._chance(0.3):
            pose.attributes["relative_to"] = random.choice(names)

    def _link(self, model: Node, scope: Scope, name: str) -> None:
        random = self._random
        link = model.add("link", name=name)
        if self._chance(0.5):
            self._pose(link, scope)
        auto = self._inertial(link)
        for number in range(random.choice((1, 1, 1, 2, 3)) if auto else random.choice((0, 1, 1, 2))):
            collision = link.add("collision", name=f"c{number}")
            if self._chance(0.5):
                self._pose(collision, scope)
            if auto and self._chance(0.4):
                collision.add("density", text(density(random)))
            if auto and self._chance(0.15):
                self._params(collision)
            self._geometry(collision)
            if self._chance(0.1):
                ode = collision.add("surface").add("friction").add("ode")
                ode.add("mu", "0.8")
        for number in range(random.choice((0, 0, 1, 2))):
            visual = link.add("visual", name=f"v{number}")
            if self._chance(0.4):
                self._pose(visual, scope)
            self._geometry(visual)
            if self._chance(0.3):
                visual.add("material").add("diffuse", "0.8 0.2 0.1 1")
        if self._chance(0.1):
            sensor = link.add("sensor", name="s", type="imu")
            sensor.add("update_rate", "100")
        scope.links.append(name)

    def _inertial(self, link: Node) -> bool:
        """Add an inertial, or none; return True if it is auto."""
        random, kind = self._random, self._random.random()
        if kind < 0.1:
            return False
        own = link.add("inertial")
        if kind < 0.7:
            own.attributes["auto"] = random.choice(("true", "1", "true", "True"))
            if self._chance(0.5):
                own.add("density", text(density(random)))
            if self._chance(0.3):
                own.add("mass", text(size(random)))
            if self._chance(0.15):
                self._params(own)
            return True
        mass, tensor = inertial(random)
        if self._chance(0.6):
            self._pose(own, Scope())
        own.add("mass", text(mass))
        inertia = own.add("inertia")
        for name, value in tensor.items():
            if value or name in ("ixx", "iyy", "izz") or self._chance(0.5):
                inertia.add(name, text(value))
        if self._chance(0.1):
            own.add("fluid_added_mass").add("xx", "1")
        return False

    def _params(self, parent: Node) -> None:
        random = self._random
        params = parent.add("auto_inertia_params")
        if self._chance(0.6):
            params.add("gz:voxel_size", random.choice(("0.2", "0.25", "0.5")))
        if self._chance(0.4):
            params.add("sdf_inertia:method", random.choice(("exact", "voxel", "hull", "shell")))
            params.attributes["xmlns:sdf_inertia"] = "https://sdf-inertia.org"
            if self._chance(0.5):
                params.add("sdf_inertia:thickness", "0.01")

    def _geometry(self, parent: Node) -> None:
        random, geometry = self._random, parent.add("geometry")
        kind = random.choice(
            ("box", "box", "sphere", "cylinder", "capsule", "cone", "ellipsoid", "mesh", "mesh", "other")
        )
        if kind == "box":
            geometry.add("box").add("size", texts(*(size(random) for _ in range(3))))
        elif kind == "ellipsoid":
            geometry.add("ellipsoid").add("radii", texts(*(size(random) for _ in range(3))))
        elif kind == "mesh":
            self._mesh(geometry.add("mesh"))
        elif kind != "other":
            shape = geometry.add(kind)
            shape.add("radius", text(size(random)))
            if kind != "sphere":
                shape.add("length", text(size(random)))
        elif self._chance(0.5):
            plane = geometry.add("plane")
            plane.add("normal", "0 0 1")
            plane.add("size", "1 1")
        elif self._chance(0.5):
            polyline = geometry.add("polyline")
            for point in ("0 0", "1 0", "0 1"):
                polyline.add("point", point)
            polyline.add("height", "1")
        else:
            geometry.add("empty")

    def _mesh(self, mesh: Node) -> None:
        random = self._random
        name = random.choice(MESHES)
        if self._chance(0.1):
            mesh.attributes["optimization"] = random.choice(("", "convex_hull", "convex_decomposition"))
        mesh.add("uri", random.choice((name, name, name, f"./{name}", f"file://{name}", f"model://arm/{name}")))
        if self._chance(0.4):
            signs = (1.0, 1.0, 1.0, -1.0)
            mesh.add("scale", texts(*(random.choice(signs) * size(random) for _ in range(3))))
        if self._chance(0.1):
            submesh = mesh.add("submesh")
            submesh.add("name", random.choice(("a", "b")))
            if self._chance(0.5):
                submesh.add("center", "true")

    def _include(self, parent: Node, name: str) -> None:
        include, random = parent.add("include"), self._random
        if parent.tag == "model" and self._minor >= 9 and self._chance(0.4):
            include.attributes["merge"] = "true"
        uri = random.choice(INCLUDED)
        include.add("uri", uri if uri == "part.sdf" else f"model://{uri}")
        if self._chance(0.7):
            include.add("name", name)
        if self._chance(0.4):
            self._pose(include, Scope())
            if self._minor >= 8 and self._chance(0.4):
                include.add("placement_frame", "p")
        if self._chance(0.2):
            include.add("static", "true")

    def _joints(self, model: Node, scope: Scope) -> None:
        random = self._random
        own = [name for name in scope.links if "::" not in name]
        if self._chance(0.2):
            self._joint(model, scope, "world", own[0], "j0", "fixed")
        for number, child in enumerate(own[1:], 1):
            kind = random.choice(
                ("fixed", "revolute", "revolute", "prismatic", "ball", "universal", "screw", "continuous")
            )
            self._joint(model, scope, random.choice(own[:number]), child, f"j{number}", kind)

    def _joint(self, model: Node, scope: Scope, parent: str, child: str, name: str, kind: str) -> None:
        random, joint = self._random, model.add("joint", name=name, type=kind)
        if self._chance(0.3):
            self._pose(joint, scope)
        joint.add("parent", parent)
        joint.add("child", child)
        for tag in ("axis", "axis2")[: {"fixed": 0, "ball": 0, "universal": 2}.get(kind, 1)]:
            axis = joint.add(tag)
            axis.add("xyz", random.choice(("0 0 1", "1 0 0", "0 0.6 0.8")))
            limit = axis.add("limit")
            limit.add("lower", "-1")
            limit.add("upper", "1")
        if self._minor >= 7:
            scope.frames.append(name)
