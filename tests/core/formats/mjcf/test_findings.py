# SPDX-License-Identifier: GPL-3.0-or-later
"""What check reports about an MJCF that MuJoCo does silently, or refuses."""

import sys

import numpy as np
import pytest

from core import InertiaError, read_robot
from core.formats.mjcf import library
from tests.core import solids

from .mjcf_files import CUBE, compiled, mjcf, moving, write_mesh
from .test_numbers import hollow

VISUAL = '<geom type="box" size=".1 .1 .1" contype="0" conaffinity="0"/>'
GEOM = '<geom type="mesh" mesh="m" mass="2"/>'
CHOSEN = '<default><geom density="1000"/></default>\n'


def found(path):
    return {finding.code: finding for finding in read_robot(path).check()}


def with_mesh(folder, mesh, more="", geom='<geom type="mesh" mesh="m"/>'):
    write_mesh(folder / "m.obj", *mesh)
    return mjcf(folder, moving(geom), CHOSEN + f'<asset><mesh name="m" file="m.obj" {more}/></asset>\n')


def test_visuals_that_count_too_are_reported(tmp_path):
    path = mjcf(tmp_path, moving(CUBE + VISUAL), CHOSEN)
    assert compiled(path)["link"].mass == pytest.approx(16.0)
    assert "add 8 kg to the 8 kg" in str(found(path)["visual_mass"].message)


def test_a_hollow_mesh_by_legacy_is_reported_with_both_masses(tmp_path):
    path = with_mesh(tmp_path, hollow())
    message = str(found(path)["mesh_inertia"].message)
    assert compiled(path)["link"].mass == pytest.approx(1512.0)
    assert "1512 kg" in message and "488 kg" in message
    assert "mesh_inertia" not in found(with_mesh(tmp_path, hollow(), 'inertia="exact"'))
    assert "mesh_inertia" not in found(with_mesh(tmp_path, solids.box()))


def test_a_hollow_mesh_of_a_given_mass_is_reported_by_its_tensor(tmp_path):
    message = str(found(with_mesh(tmp_path, hollow(), geom=GEOM))["mesh_inertia"].message)
    assert "moments" in message


def test_an_open_mesh_under_exact_is_reported(tmp_path):
    vertices, triangles = solids.box()
    path = with_mesh(tmp_path, (vertices, triangles[2:]), 'inertia="exact"')
    assert compiled(path)["link"].mass > 0.0  # MuJoCo does not refuse it
    assert "is open" in str(found(path)["mesh_inertia"].message) or "are open" in str(
        found(path)["mesh_inertia"].message
    )


def test_inertials_that_mujoco_ignores_are_reported(tmp_path):
    inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    before = CHOSEN + '<compiler inertiafromgeom="true"/>\n'
    path = mjcf(tmp_path, moving(inertial + CUBE), before)
    assert "ignore the inertials of link" in str(found(path)["inertials_ignored"].message)
    assert read_robot(path).links["link"].inertial.mass == pytest.approx(8.0)


@pytest.mark.parametrize(
    ("attribute", "tensor"),
    [
        ('boundmass="3"', ".0533 .0533 .0533"),
        ('boundinertia=".1"', ".0533 .0533 .0533"),
        ('balanceinertia="true"', ".01 .02 .06"),
        ('settotalmass="3"', ".0533 .0533 .0533"),
    ],
)
def test_a_compiler_that_changes_numbers_is_reported(tmp_path, attribute, tensor):
    inertial = f'<inertial pos="0 0 0" mass="2" diaginertia="{tensor}"/>'
    path = mjcf(tmp_path, moving(inertial + CUBE), f"<compiler {attribute}/>\n")
    given = read_robot(path).links["link"].inertial
    theirs = compiled(path)["link"]
    assert theirs.mass != given.mass or not np.allclose(theirs.inertia, given.inertia)
    assert attribute.partition("=")[0] in str(found(path)["compiler_changes"].message)


