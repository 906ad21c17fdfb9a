# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user does on a page: click, look, hide, read it on a phone."""

from itertools import combinations

import pytest

from ..versions import CHECKOUT
from .conftest import settle
from .robots import ARM, BIPED, DESK_ARM

CHOSEN = "() => document.querySelector('tr.chosen button')?.textContent ?? null"
BOXES = """() => [...document.querySelectorAll('.label')]
    .filter(one => !one.hidden).map(one => one.getBoundingClientRect().toJSON())"""
CAMERA = "() => ({target: sdfInertia.controls.target.toArray(), position: sdfInertia.camera.position.toArray()})"


def centre_on_screen(page, name):
    """Return where on the screen a link's centre of mass is."""
    return page.evaluate(
        """name => {
            const link = sdfInertia.scene.links.find(one => one.name === name);
            const [x, y] = sdfInertia.pixelOf(sdfInertia.scene.centreOf(link));
            const area = document.getElementById("view").getBoundingClientRect();
            return [area.left + x, area.top + y];
        }""",
        name,
    )


def test_a_click_in_the_scene_selects_the_link(opened, page_of):
    page = opened(page_of(BIPED))
    page.locator("input[name=labels]").uncheck()
    page.locator("input[name=solid][value=none]").check()
    settle(page)
    for link in ("torso", "left_foot", "right_shank"):
        assert page.evaluate(CHOSEN) is None
        page.mouse.click(*centre_on_screen(page, link))
        assert page.evaluate(CHOSEN) == link
        assert page.locator(".numbers:visible h2").all_inner_texts() == [link]
        page.keyboard.press("Escape")
    assert page.evaluate(CHOSEN) is None


def test_a_click_beside_the_robot_selects_nothing(opened, page_of):
    page = opened(page_of(BIPED))
    page.locator("tr[data-link] button").first.click()
    area = page.locator("#view").bounding_box()
    page.mouse.click(area["x"] + 15, area["y"] + area["height"] - 60)
    assert page.evaluate(CHOSEN) is None


def test_a_drag_turns_the_view_and_selects_nothing(opened, page_of):
    page = opened(page_of(BIPED))
    before = page.evaluate(CAMERA)["position"]
    x, y = centre_on_screen(page, "torso")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y, steps=4)
    page.mouse.up()
    assert page.evaluate(CHOSEN) is None
    assert page.evaluate(CAMERA)["position"] != before


def test_a_click_on_a_finding_selects_its_link_and_flies_to_it(opened, page_of, picture):
    page = opened(page_of(ARM))
    before = page.evaluate(CAMERA)
    item = page.locator("#findings li", has_text="upper_arm")
    item.locator("button").first.click()
    assert page.evaluate(CHOSEN) == "upper_arm"
    after = page.evaluate(CAMERA)
    box = page.evaluate(
        "() => sdfInertia.scene.boundsOf(sdfInertia.scene.links[2]).getCenter(new THREE.Vector3()).toArray()"
    )
    assert after["target"] == pytest.approx(box) and before["target"] != pytest.approx(box)
    picture(page, "finding-selected")


def test_the_keyboard_reaches_links_and_the_view(opened, page_of):
    page = opened(page_of(DESK_ARM))
    page.locator("tr[data-link] button").nth(1).focus()
    page.keyboard.press("Enter")
    assert page.evaluate(CHOSEN) == "turret"
    page.locator("#canvas").focus()
    distance = "() => sdfInertia.camera.position.distanceTo(sdfInertia.controls.target)"
    before, away = page.evaluate(CAMERA)["position"], page.evaluate(distance)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(CAMERA)["position"] != pytest.approx(before)
    assert page.evaluate(distance) == pytest.approx(away)
    page.keyboard.press("+")
    assert page.evaluate(distance) == pytest.approx(0.8 * away)


