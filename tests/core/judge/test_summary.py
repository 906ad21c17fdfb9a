# SPDX-License-Identifier: GPL-3.0-or-later
"""The line on all links of a file, and the badge: a box of 0.1 x 0.2 x 0.3 m and 1 kg has known moments."""

import json
from functools import partial

import pytest

from core.mesh.diagnosis.crossings import crossing_pairs
from core.mesh.policy import rough_moments
from tests.core.command_line import run, run_json
from tests.core.work import calls_of

MOMENTS = (0.13 / 12, 0.1 / 12, 0.05 / 12)  # m (b² + c²) / 12 for each pair of sides
BOX = '<geometry><box size="0.1 0.2 0.3"/></geometry>'
LARGER = '<geometry><box size="0.2 0.4 0.6"/></geometry>'
UNREAD = '<geometry><mesh filename="missing.stl"/></geometry>'
IMPOSSIBLE = (1e-3, 1e-3, 1e-2)


def link(name, moments=MOMENTS, collision=BOX, visual="", mass=1.0, com=(0.0, 0.0, 0.0)):
    xx, yy, zz = moments or (0, 0, 0)
    tensor = f'<inertia ixx="{xx!r}" ixy="0" ixz="0" iyy="{yy!r}" iyz="0" izz="{zz!r}"/>'
    origin = f'<origin xyz="{com[0]} {com[1]} {com[2]}"/>'
    inertial = f'<inertial>{origin}<mass value="{mass!r}"/>{tensor}</inertial>' if moments else ""
    shapes = [f"<{tag}>{own}</{tag}>" for tag, own in (("collision", collision), ("visual", visual)) if own]
    return f'<link name="{name}">{inertial}{"".join(shapes)}</link>'


def scaled(factor):
    return tuple(factor * moment for moment in MOMENTS)


def summary(capsys, path):
    return run_json(capsys, "check", path, "--json")[1]["files"][0]["summary"]


def test_the_tensor_of_the_box_agrees(robot, capsys):
    path = robot(link("a"), link("b"))
    assert summary(capsys, path) == {
        **{"links": 2, "possible": 2, "agree": 2, "differ": 0, "not_compared": 0, "reasons": {}},
        **{"largest_difference": None, "largest_factor": None},
    }
    assert run("check", path) == 0
    assert "  2 links: no invalid inertial; 2 agree with their geometry within 5 %" in capsys.readouterr().out


def test_a_tensor_1_2_times_the_boxes_differs_by_a_fifth_of_ixx(robot, capsys):
    # the largest component's difference is 0.2 Ixx, over the trace
    path = robot(link("a", scaled(1.2)), link("b"))
    expected = 0.2 * MOMENTS[0] / sum(MOMENTS)
    assert summary(capsys, path)["largest_difference"] == pytest.approx(expected, rel=1e-9)
    assert run("check", path) == 0  # no fault
    assert "1 agrees with its geometry within 5 %, 1 differs by 9.3 %" in capsys.readouterr().out


@pytest.mark.parametrize("factor", [1 / 3600, 3600])
def test_a_tensor_far_too_small_or_large_differs_by_the_factor(factor, robot, capsys):
    run("check", robot(link("a", scaled(factor))))
    assert "1 differs by a factor of 3600" in capsys.readouterr().out


def test_the_nearer_of_collision_and_visual_counts(robot, capsys):
    assert summary(capsys, robot(link("a", collision=LARGER)))["agree"] == 0
    assert summary(capsys, robot(link("a", collision=LARGER, visual=BOX)))["agree"] == 1
    assert summary(capsys, robot(link("a", collision=BOX, visual=LARGER)))["agree"] == 1


@pytest.mark.fault(177)
def test_links_without_inertial_geometry_or_mesh_are_not_compared(robot, capsys):
    counts = summary(capsys, robot(link("a"), link("b", None), link("c", collision=""), link("d", collision=UNREAD)))
    assert (counts["links"], counts["agree"], counts["not_compared"]) == (4, 1, 3)
    assert sum(counts["reasons"].values()) == 3 and "without geometry" in counts["reasons"]


