# SPDX-License-Identifier: Apache-2.0
"""A robot's file in any format: its links, findings about the file, and new inertials written into it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from ..body.compare import difference
from ..body.inertial import Inertial
from ..body.pose import Pose
from ..document.document import Document
from ..document.element import Element
from ..document.splice import Editor, Layout, Splice
from ..errors import Finding, InertiaError, Severity
from ..files.mesh_store import Loaders
from ..robot.model import WORLD, Geometry, Joint, Model, Part, Visual
from ..robot.resolve import LinkBody
from ..units import listed_text
from .file_link import FileLink
from .sdf.collision import MeshUse
from .sdf.fill import RewrittenFile, make_auto
from .sdf.read import SdfFile
from .sdf.spec.names import UniqueNames
from .simulators.verdicts import held

SAME = 1e-12
"""An inertial this close, relatively, to the one in the file is the same: its bytes stay."""

Inertials = Mapping[str, Mapping[str, Inertial]]
"""By the name of the model, and of the link in it, in the link's frame."""

Arguments = Mapping[str, str]
"""Values of the arguments of a xacro file, by name."""

NO_ARGUMENTS: Arguments = MappingProxyType({})

Color = tuple[float, float, float, float]

WRONG_URI = ("case", "elsewhere", "no_file")
"""Forms of ``uri_lookup`` for a mesh that is in no other folder by this URI."""

NAMED = 8
"""Names in one message."""


class Reading(NamedTuple):
    """How a file was read: folders in which URIs are looked up, readers of meshes with what they read, arguments."""

    roots: Sequence[Path] = ()
    meshes: Loaders = MappingProxyType({})
    arguments: Arguments = NO_ARGUMENTS


class LostPart(NamedTuple):
    """A collision or visual that is not imported, because the file of its mesh was not found or could not be read."""

    link: str
    part: str


def part_key(part: Part | Visual) -> str:
    """Return what tells a part from the others of its link: its kind and its name."""
    return f"{'visual' if isinstance(part, Visual) else 'collision'} {part.name}"


@dataclass(frozen=True, eq=False)
class ImportedRobot:
    """A model of a file, as Blender imports it.

    Parameters
    ----------
    path : Path
    model : Model
        Poses of links in the model's frame. A link's `manual` is the inertial of the file; if it gives none,
        SDFormat's own default. A link to which neither the file nor its simulator gives mass has the mode ``none``.
        An auto link has density and params instead.
    published : mapping of str to Inertial or None
        By link, in its frame; None if the file gives none, or auto.
    meshes : mapping of Mesh to MeshUse
        Where each mesh comes from, and at what scale.
    findings : tuple of Finding
        What is not imported (``not_imported``), and what the reader noticed.
    lost : tuple of LostPart
    between : mapping of str to str
        Of each link that is between several joints of a body, and not in the file: that body with its joints.
    pose : Pose
        Of the model in the file's world; of one in no world, as its file places it.
    """

    path: Path
    model: Model
    published: Mapping[str, Inertial | None]
    meshes: Mapping[Geometry, MeshUse]
    findings: tuple[Finding, ...] = ()
    lost: tuple[LostPart, ...] = ()
    between: Mapping[str, str] = field(default_factory=dict)
    pose: Pose = Pose.identity


def with_unique_names(model: Model) -> Model:
    """Return a model whose links, frames and joints have names of their own, as in SDF, with a finding of new names.

    In Blender, URDF and MJCF a joint may have the name of a link.
    """
    names = UniqueNames()
    for name in (*(link.name for link in model.links), *(frame.name for frame in model.frames)):
        names.take(name)
    new = {joint.name: names.keep(joint.name) for joint in model.joints}
    joints = [
        replace(
            joint,
            name=new[joint.name],
            mimic=joint.mimic and joint.mimic._replace(joint=new.get(joint.mimic.joint, joint.mimic.joint)),
        )
        for joint in model.joints
    ]
    changed = {name: unique for name, unique in new.items() if name != unique}
    if not changed:
        return model
    pairs = listed_text([f"{name} is now {unique}" for name, unique in changed.items()], 5)
    finding = Finding.of("warning", "renamed", model.name, "joints", count=len(changed), names=pairs)
    return replace(model, joints=tuple(joints), findings=(*model.findings, finding))


def not_imported(place: str, form: str, severity: Severity = "warning", **values: object) -> Finding:
    """Return the finding for what is left out; the original file keeps it."""
    return Finding.of(severity, "not_imported", place, form, **values)


def elements_left_out(place: str, counts: Mapping[str, int], severity: Severity = "warning") -> list[Finding]:
    """Return the finding for all elements of a model that are left out, such as ``<sensor>``, with their counts."""
    names = [f"{name} ×{count}" if count > 1 else name for name, count in counts.items()]
    return [not_imported(place, "elements", severity, elements=", ".join(names))] if names else []


def no_longer_following(place: str, joints: Iterable[Joint]) -> list[Finding]:
    """Return the finding for joints that follow no other one any more, since that is not imported."""
    names = [joint.name for joint in joints]
    return [not_imported(place, "mimic", count=len(names), names=listed_text(names, NAMED))] if names else []


def mesh_not_imported(part: str, error: InertiaError) -> Finding:
    """Return the finding for a mesh that is left out."""
    reason, form = error.sentence, error.sentence.form
    if form == "in_folder":
        return not_imported(error.subject, "mesh_elsewhere", part=part, reason=reason, root=reason.values["root"])
    if error.code in ("uri_lookup", "uri_refused") and form not in WRONG_URI:
        return not_imported(error.subject, "lost_mesh", part=part, reason=reason)
    return not_imported(error.subject, "mesh", part=part, reason=reason, remedy=error.fix)


