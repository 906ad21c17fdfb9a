# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes in one link's tensor are named by arithmetic on the file alone, and no sound link is accused."""

import re

import numpy as np
import pytest

from core.cli.main import main
from core.judge.measured import RepairOptions
from tests.core.command_line import run, run_json
from tests.thorough import many

from ..robot_files import check_path, repair

BASE = '<link name="base"/>'

COUNT = many(100, 20)

SIX = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
PLACES = ([0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2])


def rotation(rpy):
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    X, Y = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]), np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    return np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ Y @ X


def steiner(com):
    return com @ com * np.eye(3) - np.outer(com, com)


class Part:
    """A box or a cylinder; `spread` is ∫x² dm / m along its own axes, by its formula."""

    def __init__(self, rng, size, xyz):
        self.xyz, self.rpy = np.round(xyz, 4), (rng.uniform(-1.5, 1.5, 3) * (rng.random() < 0.6)).round(4)
        a, b, c = self.half = (size * rng.uniform(0.2, 1.0, 3)).round(4)
        self.round = rng.random() < 0.4
        if self.round:
            self.half = np.array([a, a, c])
            shape = f'<cylinder radius="{a}" length="{2 * c:.6g}"/>'
        else:
            shape = f'<box size="{2 * a:.6g} {2 * b:.6g} {2 * c:.6g}"/>'
        self.text = f'<geometry>{shape}</geometry><origin xyz="{words(self.xyz)}" rpy="{words(self.rpy)}"/>'
        self.volume = float(np.prod(2 * self.half)) * (np.pi / 4 if self.round else 1.0)

    def tensor(self, mass, void=(0.0, 0.0, 0.0)):
        """The tensor of a mass, with a void of these half sides."""
        void = np.asarray(void)
        share = float(np.prod(void / self.half))
        divisor = np.array([4.0, 4.0, 3.0]) if self.round else np.array([3.0, 3.0, 3.0])
        spread = (self.half**2 - share * void**2) / divisor / (1.0 - share)
        R = rotation(self.rpy)
        return mass * R @ np.diag(spread.sum() - spread) @ R.T


def words(numbers):
    return " ".join(f"{float(one):.17g}" for one in numbers)


def joined(bodies):
    """Join (mass, centre, tensor)."""
    mass = sum(one[0] for one in bodies)
    com = sum(one[0] * one[1] for one in bodies) / mass
    return mass, com, sum(one[2] + one[0] * steiner(one[1] - com) for one in bodies)


def parts_of(rng):
    size = 10.0 ** rng.uniform(-1.7, -0.3)
    return [
        Part(rng, size, rng.uniform(-1, 1, 3) * size + [5 * number * size, 0, 0])
        for number in range(int(rng.choice([1, 1, 2])))
    ]


def uniform(parts, density=1000.0):
    return joined([(density * one.volume, one.xyz, one.tensor(density * one.volume)) for one in parts])


def sound_body(rng, parts):
    """A body that may have this geometry: solid, of plates, with a motor, of several densities, or a shell."""
    kind = rng.choice(["solid", "plates", "motor", "densities", "in proportion"])
    mass, com, tensor = uniform(parts, rng.uniform(300, 8000))
    if kind == "plates":
        voids = [one.half - rng.uniform(0.05, 0.4) * one.half.min() for one in parts]
        masses = [2700 * one.volume * (1 - np.prod(void / one.half)) for one, void in zip(parts, voids, strict=True)]
        return joined([(m, one.xyz, one.tensor(m, v)) for m, one, v in zip(masses, parts, voids, strict=True)])
    if kind == "motor":
        motor, radius = mass * rng.uniform(0.3, 3.0), parts[0].half.min() * rng.uniform(0.3, 0.8)
        moments = motor * radius**2 * rng.permutation([1 / 3, 1 / 3, 1 / 2])
        R = rotation(parts[0].rpy)
        return joined([(mass, com, tensor), (motor, parts[0].xyz, R @ np.diag(moments) @ R.T)])
    if kind == "densities":
        return joined([(m := one.volume * rng.uniform(200, 8000), one.xyz, one.tensor(m)) for one in parts])
    if kind == "in proportion":
        k = rng.uniform(0.5, 0.98)
        return mass, com, tensor * (1 - k**5) / (1 - k**3)
    return mass, com, tensor


