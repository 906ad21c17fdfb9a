# SPDX-License-Identifier: GPL-3.0-or-later
"""A plane of an SDF file is drawn as a rectangle; as a collision it is left out, and no mesh is missing for it."""

import bpy
import numpy as np
import pytest

from ..scenes import exported, imported

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(219)]

PLANE = "<geometry><plane>{}<size>0.4 0.1</size></plane></geometry>"
LINK = """<sdf version="1.9"><model name="m"><link name="l">
<inertial><mass>2</mass><inertia><ixx>0.02</ixx><iyy>0.02</iyy><izz>0.035</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.3 0.3 0.1</size></box></geometry></collision>{}</link></model></sdf>"""


def written(path, content):
    path.write_text(LINK.format(content))
    return path


@pytest.mark.parametrize("normal", ["", "0 0 1", "0 0 -1", "1e-8 0 -1", "1e-7 2e-7 -1", "1 0 0", "0 -3 0", "1 2 -2"])
def test_a_plane_is_a_quad_of_its_size_that_faces_along_its_normal(normal, tmp_path):
    given = f"<normal>{normal}</normal>" if normal else ""
    path = written(tmp_path / "m.sdf", f"<visual name='v'>{PLANE.format(given)}</visual>")
    mesh = imported(path)["v"].data
    (face,) = mesh.polygons
    n = np.array([float(word) for word in (normal or "0 0 1").split()])
    np.testing.assert_allclose(face.normal, n / np.linalg.norm(n), atol=1e-6)
    corners = np.array([mesh.vertices[index].co for index in face.vertices])
    np.testing.assert_allclose(corners.mean(axis=0), 0.0, atol=1e-7)
    lengths = np.linalg.norm(np.diff(corners, axis=0, append=corners[:1]), axis=1)
    np.testing.assert_allclose(lengths, [0.4, 0.1, 0.4, 0.1], rtol=1e-6)


def test_a_quad_is_exported_again(tmp_path):
    imported(written(tmp_path / "m.sdf", f"<visual name='v'>{PLANE.format('')}</visual>"))
    root = exported(tmp_path / "out" / "model.sdf")
    assert [visual.get("name") for visual in root.iter("visual")] == ["v"]


def test_a_plane_that_collides_is_left_out_and_no_mesh_is_missing(tmp_path, capfd):
    plane, lost = PLANE.format(""), "<geometry><mesh><uri>lost.stl</uri></mesh></geometry>"
    content = f"<collision name='ground'>{plane}</collision><visual name='v'>{lost}</visual>"
    objects = imported(written(tmp_path / "m.sdf", content))
    assert objects.keys() == {"l", "c"}
    assert objects["l"].sdf_inertia.missing == "visual v"
    assert "<plane> left out" in capfd.readouterr().out
    assert bpy.ops.sdf_inertia.find_meshes.poll()


@pytest.mark.parametrize("shape", ["<plane><normal>0 0 0</normal><size>1 1</size></plane>", "<polyline/>"])
def test_what_no_file_could_bring_is_not_missing(shape, tmp_path, capfd):
    content = f"<visual name='v'><geometry>{shape}</geometry></visual>"
    assert imported(written(tmp_path / "m.sdf", content))["l"].sdf_inertia.missing == ""
    assert "Not imported" in capfd.readouterr().out