def test_a_tensor_that_breaks_the_triangle_by_rounding_is_refused(tmp_path):
    path = mjcf(tmp_path, moving('<inertial pos="0 0 0" mass="8" diaginertia=".04 .04 .08000000000000002"/>' + CUBE))
    with pytest.raises(ValueError, match="A \\+ B >= C"):
        compiled(path)
    assert found(path)["mujoco_refuses"].severity == "error"


def test_a_fault_in_an_included_file_has_its_line(tmp_path):
    (tmp_path / "parts").mkdir()
    bad = moving('<inertial pos="0 0 0" mass="8" diaginertia=".01 .01 .06"/>' + CUBE)
    (tmp_path / "parts" / "arm.xml").write_text(f"<mujocoinclude>\n\n{bad}\n</mujocoinclude>")
    path = mjcf(tmp_path, '<include file="parts/arm.xml"/>')
    assert f"{tmp_path / 'parts' / 'arm.xml'}:3 " in found(path)["triangle_inequality"].subject


def test_a_missing_mesh_leaves_the_other_bodies(tmp_path):
    before = CHOSEN + '<asset><mesh name="m" file="gone.stl"/></asset>\n'
    robot = read_robot(mjcf(tmp_path, moving(CUBE, "a") + moving('<geom type="mesh" mesh="m"/>', "b"), before))
    assert robot.links["a"].inertial.mass == pytest.approx(8.0)
    assert robot.links["b"].inertial is None
    assert [finding.code for finding in robot.check()] == ["uri_lookup"]


def test_a_mesh_that_mujoco_refuses_leaves_the_other_bodies(tmp_path):
    vertices, triangles = solids.box()
    turned = np.vstack([triangles[:1, ::-1], triangles[1:]])
    write_mesh(tmp_path / "m.obj", vertices, turned)
    before = CHOSEN + '<asset><mesh name="m" file="m.obj" inertia="exact"/></asset>\n'
    robot = read_robot(mjcf(tmp_path, moving(CUBE, "a") + moving('<geom type="mesh" mesh="m"/>', "b"), before))
    assert robot.links["a"].inertial.mass == pytest.approx(8.0)
    assert "MuJoCo refuses it" in str(robot.links["b"].findings[0].message)


def test_a_part_of_an_mjcf_names_what_to_check(tmp_path):
    path = tmp_path / "part.xml"
    path.write_text("<mujocoinclude><worldbody/></mujocoinclude>")
    with pytest.raises(InertiaError, match="other files include"):
        read_robot(path)


def test_files_that_include_each_other_end(tmp_path):
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.xml").write_text(f'<mujocoinclude><include file="{other}.xml"/></mujocoinclude>')
    with pytest.raises(InertiaError, match="includes itself"):
        read_robot(mjcf(tmp_path, '<include file="a.xml"/>'))


