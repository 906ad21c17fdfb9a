# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel shows, against a reading of the scene from nothing, here or by another process of its file."""

from __future__ import annotations

from typing import Any, NamedTuple

import bpy
import numpy as np

from ..scenes import FLOAT32, module

NOISE = 64 * FLOAT32
"""Twice what the follower takes for the rounding of matrices (16), for the mass as for the tensor, in either."""


class Expected(NamedTuple):
    """A link as it should be shown; `body` is None where nobody knows yet."""

    name: str
    object: str
    parts: dict[str, str]
    body: Any


def depsgraph() -> bpy.types.Depsgraph:
    return bpy.context.evaluated_depsgraph_get()


def shown() -> Any:
    """Return the live model, as panel and overlay get it."""
    return module("sdf_inertia_addon.live").model(depsgraph())


def read_anew(known: Any = None) -> tuple[list[Expected], Any]:
    """Read and resolve everything again; not what takes long, where another thread is still at it for `known`."""
    sources = module("sdf_inertia_addon.scene.scene_read").read_scene_links(depsgraph())
    resolve = module("core.judge.geometry.resolve_model").judged_link
    mass = module("sdf_inertia_addon.scene.settings").stated_model_mass(depsgraph().scene)
    waits = [False] * len(sources.links) if known is None else [link.stale or link.checking for link in known.links]
    assert len(waits) == len(sources.links), (len(waits), [one.link.name for one in sources.links])
    bodies = tuple(None if wait else resolve(source.link) for wait, source in zip(waits, sources.links, strict=True))
    # Links that are waited for still hold others.
    there = [known.links[index].body if body is None else body for index, body in enumerate(bodies)]
    static = module("sdf_inertia_addon.scene.settings").is_static(depsgraph().scene)
    there = module("core.robot.massless").with_massless_refused(there, sources.joints, static)
    bodies = tuple(body and other for body, other in zip(bodies, there, strict=True))
    if mass is not None:
        # The factor is that of all links: where one is not known, there is none to compare with.
        whole = None not in bodies
        bodies = (
            module("core.judge.geometry.resolve_model").scale_to_model_mass(bodies, mass)
            if whole
            else (None,) * len(bodies)
        )
    links = [
        Expected(source.link.name, source.object, dict(source.parts), body)
        for source, body in zip(sources.links, bodies, strict=True)
    ]
    return links, sources


def rows_of(findings: Any) -> list[tuple[str, str, str]]:
    return [(finding.severity, finding.code, finding.subject) for finding in findings]


def size_of(model: Any) -> float:
    """Return how far from the world's origin anything is [m]: float32 matrices hold lengths relative to that."""
    farthest = max((np.abs(np.array(ob.matrix_world)).max() for ob in bpy.data.objects), default=0.0)
    return float(farthest * model.metres_per_unit)


def assert_inertials_agree(actual: Any, expected: Any, size: float) -> None:
    assert (actual is None) == (expected is None), (actual, expected)
    if actual is None:
        return
    trace = np.trace(expected.inertia)
    radius = np.sqrt(trace / expected.mass)
    assert abs(actual.mass - expected.mass) <= NOISE * expected.mass, (actual.mass, expected.mass)
    assert np.abs(actual.com - expected.com).max() <= NOISE * (radius + size)
    # A centre of mass that is off by d moves the parts of a link against each other by as much.
    assert np.abs(actual.inertia - expected.inertia).max() <= NOISE * trace * (1.0 + size / radius)


def assert_poses_agree(actual: Any, expected: Any, size: float) -> None:
    assert np.abs(actual.R - expected.R).max() <= NOISE
    assert np.abs(actual.p - expected.p).max() <= NOISE * size


def assert_live_agrees(at_rest: bool = False) -> Any:
    """Compare what is shown with what is read again, and return it; `at_rest`, nothing may be waited for.

    A link whose numbers are being computed, or were cancelled, says so, and stands where it stands.
    """
    model = shown()
    links, sources = read_anew(model)
    waiting = module("sdf_inertia_addon.live.model").WAITING
    assert [link.body.name for link in model.links] == [link.name for link in links]
    assert rows_of(model.findings) == rows_of(sources.findings)
    size = size_of(model)
    for link, expected, source in zip(model.links, links, sources.links, strict=True):
        assert link.object == expected.object
        assert_poses_agree(link.body.pose, source.link.pose, size)
        if link.stale:
            assert not at_rest or "before_sculpting" in {code for _, code, _ in rows_of(link.body.findings)}
            assert waiting & {code for _, code, _ in rows_of(link.body.findings)}
        elif link.checking:
            assert not at_rest
        elif expected.body is not None:
            assert dict(link.parts) == expected.parts
            assert_bodies_agree(link.body, expected.body, size)
    assert_joints_agree(model.joints, sources.joints, size)
    assert shown() is model  # and a second look costs nothing
    return model


def assert_bodies_agree(actual: Any, expected: Any, size: float) -> None:
    assert rows_of(actual.all_findings()) == rows_of(expected.all_findings())
    assert (actual.mode, actual.method) == (expected.mode, expected.method)
    assert_inertials_agree(actual.inertial, expected.inertial, size)
    assert [part.name for part in actual.parts] == [part.name for part in expected.parts]
    for part, other in zip(actual.parts, expected.parts, strict=True):
        assert_inertials_agree(part.inertial, other.inertial, size)


def assert_joints_agree(actual: Any, expected: Any, size: float) -> None:
    def said(joint: Any) -> tuple[object, ...]:
        return joint.name, joint.kind, joint.parent, joint.child, joint.axis, joint.lower, joint.upper, joint.damping

    assert [said(joint) for joint in actual] == [said(joint) for joint in expected]
    for joint, other in zip(actual, expected, strict=True):
        # The follower reads a joint again once its frame has moved by 8 times the noise.
        assert np.abs(joint.pose.R - other.pose.R).max() <= 8 * NOISE
        assert np.abs(joint.pose.p - other.pose.p).max() <= 8 * NOISE * max(size, 1e-30)


# --- between processes -----------------------------------------------------------------------------------------------


def written_down(model: Any) -> dict[str, Any]:
    """Return a model as JSON holds it."""
    return {
        "findings": rows_of(model.findings),
        "links": [
            {
                "name": link.body.name,
                "object": link.object,
                "mode": link.body.mode,
                "method": link.body.method,
                "findings": rows_of(link.body.all_findings()),
                "R": link.body.pose.R.tolist(),
                "p": link.body.pose.p.tolist(),
                "inertial": None
                if link.body.inertial is None
                else [link.body.inertial.mass, link.body.inertial.com.tolist(), link.body.inertial.inertia.tolist()],
            }
            for link in model.links
        ],
        "joints": [[joint.name, joint.kind, joint.parent, joint.child, list(joint.axis)] for joint in model.joints],
    }
