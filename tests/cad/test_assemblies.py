# SPDX-License-Identifier: GPL-3.0-or-later
"""From an assembly and its bill of materials to links: the table, the totals, the robot in three formats."""

import json
import re

import numpy as np
import pytest
from OCP.gp import gp_Pnt, gp_Trsf
from OCP.TopLoc import TopLoc_Location

from core import InertiaError, read_robot, read_step
from core.cli.main import main
from tests.core.cli.test_terminal import at_a_terminal, plain
from tests.core.formats.step_answers import PATH
from tools.house import CHECKOUT

from . import step_files
from .recorded import answer
from .step_files import SOLIDS

ARM, BOM = CHECKOUT / "examples" / "cad" / "arm.step", CHECKOUT / "examples" / "cad" / "bom.csv"


@pytest.fixture(scope="module")
def nested(tmp_path_factory):
    return step_files.write(step_files.nested(), tmp_path_factory.mktemp("nested") / "nested.step")


def run(*words):
    return main([str(word) for word in words])


def two_balls(path):
    """Write two balls of a litre each, 1 m from the middle."""
    drawing = step_files.Drawing()
    radius = (3.0 / (4.0 * np.pi)) ** (1.0 / 3.0) * 100.0
    ball = drawing.part("ball", step_files.ball(radius), step_files.GREY)
    drawing.assembly("pair", (ball, step_files.moved((1000, 0, 0))), (ball, step_files.moved((-1000, 0, 0))))
    return step_files.write(drawing, path)


def test_a_kilogram_a_metre_away_adds_a_kilogram_square_metre(tmp_path):
    report = read_step(two_balls(tmp_path / "pair.step"), density=1000.0).report()
    (link,) = report.to_dict()["models"][0]["links"]
    by_themselves = [part["inertia"]["izz"] for part in link["parts"]]
    moved = [part["inertia_at_link_com"]["izz"] for part in link["parts"]]
    assert link["mass"] == pytest.approx(2.0, rel=1e-12) and np.allclose(link["com"], 0.0, atol=1e-12)
    assert np.subtract(moved, by_themselves) == pytest.approx(1.0, rel=1e-9)  # of each ball
    assert link["inertia"]["izz"] == pytest.approx(sum(moved), rel=1e-12)
    assert link["inertia"]["izz"] > sum(by_themselves) + 1.9
    assert link["inertia"]["ixx"] == pytest.approx(sum(part["inertia"]["ixx"] for part in link["parts"]), rel=1e-9)
    assert report.all_findings == ()  # no warning for well-formed parts


def test_a_link_is_the_sum_of_its_parts_in_closed_form(nested):
    """The same sum by another way: second moments about the origin, from the placements alone."""
    (body,) = read_step(nested, density=1000.0).robot.bodies
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for part in body.parts:
        inertial = part.inertial
        mass += inertial.mass
        first += inertial.mass * inertial.com
        second += np.eye(3) * np.trace(inertial.inertia) / 2.0 - inertial.inertia
        second += inertial.mass * np.outer(inertial.com, inertial.com)
    com = first / mass
    second -= mass * np.outer(com, com)
    np.testing.assert_allclose(body.inertial.com, com, rtol=1e-12)
    np.testing.assert_allclose(body.inertial.inertia, np.eye(3) * np.trace(second) - second, rtol=1e-9, atol=1e-15)


def test_the_table_has_every_column_of_the_bill(capsys):
    assert run("report", ARM, "--bom", BOM, "--links", "first") == 0
    text = capsys.readouterr().out
    assert "| Base plate | 1 | 1 | EN AW-6061 T6 (Aluminium 6061) | row's material | 2700 | 3 | name |" in text
    assert "| Motor XM430 | 1 | 1 |  | row's mass | 2226.6 | 7 | name | 8.200000e-02 |" in text
    assert run("report", ARM, "--bom", BOM, "--links", "first", "--format", "json") == 0
    links = json.loads(capsys.readouterr().out)["models"][0]["links"]
    assert [link["name"] for link in links] == ["base", "upper_arm", "hand"]
    screw = links[0]["parts"][2]
    assert (screw["count"], screw["row"], screw["matched"], screw["source"]) == (6, 5, "name", "row's material")
    assert (screw["rows"], screw["product"]) == ([5, 9], "Screw M4x16")
    assert run("report", ARM, "--bom", BOM, "--format", "csv") == 0
    head = capsys.readouterr().out.splitlines()[0]
    assert head.endswith(",product,number,in_assembly,material,source,bom_lines,matched")


