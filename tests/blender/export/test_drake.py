# SPDX-License-Identifier: GPL-3.0-or-later
"""Drake, whose parser is libsdformat itself, loads what we export and gets the numbers that we report."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
from pydrake.multibody.parsing import Parser  # noqa: E402
from pydrake.multibody.plant import MultibodyPlant  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = sorted(ROOT.glob("examples/*.blend"))

FILLED = 1e-9
"""Both read the same digits; what is left is Drake's own shift of the tensor to the link's origin and back."""

AUTO = 1e-6
"""Drake integrates the written meshes itself: about their origin, in another order."""


@pytest.fixture(
    scope="module", params=[(blend.stem, mode) for blend in EXAMPLES for mode in ("auto", "filled", "as-set")]
)
def exported(request, export_example):
    return export_example(*request.param)


def test_examples_exist():
    assert {blend.stem for blend in EXAMPLES} >= {"rover", "gripper"}


@pytest.mark.fault(41)
def test_drake_gets_the_mass_centre_of_mass_and_inertia_of_the_report(exported):
    sdf, model = exported
    plant = MultibodyPlant(0.0)
    (instance,) = Parser(plant).AddModels(str(sdf))
    assert len(model["links"]) > 1
    for link in model["links"]:
        spatial = plant.GetBodyByName(link["name"], instance).default_spatial_inertia()
        com, mass = spatial.get_com(), spatial.get_mass()
        tensor = spatial.Shift(com).CalcRotationalInertia().CopyToFullMatrix3()
        tolerance = AUTO if link["inertia_mode"] == "auto" else FILLED
        # A centre of mass is as exact as the body is large: its radius of gyration.
        size = np.sqrt(np.trace(tensor) / mass)
        assert mass == pytest.approx(link["mass"], rel=tolerance)
        np.testing.assert_allclose(com, link["com"], rtol=0, atol=tolerance * size)
        np.testing.assert_allclose(tensor, matrix(link["inertia"]), rtol=0, atol=tolerance * np.trace(tensor))


def matrix(inertia):
    xx, xy, xz, yy, yz, zz = (inertia[name] for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
