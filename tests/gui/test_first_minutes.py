# SPDX-License-Identifier: GPL-3.0-or-later
"""A user's first minutes: the first click, a weight, numbers by hand, a fin, the export."""

import pytest
from lxml import etree

CUBE = 2.0**3 * 1000.0


def height_of(user, does):
    return user.find(does)[1]


def test_the_first_click_on_link_gives_a_mass_and_moves_no_button(user):
    before = height_of(user, "sdf_inertia.tag_link")
    user.picture("before")
    user.press("sdf_inertia.tag_link")
    assert user.until("extension.number()") == pytest.approx((CUBE, 0.0, 0.0, 0.0))
    user.picture("after")
    assert height_of(user, "sdf_inertia.tag_link") == before


def test_manual_starts_from_the_present_numbers_and_undo_goes_back(user):
    user.run("scene.tag()")
    user.press("mode='MANUAL'")
    assert user.until("bpy.data.objects['Cube'].sdf_inertia.inertia == 'MANUAL'")
    assert user.run("extension.number()[0]") == pytest.approx(CUBE)
    assert user.run("scene.settings()['manual_inertia'][0]") == pytest.approx(CUBE / 12 * 8)
    user.picture("manual")
    user.keys("ctrl+z")
    assert user.run("bpy.data.objects['Cube'].sdf_inertia.inertia") == "AUTO"


def test_ticking_a_target_mass_starts_from_the_present_one(user):
    user.run("scene.tag()")
    user.press("own=True")
    assert user.until("bpy.data.objects['Cube'].sdf_inertia.use_mass")
    assert user.run("scene.settings()['mass']") == pytest.approx(CUBE)
    user.picture("ticked")


def test_a_material_is_chosen_for_the_selection_by_typing(user):
    user.run("scene.tag()")
    button = user.find("sdf_inertia.set_material")
    user.appears(lambda: user.window.click(*button))
    user.window.type("Titanium")
    user.picture("search")
    user.window.key("Return")
    assert user.until("bpy.data.objects['Cube'].sdf_inertia.material.startswith('Titanium')")
    assert user.run("extension.number()[0]") > 4.0 * CUBE


def test_the_search_finds_what_acts_on_the_selection(user):
    user.run("scene.tag()")
    user.keys()
    user.appears(lambda: user.run("screen.search()"))  # what is typed before the search is there would be shortcuts
    user.window.type("Set Mass")
    user.picture("found")
    user.window.key("Return")
    assert user.until("bpy.data.objects['Cube'].sdf_inertia.use_mass")
    assert user.run("scene.settings()['mass']") == pytest.approx(CUBE)


def test_the_dialog_writes_a_folder_of_the_models_name(user):
    user.run("scene.tag()")
    user.press("sdf_inertia.export_sdf")
    user.dialog("SDF_INERTIA_OT_export_model")
    user.picture("dialog")
    user.press("file.execute", "FILE_BROWSER", "EXECUTE")
    written = user.window.folder / "home" / "model" / "model.sdf"
    assert user.until("not screen.shown('FILE_BROWSER')")
    assert user.until("not screen.waiting_operators()")
    assert etree.parse(written).find(".//link/inertial").get("auto") == "true"


def test_a_fin_is_offered_what_helps_and_the_click_fixes_the_mesh(user):
    user.run("scene.add_fin()")
    user.run("scene.tag()")
    user.picture("fin")
    assert user.until("extension.number() is not None")
    user.press("sdf_inertia.delete_loose_faces")
    assert user.until("scene.shape() == (8, 6)")


def test_the_tab_at_twice_the_size_in_the_light_theme(user):
    user.run("screen.large_and_light()")
    try:
        user.look()
        user.picture("empty")
        user.press("sdf_inertia.tag_link")
        assert user.until("extension.number()")
        user.picture("link")
        user.run("scene.add_fin()")
        user.keys()
        user.picture("fin")
    finally:
        user.run("screen.large_and_light(False)")


@pytest.mark.fault(115)
@pytest.mark.parametrize(("typed", "material"), [("PLA", "PLA"), ("pmma", "Acrylic"), ("steel", "Steel")])
def test_a_material_is_found_by_its_name_before_its_category(user, typed, material):
    user.run("scene.tag()")
    for button in ("material", "sdf_inertia.set_material("):
        user.run("setattr(bpy.data.objects['Cube'].sdf_inertia, 'material', 'Gold')")
        place = user.find(button)
        user.appears(lambda place=place: user.window.click(*place))
        user.window.type(typed)
        user.picture(f"{button.strip('(')}-{typed}")
        user.window.key("Return")
        assert user.until("bpy.data.objects['Cube'].sdf_inertia.material != 'Gold'"), button
        assert user.run("bpy.data.objects['Cube'].sdf_inertia.material") == material, button