def test_a_terminal_names_the_link_of_each_table():
    shown = plain(at_a_terminal("report", ARM, "--bom", BOM, "--links", "first"))
    tables = dict(re.findall(r"^link: (\w+)\n(.*?)(?=^link)", shown, re.MULTILINE | re.DOTALL))
    screws = {name: re.findall(r"Screw M4x16 .*? (\d+) +(\d+, \d+) ", table) for name, table in tables.items()}
    assert screws == {"base": [("4", "5, 9")], "upper_arm": [("2", "5, 9")]}
    assert "link: hand" in shown and "total of 3 links" in shown


def test_links_are_in_their_own_frames():
    first = read_step(ARM, BOM, "first")
    whole = read_step(ARM, BOM).links["arm"]
    poses = {body.name: body.pose for body in first.robot.bodies}
    assert poses["hand"].p == pytest.approx([0.0, 0.0, 0.294])
    total = first.report().to_dict()["models"][0]["total"]
    assert total["mass"] == pytest.approx(whole.mass, rel=1e-12)
    np.testing.assert_allclose(total["com"], whole.com, rtol=1e-9, atol=1e-15)


def test_links_are_chosen_by_patterns_of_paths(tmp_path):
    chosen = tmp_path / "links.csv"
    chosen.write_text("link,match\nlower,base\nlower,upper_arm/Motor*\nupper,upper_arm/[BS]*\nupper,hand\n")
    robot = read_step(ARM, BOM, chosen)
    assert [len(body.parts) for body in robot.robot.bodies] == [7, 6]
    for text, words in (
        ("link,match\nlower,base\n", "7 parts belong to no link"),
        ("link,match\nlower,base\nupper,*\n", "belongs to the links 'lower' and 'upper'"),
        ("link,match\nlower,bse\n", "no part matches 'bse'"),
        ("name,match\nlower,base\n", "unknown column 'name'"),
    ):
        chosen.write_text(text)
        with pytest.raises(InertiaError, match=words):
            read_step(ARM, BOM, chosen)


def test_a_weighed_link_keeps_its_centre_and_shape():
    plain, weighed = read_step(ARM, BOM, "first"), read_step(ARM, BOM, "first", weighed={"hand": 0.5})
    before, after = plain.links["hand"], weighed.links["hand"]
    assert after.mass == 0.5 and (after.com == before.com).all()
    np.testing.assert_allclose(after.inertia, before.inertia * (0.5 / before.mass), rtol=1e-12)
    with pytest.raises(InertiaError, match="no link 'foot'"):
        read_step(ARM, BOM, "first", weighed={"foot": 0.5})


def test_the_parts_of_a_weighed_link_show_the_density_they_get():
    (link,) = read_step(ARM, density=1000.0, weighed={"arm": 0.5}).robot.bodies
    for part in link.parts:
        assert part.density * part.volume == pytest.approx(part.inertial.mass, rel=1e-12)
        assert part.origin.source == "density for all, scaled"
    assert link.findings == ()
    (finding,) = read_step(ARM, density=1000.0, weighed={"arm": 500.0}).robot.bodies[0].findings
    assert (finding.severity, finding.code) == ("warning", "implied_density")


def test_a_scaled_placement_has_no_mass_of_its_row(tmp_path):
    drawing = step_files.Drawing()
    cube = drawing.part("cube", step_files.box((0, 0, 0), (10, 10, 10)), step_files.GREY)
    double = gp_Trsf()
    double.SetScale(gp_Pnt(0, 0, 0), 2.0)
    drawing.assembly("top", (cube, step_files.moved((0, 50, 0))), (cube, TopLoc_Location(double)))
    path, bom = step_files.write(drawing, tmp_path / "a.step"), tmp_path / "bom.csv"
    bom.write_text("Name,Qty,Mass (g)\ncube,2,2.7\n")
    (link,) = read_step(path, bom).robot.bodies
    assert link.inertial is None
    assert [finding.code for part in link.parts for finding in part.findings] == ["bom_density"]
    assert read_step(path, density=1000.0).links["top"].mass == pytest.approx(0.009)


