# SPDX-License-Identifier: GPL-3.0-or-later
"""A weighed mass in the panel Imported writes what ``repair --in-place --weighed`` writes, and is refused alike."""

import bpy
import pytest

from tests.core.judge.generated_robots import Robot
from tests.core.judge.test_weighed import BOX, INERTIAL, MJCF, SDF, URDF

from ..scenes import imported, module
from .test_accept_all import contents

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.versions]

ZEROS = INERTIAL.replace("0.024", "0").replace("0.0004", "0").replace("-0.0008", "0").replace("0.025", "0")
ZEROS = ZEROS.replace("0.0014", "0").replace("0.0022", "0")


def weigh(ob, mass):
    """Type a mass into the field of a link, and click Accept."""
    ob.sdf_inertia.weighed_mass = mass
    return bpy.ops.sdf_inertia.accept_weighed(target=ob.name_full)


def by_command(path, folder, **weighed):
    """Return the bytes that ``repair --in-place --weighed`` gives a copy of a file."""
    copy = folder / "command" / path.name
    copy.parent.mkdir()
    copy.write_bytes(path.read_bytes())
    words = [f"--weighed={name}={mass}" for name, mass in weighed.items()]
    module("core.cli.main").main(["repair", str(copy), "--in-place", "--quiet", *words])
    return copy.read_bytes()


def write(path, text):
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "text", "mass"),
    [
        ("r.urdf", URDF, 3),
        ("r.sdf", SDF, 3),
        ("r.xml", MJCF, 3),
        ("r.urdf", URDF, 2.345678),
        ("r.urdf", URDF.replace(BOX, ""), 3),
        ("r.urdf", URDF.replace('izz="0.0022"', 'izz="0.22"'), 3),
        ("r.urdf", URDF.replace(INERTIAL, ZEROS), 3),
        ("r.urdf", URDF.replace(INERTIAL, ""), 3),
        ("r.sdf", SDF, 80),
    ],
    ids=("urdf", "sdf", "mjcf", "digits", "no geometry", "impossible", "zeros", "no inertial", "doubtful"),
)
def test_a_weighed_link_gets_the_bytes_of_repair(name, text, mass, tmp_path):
    if name.endswith(".xml"):
        pytest.importorskip("mujoco")
    path = write(tmp_path / name, text)
    expected = by_command(path, tmp_path, arm=mass)
    objects = imported(path)
    assert weigh(objects["arm"], mass) == {"FINISHED"} and objects["arm"].sdf_inertia.weighed
    bpy.ops.sdf_inertia.accept_computed()  # as the command does with the other links
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert path.read_bytes() == expected != text.encode()
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert path.read_bytes() == expected


@pytest.mark.parametrize("seed", [1, 4, 5, 8])
def test_all_links_of_a_robot_are_weighed(seed, tmp_path):
    path = Robot(seed, faulty=False).write(tmp_path)
    objects = imported(path)
    links = [ob for ob in objects.values() if ob.sdf_inertia.is_link and ob.sdf_inertia.manual_mass < 50.0]
    masses = {ob.sdf_inertia.sdf_name: float(f"{1.01 * ob.sdf_inertia.manual_mass:.4g}") for ob in links}
    expected = by_command(path, tmp_path, **masses)
    for ob in links:
        assert weigh(ob, masses[ob.sdf_inertia.sdf_name]) == {"FINISHED"}
    before = contents(tmp_path)
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert path.read_bytes() == expected != before[path.relative_to(tmp_path).as_posix()]


def test_the_mass_is_replaced_the_tensor_scaled_and_the_centre_kept(tmp_path):
    path = write(tmp_path / "r.urdf", URDF)
    settings = imported(path)["arm"].sdf_inertia
    before = [*settings.manual_com], [*settings.manual_inertia]
    bpy.context.view_layer.objects.active = bpy.data.objects["arm"]
    settings.weighed_mass = 3.0
    assert bpy.ops.sdf_inertia.accept_weighed() == {"FINISHED"}  # of the active link
    assert (settings.inertia, settings.manual_mass, settings.accepted) == ("MANUAL", 3.0, True)
    assert [*settings.manual_com] == before[0]
    assert [*settings.manual_inertia] == pytest.approx([1.5 * number for number in before[1]], rel=1e-6)
    bpy.ops.sdf_inertia.accept_computed(target="arm", accepted=False)
    assert ([*settings.manual_com], [*settings.manual_inertia], settings.manual_mass) == (*before, 2.0)
    assert not settings.weighed and path.read_text() == URDF


def test_weighed_with_the_mass_in_its_file_a_link_keeps_its_numbers(tmp_path, capfd):
    ob = imported(write(tmp_path / "r.urdf", URDF))["arm"]
    weigh(ob, 3.0)
    assert weigh(ob, 2.0) == {"FINISHED"}
    assert not ob.sdf_inertia.accepted and ob.sdf_inertia.manual_mass == 2.0
    assert "arm has this mass in its file: 2 kg" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("name", "text", "mass", "why"),
    [
        ("r.urdf", URDF, 2000.0, r"Not accepted\. .*Weighed mass not usable.*2000 kg, but 2 kg fits"),
        ("r.sdf", SDF.replace(SDF[SDF.index("<inertial>") : SDF.index("</inertial>") + 11], '<inertial auto="true"/>'),
         3.0, r"Weighed mass not usable.*simulator.*Run `sdf-inertia fill` first"),
        ("r.urdf", URDF.replace(INERTIAL, "").replace(BOX, ""), 3.0, "without a geometry or a mass: arm"),
        ("r.urdf", URDF.replace(INERTIAL, ZEROS).replace(BOX, ""), 3.0, "no geometry to compute its inertia from"),
        ("r.urdf", URDF, 0.0, "A mass of 0 kg is impossible"),
    ],
    ids=("grams", "auto", "nothing", "zeros", "no mass"),
)  # fmt: skip
def test_a_weighed_mass_that_cannot_be_used_says_why(name, text, mass, why, tmp_path):
    path = write(tmp_path / name, text)
    ob = imported(path)["arm"]
    with pytest.raises(RuntimeError, match=why):
        weigh(ob, mass)
    assert not ob.sdf_inertia.accepted and not ob.sdf_inertia.weighed and path.read_text() == text


def test_a_doubtful_weighed_mass_is_accepted_with_a_warning(tmp_path, capfd):
    ob = imported(write(tmp_path / "r.urdf", URDF))["arm"]
    assert weigh(ob, 80.0) == {"FINISHED"} and ob.sdf_inertia.manual_mass == 80.0
    assert "Accepted, but doubtful. " in capfd.readouterr().out


def test_an_edited_geometry_is_computed_at_the_weighed_mass(tmp_path):
    path = write(tmp_path / "r.urdf", URDF)
    objects = imported(path)
    (part,) = objects["arm"].children
    part.scale *= 1.1
    bpy.context.view_layer.update()
    objects["arm"].sdf_inertia.mass, objects["arm"].sdf_inertia.use_mass = 7.0, True
    assert weigh(objects["arm"], 3.0) == {"FINISHED"}
    assert (objects["arm"].sdf_inertia.inertia, objects["arm"].sdf_inertia.mass) == ("FILLED", 3.0)
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert '<mass value="3"/>' in path.read_text()


def test_a_link_of_the_user_cannot_be_weighed_here(tmp_path):
    imported(write(tmp_path / "r.urdf", URDF))
    with pytest.raises(RuntimeError, match="Select an imported link"):
        bpy.ops.sdf_inertia.accept_weighed(target="nobody")
