# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of imported robots: those of the file, corner by corner, with their materials, each once."""

import json
import re
import shutil
import zipfile

import bpy
import numpy as np
import pytest

from core.cli.main import main

from ...core.files.dense_meshes import BOMBS, glb
from ...core.files.gltf_files import made
from ..scenes import ROOT, imported, module
from .test_import import MODELS, assert_same, exported

pytestmark = pytest.mark.usefixtures("scene")

WITH_MESHES = [path for path in MODELS if path.suffix == ".urdf" or "package://" in path.read_text()]

KINDS = ("objects", "meshes", "materials", "images", "collections", "scenes", "node_groups", "actions")


@pytest.fixture
def packaged(tmp_path):
    """Lay a model's meshes where its file says that they are."""

    def lay(path):
        for uri in set(re.findall(r"package://([^<\"]+)", path.read_text())):
            there = tmp_path / "packages" / uri
            there.parent.mkdir(parents=True, exist_ok=True)
            for own in path.parent.rglob(f"{there.stem}.*"):
                shutil.copy(own, there.parent / own.name)
            assert there.exists(), uri
        return shutil.copy(path, tmp_path / path.name)

    return lay


def counts():
    return {kind: len(getattr(bpy.data, kind)) for kind in KINDS}


def read(path, packages):
    """Read a robot as the command line does, by trimesh and without Blender."""
    return module("core.formats.table").robots_of(path, (packages,))


def corners(points, triangles):
    """Return the triangles' corners in an order that does not depend on that of the faces."""
    found = np.round(np.asarray(points, dtype=np.float64)[triangles], 7) + 0.0
    found = np.array([np.roll(one, -np.lexsort(one.T[::-1])[0], axis=0).ravel() for one in found])
    return found[np.lexsort(found.T[::-1])]


def in_link(ob):
    """Return an object's vertices in its link's frame, and its triangles."""
    mesh = ob.data
    mesh.calc_loop_triangles()
    A = np.array(ob.matrix_local, dtype=np.float64)
    points = np.array([vertex.co for vertex in mesh.vertices], dtype=np.float64)
    triangles = np.array([one.vertices for one in mesh.loop_triangles])
    return points @ A[:3, :3].T + A[:3, 3], triangles


@pytest.mark.skipif(not WITH_MESHES, reason="there are no shared data")
@pytest.mark.parametrize("source", WITH_MESHES, ids=lambda path: path.name)
def test_corners_are_where_the_simulator_has_them_and_come_out_equal(source, packaged, tmp_path):
    path, packages = packaged(source), tmp_path / "packages"
    imported(path, packages=str(packages))
    (robot,) = read(path, packages)
    meshes = 0
    for link in robot.model.links:
        for part in (*link.collisions, *link.visuals):
            if part.geometry.kind != "mesh":
                continue
            meshes += 1
            tagged = "is_collision" if hasattr(part, "density") else "is_visual"
            ob = next(
                ob
                for ob in bpy.data.objects[link.name].children
                if ob.sdf_inertia.sdf_name == part.name and getattr(ob.sdf_inertia, tagged)
            )
            points, triangles = in_link(ob)
            mesh = part.geometry.baked
            there = mesh.vertices @ part.pose.R.T + part.pose.p
            size = np.ptp(there, axis=0).max()
            assert len(triangles) == len(mesh.triangles)
            np.testing.assert_allclose(
                np.sort(points[triangles].mean(axis=1), axis=0), np.sort(there[mesh.triangles].mean(axis=1), axis=0),
                rtol=0, atol=3e-6 * size,
            )  # fmt: skip
            normals = [np.cross(p[t][:, 1] - p[t][:, 0], p[t][:, 2] - p[t][:, 0]) for p, t in
                       ((points, triangles), (there, mesh.triangles))]  # fmt: skip
            np.testing.assert_allclose(normals[0].sum(axis=0), normals[1].sum(axis=0), atol=1e-4 * size**2)
            volumes = [np.einsum("ij,ij->", p[t].mean(axis=1), n) for (p, t), n in
                       zip(((points, triangles), (there, mesh.triangles)), normals, strict=True)]  # fmt: skip
            assert volumes[0] == pytest.approx(volumes[1], rel=1e-5)
    assert meshes >= 3
    assert not [one for one in robot.findings if "is in none of" in one.message]
    result = exported(tmp_path / "out.sdf")
    (again,) = read(result.sdf, packages)
    assert_same(robot.model, again.model)
    assert main(["diff", str(path), str(result.sdf), "--rtol", "1e-6"]) == 0


@pytest.mark.fault(134)
@pytest.mark.parametrize("name", ["nodes.glb", "zeros.glb"])
def test_a_small_gltf_that_stands_for_a_huge_one_never_reaches_blender(name, tmp_path):
    (tmp_path / name).write_bytes(BOMBS[name]())
    before = counts()
    load = module("sdf_inertia_addon.importing.mesh_files").MeshFiles().loaders[".glb"]
    with pytest.raises(module("core.errors").InertiaError, match="file_too_large"):
        load(tmp_path / name, ())
    assert counts() == before


