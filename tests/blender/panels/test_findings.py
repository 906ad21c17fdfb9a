# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad input gets a clear error that names the object, the number and the remedy; doubtful input a warning."""

import bpy
import numpy as np
import pytest

from core.body.materials import MAX_DENSITY

from ..scenes import BOX_FACES, TETRAHEDRON, add, box_link, box_mesh, empty, findings, mesh_data, read, tag, wedge_mesh

pytestmark = pytest.mark.usefixtures("scene")


def error(code, about):
    """Return the one finding of this code: an error, about the object, with a remedy; its link is refused."""
    found = findings()[code]
    assert found.severity == "error"
    assert about in found.subject
    assert found.message and found.remedy
    assert all(body.inertial is None and body.refused for body in read()[1])
    return found


def dented():
    """Return a box mesh without its top."""
    box = box_mesh()
    return mesh_data([vertex.co for vertex in box.vertices], BOX_FACES[:1] + BOX_FACES[2:])


@pytest.mark.fault(34)
@pytest.mark.parametrize("where", ["link", "part"])
@pytest.mark.parametrize("density", [0.0, -5.0, float("nan"), float("inf"), 1e30])
def test_an_impossible_density_is_an_error(density, where):
    link = tag(add(box_mesh(), "link"), "link")
    part = tag(add(box_mesh(), "part", link), "collision")
    tag({"link": link, "part": part}[where], use_density=True, density=density)
    assert "kg/m³" in error("bad_density", "part").message


def test_the_largest_possible_density_is_one():
    box_link("ob", use_density=True, density=MAX_DENSITY)
    assert "bad_density" not in findings()


@pytest.mark.parametrize("mass", [0.0, -1.0, float("nan")])
def test_an_impossible_target_mass_is_an_error(mass):
    box_link("ob", use_mass=True, mass=mass)
    assert "kg" in error("bad_mass", "ob").message


@pytest.mark.fault(35)
def test_a_missing_density_is_waters_with_a_warning():
    box_link("ob")
    found = findings()["default_density"]
    assert found.severity == "warning" and "1000" in found.message and "ob" in found.subject
    assert read()[1][0].inertial.mass == pytest.approx(1000)


def put(ob, value):
    """Put a number into vertex 5; foreach_set does not clamp it, as assigning would."""
    flat = np.empty(3 * len(ob.data.vertices), dtype=np.float32)
    position = ob.data.attributes["position"].data
    position.foreach_get("vector", flat)
    flat[3 * 5 + 1] = value
    position.foreach_set("vector", flat)
    ob.data.update()


@pytest.mark.fault(26)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_vertex_that_is_not_finite_is_an_error_with_its_index(value):
    ob = box_link("ob")
    put(ob, value)
    assert "vertex 5" in error("not_finite", "ob").message


def test_a_vertex_that_is_not_finite_is_an_error_for_a_primitive_too():
    ob = box_link("ob", geometry="BOX")
    put(ob, float("nan"))
    error("not_finite", "ob")


SHEET = ([(0, 0, 0), (1, 0, 0), (1, 1, 0)], [(0, 1, 2), (2, 1, 0)])

NOT_SOLID = {
    "no faces": (lambda: mesh_data([(0, 0, 0), (1, 0, 0)], []), {}, "no_faces", "2 vertices"),
    "nothing": (lambda: bpy.data.meshes.new("none"), {}, "no_faces", ""),
    "open": (dented, {}, "open_mesh", "4 edges have"),
    "flat": (lambda: mesh_data(*SHEET), {}, "zero_volume", ""),
    "no thickness": (dented, {"method": "SHELL"}, "bad_thickness", "thickness is 0 m"),
}


@pytest.mark.fault(1)
@pytest.mark.parametrize("mesh, settings, code, text", NOT_SOLID.values(), ids=NOT_SOLID)
def test_a_mesh_that_bounds_no_solid_is_an_error_that_says_why(mesh, settings, code, text):
    tag(add(mesh(), "ob"), "link", "collision", **settings)
    assert text in error(code, "ob").message


def test_a_link_without_a_collision_is_an_error():
    tag(empty("bare"), "link")
    error("no_collision", "bare")


def test_one_turned_face_is_turned_back_with_a_warning_with_both_numbers():
    link = tag(add(wedge_mesh(), "ob"), "link", "collision", use_density=True)
    whole = read()[1][0].inertial.mass
    vertices = [vertex.co.copy() for vertex in link.data.vertices]
    link.data = mesh_data(vertices, [(0, 1, 2), *TETRAHEDRON[1:]])
    found = findings()["inconsistent_winding"]
    assert found.severity == "warning"
    assert f"{whole / 1000:.4g} m³" in found.message and "recalculate the normals" in found.remedy
    assert read()[1][0].inertial.mass == pytest.approx(whole, rel=1e-12)


def test_a_mesh_inside_out_is_read_the_right_way_round_with_a_warning():
    ob = box_link("ob")
    ob.data.flip_normals()
    found = findings()["inside_out"]
    assert found.severity == "warning" and "−1 m³" in found.message
    assert read()[1][0].inertial.mass == pytest.approx(1000)


@pytest.mark.fault(32)
def test_loose_vertices_and_edges_beside_a_closed_mesh_are_ignored():
    box = box_mesh()
    corners = [vertex.co for vertex in box.vertices]
    mesh = bpy.data.meshes.new("loose")
    mesh.from_pydata([*corners, (9, 9, 9), (8, 8, 8)], [(8, 9)], BOX_FACES)
    tag(add(mesh, "ob"), "link", "collision")
    (body,) = read()[1]
    assert body.inertial.mass == pytest.approx(1000, rel=1e-12)


