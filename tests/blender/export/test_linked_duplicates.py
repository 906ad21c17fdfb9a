# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that share a mesh share its file: what they differ by, a rotation and a uniform scale, the SDF says."""

import bpy
import numpy as np
import pytest
from lxml import etree
from mathutils import Euler

from ..scenes import FLOAT32, add, box_mesh, empty, export, module, tag, wedge_mesh, world_triangles

pytestmark = pytest.mark.usefixtures("scene")

SURFACE = 1e-6
"""How far sharing a file may move a surface, relative to its size: the float32 of rotations through a few parents."""

AUTO, FILLED = 1e-6, 1e-9
"""As in test_drake: what a simulator may get that integrates, and one that reads our numbers."""


@pytest.fixture
def chance():
    return np.random.default_rng(18)


def turned(chance):
    return Euler(chance.uniform(-np.pi, np.pi, 3).tolist())


def duplicates(chance, count=5, mesh=None, parents=0):
    """Return objects of one mesh, each turned, in a link of its own that is turned too, below so many others."""
    mesh = mesh or wedge_mesh()
    found = []
    for number in range(count):
        above = None
        for _ in range(parents):
            above = empty("above", above, rotation_euler=turned(chance), location=chance.uniform(-1, 1, 3))
        link = empty(f"link{number}", above, rotation_euler=turned(chance), location=chance.uniform(-1, 1, 3))
        tag(link, "link", use_density=True, density=700.0)
        part = add(mesh, f"part{number}", link, rotation_euler=turned(chance), location=chance.uniform(-1, 1, 3))
        found.append(tag(part, "collision", "visual"))
    bpy.context.view_layer.update()
    return found


def exported(folder, inertia):
    """Export; return the SDF and the links as reported."""
    result = export(folder, inertia=inertia, uri_style="file")
    assert {body.mode for body in result.bodies} == {inertia.lower()}
    return result.sdf, result.bodies


def files(sdf, tag_name):
    """Return the mesh files of all collisions or visuals, as often as they are named."""
    return [uri.text for part in etree.parse(sdf).iter(tag_name) for uri in part.iter("uri")]


def scales(sdf):
    return {mesh.findtext("scale") for mesh in etree.parse(sdf).iter("mesh")}


def placed(element):
    pose = module("core.body.pose").Pose
    return pose.from_sdf([float(word) for word in element.findtext("pose", "0 0 0 0 0 0").split()])


def corners_in_world(link, part):
    """Return the corners (m, 3, 3) of a mesh as the file has it, in the world."""
    pose = placed(link) @ placed(part)
    mesh = part.find("geometry/mesh")
    scale = [float(word) for word in mesh.findtext("scale", "1 1 1").split()]
    assert min(scale) > 0.0  # Gazebo reads a mirrored mesh inside out
    with open(mesh.findtext("uri").removeprefix("file://")) as file:
        lines = [line.split() for line in file]
    vertices = np.array([line[1:] for line in lines if line[0] == "v"], dtype=float)
    faces = np.array([line[1:] for line in lines if line[0] == "f"], dtype=int) - 1
    return (vertices * scale @ pose.R.T + pose.p)[faces]


def assert_where_blender_has_it(sdf):
    for link in etree.parse(sdf).iter("link"):
        for part in (*link.iter("collision"), *link.iter("visual")):
            expected = world_triangles(bpy.data.objects[part.get("name").removesuffix("_visual")])
            size = np.ptp(expected.reshape(-1, 3), axis=0).max()
            far = np.abs(expected).max()
            np.testing.assert_allclose(
                corners_in_world(link, part), expected, rtol=0, atol=SURFACE * size + FLOAT32 * far
            )


def assert_drake_agrees(sdf, bodies, tolerance):
    parsing = pytest.importorskip("pydrake.multibody.parsing", reason="Drake has no wheel for this Python or numpy")
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    parsing.Parser(plant).AddModels(str(sdf))
    assert len(bodies) > 1
    for body in bodies:
        spatial = plant.GetBodyByName(body.name).default_spatial_inertia()
        com, mass = spatial.get_com(), spatial.get_mass()
        tensor = spatial.Shift(com).CalcRotationalInertia().CopyToFullMatrix3()
        assert mass == pytest.approx(body.inertial.mass, rel=tolerance)
        size = np.sqrt(np.trace(tensor) / mass) + np.abs(com).max()
        np.testing.assert_allclose(com, body.inertial.com, rtol=0, atol=tolerance * size)
        np.testing.assert_allclose(tensor, body.inertial.inertia, rtol=0, atol=tolerance * np.trace(tensor))


