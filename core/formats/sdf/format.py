# SPDX-License-Identifier: Apache-2.0
"""SDF as a format of robots' files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import combinations_with_replacement
from pathlib import Path
from typing import ClassVar

import numpy as np

from ...body.gz_validity import loadable
from ...body.inertial import COMPONENTS, Inertial
from ...document.document import Document
from ...document.element import child_of
from ...document.foreign_paths import foreign_paths
from ...document.numbers import number
from ...document.splice import Layout, Splice, spliced
from ...errors import Finding, InertiaError
from ...files.input_file import read_bytes
from ...files.limits import MAX_MESH_BYTES
from ...files.mesh_store import Loaders
from ...robot.model import Joint
from ...robot.resolve import LinkBody
from ..robot_file import Arguments, Format, ImportedRobot, Inertials, RobotFile, inserted, same
from ..simulators.gazebo import gazebo_findings
from ..simulators.verdicts import held_links, link_verdicts
from .fill import RewrittenFile, fill, filled_splices
from .links import SdfLink, written_tensor
from .model import sdf_joints, sdf_models
from .read import SdfFile, read_document
from .spec.values import child_number

COMPUTED = "sdf_inertia:computed"
"""The element in which our exports note what an inertial was computed from."""

DIRECTIONS = "xyzpqr"
"""Names of the directions in ``<fluid_added_mass>``: three along the axes, three about them."""


@dataclass(frozen=True, eq=False)
class SdfRobotFile(RobotFile):
    """An SDF file, checked by libsdformat's rules."""

    links: Sequence[SdfLink]
    file: SdfFile
    format_name: ClassVar[str] = "SDF"

    @cached_property
    def bodies(self) -> Sequence[LinkBody]:
        return link_verdicts(self.file)

    @cached_property
    def held(self) -> frozenset[str]:
        return held_links(self.file)

    def engine_findings(self) -> list[Finding]:
        links = self.file.links
        known = {(finding.code, finding.subject) for finding in self.file.findings}
        known |= {(finding.code, finding.subject) for body in self.bodies for finding in body.all_findings()}
        misplaced = (finding for link in links for finding in link.misplaced_parts())
        unknown = (finding for finding in misplaced if (finding.code, finding.subject) not in known)
        of_links = (finding for link in links for finding in (*gazebo_findings(link), *_added_mass(link)))
        return [*unknown, *of_links, *_stale(self.file)]

    def for_gazebo(self) -> SdfFile:
        return self.file

    def filled(self, keep_auto: bool = False, included: bool = False) -> RewrittenFile:
        return fill(self.file, keep_auto)

    def written(self, inertials: Inertials) -> dict[Document, bytes]:
        links = {link.name: link for link in self.file.links}
        splices: list[Splice] = []
        for model, by_link in inertials.items():
            for name, inertial in by_link.items():
                link = links.get(f"{model}::{name}")
                if link is None:
                    raise InertiaError.of("unknown_link", self.document.name, "import", name=name)
                if link.document is not self.document:
                    raise InertiaError.of("included_inertial", name, "import", name=link.document.name)
                if not link.has_inertial:
                    splices.append(inserted(link.element, inertial, _text))
                elif link.auto or link.manual is None or not same(link.manual, inertial):
                    splices += filled_splices(link, inertial)
        return {self.document: spliced(self.document.data, splices)}

    def joints(self) -> Mapping[str, Sequence[Joint]]:
        return sdf_joints(self.file)

    def robots(self) -> list[ImportedRobot]:
        return sdf_models(self.file)


def _read(document: Document, roots: Sequence[Path], loaders: Loaders | None, _: Arguments) -> SdfRobotFile:
    file = read_document(document, roots, loaders=loaders, by_end=True)
    foreign = foreign_paths(uri for link in file.links for uri in link.mesh_uris())
    file = replace(file, notes=(*file.notes, *foreign))
    return SdfRobotFile(document, file.links, (*file.findings, *file.notes), file)


def _added_mass(link: SdfLink) -> Iterator[Finding]:
    """Yield an error if inertia and added mass together are not positive: the link would speed up by itself."""
    inertial = child_of(link.element, "inertial")
    added = child_of(inertial, "fluid_added_mass")
    if inertial is None or added is None or link.manual is None:
        return
    try:
        matrix = np.zeros((6, 6))
        for (i, a), (j, b) in combinations_with_replacement(enumerate(DIRECTIONS), 2):
            matrix[i, j] = matrix[j, i] = child_number(added, a + b) or 0.0
        # What the water adds and the link's own, which give the force and torque of any acceleration.
        matrix[:3, :3] += link.manual.mass * np.eye(3)
        matrix[3:, 3:] += written_tensor(inertial)
    except InertiaError:
        return  # a number that cannot be read is a finding of its own
    # Positive for each direction of motion if the least eigenvalue is.
    least = float(np.linalg.eigvalsh(matrix)[0]) if np.isfinite(matrix).all() else 0.0
    if least < 0.0:
        yield link.element.about(Finding.of("error", "added_mass", least=least))


def _stale(file: SdfFile) -> Iterator[Finding]:
    """Yield a finding for each inertial of our exports whose mesh files have changed since."""
    for link in file.links:
        given = child_of(link.element, "inertial")
        computed = child_of(given, COMPUTED)
        if computed is None:
            continue
        now = []
        for use in link.mesh_uses.values():
            try:
                now.append(sha256(read_bytes(use.path, MAX_MESH_BYTES)).hexdigest()[:8])
            except InertiaError as error:
                yield link.element.about(replace(error.finding("warning"), subject=""))
        then = computed.get("mesh", "").split()
        if then and now != then:
            yield Finding.of("warning", "stale", str(link.element))


def _text(body: Inertial, layout: Layout) -> str:
    pose, tensor = loadable(body)
    inner, deeper = layout.before_child, layout.deeper.before_child
    cells = "".join(f"{deeper}<{name}>{number(tensor[cell])}</{name}>" for name, cell in COMPONENTS.items())
    return (
        f"<inertial>{inner}<mass>{number(body.mass)}</mass>"
        f"{inner}<pose>{' '.join(map(number, pose.to_sdf()))}</pose>"
        f"{inner}<inertia>{cells}{inner}</inertia>{layout.before_end}</inertial>"
    )


SDF = Format("SDF", (".sdf", ".world"), "sdf", _read)
