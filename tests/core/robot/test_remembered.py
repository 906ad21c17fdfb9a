# SPDX-License-Identifier: GPL-3.0-or-later
"""What is remembered of a mesh is not the mesh: once nobody else holds it, its memory is free."""

import gc
import weakref

import numpy as np
import pytest

from core import InertiaError
from core.mesh.measure import check_surface
from core.mesh.surface import Surface
from core.robot.mesh_method import MeshMethod
from core.robot.model import Mesh

from ..solids import box, inverted, joined, subdivided
from ..solids.awkward import bow_tie, without


@pytest.mark.parametrize(
    ("mesh", "code"),
    [
        (box(), None),
        (without(box(), 3), "open_mesh"),
        (bow_tie(1.0), "negative_winding"),
        (joined(box((4, 4, 4)), inverted(box((1, 1, 1), (3.5, 1, 1)))), "negative_winding"),
    ],
    ids=["good", "open", "bow-tie", "cavity that pokes out"],
)
def test_a_mesh_that_was_measured_or_refused_is_let_go(mesh, code):
    surface = Surface(*mesh)
    alive = weakref.ref(surface)
    for _ in range(2):  # worked out, and remembered
        try:
            MeshMethod(Mesh(surface, np.eye(3)), {}).measure()
            assert code is None
        except InertiaError as error:
            assert error.code == code
    del surface
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("inner", [box((0.1,) * 3, (0.2,) * 3), inverted(box(low=(9, 9, 9)))], ids=["inside", "turned"])
def test_what_was_found_out_about_overlapping_shells_keeps_nothing_alive(inner):
    surface = Surface(*joined(box(), box(low=(0.5, 0.4, 0.3)), inner))
    alive = weakref.ref(surface)
    gc.collect()
    gc.disable()  # what keeps itself alive is freed by nothing else
    try:
        check_surface(surface)
        del surface
        assert alive() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("params", [{}, {"gz:voxel_size": "0.1"}])
def test_a_quick_refusal_does_not_stand_for_the_full_one(params):
    vertices, triangles = box()
    mesh = Mesh(Surface(vertices, triangles[:4]), np.eye(3))  # two sheets, which enclose nothing

    def refusal(quick):
        with pytest.raises(InertiaError) as error:
            MeshMethod(mesh, params).measure(quick)
        return error.value.fix

    quick = refusal(True)
    assert refusal(True) == quick and MeshMethod(mesh, params).known(quick=True) is not None
    assert MeshMethod(mesh, params).known() is None
    full = refusal(False)
    assert refusal(True) == full
    if not params:
        assert "{voxel}" in quick.alternatives and "{voxel}" not in full.alternatives


def test_a_rough_result_is_for_nothing_else():
    """Two boxes of 1 m³ that share a half."""
    surface = Surface(*subdivided(subdivided(subdivided(joined(box(), box(low=(0.5, 0, 0)))))))
    mesh = Mesh(surface, 2.0 * np.eye(3))
    rough = MeshMethod(mesh, {}).measure(rough=True)
    assert 1e-9 < abs(rough.moments.volume / 12.0 - 1.0) < 0.01 and rough.findings == ()
    assert MeshMethod(mesh, {}).measure(rough=True).moments.volume == rough.moments.volume  # remembered
    assert MeshMethod(mesh, {}).known(quick=True) is None
    quick = MeshMethod(mesh, {}).measure(quick=True)
    assert quick.moments.volume == pytest.approx(12.0, rel=1e-9)
    assert "overlapping_shells" in {one.code for one in quick.findings}
    assert MeshMethod(mesh, {}).measure(rough=True).moments.volume == quick.moments.volume
