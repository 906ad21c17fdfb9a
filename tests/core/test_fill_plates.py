# SPDX-License-Identifier: GPL-3.0-or-later
"""Thin plates at random angles, filled and read back, are bodies by gz-math's rule: `%.17g` alone loses 5 % of them.

SDF_INERTIA_PLATES=100000 tries that many (two minutes).
"""

import os
import re

import numpy as np
import pytest

from core import Pose
from core.sdf.document import Document
from core.sdf.fill import fill
from core.sdf.gz_validity import gz_accepts
from core.sdf.read import read_document

COUNT = int(os.environ.get("SDF_INERTIA_PLATES", "300"))
PER_FILE = 300


def plates(count, random):
    """Return a model of so many links: boxes 1e-9 to 1e-2 m thick, turned at random; each tensor's closed form."""
    links, tensors = "", []
    for number in range(count):
        a, b = 10 ** random.uniform(-2, 0.5, 2)
        c, density = 10 ** random.uniform(-9, -2), 10 ** random.uniform(1, 4.3)
        pose = Pose.from_quaternion(random.normal(size=3), random.normal(size=4))
        moments = density * a * b * c / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
        tensors.append(pose.R @ np.diag(moments) @ pose.R.T)
        links += (
            f'<link name="l{number}"><inertial auto="true"><density>{float(density)!r}</density></inertial>'
            f'<collision name="c"><pose>{" ".join(map(repr, map(float, pose.to_sdf())))}</pose>'
            f"<geometry><box><size>{float(a)!r} {float(b)!r} {float(c)!r}</size></box></geometry></collision></link>\n"
        )
    return f'<sdf version="1.11"><model name="plates">\n{links}</model></sdf>\n'.encode(), tensors


@pytest.mark.parametrize("seed", range(-(-COUNT // PER_FILE)))
def test_gz_math_accepts_every_thin_plate_that_was_filled(seed):
    data, tensors = plates(PER_FILE, np.random.default_rng(seed))
    errs = sum(not gz_accepts(tensor) for tensor in tensors)
    assert errs, "no plate on which gz-math errs in link axes: the principal form is not tried"
    changed = fill(read_document(Document.parse(data, "plates.sdf")))
    assert not changed.refused
    written = re.findall(rb"<inertia>.*?</inertia>", changed.data, re.DOTALL)
    assert len(written) == PER_FILE
    for text in written:  # as a simulator sees them: without the pose, and without our reader
        xx, xy, xz, yy, yz, zz = map(float, re.findall(rb"<i[xyz]{2}>([^<]*)", text))
        assert gz_accepts(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    for link, tensor in zip(read_document(Document.parse(changed.data, "again.sdf")).links, tensors, strict=True):
        np.testing.assert_allclose(link.manual.inertia, tensor, rtol=0, atol=4e-15 * np.trace(tensor))
