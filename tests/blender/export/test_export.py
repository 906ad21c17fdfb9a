# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written: the structure of SDF 1.11, meshes with every digit, URIs, and the operator."""

import hashlib
import re
import struct
from math import pi

import bpy
import numpy as np
import pytest
from lxml import etree

from ..scenes import (
    BOX_FACES,
    FLOAT32,
    MATRIX,
    add,
    assert_same,
    box_inertial,
    box_link,
    box_mesh,
    contents,
    empty,
    export,
    exported,
    integrated,
    mesh_data,
    module,
    read,
    tag,
    wedge_mesh,
    world_triangles,
)

COMPUTED = "{urn:sdf_inertia}computed"
"""Ours: what a filled inertial was computed from."""

pytestmark = pytest.mark.usefixtures("scene")

GZ = "{http://gazebosim.org/schema}"


def obj(path):
    """Read an OBJ file: vertices (n, 3) and triangles (m, 3); every line must be one of the two."""
    vertices, triangles = [], []
    for line in path.read_text("ascii").splitlines():
        kind, *rest = line.split()
        {"v": vertices, "f": triangles}[kind].append(rest)
    return np.array(vertices, dtype=np.float64), np.array(triangles, dtype=np.int64) - 1


def numbers(element, tag_name):
    return [float(text) for text in element.findtext(tag_name).split()]


def pose_matrix(text):
    """Return SDF's pose as a matrix (4, 4): R = Rz(yaw) Ry(pitch) Rx(roll)."""
    x, y, z, roll, pitch, yaw = (float(number) for number in (text or "0 0 0 0 0 0").split())

    def turn(angle, i, j):
        R = np.eye(3)
        R[[i, i, j, j], [i, j, i, j]] = np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)
        return R

    M = np.eye(4)
    M[:3, :3] = turn(yaw, 0, 1) @ turn(pitch, 2, 0) @ turn(roll, 1, 2)
    M[:3, 3] = x, y, z
    return M


def world_of(link, part):
    return pose_matrix(link.findtext("pose")) @ pose_matrix(part.findtext("pose"))


