# SPDX-License-Identifier: GPL-3.0-or-later
"""The relative error that is reported of a result."""

import numpy as np
import pytest

from core.body.compare import relative_error
from core.body.moments import Moments


def test_the_error_of_a_centroid_is_that_of_its_worst_coordinate():
    truth = Moments(1.0, np.zeros(3), np.diag([1.0, 1.0, 2.0]))  # radius of gyration 2
    found = Moments(1.0, np.array([0.02, 0.02, 0.01]), truth.covariance)
    assert relative_error(found, truth) == pytest.approx(0.01, rel=1e-12)
