# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF and GLB: faults are of the JSON's values, keys and shape, of references and cycles, of chunks' lengths."""

from __future__ import annotations

import base64
import json
import struct
from random import Random
from typing import Any

import numpy as np

from .octets import damaged
from .solids import solid
from .values import ODD_FLOATS, ODD_INTEGERS, ODD_TEXTS

COMPONENT_TYPES = (5120, 5121, 5122, 5123, 5125, 5126)

KEYS = tuple(
    """
    accessors buffers bufferViews meshes nodes scenes scene asset primitives attributes POSITION NORMAL indices mode
    bufferView buffer byteOffset byteLength byteStride count type componentType mesh children matrix translation
    rotation scale uri sparse min extensions extensionsRequired KHR_draco_mesh_compression skin camera images
    materials name
    """.split()
)


def gltf(random: Random) -> bytes:
    """Return a glTF file with its buffer inside, two thirds of them with faults."""
    document, data = _document(random)
    for buffer in document.get("buffers", ()):
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    kind = random.random()
    if kind > 0.33:
        document = odd(document, random)
    text = json.dumps(document, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass")
    return damaged(text, random) if kind > 0.87 else text


def glb(random: Random) -> bytes:
    """Return a GLB file, two thirds of them with faults."""
    document, data = _document(random)
    for buffer in document["buffers"]:
        del buffer["uri"]
    kind = random.random()
    if 0.33 < kind < 0.75:
        document = odd(document, random)
    text = json.dumps(document).encode()
    chunks = [(0x4E4F534A, text + b" " * (-len(text) % 4)), (0x004E4942, data + bytes(-len(data) % 4))]
    broken = kind > 0.7
    if broken and random.random() < 0.3:
        random.choice((chunks.reverse, chunks.pop, lambda: chunks.append(chunks[0])))()
    body = b""
    for name, content in chunks:
        length = (
            len(content)
            if not broken or random.random() < 0.7
            else random.choice((0, 1, len(content) + 4, 2**32 - 1, 2**31))
        )
        body += (
            struct.pack("<II", length, name if not broken or random.random() < 0.9 else random.getrandbits(32))
            + content
        )
    length = 12 + len(body)
    if broken and random.random() < 0.3:
        length = random.choice((0, length - 4, length + 100, 2**32 - 1))
    whole = (
        struct.pack(
            "<III", 0x46546C67, random.choice((1, 3, 2**32 - 1)) if broken and random.random() < 0.1 else 2, length
        )
        + body
    )
    return damaged(whole, random) if kind > 0.87 else whole


def _document(random: Random) -> tuple[dict[str, Any], bytes]:
    """Return a document of one to three meshes, as trimesh writes it, and its buffer."""
    import trimesh

    scene, parent = trimesh.Scene(), None
    for number in range(random.choice((1, 1, 2, 3))):
        made = solid(random)
        mesh = trimesh.Trimesh(made.vertices, made.triangles(), process=False)
        place = random.choice(([1, 1, 1, 1], [1, 1, 1, 1], [2, -1, 1, 1], [1, 0.001, 1, 1]))
        name = random.choice(("a", "b", f"n{number}"))
        scene.add_geometry(mesh, node_name=name, parent_node_name=parent, transform=np.diag(place))
        parent = name if random.random() < 0.5 else None
    files = trimesh.exchange.gltf.export_gltf(scene, merge_buffers=True)
    document: dict[str, Any] = json.loads(files.pop("model.gltf"))
    for mesh in document.get("meshes", ()):
        mesh["primitives"][0]["mode"] = random.choice((4, 4, 4, 4, 5, 6, 1, 0))
        if random.random() < 0.3:
            _move(document, mesh, random)
    return document, b"".join(files.values())


def _move(document: dict[str, Any], mesh: dict[str, Any], random: Random) -> None:
    """Write a morph target, a skin, instances or sparse numbers into a document, all of arrays that it has."""
    primitive, nodes = mesh["primitives"][0], document["nodes"]
    position = primitive["attributes"]["POSITION"]
    accessor = document["accessors"][position]
    users = [node for node in nodes if document["meshes"][node.get("mesh", -1)] is mesh]
    kind = random.randrange(4)
    if kind == 0:
        primitive["targets"], mesh["weights"] = [{"POSITION": position}], [random.choice((0.5, 1.0, -1.0, 0.0))]
    elif kind == 1:
        zeros = {"componentType": 5121, "count": accessor["count"], "type": "VEC4"}
        document["accessors"] += [zeros, {**zeros, "componentType": 5126}]
        primitive["attributes"] |= {
            "JOINTS_0": len(document["accessors"]) - 2,
            "WEIGHTS_0": len(document["accessors"]) - 1,
        }
        document["skins"] = [{"joints": list(range(len(nodes)))}]
        for node in users:
            node["skin"] = 0
    elif kind == 2:
        name = "EXT_mesh_gpu_instancing"
        document["extensionsUsed"] = document["extensionsRequired"] = [name]
        for node in users:
            node["extensions"] = {name: {"attributes": {random.choice(("TRANSLATION", "SCALE")): position}}}
    else:
        values = {"bufferView": accessor.get("bufferView", 0)}
        accessor["sparse"] = {"count": 1, "indices": {**values, "componentType": 5121}, "values": values}


def odd(document: dict[str, Any], random: Random) -> dict[str, Any]:
    """Put one to three faults into the JSON, of what does not stand in a data URI."""
    for _ in range(random.choice((1, 1, 2, 3))):
        places = list(_places(document))
        holder, key = random.choice(places)
        kind = random.randrange(8)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, dict):
            holder[random.choice(KEYS)] = holder.pop(key)
        elif kind == 2:
            other, place = random.choice(places)
            holder[key] = json.loads(json.dumps(other[place]))
        elif kind == 3 and isinstance(holder, list):
            holder += [holder[key]] * random.choice((1, 30))
        elif kind == 4:
            holder[key] = random.choice((None, True, [], {}, [[]], "x", [holder[key]], {"0": 1}, *ODD_TEXTS))
        elif isinstance(holder[key], int | float) and random.random() < 0.8:
            holder[key] = random.choice((*ODD_INTEGERS, *ODD_FLOATS, *range(-1, 6), *COMPONENT_TYPES))
        else:
            nodes = document.get("nodes")
            if isinstance(nodes, list) and nodes and isinstance(nodes[0], dict):
                nodes[0]["children"] = [random.randrange(-1, len(nodes) + 1) for _ in range(random.randint(1, 3))]
    return document


def _places(value: Any) -> Any:
    """Yield each holder and key of a document, buffers' data apart."""
    pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for key, child in pairs:
        if not (isinstance(child, str) and len(child) > 200):
            yield value, key
        if isinstance(child, dict | list):
            yield from _places(child)
