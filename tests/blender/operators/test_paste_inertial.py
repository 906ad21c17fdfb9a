# SPDX-License-Identifier: GPL-3.0-or-later
"""Paste from CAD enters the inertial that a text states, in Blender's units, or reports what the text lacks."""

import bpy
import numpy as np
import pytest

from ...core.printed.cad_texts import far_body, meshlab, solidworks
from ..scenes import add, box_mesh, module, select, tag

pytestmark = pytest.mark.usefixtures("scene")

BODY = far_body(2)
TENSOR = BODY.tensor(BODY.center) / 1e9
SIX = [TENSOR[0, 0], TENSOR[1, 1], TENSOR[2, 2], TENSOR[0, 1], TENSOR[0, 2], TENSOR[1, 2]]


@pytest.fixture
def link():
    ob = tag(add(box_mesh(), "arm", scale=(0.2, 0.1, 0.05)), "link", "collision", inertia="MANUAL")
    select(ob)
    bpy.context.view_layer.update()
    return ob


def check(ob, metres_per_unit=1.0):
    settings = ob.sdf_inertia
    assert settings.inertia == "MANUAL"
    assert settings.manual_mass == pytest.approx(BODY.mass / 1e3, rel=1e-6)
    np.testing.assert_allclose(np.array(settings.manual_com) * metres_per_unit, BODY.center / 1e3, rtol=1e-6)
    np.testing.assert_allclose(settings.manual_inertia, SIX, rtol=0, atol=1e-6 * np.trace(TENSOR))


@pytest.mark.versions
def test_a_text_becomes_the_numbers_of_a_manual_link(link):
    assert bpy.ops.sdf_inertia.paste_inertial(text=solidworks(BODY), target="arm") == {"FINISHED"}
    check(link)
    assert link.sdf_inertia.manual_inertia[3] == pytest.approx(TENSOR[0, 1], rel=1e-4) and TENSOR[0, 1] != 0.0


def test_the_centre_is_in_the_units_of_the_scene(link):
    bpy.context.scene.unit_settings.scale_length = 0.001
    assert bpy.ops.sdf_inertia.paste_inertial(text=solidworks(BODY)) == {"FINISHED"}
    assert link.sdf_inertia.manual_com[0] == pytest.approx(BODY.center[0], rel=1e-6)
    check(link, 0.001)


def test_what_the_text_lacks_is_reported_and_can_be_stated(link):
    text = meshlab(BODY, 151234.5)
    before = link.sdf_inertia.manual_mass
    with pytest.raises(RuntimeError, match="nothing says what it weighs. Enter its mass or density"):
        bpy.ops.sdf_inertia.paste_inertial(text=text)
    assert link.sdf_inertia.manual_mass == before
    stated = {"amount": "MASS", "mass": BODY.mass / 1e3, "scale": 0.001}
    assert bpy.ops.sdf_inertia.paste_inertial(text=text, **stated) == {"FINISHED"}
    check(link)


def test_products_without_a_sign_can_be_stated(link):
    text = solidworks(BODY, blocks=("center",), notation=False)
    with pytest.raises(RuntimeError, match="Choose what its products are"):
        bpy.ops.sdf_inertia.paste_inertial(text=text)
    assert bpy.ops.sdf_inertia.paste_inertial(text=text, products="POSITIVE") == {"FINISHED"}
    check(link)


def test_a_clipboard_without_a_text_from_cad_changes_nothing(link):
    before = [*link.sdf_inertia.manual_inertia]
    with pytest.raises(RuntimeError, match="It has no tensor with Ixx to Izz"):
        bpy.ops.sdf_inertia.paste_inertial(text="lorem ipsum")
    assert [*link.sdf_inertia.manual_inertia] == before


def test_only_links_are_pasted_into():
    select(add(box_mesh(), "loose"))
    with pytest.raises(RuntimeError, match="loose is not a link"):
        bpy.ops.sdf_inertia.paste_inertial(text=solidworks(BODY), target="loose")


def test_the_settings_ask_only_where_the_text_leaves_something_open():
    stated = module("sdf_inertia_addon.operators.paste_inertial").STATED
    remedy = module("core.findings.remedy")
    assert stated <= remedy.ACTIONS.keys()
