# SPDX-License-Identifier: GPL-3.0-or-later
"""What `repair` makes of the files that links were imported from: its plan for each link, computed from the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path

import bpy
import numpy as np

from ...core.body.compare import differ_by_noise
from ...core.files.input_file import digest, noting_reads
from ...core.files.mesh_store import KeptMeshes
from ...core.formats.file_link import FileLink
from ...core.formats.robot_file import RobotFile
from ...core.formats.table import read_robot_file
from ...core.judge.comparison import Comparison, uniform_body
from ...core.judge.measured import Com, RepairOptions
from ...core.judge.repair import RepairedFile, repair_file
from ...core.judge.verdict import Plan, Verdict
from ...core.robot.calculators import registered_calculators
from ...core.robot.model import Link
from ...core.robot.resolve import LinkBody
from ..names import PROPERTIES
from ..steps import Step, Steps, in_other_thread
from ..translations.words import iface_
from .sources import folders_of, source_of

FILES = 4
"""Judged files that stay in memory, with their meshes; the one that was judged first goes first."""


@dataclass(eq=False)
class JudgedFile:
    """A robot's file, and what `repair` makes of it.

    Parameters
    ----------
    file : RobotFile
    folders : tuple of Path
        In which a user looked for its meshes and models.
    repaired : RepairedFile
        By the default options of ``repair --in-place``, and the weighed masses.
    reads : dict of str to str or None
        The SHA-256 by path of all files that it was read from, None for those that were missing.
    weighed : mapping of str to float
        Measured masses [kg] by the names of links.
    """

    file: RobotFile
    folders: tuple[Path, ...]
    repaired: RepairedFile
    reads: dict[str, str | None]
    weighed: Mapping[str, float] = field(default_factory=dict)
    _by_hand: dict[str, Plan | None] = field(default_factory=dict)
    _weighed: dict[tuple[tuple[str, float], ...], JudgedFile] = field(default_factory=dict)

    @cached_property
    def state(self) -> str:
        """The SHA-256 of the file itself."""
        return sha256(self.file.document.data).hexdigest()

    def is_current(self) -> bool:
        """Return True if no file that it was read from has changed."""
        return all(digest(Path(path)) == state for path, state in self.reads.items())

    def link_of(self, ob: bpy.types.Object) -> FileLink | None:
        """Return the link that an object stands for."""
        settings = getattr(ob, PROPERTIES)
        link = self._links.get(f"{settings.source_model}::{settings.sdf_name}")
        return link if link is not None else self._links_of_one_model.get(settings.sdf_name)

    def verdict(self, link: FileLink) -> Verdict:
        """Return the verdict on a link, not strict."""
        return self._verdicts[link.name]

    def plan(self, link: FileLink) -> Plan | None:
        """Return what `repair` writes for a link; None if it needs nothing."""
        return self._plans.get(link.name)

    def with_weighed(self, masses: Mapping[str, float]) -> JudgedFile:
        """Return the same file with the plans of ``repair --weighed``, for more measured masses [kg] by link.

        Raises
        ------
        InertiaError
            ``bad_mass``.
        """
        masses = {**self.weighed, **masses}
        if masses == self.weighed:
            return self
        key = tuple(sorted(masses.items()))
        if key not in self._weighed:
            with noting_reads() as reads:
                repaired = repair_file(self.file, RepairOptions(weighed=masses), self.repaired.before)
            self.reads = reads | self.reads
            self._weighed.clear()  # the last ones are enough
            self._weighed[key] = replace(self, repaired=repaired, weighed=masses)
        return self._weighed[key]

    def plan_by_hand(self, link: FileLink) -> Plan | None:
        """Return what ``repair --what all --links NAME`` writes for a link; if nothing, with ``--com geometry``."""
        if link.name not in self._by_hand:
            plan = self._planned(link, "keep")
            if plan is None or plan.new is None:
                other = self._planned(link, "geometry")
                plan = plan if other is None or other.new is None else other
            self._by_hand[link.name] = plan
        return self._by_hand[link.name]

    def _planned(self, link: FileLink, com: Com) -> Plan | None:
        options = RepairOptions(frozenset({"all"}), com=com, links=frozenset({link.name}))
        with noting_reads() as reads:
            repaired = repair_file(self.file, options, self.repaired.before)
        self.reads = reads | self.reads
        return next((repair.plan for repair in repaired.links if repair.link.name == link.name), None)

    def is_as_imported(self, ob: bpy.types.Object, comparison: Comparison) -> bool:
        """Return True if a link's geometry in the scene has the inertia that it had when it was imported."""
        settings, computed = getattr(ob, PROPERTIES), comparison.computed
        link, now = self._imported.get((settings.source_model, settings.sdf_name)), computed.link
        if link is None or now is None:
            return True
        mass = None if computed.inertial is None else computed.inertial.mass
        # The repair has checked the meshes in the file in full, which may change how they are counted: only if both
        # are, a difference means something.
        return any(
            _differ_by_noise(uniform_body(now, mass, quick), uniform_body(link, mass, quick), far_of(computed))
            for quick in (True, False)
        )

    @cached_property
    def _links(self) -> Mapping[str, FileLink]:
        return {link.name: link for link in reversed(self.file.links)}

    @cached_property
    def _links_of_one_model(self) -> Mapping[str, FileLink]:
        """The links by their names alone; none if the file has several models. A URDF may have no name."""
        links = self.file.links
        return {link.local_name: link for link in reversed(links)} if len({link.model for link in links}) == 1 else {}

    @cached_property
    def _verdicts(self) -> Mapping[str, Verdict]:
        return {verdict.link.name: verdict for verdict in reversed(self.repaired.before)}

    @cached_property
    def _plans(self) -> Mapping[str, Plan]:
        return {repaired.link.name: repaired.plan for repaired in self.repaired.links}

    @cached_property
    def _imported(self) -> Mapping[tuple[str, str], Link]:
        """The links as the import makes them, by the names of their models and their own."""
        return {(robot.model.name, link.name): link for robot in self.file.robots() for link in robot.model.links}


