# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults put into robots that `convert` wrote: found, repaired by a layer, and read with its numbers."""

import pytest
from pxr import Gf, Usd, UsdPhysics

from core.cli.main import main
from core.formats.table import read_robot_file
from tests.usd.generated import write
from tests.usd.judges import READERS
from tests.usd.test_written import assert_same_body


def impossible(mass):
    a, b, _ = mass.GetDiagonalInertiaAttr().Get()
    mass.GetDiagonalInertiaAttr().Set(Gf.Vec3f(a, b, 3.0 * (a + b)))


def negative(mass):
    a, b, c = mass.GetDiagonalInertiaAttr().Get()
    mass.GetDiagonalInertiaAttr().Set(Gf.Vec3f(a, -b, c))


@pytest.mark.parametrize("fault", [impossible, negative])
@pytest.mark.parametrize("seed", range(10))
def test_a_repair_is_a_layer_that_engines_read(seed, fault, tmp_path):
    path = tmp_path / "robot.usda"
    assert main(["convert", str(write(seed, tmp_path)[0]), "-o", str(path), "--quiet"]) == 0
    assert main(["check", str(path)]) == 0
    stage = Usd.Stage.Open(str(path))
    body = next(prim for prim in stage.Traverse() if prim.HasAPI(UsdPhysics.RigidBodyAPI))
    fault(UsdPhysics.MassAPI(body))
    body.RemoveProperty("newton:inertia")
    stage.Save()
    faulty = path.read_bytes()
    assert main(["check", str(path)]) == 1
    assert main(["repair", "--in-place", str(path)]) == 0
    layer = tmp_path / "robot.inertia.usda"
    repaired = layer.read_bytes()
    assert main(["check", str(layer)]) == 0
    assert main(["repair", "--in-place", str(path)]) == 0
    assert (path.read_bytes(), layer.read_bytes()) == (faulty, repaired)
    links = {link.element.path.strip("<>"): link for link in read_robot_file(layer).links}
    for judge, read in READERS.items():
        bodies = read(layer).bodies
        assert bodies.keys() == links.keys()
        for prim, link in links.items():
            assert_same_body(bodies[prim].inertial, link.body.inertial, f"{judge} {prim}")