def link(name, parts, mass, com, six, rpy=(0, 0, 0), digits=17):
    numbers = " ".join(f'{key}="{one:.{digits}g}"' for key, one in zip(SIX, six, strict=True))
    place = " ".join(f"{one:.{max(digits, 4)}g}" for one in com)
    content = f'<inertial><origin xyz="{place}" rpy="{words(rpy)}"/><mass value="{mass:.{digits}g}"/>'
    content += f"<inertia {numbers}/></inertial>" + "".join(f"<collision>{one.text}</collision>" for one in parts)
    return f'<link name="{name}">{content}</link>'


def named(path):
    """The codes of mistakes by link."""
    found = {}
    for one in check_path(path):
        if one.code.startswith("tensor_"):
            found.setdefault(re.search(r"link\[@name='(\w+)'\]", one.subject)[1], []).append(one.code)
    return found


def six_of(tensor):
    return tensor[PLACES]


def wrong_six(rng, mistake, parts, mass, com, tensor, R):
    """The numbers that a file has with a mistake."""
    right = six_of(R.T @ tensor @ R)
    if mistake == "axes":
        return six_of(R.T @ tensor @ R)[[1, 2, 0, 5, 3, 4]]
    if mistake == "mass":
        return right * float(rng.choice([rng.uniform(0.1, 0.5), rng.uniform(2.0, 10.0)]))
    if mistake == "origin":
        return six_of(R.T @ (tensor + mass * steiner(com)) @ R)
    if mistake == "frame":
        return six_of(tensor)
    if mistake == "products":
        return right * [1, 1, 1, -1, -1, -1]
    return right[[0, 3, 4, 1, 5, 2]]


@pytest.mark.fault(111)
@pytest.mark.parametrize("mistake", ["axes", "mass", "origin", "frame", "products", "order"])
def test_95_percent_of_mistakes_are_named_and_repaired(mistake, robot):
    rng, links, right = np.random.default_rng(5), [], {}
    while len(links) < COUNT:
        digits = (3, 6)[len(links) % 2]
        parts = parts_of(rng)
        mass, com, tensor = uniform(parts, rng.uniform(300, 8000))
        rpy = rng.uniform(-1.5, 1.5, 3).round(4) * (mistake == "frame" or rng.random() < 0.3)
        R = rotation(rpy)
        six = wrong_six(rng, mistake, parts, mass, com, tensor, R)
        moments = np.linalg.eigvalsh(tensor)
        unlike = np.abs(six - six_of(R.T @ tensor @ R)).max() > 0.05 * np.trace(tensor)
        if unlike and moments[2] - moments[0] > 0.02 * np.trace(tensor):
            name = f"l{len(links)}"
            links.append(link(name, parts, mass, com, six, rpy, digits))
            right[name] = tensor * float(f"{mass:.{digits}g}") / mass
    path = robot(BASE, *links)
    found = named(path)
    assert sum(found.get(name) == [f"tensor_{mistake}"] for name in right) >= 0.95 * COUNT
    assert all(codes == [f"tensor_{mistake}"] for codes in found.values())
    options = RepairOptions(frozenset({"tensor-scale"})) if mistake == "mass" else None
    new = {one.link.local_name: one.new for one in repair(path, options).links if one.new is not None}
    off = [np.abs(new[name].inertia - right[name]).max() / np.trace(right[name]) for name in new]
    assert len(off) >= 0.95 * COUNT and max(off) <= 1e-3


@pytest.mark.fault(111)
def test_no_sound_link_is_accused(robot):
    rng, links = np.random.default_rng(7), []
    for number in range(3 * COUNT):
        parts = parts_of(rng)
        mass, com, tensor = sound_body(rng, parts)
        rpy = rng.uniform(-1.5, 1.5, 3).round(4) * (rng.random() < 0.3)
        R = rotation(rpy)
        links.append(link(f"l{number}", parts, mass, com, six_of(R.T @ tensor @ R), rpy, int(rng.choice([2, 3, 6]))))
    assert named(robot(BASE, *links)) == {}


BALLS = ['<box size="0.2 0.2 0.2"/>', '<sphere radius="0.1"/>']


@pytest.mark.fault(111)
@pytest.mark.parametrize("shape", BALLS)
@pytest.mark.parametrize("times", [0.2, 0.7, 5 / 3, 4.0])
def test_a_body_with_three_equal_moments_is_never_accused(shape, times, robot):
    moment = 0.00666666667 * times if "box" in shape else 0.004 * times
    content = (
        f'<inertial><mass value="1"/><inertia ixx="{moment}" iyy="{moment}" izz="{moment * 1.003}" ixy="0" ixz="0"'
    )
    content += f' iyz="0"/></inertial><collision><geometry>{shape}</geometry></collision>'
    assert named(robot(BASE, f'<link name="ball">{content}</link>')) == {}


