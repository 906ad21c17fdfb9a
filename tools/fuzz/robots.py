# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of robots made by the grammars, half of them damaged, for all code that reads robots."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from zlib import crc32

from core import read_robot
from core.document.document import Document
from core.engines.known import ENGINES
from core.errors import InertiaError
from core.formats.sdf.fill import RewrittenFile, fill, make_auto
from core.formats.sdf.read import SdfFile, read_document
from core.formats.sdf.schema import structure_findings
from core.formats.simulators.gazebo import gazebo_findings
from core.formats.table import read_robot_document
from core.formats.urdf.as_sdf import read_urdf
from core.judge.judge import judge_file
from core.judge.repair import repair_file

from . import mjcf_grammar, sdf_grammar, urdf_grammar, xacro_grammar
from .mjcf_grammar import MjcfGrammar
from .octets import damaged
from .oracle import FaultError, named
from .sdf_grammar import SdfGrammar
from .tree import Node, damage
from .urdf_grammar import UrdfGrammar
from .xacro_grammar import XacroGrammar

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
OPEN = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
TWO = "o a\n" + TETRAHEDRON + "o b\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n"
PART = (
    "<sdf version='1.11'><model name='p'><frame name='p'/><link name='l'><inertial auto='1'/><collision name='c'>"
    "<geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"
)
CONFIG = "<model><name>arm</name><sdf version='1.11'>model.sdf</sdf></model>"
BOX = ((0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7), (0, 1, 5), (0, 5, 4), (1, 2, 6), (1, 6, 5), (2, 3, 7), (2, 7, 6))
BOX_CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))


def surroundings(folder: Path) -> None:
    """Write the files that the grammars' files name."""
    for place in (folder, folder / "arm"):
        place.mkdir(exist_ok=True)
        (place / "tetrahedron.obj").write_text(TETRAHEDRON)
        (place / "open.obj").write_text(OPEN)
        (place / "two.obj").write_text(TWO)
        (place / "box.stl").write_bytes(_stl())
    (folder / "part.sdf").write_text(PART)
    (folder / "arm" / "model.config").write_text(CONFIG)
    (folder / "arm" / "model.sdf").write_text(
        PART.replace("box><size>1 2 3</size></box", "sphere><radius>1</radius></sphere")
    )


def _stl() -> bytes:
    faces = (*BOX, (3, 0, 4), (3, 4, 7))
    corners = [value for face in faces for i in (None, *face) for value in ((0, 0, 0) if i is None else BOX_CORNERS[i])]
    records = b"".join(struct.pack("<12fH", *corners[12 * n : 12 * n + 12], 0) for n in range(len(faces)))
    return bytes(80) + struct.pack("<I", len(faces)) + records


def make_sdf(random: Random, folder: Path) -> Path:
    """Write an SDF file and return it."""
    return _written(SdfGrammar(random).file(), sdf_grammar.WORDS, random, folder / "model.sdf")


def make_urdf(random: Random, folder: Path) -> Path:
    """Write a URDF file and return it."""
    return _written(UrdfGrammar(random).file(), urdf_grammar.WORDS, random, folder / "model.urdf")


def make_mjcf(random: Random, folder: Path) -> Path:
    """Write an MJCF file and return it."""
    (folder / "part.xml").write_text('<mujoco><worldbody><body name="p"><geom size=".1"/></body></worldbody></mujoco>')
    return _written(MjcfGrammar(random).file(), mjcf_grammar.WORDS, random, folder / "model.xml")


def make_xacro(random: Random, folder: Path) -> Path:
    """Write a xacro file and return it."""
    (folder / "part.xacro").write_text(f'<robot xmlns:xacro="{xacro_grammar.NAMESPACE}"><link name="p"/></robot>')
    return _written(XacroGrammar(random).file(), xacro_grammar.WORDS, random, folder / "model.xacro")


def _written(root: Node, words: tuple[str, ...], random: Random, path: Path) -> Path:
    """Write half of the files unchanged, a third with faults in the tree, the rest with faults of bytes."""
    surroundings_missing = not (path.parent / "part.sdf").exists()
    if surroundings_missing:
        surroundings(path.parent)
    kind = random.random()
    if 0.5 < kind < 0.87:
        damage(root, words, random)
    head = random.choice(("", "", '<?xml version="1.0"?>\n', '<?xml version="1.0" encoding="utf-8"?>'))
    data = (head + root.xml()).encode("utf-16" if random.random() < 0.01 else "utf-8", "surrogatepass")
    path.write_bytes(damaged(data, random) if kind > 0.87 else data)
    return path


def run_sdf(path: Path) -> str:
    """Run reading, resolution, check, fill, make_auto and repair on an SDF file; return the outcome."""
    try:
        document = Document.read(path)
        file = read_document(document)
    except InertiaError as error:
        return named(error)
    list(structure_findings(document))
    return _judged(file, path, document)


def run_urdf(path: Path) -> str:
    """Run reading, lumping, resolution, check and repair on a URDF file; return the outcome."""
    try:
        file = read_urdf(Document.read(path))
    except InertiaError as error:
        return named(error)
    return _judged(file, path, None)


def run_robot(path: Path) -> str:
    """Run reading, check by all engines, report, fill and repair on a file of any format; return the outcome."""
    try:
        robot = read_robot(path)
        robot.check(engines=ENGINES, strict=True)
        robot.report()
    except InertiaError as error:
        return named(error)
    try:
        robot.file.filled()
    except InertiaError as error:
        named(error)
    if crc32(path.read_bytes()) % 4 == 1:
        _repaired(path)
    links = robot.links.values()
    known = sum(link.inertial is not None for link in links)
    return "no link" if not links else "resolved" if known == len(links) else "resolved in part"


def _judged(file: SdfFile, path: Path, document: Document | None) -> str:
    """Resolve and judge all links, and rewrite the file: always filled, alternately made auto and repaired."""
    if not file.links:
        return "no link"
    for link in file.links:
        list(gazebo_findings(link, show=True))
    try:
        judge_file(read_robot_document(Document.read(path)), strict=True)
    except InertiaError as error:  # the other reader of a URDF accepts it, whatever its root element
        named(error)
    turn = crc32(path.read_bytes()) % 4
    if document is not None:
        _changes_nothing(fill, fill(file), document)
        if turn == 0:
            _changes_nothing(make_auto, make_auto(file), document)
    if turn == 1:
        _repaired(path)
    resolved = sum(link.body.inertial is not None and not link.body.refused for link in file.links)
    return "resolved" if resolved == len(file.links) else "resolved in part" if resolved else "refused by its links"


def _changes_nothing(rewritten: Callable[[SdfFile], RewrittenFile], first: RewrittenFile, document: Document) -> None:
    """Check that a second run changes nothing."""
    if first.data != document.data and not first.refused:
        second = rewritten(read_document(Document.parse(first.data, "again", document.path)))
        if second.data != first.data:
            raise FaultError(f"a second run changes the file:\n{first.data!r}\n{second.data!r}")


def _repaired(path: Path) -> None:
    """Check the same for a file that is repaired."""
    try:
        first = repair_file(read_robot(path).file)
    except InertiaError as error:
        named(error)
        return
    if first.data == path.read_bytes():
        return
    path = path.with_stem("repaired")
    path.write_bytes(first.data)
    second = repair_file(read_robot(path).file)
    if second.data != first.data:
        raise FaultError(f"a second repair changes the file:\n{first.data!r}\n{second.data!r}")
