# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh goes from its file to its number as one surface: checked once, its quads kept, no digit moved."""

import numpy as np
import pytest

from core import InertiaError, measure_mesh
from core.cli.main import main
from core.files.mesh_file import load_surface
from core.files.mesh_writers import stl_bytes
from core.formats.sdf.read import read_sdf
from core.mesh.surface import Surface, joined
from core.robot.calculators import params_for
from core.robot.mesh_method import MeshMethod
from core.robot.model import Mesh

from .exact import assert_same
from .solids import box

SIDES = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
LIFTED = np.array([[x, y, z + 0.3 * (x * y * z)] for z in (0, 1) for y in (0, 1) for x in (0, 1)])
"""A cube, one corner of which is lifted: only its top is bent, by a tetrahedron of base 1/2 and height 0.3."""

FANS = np.concatenate([SIDES[:, [0, 1, 2]], SIDES[:, [0, 2, 3]]])

SHARE = "4.55 %"  # 0.05 of 1.1: the fan of the top meets in the lifted corner


def bent_cube(sides=SIDES):
    lines = [f"v {x} {y} {z}" for x, y, z in LIFTED]
    return "\n".join([*lines, "g cube", *("f " + " ".join(str(corner + 1) for corner in side) for side in sides)])


def robot(inertial="", submesh=""):
    mesh = f"<geometry><mesh><uri>bent.obj</uri>{submesh}</mesh></geometry>"
    return (
        f"<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'><density>1</density>{inertial}"
        f"</inertial><collision name='c'>{mesh}</collision></link></model></sdf>"
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "bent.obj").write_text(bent_cube())
    (tmp_path / "box.stl").write_bytes(stl_bytes(Surface(*box())))
    (tmp_path / "model.sdf").write_text(robot())
    return tmp_path


@pytest.fixture
def checked(monkeypatch):
    """The arrays of vertices and triangles that were checked, in order."""
    seen = []
    check = Surface.__post_init__

    def noted(surface):
        seen.append((len(surface.vertices), len(surface.triangles)))
        check(surface)

    monkeypatch.setattr(Surface, "__post_init__", noted)
    return seen


@pytest.mark.parametrize("name", ["bent.obj", "box.stl"])
def test_a_mesh_file_is_checked_once_on_its_way_to_its_exact_number(name, folder, checked):
    surface, _ = load_surface(folder / name)
    MeshMethod(Mesh(surface, np.eye(3)), {}).measure()
    assert checked == [(len(surface.vertices), 12)]


def test_a_mesh_that_an_sdf_file_names_is_checked_once_for_its_part(folder, checked):
    (link,) = read_sdf(folder / "model.sdf").links
    assert link.body.volume == pytest.approx(1.1)
    assert checked == [(8, 12)]


def test_a_submesh_is_checked_with_its_file_and_not_again(folder, checked):
    (folder / "model.sdf").write_text(robot(submesh="<submesh><name>cube</name></submesh>"))
    (link,) = read_sdf(folder / "model.sdf").links
    assert link.body.volume == pytest.approx(1.1)
    assert checked == [(8, 12)]


BY_VOXELS = "<auto_inertia_params><gz:voxel_size>0.05</gz:voxel_size></auto_inertia_params>"


@pytest.mark.parametrize("submesh", ["", "<submesh><name>cube</name></submesh>"], ids=["whole", "submesh"])
@pytest.mark.parametrize("params", ["", BY_VOXELS], ids=["exact", "voxel"])
def test_the_quads_of_a_mesh_that_an_sdf_file_names_are_checked(params, submesh, folder):
    (folder / "model.sdf").write_text(robot(params, submesh))
    (link,) = read_sdf(folder / "model.sdf").links
    (finding,) = {finding for finding in link.body.parts[0].findings if finding.code == "bent_quads"}
    assert SHARE in finding.message


@pytest.mark.parametrize(
    "words",
    ["mass bent.obj", "mass bent.obj --voxel-size 0.05", "check bent.obj", "check model.sdf", "report model.sdf"],
)
def test_every_command_tells_the_same_of_the_same_quads(words, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    main(words.split())
    printed = capsys.readouterr()
    assert "quads are not flat" in printed.out + printed.err and SHARE in printed.out + printed.err


def test_the_quads_of_an_open_mesh_are_checked_by_voxels(folder):
    hole = [f"v 0 {y} {z}" for y, z in ((0.499, 0.499), (0.499, 0.501), (0.501, 0.501), (0.501, 0.499))]
    frame = ["f 1 5 10 9", "f 5 7 11 10", "f 7 3 12 11", "f 3 1 9 12"]
    (folder / "open.obj").write_text("\n".join([bent_cube(np.delete(SIDES, 4, axis=0)), *hole, *frame]))
    surface, _ = load_surface(folder / "open.obj")
    found = MeshMethod(Mesh(surface, np.eye(3)), {"gz:voxel_size": "0.05"}).measure().findings
    assert {"small_holes", "bent_quads"} <= {finding.code for finding in found}


LENGTHS = {"exact": {}, "voxel": {"voxel_size": 0.07}, "shell": {"thickness": 0.01}}


@pytest.mark.parametrize("method", LENGTHS)
def test_the_number_of_a_part_is_to_the_last_bit_that_of_its_arrays(method, folder):
    surface, _ = load_surface(folder / "bent.obj")
    part = MeshMethod(Mesh(surface, np.eye(3)), params_for(method, LENGTHS[method])).measure()
    alone = measure_mesh(LIFTED, surface.triangles, method, **LENGTHS[method])
    assert (part.method, part.error) == (alone.method, alone.error)
    assert part.moments.volume == alone.moments.volume
    np.testing.assert_array_equal(part.moments.centroid, alone.moments.centroid)
    np.testing.assert_array_equal(part.moments.covariance, alone.moments.covariance)


def test_joined_surfaces_keep_their_faces_quads_and_box():
    one, other = (Surface(points, FANS, SIDES.astype(kind)) for points, kind in ((LIFTED, int), (LIFTED + 2, np.int8)))
    apart = Surface(*box(low=(0, 5, 0)))
    both = joined([one, apart, other])
    alone = [measure_mesh(own.vertices, own.triangles).moments for own in (one, apart, other)]
    assert_same(measure_mesh(both.vertices, both.triangles).moments, alone[0] + alone[1] + alone[2], 1e-12)
    np.testing.assert_array_equal(both.quads, [*SIDES, *(SIDES + 16)])
    np.testing.assert_array_equal(both.box, [both.vertices.min(axis=0), both.vertices.max(axis=0)])
    assert not any(array.flags.writeable for array in (both.vertices, both.triangles, both.quads, *both.box))


def test_surfaces_too_far_apart_for_floating_point_are_refused_together():
    far = [Surface(LIFTED * 0.5e50, FANS), Surface(LIFTED * 0.5e50 + [0.4e50, 0, 0], FANS)]
    assert joined(far).box[1][0] == pytest.approx(0.9e50)
    with pytest.raises(InertiaError, match="out_of_range"):
        joined([*far, Surface(LIFTED * 1e50 - [1e50, 0, 0], FANS)])


def test_no_surfaces_are_a_mesh_without_faces():
    with pytest.raises(InertiaError, match="no_faces"):
        joined([])