def test_a_product_without_a_shape_is_named(tmp_path):
    drawing = step_files.Drawing()
    pin, plate = (
        drawing.part(name, step_files.box((0, 0, 0), (size, 10, 10)), step_files.GREY)
        for name, size in (("pin", 10), ("plate", 50))
    )
    branches = [drawing.assembly(f"s{index}", (pin, step_files.moved()), (plate, step_files.moved())) for index in "ab"]
    drawing.assembly("top", *((branch, step_files.moved((100 * i, 0, 0))) for i, branch in enumerate(branches)))
    path = step_files.write(drawing, tmp_path / "a.step")
    assert read_step(path, density=1000.0).robot.assembly.findings == ()
    text = path.read_text(encoding="latin-1")
    word = text.rindex("SHAPE_DEFINITION_REPRESENTATION", 0, text.index("PRODUCT('plate'"))
    path.write_text(text[: text.rindex("#", 0, word)] + text[text.index(";", word) + 1 :], encoding="latin-1")
    (finding,) = (
        one for one in read_step(path, density=1000.0).robot.assembly.findings if one.code == "lost_component"
    )
    assert finding.message.startswith("'plate' is used 2 times and has no shape in the file")


def test_siblings_of_like_names_stay_apart(tmp_path):
    drawing = step_files.Drawing()
    small, large = (
        drawing.part(name, step_files.box((0, 0, 0), (size, 10, 10)), step_files.GREY)
        for name, size in (("a", 10), ("a:2", 20))
    )
    places = ((small, "a"), (small, "a"), (large, "a:2"))
    drawing.assembly("top", *((part, step_files.moved((30 * i, 0, 0)), name) for i, (part, name) in enumerate(places)))
    links = read_step(step_files.write(drawing, tmp_path / "a.step"), links="first", density=1000.0).links
    assert [inertial.mass for inertial in links.values()] == pytest.approx([0.001, 0.001, 0.002])


def test_part_numbers_tell_products_of_one_name_apart(tmp_path):
    drawing = step_files.Drawing()
    small, large = (
        drawing.part("bracket", step_files.box((0, 0, 0), (size, 10, 10)), step_files.GREY) for size in (10, 20)
    )
    drawing.assembly("top", (small, step_files.moved()), (large, step_files.moved((50, 0, 0))))
    path, bom = step_files.write(drawing, tmp_path / "a.step"), tmp_path / "bom.csv"
    text = path.read_text(encoding="latin-1")
    for number in ("A-1", "A-2"):
        text = text.replace("PRODUCT('bracket',", f"PRODUCT('{number}',", 1)
    path.write_text(text, encoding="latin-1")
    bom.write_text("Part Number,Name,Qty,Material\nA-1,bracket,1,Steel\nA-2,bracket,1,PLA\n")
    (link,) = read_step(path, bom).robot.bodies
    assert [part.inertial.mass for part in link.parts] == pytest.approx([7.85e-3, 2.48e-3])


def test_links_of_several_roots_are_chosen_by_paths_from_the_root(tmp_path):
    drawing = step_files.Drawing()
    cube = drawing.part("cube", step_files.box((0, 0, 0), (10, 10, 10)), step_files.GREY)
    for index, name in enumerate(("left", "right")):
        drawing.assembly(name, (cube, step_files.moved((0, 50 * index, 0))))
    path, chosen = step_files.write(drawing, tmp_path / "a.step"), tmp_path / "links.csv"
    chosen.write_text("link,match\nl,left/cube\nr,right\n")
    links = read_step(path, links=chosen, density=1000.0).links
    assert [inertial.com[1] for inertial in links.values()] == pytest.approx([0.005, 0.055])


