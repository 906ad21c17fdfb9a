# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh that passes through itself is never silently wrong, however many faces it has: only `quick` leaves it unlooked
for, and says so."""

import json

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments
from core.body.pose import Pose
from core.cli.main import main
from core.judge.geometry.pending import missing
from core.mesh.measure import measure_surface
from core.mesh.surface import Surface
from core.robot.model import Collision, Link, Mesh
from core.robot.resolve import resolve_link

from ....thorough import THOROUGH, many, sample
from ...mesh_files import read
from ...solids import box, joined, rotation
from ...solids.crossings import SHAPES, ring, tube

CABLE_UNION = 4.0687e-05
"""What the cable encloses, by winding numbers [m³]; the plain integral is 3.3 % more."""

LINES = many(160, 100)
"""Lines along each side, of those that tell what is enclosed more than once."""


def codes(measured):
    return {finding.code for finding in measured.findings}


def coil(turns, pitch, count, sides=12, radius=0.1):
    """Return a cable of so many turns around a drum of radius 0.5; below a pitch of twice its radius, they overlap."""
    angle = np.linspace(0.0, 2 * np.pi * turns, count)
    path = np.column_stack([0.5 * np.cos(angle), 0.5 * np.sin(angle), pitch * angle / (2 * np.pi)])
    return tube(path, radius, sides=sides)


def by_lines(vertices, triangles, seed):
    """Return what a surface encloses, each place once, by straight lines of our own: mean, and how far lines differ.

    Lines in several directions tell what is enclosed more than once; the rest is the exact integral.
    """
    rng = np.random.default_rng(seed)
    exact = mesh_moments(vertices, triangles).volume
    found = [exact - _enclosed_again((vertices @ rotation(rng).T)[triangles], LINES) for _ in range(4)]
    return np.mean(found), np.ptp(found)


def _enclosed_again(corners, count):
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    step = (high - low)[:2].max() / count
    place = (corners[:, :, :2] - low[:2]) / step - 0.5  # lines stand at whole numbers
    first, last = np.ceil(place.min(axis=1)).astype(int), np.floor(place.max(axis=1)).astype(int)
    wide, deep = np.maximum(last - first + 1, 0).T
    face = np.repeat(np.arange(len(corners)), wide * deep)
    number = np.arange(len(face)) - np.repeat(np.cumsum(wide * deep) - wide * deep, wide * deep)
    line = first[face] + np.column_stack([number // deep[face], number % deep[face]])
    a, b, c = place[face].transpose(1, 0, 2) - line[None]
    area = np.stack([b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0], c[:, 0] * a[:, 1] - c[:, 1] * a[:, 0]])
    area = np.vstack([area, a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]])
    hit = (area > 0).all(axis=0) | (area < 0).all(axis=0)
    face, line, area = face[hit], line[hit] @ [4 * count, 1], area[:, hit]
    height = (area * corners[face, :, 2].T).sum(axis=0) / area.sum(axis=0)
    order = np.lexsort((height, line))
    winding = -np.cumsum(np.sign(area.sum(axis=0))[order])
    length = np.diff(height[order], append=0.0)
    length[winding < 1.5] = 0.0  # also where one line ends and the next begins
    return float(((winding - 1.0) * length).sum()) * step**2


@pytest.fixture(scope="session")
def cable(data):
    return read(data / "meshes" / "own" / "cable_tight_coils.stl")


def test_a_cable_whose_coils_cross_is_counted_once(cable):
    assert len(cable[1]) == 8016
    measured = measure_mesh(*cable)
    assert codes(measured) == {"crossing_faces", "overlapping_shells"}
    assert abs(measured.moments.volume / CABLE_UNION - 1) < measured.error + 2e-5
    assert 0 < measured.error < 1e-3
    lines, spread = by_lines(*cable, seed=1)
    assert abs(measured.moments.volume - lines) <= measured.error * lines + spread
    assert mesh_moments(*cable).volume > 1.03 * lines


def test_a_quick_reading_of_it_says_what_it_left_unlooked_for(cable):
    measured = measure_mesh(*cable, quick=True)
    assert codes(measured) == {"not_checked"}
    (finding,) = measured.findings
    assert finding.severity == "info" and finding.message and finding.remedy


@pytest.mark.thorough
def test_voxels_of_it_are_not_checked_against_what_is_counted_twice(cable):
    measured = measure_mesh(*cable, "voxel")
    assert "crossing_faces" in codes(measured)
    assert abs(measured.moments.volume / CABLE_UNION - 1) <= measured.error
    assert measured.error > measure_mesh(*cable, "voxel", quick=True).error  # it was held to what is counted twice


@pytest.mark.parametrize("method", ["hull", "shell"])
def test_methods_that_crossing_does_not_touch_are_never_unchecked(method, cable):
    assert "not_checked" not in codes(measure_mesh(*cable, method, thickness=1e-4, quick=True))


def test_a_large_mesh_without_fault_has_no_finding_in_full():
    mesh = ring()
    assert measure_mesh(*mesh).findings == ()
    assert codes(measure_mesh(*mesh, quick=True)) == {"not_checked"}


COILS = {
    "deep": (6, 0.15, 400, 10),
    "shallow": (5, 0.19, 160, 12),
    "a hair": (8, 0.199, many(500, 250), 16),
    "apart": (8, 0.203, many(500, 250), 16),
    **({"many": (20, 0.19, 2500, 20)} if THOROUGH else {}),
}


@pytest.mark.parametrize("size, place", sample([(1e-3, (3, -2, 5)), (100.0, (1e3, 0, 0))], 1))
@pytest.mark.parametrize("name", sample(COILS, 1))
def test_coils_of_any_size_and_place_are_right_within_the_error_told(name, size, place):
    vertices, triangles = coil(*COILS[name])
    turn = rotation(np.random.default_rng(len(name)))
    measured = measure_mesh(size * (vertices @ turn.T) + place, triangles)
    lines, spread = by_lines(vertices, triangles, seed=len(name))
    assert abs(measured.moments.volume / size**3 - lines) <= measured.error * lines + spread + 1e-9 * lines
    crossing = name != "apart"
    assert ("crossing_faces" in codes(measured)) == crossing
    assert (spread > 0.0) == crossing


@pytest.mark.thorough
def test_a_reading_ends_soon_after_it_is_not_wanted_any_more():
    surface = Surface(*coil(20, 0.19, 2500, 20))
    assert len(surface.triangles) == 100_000
    asked = []
    measure_surface(surface, progress=asked.append)
    assert len(asked) > 20
    for heard in (1, 10, len(asked) // 2):
        calls = []
        with pytest.raises(InertiaError) as error:
            measure_surface(
                surface, progress=lambda share, calls=calls, heard=heard: calls.append(share) or len(calls) > heard
            )
        assert error.value.code == "cancelled"
        assert len(calls) == heard + 1


# --- links, files and commands ----------------------------------------------------------------------------------


def link_of(mesh, **settings):
    return Link("l", collisions=(Collision("c", Pose.identity, Mesh(Surface(*mesh), np.eye(3)), 1000.0),), **settings)


def codes_of(body):
    return {finding.code for finding in body.all_findings()}


def test_a_link_is_resolved_in_full_unless_it_is_to_be_quick():
    mesh = SHAPES["loop"](2e-2)
    plain = 1000.0 * mesh_moments(*mesh).volume
    link = link_of(mesh, mode="filled")
    quick = resolve_link(link, quick=True)
    assert codes_of(quick) == {"not_checked"} and quick.inertial.mass == pytest.approx(plain)
    full = resolve_link(link)  # what was found out quickly does not stand for it
    assert "crossing_faces" in codes_of(full) and full.inertial.mass < 0.998 * plain
    again = resolve_link(link, quick=True)  # but the full result also answers a quick request
    assert codes_of(again) == codes_of(full) and again.inertial.mass == full.inertial.mass


def test_of_a_small_mesh_the_quick_measurement_is_the_full_one():
    link = link_of(box(), mode="filled")
    (quick,), (full,) = missing(link, quick=True), missing(link)
    assert quick.key == full.key and not full.checks
    quick.finish(quick.run())
    assert missing(link) == ()


def test_an_auto_link_whose_mesh_crosses_itself_is_written_filled():
    body = resolve_link(link_of(coil(6, 0.15, 400, 10), mode="auto"))
    assert body.mode == "filled" and "auto_not_possible" in codes_of(body)


SDF = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/>
<collision name="c"><density>1000</density><geometry><mesh><uri>cable.stl</uri></mesh></geometry></collision>
</link></model></sdf>"""