def test_all_included_elements_together_are_limited(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.xml").write_text(f"<mujocoinclude>{'<body/>' * 70_000}</mujocoinclude>")
    many = "".join(f'<include file="{name}.xml"/>' for name in "abc")
    with pytest.raises(InertiaError) as caught:
        read_robot(mjcf(tmp_path, many))
    assert caught.value.code == "too_many_elements"


@pytest.mark.parametrize("name", ["part.xml", "./part.xml", "x/../part.xml", ".\\part.xml"])
def test_a_file_is_included_once_by_whatever_path(tmp_path, name):
    (tmp_path / "part.xml").write_text("<mujocoinclude><body/></mujocoinclude>")
    with pytest.raises(InertiaError, match="included twice"):
        read_robot(mjcf(tmp_path, f'<include file="part.xml"/><include file="{name}"/>'))


@pytest.mark.fault(175)
def test_without_mujoco_the_command_that_installs_it_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(InertiaError) as caught:
        read_robot(mjcf(tmp_path, moving(CUBE)))
    assert caught.value.code == "mujoco"
    assert "pip install 'sdf-inertia[mujoco]'" in str(caught.value.remedy)


MISMATCH = "raise ImportError('Version mismatch between mujoco (9.1.0) and mujoco-core (9.1.1). Upgrade:\\n pip')"

METADATA = """Metadata-Version: 2.1
Name: mujoco
Version: 9.1.0
Requires-Dist: numpy>=2
Requires-Dist: mujoco-core==9.1.0
Requires-Dist: glfw
Requires-Dist: absl-py; extra == "sysid"
"""


@pytest.mark.fault(225)
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (MISMATCH, "Version mismatch between mujoco (9.1.0) and mujoco-core (9.1.1)"),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("raise OSError('libmujoco.so: wrong ELF class')", "libmujoco.so: wrong ELF class"),
        ("", "module 'mujoco' has no attribute 'FatalError'"),
    ],
)
def test_the_own_error_of_a_broken_mujoco_is_reported(source, reason, tmp_path, monkeypatch):
    for name, text in (("mujoco/__init__.py", source), ("mujoco-9.1.0.dist-info/METADATA", METADATA)):
        file = tmp_path / "site" / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(tmp_path / "site")
    library._child.close()  # the next one imports what is broken
    try:
        with pytest.raises(InertiaError) as caught:
            read_robot(mjcf(tmp_path, moving(CUBE)))
    finally:
        library._child.close()
    assert caught.value.code == "mujoco"
    assert caught.value.message.endswith(f"its import fails: {reason}")
    packages = "--no-deps mujoco==9.1.0 glfw mujoco-core==9.1.0"
    assert caught.value.remedy == f'run `"{sys.executable}" -m pip install --force-reinstall {packages}`'


@pytest.mark.parametrize(
    ("folder", "code"),
    [("secret", "uri_refused"), ("assets", "unread"), ("../away", "uri_refused")],
)
def test_only_folders_of_assets_beside_its_own_are_read(tmp_path, folder, code):
    outside = tmp_path / "x" / folder
    outside.mkdir(parents=True)
    write_mesh(outside / "m.obj", *solids.box())
    own = tmp_path / "x" / "robot"
    own.mkdir(parents=True)
    before = CHOSEN + f'<asset><mesh name="m" file="../{folder}/m.obj"/></asset>\n'
    path = mjcf(own, moving('<geom type="mesh" mesh="m"/>'), before)
    assert [finding.code for finding in read_robot(path).check()] == ([] if code == "unread" else [code])
    assert not read_robot(path, [outside]).check()


def test_a_link_out_of_the_folders_is_not_followed(tmp_path):
    outside, own = tmp_path / "secret", tmp_path / "robot"
    outside.mkdir()
    own.mkdir()
    (outside / "part.xml").write_text("<mujocoinclude><body/></mujocoinclude>")
    (own / "part.xml").symlink_to(outside / "part.xml")
    with pytest.raises(InertiaError) as caught:
        read_robot(mjcf(own, '<include file="part.xml"/>'))
    assert caught.value.code == "uri_refused"


def test_a_python_package_is_one_folder(tmp_path):
    deep = tmp_path / "robots" / "models" / "arm"
    deep.mkdir(parents=True)
    (tmp_path / "robots" / "__init__.py").touch()
    (tmp_path / "robots" / "part.xml").write_text('<mujocoinclude><body name="part"/></mujocoinclude>')
    assert [*read_robot(mjcf(deep, '<include file="../../part.xml"/>')).links] == ["part"]


def test_a_file_that_is_included_twice_is_refused_as_by_mujoco(tmp_path):
    (tmp_path / "part.xml").write_text("<mujocoinclude><geom size='.1'/></mujocoinclude>")
    path = mjcf(tmp_path, '<body><include file="part.xml"/></body><body><include file="part.xml"/></body>')
    with pytest.raises(ValueError, match="already included"):
        compiled(path)
    with pytest.raises(InertiaError, match="included twice"):
        read_robot(path)