def test_a_refused_link_leaves_the_yaml_as_it_is(tmp_path, nested):
    yaml = tmp_path / "a.yaml"
    yaml.write_text("inertials: {}\n")
    assert run("report", nested, "--inertials", yaml, "--quiet") == 1
    assert yaml.read_text() == "inertials: {}\n"


def test_nothing_is_made_up_for_a_part_that_nobody_weighs(capsys, nested):
    assert run("report", nested) == 1
    assert "ring: nothing says what it weighs [no_density]" in " ".join(capsys.readouterr().err.split())
    (body,) = read_step(nested).robot.bodies
    assert body.inertial is None and body.refused
    assert run("check", nested) == 0  # a warning there: densities that nobody chose
    assert "[no_density]" in capsys.readouterr().out


def test_the_yaml_of_a_link_made_by_hand(tmp_path):
    """A box of 30 × 50 × 70 mm at (3, 4, 5) mm, of 1000 kg/m³."""
    path, yaml = step_files.part_file(tmp_path / "a.step", SOLIDS["box"][0], "box"), tmp_path / "a.yaml"
    assert run("report", path, "--density", "1000", "--inertials", yaml, "--quiet") == 0
    numbers = [float(word) for word in re.findall(r"[-+]?\d+\.\d*(?:e[-+]\d+)?", yaml.read_text())]
    mass, (x, y, z) = 0.105, (0.018, 0.029, 0.040)
    xx, yy, zz = (mass / 12 * (a**2 + b**2) for a, b in ((0.05, 0.07), (0.03, 0.07), (0.03, 0.05)))
    assert numbers == pytest.approx([mass, x, y, z, 0, 0, 0, xx, 0, 0, yy, 0, zz], rel=1e-9, abs=1e-18)
    assert re.sub(r"[-+]?\d+\.\d*(e[-+]\d+)?", "0", yaml.read_text()) == (
        'inertials:\n  "box":\n    mass: 0\n    origin: {xyz: [0, 0, 0], rpy: [0, 0, 0]}\n'
        "    inertia: {ixx: 0, ixy: 0, ixz: 0, iyy: 0, iyz: 0, izz: 0}\n"
    )


def test_a_sheet_needs_a_mass_and_a_thickness(tmp_path):
    drawing = step_files.Drawing()
    plate = drawing.part("plate", step_files.explored(step_files.box((0, 0, 0), (100, 200, 1)))[-1], step_files.GREY)
    drawing.assembly("top", (plate, step_files.moved()))
    path, bom = step_files.write(drawing, tmp_path / "a.step"), tmp_path / "bom.csv"
    bom.write_text("Name,Mass (g)\nplate,54\n")
    assert read_step(path, bom).links["top"] is None
    sheet = read_step(path, bom, thickness=0.001).links["top"]
    expected = 0.054 / 12 * np.array([0.2**2, 0.1**2, 0.1**2 + 0.2**2])
    assert sheet.mass == pytest.approx(0.054) and np.diag(sheet.inertia) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", ("arm.sdf", "arm.urdf", "arm.xml"))
def test_a_robot_of_it_weighs_the_same_in_every_format(tmp_path, capsys, name):
    output = tmp_path / "out" / name
    assert run("convert", ARM, "--bom", BOM, "--links", "first", "-o", output) == 0
    assert "STEP has no joints: 2 links are fixed to 'base'" in capsys.readouterr().err
    assert run("check", output) == 0
    source = read_step(ARM, BOM, "first").links
    written = {name.rpartition("::")[2]: link.inertial for name, link in read_robot(output).links.items()}
    assert written.keys() == source.keys()
    for link, inertial in source.items():
        assert written[link].mass == pytest.approx(inertial.mass, rel=1e-9)
        np.testing.assert_allclose(written[link].principal().moments, inertial.principal().moments, rtol=2e-9)
    meshes = sorted(path.name.partition("-")[0] for path in (tmp_path / "out" / "meshes").iterdir())
    assert meshes == ["Base_plate", "Beam", "Finger_1", "Finger_2", "Motor_XM430_1", "Palm", "Post", "Screw_M4x16_1"]


