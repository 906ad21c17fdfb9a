# SPDX-License-Identifier: GPL-3.0-or-later
"""What an import does not find stays known, and comes in from the folder that the user names."""

import shutil

import bpy
import pytest

from ...ros_package import write_package
from ..scenes import imported, module

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(120, 153)]


def names():
    return {ob.sdf_inertia.sdf_name for ob in bpy.data.objects}


@pytest.fixture
def split(tmp_path):
    """A robot whose meshes are elsewhere: three of its six parts."""
    path = write_package(tmp_path / "there" / "ws" / "src", named="parts_of_cart")
    (tmp_path / "alone").mkdir()
    alone = shutil.copy(path, tmp_path / "alone" / "cart.urdf")
    shutil.copytree(path.parents[1], path.parents[2] / "parts_of_cart")
    return alone


def test_parts_whose_meshes_are_missing_are_known_by_name(split):
    imported(split)
    assert {"look", "hull", "steel"} & names() == set() and "box" in names()
    assert bpy.data.objects["base"].sdf_inertia.missing.splitlines() == ["collision hull", "visual look"]
    assert bpy.data.objects["arm"].sdf_inertia.missing.splitlines() == ["visual steel"]
    assert module("sdf_inertia_addon.importing.missing").count_missing(bpy.context.scene) == 3


@pytest.mark.parametrize("folder", ["there", "there/ws/src", "there/ws/src/parts_of_cart"])
def test_they_come_in_from_the_folder_that_the_user_names(folder, split):
    imported(split)
    bpy.data.objects["base"].location.x = 7.0
    assert bpy.ops.sdf_inertia.find_meshes(directory=str(split.parents[1] / folder)) == {"FINISHED"}
    assert {"look", "hull", "steel"} <= names()
    look = next(ob for ob in bpy.data.objects if ob.sdf_inertia.sdf_name == "look")
    assert look.parent.name == "base" and look.matrix_world.translation.x == pytest.approx(7.0)
    assert [material.name for material in look.data.materials] == ["Label", "Blue Paint"]
    assert not any(ob.sdf_inertia.missing for ob in bpy.data.objects)
    assert not bpy.ops.sdf_inertia.find_meshes.poll()


def test_a_robot_imported_twice_gets_them_twice(split):
    imported(split)
    imported(split)
    assert bpy.ops.sdf_inertia.find_meshes(directory=str(split.parents[1] / "there")) == {"FINISHED"}
    looks = [ob for ob in bpy.data.objects if ob.sdf_inertia.sdf_name == "look"]
    assert len({ob.parent for ob in looks}) == 2
    assert not any(ob.sdf_inertia.missing for ob in bpy.data.objects)


def test_a_robot_comes_into_an_excluded_collection(tmp_path):
    layer = bpy.context.view_layer
    mine = bpy.data.collections.new("mine")
    bpy.context.scene.collection.children.link(mine)
    layer.active_layer_collection = layer.layer_collection.children["mine"]
    layer.layer_collection.children["mine"].exclude = True
    imported(write_package(tmp_path))
    assert {"look", "hull"} <= names()


def test_a_folder_without_them_changes_nothing_and_is_named(split, tmp_path):
    imported(split)
    before = names()
    with pytest.raises(RuntimeError, match="None of the 3 missing meshes is in urdf"):
        bpy.ops.sdf_inertia.find_meshes(directory=str(tmp_path / "there/ws/src/cart_description/urdf"))
    assert names() == before


def test_some_may_stay_missing(split, tmp_path):
    text = split.read_text().replace("meshes/part.dae", "meshes/gone.dae", 1)
    split.write_text(text)
    imported(split)
    bpy.ops.sdf_inertia.find_meshes(directory=str(tmp_path / "there"))
    assert bpy.data.objects["base"].sdf_inertia.missing == "visual look"
    assert bpy.ops.sdf_inertia.find_meshes.poll()


def test_the_folder_of_packages_may_be_a_workspace(split, tmp_path):
    imported(split, packages=str(tmp_path / "there"))
    assert {"look", "hull", "steel"} <= names()


def test_a_package_that_was_renamed_finds_its_own_meshes(tmp_path):
    imported(write_package(tmp_path, named="cart_support"))
    assert {"look", "hull", "steel"} <= names()


def test_collisions_behind_visuals_are_hidden_in_a_collection(tmp_path):
    imported(write_package(tmp_path))
    objects = bpy.data.objects
    collection = bpy.data.collections["cart Collisions"]
    assert {ob.name for ob in collection.objects} == {"hull", "box", "rail"}
    assert [objects[name].hide_get() for name in ("hull", "box", "rail", "look")] == [True, True, False, False]
    settings = bpy.context.scene.sdf_inertia
    assert settings.show_visuals and not settings.show_collisions and settings.show_masses
    settings.show_collisions = True
    assert not any(objects[name].hide_get() for name in ("hull", "box", "rail"))
    settings.show_collisions = settings.show_visuals = False
    assert all(objects[name].hide_get() for name in ("hull", "box", "rail", "look", "steel"))
    assert not settings.show_collisions and not settings.show_visuals
    assert not objects["base"].hide_get()


def volume(geometry):
    if geometry.kind != "mesh":
        return geometry.moments().volume
    return module("core").mesh_moments(geometry.baked.vertices, geometry.baked.triangles).volume


def test_hidden_collisions_are_measured_as_shown_ones(tmp_path):
    imported(write_package(tmp_path))
    read = module("sdf_inertia_addon.scene.scene_read").read_model
    settings = bpy.context.scene.sdf_inertia
    volumes = []
    for shown in (True, False):
        settings.show_collisions = shown
        model = read(bpy.context.evaluated_depsgraph_get())
        volumes.append([volume(part.geometry) for link in model.links for part in link.collisions])
    assert volumes[0] == volumes[1] and len(volumes[0]) == 3


