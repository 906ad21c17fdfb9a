# SPDX-License-Identifier: GPL-3.0-or-later
"""A manual inertial with one certain mistake has a button that corrects it."""

import bpy
import numpy as np
import pytest

from ..scenes import add, box_mesh, module, select, tag

pytestmark = pytest.mark.usefixtures("scene")

SIDES, MASS = (0.31, 0.22, 0.13), 3.0
RIGHT = [MASS / 12 * (0.22**2 + 0.13**2), MASS / 12 * (0.31**2 + 0.13**2), MASS / 12 * (0.31**2 + 0.22**2)]
"""Of a box: m/12 (b² + c²), and so on."""


def link(*moments):
    ob = tag(add(box_mesh(), "arm", scale=SIDES), "link", "collision", geometry="BOX", inertia="MANUAL")
    ob.sdf_inertia.manual_mass = MASS
    ob.sdf_inertia.manual_inertia = (*moments, 0.0, 0.0, 0.0)
    select(ob)
    bpy.context.view_layer.update()
    return ob


def buttons(ob):
    """Return the codes of the link's findings, and the buttons that each of them has."""
    live, remedies = module("sdf_inertia_addon.live"), module("sdf_inertia_addon.mesh_tools.remedies")
    body = live.link_body(bpy.context.evaluated_depsgraph_get(), ob)
    return {finding.code: remedies.remedies_of(finding, body) for finding in body.all_findings()}


@pytest.mark.versions
@pytest.mark.fault(111)
def test_the_button_puts_exchanged_moments_right():
    ob = link(*RIGHT[::-1])
    assert buttons(ob) == {"tensor_axes": ("sdf_inertia.use_meant_inertial",)}
    assert bpy.ops.sdf_inertia.use_meant_inertial(target="arm") == {"FINISHED"}
    np.testing.assert_allclose(ob.sdf_inertia.manual_inertia, [*RIGHT, 0, 0, 0], rtol=1e-6, atol=1e-9)
    assert ob.sdf_inertia.manual_mass == MASS and not any(ob.sdf_inertia.manual_com)
    bpy.context.view_layer.update()
    assert buttons(ob) == {}


@pytest.mark.fault(111)
def test_numbers_in_another_order_are_put_right_though_no_body_has_them():
    ob = link(RIGHT[0], 0.0, 0.0)
    ob.sdf_inertia.manual_inertia = (RIGHT[0], 0.0, 0.0, RIGHT[1], 0.0, RIGHT[2])
    bpy.context.view_layer.update()
    assert buttons(ob) == {"negative_moment": (), "tensor_order": ("sdf_inertia.use_meant_inertial",)}
    assert bpy.ops.sdf_inertia.use_meant_inertial() == {"FINISHED"}
    np.testing.assert_allclose(ob.sdf_inertia.manual_inertia, [*RIGHT, 0, 0, 0], rtol=1e-6, atol=1e-9)


@pytest.mark.fault(111)
def test_a_mistake_without_a_certain_correction_has_no_button():
    ob = link(RIGHT[0], RIGHT[1], RIGHT[1])
    assert buttons(ob) == {"tensor_axes": ()}
    with pytest.raises(RuntimeError, match="no mistake with one certain correction"):
        bpy.ops.sdf_inertia.use_meant_inertial()
