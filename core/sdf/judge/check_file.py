# SPDX-License-Identifier: GPL-3.0-or-later
"""From a file's links to what `robot.plausibility` judges: the geometry that is seen, and what only the file tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

import numpy as np

from ...body.inertial import Inertial
from ...body.pose import Pose
from ...body.templates import shared_tensors
from ...errors import Finding, InertiaError, has_error
from ...files.input_file import MAX_MESH_BYTES, read_bytes
from ...robot.extent import extent_of
from ...robot.given_inertial import doubts_of, not_compared
from ...robot.model import Collision, Unusable
from ...robot.resolve import LinkBody
from ..read.collision import WITHOUT_VOLUME
from ..read.link import ReadLink
from ..read.sdf_file import SdfFile
from ..spec.values import text_of
from ..xml.document import qualified
from .verdicts import link_verdicts

COMPUTED = "sdf_inertia:computed"
"""What our exports say an inertial was computed from."""

Y_UP = (".gltf", ".glb")
Z_UP = Pose(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]), np.zeros(3))
"""How Drake turns such a file."""


def check_file(file: SdfFile, strict: bool = False) -> list[Finding]:
    """Judge every link of a file.

    Returns
    -------
    list of Finding
        Without those about the file as a whole, which `file.findings` holds.
    """
    findings: list[Finding] = []
    told = {(finding.code, finding.subject) for finding in file.findings}
    unseen: list[InertiaError] = []
    for link, whole in zip(file.links, link_verdicts(file), strict=True):
        found = [finding for finding in whole.all_findings() if finding.code != "part_refused"]  # the part tells
        told.update((finding.code, finding.subject) for finding in found)
        found += [finding for finding in link.misplaced() if (finding.code, finding.subject) not in told]
        body = whole.inertial
        if body is not None and body.mass > 0.0 and not has_error(found) and not link.static:
            found += [link.place.about(finding) for finding in _implausible(link, body, strict, unseen)]
        findings += found
    findings += _copied(file)
    findings += _stale(file)
    if unseen:
        findings.append(not_compared(unseen))
    return [finding for finding in findings if strict or finding.severity != "info"]


def _implausible(link: ReadLink, body: Inertial, strict: bool, unseen: list[InertiaError]) -> tuple[Finding, ...]:
    collisions = link.link.collisions
    sizeless = [one.name for one in collisions if not isinstance(one.geometry, Unusable) and extent_of([one]) is None]
    if sizeless and not link.auto:  # of an auto link it is an error, which the link's own findings tell
        message = f"size or place of its collision {', '.join(sizeless)} are none that a body can have"
        return (
            Finding(
                "warning", "bad_size", "", message, "give every size a length above 0, every pose numbers of metres"
            ),
        )
    doubts = doubts_of(body, collisions, lambda: seen_of(link), lambda: _uniform(link), strict)
    if doubts.unread is not None:
        unseen.append(link.place.led_to(doubts.unread))
    return doubts.findings


def _uniform(link: ReadLink) -> LinkBody | None:
    uniform = link.body if link.auto else link.implied
    return None if uniform.refused else uniform


def is_y_up(uri: str) -> bool:
    """Say whether a mesh file has y up: Drake turns it, Gazebo does not."""
    return uri.lower().endswith(Y_UP)


def seen_of(link: ReadLink) -> list[Collision]:
    """Return the link's visuals, read as collisions are; planes and the like have no extent to lose."""
    visuals = []
    for element, visual in link.visuals():
        shape = element.find("geometry")
        if shape is None or any(child.tag in WITHOUT_VOLUME for child in shape):
            continue
        visuals.append(visual)
        # The file does not tell whom it was made for.
        if any(is_y_up(text_of(uri)) for uri in element.iterfind("geometry/mesh/uri")):
            visuals.append(replace(visual, pose=visual.pose @ Z_UP))
    return visuals


def _stale(file: SdfFile) -> Iterator[Finding]:
    """Yield a finding for each inertial of ours whose mesh files are not those that it was computed from."""
    for link in file.links:
        inertial = link.element.find("inertial")
        said = None if inertial is None else next((one for one in inertial if qualified(one) == COMPUTED), None)
        if said is None:
            continue
        uses = link.mesh_uses.values()
        now = []
        for use in uses:
            try:
                now.append(sha256(read_bytes(use.path, MAX_MESH_BYTES)).hexdigest()[:8])
            except InertiaError as error:
                yield link.place.about(replace(error.finding("warning"), subject=""))
        then = said.get("mesh", "").split()
        if then and now != then:
            message = "its inertial was computed from other meshes than those beside it"
            yield Finding("warning", "stale", str(link.place), message, "export it anew, or fill it: fill, repair")


def _copied(file: SdfFile) -> Iterator[Finding]:
    """Yield a finding for each tensor that several links of different masses share."""
    given = [
        (link, link.manual)
        for link in file.links
        if link.manual is not None and link.element.find("inertial") is not None and not link.static
    ]
    for numbers in shared_tensors([manual for _, manual in given]):
        links = [given[number] for number in numbers]
        masses = [manual.mass for _, manual in links]
        names = ", ".join(link.name for link, _ in links)
        moments = ", ".join(f"{moment:.4g}" for moment in np.diag(links[0][1].inertia))
        message = (
            f"{len(links)} links of {min(masses):.4g} to {max(masses):.4g} kg share one tensor ({moments}): {names}"
        )
        place, remedy = str(links[0][0].place), "compute each from its geometry"
        yield Finding("warning", "copied_tensor", place, message, remedy)
