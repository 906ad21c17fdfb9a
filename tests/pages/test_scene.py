# SPDX-License-Identifier: GPL-3.0-or-later
"""What the running scene holds is what the report says: centres of mass, principal axes, joints."""

import re

import numpy as np
import pytest

from core.body.pose import Pose
from core.formats.table import read_robot_file
from core.robot.joints import posed

from .robots import ARM, DESK_ARM, ROBOTS, ball_and_followers, every_joint

CLOSE = 1e-6

FRAMES = """() => sdfInertia.scene.links.map(link => ({
    name: link.name,
    pose: link.group.matrixWorld.elements,
    marks: Object.fromEntries(
        Object.entries(link.marks).map(([kind, mark]) => [kind, mark.frame.matrixWorld.elements])
    ),
}))"""


def matrix(elements):
    return np.array(elements).reshape(4, 4).T  # three.js keeps columns


def worst(page, path, numbers):
    """Return the largest difference between the scene and the report, and how many links were compared."""
    differences = [0.0]
    models = {one.model.name: one.pose for one in read_robot_file(path).robots()}
    alone = next(iter(models.values()))
    frames = {frame["name"]: frame for frame in page.evaluate(FRAMES)}
    for name, link in numbers.items():
        if link["com"] is None:
            continue
        given = frames[name]["marks"].get("published") or frames[name]["marks"]["computed"]
        seen, X = matrix(given), models.get(name.partition("::")[0], alone) @ Pose.from_sdf(link["pose"])
        differences.append(np.abs(seen[:3, 3] - (X.R @ link["com"] + X.p)).max())
        differences.append(np.abs(seen[:3, :3].T - np.array(link["principal"]["axes"]) @ X.R.T).max())
    return max(differences), len(differences) // 2


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_centres_and_axes_in_the_scene_are_those_of_the_report(path, opened, page_of, numbers_of, picture):
    if not path.exists():
        pytest.skip(f"there is no {path.name} here")
    page, numbers = opened(page_of(path)), numbers_of(path)
    difference, count = worst(page, path, numbers)
    assert count == sum(link["com"] is not None for link in numbers.values()) > 0
    assert difference <= CLOSE
    picture(page, path.stem)


@pytest.mark.parametrize("path", [ARM, DESK_ARM], ids=lambda path: path.stem)
def test_a_page_with_two_axes_exchanged_is_found_wrong(path, browser, page_of, numbers_of, tmp_path, opened):
    text = page_of(path).read_text(encoding="utf-8")
    broken = tmp_path / "broken.html"
    changed = text.replace("makeBasis(x, y, z)", "makeBasis(y, x, z)")
    assert changed != text
    # Its policy names the right script, so a browser would run no other.
    broken.write_text(re.sub(r"<meta http-equiv=[^>]*>", "", changed), encoding="utf-8")
    difference, count = worst(opened(broken), path, numbers_of(path))
    assert count > 0 and difference > 0.1


def test_the_policy_of_a_page_lets_no_other_script_run(browser, page_of, tmp_path):
    text = page_of(ARM).read_text(encoding="utf-8")
    changed = tmp_path / "changed.html"
    changed.write_text(text.replace("makeBasis(x, y, z)", "makeBasis(x, y, z) "), encoding="utf-8")
    page = browser.new_page()
    page.goto(changed.as_uri())
    assert page.evaluate("typeof sdfInertia") == "undefined"
    page.close()


def slide(slider, value):
    slider.evaluate("(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }", value)


@pytest.fixture
def joints(tmp_path):
    path = tmp_path / "joints.sdf"
    path.write_text(every_joint(), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["desk_arm", "joints"])
def test_sliders_move_links_as_core_does(name, opened, page_of, joints):
    path = {"desk_arm": DESK_ARM, "joints": joints}[name]
    (robot,) = read_robot_file(path).robots()
    page = opened(page_of(path))
    positions = {}
    for number, joint in enumerate(robot.model.joints):
        slider = page.locator(f"#joint-{number}-0")
        if slider.count():
            slide(slider, 0.1 + 0.7 * (number % 3) / 3.0)
            positions[joint.name] = float(slider.input_value())
    moving = [joint.name for joint in robot.model.joints if joint.kind != "fixed"]
    assert [*positions] == moving and len(moving) >= 4
    moved = posed({link.name: link.pose for link in robot.model.links}, robot.model.joints, positions)
    frames = {frame["name"]: matrix(frame["pose"]) for frame in page.evaluate(FRAMES)}
    assert len(moved) >= 4
    for link, X in moved.items():
        np.testing.assert_allclose(frames[link][:3, :3], X.R, atol=1e-12)
        np.testing.assert_allclose(frames[link][:3, 3], X.p, atol=1e-12)
    page.locator("#zero").click()
    frames = {frame["name"]: matrix(frame["pose"]) for frame in page.evaluate(FRAMES)}
    assert all(np.array_equal(frames[link.name][:3, 3], link.pose.p) for link in robot.model.links)


def test_a_ball_turns_about_three_axes_and_followers_follow(opened, page_of, tmp_path):
    path = tmp_path / "followers.sdf"
    path.write_text(ball_and_followers(), encoding="utf-8")
    (robot,) = read_robot_file(path).robots()
    page = opened(page_of(path))
    assert page.locator("#joints input").count() == 4 and "follows leader" in page.locator("#joints").inner_text()
    for number, value in enumerate((0.3, -0.4, 0.5, 0.25)):  # roll, pitch and yaw of the ball, and the leader
        slide(page.locator("#joints input").nth(number), value)
    assert page.locator("#joints output").all_inner_texts() == ["17°", "-23°", "29°", "14°", "-23°", "6°"]
    poses, joints = {link.name: link.pose for link in robot.model.links}, robot.model.joints
    moved = posed(poses, joints, {"leader": 0.25, "second": -0.4, "third": 0.1})
    there = poses["of_ball"] @ joints[0].pose
    turned = there @ Pose.from_sdf((0, 0, 0, 0.3, -0.4, 0.5)) @ there.inverse()
    frames = {frame["name"]: matrix(frame["pose"]) for frame in page.evaluate(FRAMES)}
    assert [*moved] == ["of_leader", "of_second", "of_third"]
    for name, X in {"of_ball": poses["of_ball"], **moved}.items():
        np.testing.assert_allclose(frames[name][:3, :3], (turned @ X).R, atol=1e-12)
        np.testing.assert_allclose(frames[name][:3, 3], (turned @ X).p, atol=1e-12)