def color_of(text: str) -> Color | None:
    """Return a text of three or four numbers as RGBA; None for any other text."""
    try:
        numbers = [float(word) for word in text.split()]
    except ValueError:
        return None
    if len(numbers) not in (3, 4):
        return None
    red, green, blue, alpha = [*numbers, 1.0][:4]
    return red, green, blue, alpha


@dataclass(frozen=True, eq=False)
class RobotFile(ABC):
    """A robot's file that was read; each format has a class of its own.

    Parameters
    ----------
    document : Document
    links : tuple of FileLink
        Those of the file and of what it includes, parents first if the format has that order; no bare frames of URDF.
    findings : tuple of Finding
        What is wrong with the file as a whole.
    reading : Reading
        How it was read, to read it again.
    """

    document: Document
    links: Sequence[FileLink]
    findings: tuple[Finding, ...]
    reading: Reading = field(default=Reading(), kw_only=True)

    @property
    @abstractmethod
    def bodies(self) -> Sequence[LinkBody]:
        """The inertial of each link, in the order of `links`, with what is wrong with it by its numbers alone."""

    @property
    @abstractmethod
    def held(self) -> frozenset[str]:
        """The names of links that fixed joints hold to another link with mass, or to the world."""

    def held_by(self, fixed: Iterable[tuple[str, str]]) -> frozenset[str]:
        """Return `held`, of a file of one model, by the pairs of links that fixed joints join, and the world."""
        numbers = [
            (link, body.inertial if link.auto else link.inertial)
            for link, body in zip(self.links, self.bodies, strict=True)
        ]
        heavy = {link.local_name for link, inertial in numbers if inertial is not None and inertial.mass > 0.0}
        names = held(fixed, heavy | {WORLD})
        return frozenset(link.name for link in self.links if link.local_name in names)

    format_name: ClassVar[str]

    def check_own(self, link: FileLink, included: bool) -> None:
        """Raise the error for a link whose inertial cannot be changed in this file, nor in one that it includes.

        Without `included` no included file is changed.
        """
        if link.document is not self.document:
            raise InertiaError.of("included_inertial", "", "repair", name=link.document.name)

    def check_settings(self) -> None:  # noqa: B027  # most formats have no such settings
        """Raise the error for a file whose own settings change its inertials when it is loaded."""

    def engine_findings(self) -> list[Finding]:
        """Return further findings of the simulators that this format is for; none for a format of no simulator."""
        return []

    def structure_findings(self) -> list[Finding]:
        """Return what is wrong with the tree of its links; none for a format that has no such faults."""
        return []

    @abstractmethod
    def for_gazebo(self) -> SdfFile:
        """Return the file as libsdformat reads it; raises InertiaError if it reads nothing."""

    def made_auto(self) -> RewrittenFile:
        """Return that SDF with auto inertials, as `make_auto` does."""
        return make_auto(self.for_gazebo())

    def filled(self, keep_auto: bool = False, included: bool = False) -> RewrittenFile:
        """Return it with numbers instead of inertials that a simulator computes.

        `keep_auto` is as in `fill`; with `included`, files that an MJCF includes change too.

        Raises
        ------
        InertiaError
            ``unread_format`` for a format without such inertials, ``bad_mjcf`` if the numbers would be ignored.
        """
        raise InertiaError.of("unread_format", self.document.name, "no_auto", format=self.format_name)

    @abstractmethod
    def written(self, inertials: Inertials) -> dict[Document, bytes]:
        """Return its new bytes, then those of files that it includes and that change too; see `table.write_back`."""

    def elsewhere(self, path: Path | None, data: bytes) -> tuple[Path | None, bytes]:
        """Return new bytes as another file has them, and the path from which they name other files, if that matters."""
        return path, data

    @abstractmethod
    def joints(self) -> Mapping[str, Sequence[Joint]]:
        """Return the joints of each of `robots`, by its name; reads no mesh."""

    @abstractmethod
    def robots(self) -> list[ImportedRobot]:
        """Return its models, for import; raises InertiaError for a model that cannot be imported."""


@dataclass(frozen=True)
class Format:
    """A format of robots' files.

    Parameters
    ----------
    name : str
    suffixes : tuple of str
        Of its files, in lower case.
    root : str
        The tag of its root element.
    read : callable
        Returns the `RobotFile` of a document, with folders in which URIs are looked up, readers of mesh files, and
        the arguments of xacro.
    in_folders : tuple of str, optional
        Ends of the names of those files that a command takes from a folder; by default its suffixes.
    imported : bool
        True if Blender imports its robots.
    parse : callable
        Returns the document of bytes, as `Document.parse` does.
    """

    name: str
    suffixes: tuple[str, ...]
    root: str
    read: Callable[[Document, Sequence[Path], Loaders | None, Arguments], RobotFile]
    in_folders: tuple[str, ...] = ()
    imported: bool = True
    parse: Callable[[bytes, str, Path | None], Document] = Document.parse


def same(given: Inertial, inertial: Inertial) -> bool:
    """Return True if an inertial is the one that the file gives, but for rounding."""
    return bool(given.is_finite() and given.mass > 0.0 and difference(given, inertial).worst <= SAME)


def reads(given: str | None, text: str) -> bool:
    """Return True if an attribute already holds these numbers: then its own digits stay."""
    try:
        return given is not None and [float(word) for word in given.split()] == [float(word) for word in text.split()]
    except ValueError:
        return False


def inserted(link: Element, inertial: Inertial, text: Callable[[Inertial, Layout], str]) -> Splice:
    """Return what adds an inertial to a link without one, indented as the file is."""
    editor = Editor(link)
    editor.append(link, [text(inertial, editor.layout(link).deeper)])
    return editor.splice()
