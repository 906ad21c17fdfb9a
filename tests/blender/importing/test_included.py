# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that an SDF file includes, merged or not, come in from the folders that may be read; all others are named."""

import bpy
import pytest

from ..scenes import imported

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(218)]

INERTIAL = "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
BASE = f"<sdf version='1.9'><model name='quad_base'><link name='body'>{INERTIAL}</link></model></sdf>"
CONFIG = "<model><name>quad_base</name><sdf version='1.9'>model.sdf</sdf></model>"
ROTOR = f"""<link name='rotor'><pose>0.15 0 0 0 0 0</pose>{INERTIAL}</link>
<joint name='spin' type='continuous'><parent>{{}}</parent><child>rotor</child><axis><xyz>0 0 1</xyz></axis></joint>"""
INCLUDE = "<include{}><uri>model://quad_base</uri>{}</include>"
PLACED = "<name>{0}</name><pose>{1} 0 0 0 0 0</pose>"
TWICE = "".join(INCLUDE.format("", PLACED.format(name, x)) for name, x in (("a", 1), ("b", 2)))

FILES = {
    "merged": (INCLUDE.format(" merge='true'", "") + ROTOR.format("body"), {"body", "rotor"}),
    "not merged": (INCLUDE.format("", "") + ROTOR.format("quad_base::body"), {"quad_base::body", "rotor"}),
    "only includes": (TWICE, {"a::body", "b::body"}),
}


@pytest.fixture
def models(tmp_path):
    """Return a folder that holds the model quad_base."""
    folder = tmp_path / "models" / "quad_base"
    folder.mkdir(parents=True)
    (folder / "model.sdf").write_text(BASE)
    (folder / "model.config").write_text(CONFIG)
    return folder.parent


def written(folder, content):
    folder.mkdir(exist_ok=True)
    path = folder / "quad.sdf"
    path.write_text(f"<sdf version='1.9'><model name='quad'>{content}</model></sdf>")
    return path


def links():
    return {ob.sdf_inertia.sdf_name for ob in bpy.data.objects if ob.sdf_inertia.is_link}


@pytest.mark.parametrize("content, names", FILES.values(), ids=FILES)
@pytest.mark.parametrize("way", ["beside", "option", "variable"])
def test_an_included_model_comes_in(content, names, way, models, tmp_path, monkeypatch):
    path = written(models if way == "beside" else tmp_path / "robots", content)
    if way == "variable":
        monkeypatch.setenv("GZ_SIM_RESOURCE_PATH", str(models))
    imported(path, **({"packages": str(models)} if way == "option" else {}))
    assert links() == names
    joints = {ob.sdf_inertia.joint_name for ob in bpy.data.objects if ob.sdf_inertia.joint_type != "NONE"}
    assert joints == ({"spin"} if "rotor" in names else set())


def test_a_world_of_includes_comes_in(models, tmp_path):
    path = tmp_path / "world.sdf"
    path.write_text(f"<sdf version='1.9'><world name='w'>{TWICE}</world></sdf>")
    imported(path, packages=str(models))
    assert {collection.name for collection in bpy.context.scene.collection.children} == {"a", "b"}
    assert sorted(round(ob.location.x) for ob in bpy.data.objects if ob.sdf_inertia.is_link) == [1, 2]


@pytest.mark.parametrize("content, names", FILES.values(), ids=FILES)
def test_a_model_that_is_not_found_is_named_once(content, names, tmp_path, capfd):
    path = written(tmp_path / "robots", content)
    if "rotor" in names:
        imported(path)
        assert links() == {"rotor"}
    else:
        with pytest.raises(RuntimeError, match="model://quad_base"):
            imported(path)
    printed = [line for line in capfd.readouterr().out.splitlines() if line.startswith(("Warning", "Error"))]
    assert len(printed) == 1 and "'model://quad_base' is not found" in printed[0]
    assert "choose the folder that holds it as Packages" in printed[0] and "--path" not in printed[0]
