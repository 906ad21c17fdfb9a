# SPDX-License-Identifier: GPL-3.0-or-later
"""A finding's remedy, run by clicking its button: docs/finding-*.png are the sidebar of its pictures."""

import pytest


def test_close_holes_closes_the_mesh_by_one_click_and_undo_opens_it_again(user):
    user.run("scene.tag()")
    user.run("scene.remove_face()")
    assert user.run("scene.shape()") == (8, 5)
    assert user.run("extension.number()") is None
    user.picture("open")
    user.press('sdf_inertia.close_holes(target="Cube")')
    assert user.until("extension.number() is not None")
    assert user.run("scene.shape()") == (8 + 1, 5 + 4)
    assert user.run("extension.number()") == pytest.approx((8000.0, 0.0, 0.0, 0.0))
    user.picture("closed")

    user.keys("ctrl+z")
    assert user.run("scene.shape()") == (8, 5)
    assert user.run("extension.number()") is None


def test_use_hull_changes_the_setting_and_leaves_the_mesh(user):
    user.run("scene.tag()")
    user.run("scene.remove_face()")
    user.press('sdf_inertia.use_hull(target="Cube")')
    assert user.until("bpy.data.objects['Cube'].sdf_inertia.method == 'HULL'")
    assert user.run("scene.shape()") == (8, 5)
    assert user.run("extension.number()[0]") == pytest.approx(8000.0)


def test_exchanged_axes_are_corrected_by_one_click(user):
    """A uniform box of 2 x 4 x 6 m, whose moments were entered in the order of a program with y up."""
    user.run("bpy.data.objects['Cube'].scale.__setitem__(slice(None), (1.0, 2.0, 3.0))")
    user.run("scene.tag(inertia='MANUAL', manual_mass=1000.0, manual_inertia=(1666.67, 3333.33, 4333.33, 0, 0, 0))")
    assert user.until("'tensor_axes' in extension.codes()")
    user.picture("axes-exchanged")
    user.press('sdf_inertia.use_meant_inertial(target="Cube")')
    assert user.until("'tensor_axes' not in extension.codes()")
    assert list(user.run("tuple(bpy.data.objects['Cube'].sdf_inertia.manual_inertia)[:3]")) == pytest.approx(
        [13000 / 3, 10000 / 3, 5000 / 3], rel=1e-5
    )
    user.picture("axes-corrected")
    user.keys("ctrl+z")
    assert user.until("'tensor_axes' in extension.codes()")
