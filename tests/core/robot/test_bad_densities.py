# SPDX-License-Identifier: GPL-3.0-or-later
from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

from core import InertiaError
from core.body.materials import MAX_DENSITY, WATER, checked_density, checked_mass
from core.body.pose import Pose
from core.body.shapes import Box, Capsule, Ellipsoid
from core.cli.main import main
from core.files.mesh_writers import obj_bytes
from core.mesh.surface import Surface
from core.robot.model import Collision, Link, Mesh
from core.robot.resolve import resolve_link

from ..solids import box, joined

BAD = [0.0, -0.0, -1.0, nan, inf, -inf, 1e30]


@pytest.mark.fault(34)
@pytest.mark.parametrize("density", BAD)
def test_an_impossible_density_is_refused_with_the_number_seen(density):
    for refuse in (checked_density, Box((1, 1, 1)).moments().inertial):
        with pytest.raises(InertiaError) as error:
            refuse(density)
        assert error.value.code == "bad_density"
        assert f"{density:g} kg/m³" in error.value.message
        assert error.value.remedy


@pytest.mark.fault(34)
@pytest.mark.parametrize("density", BAD)
@pytest.mark.parametrize("shape", [Box((1, 2, 3)), Capsule(0.5, 2), Ellipsoid((0.5, 1, 1.5))], ids=lambda s: s.kind)
@pytest.mark.parametrize("on_link", [True, False])
def test_a_part_of_impossible_density_is_refused_whatever_its_shape(shape, density, on_link):
    part = Collision("c", Pose.identity, shape, density=None if on_link else density)
    body = resolve_link(Link("l", density=density if on_link else 1000.0, collisions=(part,)))
    assert body.refused
    assert body.inertial is None
    (finding,) = body.parts[0].findings
    assert (finding.severity, finding.code, finding.subject) == ("error", "bad_density", "l/c")


@pytest.mark.parametrize("mass", [0.0, -1.0, nan, inf])
def test_an_impossible_target_mass_is_refused(mass):
    with pytest.raises(InertiaError) as error:
        checked_mass(mass)
    assert error.value.code == "bad_mass"
    part = Collision("c", Pose.identity, Box((1, 2, 3)), density=10.0)
    body = resolve_link(Link("l", mass=mass, collisions=(part,)))
    assert body.inertial is None
    assert [(finding.code, finding.subject) for finding in body.findings] == [("bad_mass", "l")]
    for density in (5e-324, 1e-3, WATER, MAX_DENSITY):  # the limits themselves are densities
        assert checked_density(density) == density


def of_mass_beyond_floating_point(shape, density):
    """Return a link of a part whose mass underflows, and another part."""
    light = Collision("light", Pose.identity, shape, density=density)
    return Link("l", collisions=(light, Collision("c", Pose.identity, Box((1, 1, 1)), density=1.0)))


OVERLAPPING = Surface(*joined(box(), (box()[0] + 0.25, box()[1])))

THIN = {"sdf_inertia:method": "shell", "sdf_inertia:thickness": "0.0005"}


@pytest.mark.parametrize("mode", ["auto", "filled"])
@pytest.mark.parametrize(
    "shape",
    [
        Box((0.01, 0.01, 0.01)),
        Capsule(1e-9, 1e-9),
        Mesh(Surface(*box()), 0.01 * np.eye(3)),
        Mesh(OVERLAPPING, 0.01 * np.eye(3)),
        Mesh(Surface(box()[0], box()[1][:, ::-1]), 0.01 * np.eye(3)),
    ],
    ids=["box", "capsule", "mesh", "union", "inside out"],
)
@pytest.mark.parametrize("params", [{}, {"gz:voxel_size": "0.002"}, THIN])
def test_a_part_whose_mass_is_below_floating_point_is_refused_as_that(shape, mode, params):
    link = replace(of_mass_beyond_floating_point(shape, 5e-324), mode=mode, params=params)
    body = resolve_link(link)
    assert body.refused
    (finding,) = (one for one in body.parts[0].findings if one.severity == "error")
    assert (finding.code, finding.subject) == ("bad_mass", "l/light")
    assert "4.94066e-324 kg/m³" in finding.message and "0 kg" in finding.message


@pytest.mark.fault(83)
@pytest.mark.parametrize("density", ["4.9e-324", "1e-320", "1e-308"])
@pytest.mark.parametrize("options", [["--auto"], [], ["--auto", "--skip-invalid"]], ids=" ".join)
def test_fill_of_a_link_of_no_mass_says_so(density, options, tmp_path, capsys):
    (tmp_path / "mesh.obj").write_bytes(obj_bytes(OVERLAPPING))
    inertial = "<inertial><mass>1</mass></inertial>" if options else "<inertial auto='1'/>"
    (tmp_path / "in.sdf").write_text(
        f"<sdf version='1.11'><model name='m'><link name='l'>{inertial}<collision name='c'><density>{density}</density>"
        "<geometry><mesh><uri>mesh.obj</uri><scale>1e-3 1e-3 1e-3</scale></mesh></geometry></collision></link></model>"
        "</sdf>"
    )
    assert main(["fill", str(tmp_path / "in.sdf"), *options]) == 1  # no number that libsdformat reads
    err = capsys.readouterr().err
    assert "Traceback" not in err and "bad_mass" in err
