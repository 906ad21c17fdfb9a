# SPDX-License-Identifier: GPL-3.0-or-later
"""3MF files: faults are of the model's tree, of the archive's members and headers, and of bytes."""

from __future__ import annotations

import struct
import warnings
import zipfile
from io import BytesIO
from random import Random

from .octets import damaged
from .solids import solid
from .tree import Node, damage
from .values import ODD_TEXTS, text

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
MODEL = "3D/3dmodel.model"

TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType='
    '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" '
    'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/{}" '
    'Id="r0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)

WORDS = (
    *"""
    model resources object mesh vertices vertex triangles triangle components component build item objectid id x y z
    v1 v2 v3 transform unit type support p:path inch meter micron 1 2 3 basematerials
    """.split(),
    "1 0 0 0 1 0 0 0 1 0 0 0",
    "0 0 0 0 0 0 0 0 0 0 0 0",
)


def threemf(random: Random) -> bytes:
    """Return a 3MF file, two thirds of them with faults."""
    kind, other = random.random(), f"3D/Objects/{random.choice(('o', 'ü'))}.model"
    root, parts = _model(random, other)
    if 0.33 < kind < 0.8:
        damage(random.choice((root, *parts)), WORDS, random)
    members = [("[Content_Types].xml", TYPES), ("_rels/.rels", RELATIONS.format(MODEL))]
    members += [(MODEL, root.xml()), *((other, part.xml()) for part in parts)]
    if kind > 0.7 and random.random() < 0.5:
        _damage_members(members, random)
    data = _zipped(members, random)
    if kind > 0.8:
        data = _damaged_zip(data, random) if random.random() < 0.6 else damaged(data, random)
    return data


def _model(random: Random, other: str) -> tuple[Node, list[Node]]:
    """Return the model, and the part with its other objects, if any."""
    root, parts = _root(random), list[Node]()
    resources, build = root.add("resources"), Node("build")
    count = random.choice((1, 1, 2, 3))
    for number in range(1, count + 1):
        _mesh(resources.add("object", id=str(number), type="model"), random)
    if random.random() < 0.3:
        assembly = resources.add("object", id="9", type="model").add("components")
        for _ in range(random.randint(1, 3)):
            _placed(assembly.add("component", objectid=str(random.randint(1, count))), random)
        if random.random() < 0.4:
            parts.append(_root(random))
            _mesh(parts[0].add("resources").add("object", id="1", type="model"), random)
            assembly.add("component", **{"objectid": "1", "p:path": f"/{other}"})
        _placed(build.add("item", objectid="9"), random)
    for number in range(1, count + 1):
        if random.random() < 0.8:
            _placed(build.add("item", objectid=str(number)), random)
    root.children.append(build)
    return root, parts


def _root(random: Random) -> Node:
    root = Node("model", {"xmlns": CORE, "xmlns:p": PRODUCTION})
    if random.random() < 0.6:
        root.attributes["unit"] = random.choice(("millimeter", "meter", "meter", "inch"))
    return root


def _mesh(owner: Node, random: Random) -> None:
    made = solid(random)
    mesh = owner.add("mesh")
    vertices, triangles = mesh.add("vertices"), mesh.add("triangles")
    for vertex in made.vertices:
        vertices.add("vertex", **{axis: text(value) for axis, value in zip("xyz", vertex, strict=True)})
    for triangle in made.triangles():
        triangles.add("triangle", **{f"v{place}": str(corner) for place, corner in enumerate(triangle, 1)})


def _placed(node: Node, random: Random) -> None:
    if random.random() < 0.5:
        node.attributes["transform"] = random.choice(
            (
                "1 0 0 0 1 0 0 0 1 1 2 3",
                "0 1 0 -1 0 0 0 0 1 0 0 0",
                "-1 0 0 0 1 0 0 0 1 0 0 0",
                "2 0 0 0 2 0 0 0 0.5 0 0 9",
            )
        )


def _damage_members(members: list[tuple[str, str]], random: Random) -> None:
    place, kind = random.randrange(len(members)), random.randrange(6)
    name, content = members[place]
    if kind == 0:
        del members[place]
    elif kind == 1:
        members.append(members[place])
    elif kind == 2:
        members[place] = (
            random.choice((*ODD_TEXTS, name.upper(), "../" + name, "/" + name, "a.model")) or "a",
            content,
        )
    elif kind == 3:
        members[place] = (
            name,
            random.choice(("", "<", '<!DOCTYPE a [<!ENTITY x "y">]>' + content, content[: len(content) // 2])),
        )
    elif kind == 4:
        members[place] = (name, RELATIONS.format(random.choice(ODD_TEXTS)))
    else:  # a megabyte of spaces is a kilobyte in the archive; one input in a hundred has a hundred of them
        members[place] = (name, content + " " * random.choice((10**6, 10**6, 10**7)))


def _zipped(members: list[tuple[str, str]], random: Random) -> bytes:
    file = BytesIO()
    method = random.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(file, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about two members of one name
        for name, content in members:
            info = zipfile.ZipInfo(name.encode("utf-8", "replace").decode().replace("\0", "0"))
            info.compress_type = method
            archive.writestr(info, content.encode("utf-8", "surrogatepass"))
    return file.getvalue()


def _damaged_zip(data: bytes, random: Random) -> bytes:
    """Change a field of a header: flags, method, sizes, sums, offsets, counts, lengths of names."""
    changed = bytearray(data)
    mark = random.choice((b"PK\3\4", b"PK\1\2", b"PK\1\2", b"PK\5\6"))
    places = [place for place in range(len(data)) if data.startswith(mark, place)]
    if places:
        at = random.choice(places) + 2 * random.randint(2, 22)
        value = random.choice((0, 1, 8, 14, 99, 0xFFFF, 0xFFFFFFFF, 2**31, 10**9, random.getrandbits(32)))
        width = random.choice((2, 4))
        changed[at : at + width] = struct.pack("<I", value)[:width]
    return bytes(changed)
