# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot imported by the menu, looked at, accepted and written back, by clicks."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from ..ros_package import write_package

ARM = """<robot name="arm">
  <link name="base">
    <inertial><mass value="2.0"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/></inertial>
    <collision name="hull"><geometry><box size="2 2 0.5"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial><origin xyz="0 0 1"/><mass value="1.5"/>
      <inertia ixx="0.6" ixy="0" ixz="0" iyy="0.6" iyz="0" izz="0.2"/></inertial>
    <collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.2" length="2"/></geometry></collision>
  </link>
  <link name="fore"><collision><origin xyz="0 0 0.5"/><geometry><sphere radius="0.5"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 0.5" rpy="0 0.3 0"/><parent link="base"/>
    <child link="upper"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="30" velocity="3"/></joint>
  <joint name="elbow" type="continuous"><origin xyz="0 0 2"/><parent link="upper"/><child link="fore"/>
    <axis xyz="0 1 0"/></joint>
</robot>
"""


@pytest.mark.parametrize("large", [False, True])
def test_a_robot_is_imported_accepted_and_written_back(user, large):
    user.run("screen.large_and_light(on)", on=large)
    try:
        fix(user, "-large" if large else "")
    finally:
        user.run("screen.large_and_light(False)")


def mode(user, name):
    return user.run(f"bpy.data.objects['{name}'].sdf_inertia.inertia")


def fix(user, end):
    path = import_arm(user)
    user.look()
    user.keys()
    assert mode(user, "base") == "MANUAL"
    user.find("sdf_inertia.write_back(")
    user.picture(f"imported{end}")
    user.press('accept_computed(target="base"')
    assert user.until("bpy.data.objects['base'].sdf_inertia.inertia == 'FILLED'")
    user.keys("ctrl+z")
    assert mode(user, "base") == "MANUAL"
    user.press("accept_computed(accepted=True)")
    assert user.until("bpy.data.objects['base'].sdf_inertia.accepted")
    user.find("sdf_inertia.write_back(")
    user.picture(f"accepted{end}")
    user.press("sdf_inertia.write_back(")
    text = path.read_text()
    assert text != ARM and text.endswith(ARM[-300:]) and text.count("<inertial>") == 2


def import_arm(user, text=ARM):
    """Write a robot's file, and import it as if it were dropped; return its path."""
    path = Path(user.window.folder) / "arm.urdf"
    path.write_text(text)
    user.run("extension.import_robot(path)", path=f"{user.window.inside}/arm.urdf")
    return path


def row_of(user, name):
    """Return the place of a link's name in the list: right of its tick."""
    x, y = user.find(f'accept_computed(target="{name}"')
    return x + 50 * user.scale(), y


@pytest.mark.parametrize("large", [False, True])
def test_the_list_is_filtered_and_searched_by_click_and_key(user, large):
    user.run("screen.large_and_light(on)", on=large)
    try:
        import_arm(user)
        user.look()
        x, y = user.find("accept_computed(accepted=True)")
        left, _, right, _ = user.sidebar()
        scale = user.scale()
        user.window.click(left + 0.7 * (right - left), y - 55 * scale)  # Wrong
        user.picture(f"wrong{'-large' if large else ''}")
        user.window.click(left + 0.2 * (right - left), y - 130 * scale)  # the first of the list
        assert user.until("scene.selected() == ('base', ['base'])")
        user.window.click(left + 0.2 * (right - left), y - 55 * scale)  # All
        user.window.click(x, y - 30 * scale)
        user.window.type("FOR")
        user.window.key("Return")
        user.picture(f"searched{'-large' if large else ''}")
        user.window.click(left + 0.2 * (right - left), y - 130 * scale)
        assert user.until("scene.selected() == ('fore', ['fore'])")
    finally:
        user.run("screen.large_and_light(False)")


@pytest.mark.fault(124, 227)
@pytest.mark.parametrize("large", [False, True])
def test_a_click_on_a_row_selects_its_link_and_shows_both_sets(user, large):
    user.run("screen.large_and_light(on)", on=large)
    try:
        import_arm(user)
        user.run("scene.select()")
        user.look()
        before = row_of(user, "upper")
        closed = user.picture()
        user.window.click(*before)
        assert user.until("scene.selected() == ('upper', ['upper'])")
        assert user.changes(closed, user.sidebar(), 2000)
        user.find("sdf_inertia.write_back(")
        user.picture(f"row{'-large' if large else ''}")
        user.window.click(*row_of(user, "fore"), held="shift")
        assert user.until("scene.selected() == ('fore', ['fore', 'upper'])")
        user.window.click(*row_of(user, "base"), held="ctrl")
        assert user.until("scene.selected() == ('base', ['base', 'fore', 'upper'])")
        user.picture(f"rows{'-large' if large else ''}")
        user.window.click(*row_of(user, "upper"), held="ctrl")
        assert user.until("scene.selected() == ('base', ['base', 'fore'])")
        user.keys("ctrl+z")
        assert user.until("scene.selected() == ('base', ['base', 'fore', 'upper'])")
    finally:
        user.run("screen.large_and_light(False)")


