# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files as dense as their format allows, and files that repeat a mesh far more often than they are long."""

import json
import struct
import zipfile
from io import BytesIO

import numpy as np

from .gltf_files import CUBE, Gltf

FACET = "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
VERTEX, TRIANGLE = '<vertex x="0" y="0" z="0"/>', '<triangle v1="0" v2="1" v3="2"/>'
POINTS = "0 0 0 1 0 0 0 1 0 "


def ply(vertices, faces, body, order="binary_little_endian"):
    coordinates = "".join(f"property uchar {axis}\n" for axis in "xyz")
    head = f"ply\nformat {order} 1.0\nelement vertex {vertices}\n{coordinates}element face {faces}\n"
    return f"{head}property list uchar uchar vertex_indices\nend_header\n".encode() + body


def lists(count):
    """Return PLY whose elements are empty lists."""
    head = f"ply\nformat binary_little_endian 1.0\nelement empty {count}\nproperty list uchar uchar l\n"
    _, _, rest = ply(3, 1, bytes(9) + bytes([3, 0, 1, 2])).partition(b"1.0\n")
    start, _, body = rest.partition(b"end_header\n")
    return head.encode() + start + b"end_header\n" + bytes(count) + body


def glb(vertices, corners, primitives=1, nodes=None, unused=(), count=None, mode=4, normals=0):
    """Return glTF with vertices as float32, indices as bytes; all primitives share them, and all nodes the mesh."""
    nodes = [{"mesh": 0}] if nodes is None else nodes
    views = [(0, 12 * vertices), (12 * vertices, corners)]
    positions = {"bufferView": 0, "componentType": 5126, "count": vertices, "type": "VEC3", "min": [0] * 3}
    if count is not None:  # of zeros, which need no bytes
        positions = {"componentType": 5126, "count": count, "type": "VEC3"}
    indices = {"bufferView": 1, "componentType": 5121, "count": corners, "type": "SCALAR"}
    children = {child for node in nodes for child in node.get("children", ())}
    header = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [number for number in range(len(nodes)) if number not in children]}],
        "nodes": [*nodes, *unused],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": mode}] * primitives}],
        "buffers": [{"byteLength": 12 * vertices + corners}],
        "bufferViews": [{"buffer": 0, "byteOffset": start, "byteLength": length} for start, length in views],
        "accessors": [positions, indices, {"componentType": 5126, "count": normals, "type": "VEC3"}],
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    chunks = ((text + b" " * (-len(text) % 4), b"JSON"), (bytes(12 * vertices + corners + -corners % 4), b"BIN\0"))
    body = b"".join(struct.pack("<I4s", len(chunk), kind) + chunk for chunk, kind in chunks)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def skinned_glb(count):
    """Return glTF of a cube and many unused vertices: each is three bytes, with joints that need none."""
    file = Gltf()
    file.glb = True
    points, weights = np.zeros((count, 3), "u1"), np.full((count, 4), 64, "u1")
    points[:8] = CUBE * 255
    numbers = {"componentType": 5121, "count": count, "normalized": True}
    primitive = file.cube(file.add("accessors", {**numbers, "type": "VEC3", "bufferView": file.view(points.tobytes())}))
    primitive["attributes"] |= {
        "JOINTS_0": file.add("accessors", {"componentType": 5121, "count": count, "type": "VEC4"}),
        "WEIGHTS_0": file.add("accessors", {**numbers, "type": "VEC4", "bufferView": file.view(weights.tobytes())}),
    }
    file.mesh(primitive)
    file.node(mesh=0, skin=0)
    file.add("skins", {"joints": [0]})
    return file.bytes()


def triangles(corners, count):
    return f'<triangles count="{count}">{INPUT}<p>{corners}</p></triangles>'


def polygons(count):
    return f'<polygons count="{count}">{INPUT}{"<p>0 1 2</p>" * count}</polygons>'


INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
PARAMETERS = "".join(f'<param name="{axis}" type="float"/>' for axis in "XYZ")
PLACED = '<instance_geometry url="#g"/>'


def dae(floats, count, primitives, scene=PLACED, library=""):
    return (
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>'
        f'<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="{3 * count}">{floats}'
        f'</float_array><technique_common><accessor source="#a" count="{count}" stride="3">{PARAMETERS}</accessor>'
        '</technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>'
        f"{primitives}</mesh></geometry></library_geometries>{library}<library_visual_scenes>"
        f'<visual_scene id="sc"><node id="n">{scene}</node></visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#sc"/></scene></COLLADA>'
    )


def doubled_dae(levels):
    """Return nodes of which each places the one before it twice."""
    place = '<instance_node url="#n{}"/>'
    twice = "".join(f'<node id="n{i + 1}">{place.format(i) * 2}</node>' for i in range(levels))
    library = f'<library_nodes><node id="n0">{PLACED}</node>{twice}</library_nodes>'
    return dae(POINTS, 3, triangles("0 1 2 ", 1), place.format(levels), library)


def mesh(vertices, faces, number=1):
    mesh = f"<mesh><vertices>{vertices}</vertices><triangles>{faces}</triangles></mesh>"
    return f'<object id="{number}">{mesh}</object>'


def threemf(resources, method=zipfile.ZIP_DEFLATED, item=1, times=1):
    build = f'<item objectid="{item}"/>' * times
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", method) as file:
        model = f'<model xmlns="{CORE}"><resources>{resources}</resources><build>{build}</build></model>'
        file.writestr("3D/3dmodel.model", model)
    return archive.getvalue()


def doubled_3mf(levels):
    """Return objects of which each has the one before it twice."""
    part = '<component objectid="{}"/>'
    objects = (
        f'<object id="{i + 1}"><components>{part.format(i) * 2}</components></object>' for i in range(1, levels + 1)
    )
    return threemf(mesh(VERTEX * 3, TRIANGLE) + "".join(objects), item=levels + 1)


