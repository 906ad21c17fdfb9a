# SPDX-License-Identifier: Apache-2.0
"""The formats of robots' files: which are read, and how."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from shlex import quote

from ..arrays import FloatArray
from ..body.few_digits import shortened
from ..body.inertial import Inertial
from ..document.document import MAX_BYTES, Document
from ..errors import InertiaError, first_error
from ..files.input_file import read_bytes, reading_unwritten
from ..files.limits import FORMATS as MESHES
from ..files.mesh_store import KeptMeshes, Loaders
from .mjcf.format import MJCF
from .robot_file import NO_ARGUMENTS, Arguments, Format, ImportedRobot, Inertials, Reading, RobotFile
from .sdf.format import SDF
from .step.assembly import SUFFIXES as STEP
from .urdf.format import URDF
from .urdf.read import unexpanded
from .usd.prims import ROOT, TEXT, layer_document
from .xacro.format import XACRO
from .xacro.read import is_xacro


def _read_usd(document: Document, roots: Sequence[Path], _loaders: Loaders | None, _arguments: Arguments) -> RobotFile:
    from .usd.format import read_usd  # all other formats start without it

    return read_usd(document, roots)


USD = Format("USD", (".usda", ".usd", ".usdc", ".usdz"), ROOT, _read_usd, parse=layer_document)

FORMATS: tuple[Format, ...] = (SDF, URDF, XACRO, MJCF, USD)

ROBOTS = f"{', '.join(format_.name for format_ in FORMATS[:-1])} or {FORMATS[-1].name}"
"""What a command reads that takes robots, for its help."""

READ = f"{', '.join(format_.name for format_ in FORMATS)} or STEP"
"""What a command reads that takes robots and assemblies, for its help."""

SUFFIXES = (*(suffix for format_ in FORMATS for suffix in format_.suffixes), *STEP)
"""Suffixes of robots' files; all other files are meshes."""

IN_FOLDERS = tuple(end for format_ in FORMATS for end in format_.in_folders or format_.suffixes)
"""Ends of the names of robots' files that a command takes from a folder."""

IMPORTED = tuple(suffix for format_ in FORMATS if format_.imported for suffix in format_.suffixes)
"""Suffixes of the files that Blender imports."""


_MUJOCO = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:\s|<\?.*?\?>|<!--.*?-->)*<mujoco[\s>/]", re.DOTALL)
"""How an MJCF begins that is not a part of another."""

BEGINNING = 65_536
"""Bytes of a file that are read to find its root element."""

_BODIES = re.compile(rb"RigidBodyAPI|ArticulationRootAPI|\b(?:subLayers|references|payload|inherits)\b")
"""What a layer of USD in text has that may have bodies: the others are meshes and materials."""


def is_robot(path: str) -> bool:
    """Return True for a file that a command takes from a folder by its name.

    Of ``.xml`` files for an MJCF, of USD in text for a layer that may have bodies.
    """
    if path.lower().endswith((".usd", ".usda")):
        return _may_have_bodies(path)
    if not path.lower().endswith(".xml"):
        return True
    if not os.path.isfile(path):  # a pipe would be waited for
        return not os.path.exists(path)
    try:
        with open(path, "rb") as file:
            return _MUJOCO.match(file.read(BEGINNING)) is not None
    except OSError:
        return True  # which is then reported


def _may_have_bodies(path: str) -> bool:
    """Return True for a layer of USD that may have bodies, or that cannot be read, which is then reported."""
    try:
        data = read_bytes(Path(path), MAX_BYTES)
    except InertiaError:
        return True
    return not data.startswith(TEXT) or _BODIES.search(data) is not None


def read_robot_file(
    path: Path | str, roots: Sequence[Path] = (), loaders: Loaders | None = None, arguments: Arguments = NO_ARGUMENTS
) -> RobotFile:
    """Read the file of a robot.

    Parameters
    ----------
    path : path
    roots : sequence of Path
        Folders in which URIs are looked up, besides those that the file itself is in.
    loaders : mapping of str to callable, optional
        What reads mesh files of a suffix, such as ``.glb``, instead of this package; see `Loaders`.
    arguments : Arguments

    Raises
    ------
    InertiaError
        ``unread_format``, what `expand` raises, or why nothing of the file can be read.
    """
    return read_robot_document(document_of(Path(path)), roots, loaders, arguments)


