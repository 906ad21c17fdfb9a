# SPDX-License-Identifier: GPL-3.0-or-later
"""An imported robot of eighteen links: what is faulty is seen, what is pointed at is shown in full."""

from pathlib import Path

import numpy as np
import pytest

LINK = """<link name="link_{i}"><inertial><mass value="2"/>
<inertia ixx="{moments[0]}" ixy="0" ixz="0" iyy="{moments[1]}" iyz="0" izz="{moments[2]}"/></inertial>
<visual><geometry><box size="0.1 0.1 0.5"/></geometry></visual>
<collision><geometry><box size="0.1 0.1 0.5"/></geometry></collision></link>"""
JOINT = """<joint name="joint_{i}" type="fixed"><origin xyz="{x} 0 0"/><parent link="link_0"/>
<child link="link_{i}"/></joint>"""

COUNT, STEP = 18, 0.6
SOUND, IMPOSSIBLE, LARGE = (0.0433, 0.0433, 0.0033), (0.0433, 0.0433, 0.9), (20.0, 20.0, 20.0)
WRONG = {5: IMPOSSIBLE, 8: LARGE}
HOVERED, NEAR = 7, (6, 7, 8)


def robot():
    links = "".join(LINK.format(i=i, moments=WRONG.get(i, SOUND)) for i in range(COUNT))
    joints = "".join(JOINT.format(i=i, x=STEP * i) for i in range(1, COUNT))
    return f'<robot name="many">{links}{joints}</robot>'


def blue_at(user, picture, number):
    """Return how many pixels above and below a link's mark have the blue of the axis along z."""
    (x, top), (_, bottom) = (user.on_screen(STEP * number, 0.0, z) for z in (0.3, -0.3))
    red, green, blue = np.moveaxis(picture.part((x - 4, top, x + 5, bottom)), 2, 0)
    return int(((blue > 180) & (red < 120) & (green < 180)).sum())


@pytest.mark.fault(221)
@pytest.mark.parametrize("large", [False, True])
def test_of_a_crowd_the_faulty_and_the_hovered_link_have_axes(user, large):
    user.run("screen.large_and_light(on)", on=large)
    try:
        path = Path(user.window.folder) / "many.urdf"
        path.write_text(robot())
        user.run("extension.import_robot(path)", path=f"{user.window.inside}/many.urdf")
        user.run("scene.select()")
        user.look(distance=4.0)
        user.run("screen.look_at(point)", point=(STEP * HOVERED, 0.0, 0.0))
        user.keys()
        user.picture()  # gizmos are one redraw late
        alone = user.picture("alone")
        assert [number for number in NEAR if blue_at(user, alone, number) > 20] == [8]
        x, y = user.on_screen(STEP * HOVERED, 0.0, 0.0)
        user.window.move(x - 3, y)
        user.window.move(x, y)
        user.picture()
        pointed = user.picture("pointed")
        assert [number for number in NEAR if blue_at(user, pointed, number) > 20] == [HOVERED, 8]
        user.window.click(x, y)
        assert user.until(f"scene.selected() == ('link_{HOVERED}', ['link_{HOVERED}'])")
        user.keys()
        user.picture()
        selected = user.picture("selected")
        assert [number for number in NEAR if blue_at(user, selected, number) > 20] == [HOVERED, 8]
    finally:
        user.run("screen.large_and_light(False)")
