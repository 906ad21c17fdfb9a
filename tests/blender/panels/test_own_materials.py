# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of the user's own: kept in the preferences, chosen like the library's, no loss to files without them."""

import bpy
import pytest

from ..scenes import box_link, findings, module, only_link

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def kept(addon):
    """The preferences of an installed add-on; a checkout has none until it stands in Blender's list of add-ons."""
    package = module("sdf_inertia_addon.preferences").PACKAGE
    entry = bpy.context.preferences.addons.new()
    entry.module = package
    try:
        yield entry.preferences
    finally:
        bpy.context.preferences.addons.remove(entry)


def add_material(**options):
    assert bpy.ops.sdf_inertia.add_material(**options) == {"FINISHED"}


def link(**settings):
    return box_link("ob", **settings)


@pytest.mark.versions
def test_materials_are_added_and_removed(kept):
    add_material(name="Foam core", density=80.0, source="data sheet")
    add_material(name="Foam core")
    assert [(one.name, one.density, one.source) for one in kept.materials] == [
        ("Foam core", 80.0, "data sheet"),
        ("Foam core 2", 1000.0, ""),
    ]
    assert kept.active_material == 1
    bpy.ops.sdf_inertia.remove_material(index=0)
    assert [one.name for one in kept.materials] == ["Foam core 2"]
    bpy.ops.sdf_inertia.remove_material()
    assert not kept.materials
    with pytest.raises(RuntimeError, match="no material of your own"):
        bpy.ops.sdf_inertia.remove_material()


def test_without_preferences_the_buttons_say_why():
    for name in ("add_material", "remove_material"):
        with pytest.raises(RuntimeError, match="runs from a checkout"):
            getattr(bpy.ops.sdf_inertia, name)()


def test_a_material_of_ones_own_is_offered_first_and_sets_the_density(kept):
    add_material(name="Foam core", density=80.0)
    known = module("sdf_inertia_addon.scene.known_materials")
    assert known.search(None, bpy.context, "")[0] == ("Foam core", "80 kg/m³, My materials")
    ob = link()
    ob.sdf_inertia.material = "foam CORE"
    assert (ob.sdf_inertia.material, ob.sdf_inertia.density) == ("Foam core", 80.0)
    assert only_link().inertial.mass == pytest.approx(80)
    assert not {"unknown_material", "material_differs"} & findings().keys()
    ob.sdf_inertia.density = 90.0
    assert ob.sdf_inertia.material == ""


def test_a_material_of_ones_own_wins_over_the_librarys(kept):
    kept.materials.add().name = "Steel"
    kept.materials[0].density = 7700.0
    assert link(material="Steel").sdf_inertia.density == 7700.0
    known = module("sdf_inertia_addon.scene.known_materials")
    assert [text for name, text in known.search(None, bpy.context, "Steel") if name == "Steel"] == [
        "7700 kg/m³, My materials"
    ]


def test_another_users_material_keeps_its_density_with_a_warning(kept, tmp_path):
    add_material(name="Foam core", density=80.0)
    link(material="Foam core")
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    kept.materials.clear()  # as on another machine
    bpy.ops.wm.open_mainfile(filepath=path)
    assert bpy.data.objects["ob"].sdf_inertia.material == "Foam core"
    found = findings()["unknown_material"]
    assert (found.severity, found.subject) == ("warning", "ob")
    assert "80 kg/m³" in found.message and "preferences" in found.remedy
    assert only_link().inertial.mass == pytest.approx(80)


def test_a_material_of_another_density_here_keeps_the_saved_one(kept):
    add_material(name="Foam core", density=80.0)
    link(material="Foam core")
    kept.materials[0].density = 95.0
    found = findings()["material_differs"]
    assert found.severity == "warning" and "95 kg/m³" in found.message and "80 was saved" in found.message
    assert only_link().inertial.mass == pytest.approx(80)


def test_a_name_that_nobody_knows_does_not_keep_another_materials_density():
    ob = link(material="Aluminium")
    ob.sdf_inertia.material = "Alluminium"
    assert not ob.sdf_inertia.use_density
    found = findings()["unknown_material"]
    assert found.severity == "error" and "Aluminium" in found.remedy


@pytest.mark.parametrize(
    "names, density, problem",
    [
        (["A", "B"], 1.0, ""),
        (["A", "a"], 1.0, "two materials 'a'"),
        (["A", ""], 1.0, "without a name"),
        (["A"], 0.0, "is not a density"),
        (["A"], 1e9, "is not a density"),
    ],
)
def test_the_list_says_what_is_wrong(kept, names, density, problem):
    for name in names:
        item = kept.materials.add()
        item.name, item.density = name, density
    found = module("sdf_inertia_addon.panels.preferences_page").problem_of(kept, kept.materials[-1])
    assert problem in found and bool(problem) == bool(found)