def test_colours_of_cad_arrive_in_the_robot(tmp_path):
    output = tmp_path / "arm.urdf"
    assert run("convert", ARM, "--bom", BOM, "-o", output, "--quiet") == 0
    colors = {tuple(map(float, rgba.split())) for rgba in re.findall(r'<color rgba="([^"]+)"', output.read_text())}
    assert (0.8, 0.15, 0.1, 1.0) in colors and len(colors) == 4  # as in the STEP file


def test_mujoco_simulates_what_the_table_says(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    output = tmp_path / "arm.xml"
    assert run("convert", ARM, "--bom", BOM, "--links", "first", "-o", output, "--quiet") == 0
    model = mujoco.MjModel.from_xml_path(str(output))
    masses = {model.body(index).name: float(model.body(index).mass[0]) for index in range(1, model.nbody)}
    for name, inertial in read_step(ARM, BOM, "first").links.items():
        assert masses[name] == pytest.approx(inertial.mass, rel=1e-9)


def test_a_refused_assembly_leaves_nothing(tmp_path, capsys, nested):
    output = tmp_path / "out" / "a.sdf"
    assert run("convert", nested, "-o", output) == 1
    assert "nothing is written" in capsys.readouterr().err and not output.parent.exists()


def test_mass_is_that_of_all_parts_at_one_density(capsys, nested):
    assert run("mass", nested, "--density", "1000", "--json") == 0
    body = json.loads(capsys.readouterr().out)
    ring, box, pin = (SOLIDS[name][1][0] for name in ("torus", "box", "cylinder"))
    assert body["mass"] == pytest.approx(2.0 * (ring + box + pin) * 1e-6, rel=1e-9)
    assert run("mass", nested, "--method", "hull") == 1
    assert "leave out --method" in " ".join(capsys.readouterr().err.split())


def test_mass_has_the_densities_of_the_file(tmp_path, capsys):
    drawing = step_files.Drawing()
    parts = [drawing.part(name, step_files.box((0, 0, 0), (10, 10, 10)), step_files.GREY) for name in ("a", "b")]
    drawing.assembly("top", *((part, step_files.moved((20 * i, 0, 0))) for i, part in enumerate(parts)))
    step_files.material(drawing, parts[0], "Steel", 7.85)
    path = step_files.write(drawing, tmp_path / "a.step")
    assert run("mass", path) == 1
    assert "1 of its 2 parts have no density" in " ".join(capsys.readouterr().err.split())
    step_files.material(drawing, parts[1], "PLA", 1.24)
    assert run("mass", step_files.write(drawing, path), "--json") == 0
    assert json.loads(capsys.readouterr().out)["mass"] == pytest.approx(7.85e-3 + 1.24e-3, rel=1e-9)


def test_options_of_step_need_a_step_file(capsys):
    with pytest.raises(SystemExit):
        run("report", CHECKOUT / "examples" / "arm.urdf", "--bom", BOM)
    assert "--bom goes with STEP files" in capsys.readouterr().err


def test_an_inertial_is_never_written_over_an_input(capsys):
    with pytest.raises(SystemExit):
        run("report", ARM, "--bom", BOM, "--inertials", BOM)
    assert "would overwrite" in capsys.readouterr().err


def test_opencascade_answers_as_recorded():
    recorded, answered = json.loads(PATH.read_text(encoding="utf-8")), json.loads(answer())
    for parts in (recorded["parts"], answered["parts"]):
        for part in parts:
            part.pop("mesh")  # its last digits depend on the processor
    assert_alike(answered, recorded)


def assert_alike(value, expected):
    if isinstance(expected, dict):
        assert value.keys() == expected.keys()
        value, expected = list(value.values()), list(expected.values())
    if isinstance(expected, list):
        assert len(value) == len(expected)
        for one, other in zip(value, expected, strict=True):
            assert_alike(one, other)
    elif isinstance(expected, float):
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-6)
    else:
        assert value == expected


def test_options_of_robots_do_not_go_with_step(capsys):
    for words in (["report", ARM, "--for", "mujoco"], ["check", ARM, "--total-mass", "1"]):
        with pytest.raises(SystemExit):
            run(*words)
        assert "`convert` makes one of a STEP file" in " ".join(capsys.readouterr().err.split())