ARM = np.array([0.0125, 0.025, 0.0325])
"""Moments of a box of 0.3 x 0.2 x 0.1 m and 3 kg: m/12 (b² + c²), and so on."""


def arm(*moments, mass="3.00", rpy="0 0 0", com="0 0 0"):
    numbers = " ".join(f'{key}="{one:.6g}"' for key, one in zip(SIX, (*moments, 0, 0, 0), strict=False))
    content = f'<inertial><origin xyz="{com}" rpy="{rpy}"/><mass value="{mass}"/><inertia {numbers}/></inertial>'
    geometry = '<collision><geometry><box size="0.3 0.2 0.1"/></geometry></collision>'
    return f'<link name="arm">{content}{geometry}</link>'


@pytest.mark.fault(103, 111)
def test_proportions_about_another_axis_are_perhaps_and_repaired_by_name(robot, capsys):
    path = robot(BASE, arm(*(ARM[[2, 1, 0]] * 1.21)))
    (finding,) = check_path(path)
    assert finding.code == "tensor_axes" and "perhaps" in finding.message and "0.0125, 0.025, 0.0325" in finding.message
    assert repair(path).data == path.read_bytes()
    (one,) = repair(path, RepairOptions(frozenset({"axes"}))).links
    np.testing.assert_allclose(np.diag(one.new.inertia), ARM, rtol=1e-9)
    _, answer = run_json(capsys, "repair", path, "--what", "axes", "--dry-run", "--json")
    assert [link["mistakes"] for link in answer["links"]] == [["axes"]]
    run("repair", path, "--what", "mass", "--dry-run")
    assert "nothing to repair" in capsys.readouterr().err


@pytest.mark.fault(111)
def test_a_mistake_of_a_link_with_its_centre_elsewhere_is_left_to_the_user(robot):
    path = robot(BASE, arm(*ARM[::-1], com="0.1 0 0"))
    assert named(path) == {"arm": ["tensor_axes"]}
    assert repair(path).data == path.read_bytes()


@pytest.mark.parametrize("rpy", ["1.5707963267948966 0 0", "0 0 1.5707963267948966", "0 -1.5707963267948966 0"])
def test_axes_that_the_file_itself_exchanges_have_one_cause(robot, rpy):
    path = robot(BASE, arm(*ARM, rpy=rpy))
    assert named(path) == {"arm": ["tensor_frame"]}
    (one,) = repair(path).links
    np.testing.assert_allclose(one.new.inertia, np.diag(ARM), rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize(
    ("sides", "mass", "com"),
    [((0.14, 0.2, 0.22), 21.2, (0.01, 0.03, -0.2)), ((0.15, 0.12, 0.15), 9.05, (-0.15, 0, 0.07))],
)
def test_a_tensor_about_the_origin_is_not_a_geometry_too_small(robot, sides, mass, com):
    squares = np.square(sides)
    tensor = mass / 12.0 * np.diag(squares.sum() - squares) + mass * steiner(np.array(com))
    numbers = " ".join(f'{name}="{value:.6g}"' for name, value in zip(SIX, tensor[PLACES], strict=True))
    origin = f'<origin xyz="{words(com)}"/>'
    inertial = f'<inertial>{origin}<mass value="{mass}"/><inertia {numbers}/></inertial>'
    shape = f'<collision>{origin}<geometry><box size="{words(sides)}"/></geometry></collision>'
    path = robot(BASE, f'<link name="arm">{inertial}{shape}</link>')
    assert [one.code for one in check_path(path)] == ["tensor_origin"]


@pytest.mark.fault(111)
def test_batch_takes_a_mistake_by_name(tmp_path, robot):
    path = robot(BASE, arm(*(ARM[[2, 1, 0]] * 1.21)))
    words = ("batch", "repair", str(path), "--output", str(tmp_path / "new"), "--what", "axes", "--jobs", "1")
    assert main([*words, "--report", str(tmp_path / "report.jsonl")]) == 0
    (new,) = (tmp_path / "new").rglob("*.urdf")
    assert check_path(new) == [] and "0.0325" in new.read_text()