def document_of(path: Path) -> Document:
    """Return the document of a robot's file; raises an error for a file of another kind, or why it cannot be parsed."""
    suffix = path.suffix.lower()
    if suffix in STEP:
        raise unread_format(path)
    if suffix in MESHES or suffix == ".blend":
        raise not_read_here(path, "mesh" if suffix in MESHES else "blend")
    return parsed(read_bytes(path, MAX_BYTES), str(path), path)


def parsed(data: bytes, name: str, path: Path | None) -> Document:
    """Return the document of a robot's file from bytes; its suffix gives the parser."""
    suffix = PurePath(name).suffix.lower()
    parse = next((format_.parse for format_ in FORMATS if suffix in format_.suffixes), Document.parse)
    return parse(data, name, path)


def read_robot_document(
    document: Document, roots: Sequence[Path] = (), loaders: Loaders | None = None, arguments: Arguments = NO_ARGUMENTS
) -> RobotFile:
    """Read a document as `read_robot_file` reads a file."""
    meshes = loaders if isinstance(loaders, KeptMeshes) else KeptMeshes(loaders or {})
    file = format_of(document).read(document, roots, meshes, arguments)
    return replace(file, reading=Reading(roots, meshes, arguments))


def read_changed(file: RobotFile, contents: Mapping[Document, bytes]) -> RobotFile:
    """Read a robot again as if these new bytes, from `write_files`, were written; its meshes are not read again."""
    (source, data), *included = contents.items()
    with reading_unwritten({document.path: other for document, other in included if document.path is not None}):
        return read_robot_document(parsed(data, source.name, source.path), *file.reading)


def format_of(document: Document) -> Format:
    """Return the format of a document by its root element; SDF for an unknown one, as its reader reports it."""
    if is_xacro(document):
        return XACRO
    root = "mujoco" if document.root.tag == "mujocoinclude" else document.root.tag
    return next((format_ for format_ in FORMATS if format_.root == root), SDF)


def robots_of(path: Path | str, roots: Sequence[Path] = (), loaders: Loaders | None = None) -> list[ImportedRobot]:
    """Read all models of a robot's file, to be imported; a joint may have the name of a link.

    A robot with an impossible inertial is still imported, so that it can be repaired.

    Raises
    ------
    InertiaError
        What `read_robot_file` raises, ``xacro`` for a format that Blender does not import, or what libsdformat refuses
        the file for.
    """
    document = document_of(Path(path))
    if not format_of(document).imported:
        raise unexpanded(document)
    robots = read_robot_document(document, roots, loaders).robots()
    if not robots:
        raise InertiaError.of("no_link", str(path), "file")
    return robots


def write_back(file: RobotFile, inertials: Inertials) -> bytes:
    """Return a file's bytes with new inertials: only bytes of ``<inertial>`` change.

    Numbers have the fewest digits that keep 1e-9 of their size; a centre of mass that stays has those of the file.

    Raises
    ------
    InertiaError
        ``unknown_link`` for one that the file does not have, ``included_inertial`` for one of an included file, or what
        no body can have of an inertial.
    """
    (_, data), *others = write_files(file, inertials).items()
    if others:
        raise InertiaError.of("included_inertial", "", "import", name=others[0][0].name)
    return data


def write_files(file: RobotFile, inertials: Inertials) -> dict[Document, bytes]:
    """Return the new bytes of a robot's file, then those of files that it includes and that change too."""
    short, coms = {}, {(link.model, link.local_name): link.com for link in file.links}
    for model, by_link in inertials.items():
        for name, inertial in by_link.items():
            error = first_error(inertial.findings())
            if error is not None:
                raise InertiaError(error.code, name, error.sentence, error.fix)
        short[model] = {name: _shortened(inertial, coms.get((model, name))) for name, inertial in by_link.items()}
    return file.written(short)


def _shortened(inertial: Inertial, com: FloatArray | None) -> Inertial:
    """Return an inertial with few digits, but those of the file in a centre of mass that stays."""
    short = shortened(inertial)
    return short if com is None or (com != inertial.com).any() else Inertial(short.mass, com, short.inertia)


def not_read_here(path: Path, form: str) -> InertiaError:
    """Return the error for a file of another kind: a ``robot``, a ``mesh`` or a ``blend``."""
    return InertiaError.of("unknown_format", str(path), form, suffix=path.suffix, path=quote(str(path)))


def unread_format(path: Path) -> InertiaError:
    """Return the error for an assembly: it has no inertials that could be changed."""
    return InertiaError.of("unread_format", str(path), "assembly", path=quote(str(path)))