@pytest.mark.parametrize(
    ("name", "size"), [("crowd", (1280, 800)), ("crowd", (390, 844)), ("arm", (390, 844))], ids=str
)
def test_labels_do_not_cover_each_other_from_any_side(name, size, opened, page_of, crowd, picture):
    page = opened(page_of({"arm": ARM, "crowd": crowd}[name]), size)
    area = page.locator("#view").bounding_box()
    for turn in range(4):
        boxes = page.evaluate(BOXES)
        assert len(boxes) >= 4
        for one in boxes:
            assert area["x"] <= one["left"] and one["right"] <= area["x"] + area["width"]
            assert area["y"] <= one["top"] and one["bottom"] <= area["y"] + area["height"]
        for a, b in combinations(boxes, 2):
            apart = (
                a["right"] <= b["left"] or b["right"] <= a["left"] or a["bottom"] <= b["top"] or b["bottom"] <= a["top"]
            )
            assert apart, (turn, a, b)
        page.locator("#canvas").evaluate(
            """canvas => {
                const key = new KeyboardEvent("keydown", { key: "ArrowLeft" });
                for (let count = 0; count < 4; count++) canvas.dispatchEvent(key);
            }"""
        )
        settle(page)
    picture(page, f"{name}-{size[0]}")


def test_labels_without_room_are_counted(opened, page_of, crowd):
    page = opened(page_of(crowd))
    shown, hidden = len(page.evaluate(BOXES)), page.locator("#hidden").inner_text().removeprefix("· ")
    visible = page.evaluate(
        """() => {
            const { scene, area } = sdfInertia;
            const points = scene.links.map(link => sdfInertia.pixelOf(scene.anchorOf(link)));
            return points.filter(p => p && p[0] >= 0 && p[1] >= 0 && p[0] <= area.width && p[1] <= area.height).length;
        }"""
    )
    assert (int(hidden.split()[0]) if hidden else 0) == visible - shown


def test_every_switch_shows_and_hides_what_it_names(opened, page_of):
    page = opened(page_of(BIPED))
    seen = """what => {
        const link = sdfInertia.scene.links[0], mark = link.marks.published;
        return {
            visuals: link.parts.visuals[0].visible, collisions: link.parts.collisions[0]?.visible,
            published: mark.frame.visible, computed: link.marks.computed.frame.visible,
            axes: mark.axes[0].visible, ellipsoid: mark.ellipsoid[1].visible, box: mark.box[1].visible,
        }[what];
    }"""
    for name in ("visuals", "published", "computed", "axes"):
        assert page.evaluate(seen, name) is True
        page.locator(f"#shown input[name={name}]").uncheck()
        assert page.evaluate(seen, name) is False
    page.locator("#shown input[value=box]").check()
    assert page.evaluate(seen, "box") and not page.evaluate(seen, "ellipsoid")
    page.locator("#shown input[name=labels]").uncheck()
    settle(page)
    assert page.evaluate(BOXES) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_follows_the_system_and_its_button_changes_it(scheme, opened, page_of, picture):
    page = opened(page_of(DESK_ARM), scheme=scheme)
    light = "() => getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(light)
    assert before == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(27, 30, 36)")
    picture(page, f"theme-{scheme}")
    page.locator("#theme").click()
    assert page.evaluate(light) != before


@pytest.mark.parametrize("path", [ARM, BIPED], ids=lambda path: path.stem)
def test_a_page_fits_a_phone(path, opened, page_of):
    page = opened(page_of(path), (390, 844))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


EVIL = '</script><img src=x onerror="pwned=1"><b>"\''


def test_a_name_from_a_file_is_only_text(opened, page_of, tmp_path):
    name = EVIL.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    robot = ARM.read_text(encoding="utf-8").replace('"upper_arm"', f'"{name}"').replace('name="arm"', f'name="{name}"')
    path = tmp_path / "evil.urdf"
    path.write_text(robot, encoding="utf-8")
    page = opened(page_of(path))
    assert page.evaluate(
        "[typeof pwned, document.images.length, document.querySelectorAll('b:not([class])').length]"
    ) == [*("undefined", 0, 0)]
    assert page.locator("h1").inner_text() == EVIL
    assert EVIL in page.locator("tbody button").all_inner_texts()
    assert any(EVIL in label for label in page.locator(".label").all_inner_texts())