CHAIN = [{"mesh": 0, "children": [number + 1]} for number in range(2999)] + [{"mesh": 0}]

DENSE = {
    "binary.stl": lambda size: bytes(80) + struct.pack("<I", size // 50) + bytes(size // 50 * 50),
    "text.stl": lambda size: f"solid a\n{FACET * (size // len(FACET))}endsolid a\n",
    "words.stl": lambda size: f"solid a\n{'aa ' * (size // 3)}\n{FACET}",
    "groups.obj": lambda size: "v 0 0 0\n" * 3 + "g\nf 1 1 1\n" * (size // 10),
    "vertices.obj": lambda size: "v 0 0 0\n" * (size // 8) + "f 1 2 3\n",
    "faces.obj": lambda size: "v 0 0 0\n" * 4 + "f 1 2 3\n" * (size // 8),
    "quads.obj": lambda size: "v 0 0 0\n" * 4 + "f 1 2 3 4\n" * (size // 10),
    "polygon.obj": lambda size: "v 0 0 0\n" * 4 + "f" + " 1 2 3" * (size // 6) + "\n",
    "vertices.ply": lambda size: ply(size // 3, 1, bytes(size // 3 * 3) + bytes([3, 0, 1, 2])),
    "faces.ply": lambda size: ply(3, size // 4, bytes(9) + bytes([3, 0, 1, 2]) * (size // 4)),
    "polygons.ply": lambda size: ply(3, size // 256, bytes(9) + (bytes([255]) + bytes([0, 1, 2]) * 85) * (size // 256)),
    "lists.ply": lambda size: lists(size - 200),
    "text.ply": lambda size: ply(size // 6, 1, b"0 0 0\n" * (size // 6) + b"3 0 1 2\n", "ascii"),
    "vertices.off": lambda size: f"OFF\n{size // 6} 1 0\n" + "0 0 0\n" * (size // 6) + "3 0 1 2\n",
    "faces.off": lambda size: f"OFF\n3 {size // 8} 0\n" + "0 0 0\n" * 3 + "3 0 1 2\n" * (size // 8),
    "spaces.off": lambda size: (
        "OFF\n12 1 0\n" + "0 0 0\n" * 12 + "3 0 1 2\n" + " 10\n" * (size // 4) + "# \N{GRINNING FACE}\n"
    ),
    "vertices.glb": lambda size: glb(size // 12, 3),
    "faces.glb": lambda size: glb(3, size // 3 * 3),
    "nodes.glb": lambda size: glb(3, 3, unused=[{"name": f"n{i}"} for i in range(size // 18)]),
    "skinned.glb": lambda size: skinned_glb(size // 7),
    "strips.glb": lambda size: glb(3, 3, primitives=min(size // 51, 90_000), mode=5),
    "vertices.dae": lambda size: dae("0 0 0 " * (size // 6), size // 6, triangles("0 1 2 ", 1)),
    "faces.dae": lambda size: dae(POINTS, 3, triangles("0 1 2 " * (size // 6), size // 6)),
    "polygons.dae": lambda size: dae(POINTS, 3, polygons(min(size // 12, 900_000))),
    "effects.dae": lambda size: dae(
        POINTS, 3, triangles("0 1 2 ", 1), library=f"<library_effects>{'<effect/>' * (size // 9)}</library_effects>"
    ),
    "attribute.3mf": lambda size: threemf(
        mesh(VERTEX * 3, TRIANGLE) + f'<a b="\N{GRINNING FACE}{"x" * size}"/>', zipfile.ZIP_STORED
    ),
    "vertices.3mf": lambda size: threemf(mesh(VERTEX * (size // 27), TRIANGLE), zipfile.ZIP_STORED),
    "faces.3mf": lambda size: threemf(mesh(VERTEX * 3, TRIANGLE * (size // 33)), zipfile.ZIP_STORED),
    "elements.3mf": lambda size: threemf(mesh(VERTEX * 3, TRIANGLE) + "<a/>" * (size // 4), zipfile.ZIP_STORED),
}
"""Functions that return a file of about `size` bytes, by its name."""

BOMBS = {
    "zeros.glb": lambda: glb(3, 3, count=100_000_000),
    "accessors.glb": lambda: glb(3, 3, normals=100_000_000),
    "empty.glb": lambda: glb(3, 3, unused=[{}] * 100_001),
    "primitives.glb": lambda: glb(100_000, 3, primitives=5000),
    "nodes.glb": lambda: glb(100_000, 3, nodes=[{"mesh": 0}] * 5000),
    "meshes.glb": lambda: glb(3, 3, primitives=100_001),
    "nodes.dae": lambda: doubled_dae(30),
    "vertices.dae": lambda: dae("0 0 0 " * 20_000, 20_000, triangles("0 1 2 ", 1), PLACED * 1000),
    "corners.dae": lambda: dae(
        POINTS, 3, f'<polylist count="1">{INPUT}<vcount>200000000</vcount><p>0 1 2</p></polylist>'
    ),
    "nodes.3mf": lambda: doubled_3mf(40),
    "vertices.3mf": lambda: threemf(mesh(VERTEX * 30_000, TRIANGLE), times=1000),
    "items.3mf": lambda: threemf(mesh(VERTEX * 3, TRIANGLE), times=100_001),
    "meshes.3mf": lambda: threemf(f'<object id="1">{"<mesh/>" * 100_001}</object>'),
    "unpacked.3mf": lambda: threemf(mesh(VERTEX * 3, TRIANGLE) + " " * 100_000_000),
}
"""Functions that return small files that stand for gigabytes, or for hours."""