@pytest.mark.parametrize("where", ["link", "part"])
@pytest.mark.parametrize("mode", ["AUTO", "FILLED"])
@pytest.mark.parametrize("method, mass, tolerance", [("HULL", 1000, 1e-12), ("SHELL", 5 * 0.01 * 1000, 2e-3)])
def test_hull_and_shell_of_an_open_box_are_written_filled(method, mass, tolerance, mode, where):
    # The hull is the whole box; the shell five sides of 1 m² and 1 cm, give or take half a centimetre along its edges.
    link = tag(empty("link"), "link", use_density=True, inertia=mode)
    part = tag(add(dented(), "part", link), "collision")
    tag({"link": link, "part": part}[where], method=method, thickness=0.01)
    (body,) = read()[1]
    assert (body.mode, body.method) == ("filled", method.lower())
    assert body.inertial.mass == pytest.approx(mass, rel=tolerance)
    # AUTO cannot say what a simulator would have to do, and must not pretend to.
    assert ("auto_not_possible" in findings()) == (mode == "AUTO")


def test_a_thickness_is_in_blender_units(scene):
    scene.unit_settings.scale_length = 0.001
    ob = tag(add(dented(), "ob", scale=(1000, 1000, 1000)), "link", "collision", use_density=True)
    tag(ob, method="SHELL", thickness=10, inertia="FILLED")
    assert read()[1][0].inertial.mass == pytest.approx(50, rel=2e-3)


def test_voxels_in_auto_show_the_exact_number_and_say_where_they_differ():
    # In auto a simulator may ignore the voxels, so what is shown is what it will compute.
    ob = tag(add(wedge_mesh(), "ob"), "link", "collision", use_density=True, method="VOXEL", voxel_size=0.2)
    volume = abs(read()[1][0].inertial.mass / 1000)
    ob.sdf_inertia.inertia = "FILLED"
    (body,) = read()[1]
    assert body.method == "voxel"
    assert body.inertial.mass / 1000 != pytest.approx(volume, rel=1e-2)
    ob.sdf_inertia.inertia = "AUTO"
    found = findings()["auto_ignores_method"]
    assert found.severity == "warning"
    assert f"{body.inertial.mass:.6g}" in found.message and f"{1000 * volume:.6g}" in found.message
    assert read()[1][0].mode == "auto"


def test_fine_voxels_in_auto_are_not_worth_a_word():
    box_link("ob", use_density=True, method="VOXEL", voxel_size=0.125)
    assert "auto_ignores_method" not in findings()


@pytest.mark.fault(67)
def test_a_voxel_too_fine_for_memory_is_an_error_before_any_is_made():
    box_link("ob", inertia="FILLED", method="VOXEL", voxel_size=1e-6)
    found = error("voxels_too_fine", "ob")
    assert "voxel size of" in found.remedy


IMPOSSIBLE = {
    "a broken triangle": ((1, 1, 3, 0, 0, 0), 1, "triangle_inequality"),
    "a diagonal that looks well": ((1, 1, 1, 0.9, 0, 0), 1, "triangle_inequality"),
    "negative": ((-1, 1, 1, 0, 0, 0), 1, "negative_moment"),
    "large products": ((1, 1, 1, 5, 0, 0), 1, "negative_moment"),
    "not a number": ((float("nan"), 1, 1, 0, 0, 0), 1, "not_finite"),
    "no mass": ((1, 1, 1, 0, 0, 0), 0, "bad_mass"),
}


@pytest.mark.fault(37)
@pytest.mark.parametrize("inertia, mass, code", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_an_impossible_manual_inertia_is_an_error(inertia, mass, code):
    tag(empty("hand"), "link", inertia="MANUAL", manual_mass=mass, manual_inertia=inertia)
    found = findings()[code]
    assert (found.severity, found.subject) == ("error", "hand")
    assert read()[1][0].refused


def test_a_manual_link_whose_geometry_cannot_be_written_is_refused():
    tag(add(box_mesh(), "hand", scale=(1, 1, 0)), "link", "collision", inertia="MANUAL")
    assert findings()["zero_scale"].severity == "error"
    assert read()[1][0].refused


def test_auto_keeps_a_manual_inertia_and_reports_both_numbers():
    box_link("hand", use_density=True, inertia="MANUAL", manual_mass=7.0)
    model, (body,) = read("AUTO")
    (found,) = [finding for finding in body.all_findings() if finding.code == "auto_not_possible"]
    assert found.severity == "warning"
    assert "7 kg" in found.message and "1000 kg" in found.message
    assert (body.mode, body.inertial.mass) == ("manual", 7.0)
    _model, (strict,) = read("AUTO", strict_auto=True)
    assert strict.refused


def test_several_links_without_joints_are_reported():
    box_link("a")
    assert "free_links" not in findings()
    box_link("b")
    assert findings()["free_links"].severity == "warning"


def test_a_visual_that_cannot_be_written_refuses_its_link():
    link = box_link("link")
    tag(empty("nothing", link), "visual")
    assert "nothing" in findings()["no_geometry"].subject
    assert read()[1][0].refused


def test_an_open_visual_is_fine():
    link = box_link("link", use_density=True)
    tag(add(dented(), "decal", link), "visual")
    assert findings() == {}


def test_one_bad_link_leaves_the_others_their_numbers():
    tag(add(dented(), "bad"), "link", "collision")
    box_link("good")
    bad, good = read()[1]
    assert bad.refused and not good.refused
    assert good.inertial.mass == pytest.approx(1000)
