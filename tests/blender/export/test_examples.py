# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples are what they claim to be: checked on the reports of runs that a user would make."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib.util import module_from_spec, spec_from_file_location
from math import pi
from pathlib import Path

import numpy as np
import pytest

CHECKOUT = Path(__file__).parents[3]
EXAMPLES = CHECKOUT / "examples"
NAMES = ("rover", "gripper")

FLOAT32 = 1e-6
"""Relative: sizes and matrices in a .blend are float32, good to 6e-8 each; the tensor takes five of them."""

ROUNDING = 1e-12
"""Relative: sums of a few dozen float64."""


def run(script, *arguments):
    command = [sys.executable, str(script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def export(blend, folder):
    """Export as set, and return the report's model."""
    report = folder / f"{blend.stem}.json"
    done = run(CHECKOUT / "sdf_inertia_addon" / "headless.py", blend, "--output", folder, "--report", report)
    assert done.returncode == 0, done.stderr
    return model_of(report)


def model_of(report):
    (model,) = json.loads(report.read_text())["models"]
    return model


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("examples")


@pytest.fixture(scope="module")
def committed(folder):
    """By name, the report's model of each committed example."""
    return {name: export(EXAMPLES / f"{name}.blend", folder / "committed") for name in NAMES}


@pytest.fixture(scope="module")
def demo(folder):
    """The folder that `make demo` fills (here without pictures, which take longest), and what it printed."""
    done = run(EXAMPLES / "demo.py", folder / "demo", "--no-preview")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "demo", done.stdout


def link_of(model, name):
    (link,) = (link for link in model["links"] if link["name"] == name)
    return link


def tensor(inertia):
    xx, xy, xz, yy, yz, zz = (inertia[name] for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def assert_same_body(one, other, tolerance):
    """Masses relatively, centres of mass in units of the body's size, tensors in units of their trace."""
    assert one["mass"] == pytest.approx(other["mass"], rel=tolerance)
    J = tensor(one["inertia"])
    size = np.sqrt(np.trace(J) / one["mass"])
    assert_close(one["com"], other["com"], tolerance * size)
    assert_close(J, tensor(other["inertia"]), tolerance * np.trace(J))


def assert_close(one, other, tolerance):
    np.testing.assert_allclose(one, other, rtol=0.0, atol=tolerance)


def findings_of(model):
    bodies = [*model["links"], *(part for link in model["links"] for part in link["parts"])]
    findings = [finding for body in (model, *bodies) for finding in body["findings"]]
    return {(finding["severity"], finding["code"], finding["subject"]) for finding in findings}


# --- the scenes ------------------------------------------------------------------------------------------------------


def test_the_script_makes_the_committed_scenes(committed, folder):
    done = run(EXAMPLES / "make_examples.py", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in NAMES:
        remade = export(folder / f"{name}.blend", folder / "remade")
        old, new = committed[name]["links"], remade["links"]
        assert [link["name"] for link in new] == [link["name"] for link in old]
        for a, b in zip(old, new, strict=True):
            assert_close(b["pose"], a["pose"], 1e-9)
            assert_same_body(b, a, 1e-9)
            assert [part["name"] for part in b["parts"]] == [part["name"] for part in a["parts"]]
            for part_a, part_b in zip(a["parts"], b["parts"], strict=True):
                assert_same_body(part_b, part_a, 1e-9)


def test_the_examples_are_small():
    for name in NAMES:
        assert 0 < (EXAMPLES / f"{name}.blend").stat().st_size < 300_000


def test_the_examples_show_every_geometry_and_every_mode(committed):
    links = [link for model in committed.values() for link in model["links"]]
    assert {link["inertia_mode"] for link in links} == {"auto", "filled", "manual"}
    geometries = {part["geometry"] for link in links for part in link["parts"]}
    assert geometries == {"mesh", "box", "sphere", "cylinder", "capsule", "cone", "ellipsoid"}
    assert {part["method"] for link in links for part in link["parts"]} == {"primitive", "exact", "voxel"}


def test_nothing_is_wrong_with_the_examples(committed):
    mirrored = {"rover": ("wheel_front_right", "wheel_rear_right"), "gripper": ("finger_right",)}
    wheels = [f"wheel_{end}_{side}" for end in ("front", "rear") for side in ("left", "right")]
    bent = {"rover": ("chassis/sample", *(f"{wheel}/{wheel}_tyre" for wheel in wheels)), "gripper": ("elbow/elbow",)}
    # A bearing in a bore of flat facets, a cap over an edge, ribs set in rubber: below a thousandth of the link's mass.
    overlap = {"rover": (), "gripper": ("base", "wrist", "finger_left", "finger_right")}
    for name, model in committed.items():
        expected = {("info", "link_mirrored", link) for link in mirrored[name]}
        expected |= {("info", "collisions_overlap", link) for link in overlap[name]}
        expected |= {("info", "bent_quads", part) for part in bent[name]}
        expected |= {("info", "drake_needs_file_uris", name)}
        assert findings_of(model) == expected


# --- the numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_parts_add_up_to_their_link(committed, name):
    for link in committed[name]["links"]:
        if link["inertia_mode"] == "manual":
            continue
        parts = link["parts"]
        masses = np.array([part["mass"] for part in parts])
        assert masses.sum() == pytest.approx(link["mass"], rel=ROUNDING)
        com = masses @ np.array([part["com"] for part in parts]) / masses.sum()
        J = tensor(link["inertia"])
        assert_close(com, link["com"], ROUNDING)
        total = sum(tensor(part["inertia_at_link_com"]) for part in parts)
        assert_close(total, J, ROUNDING * np.trace(J))


@pytest.mark.parametrize(("name", "low", "high"), [("rover", 5.0, 12.0), ("gripper", 0.8, 1.2)])
def test_the_masses_in_the_file_add_up_to_the_report(demo, name, low, high):
    folder, printed = demo
    masses = [float(mass.text) for mass in ET.parse(folder / "filled" / name / "model.sdf").iter("mass")]
    links = model_of(folder / "filled" / f"{name}.json")["links"]
    assert len(masses) == len(links) == 7
    total = sum(link["mass"] for link in links)
    assert sum(masses) == pytest.approx(total, rel=1e-9)
    assert low < total < high
    assert f"{name}, filled: {total:.4f} kg" in printed


@pytest.mark.parametrize(
    ("name", "left", "right", "mirror"),
    [
        ("rover", "wheel_front_left", "wheel_front_right", None),
        ("rover", "wheel_rear_left", "wheel_rear_right", None),
        ("gripper", "finger_left", "finger_right", "wrist"),
    ],
)
def test_a_mirrored_copy_has_the_mirrored_inertia(committed, name, left, right, mirror):
    """Mirrored in y = 0 of the model, or of the link `mirror`."""
    model = committed[name]
    frame = (np.eye(3), np.zeros(3)) if mirror is None else pose(link_of(model, mirror))
    S = np.diag([1.0, -1.0, 1.0])
    (mass, com, J), (mass_right, com_right, J_right) = (seen_from(frame, link_of(model, ob)) for ob in (left, right))
    products = np.abs(J[1, [0, 2]]).max()  # those that change sign
    assert products > 1e-4 * np.trace(J)
    assert mass_right == pytest.approx(mass, rel=FLOAT32)
    assert_close(com_right, S @ com, FLOAT32 * np.linalg.norm(com))
    assert_close(J_right, S @ J @ S, FLOAT32 * np.trace(J))
    moments = [link_of(model, ob)["principal"]["moments"] for ob in (left, right)]
    np.testing.assert_allclose(*moments, rtol=FLOAT32)  # type: ignore[call-overload]


def pose(link):
    """Return R and p of a link in its model, SDF's way: R = Rz Ry Rx."""
    x, y, z, *angles = link["pose"]
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return Rz @ Ry @ Rx, np.array([x, y, z])


def seen_from(frame, link):
    """Return mass, centre of mass and tensor of a link in another frame of its model."""
    R, p = pose(link)
    R_frame, p_frame = frame
    turn = R_frame.T @ R
    com = R_frame.T @ (R @ np.array(link["com"]) + p - p_frame)
    return link["mass"], com, turn @ tensor(link["inertia"]) @ turn.T


def box(density, middle, sides):
    x, y, z = sides
    m = density * x * y * z
    return m, np.array(middle), m / 12.0 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])


def cylinder(density, middle, radius, length, axis):
    m = density * pi * radius**2 * length
    moments = np.full(3, m * (3.0 * radius**2 + length**2) / 12.0)
    moments["xyz".index(axis)] = m * radius**2 / 2.0
    return m, np.array(middle), np.diag(moments)


def ball(density, middle, radius):
    m = density * 4.0 / 3.0 * pi * radius**3
    return m, np.array(middle), 0.4 * m * radius**2 * np.eye(3)


def capsule(density, middle, radius, length):
    """A cylinder, and two half-balls whose centres of mass are 3/8 r beyond its ends."""
    mc, mh = density * pi * radius**2 * length, density * 2.0 / 3.0 * pi * radius**3
    across = mc * (3.0 * radius**2 + length**2) / 12.0
    across += 2.0 * mh * (83.0 / 320.0 * radius**2 + (length / 2.0 + 3.0 / 8.0 * radius) ** 2)
    along = mc * radius**2 / 2.0 + 2.0 * mh * 0.4 * radius**2
    return mc + 2.0 * mh, np.array(middle), np.diag([across, across, along])


def joined(*bodies):
    """Add bodies up by Steiner, each component by itself."""
    mass = sum(m for m, _, _ in bodies)
    com = sum(m * c for m, c, _ in bodies) / mass
    total = np.zeros((3, 3))
    for m, c, J in bodies:
        x, y, z = c - com
        total += J
        total[0, 0] += m * (y * y + z * z)
        total[1, 1] += m * (x * x + z * z)
        total[2, 2] += m * (x * x + y * y)
        for i, j, term in ((0, 1, x * y), (0, 2, x * z), (1, 2, y * z)):
            total[i, j] -= m * term
            total[j, i] -= m * term
    return mass, com, total


def assert_is(link, body):
    mass, com, J = body
    assert link["mass"] == pytest.approx(mass, rel=FLOAT32)
    assert_close(link["com"], com, FLOAT32 * np.sqrt(np.trace(J) / mass))
    assert_close(tensor(link["inertia"]), J, FLOAT32 * np.trace(J))


def test_the_caster_is_what_its_closed_forms_say(committed):
    aluminium = 2700.0
    expected = joined(
        box(aluminium, (0.0, 0.0, -0.019), (0.024, 0.016, 0.038)),
        box(aluminium, (0.0, 0.0, -0.041), (0.024, 0.07, 0.006)),
        box(aluminium, (0.0, 0.0325, -0.072), (0.024, 0.005, 0.056)),
        box(aluminium, (0.0, -0.0325, -0.072), (0.024, 0.005, 0.056)),
        cylinder(7850.0, (0.0, 0.0, -0.057), 0.007, 0.026, "z"),
        ball(1410.0, (0.0, 0.0, -0.097), 0.027),
    )
    assert_is(link_of(committed["rover"], "caster"), expected)


def test_the_upper_arm_is_what_its_closed_forms_say_in_millimetres(committed):
    mm = 1e-3
    spacers = [
        cylinder(8500.0, (0.0, side * (14.0 + length / 2.0) * mm, z * mm), 8.0 * mm, length * mm, "y")
        for z, length in ((0.0, 8.0), (120.0, 2.0))
        for side in (1.0, -1.0)
    ]
    expected = joined(capsule(1600.0, (0.0, 0.0, 60.0 * mm), 14.0 * mm, 120.0 * mm), *spacers)
    assert_is(link_of(committed["gripper"], "shoulder"), expected)


def test_what_was_weighed_or_copied_from_a_data_sheet_is_reported_so(committed):
    assert link_of(committed["rover"], "sensor_head")["mass"] == pytest.approx(0.48, rel=1e-12)
    assert link_of(committed["gripper"], "elbow")["mass"] == pytest.approx(0.062, rel=1e-12)
    motor = link_of(committed["gripper"], "motor")
    assert motor["mass"] == 0.094
    assert motor["com"] == pytest.approx([0.0, 0.0, -0.0035], rel=1e-12)
    assert tensor(motor["inertia"]) == pytest.approx(np.diag([1.36e-5, 1.36e-5, 4.9e-6]), rel=1e-12)


def test_modifiers_count(committed):
    """Eight ribs by an array of one; a sheet without volume by solidify."""
    parts = {part["name"]: part for link in committed["gripper"]["links"] for part in link["parts"]}
    assert parts["finger_left_ribs"]["volume"] == pytest.approx(8 * 12e-3 * 1.6e-3 * 2.4e-3, rel=FLOAT32)
    assert parts["palm"]["volume"] > 2.5e-3 * 30e-3 * 90e-3


# --- the runs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_same_scene_gives_the_same_bytes(committed, folder, name):
    assert export(EXAMPLES / f"{name}.blend", folder / "again") == committed[name]
    first, second = contents(folder / "committed", name), contents(folder / "again", name)
    assert {f"{name}.json", f"{name}.md", f"{name}/model.config", f"{name}/model.sdf"} <= set(first)
    assert first == second


def contents(folder, name):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in files
        if path.relative_to(folder).parts[0].startswith(name)
    }


def test_the_demo_writes_each_example_in_both_modes(demo):
    folder, printed = demo
    for name in NAMES:
        auto, filled = (ET.parse(folder / mode / name / "model.sdf") for mode in ("auto", "filled"))
        assert not filled.findall(".//inertial[@auto='true']")
        manual = 1 if name == "gripper" else 0
        assert len(auto.findall(".//inertial[@auto='true']")) == 7 - manual
        links = [link["name"] for link in model_of(folder / "filled" / f"{name}.json")["links"]]
        assert [printed.count(f"\n{link} (") for link in links] == [1] * 7


def test_auto_never_overrides_the_motors_data_sheet(demo):
    folder, _ = demo
    found = findings_of(model_of(folder / "auto" / "gripper.json"))
    codes = {code: subject for _, code, subject in found if code != "collisions_overlap"}
    subjects = {"link_mirrored": "finger_right", "bent_quads": "elbow/elbow"}
    assert codes == subjects | {"auto_not_possible": "motor", "drake_needs_file_uris": "gripper"}


def test_a_demo_that_cannot_export_says_so(tmp_path, monkeypatch, capfd):
    spec = spec_from_file_location("examples_demo", EXAMPLES / "demo.py")
    demo = module_from_spec(spec)
    spec.loader.exec_module(demo)
    monkeypatch.setattr(demo, "EXAMPLES", ("no_such_example",))
    monkeypatch.setattr(demo, "MODES", ("auto",))
    assert demo.main(tmp_path) == 1
    assert "no_such_example, auto: FAILED with exit status 2" in capfd.readouterr().out