def far_of(body: LinkBody) -> float:
    """Return how far a link in the scene is from the origin [m]: float32 loses digits there."""
    return float(np.abs(body.pose.p).max())


def _differ_by_noise(now: LinkBody, then: LinkBody, far: float) -> bool:
    if now.inertial is None or then.inertial is None:
        return now.inertial is then.inertial
    return differ_by_noise(now.inertial, then.inertial, far)


def judged_source(path: Path, threaded: bool = False) -> Steps[JudgedFile]:
    """Judge a file that links were imported from; it is read again only if it, or a file that it names, has changed.

    Raises
    ------
    InertiaError
        If nothing of the file can be read.
    """
    known, folders = _files.get(path), folders_of(path)
    if known is not None and known.folders == folders and known.is_current():
        return known
    meshes = KeptMeshes({})
    judged = yield from in_other_thread(
        partial(_judge, path, folders, meshes),
        lambda: Step(iface_("judging {file}, {count} meshes", file=path.name, count=len(meshes.files)), 0),
        threaded and not registered_calculators(),  # one of the user's may call Blender
    )
    _files.pop(path, None)
    _files[path] = judged
    while len(_files) > FILES:
        del _files[next(iter(_files))]
    return judged


def _judge(path: Path, folders: tuple[Path, ...], meshes: KeptMeshes) -> JudgedFile:
    with noting_reads() as reads:
        file = read_robot_file(path, folders, meshes)
        return JudgedFile(file, folders, repair_file(file, RepairOptions()), reads)


def known_file(ob: bpy.types.Object) -> JudgedFile | None:
    """Return the judged file of a link, if it was judged as it was imported; reads nothing."""
    file = _files.get(source_of(ob))
    return file if file is not None and file.state == getattr(ob, PROPERTIES).source_hash else None


def forget() -> None:
    """Drop all judged files."""
    _files.clear()


_files: dict[Path, JudgedFile] = {}
