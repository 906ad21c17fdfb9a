# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples of a robot: every draw can exist, stays in its range, and reaches its ends."""

import json
from fractions import Fraction

import numpy as np
import pytest

from core import InertiaError, read_robot
from core.cli.main import main
from tests.core.drake_inertia import parsed
from tools.house import CHECKOUT

ARM = CHECKOUT / "examples" / "arm.urdf"
WIDE = {"vary_mass": "20%", "vary_com": "5mm", "vary_moments": "30%", "vary_axes": "10deg"}
HEAD = '<inertial><origin xyz="{com}"/><mass value="{mass}"/><inertia ixx="{six[0]}" iyy="{six[1]}" izz="{six[2]}"'
LINK = f'<link name="{{name}}">{HEAD} ixy="{{six[3]}}" ixz="{{six[4]}}" iyz="{{six[5]}}"/></inertial>{{shape}}</link>'
CUBE = '<collision><geometry><box size="0.4 0.4 0.4"/></geometry></collision>'


def robot_of(folder, *links):
    """Return a robot of links, each a mapping of its name, tensor and perhaps more, that joints hold to the first."""
    filled = [{"com": "0 0 0", "mass": 1.5, "shape": "", "six": (0.01, 0.012, 0.015, 0, 0, 0)} | link for link in links]
    joints = [
        f'<joint name="j{link["name"]}" type="revolute"><parent link="{links[0]["name"]}"/>'
        f'<child link="{link["name"]}"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for link in links[1:]
    ]
    path = folder / "robot.urdf"
    path.write_text(f'<robot name="r">{"".join(LINK.format(**link) for link in filled)}{"".join(joints)}</robot>')
    return path


def written_tensors(path):
    """Yield the six numbers of each tensor of a URDF, as exact fractions of what is written."""
    for link in read_robot(path).file.links:
        tensor = link.element.find("inertial").find("inertia")
        yield [Fraction(tensor.get(name)) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]


def is_possible(six):
    """Return True if ∫x xᵀ dm of a tensor has no negative principal minor, which is exact in fractions."""
    xx, yy, zz, xy, xz, yz = six
    half = (xx + yy + zz) / 2
    a, b, c, d, e, f = half - xx, half - yy, half - zz, -xy, -xz, -yz
    minors = [a, b, c, a * b - d * d, a * c - e * e, b * c - f * f]
    return min(minors) >= 0 and a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e) >= 0


def test_each_draw_is_in_its_range_and_the_draws_reach_its_ends():
    samples = read_robot(ARM).repair().sample(4000, seed=7, vary_mass="10%", vary_com="5mm", vary_moments="20%")
    for number, link in enumerate(samples.drawn.links):
        nominal = link.inertial
        mass, com = samples.mass[:, number] / nominal.mass - 1.0, samples.com[:, number] - nominal.com
        assert abs(mass).max() <= 0.1 and np.ptp(mass) > 0.98 * 0.2
        assert abs(com).max() <= 0.005 + 1e-15 and np.ptp(com, axis=0).min() > 0.98 * 0.01
        assert abs(com.mean(axis=0)).max() < 0.005 / np.sqrt(3.0 * 4000) * 4.0  # four deviations of a uniform mean
        moments, axes = np.linalg.eigh(nominal.inertia)
        per_mass = np.einsum("ji,njk,ki->ni", axes, samples.inertia[:, number], axes) / samples.mass[:, number, None]
        assert abs(per_mass * nominal.mass / moments - 1.0).max() <= 0.2 * (1.0 + 1e-9)
        assert (samples.principal[:, number, :2].sum(axis=1) >= samples.principal[:, number, 2]).all()


