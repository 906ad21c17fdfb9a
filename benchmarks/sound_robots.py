# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots whose inertials are right: boxes, cylinders, spheres and closed meshes of known density, in URDF or SDF."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import trimesh
from lxml import etree

from . import solids
from .solids import Array, Body, Element, Solid

DENSITIES = (300.0, 8000.0)
WATER = 1000.0
"""Every fourth link has this density, the default of SDFormat."""
HOLLOW = (1 - 0.9**5) / (1 - 0.9**3)
"""The tensor of a body hollowed out to 0.9 of its lengths, in multiples of the full one's of the same mass."""
CORE = (1 + 7 * 0.5**5) / (1 + 7 * 0.5**3)
"""The same of a body whose core of half its lengths is eight times as dense."""


@dataclass(frozen=True)
class Sound:
    """A link's right inertial, its geometry, and whether this of uniform density gives that."""

    body: Body
    solid: Solid
    uniform: bool


def write(folder: Path, number: int, seed: int) -> tuple[Path, dict[str, Sound]]:
    """Write a robot of 3 to 8 links and return its file and links by their full names."""
    rng = np.random.default_rng([seed, number])
    folder.mkdir(parents=True, exist_ok=True)
    urdf, digits = number % 4 != 3, (17, 6)[number % 2]
    root, named = etree.Element("robot" if urdf else "sdf"), f"robot{number}"
    parent = root if urdf else etree.SubElement(root, "model")
    parent.set("name", named)
    if not urdf:
        root.set("version", "1.9")
    sound: dict[str, Sound] = {}
    count = int(rng.integers(3, 9))
    twin: Element = None
    for index in range(count):
        kind = "uniform" if index == 0 else str(rng.choice(["uniform", "uniform", "uniform", "hollow", "core"]))
        if twin is not None and rng.random() < 0.25:
            link, (right, uniform) = etree.fromstring(etree.tostring(twin[0])), twin[1]
            link.set("name", f"link{index}")
        else:
            density = WATER if rng.random() < 0.25 else float(np.exp(rng.uniform(*np.log(DENSITIES))))
            link = etree.fromstring(_link(rng, index, folder, urdf))
            right, uniform = None, kind == "uniform"
        geometry = "collision" if link.find("collision") is not None else "visual"
        solid = solids.solid(link, geometry, lambda uri: folder / uri)
        assert solid is not None
        if right is None:
            right = solid.body(density * solid.volume)
            right = Body(right.mass, right.com, right.inertia * {"uniform": 1.0, "hollow": HOLLOW, "core": CORE}[kind])
            link.insert(0, etree.fromstring(_inertial(right, digits, urdf)))
        parent.append(link)
        twin = (link, (right, uniform))
        sound[f"{named}::link{index}"] = Sound(right, solid, uniform)
        if index and urdf:
            parent.append(etree.fromstring(_joint(rng, index)))
    etree.indent(root)
    path = folder / f"{named}.{root.tag.replace('robot', 'urdf')}"
    path.write_bytes(etree.tostring(root, pretty_print=True))
    return path, sound


def _link(rng: np.random.Generator, index: int, folder: Path, urdf: bool) -> bytes:
    """Return a link with one part, or with two apart, as collision, visual or both."""
    size = float(np.exp(rng.uniform(np.log(0.03), np.log(0.5))))
    parts = []
    for part in range(1 + (rng.random() < 0.2)):
        offset = rng.uniform(-1.5, 1.5, 3) * size * (rng.random() < 0.7)
        offset[0] += 7.0 * size * part  # apart, whatever their places and turns
        turn = rng.uniform(-1.5, 1.5, 3) * (rng.random() < 0.5)
        parts.append((offset.round(4), turn.round(4), _shape(rng, size, f"link{index}_{part}", folder, urdf)))
    uses = [("collision", "visual"), ("collision",), ("visual",)][int(rng.choice(3, p=[0.7, 0.15, 0.15]))]
    text = f'<link name="link{index}">'
    for use in uses:
        for part, (offset, turn, shape) in enumerate(parts):
            place = f'<origin xyz="{_words(offset)}" rpy="{_words(turn)}"/>'
            place = place if urdf else f"<pose>{_words(offset)} {_words(turn)}</pose>"
            text += f'<{use} name="{use}{part}">{place}<geometry>{shape}</geometry></{use}>'
    return (text + "</link>").encode()


