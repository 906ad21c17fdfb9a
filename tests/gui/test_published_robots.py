# SPDX-License-Identifier: GPL-3.0-or-later
"""Published robots in a window, by clicks and keys alone: imported, looked at, accepted, written back, exported."""

import re
import shutil
from pathlib import Path

import pytest
from lxml import etree

from tests.versions import CHECKOUT

HIPS = """<sdf version="1.11"><model name="legged">
  <link name="trunk"><inertial><mass>4</mass><inertia><ixx>0.05</ixx><iyy>0.05</iyy><izz>5</izz></inertia></inertial>
    <collision name="box"><geometry><box><size>0.4 0.3 0.2</size></box></geometry></collision>
    <visual name="box"><geometry><box><size>0.4 0.3 0.2</size></box></geometry></visual></link>
  <include merge="true"><uri>leg</uri><pose>0.2 0 -0.2 0 0 0</pose></include>
  <include><uri>leg</uri><name>rear</name><pose>-0.2 0 -0.2 0 0 0</pose></include>
  <joint name="front" type="revolute"><parent>trunk</parent><child>shank</child><axis><xyz>0 1 0</xyz></axis></joint>
  <joint name="back" type="revolute"><parent>trunk</parent><child>rear::shank</child>
    <axis><xyz>0 1 0</xyz></axis></joint>
</model></sdf>
"""

LEG = """<sdf version="1.11"><model name="leg">
  <link name="shank"><inertial><mass>0.5</mass><inertia><ixx>0.004</ixx><iyy>0.004</iyy><izz>0.0002</izz></inertia>
    </inertial>
    <collision name="rod"><geometry><cylinder><radius>0.03</radius><length>0.3</length></cylinder></geometry>
    </collision>
    <visual name="rod"><geometry><cylinder><radius>0.03</radius><length>0.3</length></cylinder></geometry></visual>
  </link></model></sdf>
"""

PENDULUM = """<mujoco model="pendulum"><worldbody>
  <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0"/>
    <inertial pos="0 0 -0.25" mass="0.8" diaginertia="0.02 0.02 0.06"/>
    <geom name="rod" type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03"/>
    <body name="bob" pos="0 0 -0.5"><geom type="sphere" size="0.08" mass="1.2"/></body></body>
</worldbody></mujoco>
"""

ROBOTS = {
    "panda": "robots/panda_description/urdf/panda.urdf",
    "anymal": "robots/anymal_c_simple_description/urdf/anymal.urdf",
    "includes": "legged.sdf",
    "mjcf": "pendulum.xml",
}


def put(name, folder):
    """Put a robot into a folder of the window; return its file."""
    file = folder / ROBOTS[name]
    if name == "includes":
        (folder / "leg").mkdir(parents=True)
        file.write_text(HIPS)
        (folder / "leg" / "leg.sdf").write_text(LEG)
        (folder / "leg" / "model.config").write_text('<model><name>leg</name><sdf version="1.11">leg.sdf</sdf></model>')
    elif name == "mjcf":
        folder.mkdir()
        file.write_text(PENDULUM)
    else:
        data = next(
            (CHECKOUT / ".venvs/robots").glob("lib/*/site-packages/cmeel.prefix/share/example-robot-data"), None
        )
        if data is None:
            pytest.skip("example-robot-data is not in .venvs/robots: make .venvs/robots/.ready")
        package = Path(*Path(ROBOTS[name]).parts[:2])
        shutil.copytree(data / package, folder / package)
    return file


def give_mujoco(window):
    """Give the window's Blender the MuJoCo of another environment with its Python."""
    version = window.run("'{}.{}'.format(*__import__('sys').version_info)")
    packages = CHECKOUT / f".venvs/core-{version}/lib/python{version}/site-packages"
    if not (packages / "mujoco").exists():
        pytest.skip(f"there is no MuJoCo for Python {version}: make .venvs/core-{version}/.ready")
    modules = window.folder / "user/scripts/modules"
    modules.mkdir(parents=True, exist_ok=True)
    for path in packages.iterdir():
        if path.name.partition("-")[0].lower() in ("mujoco", "mujoco_core", "absl", "absl_py"):
            shutil.copytree(path, modules / path.name, dirs_exist_ok=True)
    window.run("__import__('sys').path.append(path)", path=f"{window.inside}/user/scripts/modules")


def weight(path):
    """Return the sum of the masses in a file and in the models that it includes [kg]."""
    total = 0.0
    for element in etree.parse(path).iter("mass", "inertial", "geom", "uri"):
        if element.tag == "uri" and element.getparent().tag == "include":
            total += weight(path.parent / element.text / f"{element.text}.sdf")
        else:
            total += float(element.get("value") or element.get("mass") or (element.tag == "mass" and element.text) or 0)
    return total


def without_inertials(data):
    return re.sub(rb"<inertial\b.*?(</inertial>|/>(?!\s*<(mass|origin|inertia)\b))", b"", data, flags=re.DOTALL)


def search(user, name):
    """Type a name into the search of the list of imported links; return where the tick of that link is."""
    user.keys("ctrl+f", at=user.find("sdf_inertia.imported_row"))
    user.window.type(name)
    user.window.key("Return")
    return user.find(f'accept_computed(target="{name}"')


@pytest.mark.parametrize("name", ROBOTS)
def test_a_published_robot_comes_in_is_accepted_and_goes_back(user, name):
    folder = Path(user.window.folder) / name
    file = put(name, folder)
    inside = user.window.inside / file.parent.relative_to(user.window.folder)
    if name == "mjcf":
        give_mujoco(user.window)
    before, weighed = file.read_bytes(), weight(file)
    user.press("sdf_inertia.import_sdf(")
    user.dialog("SDF_INERTIA_OT_import_sdf")
    user.choose_file(str(inside), file.name)
    assert user.until("any(ob.sdf_inertia.source for ob in bpy.data.objects)")
    user.keys("ctrl+z")
    assert user.until("not any(ob.sdf_inertia.is_link for ob in bpy.data.objects)")  # no half of it stays
    user.keys("ctrl+shift+z")
    assert user.until("any(ob.sdf_inertia.source for ob in bpy.data.objects)")
    user.keys("Home")
    user.picture("imported")
    user.press("accept_computed(accepted=True)")
    assert user.until("not screen.waiting_operators()")
    if name == "panda":  # all of its links are only doubtful
        user.press('accept_computed(target="panda_link1", accepted=True)')
    assert user.until("any(ob.sdf_inertia.accepted for ob in bpy.data.objects) and not screen.waiting_operators()")
    user.find("sdf_inertia.write_back(")
    user.picture("accepted")
    user.press("sdf_inertia.write_back(")
    assert user.until(f"open({str(inside / file.name)!r}, 'rb').read() != before", before=before)
    assert without_inertials(file.read_bytes()) == without_inertials(before)
    assert weight(file) == pytest.approx(weighed)
    if name == "anymal":  # of the hatch, whose mesh is open, all six numbers are equal: without its products it can be
        x, y = search(user, "hatch")
        user.window.click(x + 70, y)
        assert user.until("scene.selected()[0] == 'hatch'")
        for product in (3, 4, 5):
            user.enter(f"sdf_inertia.manual_inertia[{product}]", "0")
    user.press("sdf_inertia.export_")
    user.dialog("SDF_INERTIA_OT_export_model")
    made = Path(user.window.folder) / f"{name}-exported"
    made.mkdir()
    user.choose_file(f"{user.window.inside}/{made.name}")
    user.picture("exported")
    (exported,) = made.glob("*/model.sdf")
    assert weight(exported) == pytest.approx(weighed, rel=1e-6)
