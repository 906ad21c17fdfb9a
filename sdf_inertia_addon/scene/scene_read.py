# SPDX-License-Identifier: GPL-3.0-or-later
"""From Blender's evaluated scene to core values: all links, those of a collection, or one again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path

import bpy

from ...core.errors import Finding
from ...core.formats.sdf.spec.names import is_reserved, valid_name
from ...core.robot.joints import with_checked_joints
from ...core.robot.model import Joint, Link, Model
from ..names import PROPERTIES
from .belonging import is_link, is_or_could_be_part
from .blocked_scripts import blocked_texts
from .evaluated.instances import TaggedInstance, TaggedInstances, instance_again
from .joint_reader import read_joints
from .link_reader import NOT_COMPUTED, LinkReader
from .settings import is_static, keeps_name, model_texts, shortest, stated_model_mass


def metres_per_unit(scene: bpy.types.Scene) -> float:
    """Return the length of a Blender unit [m]; without a unit system, Blender's own labels mean metres."""
    settings = scene.unit_settings
    return 1.0 if settings.system == "NONE" else shortest(settings.scale_length)


def model_name() -> str:
    """Return the name of the scene's model: that of the one imported robot it is, the .blend's stem, or ``model``."""
    links = [ob for ob in bpy.data.objects if is_link(ob)]
    if links and all(getattr(ob, PROPERTIES).source_model for ob in links):
        for collection in bpy.data.collections:
            if all(collection.objects.get(ob.name) == ob for ob in links):
                return collection_model_name(collection)
    return valid_name(Path(bpy.data.filepath).stem) if bpy.data.filepath else "model"


def collection_model_name(collection: bpy.types.Collection) -> str:
    """Return the name of the model that a collection is: its own, or of an imported robot that of its file."""
    models = {getattr(ob, PROPERTIES).source_model for ob in collection.all_objects if is_link(ob)}
    source_name = next(iter(models)) if len(models) == 1 else ""
    known = (
        source_name
        and keeps_name(collection.name, source_name)
        and _FILE_NAME.fullmatch(source_name)
        and not is_reserved(source_name)
    )
    return source_name if known else valid_name(collection.name)


_FILE_NAME = re.compile(r"[\w-][\w .-]*(?<=[\w-])")
"""Names that may be a folder's."""


def read_model(
    depsgraph: bpy.types.Depsgraph, inertia: str = "AS_SET", collection: bpy.types.Collection | None = None
) -> Model:
    """Read the tagged objects of a scene, whatever their selection or visibility in the viewport.

    Parameters
    ----------
    depsgraph : bpy.types.Depsgraph
        Evaluated; its scene and view layer are read.
    inertia : {"AS_SET", "AUTO", "FILLED"}
        Overrides the links' own setting; numbers entered by hand (MANUAL) stay, and links without inertial (NONE).
    collection : bpy.types.Collection, optional
        Read only the links in it, each with all its parts, as a model of the collection's name.

    Returns
    -------
    Model
        What could not be read is in it as a finding of severity error.
    """
    instances = TaggedInstances(depsgraph)
    inside = None if collection is None else {ob.name_full for ob in collection.all_objects}
    name = model_name() if collection is None else collection_model_name(collection)
    roots = [root for root in instances.links if _is_in(root, inside)]
    reader = LinkReader(metres_per_unit(depsgraph.scene), roots, for_file=True)
    empty = _empty(roots, instances)
    links = tuple(reader.link(root, instances.parts[root], inertia, root in empty) for root in roots)
    findings = _model_findings(reader, instances, inside, {link.name for link in links}) + blocked_texts(name)
    frames = tuple(frame for root in roots for frame in reader.frames(root, instances.frames[root]))
    mass = stated_model_mass(depsgraph.scene)
    if mass is not None and len(roots) < len(instances.links):
        findings.append(Finding.of("warning", "model_mass", name, "part_of", mass=mass, count=len(roots)))
        mass = None
    joints = read_joints(depsgraph, reader, instances, roots)
    about = model_texts(depsgraph.scene)
    model = Model(name, links, joints, tuple(findings), frames, mass, is_static(depsgraph.scene), *about)
    return with_checked_joints(model)


@dataclass(frozen=True, eq=False)
class SceneLink:
    """A link as read, and the objects it was read from, by their full names (a library's differs).

    Parameters
    ----------
    link : Link
    object : str
        The object that is the link.
    parts : mapping of str to str
        The object of each solid part, by the part's name.
    objects : tuple of str
        The objects of all parts and visuals, each once.
    placed : bool
        False if the link has no place in the scene, so that nothing of it was read.
    """

    link: Link
    object: str
    parts: Mapping[str, str]
    objects: tuple[str, ...]
    placed: bool