def test_flat_and_thin_bodies_stay_possible_in_the_digits_that_are_written(tmp_path):
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    bodies = {"plate": (1 / 12, 1 / 12, 1 / 6), "rod": (1e-6, 1 / 12, 1 / 12), "sum": (0.1, 0.2, 0.3)}
    links = []
    for name, moments in bodies.items():
        turned = turn @ np.diag(moments) @ turn.T
        turned_six = turned[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist()
        links += [{"name": name, "six": (*moments, 0, 0, 0)}, {"name": f"turned_{name}", "six": turned_six}]
    paths = read_robot(robot_of(tmp_path, *links)).sample(40, **WIDE).write(tmp_path / "samples")
    tensors = [six for path in paths for six in written_tensors(path)]
    assert len(tensors) == 240 and all(map(is_possible, tensors))


def test_engines_load_the_files_with_the_numbers_of_the_table(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    samples = read_robot(ARM).repair().sample(3, seed=1, **WIDE)
    for number, path in enumerate(samples.write(tmp_path)):
        model, (plant, _) = mujoco.MjModel.from_xml_path(str(path)), parsed(path)
        for column, name in enumerate(samples.names):
            mass, inertia = samples.mass[number, column], samples.inertia[number, column]
            drake = plant.GetBodyByName(name).default_spatial_inertia()
            assert drake.get_mass() == pytest.approx(mass, rel=1e-9)
            np.testing.assert_allclose(drake.get_com(), samples.com[number, column], atol=1e-9)
            if name != "base":  # MuJoCo joins it to the world
                R = np.empty(9)
                mujoco.mju_quat2Mat(R, samples.quaternion[number, column])
                principal = R.reshape(3, 3) * samples.principal[number, column] @ R.reshape(3, 3).T
                np.testing.assert_allclose(principal, inertia, atol=1e-12 * np.trace(inertia))
                assert np.sort(model.body(name).inertia) == pytest.approx(samples.principal[number, column], rel=1e-8)


def test_the_same_seed_gives_the_same_bytes_whatever_else_is_drawn():
    robot = read_robot(ARM).repair()
    few, many = robot.sample(5, seed=3, **WIDE), robot.sample(50, seed=3, **WIDE)
    assert few.table(".npz") == robot.sample(5, seed=3, **WIDE).table(".npz")
    np.testing.assert_array_equal(few.inertia, many.inertia[:5])
    alone = robot.sample(5, seed=3, links="hand", **WIDE)
    np.testing.assert_array_equal(alone.mass[:, -1], few.mass[:, -1])
    assert (alone.mass[:, 0] == 2.4).all() and not np.array_equal(robot.sample(5, seed=4, **WIDE).mass, few.mass)


def test_twins_mirror_each_other_and_the_total_stays(tmp_path):
    left = {"name": "left_leg", "com": "0.01 0.02 0", "six": (0.01, 0.012, 0.015, 0.001, 0, 0.0005)}
    right = {"name": "right_leg", "com": "0.01 -0.02 0", "six": (0.01, 0.012, 0.015, -0.001, 0, -0.0005)}
    robot = read_robot(robot_of(tmp_path, {"name": "trunk"}, left, right))
    mirror = np.array([1.0, -1.0, 1.0])
    samples = robot.sample(50, keep_total=True, **WIDE)
    np.testing.assert_allclose(samples.com[:, 2], samples.com[:, 1] * mirror, atol=1e-15)
    np.testing.assert_allclose(samples.inertia[:, 2], samples.inertia[:, 1] * np.outer(mirror, mirror), atol=1e-15)
    np.testing.assert_allclose(samples.mass.sum(axis=1), 4.5, rtol=1e-12)
    assert abs(samples.mass / 1.5 - 1.0).max() <= 0.2 + 1e-12 and samples.drawn.redrawn[""] > 0
    assert not np.array_equal(robot.sample(50, twins="free", **WIDE).mass[:, 1], samples.mass[:, 1])


def test_inside_draws_again_what_its_geometry_cannot_hold(tmp_path):
    near = {"name": "a", "com": "0.15 0 0", "shape": CUBE, "six": (0.01, 0.01, 0.01, 0, 0, 0)}
    robot = read_robot(robot_of(tmp_path, near))
    samples = robot.sample(200, inside=True, vary_com="10cm")
    assert samples.drawn.redrawn and samples.com[:, 0].max() < 0.2 < robot.sample(200, vary_com="10cm").com[:, 0].max()
    beyond = robot_of(tmp_path, near | {"com": "0.3 0 0"})
    with pytest.raises(InertiaError, match="nominal_outside"):
        read_robot(beyond).sample(1, inside=True, vary_com="1mm")


def test_a_range_comes_from_the_user_a_file_or_the_digits(tmp_path, capsys):
    path = robot_of(tmp_path, {"name": "a", "mass": "2.40", "com": "0.10 0 0"}, {"name": "b"}, {"name": "wheel_1"})
    (tmp_path / "ranges.csv").write_text("link,mass,com,material,source\nb,,2mm,PLA,scale\nwheel*,5%,,,\n")
    assert main(["sample", str(path), "--ranges", str(tmp_path / "ranges.csv"), "--json"]) == 0
    a, b, wheel = (link["ranges"][0] for link in json.loads(capsys.readouterr().out)["links"])
    assert (a["source"], a["mass"], a["com"]) == ("last digit", pytest.approx(0.005 / 2.4), [0.005, 0.0, 0.0])
    assert (b["source"], b["mass"], b["com"]) == ("scale", pytest.approx(10 / 1240), [0.002] * 3)
    assert (wheel["source"], wheel["mass"], wheel["com"]) == ("given", 0.05, [0.0] * 3)


@pytest.mark.parametrize(
    "words",
    [["--vary-mass", "10"], ["--vary-com=-1mm"], ["--vary-axes", "200deg"], ["--links", "z*"], ["--links", "a=wide"],
     ["-n", "1000000000", "--vary-mass", "1%"]],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused_by_name(words, tmp_path, capsys):
    path = robot_of(tmp_path, {"name": "a"})
    assert main(["sample", str(path), "-o", str(tmp_path / "out"), *words]) == 1
    assert "error: " in capsys.readouterr().err and not (tmp_path / "out").exists()


def test_a_faulty_link_and_a_folder_of_other_files_are_refused(tmp_path, capsys):
    assert main(["sample", str(ARM), "--vary-mass", "10%"]) == 1
    assert "arm.urdf:8 base: its inertial is impossible" in capsys.readouterr().err
    path = robot_of(tmp_path, {"name": "a"})
    assert main(["sample", str(path), "--vary-mass", "10%", "-o", str(tmp_path)]) == 1
    assert "[sample_folder]" in capsys.readouterr().err and [*tmp_path.iterdir()] == [path]


def test_report_shows_the_same_intervals_and_only_when_asked(tmp_path, capsys):
    path = robot_of(tmp_path, {"name": "a", "mass": "2.40", "com": "0.10 0 0"})
    assert main(["report", str(path)]) == 0
    plain = capsys.readouterr().out
    assert main(["report", str(path), "--intervals"]) == 0
    more = capsys.readouterr().out
    assert more.startswith(plain) and "2.4 ± 0.208 %  ± 5, 0, 0" in more.removeprefix(plain)
    report = read_robot(path).report(intervals=True).to_dict()
    assert report["models"][0]["links"][0]["intervals"][0]["com"] == [0.005, 0.0, 0.0]


def test_meshes_that_the_file_names_from_itself_stand_beside_the_samples(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    (tmp_path / "robot" / "urdf").mkdir(parents=True)
    (tmp_path / "robot" / "real").mkdir()
    (tmp_path / "robot" / "meshes").symlink_to("real")
    (tmp_path / "robot" / "package.xml").write_text("<package><name>robot</name></package>")
    cube = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    faces = ("1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6")
    (tmp_path / "robot" / "real" / "a&b.obj").write_text(cube + "".join(f"f {face}\n" for face in faces))
    shape = '<collision><geometry><mesh filename="../meshes/a&amp;b.obj"/></geometry></collision>'
    path = robot_of(tmp_path / "robot" / "urdf", {"name": "base"}, {"name": "a", "shape": shape})
    first, _ = read_robot(path).sample(2, vary_mass="10%").write(tmp_path / "out")
    assert first == tmp_path / "out" / "urdf" / "robot_1.urdf"
    assert (tmp_path / "out" / "meshes" / "a&b.obj").is_file()
    assert mujoco.MjModel.from_xml_path(str(first)).ngeom == 1


def test_twins_stay_alike_inside_and_a_single_mass_cannot_keep_a_total(tmp_path):
    left = {"name": "left_leg", "com": "0 0.15 0", "shape": CUBE}
    right = {"name": "right_leg", "com": "0 -0.15 0", "shape": CUBE.replace('"0.4 0.4 0.4"', '"0.4 0.36 0.4"')}
    robot = read_robot(robot_of(tmp_path, {"name": "trunk"}, left, right))
    samples = robot.sample(100, inside=True, vary_com="4cm")
    assert samples.drawn.redrawn and abs(samples.com[:, 2, 1]).max() < 0.18
    np.testing.assert_array_equal(samples.com[:, 1, 1], -samples.com[:, 2, 1])
    with pytest.raises(InertiaError, match="left_leg"):
        robot.sample(5, links="*_leg", vary_mass="10%", keep_total=True)
