# SPDX-License-Identifier: GPL-3.0-or-later
"""COLLADA files: triangles, polylists and polygons, placed by a tree of nodes. Faults are of the tree, and of bytes."""

from __future__ import annotations

from random import Random

from .octets import damaged
from .solids import Solid, solid
from .tree import Node, damage
from .values import texts

WORDS = tuple(
    """
    COLLADA asset unit up_axis library_geometries geometry mesh source float_array p accessor param vertices input
    triangles polylist polygons vcount ph h lines library_visual_scenes visual_scene node matrix translate rotate
    scale instance_geometry instance_node scene instance_visual_scene url source semantic offset stride count id
    VERTEX NORMAL POSITION #g0-v #g0 #s #nowhere g0 tristrips trifans library_nodes
    """.split()
)


def dae(random: Random) -> bytes:
    """Return a COLLADA file, two thirds of them with faults."""
    root, kind = _document(random), random.random()
    if kind > 0.33:
        damage(root, WORDS, random)
    data = ('<?xml version="1.0" encoding="utf-8"?>\n' + root.xml()).encode("utf-8", "surrogatepass")
    return damaged(data, random) if kind > 0.87 else data


def _document(random: Random) -> Node:
    root = Node("COLLADA", {"xmlns": "http://www.collada.org/2005/11/COLLADASchema", "version": "1.4.1"})
    asset = root.add("asset")
    if random.random() < 0.5:
        asset.add("unit", name=random.choice(("meter", "millimeter")), meter=random.choice(("1", "0.001", "1")))
    asset.add("up_axis", random.choice(("Z_UP", "Y_UP", "X_UP")))
    library, scenes = root.add("library_geometries"), Node("visual_scene", {"id": "s"})
    parent = scenes
    for number in range(random.choice((1, 1, 1, 2))):
        _geometry(library.add("geometry", id=f"g{number}"), f"g{number}", solid(random), random)
        parent = (parent if random.random() < 0.5 else scenes).add("node", id=f"n{number}")
        _place(parent, random)
        parent.add("instance_geometry", url=f"#g{number}")
    root.add("library_visual_scenes").children.append(scenes)
    root.add("scene").add("instance_visual_scene", url="#s")
    return root


def _geometry(geometry: Node, name: str, made: Solid, random: Random) -> None:
    mesh = geometry.add("mesh")
    source = mesh.add("source", id=f"{name}-p")
    values = texts(*(value for vertex in made.vertices for value in vertex))
    source.add("float_array", values, id=f"{name}-a", count=str(3 * len(made.vertices)))
    accessor = source.add("technique_common").add(
        "accessor", source=f"#{name}-a", count=str(len(made.vertices)), stride="3"
    )
    for axis in "XYZ":
        accessor.add("param", name=axis, type="float")
    mesh.add("vertices", id=f"{name}-v").add("input", semantic="POSITION", source=f"#{name}-p")
    kind = random.choice(("triangles", "triangles", "polylist", "polygons"))
    faces = made.triangles() if kind == "triangles" else made.faces
    own = mesh.add(kind, count=str(len(faces)))
    own.add("input", semantic="VERTEX", source=f"#{name}-v", offset="0")
    if kind == "polygons":
        for face in faces:
            own.add("p", texts(*face))
        return
    if kind == "polylist":
        own.add("vcount", texts(*map(len, faces)))
    own.add("p", texts(*(corner for face in faces for corner in face)))


def _place(node: Node, random: Random) -> None:
    kind = random.random()
    if kind < 0.25:
        node.add("matrix", "1 0 0 1 0 2 0 2 0 0 -1 3 0 0 0 1")
    elif kind < 0.6:
        node.add("translate", "1 2 3")
        node.add("rotate", "0 0 1 90")
        node.add("scale", random.choice(("1 1 1", "1 -2 1", "0.001 0.001 0.001")))
