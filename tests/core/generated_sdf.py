# SPDX-License-Identifier: GPL-3.0-or-later
"""Valid SDF files by a seed, for a judge to read: frames, poses, nested models, joints, inertials of every kind.

What each link's inertial is made of is written down as it is made, so that a file tells what of it was tried.
"""

from collections import Counter

import numpy as np

from core.body.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere

from .solids import rotation

VERSIONS = ("1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12")

SHAPES = {Box: "size", Sphere: "radius", Cylinder: "", Capsule: "", Cone: "", Ellipsoid: "radii"}

JOINTS = ("fixed", "revolute", "prismatic", "continuous", "ball", "universal")


class Generated:
    """A file: its `text`, the scoped names of its `links`, and `tried`: what stands in it, counted."""

    def __init__(self, seed):
        self._random = np.random.default_rng(seed)
        self.version = str(self._random.choice(VERSIONS))
        self._minor = int(self.version[2:])
        self.links = []
        self.tried = Counter()
        self._frames = 0
        self._inside: list[str] = []  # what the model that was made last holds
        self.tried[f"version {self.version}"] += 1
        count = 1 if self._chance(0.7) else 2
        models = "".join(self._model(f"m{number}", "", depth=0) for number in range(count))
        in_world = count > 1 or self._chance(0.3)
        body = f'<world name="w">{models}</world>' if in_world else models
        self.tried["world"] += in_world
        self.text = f'<?xml version="1.0"?>\n<sdf version="{self.version}">{body}</sdf>\n'

    def _chance(self, probability):
        return bool(self._random.random() < probability)

    def _one_of(self, things):
        return things[int(self._random.integers(len(things)))]

    # --- numbers and poses -----------------------------------------------------------------------------------------

    def _number(self, value):
        """Write a number that is one exactly, in one of the ways in which SDF may have it."""
        text = repr(float(value))
        way = self._random.integers(6)
        if way == 0:
            return f"{float(value):.17e}"
        if way == 1 and value > 0:
            return f"+{text}"
        if way == 2 and text.startswith("0."):
            return text[1:]
        return text

    def _numbers(self, values):
        between = str(self._one_of([" ", "  ", "\t", "\n    "]))
        around = str(self._one_of(["", "", " ", "\n"]))
        return around + between.join(map(self._number, values)) + around

    def _size(self):
        return float(np.exp(self._random.uniform(np.log(0.01), np.log(2.0))))

    def _pose(self, relative_to=()):
        """Return a pose, or nothing; relative to one of some frames, or to what it is by default."""
        if self._chance(0.2):
            return ""
        position = self._random.normal(size=3) * self._one_of([0.0, 0.1, 1.0, 10.0])
        attributes = ""
        if relative_to and self._minor >= 7 and self._chance(0.6):
            attributes += f' relative_to="{self._one_of(relative_to)}"'
            self.tried["relative_to"] += 1
        if self._minor >= 9 and self._chance(0.25):
            self.tried["quaternions"] += 1
            quaternion = self._random.normal(size=4)
            quaternion /= np.linalg.norm(quaternion)
            attributes += ' rotation_format="quat_xyzw"'
            return f"<pose{attributes}>{self._numbers([*position, *quaternion])}</pose>"
        angles = self._one_of([np.zeros(3), self._random.uniform(-np.pi, np.pi, 3), np.array([0.0, np.pi / 2, 0.3])])
        if self._minor >= 9 and self._chance(0.3):
            self.tried["degrees"] += 1
            attributes += ' degrees="true"'
            angles = np.round(np.degrees(angles), 3)
        return f"<pose{attributes}>{self._numbers([*position, *angles])}</pose>"

    # --- inertials -------------------------------------------------------------------------------------------------

    def _given(self):
        """Return an inertial in numbers that a body can have: its density is positive somewhere along each axis."""
        a, b, c = self._random.uniform(0.01, 1.0, 3)
        R = rotation(self._random) if self._chance(0.7) else np.eye(3)
        mass = float(np.exp(self._random.uniform(-5, 5)))
        tensor = R @ np.diag([b + c, a + c, a + b]) @ R.T * mass * self._size() ** 2
        parts = [f"<mass>{self._number(mass)}</mass>"]
        cells = {f"i{x}{y}": tensor["xyz".index(x), "xyz".index(y)] for x, y in ("xx", "yy", "zz", "xy", "xz", "yz")}
        parts.append(
            "<inertia>" + "".join(f"<{name}>{self._number(v)}</{name}>" for name, v in cells.items()) + "</inertia>"
        )
        parts.append(self._pose())
        self._random.shuffle(parts)
        self.tried["inertial in numbers"] += 1
        return f"<inertial>{''.join(parts)}</inertial>"

    def _auto(self):
        parts = []
        if self._chance(0.5):
            self.tried["density of the link"] += 1
            parts.append(f"<density>{self._number(self._random.uniform(1, 9000))}</density>")
        if self._chance(0.4):
            self.tried["auto with a mass"] += 1
            parts.append(f"<mass>{self._number(np.exp(self._random.uniform(-3, 5)))}</mass>")
        self._random.shuffle(parts)
        self.tried["auto"] += 1
        return f'<inertial auto="{self._one_of(["true", "1", "True"])}">{"".join(parts)}</inertial>'

    def _geometry(self):
        kind = self._one_of(list(SHAPES))
        self.tried[kind.__name__.lower()] += 1
        name = kind.__name__.lower()
        if kind in (Box, Ellipsoid):
            return f"<{name}><{SHAPES[kind]}>{self._numbers([self._size() for _ in 'xyz'])}</{SHAPES[kind]}></{name}>"
        length = "" if kind is Sphere else f"<length>{self._number(self._size())}</length>"
        return f"<{name}><radius>{self._number(self._size())}</radius>{length}</{name}>"

    def _collision(self, number, frames):
        density = ""
        if self._minor >= 11 and self._chance(0.4):
            self.tried["density of a collision"] += 1
            density = f"<density>{self._number(self._random.uniform(1, 9000))}</density>"
        parts = [self._pose(frames), density, f"<geometry>{self._geometry()}</geometry>"]
        self._random.shuffle(parts)
        return f'<collision name="c{number}">{"".join(parts)}</collision>'

    # --- models ----------------------------------------------------------------------------------------------------

    def _model(self, name, scope, depth, frames_outside=()):
        """Return a model; each pose in it is relative to what stands before it in an order of its own."""
        full = f"{scope}{name}"
        parts, placed = [], ["__model__"] if self._minor >= 7 else []
        links, jointed = [], set()
        for kind in self._kinds(depth):
            number = len(parts)
            if kind == "link":
                link = f"l{number}"
                parts.append(self._link(link, full, placed))
                links.append(link)
                placed.append(link)
            elif kind == "frame":
                attached = f' attached_to="{self._one_of([*placed, *links])}"' if self._chance(0.5) else ""
                self.tried["attached_to"] += bool(attached)
                self._frames += 1  # Drake wants no name twice where a frame is attached to one of a nested model
                parts.append(f'<frame name="f{self._frames}"{attached}>{self._pose(placed)}</frame>')
                placed.append(f"f{self._frames}")
            elif kind == "model":
                parts.append(self._model(f"n{number}", f"{full}::", depth + 1, placed))
                placed.append(f"n{number}")
                if self._minor >= 8:
                    placed += [f"n{number}::{one}" for one in self._inside]
            elif free := [link for link in links[1:] if link not in jointed]:
                child = self._one_of(free)
                parent = self._one_of([one for one in links[: links.index(child)]])
                jointed.add(child)
                parts.append(self._joint(f"j{number}", parent, child, placed))
                if self._minor >= 7:
                    placed.append(f"j{number}")
        self._random.shuffle(parts)
        static = "<static>true</static>" if depth == 0 and not jointed and self._chance(0.1) else ""
        self.tried["static"] += bool(static)
        attributes = ""
        if self._minor >= 7 and depth and self._chance(0.2):
            self.tried["placement_frame"] += self._minor >= 8
            attributes = f' placement_frame="{links[0]}"' if self._minor >= 8 else ""
        pose = self._pose(frames_outside)
        attributes = attributes if pose else ""  # a placement needs a pose
        self.tried[f"models at depth {depth}"] += 1
        self._inside = [*links, *(one for one in placed if one[0] == "f")]
        return f'<model name="{name}"{attributes}>{static}{pose}{"".join(parts)}</model>'

    def _kinds(self, depth):
        kinds = ["link"] * int(self._random.integers(1, 4))
        kinds += ["joint"] * int(self._random.integers(0, len(kinds) + 1))
        if self._minor >= 7:
            kinds += ["frame"] * int(self._random.integers(0, 4))
            if depth < 2 and self._chance(0.4):
                kinds.append("model")
        rest = kinds[1:]
        self._random.shuffle(rest)
        return ["link", *rest]

    def _link(self, name, scope, placed):
        auto = self._minor >= 9 and self._chance(0.6)
        # A collision's pose may be relative to what stands after its link as well; here, to what stands before it.
        collisions = [self._collision(number, placed) for number in range(int(self._random.integers(auto, 4)))]
        inertial = self._auto() if auto else self._given() if self._chance(0.9) else ""
        self.tried["no inertial"] += not inertial
        parts = [self._pose(placed), inertial, *collisions]
        self._random.shuffle(parts)
        self.links.append(f"{scope}::{name}")
        return f'<link name="{name}">{"".join(parts)}</link>'

    def _joint(self, name, parent, child, placed):
        kind = self._one_of(JOINTS)
        self.tried[f"{kind} joint"] += 1
        axes = {"axis": (1, 0, 0), "axis2": (0, 1, 0)}
        count = {"fixed": 0, "ball": 0, "universal": 2}.get(kind, 1)
        axis = "".join(f"<{one}><xyz>{self._numbers(axes[one])}</xyz></{one}>" for one in list(axes)[:count])
        between = f"<parent>{parent}</parent><child>{child}</child>"
        return f'<joint name="{name}" type="{kind}">{self._pose(placed)}{between}{axis}</joint>'
