# SPDX-License-Identifier: GPL-3.0-or-later
"""Textures of URDF materials come in, are visible without texture coordinates, and go out again."""

import os

import bpy
import numpy as np
import pytest
from lxml import etree

from ...ros_package import png
from ..scenes import export, exported, imported

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(228)]

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'

URDF = """<robot name="tex">{top}
<link name="base">{inertial}
<visual><geometry>{shape}</geometry><material name="logo">{inside}</material></visual></link>
</robot>"""

BOX = '<box size="0.2 0.1 0.05"/>'
TEXTURE = '<color rgba="1 1 1 1"/><texture filename="{}"/>'
IN_PACKAGE = "package://tex/textures/logo.png"


@pytest.fixture
def package(tmp_path):
    """Return the path of a robot, which is not there yet, in a package with a picture."""
    for folder in ("urdf", "textures"):
        (tmp_path / "tex" / folder).mkdir(parents=True)
    (tmp_path / "tex" / "package.xml").write_text("<package><name>tex</name></package>")
    (tmp_path / "tex" / "textures" / "logo.png").write_bytes(png())
    return tmp_path / "tex" / "urdf" / "r.urdf"


def written(path, uri, shape=BOX, top=True):
    texture = TEXTURE.format(uri)
    material = f'<material name="logo">{texture}</material>' if top else ""
    path.write_text(URDF.format(top=material, inertial=INERTIAL, shape=shape, inside="" if top else texture))
    return path


def images(ob):
    nodes = [node for slot in ob.material_slots for node in slot.material.node_tree.nodes]
    return [node.image for node in nodes if node.type == "TEX_IMAGE"]


@pytest.mark.parametrize("top", [True, False])
@pytest.mark.parametrize("uri", [IN_PACKAGE, "../textures/logo.png"])
def test_a_texture_of_a_material_comes_in(uri, top, package):
    box = imported(written(package, uri, top=top))["base_visual"]
    (image,) = images(box)
    assert bpy.path.basename(image.filepath) == "logo.png" and tuple(image.size) == (1, 1)
    assert [slot.material.name for slot in box.material_slots] == ["logo"]


def test_each_side_of_a_box_shows_the_whole_picture_unmirrored(package):
    mesh = imported(written(package, IN_PACKAGE))["base_visual"].data
    assert len(mesh.polygons) == 6
    for face in mesh.polygons:
        uv = np.array([mesh.uv_layers.active.data[loop].uv for loop in face.loop_indices])
        assert sorted(map(tuple, uv.round(6))) == [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
        ahead, back = np.roll(uv, -1, axis=0) - uv, np.roll(uv, 1, axis=0) - uv
        assert (ahead[:, 0] * back[:, 1] - ahead[:, 1] * back[:, 0] > 0.0).all()  # counter-clockwise, as the face is


@pytest.mark.parametrize("shape", [BOX, '<sphere radius="0.1"/>', '<cylinder radius="0.1" length="0.3"/>'])
@pytest.mark.parametrize("suffix, path", [("sdf", ".//albedo_map"), ("urdf", ".//texture")])
def test_it_is_exported_with_its_picture(suffix, path, shape, package, tmp_path):
    imported(written(package, IN_PACKAGE, shape))
    file = export(tmp_path / "out" / f"model.{suffix}").sdf
    (texture,) = etree.parse(file).findall(path)
    picture = file.parent / (texture.text or texture.get("filename"))
    assert picture.read_bytes() == png()
    bpy.ops.wm.read_homefile(use_empty=True)
    if suffix == "urdf":
        assert len(images(imported(file)["base_visual"])) == 1


def test_mjcf_reports_that_it_is_left_out(package, tmp_path):
    imported(written(package, IN_PACKAGE))
    result = export(tmp_path / "model.xml")
    assert [finding.message for finding in result.findings if "texture" in finding.message] == [
        "1 texture left out, colours stay (base)"
    ]


def lost(path, capfd):
    """Return what is reported of the texture that a robot does not get; its colour stays."""
    box = imported(path)["base_visual"]
    assert not images(box) and [slot.material.name for slot in box.material_slots] == ["logo"]
    (line,) = [line for line in capfd.readouterr().out.splitlines() if "texture of material 'logo'" in line]
    return line


def test_a_texture_that_is_not_found_is_reported(package, capfd):
    assert "has no 'textures/gone.png'" in lost(written(package, "package://tex/textures/gone.png"), capfd)


@pytest.mark.parametrize("uri", ["file:///dev/zero", "../../secret.png", "https://example.org/logo.png", ""])
def test_a_texture_elsewhere_is_not_opened(uri, package, tmp_path, capfd):
    (tmp_path / "secret.png").write_bytes(png())
    assert lost(written(package, uri), capfd)


@pytest.mark.skipif(os.name != "posix", reason="symbolic links need permission on Windows")
def test_neither_a_link_nor_a_pipe_is_opened(package, tmp_path, capfd):
    (tmp_path / "secret.png").write_bytes(png())
    there = package.parents[1] / "textures" / "there.png"
    there.symlink_to(tmp_path / "secret.png")
    assert "outside" in lost(written(package, "package://tex/textures/there.png"), capfd)
    there.unlink()
    os.mkfifo(there)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert lost(package, capfd)


def test_a_file_that_is_no_picture_is_not_read(package, capfd):
    (package.parents[1] / "textures" / "key.pem").write_text("secret")
    assert "'.pem' is not a format of pictures" in lost(written(package, "../textures/key.pem"), capfd)


def test_a_huge_file_is_refused(package, capfd):
    with (package.parents[1] / "textures" / "huge.png").open("wb") as file:
        file.truncate(1 << 30)
    assert "bytes" in lost(written(package, "../textures/huge.png"), capfd)


def test_a_mesh_keeps_its_own_coordinates(package, tmp_path):
    mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt .25 .5\nvt .5 .5\nvt .25 .75\n"
    faces = "f 1/1 3/2 2/3\nf 1/1 2/2 4/3\nf 2/1 3/2 4/3\nf 1/1 4/2 3/3\n"
    (package.parent / "m.mtl").write_text("newmtl a\nKd 1 0 0\n")
    (package.parent / "m.obj").write_text(f"mtllib m.mtl\n{mesh}usemtl a\n{faces}")
    part = imported(written(package, IN_PACKAGE, '<mesh filename="m.obj"/>'))["base_visual"]
    assert len(images(part)) == 1
    uv = {tuple(np.round(corner.uv, 6)) for corner in part.data.uv_layers.active.data}
    assert uv == {(0.25, 0.5), (0.5, 0.5), (0.25, 0.75)}
    root = exported(tmp_path / "out" / "model.sdf")
    assert root.findtext(".//albedo_map").endswith(".png")
