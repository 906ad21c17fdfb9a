# SPDX-License-Identifier: GPL-3.0-or-later
"""Tags and settings through what users do to objects: copies, mirrors, joins, libraries.

Blender keeps them on copies. Joining keeps those of the active object alone, and separating gives them to both pieces:
a link that is a collision itself becomes two links.
"""

import bpy
import pytest

from ..scenes import add, box_mesh, empty, mesh_data, only_link, read, select, tag

pytestmark = pytest.mark.usefixtures("scene")

SETTINGS = {"material": "ABS", "infill": 30.0, "geometry": "BOX", "method": "VOXEL", "voxel_size": 0.25}


def made(name="ob", parent=None, mesh=None):
    return tag(add(mesh or box_mesh(), name, parent), "collision", "visual", **SETTINGS)


def assert_kept(ob):
    settings = ob.sdf_inertia
    assert (settings.is_link, settings.is_collision, settings.is_visual) == (False, True, True)
    assert {name: getattr(settings, name) for name in SETTINGS} == SETTINGS
    assert (settings.use_density, settings.density) == (True, 1040.0)


@pytest.mark.parametrize("linked", [False, True])
def test_a_duplicate_has_them_with_or_without_a_mesh_of_its_own(linked):
    ob = made()
    select(ob)
    bpy.ops.object.duplicate(linked=linked)
    copy = bpy.context.active_object
    assert copy is not ob and (copy.data == ob.data) is linked
    assert_kept(copy)
    copy.sdf_inertia.material = "Steel"
    assert_kept(ob)


def test_a_duplicated_link_is_a_link_with_parts_of_its_own():
    link = tag(empty("link"), "link")
    select(link, made("part", link))
    bpy.ops.object.duplicate()
    model, _bodies = read()
    assert [(one.name, [part.name for part in one.collisions]) for one in model.links] == [
        ("link", ["part"]),
        ("link_001", ["part_001"]),
    ]


def test_a_mirror_and_applied_scale_keep_them_and_the_mass():
    ob = tag(made(parent=tag(empty("link"), "link")), geometry="MESH", method="INHERIT")
    before = only_link().inertial
    ob.scale.x = -1.0
    bpy.context.view_layer.update()
    assert only_link().inertial.mass == pytest.approx(before.mass)
    select(ob)
    bpy.ops.object.transform_apply(scale=True)
    assert list(ob.scale) == [1, 1, 1]
    assert ob.sdf_inertia.is_collision and ob.sdf_inertia.material == "ABS"
    assert only_link().inertial.mass == pytest.approx(before.mass)


def test_symmetrize_keeps_them():
    ob = made()
    select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.symmetrize()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert_kept(ob)


def test_joining_keeps_those_of_the_active_object():
    ob, other = made("ob"), tag(add(box_mesh(centre=(3, 0, 0)), "other"), "link", material="Steel")
    select(ob, other)
    bpy.ops.object.join()
    assert [one.name for one in bpy.data.objects] == ["ob"]
    assert_kept(ob)


def test_separating_gives_them_to_both_pieces():
    corners = [(x + shift, y, z) for shift in (0, 3) for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))]
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    ob = made(mesh=mesh_data(corners, [tuple(i + shift for i in face) for shift in (0, 4) for face in faces]))
    select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.separate(type="LOOSE")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert len(bpy.data.objects) == 2
    for piece in bpy.data.objects:
        assert_kept(piece)


def test_converting_keeps_them():
    ob = made()
    ob.modifiers.new("array", "ARRAY")
    select(ob)
    bpy.ops.object.convert(target="MESH")
    assert not ob.modifiers
    assert_kept(ob)


@pytest.fixture
def library(tmp_path):
    made("ob")
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert "ob" not in bpy.data.objects
    return {"filepath": f"{path}/Object/ob", "directory": f"{path}/Object/", "filename": "ob"}


def test_an_appended_object_has_them(library):
    bpy.ops.wm.append(**library)
    assert_kept(bpy.data.objects["ob"])


def test_an_override_may_change_tags_of_a_linked_object_and_saves_them(library, tmp_path):
    bpy.ops.wm.link(**library)
    linked = bpy.data.objects["ob"]
    assert linked.library is not None
    assert_kept(linked)
    override = linked.override_create(remap_local_usages=True)
    assert override.name in bpy.context.scene.objects
    assert_kept(override)
    tag(override, "link", density=77.0, infill=50.0)
    assert_kept(linked)
    path = str(tmp_path / "main.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    (again,) = [ob for ob in bpy.data.objects if ob.library is None]
    settings = again.sdf_inertia
    assert again.override_library is not None
    assert (settings.is_link, settings.density, settings.infill, settings.material) == (True, 77.0, 50.0, "")
    assert settings.geometry == "BOX"
    again.make_local()
    assert again.sdf_inertia.density == 77.0


def test_every_property_may_be_overridden(library):
    bpy.ops.wm.link(**library)
    override = bpy.data.objects["ob"].override_create()
    names = [p.identifier for p in override.sdf_inertia.bl_rna.properties if p.identifier not in ("rna_type", "name")]
    assert len(names) > 15
    for name in names:
        assert override.sdf_inertia.is_property_overridable_library(name), name