def test_an_impossible_link_is_counted_as_such(robot, capsys):
    path = robot(link("a"), link("b", IMPOSSIBLE))
    assert run("check", path) == 1
    assert (
        "  2 links: 1 invalid inertial; of 1 valid one, 1 agrees with its geometry within 5 %"
        in capsys.readouterr().out
    )


def test_the_visual_of_an_auto_model_is_not_the_inertial_of_a_file(tmp_path, capsys):
    path = tmp_path / "m.sdf"
    collision = "<collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>"
    link_text = f"<link name='l'><inertial auto='true'/>{collision}</link>"
    path.write_text(f"<sdf version='1.11'><model name='m'>{link_text}</model></sdf>")
    assert summary(capsys, path)["not_compared"] == 1


@pytest.mark.parametrize(("factor", "agree"), [(1.0, 1), (1.12, 1), (1.14, 0)])  # 3.25 / 8.5 of it is in one moment
def test_dense_meshes_need_no_search_for_crossings(factor, agree, robot, capsys, crossing_boxes):
    moments = tuple(factor * 1500.0 / 12.0 * squares for squares in (2.0, 3.25, 3.25))
    path = robot(link("a", moments, crossing_boxes, mass=1500.0, com=(0.75, 0.5, 0.5)))
    check = partial(run, "check", path)
    assert (calls_of(crossing_pairs, check), calls_of(rough_moments, check)) == (0, 1)
    capsys.readouterr()
    assert summary(capsys, path)["agree"] == agree


@pytest.mark.parametrize(
    ("links", "color", "message"),
    [
        ((link("a"), link("b")), "brightgreen", "all 2 inertials valid, 2 match geometry"),
        ((link("a"), link("b", IMPOSSIBLE)), "red", "1 of 2 inertials valid, 1 matches geometry"),
        ((link("a"), link("b", None)), "yellow", "all 2 inertials valid, 1 matches geometry"),
    ],
)
def test_a_badge_shows_the_counts(robot, capsys, links, color, message):
    run("check", robot(*links), "--badge", "-")
    expected = {"schemaVersion": 1, "label": "inertia", "message": message, "color": color}
    assert json.loads(capsys.readouterr().out) == expected


def test_a_badge_is_for_all_files_together(robot, tmp_path, capsys):
    files = robot(link("a"), link("b"), name="one.urdf"), robot(link("a"), name="two.urdf")
    assert run("check", *files, "--badge", tmp_path / "badge.json") == 0
    assert json.loads((tmp_path / "badge.json").read_text())["message"].startswith("all 3 inertials valid, 3 match")
    assert "one.urdf: good" in capsys.readouterr().out


@pytest.mark.fault(175)
def test_a_badge_of_an_unread_file_is_grey(tmp_path, capsys):
    assert run("check", tmp_path / "gone.urdf", "--badge", "-") == 2
    assert json.loads(capsys.readouterr().out)["color"] == "lightgrey"


def test_a_known_error_does_not_make_the_badge_green(robot, tmp_path, capsys):
    path = robot(link("a"), link("b", IMPOSSIBLE))
    known = tmp_path / "known.json"
    run("check", path, "--json")
    known.write_text(capsys.readouterr().out)
    assert run("check", path, "--baseline", known, "--badge", "-") == 0
    assert json.loads(capsys.readouterr().out)["color"] == "red"


def test_a_badge_that_cannot_be_written_is_status_2(robot, tmp_path, capsys):
    assert run("check", robot(link("a")), "--badge", tmp_path / "no" / "badge.json") == 2
    assert "cannot write" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["1e-200", "1e150", "1e200"])
def test_absurd_sizes_and_masses_still_give_json(robot, capsys, size):
    absurd = f'<geometry><box size="{size} {size} {size}"/></geometry>'
    path = robot(link("a"), link("b", collision=absurd), link("c", (1e300, 1e300, 1e300), absurd, "", 1e300), link("d"))
    _, answer = run_json(capsys, "check", path, "--json", "--total-mass", 1e-9)
    assert answer["files"][0]["summary"]["agree"] == 2
    assert "bad_mass" in [one["code"] for one in answer["files"][0]["findings"]]
