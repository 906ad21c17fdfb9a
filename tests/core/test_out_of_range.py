# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers near the ends of floating point: the answer is the same as at any other size, or a named refusal."""

import json
from functools import cache
from itertools import product

import numpy as np
import pytest

from core import InertiaError, Inertial, Moments, Pose, measure_mesh
from core.body.shapes import Box
from core.cli.main import main
from core.judge.geometry.pending import missing
from core.mesh.surface import Surface
from core.robot.model import Collision, Link, Mesh, Model
from core.robot.report import model_json
from core.robot.resolve import resolve_link

from ..thorough import sample
from .solids import L_CELLS, box, cells, joined

PAIR = joined(box(), box(low=(0.5, 0.5, 0.5)))
CROSS = joined(box(), box((3.0, 0.5, 0.5), (-1.0, 0.2, 0.3)))
MESHES = {"box": box(), "L": cells(L_CELLS), "pair": PAIR, "cross": CROSS}
METHODS = {"exact": {}, "voxel": {"voxel_size": 1 / 16}, "hull": {}, "shell": {"thickness": 1 / 64}}


@cache
def measured(name, method, scale):
    mesh = MESHES[name]
    lengths = {name: length * scale for name, length in METHODS[method].items()}
    return measure_mesh(mesh[0] * scale, mesh[1], method, **lengths)


@pytest.mark.parametrize("mesh, method, exponent", sample(list(product(MESHES, METHODS, [-160, -120, 120, 160])), 14))
def test_a_power_of_two_larger_is_the_same_but_for_the_power(mesh, method, exponent):
    want, found = measured(mesh, method, 1.0), measured(mesh, method, 2.0**exponent)
    assert (found.method, found.error) == (want.method, pytest.approx(want.error, rel=1e-9, abs=1e-15))
    assert found.moments.volume == pytest.approx(want.moments.volume * 2.0 ** (3 * exponent), rel=1e-14)
    covariance = np.ldexp(found.moments.covariance, -5 * exponent)
    np.testing.assert_allclose(covariance, want.moments.covariance, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("exponent", [-165, 165])
def test_sums_of_bodies_keep_the_parallel_axis_term_whatever_their_size(exponent):
    scale = 2.0**exponent
    cube = Moments(scale**3, np.zeros(3), np.eye(3) * scale**5 / 12)
    pair = cube + cube.transformed(np.eye(3), [scale, 0, 0])
    np.testing.assert_allclose(np.ldexp(pair.covariance[0, 0], -5 * exponent), 2 / 12 + 0.5, rtol=1e-15)
    heavy = Inertial(1e200, np.zeros(3), np.eye(3) * 1e200)
    both = heavy + heavy.transformed(Pose(np.eye(3), [1.0, 0.0, 0.0]))
    np.testing.assert_allclose(np.diag(both.inertia) / 1e200, [2.0, 2.5, 2.5], rtol=1e-15)


def test_coordinates_wider_than_float64_are_refused_as_not_finite():
    if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        pytest.skip("long double is no wider here")
    with pytest.raises(InertiaError) as error:
        Surface(np.asarray(box()[0], dtype=np.longdouble) * np.longdouble("1e4000"), box()[1])
    assert error.value.code == "not_finite"


def part(name, size, p=(0.0, 0.0, 0.0)):
    return Collision(name, Pose(np.eye(3), p), Box((size, size, size)), density=1000.0)


@pytest.mark.parametrize("absurd", [part("b", 1e200), part("b", 1e62), part("b", 1.0, (1e308, 0.0, 0.0))])
def test_a_part_beyond_floating_point_is_refused_by_name(absurd):
    link = Link("l", mode="filled", collisions=(part("a", 1.0), absurd, part("c", 1.0, (1e308, 0.0, 0.0))))
    for from_file in (False, True):
        body = resolve_link(link, from_file=from_file)
        assert body.refused
        assert body.parts[0].inertial is not None
        json.dumps(model_json(Model("m", ()), [body], partial=True), allow_nan=False)
    body = resolve_link(Link("l", mode="filled", collisions=(part("a", 1.0), part("b", 1e200))), from_file=True)
    assert [finding.code for finding in body.parts[1].findings] == ["not_finite"]
    assert body.inertial.mass == 1000.0  # the sum of what has an answer


@pytest.mark.parametrize("mass", [5e-324, 1e-300, 1e300, 1e308])
def test_a_target_mass_of_any_size_is_met_or_refused(mass):
    parts = (part("a", 10.0), part("b", 10.0, (1e5, 0.0, 0.0)))
    body = resolve_link(Link("l", mode="filled", collisions=parts, mass=mass))
    if body.refused:
        assert {finding.code for finding in body.findings} == {"not_finite"}
        assert body.inertial is None
    else:
        assert body.inertial.mass == mass
        assert body.inertial.is_finite()


@pytest.mark.parametrize("size", ["1e-320", "1e-200", "1e200", "1e308", "0", "nan", "inf"])
def test_how_long_voxels_of_any_size_would_take_can_be_asked(size):
    mesh = Mesh(Surface(*box()), np.eye(3))
    link = Link("l", collisions=(Collision("c", Pose.identity, mesh, params={"gz:voxel_size": size}),))
    seconds = [task.seconds for task in missing(link)]
    assert seconds and all(one > 0.0 for one in seconds)


# --- the command line -----------------------------------------------------------------------------------------------


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, mesh):
        lines = [f"v {x!r} {y!r} {z!r}\n" for x, y, z in mesh[0].tolist()]
        (tmp_path / name).write_text("".join(lines + [f"f {a} {b} {c}\n" for a, b, c in (mesh[1] + 1).tolist()]))
        return name

    return write


