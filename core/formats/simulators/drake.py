# SPDX-License-Identifier: Apache-2.0
"""Checks what Drake needs in a model's files beyond Gazebo's rules."""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import Finding
from ...robot.model import Joint, Mesh
from ...robot.resolve import LinkBody
from ...units import few_text


def drake_findings(
    model_name: str, bodies: Iterable[LinkBody], uri_style: str, joints: Iterable[Joint] = ()
) -> tuple[Finding, ...]:
    """Return what Drake does differently: with meshes (``drake_needs_file_uris``), with friction
    (``drake_no_friction``)."""
    rubbing = [joint.name for joint in joints if joint.friction]
    return (*_crashes(model_name, bodies, uri_style), *_without_friction(model_name, rubbing))


def _without_friction(model_name: str, rubbing: list[str]) -> tuple[Finding, ...]:
    if not rubbing:
        return ()
    return (Finding.of("info", "drake_no_friction", model_name, joints=few_text(rubbing, 5)),)


def _crashes(model_name: str, bodies: Iterable[LinkBody], uri_style: str) -> tuple[Finding, ...]:
    """Return findings for meshes on which Drake would crash: those by relative URI whose inertia it must compute.

    Drake 1.51 ends with ``std::bad_alloc`` there; it loads the same mesh by an absolute ``file://``, or by ``model://``
    once the package map knows the model, and any mesh of a link whose inertia is written out.
    """
    links = [body.link for body in bodies if body.mode == "auto" and not body.refused]
    crashing = [
        link
        for link in links
        if link is not None and any(isinstance(collision.geometry, Mesh) for collision in link.collisions)
    ]
    if uri_style != "relative" or not crashing:
        return ()
    return (Finding.of("info", "drake_needs_file_uris", model_name, count=len(crashing)),)
