# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots of a seed, as URDF: sound and odd inertials, shapes, meshes, fixed joints, everything turned."""

from __future__ import annotations

from pathlib import Path
from random import Random

L = [(0.0, 0.0), (0.9, 0.0), (0.9, 0.25), (0.3, 0.25), (0.3, 0.7), (0.0, 0.7)]
"""The outline of an L, which is not convex."""

FAULTS = (
    ("no_inertial",) * 3
    + ("zero_tensor", "impossible", "negative", "no_mass_but_tensor", "massless")
    + ("no_tensor", "no_mass", "no_products", "no_izz", "tiny", "rod")
)
JOINTS = ("revolute", "continuous", "prismatic")
FIXED = 0.4
"""The share of joints that are fixed."""


def write(seed: int, folder: Path) -> Path:
    """Write the robot of a seed with its meshes; return the URDF."""
    random = Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    write_meshes(folder)
    # A third without a fault, a third with one, a third with many: an engine may refuse a file for one.
    count = random.randint(2, 6)
    faulty = random.choice([set(), {random.randrange(count)}, {i for i in range(count) if random.random() < 0.5}])
    names, parts = [f"l{i}" for i in range(count)], []
    if random.random() < 0.3:
        parts += ['<link name="world"/>', _joint(random, "world", "l0", random.choice(["fixed", "floating"]))]
    for i, name in enumerate(names):
        size = 10.0 ** random.uniform(-3.0, 1.0)
        fault = random.choice(FAULTS) if i in faulty else ""
        geometry = _geometry(random, size, fault)
        parts.append(f'<link name="{name}">{_inertial(random, size, fault)}{geometry}</link>')
        if i:
            kind = "fixed" if random.random() < FIXED else random.choice(JOINTS)
            parts.append(_joint(random, random.choice(names[:i]), name, kind))
    path = folder / f"robot_{seed}.urdf"
    path.write_text(f'<robot name="robot_{seed}">\n' + "\n".join(parts) + "\n</robot>\n")
    return path


def _inertial(random: Random, size: float, fault: str) -> str:
    if fault == "no_inertial":
        return ""
    mass = 10.0 ** random.uniform(-3.0, 3.0)
    sides = [size * 10.0 ** random.uniform(-0.5, 0.5) for _ in range(3)]
    if fault == "rod":
        sides[1] = sides[2] = sides[0] * 1e-5
    if fault == "tiny":
        mass, sides = 1e-5, [1e-3, 2e-3, 1.5e-3]
    squares = [side**2 for side in sides]
    moments = [mass / 12.0 * (sum(squares) - one) for one in squares]
    if fault == "impossible":
        moments[random.randrange(3)] *= 5.0
        moments[0] = 2.0 * (moments[1] + moments[2])
    if fault == "negative":
        moments[random.randrange(3)] *= -1.0
    tensor = _turned(random, moments)
    if fault in ("zero_tensor", "massless"):
        tensor = dict.fromkeys(tensor, 0.0)
    if fault in ("no_mass_but_tensor", "massless"):
        mass = 0.0
    if fault == "no_products":
        tensor = {name: number for name, number in tensor.items() if name in ("ixx", "iyy", "izz")}
    if fault == "no_izz":
        del tensor["izz"]
    inertia = "<inertia " + " ".join(f'{name}="{number!r}"' for name, number in tensor.items()) + "/>"
    text = _origin(random, size)
    text += "" if fault == "no_mass" else f'<mass value="{mass!r}"/>'
    return f"<inertial>{text}{'' if fault == 'no_tensor' else inertia}</inertial>"


def _turned(random: Random, moments: list[float]) -> dict[str, float]:
    """Return a tensor with these principal moments, about axes of its own."""
    axes = _rotation(random) if random.random() < 0.6 else [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    names = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
    return {name: sum(axes[i][k] * moments[k] * axes[j][k] for k in range(3)) + 0.0 for name, (i, j) in names.items()}


def _rotation(random: Random) -> list[list[float]]:
    x, y, z, w = (random.gauss(0.0, 1.0) for _ in range(4))
    length = (x * x + y * y + z * z + w * w) ** 0.5
    x, y, z, w = x / length, y / length, z / length, w / length
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]


def _geometry(random: Random, size: float, fault: str) -> str:
    collisions = random.choice([0, 1, 1, 1, 2, 3])
    visuals = random.choice([0, 1])
    text = "".join(_part("collision", random, size) for _ in range(collisions))
    return text + "".join(_part("visual", random, size) for _ in range(visuals))


def _part(tag: str, random: Random, size: float) -> str:
    a, b, c = (repr(size * random.uniform(0.2, 1.0)) for _ in range(3))
    file = random.choice(["ell.obj", "ell.stl", "tetra.obj"])
    kind = random.choice(["box", "sphere", "cylinder", "capsule", "mesh"])
    shape = {
        "box": f'<box size="{a} {b} {c}"/>',
        "sphere": f'<sphere radius="{a}"/>',
        "cylinder": f'<cylinder radius="{a}" length="{b}"/>',
        "capsule": f'<capsule radius="{a}" length="{b}"/>',
        "mesh": f'<mesh filename="{file}" scale="{_scale(random, size)}"/>',
    }[kind]
    return f"<{tag}>{_origin(random, size)}<geometry>{shape}</geometry></{tag}>"


def _scale(random: Random, size: float) -> str:
    factors = [size * random.uniform(0.5, 1.0) for _ in range(3)]
    if random.random() < 0.3:
        factors[random.randrange(3)] *= -1.0
    return " ".join(map(repr, factors))


def _origin(random: Random, size: float) -> str:
    kind = random.randrange(4)
    if kind == 0:
        return ""
    xyz = [random.uniform(-size, size) for _ in range(3)]
    rpy = [random.uniform(-3.0, 3.0) for _ in range(3)] if kind > 1 else [0.0] * 3
    return f'<origin xyz="{" ".join(map(repr, xyz))}" rpy="{" ".join(map(repr, rpy))}"/>'


def _joint(random: Random, parent: str, child: str, kind: str) -> str:
    limit = '<limit lower="-1" upper="1" effort="10" velocity="10"/>' if kind in ("revolute", "prismatic") else ""
    axis = '<axis xyz="0 0 1"/>' if kind in JOINTS else ""
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="to_{child}" type="{kind}">{_origin(random, 0.5)}{ends}{axis}{limit}</joint>'


def write_meshes(folder: Path) -> None:
    """Write a prism over an L, as .obj and binary .stl, and a tetrahedron: closed, outward."""
    n = len(L)
    vertices = [(x, y, z) for z in (0.0, 0.5) for x, y in L]
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    faces = [(a, c, b) for a, b, c in caps] + [(a + n, b + n, c + n) for a, b, c in caps]
    faces += [face for i in range(n) for j in [(i + 1) % n] for face in ((i, j, j + n), (i, j + n, i + n))]
    _write_obj(folder / "ell.obj", vertices, faces)
    _write_stl(folder / "ell.stl", vertices, faces)
    corners = [(0.1, 0.0, 0.0), (1.0, 0.2, 0.1), (0.2, 0.9, 0.0), (0.3, 0.1, 0.8)]
    _write_obj(folder / "tetra.obj", corners, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])


def _write_obj(path: Path, vertices: list, faces: list) -> None:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    path.write_text("\n".join(lines) + "\n")


def _write_stl(path: Path, vertices: list, faces: list) -> None:
    import struct

    data = bytes(80) + struct.pack("<I", len(faces))
    for face in faces:
        data += struct.pack("<12fH", 0, 0, 0, *(number for i in face for number in vertices[i]), 0)
    path.write_bytes(data)