@pytest.fixture
def robot(data, tmp_path):
    (tmp_path / "cable.stl").write_bytes((data / "meshes" / "own" / "cable_tight_coils.stl").read_bytes())
    path = tmp_path / "robot.sdf"
    path.write_text(SDF)
    return path


def test_mass_prints_the_right_number_with_what_is_wrong(robot, capsys):
    assert main(["mass", str(robot.parent / "cable.stl"), "--density", "1000", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["mass"] == pytest.approx(1000 * CABLE_UNION, rel=3e-4)
    assert {"crossing_faces", "overlapping_shells"} <= {finding["code"] for finding in body["findings"]}


@pytest.mark.thorough
def test_fill_and_report_write_the_right_number_with_what_is_wrong(robot, tmp_path, capsys):
    assert main(["fill", str(robot), "-o", str(tmp_path / "filled.sdf")]) == 0
    assert "crossing_faces" in capsys.readouterr().err
    text = (tmp_path / "filled.sdf").read_text()
    assert float(text.partition("<mass>")[2].partition("</mass>")[0]) == pytest.approx(1000 * CABLE_UNION, rel=3e-4)
    assert main(["report", str(robot), "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (link,) = report["models"][0]["links"]
    assert link["mass"] == pytest.approx(1000 * CABLE_UNION, rel=3e-4)
    assert "crossing_faces" in {finding["code"] for part in link["parts"] for finding in part["findings"]}


@pytest.mark.thorough
def test_parts_that_cross_themselves_and_each_other_count_once_or_fail():
    one = coil(4, 0.17, 200, 10)
    other = one[0] + np.array([0.31, 0.12, 0.07]), one[1]
    mesh = joined(one, other)
    try:
        measured = measure_mesh(*mesh)
    except InertiaError as error:
        assert error.remedy
        return
    lines, spread = by_lines(*mesh, seed=3)
    assert {"crossing_faces", "overlapping_shells"} <= codes(measured)
    assert abs(measured.moments.volume - lines) <= measured.error * lines + spread