@pytest.mark.fault(186)
@pytest.mark.parametrize("large", [False, True])
def test_a_weighed_mass_is_typed_accepted_and_written_back(user, large):
    user.run("screen.large_and_light(on)", on=large)
    try:
        path = import_arm(user)
        user.look()
        user.window.click(*row_of(user, "upper"))
        user.enter("sdf_inertia.weighed_mass", "1.8")
        user.find("sdf_inertia.write_back(")
        user.picture(f"typed{'-large' if large else ''}")
        user.press("sdf_inertia.accept_weighed(")
        assert user.until("bpy.data.objects['upper'].sdf_inertia.weighed")
        user.find("sdf_inertia.write_back(")
        user.picture(f"weighed{'-large' if large else ''}")
        user.press("sdf_inertia.write_back(")
        assert path.read_text() == ARM.replace("1.5", "1.8").replace("0.6", "0.72").replace('izz="0.2"', 'izz="0.24"')
    finally:
        user.run("screen.large_and_light(False)")


def test_missing_meshes_come_in_from_a_folder_and_collisions_by_a_click(user):
    folder = Path(user.window.folder) / "robots"
    (folder / "alone").mkdir(parents=True)
    alone = shutil.copy(write_package(folder / "ws"), folder / "alone")
    user.run("extension.import_robot(path)", path=f"{user.window.inside}/robots/alone/{Path(alone).name}")
    user.run("screen.look(distance=4.0)")
    user.look()
    user.find("sdf_inertia.find_meshes(")
    user.picture("missing")
    user.press("sdf_inertia.find_meshes(")
    user.dialog("SDF_INERTIA_OT_find_meshes")
    user.choose_file(f"{user.window.inside}/robots/ws")
    assert user.until("'look' in bpy.data.objects")
    user.picture("found")
    assert user.run("bpy.data.objects['look'].data.materials[0].name") == "Label"
    assert user.run("bpy.data.objects['box'].hide_get()")
    x, y = user.find("sdf_inertia.show")
    user.appears(lambda: user.window.click(x + 20, y))
    user.picture("toggles")


def test_a_link_without_inertial_is_computed_by_a_click(user):
    import_arm(user, ARM.replace('type="continuous"', 'type="fixed"'))
    user.look()
    user.keys()
    assert mode(user, "fore") == "NONE"
    user.window.click(*row_of(user, "fore"))
    user.find("sdf_inertia.set_inertia(mode='NONE'")
    user.picture("no-inertial")
    user.press('accept_computed(target="fore", accepted=True)')
    assert user.until("bpy.data.objects['fore'].sdf_inertia.inertia == 'FILLED'")
    user.picture("no-inertial-computed")


def write_long_chain(folder, links=100, faces=150):
    """Write a URDF of links with impossible inertials, each with a ball of its own as a binary STL."""
    folder.mkdir()
    around, down = np.meshgrid(np.linspace(0, 2 * np.pi, faces + 1), np.linspace(0, np.pi, faces + 1))
    ball = np.stack([np.cos(around) * np.sin(down), np.sin(around) * np.sin(down), np.cos(down)], axis=-1)
    a, b, c, d = ball[:-1, :-1], ball[:-1, 1:], ball[1:, 1:], ball[1:, :-1]
    corners = np.concatenate([np.stack(corner, axis=2).reshape(-1, 3, 3) for corner in ((a, c, b), (a, d, c))])
    rows = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    parts = []
    for number in range(links):
        rows["corners"] = (0.05 + 0.001 * number) * corners
        (folder / f"{number}.stl").write_bytes(bytes(80) + np.uint32(len(rows)).tobytes() + rows.tobytes())
        parts.append(
            f'<link name="l{number}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0"'
            f' izz="9"/></inertial><collision><geometry><mesh filename="{number}.stl"/></geometry></collision></link>'
        )
        if number:
            parts.append(
                f'<joint name="j{number}" type="fixed"><origin xyz="0 0 0.1"/><parent link="l{number - 1}"/>'
                f'<child link="l{number}"/></joint>'
            )
    (folder / "chain.urdf").write_text(f'<robot name="chain">{"".join(parts)}</robot>')


MODAL = "[operator.bl_idname for operator in bpy.context.window.modal_operators]"
COUNTS = "[len(getattr(bpy.data, kind)) for kind in ('objects', 'collections', 'meshes', 'materials')]"


@pytest.mark.fault(222)
def test_esc_cancels_an_import_and_accept_all_whole(user):
    write_long_chain(Path(user.window.folder) / "long")
    path = f"{user.window.inside}/long/chain.urdf"
    before = user.run(COUNTS)
    user.run("extension.import_robot(path)", path=path)
    assert user.until(f"'SDF_INERTIA_OT_import_sdf' in {MODAL}")
    user.save("importing")
    user.keys("Escape")
    assert user.until(f"not {MODAL}")
    assert user.run(COUNTS) == before
    user.run("extension.import_robot(path)", path=path)
    assert user.until(f"not {MODAL} and 'l99' in bpy.data.objects")
    user.keys("ctrl+z")
    assert user.until("'l99' not in bpy.data.objects")
    user.keys("ctrl+shift+z")
    assert user.until("'l99' in bpy.data.objects")
    user.press("accept_computed(accepted=True)")
    assert user.until(f"'SDF_INERTIA_OT_accept_computed' in {MODAL}")
    user.save("accepting")
    user.keys("Escape")
    assert user.until(f"not {MODAL}")
    assert not user.run("[ob.name for ob in bpy.data.objects if ob.sdf_inertia.accepted]")


def test_repeat_last_imports_once_more(user):
    write_long_chain(Path(user.window.folder) / "again", links=40)
    user.run("extension.import_robot(path)", path=f"{user.window.inside}/again/chain.urdf")
    assert user.until(f"not {MODAL} and 'l39' in bpy.data.objects")
    user.keys("shift+r")
    assert user.until(f"not {MODAL} and 'l39.001' in bpy.data.objects")