@pytest.mark.fault(62, 80)
def test_a_gltf_that_names_a_file_outside_is_not_imported(tmp_path):
    points = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype="<f4")
    (tmp_path / "secret.bin").write_bytes(points.tobytes() + bytes([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]))
    (tmp_path / "package").mkdir()
    path = tmp_path / "package" / "a.gltf"
    load = module("sdf_inertia_addon.importing.mesh_files").MeshFiles().loaders[".gltf"]
    whole = glb(4, 12)
    header = json.loads(whole[20 : 20 + int.from_bytes(whole[12:16], "little")])
    header["buffers"][0]["uri"] = "../secret.bin"
    path.write_text(json.dumps(header))
    with pytest.raises(module("core.errors").InertiaError, match="uri_refused"):
        load(path, (path.parent,))
    assert len(load(path, (tmp_path,)).surface.triangles) == 4


@pytest.mark.skipif(not WITH_MESHES, reason="there are no shared data")
def test_gltf_is_the_surface_that_core_reads_corner_by_corner():
    path = next(iter((ROOT.parent / "shared" / "data" / "models").rglob("wsg_body.gltf")))
    files = module("sdf_inertia_addon.importing.mesh_files").MeshFiles()
    use = module("core.formats.sdf.collision").MeshUse(path, (1.0, 1.0, 1.0), None, False, "")
    before = counts()
    surface = files.loaders[".gltf"](path, (path.resolve().parent,)).surface
    assert counts() == before  # what counts needs nothing of Blender
    mesh = files.mesh(use, surface, "body")
    assert mesh.materials
    points = np.array([vertex.co for vertex in mesh.vertices])
    triangles = np.array([polygon.vertices for polygon in mesh.polygons])
    np.testing.assert_allclose(corners(points, triangles), corners(surface.vertices, surface.triangles), atol=1e-6)
    files.close()
    assert counts() == before


@pytest.mark.fault(197)
def test_a_gltf_of_instances_and_morphs_has_its_looks_only_where_blender_agrees(tmp_path):
    files = module("sdf_inertia_addon.importing.mesh_files").MeshFiles()
    for name, agrees in (("instances_placed", True), ("morph_of_the_mesh", False), ("node_trs", True)):
        file = made(name)
        file.add("materials", {"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}})
        file.header["meshes"][0]["primitives"][0]["material"] = 0
        path = file.write(tmp_path, name)
        surface = files.loaders[".gltf"](path, (tmp_path,)).surface
        use = module("core.formats.sdf.collision").MeshUse(path, (1.0, 1.0, 1.0), None, False, "")
        mesh = files.mesh(use, surface, name)
        assert bool(mesh.materials) is agrees
        points = np.array([vertex.co for vertex in mesh.vertices])
        np.testing.assert_allclose([points.min(axis=0), points.max(axis=0)], surface.bounds(), atol=1e-5)
    files.close()


@pytest.mark.fault(62)
def test_a_gltf_that_names_a_picture_outside_has_no_looks(tmp_path):
    files = module("sdf_inertia_addon.importing.mesh_files").MeshFiles()
    (tmp_path / "a").mkdir()
    (tmp_path / "secret.png").write_bytes(b"secret")
    for uri, looks in (("missing.png", True), ("../secret.png", False)):
        file = made("float32")
        file.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
        file.header |= {"textures": [{"source": 0}], "images": [{"uri": uri}]}
        file.header["meshes"][0]["primitives"][0]["material"] = 0
        path = file.write(tmp_path / "a", f"looks_{looks}")
        surface = files.loaders[".gltf"](path, (path.parent,)).surface
        use = module("core.formats.sdf.collision").MeshUse(path, (1.0, 1.0, 1.0), None, False, "")
        assert bool(files.mesh(use, surface, "a").materials) is looks
    files.close()


@pytest.mark.skipif(not WITH_MESHES, reason="there are no shared data")
def test_visuals_keep_their_materials_and_nothing_else_is_left_behind(packaged, tmp_path):
    path = packaged(next(path for path in WITH_MESHES if path.name.startswith("schunk")))
    own = bpy.data.objects.new("mine", None)
    bpy.context.scene.collection.objects.link(own)
    before = counts()
    bpy.ops.sdf_inertia.import_sdf(filepath=str(path), packages=str(tmp_path / "packages"))
    body = next(ob for ob in bpy.data.objects["body"].children if ob.sdf_inertia.is_visual)
    assert [slot.material.name for slot in body.material_slots] != []
    made = {kind: count - before[kind] for kind, count in counts().items()}
    assert made["scenes"] == made["node_groups"] == made["actions"] == 0
    used = {ob.data for ob in bpy.data.objects if ob.type == "MESH"}
    assert set(bpy.data.meshes) == used
    assert all(material.users for material in bpy.data.materials)
    assert bpy.context.scene.objects.get("mine") == own


CUBE = "".join(f"v {x} {y} {z}\n" for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)))
FACES = "usemtl blue\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nusemtl red\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"