def test_a_model_that_is_attached_is_not_read(tmp_path):
    other = mjcf(tmp_path, moving(CUBE), name="other.xml")
    before = f'<asset><model name="m" file="{other.name}"/></asset>\n'
    with pytest.raises(InertiaError, match="check that file by itself"):
        read_robot(mjcf(tmp_path, '<attach model="m" body="link" prefix="a"/>', before))


@pytest.mark.parametrize("inertial", ["", '<inertial pos="0 0 0" mass="1e-20" diaginertia="1e-20 1e-20 1e-20"/>'])
def test_a_moving_body_without_mass_is_refused_as_by_mujoco(tmp_path, inertial):
    path = mjcf(tmp_path, moving(inertial))
    with pytest.raises(ValueError, match="mjMINVAL"):
        compiled(path)
    assert found(path)["mujoco_refuses"].severity == "error"
    held = mjcf(tmp_path, moving(f'<body name="held">{CUBE}</body>'))
    assert compiled(held) and "mujoco_refuses" not in found(held)


def test_masses_that_mujoco_leaves_out_are_reported(tmp_path):
    heavy = CUBE.replace("/>", ' mass="2"/>')
    path = mjcf(
        tmp_path,
        moving(CUBE.replace("/>", ' group="4"/>') + f'<body name="pad">{heavy}</body>'),
        CHOSEN + '<compiler inertiagrouprange="4 5"/>\n',
    )
    assert compiled(path)["pad"].mass == 0.0
    assert "body pad" in str(found(path)["mass_left_out"].message)
    assert "default_inertial" not in found(path)


@pytest.mark.fault(192)
def test_a_part_of_the_mass_that_mujoco_leaves_out_is_reported(tmp_path):
    light, heavy = (CUBE.replace("/>", f' group="{group}" mass="{mass}"/>') for group, mass in ((4, 0.5), (0, 7)))
    path = mjcf(tmp_path, moving(light + heavy), CHOSEN + '<compiler inertiagrouprange="4 5"/>\n')
    assert "MuJoCo leaves out 7 kg" in str(found(path)["mass_left_out"].message)


def test_mujocos_warnings_are_neither_printed_nor_written(tmp_path, monkeypatch, capfd):
    path = mjcf(tmp_path, moving('<inertial pos="0 0 0" mass="1" diaginertia="nan 1 1"/>'))
    monkeypatch.chdir(tmp_path)
    read_robot(path).check()
    assert [one.name for one in tmp_path.iterdir()] == ["robot.xml"]
    assert capfd.readouterr() == ("", "")


def test_a_part_of_a_file_is_named_as_one(tmp_path):
    path = tmp_path / "shared.xml"
    path.write_text('<mujoco><texture type="2d" builtin="flat" width="8" height="8"/></mujoco>')
    with pytest.raises(InertiaError, match="a part of an MJCF that other files include"):
        read_robot(path)


def test_a_mesh_in_a_folder_of_assets_is_named(tmp_path):
    write_mesh(tmp_path / "assets" / "part.obj", *solids.box())
    path = mjcf(tmp_path, moving('<geom type="mesh" mesh="part"/>'), '<asset><mesh file="part.obj"/></asset>')
    found = " ".join(map(str, read_robot(path).check()))
    assert "part.obj is not found from the folder of the file, but is at assets/part.obj" in found


def test_a_heavy_point_names_the_box_of_its_geometry(tmp_path):
    path = mjcf(tmp_path, moving('<geom type="sphere" size=".01" mass=".3"/>'))
    (finding,) = read_robot(path).check()
    assert finding.message.startswith("0.3 kg in the bounding box of its geometry is 3.75e+04 kg/m³")
    assert finding.remedy == "correct its mass or density, or the size of its geometry"
