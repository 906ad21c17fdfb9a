# SPDX-License-Identifier: GPL-3.0-or-later
"""Visuals with an image: its file beside the mesh, and where on the mesh it lies."""

import bpy
import numpy as np
import pytest
from lxml import etree

from ..scenes import add, box_mesh, empty, module, tag

STEPS = 47.0
"""In which UVs are whole numbers: a box has 24 corners."""

pytestmark = pytest.mark.usefixtures("scene")


def image(folder, name="paint"):
    """Return an image saved as PNG."""
    made = bpy.data.images.new(name, 4, 4)
    made.pixels.foreach_set(np.tile((1.0, 0.5, 0.0, 1.0), 16).astype(np.float32))
    made.filepath_raw, made.file_format = str(folder / f"{name}.png"), "PNG"
    made.save()
    return made


def painted(picture, uv=True, **attributes):
    """Return a box that is seen, with an image."""
    mesh = box_mesh()
    if uv:
        layer = mesh.uv_layers.new(name="UVMap")
        layer.data.foreach_set("uv", (np.arange(2 * len(mesh.loops)) / STEPS).astype(np.float32))
    material = bpy.data.materials.new("paint")
    material.use_nodes = True
    (shader,) = (node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = picture
    material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    mesh.materials.append(material)
    link = tag(empty("link"), "link", density=700.0, use_density=True)
    tag(add(box_mesh(), "solid", link), "collision")
    return tag(add(mesh, "shown", link, **attributes), "visual")


def key(point, uv):
    """Return a corner of the box and of the image as whole numbers."""
    return (*np.rint(2.0 * np.array(point)).astype(int).tolist(), *np.rint(STEPS * np.array(uv)).astype(int).tolist())


def export(folder, **options):
    bpy.context.view_layer.update()
    bpy.ops.sdf_inertia.export_sdf(filepath=str(folder / "robot.sdf"), **options)
    return etree.parse(folder / "robot.sdf").getroot()


def mesh_lines(folder, uri):
    return [line.split() for line in (folder / uri).read_text().splitlines()]


@pytest.mark.parametrize(("packed", "mesh_format"), [(False, "obj"), (True, "stl")])
def test_an_image_is_copied_beside_the_mesh_that_it_lies_on(tmp_path, packed, mesh_format):
    picture = image(tmp_path)
    data = (tmp_path / "paint.png").read_bytes()
    if packed:
        picture.pack()
        (tmp_path / "paint.png").unlink()
    shown = painted(picture)
    root = export(tmp_path, mesh_format=mesh_format)
    visual = root.find(".//visual")
    uri = visual.findtext("material/pbr/metal/albedo_map")
    assert (tmp_path / uri).read_bytes() == data
    assert visual.findtext("material/diffuse") == "1 1 1 1"
    lines = mesh_lines(tmp_path, visual.findtext("geometry/mesh/uri"))
    corners = [line[1:] for line in lines if line[0] == "f"]
    places = np.array([line[1:] for line in lines if line[0] == "vt"], dtype=float)
    points = np.array([line[1:] for line in lines if line[0] == "v"], dtype=float)
    there = {
        key(points[int(v) - 1], places[int(t) - 1])
        for face in corners
        for v, t in [corner.split("/") for corner in face]
    }
    mesh = shown.data
    mine = {key(mesh.vertices[loop.vertex_index].co, mesh.uv_layers.active.data[loop.index].uv) for loop in mesh.loops}
    assert there == mine


def test_a_mirrored_mesh_keeps_its_image_where_it_was(tmp_path):
    shown = painted(image(tmp_path), scale=(-1.0, 1.0, 1.0))
    root = export(tmp_path)
    lines = mesh_lines(tmp_path, root.findtext(".//visual/geometry/mesh/uri"))
    places = np.array([line[1:] for line in lines if line[0] == "vt"], dtype=float)
    numbers = [float(word) for word in root.findtext(".//visual/pose").split()]
    pose = module("core.body.pose").Pose.from_sdf(numbers)
    points = np.array([line[1:] for line in lines if line[0] == "v"], dtype=float) @ pose.R.T + pose.p
    pairs = [corner.split("/") for line in lines if line[0] == "f" for corner in line[1:]]
    there = {key(points[int(v) - 1], places[int(t) - 1]) for v, t in pairs}
    mesh, flip = shown.data, np.array([-1.0, 1.0, 1.0])
    mine = {
        key(flip * mesh.vertices[one.vertex_index].co, mesh.uv_layers.active.data[one.index].uv) for one in mesh.loops
    }
    assert there == mine


def test_duplicates_share_mesh_and_image_and_old_files_are_removed(tmp_path):
    shown = painted(image(tmp_path))
    other = tag(add(shown.data, "other", shown.parent, location=(2, 0, 0)), "visual")
    export(tmp_path)
    before = sorted(path.name for path in (tmp_path / "meshes").iterdir())
    assert sum(name.endswith(".png") for name in before) == 1 and len(before) == 3
    for ob in (shown, other):
        ob.sdf_inertia.is_visual = False
    export(tmp_path)
    assert [path.suffix for path in (tmp_path / "meshes").iterdir()] == [".obj"]


@pytest.mark.parametrize("why", ["missing", "no uv", "other format"])
def test_an_image_that_cannot_be_written_is_reported_and_the_colour_stays(tmp_path, why, capfd):
    picture = image(tmp_path)
    if why == "missing":
        (tmp_path / "paint.png").unlink()
    if why == "other format":
        (tmp_path / "paint.png").write_bytes(b"BM of a bitmap")
    painted(picture, uv=why != "no uv")
    root = export(tmp_path)
    assert "Texture left out" in capfd.readouterr().out
    visual = root.find(".//visual")
    assert visual.find("material/diffuse") is not None and visual.find(".//albedo_map") is None


def test_the_same_scene_gives_the_same_bytes(tmp_path):
    painted(image(tmp_path))
    for name in "ab":
        (tmp_path / name).mkdir()
        export(tmp_path / name)
    files = [
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in "ab"
    ]
    assert files[0] == files[1]


def test_the_thumbnail_is_a_picture_beside_the_model(tmp_path):
    preview = module("sdf_inertia_addon.export.preview")
    painted(image(tmp_path))
    bpy.context.view_layer.update()
    try:
        preview.require_gpu()
    except preview.NoGpuError as error:
        pytest.skip(str(error))
    export(tmp_path, thumbnail=True)
    assert (tmp_path / "thumbnails" / "0.png").read_bytes().startswith(b"\x89PNG")


def test_dialog_command_line_and_collection_exporter_have_equal_options():
    export_sdf = module("sdf_inertia_addon.operators.files.export_sdf")
    options = {name for names in export_sdf.SECTIONS.values() for name in names}
    for operator in ("export_sdf", "export_model"):
        there = getattr(bpy.ops.sdf_inertia, operator).get_rna_type().properties.keys()
        assert options <= set(there)
    parser = module("sdf_inertia_addon.export.command")._parser("x")
    words = {action.dest for action in parser._actions}
    renamed = {"file_format": "format", "uri_style": "uri"}
    assert {renamed.get(name, name) for name in options} <= words