@pytest.mark.parametrize("scale", [1e-300, 1e-70, 1e62, 1e80, 1e300])
def test_mass_refuses_a_mesh_beyond_floating_point_in_its_json(capsys, write, scale):
    name = write("far.obj", (box()[0] * scale, box()[1]))
    for method in (["exact"], ["voxel"], ["hull"], ["shell", "--thickness", "0.01"]):
        assert main(["mass", name, "--density", "1", "--json", "--method", *method]) == 1
        body = json.loads(capsys.readouterr().out)
        assert body["mass"] is None and [finding["code"] for finding in body["findings"]] == ["out_of_range"]


@pytest.mark.parametrize("thickness", ["1e100", "1e300"])
def test_mass_refuses_a_thickness_beyond_floating_point(capsys, write, thickness):
    assert main(["mass", write("b.obj", box()), "--method", "shell", "--thickness", thickness, "--density", "1"]) == 1
    assert "[bad_thickness]" in capsys.readouterr().err


def test_a_mass_beyond_floating_point_gives_no_numbers(capsys, write):
    assert main(["mass", write("b.obj", box((1e3, 1e3, 1e3))), "--mass", "1e308", "--json"]) == 1
    body = json.loads(capsys.readouterr().out)
    assert body["mass"] is body["inertia"] is body["volume"] is None
    assert "not_finite" in {finding["code"] for finding in body["findings"]}


def test_check_tells_of_the_other_files_too(capsys, write):
    names = [write("a.obj", box()), write("far.obj", (box()[0] * 1e80, box()[1])), write("b.obj", box())]
    assert main(["check", *names, "--json"]) == 1
    files = json.loads(capsys.readouterr().out)["files"]
    assert [[finding["code"] for finding in file["findings"]] for file in files] == [[], ["out_of_range"], []]


NUMBERS = ["1e400", "1.7e308", "1e155", "1e62", "1e-62", "1e-300", "5e-324", "nan", "-1"]

ABSURD = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true">{mass}<density>{density}</density>
</inertial><collision name="a"><geometry><box><size>1 1 1</size></box></geometry></collision>
<collision name="b"><pose>{far} 0 0 0 0 0</pose><geometry><sphere><radius>{radius}</radius></sphere></geometry>
</collision><collision name="c"><geometry><mesh><uri>box.obj</uri></mesh></geometry></collision></link></model></sdf>"""


@pytest.mark.parametrize("where, number", sample(list(product(["mass", "density", "far", "radius"], NUMBERS)), 9))
def test_a_file_with_an_absurd_number_ends_in_an_answer_or_a_named_error(capfd, write, tmp_path, where, number):
    write("box.obj", box())
    given = {"mass": "", "density": "1000", "far": "0", "radius": "1"}
    given[where] = f"<mass>{number}</mass>" if where == "mass" else number
    (tmp_path / "m.sdf").write_text(ABSURD.format(**given))
    for command in (
        ["check", "m.sdf", "--json", "--strict", "--gazebo"],
        ["report", "m.sdf", "--format", "json"],
        ["fill", "m.sdf", "--json", "--skip-invalid"],
    ):
        assert main(command) in (0, 1)
        captured = capfd.readouterr()
        assert json.loads(captured.out) and "Traceback" not in captured.err