def test_what_was_accepted_without_its_meshes_is_accepted_no_longer(split):
    imported(split)
    base = bpy.data.objects["base"]
    base.sdf_inertia.missing = base.sdf_inertia.missing.replace("visual look", "")
    accept = module("sdf_inertia_addon.importing.accepted").accept_computed
    seen = bpy.data.objects.new("seen", bpy.data.objects["box"].data)
    base.users_collection[0].objects.link(seen)
    seen.parent, seen.sdf_inertia.is_visual = base, True
    accept(base, None)
    assert seen.sdf_inertia.is_mass and base.sdf_inertia.accepted  # it was all that could have the mass
    bpy.ops.sdf_inertia.find_meshes(directory=str(split.parents[1] / "there"))
    assert "hull" in names()
    assert not seen.sdf_inertia.is_mass and not base.sdf_inertia.accepted


def test_a_mesh_of_that_path_in_another_package_is_not_taken(split, tmp_path):
    shutil.rmtree(tmp_path / "there/ws/src/parts_of_cart")
    imported(split)
    with pytest.raises(RuntimeError, match="None of the 3 missing meshes is in ws"):
        bpy.ops.sdf_inertia.find_meshes(directory=str(tmp_path / "there/ws"))


def test_parts_that_the_file_no_longer_has_stay_missing(split, tmp_path):
    imported(split)
    split.write_text(split.read_text().replace('"hull"', '"other"').replace('"look"', '"another"'))
    with pytest.raises(RuntimeError, match="None of the 3"):
        bpy.ops.sdf_inertia.find_meshes(directory=str(tmp_path / "there/ws/src/cart_description/urdf"))
    assert bpy.data.objects["base"].sdf_inertia.missing.splitlines() == ["collision hull", "visual look"]


def test_a_robot_whose_file_is_gone_does_not_keep_others_from_theirs(split, tmp_path, capfd):
    other = shutil.copy(split, split.parent / "other.urdf")
    imported(other)
    other.unlink()
    imported(split)
    assert bpy.ops.sdf_inertia.find_meshes(directory=str(tmp_path / "there")) == {"FINISHED"}
    assert "other.urdf" in capfd.readouterr().out
    assert module("sdf_inertia_addon.importing.missing").count_missing(bpy.context.scene) == 3


def test_objects_of_ones_own_are_not_hidden(split, tmp_path):
    mine = [bpy.data.objects.new(name, None) for name in ("seen", "hit")]
    for ob in mine:
        bpy.context.scene.collection.objects.link(ob)
    mine[0].sdf_inertia.is_visual = mine[1].sdf_inertia.is_collision = True
    imported(split)
    bpy.context.scene.sdf_inertia.show_collisions = True
    bpy.ops.sdf_inertia.find_meshes(directory=str(tmp_path / "there"))
    objects = {ob.sdf_inertia.sdf_name or ob.name: ob for ob in bpy.data.objects}
    assert [objects[name].hide_get() for name in ("hull", "box", "hit")] == [True, True, False]


def test_collisions_hide_behind_the_first_visuals_of_their_link(split):
    imported(split)
    box, rail = bpy.data.objects["box"], bpy.data.objects["rail"]
    assert not box.hide_get() and not rail.hide_get()
    assert bpy.ops.sdf_inertia.find_meshes(directory=str(split.parents[1] / "there")) == {"FINISHED"}
    assert box.hide_get() and not rail.hide_get()
    box.hide_set(False)


@pytest.mark.fault(194)
def test_find_meshes_finds_another_computers_path_where_the_warning_says(tmp_path, capfd):
    path = write_package(tmp_path / "ws/src")
    text = path.read_text().replace("package://cart_description/", "file:///home/somebody/ws/src/cart_description/")
    assert "/home/somebody/" in text
    path.write_text(text)
    (path.parents[1] / "meshes" / "part.dae").rename(path.parents[1] / "part.dae")  # its name alone is no proof
    imported(path)
    read = module("core.formats.table").robots_of(path)[0]
    lost = {
        finding.sentence.values["reason"].values["root"] for finding in read.findings if "Find Meshes" in finding.remedy
    }
    assert lost == {path.parents[1].as_posix()}
    assert {"look", "hull", "steel"} & names() == set()
    (folder,) = lost
    assert bpy.ops.sdf_inertia.find_meshes(directory=folder) == {"FINISHED"}
    assert {"look", "hull", "steel"} <= names()


@pytest.mark.fault(223)
def test_another_computers_path_that_only_one_mesh_can_be_is_taken(tmp_path, capfd):
    path = write_package(tmp_path / "ws/src")
    path.write_text(path.read_text().replace("package://cart_description/", "file:///home/somebody/cart/"))
    imported(path)
    assert {"look", "hull", "steel"} <= names()
    assert not any(ob.sdf_inertia.missing for ob in bpy.data.objects)
    warnings = [line for line in capfd.readouterr().out.splitlines() if line.startswith("Warning: ")]
    assert len([line for line in warnings if "is read from ../meshes/part.dae" in line]) == 1
    assert not [line for line in warnings if "not found" in line]


@pytest.mark.fault(194)
def test_an_import_finds_the_meshes_of_the_package_beside(split, tmp_path):
    own = tmp_path / "there/ws/src/robot"
    (own / "urdf").mkdir(parents=True)
    (own / "package.xml").write_text("<package><name>robot</name></package>")
    imported(shutil.copy(split, own / "urdf"))
    assert {"look", "hull", "steel"} <= names()