def larger(parts):
    parts[-1].scale = (1.7, 1.7, 1.7)


def of_an_odd_size(parts):
    for part in parts:
        part.scale = (0.3712345, 0.3712345, 0.3712345)


def as_they_are(parts):
    pass


MODES = pytest.mark.parametrize(("inertia", "tolerance"), [("AUTO", AUTO), ("FILLED", FILLED)])


@MODES
@pytest.mark.parametrize("parents", [0, 3])
@pytest.mark.parametrize("change", [as_they_are, larger, of_an_odd_size])
def test_turned_and_scaled_duplicates_are_one_file(change, parents, inertia, tolerance, tmp_path, chance):
    parts = duplicates(chance, 6, parents=parents)
    change(parts)
    sdf, bodies = exported(tmp_path, inertia)
    for kind in ("collision", "visual"):
        assert len(files(sdf, kind)) == 6 and len(set(files(sdf, kind))) == 1
    # The mesh of an AUTO collision is about its centroid, that of a visual about the object's origin.
    assert len(list((sdf.parent / "meshes").iterdir())) == (2 if inertia == "AUTO" else 1)
    if not parents:
        assert scales(sdf) == ({None, "1.7 1.7 1.7"} if change is larger else {None})
    assert_where_blender_has_it(sdf)
    assert_drake_agrees(sdf, bodies, tolerance)


def mirrored(parts):
    for part in parts[2:4]:
        part.scale = (-1.0, -1.0, -1.0)


def stretched(parts):
    parts[2].scale = (1.0, 2.0, 1.0)
    parts[3].scale = (1.0, 1.0, 0.5)


def sheared(parts):
    parts[2].parent.scale = (1.0, 2.0, 1.0)
    parts[3].parent.scale = (3.0, 1.0, 1.0)


@MODES
@pytest.mark.parametrize(("change", "count"), [(mirrored, 2), (stretched, 3), (sheared, 3)])
def test_what_a_pose_and_one_scale_cannot_say_is_a_file_of_its_own(change, count, inertia, tolerance, tmp_path, chance):
    parts = duplicates(chance, 6)
    change(parts)
    sdf, bodies = exported(tmp_path, inertia)
    for kind in ("collision", "visual"):
        assert len(set(files(sdf, kind))) == count
    assert_where_blender_has_it(sdf)
    assert_drake_agrees(sdf, bodies, tolerance)


def far_box():
    return box_mesh((1.0, 2.0, 3.0), (40.0, 70.0, -30.0))


@MODES
def test_a_mesh_far_from_its_origin_is_shared_about_its_centre(inertia, tolerance, tmp_path, chance):
    parts = duplicates(chance, 5, far_box())
    larger(parts)
    sdf, bodies = exported(tmp_path, inertia)
    assert len(set(files(sdf, "collision"))) == len(set(files(sdf, "visual"))) == 1
    assert_where_blender_has_it(sdf)
    assert_drake_agrees(sdf, bodies, tolerance)


def one_face_flipped():
    mesh = wedge_mesh()
    mesh.polygons[1].flip()
    return mesh


@MODES
def test_a_mesh_that_is_read_corrected_is_shared_as_corrected(inertia, tolerance, tmp_path, chance):
    parts = duplicates(chance, 5, one_face_flipped())
    larger(parts)
    sdf, bodies = exported(tmp_path, inertia)
    assert "inconsistent_winding" in {finding.code for finding in bodies[0].all_findings()}
    assert len(set(files(sdf, "collision"))) == len(set(files(sdf, "visual"))) == 1
    assert_drake_agrees(sdf, bodies, tolerance)


def test_the_same_scene_is_the_same_bytes(tmp_path, chance):
    larger(duplicates(chance))
    first, second = (export(tmp_path / run, inertia="AUTO").sdf for run in "ab")
    for path in (first, *(first.parent / "meshes").iterdir()):
        assert path.read_bytes() == (second.parent / path.relative_to(first.parent)).read_bytes()


def test_objects_with_meshes_of_their_own_that_are_equal_share_too(tmp_path, chance):
    for part in duplicates(chance):
        part.data = part.data.copy()
    sdf, _bodies = exported(tmp_path, "FILLED")
    assert len(set(files(sdf, "collision"))) == 1