BOX = """<sdf version="1.11"><model name="box"><link name="l">
<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>
<collision name="same">
<geometry><mesh optimization="convex_decomposition"><uri>box.obj</uri></mesh></geometry></collision>
<visual name="same"><pose>0 1 0 0 0 0</pose>
<geometry><mesh><uri>box.obj</uri><scale>2 2 2</scale></mesh></geometry></visual>
<visual name="green"><geometry><mesh><uri>box.obj</uri></mesh></geometry><material><diffuse>0 1 0 1</diffuse></material>
</visual></link></model></sdf>"""


@pytest.fixture
def box(tmp_path):
    (tmp_path / "box.obj").write_text("mtllib box.mtl\n" + CUBE + FACES)
    (tmp_path / "box.mtl").write_text("newmtl blue\nKd 0 0 1\nnewmtl red\nKd 1 0 0\n")
    (tmp_path / "box.sdf").write_text(BOX)
    return tmp_path / "box.sdf"


def test_a_file_of_many_parts_is_one_mesh_and_each_part_has_its_own_colour(box):
    bpy.ops.sdf_inertia.import_sdf(filepath=str(box))
    same, again, green = (bpy.data.objects[name] for name in ("same", "same.001", "green"))
    assert same.data == again.data == green.data
    assert (len(same.data.vertices), len(same.data.polygons)) == (8, 12)
    assert [slot.material.name for slot in again.material_slots] == ["blue", "red"]
    assert [one.material_index for one in again.data.polygons] == [0] * 6 + [1] * 6
    assert {tuple(slot.material.diffuse_color) for slot in green.material_slots} == {(0.0, 1.0, 0.0, 1.0)}


def test_how_a_simulator_decomposes_a_collision_is_kept(box, tmp_path):
    bpy.ops.sdf_inertia.import_sdf(filepath=str(box))
    assert bpy.data.objects["same"].sdf_inertia.write_as == "DECOMPOSED"
    result = exported(tmp_path / "out" / "out.sdf")
    text = result.sdf.read_text()
    assert text.count('optimization="convex_decomposition"') == 1
    assert text.count('name="same"') == 2
    assert len(list((tmp_path / "out" / "meshes").glob("*.obj"))) == 1 or "red" not in text


def test_an_import_with_another_surface_gives_no_materials(box):
    surface = module("core.files.mesh_store").load_mesh(box.parent / "box.obj", (box.parent,)).surface
    files = module("sdf_inertia_addon.importing.mesh_files").MeshFiles()
    use = module("core.formats.sdf.collision").MeshUse(box.parent / "box.obj", (1.0, 1.0, 1.0), None, False, "")
    try:
        other = files.mesh(use, surface.moved(np.array([0.0, 0.0, 1e-3])), "other")
        assert files.mesh(use, surface, "box").materials and not other.materials
        assert min(vertex.co.z for vertex in other.vertices) == pytest.approx(1e-3)
    finally:
        files.close()
    assert "box" not in bpy.data.meshes


@pytest.mark.fault(200, 204)
def test_meshes_that_no_simulator_reads_are_imported_in_metres(tmp_path):
    corners, faces = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    head += "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
    rows = "".join(f"{x} {y} {z}\n" for x, y, z in corners) + "".join(f"3 {a} {b} {c}\n" for a, b, c in faces)
    (tmp_path / "part.ply").write_text(head + rows)
    vertices = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in corners)
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in faces)
    with zipfile.ZipFile(tmp_path / "part.3mf", "w") as package:
        package.writestr("3D/3dmodel.model", PACKAGE.format(vertices, triangles))
    for name, size in (("part.ply", 1.0), ("part.3mf", 0.0254)):
        (tmp_path / "r.urdf").write_text(
            f"<robot name='r'><link name='l'><visual><geometry><mesh filename='{name}'/></geometry></visual>"
            "</link></robot>"
        )
        imported(tmp_path / "r.urdf")
        mesh = next(mesh for mesh in bpy.data.meshes if len(mesh.polygons) == 4)
        assert max(max(vertex.co) for vertex in mesh.vertices) == pytest.approx(size, rel=1e-6)
        bpy.data.batch_remove([mesh])


PACKAGE = (
    '<model unit="inch" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources><object id="1">'
    "<mesh><vertices>{}</vertices><triangles>{}</triangles></mesh></object></resources>"
    '<build><item objectid="1"/></build></model>'
)