@pytest.mark.parametrize("name", ["rover", "arm"])
def test_the_pages_of_the_docs_open(name, opened, picture):
    page = opened(CHECKOUT / "docs" / "pages" / f"{name}.html")
    assert page.locator("h1").inner_text() == name
    assert page.evaluate("sdfInertia.scene.links.length") == {"rover": 7, "arm": 5}[name]


def test_a_click_on_a_body_of_the_engines_selects_its_link(opened, page_of, picture):
    page = opened(page_of(ARM, "--for", "drake,mujoco,pybullet"), (390, 800))
    assert page.locator("#engines .error").all_inner_texts() == ["✖ refuses the file"]
    page.locator("#engines button", has_text="forearm").click()
    assert page.evaluate(CHOSEN) == "forearm"
    assert page.locator("#engines .chosen button").all_inner_texts() == ["forearm"]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    picture(page, "engines")


MARKS = """name => {
    const link = sdfInertia.scene.links.find(other => other.name === name);
    return Object.fromEntries(Object.entries(link.marks).map(([kind, mark]) => [kind, {
        drawn: mark.frame.visible, filled: mark.ellipsoid[0].visible, arrow: mark.arrow?.visible ?? false,
    }]));
}"""
DRAWN, OUTLINE = {"drawn": True, "filled": True, "arrow": False}, {"drawn": True, "filled": False, "arrow": False}
ARROW = {"drawn": False, "filled": True, "arrow": True}


def label_of(page, name):
    return page.locator(".label", has_text=name).inner_text().split("\n")


def test_an_absurd_centre_is_an_arrow_and_an_absurd_shape_a_note(opened, page_of):
    page = opened(page_of(ARM))
    forearm = page.evaluate(MARKS, "forearm")
    assert (forearm["published"], forearm["computed"]) == (ARROW, DRAWN)
    assert label_of(page, "forearm")[-1] == "→ centre of mass 120 m away"
    assert page.evaluate(MARKS, "shoulder")["published"] == OUTLINE
    assert not page.evaluate("sdfInertia.scene.links[1].marks.published.ellipsoid[1].visible")
    assert label_of(page, "shoulder")[-1] == "ellipsoid of 3 m not drawn"
    assert page.evaluate("sdfInertia.scene.bounds().getSize(new THREE.Vector3()).length()") < 1.0
    assert page.evaluate(MARKS, "hand") == {"published": DRAWN}  # equal to the computed one
    assert page.locator("#shown span", has_text="both equal").is_visible()


def test_the_switch_shows_the_plan_of_a_repair_in_the_scene_and_the_table(opened, page_of, picture):
    page = opened(page_of(ARM))
    row = page.locator("tr[data-link]", has_text="upper_arm").locator("td").first
    assert row.inner_text() == "850.0" and not page.evaluate(MARKS, "base")["planned"]["drawn"]
    page.locator("#repair input[value=after]").check()
    settle(page)
    assert row.inner_text().split() == ["850.0", "0.850"] and label_of(page, "upper_arm") == ["→ upper_arm", "0.850 kg"]
    base = page.evaluate(MARKS, "base")
    assert (base["published"], base["planned"]) == (OUTLINE, DRAWN) and not base["computed"]["drawn"]
    assert len(label_of(page, "forearm")) == 2 and not page.evaluate(MARKS, "forearm")["published"]["arrow"]
    picture(page, "after-repair")
    page.locator("#repair input[value=before]").check()
    assert row.inner_text() == "850.0"


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=str)
def test_no_number_wraps_no_table_is_cut_and_a_command_is_copied(size, opened, page_of):
    page = opened(page_of(ARM), size)
    page.locator("tr[data-link] button").nth(2).click()
    page.locator("#repair input[value=after]").check()
    wrapped = """() => [...document.querySelectorAll('td span + span')].filter(
        number => number.offsetTop !== number.previousElementSibling.offsetTop).length"""
    cut = """() => [...document.querySelectorAll('.wide, .numbers:not([hidden]), code.command')].filter(
        box => box.scrollWidth > box.clientWidth).length"""
    assert page.evaluate(wrapped) == page.evaluate(cut) == 0
    page.locator("#repair button").click()
    page.locator("#repair button", has_text="Copied").wait_for(timeout=5000)