def closed_and_outward(triangles):
    """Every edge is walked once in each direction."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]).tolist()
    assert len({tuple(edge) for edge in edges}) == len(edges)
    assert {(b, a) for a, b in edges} == {(a, b) for a, b in edges}


def robot():
    """Return a scene of two links with a mirrored, a scaled and a primitive part, and a visual."""
    base = tag(
        add(wedge_mesh(), "base", scale=(2, -1, 1), rotation_euler=(0.4, 1.1, -2)), "link", "collision", "visual"
    )
    tag(base, use_density=True, density=0.1)
    tag(
        add(box_mesh((1, 2, 3)), "box", base, location=(0, 0, 3)),
        "collision",
        geometry="BOX",
        use_density=True,
        density=20,
    )
    arm = tag(
        empty("arm", location=(5, 0, 1), rotation_euler=(1, 2, 3)), "link", use_density=True, use_mass=True, mass=2.5
    )
    tag(add(wedge_mesh(), "bone", arm, location=(0.1, 0.2, 0.3), scale=(0.001, 0.002, 0.001)), "collision")
    bpy.context.view_layer.update()
    return base, arm


# --- structure -------------------------------------------------------------------------------------------------------


def test_auto_has_density_and_mass_but_never_pose_or_inertia(tmp_path):
    robot()
    root = exported(tmp_path, inertia="AUTO")
    assert (root.tag, root.get("version"), root.nsmap) == ("sdf", "1.11", {})
    arm, base = root.findall("model/link")
    for link in (arm, base):
        inertial = link.find("inertial")
        assert inertial.get("auto") == "true"
        assert {child.tag for child in inertial} <= {"mass", "density", "auto_inertia_params"}
    assert (arm.findtext("inertial/mass"), arm.findtext("inertial/density")) == ("2.5", "1000")
    assert (base.find("inertial/mass"), base.findtext("inertial/density")) == (None, "0.1")
    densities = {c.get("name"): c.findtext("density") for c in root.iter("collision")}
    assert densities == {"bone": None, "base": None, "box": "20"}


def test_auto_states_the_density_that_a_simulator_would_assume(tmp_path):
    box_link()
    assert exported(tmp_path).findtext("model/link/inertial/density") == "1000"


def test_filled_has_the_numbers_of_the_report_and_no_auto(tmp_path):
    robot()
    result = export(tmp_path, inertia="FILLED")
    root = etree.parse(result.sdf).getroot()
    assert not list(root.iter("density")) + list(root.iter("auto_inertia_params"))
    for link, body in zip(root.findall("model/link"), result.bodies, strict=True):
        inertial = link.find("inertial")
        assert (link.get("name"), inertial.get("auto")) == (body.name, None)
        assert [child.tag for child in inertial] == ["mass", "pose", "inertia", COMPUTED]
        assert float(inertial.findtext("mass")) == pytest.approx(body.inertial.mass, rel=1e-9)
        place = pose_matrix(inertial.findtext("pose"))
        ixx, ixy, ixz, iyy, iyz, izz = (
            float(inertial.findtext(f"inertia/{name}")) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        )
        tensor = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
        np.testing.assert_allclose(place[:3, 3], body.inertial.com, rtol=0, atol=1e-9 * np.abs(body.inertial.com).max())
        turned = place[:3, :3] @ tensor @ place[:3, :3].T
        assert np.abs(turned - body.inertial.inertia).max() <= 1e-9 * np.trace(body.inertial.inertia)


def test_the_structure_is_sdfs(tmp_path):
    robot()
    allowed = {
        "sdf": {"model"},
        "model": {"link"},
        "link": {"pose", "inertial", "collision", "visual"},
        "collision": {"pose", "geometry", "density", "auto_inertia_params"},
        "visual": {"pose", "geometry", "material"},
        "inertial": {"mass", "pose", "inertia", "density", "auto_inertia_params", COMPUTED},
        "geometry": {"mesh", "box"},
        "mesh": {"uri"},
        "box": {"size"},
        "inertia": {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"},
        "material": {"ambient", "diffuse", "specular", "emissive"},
    }
    for inertia in ("AUTO", "FILLED"):
        for element in exported(tmp_path, inertia=inertia).iter():
            assert {child.tag for child in element} <= allowed.get(element.tag, set()), element.tag


@pytest.mark.parametrize("where", ["link", "part"])
def test_a_voxel_size_is_written_with_its_namespace_declared(where, tmp_path):
    link = tag(empty("link"), "link")
    part = tag(add(box_mesh(), "part", link), "collision")
    tag({"link": link, "part": part}[where], method="VOXEL", voxel_size=0.125)
    root = exported(tmp_path)
    assert root.nsmap["gz"] == GZ.strip("{}")
    above = root.find("model/link/inertial" if where == "link" else "model/link/collision")
    assert above.findtext(f"auto_inertia_params/{GZ}voxel_size") == "0.125"


def test_a_voxel_size_of_zero_is_the_longest_side_by_128(tmp_path):
    tag(add(box_mesh((1, 4, 2))), "link", "collision", method="VOXEL")
    root = exported(tmp_path)
    assert root.findtext(f"model/link/collision/auto_inertia_params/{GZ}voxel_size") == "0.03125"


def test_params_that_a_collision_inherits_are_written_once(tmp_path):
    link = tag(empty("link"), "link", method="VOXEL", voxel_size=0.125)
    tag(add(box_mesh(), "part", link), "collision")
    own = tag(add(box_mesh(), "own", link), "collision", method="EXACT")
    root = exported(tmp_path)
    written = {c.get("name"): c.find("auto_inertia_params") for c in root.iter("collision")}
    # An empty element hides the link's, which is what EXACT means below a link of voxels.
    assert (len(written["own"]), written["part"]) == (0, None)
    tag(own, method="INHERIT")
    tag(link, method="EXACT")
    assert not list(exported(tmp_path).iter("auto_inertia_params"))


EXPECTED = {
    "BOX": ((0.5, 1, 2), {"size": [0.5, 1, 2]}),
    "SPHERE": ((1, 1, 1), {"radius": [0.5]}),
    "CYLINDER": ((1, 1, 3), {"radius": [0.5], "length": [3]}),
    "CAPSULE": ((1, 1, 3), {"radius": [0.5], "length": [2]}),
    "CONE": ((1, 1, 3), {"radius": [0.5], "length": [3]}),
    "ELLIPSOID": ((1, 2, 3), {"radii": [0.5, 1, 1.5]}),
}


@pytest.mark.parametrize("kind", EXPECTED)
def test_a_primitive_is_written_as_one(kind, tmp_path):
    size, expected = EXPECTED[kind]
    tag(add(box_mesh(size, (0, 0, 5)), location=(1, 0, 0)), "link", "collision", geometry=kind)
    (collision,) = exported(tmp_path).iter("collision")
    (shape,) = collision.find("geometry")
    assert shape.tag == kind.lower()
    assert {child.tag: numbers(shape, child.tag) for child in shape} == expected
    assert collision.findtext("pose") == "0 0 5 0 0 0"
    assert not (tmp_path / "model" / "meshes").exists()


def test_a_primitives_numbers_are_those_that_the_user_typed(tmp_path):
    tag(add(box_mesh((1, 1, 1)), location=(0.1, 0.2, 0.3), scale=(0.1, 0.2, 0.3)), "link", "collision", geometry="BOX")
    root = exported(tmp_path)
    assert root.findtext(".//size") == "0.1 0.2 0.3"


def test_a_visual_is_a_mesh_with_the_colour_of_its_material(tmp_path):
    paint = bpy.data.materials.new("paint")
    paint.diffuse_color = (0.25, 0.5, 0.75, 1)
    mesh = box_mesh()
    mesh.materials.append(paint)
    tag(add(mesh, "ob"), "link", "collision", "visual", geometry="BOX")
    root = exported(tmp_path)
    (visual,) = root.iter("visual")
    assert visual.find("geometry/mesh") is not None
    assert visual.findtext("material/diffuse") == "0.25 0.5 0.75 1"


def test_the_model_config_names_the_sdf(tmp_path):
    robot()
    result = export(tmp_path)
    config = etree.parse(result.sdf.with_name("model.config")).getroot()
    assert (config.tag, config.findtext("name"), config.findtext("sdf")) == ("model", "model", "model.sdf")
    assert config.find("sdf").get("version") == "1.11"


# --- meshes ----------------------------------------------------------------------------------------------------------


def test_an_obj_has_the_exact_vertices_and_the_volume_of_the_report(tmp_path):
    robot()
    result = export(tmp_path)
    parts = {part.name: part for body in result.bodies for part in body.parts}
    for link in etree.parse(result.sdf).iter("link"):
        for part in link:
            if part.tag not in ("collision", "visual") or part.find("geometry/mesh") is None:
                continue
            vertices, triangles = obj(result.sdf.parent / part.findtext("geometry/mesh/uri"))
            closed_and_outward(triangles)
            name = part.get("name").removesuffix("_visual")
            M = world_of(link, part)
            standing = (vertices @ M[:3, :3].T + M[:3, 3])[triangles]
            there = world_triangles(bpy.data.objects[name])
            # The same triangles in the same order of corners, up to where each starts.
            size = np.ptp(there.reshape(-1, 3), axis=0).max() + np.abs(there).max()
            for turn in range(3):
                near = np.abs(np.roll(standing, turn, axis=1)[:, None] - there[None]).max(axis=(2, 3))
                standing = np.where(
                    (near.min(axis=1) < FLOAT32 * size)[:, None, None], np.roll(standing, turn, 1), standing
                )
            assert (np.abs(standing[:, None] - there[None]).max(axis=(2, 3)).min(axis=1) <= FLOAT32 * size).all()
            mass, _com, _inertia = integrated(vertices[triangles], 1.0)
            assert mass == pytest.approx(parts[name].volume, rel=1e-12)


def test_no_digit_of_a_small_mesh_is_lost(tmp_path):
    # Blender's own exporter writes six decimals, which takes 0.05 % off each side of a cube of 1.2 mm.
    ob = tag(add(box_mesh((1.2345678e-3,) * 3)), "link", "collision", use_density=True)
    result = export(tmp_path)
    (path,) = (result.sdf.parent / "meshes").iterdir()
    vertices, _triangles = obj(path)
    original = np.array([vertex.co for vertex in ob.data.vertices], dtype=np.float64)
    assert sorted(map(tuple, vertices.tolist())) == sorted(map(tuple, original.tolist()))


def test_the_unit_and_the_scale_are_baked_in(scene, tmp_path):
    scene.unit_settings.scale_length = 0.001
    tag(add(box_mesh((10, 20, 30)), scale=(1, 1, 2), location=(0, 0, 7)), "link", "collision", use_density=True)
    result = export(tmp_path)
    (path,) = (result.sdf.parent / "meshes").iterdir()
    vertices, triangles = obj(path)
    assert np.ptp(vertices, axis=0) == pytest.approx([0.01, 0.02, 0.06], rel=1e-12)
    assert etree.parse(result.sdf).findtext(".//link/pose") == "0 0 0.007 0 0 0"
    assert_same(integrated(vertices[triangles]), box_inertial((0.01, 0.02, 0.06)), 1e-9)


def test_loose_vertices_and_materials_are_not_written(tmp_path):
    mesh = bpy.data.meshes.new("loose")
    mesh.from_pydata([*[vertex.co for vertex in box_mesh().vertices], (9, 9, 9)], [], BOX_FACES)
    for i in range(2):
        mesh.materials.append(bpy.data.materials.new(f"m{i}"))
    mesh.polygons[0].material_index = 1
    tag(add(mesh), "link", "collision", use_density=True)
    result = export(tmp_path)
    (path,) = (result.sdf.parent / "meshes").iterdir()
    vertices, triangles = obj(path)  # knows v and f alone
    assert (len(vertices), len(triangles)) == (8, 12)


def test_an_inside_out_mesh_is_written_the_right_way_round(tmp_path):
    ob = tag(add(wedge_mesh()), "link", "collision", use_density=True)
    ob.data.flip_normals()
    result = export(tmp_path)
    (path,) = (result.sdf.parent / "meshes").iterdir()
    vertices, triangles = obj(path)
    assert integrated(vertices[triangles])[0] == pytest.approx(result.bodies[0].inertial.mass, rel=1e-12)


def test_a_mesh_far_from_its_origin_is_written_about_its_centre(tmp_path):
    # A simulator integrates about the mesh's origin and loses digits with the square of the distance.
    tag(add(box_mesh(centre=(1024, 0, 0))), "link", "collision", use_density=True)
    result = export(tmp_path)
    (path,) = (result.sdf.parent / "meshes").iterdir()
    assert np.abs(obj(path)[0]).max() == 0.5
    assert etree.parse(result.sdf).findtext(".//collision/pose") == "1024 0 0 0 0 0"


def test_the_name_of_a_mesh_carries_its_contents_hash(tmp_path):
    robot()
    result = export(tmp_path)
    paths = sorted((result.sdf.parent / "meshes").iterdir())
    assert paths
    for path in paths:
        stem, digits = re.fullmatch(r"([\w-]+)-([0-9a-f]{8})\.obj", path.name).groups()
        assert digits == hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        assert stem in {"base", "bone"}


def test_an_stl_has_the_same_triangles_in_float32(tmp_path):
    ob = tag(add(wedge_mesh(), scale=(1, 1, -1)), "link", "collision", use_density=True)
    result = export(tmp_path, mesh_format="stl")
    (path,) = (result.sdf.parent / "meshes").iterdir()
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert path.suffix == ".stl" and len(data) == 84 + 50 * count and not data.startswith(b"solid")
    faces = np.frombuffer(data, np.dtype([("n", "<f4", 3), ("c", "<f4", (3, 3)), ("a", "<u2")]), offset=84)
    link = etree.parse(result.sdf).find(".//link")
    M = world_of(link, link.find("collision"))
    corners = faces["c"] @ M[:3, :3].T + M[:3, 3]
    assert_same(integrated(corners), integrated(world_triangles(ob)), MATRIX)
    cross = np.cross(faces["c"][:, 1] - faces["c"][:, 0], faces["c"][:, 2] - faces["c"][:, 0])
    assert ((cross * faces["n"]).sum(axis=1) > 0).all()


def test_users_of_one_mesh_share_a_file_where_it_is_the_same(tmp_path):
    mesh = wedge_mesh()
    link = tag(empty(), "link", use_density=True)
    for i in range(3):
        tag(add(mesh, "same" if i == 0 else f"same.00{i}", link, location=(i, 0, 0)), "collision")
    result = export(tmp_path)
    (path,) = (result.sdf.parent / "meshes").iterdir()
    uris = [uri.text for uri in etree.parse(result.sdf).iterfind(".//collision//uri")]
    assert uris == [f"meshes/{path.name}"] * 3
    assert path.name.startswith("same-")


# --- URIs and paths --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["relative", "model", "file"])
def test_a_uri_leads_to_its_file(style, tmp_path):
    tag(add(wedge_mesh(), "part"), "link", "collision", use_density=True)
    result = export(tmp_path, uri_style=style)
    uri = etree.parse(result.sdf).findtext(".//uri")
    prefix = {"relative": "", "model": "model://model/", "file": f"file://{result.sdf.parent}/"}[style]
    assert uri.startswith(prefix + "meshes/part-")
    assert (result.sdf.parent / uri.removeprefix(prefix)).is_file()


def test_a_path_that_ends_in_sdf_is_the_file_itself(tmp_path):
    tag(add(wedge_mesh()), "link", "collision", use_density=True)
    result = export(tmp_path / "here" / "arm.sdf")
    assert result.sdf == tmp_path / "here" / "arm.sdf"
    assert sorted(path.name for path in result.sdf.parent.iterdir()) == ["arm.sdf", "meshes", "model.config"]
    assert etree.parse(result.sdf.with_name("model.config")).findtext("sdf") == "arm.sdf"


def test_the_same_scene_gives_the_same_bytes_anywhere(tmp_path):
    robot()
    first = contents(export(tmp_path / "a").sdf.parent)
    assert len(first) >= 4
    assert contents(export(tmp_path / "somewhere" / "else").sdf.parent) == first
    bpy.ops.wm.read_homefile(use_empty=True)
    add(box_mesh(), "bystander")
    robot()
    assert contents(export(tmp_path / "c").sdf.parent) == first


def test_a_second_export_writes_nothing_again(tmp_path):
    robot()
    folder = export(tmp_path).sdf.parent
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    export(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


# --- errors and the operator -----------------------------------------------------------------------------------------


def bad_and_good():
    box = box_mesh()
    tag(add(mesh_data([vertex.co for vertex in box.vertices], BOX_FACES[1:]), "bad"), "link", "collision")
    tag(add(box, "good"), "link", "collision", use_density=True)


def test_nothing_is_written_on_an_error(tmp_path):
    bad_and_good()
    result = export(tmp_path / "out")
    assert (result.sdf, result.refused) == (None, True)
    assert not list(tmp_path.iterdir())


def test_what_was_there_stays_on_an_error(tmp_path):
    robot()
    folder = export(tmp_path).sdf.parent
    before = contents(folder)
    bad_and_good()
    assert export(tmp_path).sdf is None
    assert contents(folder) == before


def test_skip_invalid_writes_the_others(tmp_path):
    bad_and_good()
    result = export(tmp_path, skip_invalid=True)
    assert result.refused
    assert [link.get("name") for link in etree.parse(result.sdf).iter("link")] == ["good"]


def test_a_link_that_only_a_skipped_one_holds_is_skipped_with_a_finding(tmp_path, capfd):
    bad_and_good()
    bad = bpy.data.objects["bad"]
    tag(empty("sticker", bad), "link", inertia="NONE", joint_type="FIXED", joint_parent=bad)
    assert "sticker" not in {finding.subject for finding in export(tmp_path).findings}
    path = tmp_path / "out.sdf"
    assert bpy.ops.sdf_inertia.export_sdf(filepath=str(path), skip_invalid=True) == {"FINISHED"}
    out = capfd.readouterr().out
    assert "sticker: No mass. It has no inertial, and the link 'bad', to which it is fixed, is left out." in out
    assert "Wrote 1 of 3 links" in out and "sticker" not in path.read_text()
    bpy.data.objects["sticker"].sdf_inertia.joint_parent = bpy.data.objects["good"]
    assert "sticker" in export(path, skip_invalid=True).sdf.read_text()


def test_skip_invalid_writes_nothing_if_all_is_invalid(tmp_path):
    bad_and_good()
    bpy.data.objects["good"].sdf_inertia.density = 0
    assert export(tmp_path / "out", skip_invalid=True).sdf is None
    assert not list(tmp_path.iterdir())


def test_an_orphan_stops_the_export_unless_skipped(tmp_path):
    box_link("good", use_density=True)
    tag(add(box_mesh(), "orphan"), "collision")
    assert export(tmp_path / "out").sdf is None
    assert export(tmp_path / "out", skip_invalid=True).sdf is not None


def test_the_operator_exports_to_a_folder_and_to_a_file(tmp_path):
    robot()
    assert bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path)) == {"FINISHED"}
    assert (tmp_path / "model" / "model.sdf").is_file()
    assert bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "x.sdf"), inertia="FILLED") == {"FINISHED"}
    assert "auto" not in (tmp_path / "x.sdf").read_text()
    assert contents(tmp_path / "model").keys() >= {"model.sdf", "model.config"}


def test_the_operator_understands_a_path_beside_the_blend(tmp_path):
    robot()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "robot.blend"))
    assert bpy.ops.sdf_inertia.export_sdf(filepath="//out/") == {"FINISHED"}
    assert (tmp_path / "out" / "robot" / "model.sdf").is_file()


def test_the_operator_raises_with_our_text(tmp_path):
    bad_and_good()
    with pytest.raises(RuntimeError, match=r"Nothing was written.*bad.*"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "out"))
    assert not list(tmp_path.iterdir())
    assert bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "out"), skip_invalid=True) == {"FINISHED"}


def test_the_operator_says_that_there_is_no_link(tmp_path):
    add(box_mesh())
    with pytest.raises(RuntimeError, match="tag it as a link"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "out"))


def test_the_operator_wants_a_path(tmp_path, monkeypatch):
    robot()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuntimeError):
        bpy.ops.sdf_inertia.export_sdf()
    assert not list(tmp_path.iterdir())


def test_a_target_that_cannot_be_is_a_clean_error(tmp_path):
    robot()
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(RuntimeError, match="Cannot write .*file"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "file" / "below"))
    (tmp_path / "folder.sdf").mkdir()
    with pytest.raises(RuntimeError, match="Cannot write .*folder.sdf"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "folder.sdf"))
    assert (tmp_path / "file").read_text() == "not a folder"


def test_a_path_that_xml_cannot_hold_is_a_clean_error(tmp_path, capfd):
    robot()
    where = tmp_path / "a\x01b"
    with pytest.raises(RuntimeError, match="Cannot write .*XML cannot hold"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(where), uri_style="file")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "robot.blend"))
    command = module("sdf_inertia_addon.export.command")
    assert command.run(["--output", str(where), "--uri", "file"]) == command.CANNOT_RUN == 2
    assert "XML cannot hold" in capfd.readouterr().err
    assert not where.exists()


def test_as_set_keeps_what_each_link_says(tmp_path):
    base, arm = robot()
    tag(arm, inertia="FILLED")
    box_link("hand", inertia="MANUAL", manual_mass=3)
    root = exported(tmp_path)
    autos = {link.get("name"): link.find("inertial").get("auto") for link in root.iter("link")}
    assert autos == {"base": "true", "arm": None, "hand": None}
    assert {body.name: body.mode for body in read()[1]} == {"base": "auto", "arm": "filled", "hand": "manual"}


def test_a_ball_weighs_what_a_ball_weighs(tmp_path):
    tag(add(box_mesh((2, 2, 2))), "link", "collision", geometry="SPHERE", material="Steel")
    root = exported(tmp_path, inertia="FILLED")
    mass = 7850 * 4 / 3 * pi
    assert float(root.findtext(".//mass")) == pytest.approx(mass, rel=1e-9)
    assert float(root.findtext(".//ixx")) == pytest.approx(0.4 * mass, rel=1e-9)