@dataclass(frozen=True, eq=False)
class SceneLinks:
    """All links of a scene as read, sorted as in the file.

    Parameters
    ----------
    links : tuple of SceneLink
        An instanced link occurs once for each instance.
    findings : tuple of Finding
        About the model as a whole, and about what is in no link.
    instanced : bool
        True if some are instances, so that an object may have several places.
    joints : tuple of Joint
        Those that can be written.
    """

    links: tuple[SceneLink, ...]
    findings: tuple[Finding, ...]
    instanced: bool
    joints: tuple[Joint, ...] = ()


def read_scene_links(depsgraph: bpy.types.Depsgraph) -> SceneLinks:
    """Read every link with the objects it comes from."""
    instances = TaggedInstances(depsgraph)
    reader = LinkReader(metres_per_unit(depsgraph.scene), instances.links)
    empty = _empty(instances.links, instances)
    read = [_scene_link(reader, root, instances.parts[root], root in empty) for root in instances.links]
    links = {scene_link.link: scene_link for scene_link in read}
    findings = _model_findings(reader, instances)
    joints = read_joints(depsgraph, reader, instances, instances.links)
    static = is_static(depsgraph.scene)
    model = with_checked_joints(Model(model_name(), tuple(links), joints, tuple(findings), static=static))
    ordered = tuple(links[link] for link in model.links)
    return SceneLinks(ordered, model.findings, instances.instanced, model.joints)


def read_again(
    depsgraph: bpy.types.Depsgraph,
    name: str,
    root: tuple[bpy.types.Object, bool],
    parts: list[tuple[bpy.types.Object, bool]],
    empty: bool = False,
) -> SceneLink:
    """Read one link again, of which nothing is instanced, whose objects and their names are as they were.

    Parameters
    ----------
    depsgraph : bpy.types.Depsgraph
    name : str
        The link's name in the model.
    root : tuple of bpy.types.Object and bool
        The link's object, and whether the depsgraph lists it.
    parts : list of tuple of bpy.types.Object and bool
        Those of its parts and visuals, in their order.
    empty : bool
        As before.
    """
    link = instance_again(*root, depsgraph)
    reader = LinkReader(metres_per_unit(depsgraph.scene), [])
    reader.link_names[link] = name
    others = [link if part is root[0] else instance_again(part, listed, depsgraph) for part, listed in parts]
    return _scene_link(reader, link, others, empty)


def _scene_link(
    reader: LinkReader, root: TaggedInstance, parts: list[TaggedInstance], empty: bool = False
) -> SceneLink:
    link = reader.link(root, parts, "AS_SET", empty)
    solid = [part for part in parts if part.is_collision] + [part for part in parts if part.is_mass]
    # A link without a place has no parts either.
    by_name = {part.name: ob.original.name_full for part, ob in zip(link.parts, solid, strict=False)}
    objects = tuple(part.original.name_full for part in parts)
    return SceneLink(link, root.original.name_full, by_name, objects, root.misplaced() is None)


def _empty(roots: list[TaggedInstance], instances: TaggedInstances) -> frozenset[TaggedInstance]:
    """Return the links that hold nothing; none if that are all, because a model has at least one link."""
    empty = [root for root in roots if not instances.parts[root] and _holds_nothing(root)]
    return frozenset(empty) if len(empty) < len(roots) else frozenset()


def _holds_nothing(root: TaggedInstance) -> bool:
    ob, settings = root.original, root.settings
    if settings.inertia in NOT_COMPUTED or is_or_could_be_part(ob):
        return False
    return not any(is_or_could_be_part(child) or is_link(child) for child in ob.children_recursive)


def _model_findings(
    reader: LinkReader, instances: TaggedInstances, inside: set[str] | None = None, links: Set[str] = frozenset()
) -> list[Finding]:
    """Return findings about the model as a whole, or about what is `inside` a collection."""
    findings = list(dict.fromkeys(reader.names.findings))  # link and collision of one object are renamed alike
    if inside is not None:  # the links outside have been given their names, too
        findings = [finding for finding in findings if finding.subject in {*inside, *links}]
    findings += [_orphan(part) for part in instances.orphans if _is_in(part, inside)]
    failures = instances.failures
    findings += [failure.finding() for failure in failures if inside is None or failure.subject in inside]
    findings += [notice for notice in instances.notices if inside is None or notice.subject in inside]
    return findings


def _is_in(instance: TaggedInstance, names: set[str] | None) -> bool:
    """Return True if an object, or what makes this instance of it, is among objects by their full names."""
    makers = (instance.original, instance.instancer or instance.original)
    return names is None or any(maker.name_full in names for maker in makers)


def _orphan(part: TaggedInstance) -> Finding:
    kind = "collision" if part.is_collision else "mass" if part.is_mass else "visual" if part.is_visual else "frame"
    return Finding.of("error", "no_link", part.original.name_full, "tag", kind=kind)  # a library's may have a namesake