def _shape(rng: np.random.Generator, size: float, name: str, folder: Path, urdf: bool) -> str:
    kind = str(rng.choice(["box", "cylinder", "sphere", "mesh"], p=[0.3, 0.2, 0.1, 0.4]))
    half = (size * rng.uniform(0.3, 1.0, 3)).round(4)
    if kind == "box":
        return _element(urdf, "box", size=_words(2 * half))
    if kind == "cylinder":
        return _element(urdf, "cylinder", radius=_words(half[:1]), length=_words(2 * half[1:2]))
    if kind == "sphere":
        return _element(urdf, "sphere", radius=_words(half[:1]))
    scale = 0.001 if rng.random() < 0.3 else 1.0
    mesh = _mesh(rng)
    mesh.apply_scale(half / scale)
    file = f"{name}.{rng.choice(['stl', 'obj'])}"
    mesh.export(str(folder / file))
    names = {"filename": file} if urdf else {"uri": file}
    return _element(urdf, "mesh", **names, scale=_words(np.full(3, scale)))


def _mesh(rng: np.random.Generator) -> trimesh.Trimesh:
    """Return a closed mesh of about the size 1: a bumpy ball, a ring, or an angle profile."""
    kind = int(rng.integers(3))
    if kind == 0:
        ball = trimesh.creation.icosphere(subdivisions=3)
        bumps = 1.0 + 0.2 * np.sin(ball.vertices @ rng.uniform(-3, 3, 3))
        return trimesh.Trimesh(ball.vertices * bumps[:, None], ball.faces)
    if kind == 1:
        return trimesh.creation.torus(0.8, 0.3, major_sections=32, minor_sections=16)
    w = float(rng.uniform(0.3, 1.0))
    corners = np.array([[0, 0], [2, 0], [2, w], [w, w], [w, 2], [0, 2]]) - 1.0
    vertices = np.array([[x, y, z] for z in (-1.0, 1.0) for x, y in corners])
    faces = [[0, j + 1, j] for j in range(1, 5)] + [[6, 6 + j, 7 + j] for j in range(1, 5)]
    for i in range(6):
        j = (i + 1) % 6
        faces += [[i, j, 6 + j], [i, 6 + j, 6 + i]]
    return trimesh.Trimesh(vertices, faces)


def _inertial(body: Body, digits: int, urdf: bool) -> bytes:
    mass = f"{body.mass:.{digits}g}"
    com = " ".join(f"{value:.{digits}g}" for value in body.com)
    i, j = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]
    six = {name: f"{body.inertia[a, b]:.{digits}g}" for name, a, b in zip(solids.SIX, i, j, strict=True)}
    if urdf:
        tensor = " ".join(f'{name}="{value}"' for name, value in six.items())
        return f'<inertial><origin xyz="{com}"/><mass value="{mass}"/><inertia {tensor}/></inertial>'.encode()
    tensor = "".join(f"<{name}>{value}</{name}>" for name, value in six.items())
    return f"<inertial><mass>{mass}</mass><pose>{com} 0 0 0</pose><inertia>{tensor}</inertia></inertial>".encode()


def _joint(rng: np.random.Generator, index: int) -> bytes:
    kind = str(rng.choice(["continuous", "continuous", "continuous", "fixed"]))
    text = f'<joint name="joint{index}" type="{kind}"><parent link="link{int(rng.integers(index))}"/>'
    text += f'<child link="link{index}"/><origin xyz="{_words(rng.uniform(-1, 1, 3).round(3))}"/>'
    return (text + ('<axis xyz="0 0 1"/>' if kind == "continuous" else "") + "</joint>").encode()


def _element(urdf: bool, tag: str, **values: str) -> str:
    if urdf:
        return f"<{tag} " + " ".join(f'{name}="{value}"' for name, value in values.items()) + "/>"
    return f"<{tag}>{''.join(f'<{name}>{value}</{name}>' for name, value in values.items())}</{tag}>"


def _words(values: Array) -> str:
    return " ".join(f"{float(value):.12g}" for value in values)
