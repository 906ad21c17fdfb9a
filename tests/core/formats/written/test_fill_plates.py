# SPDX-License-Identifier: GPL-3.0-or-later
"""Thin plates and rods at random angles, filled, are bodies to gz-math: as ported here, and as compiled into Drake.

SDF_INERTIA_PLATES=100000 tries that many (three minutes).
"""

import os
import re

import numpy as np
import pytest

from core import Pose
from core.body.gz_validity import gz_accepts
from core.document.document import Document
from core.formats.sdf.fill import fill
from core.formats.sdf.read import read_document
from core.formats.simulators.verdicts import link_verdicts

from ....thorough import many
from ...drake_inertia import complaints

COUNT = int(os.environ.get("SDF_INERTIA_PLATES", many(2000, 100)))
PER_FILE = min(COUNT, 1000)


def edges(kind, random):
    """Return three edges between 1e-9 and 1 m: any, or a plate, a rod, a rod of equal edges, a square plate."""
    a, b, c = 10 ** random.uniform(-9, 0, 3)
    thin = a * 10 ** random.uniform(-9, 0)
    return [(a, b, c), (a, b, min(thin, b)), (a, thin, thin * random.uniform(0.5, 1)), (a, thin, thin), (a, a, thin)][
        kind
    ]


def plates(count, random):
    """Return a model of so many links, turned at random, and each one's tensor in closed form."""
    links, tensors = "", []
    for number in range(count):
        a, b, c = edges(number % 5, random)
        density = 10 ** random.uniform(1, 4.3)
        pose = Pose.from_quaternion(random.normal(size=3), random.normal(size=4))
        moments = density * a * b * c / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
        tensors.append(pose.R @ np.diag(moments) @ pose.R.T)
        links += (
            f'<link name="l{number}"><inertial auto="true"><density>{float(density)!r}</density></inertial>'
            f'<collision name="c"><pose>{" ".join(map(repr, map(float, pose.to_sdf())))}</pose>'
            f"<geometry><box><size>{float(a)!r} {float(b)!r} {float(c)!r}</size></box></geometry></collision></link>\n"
        )
    return f'<sdf version="1.11"><model name="plates">\n{links}</model></sdf>\n'.encode(), tensors


def written(data):
    """Return the tensors as written in a file: without the pose, and without our reader."""
    for text in re.findall(rb"<inertia>.*?</inertia>", data, re.DOTALL):
        xx, xy, xz, yy, yz, zz = map(float, re.findall(rb"<i[xyz]{2}>([^<]*)", text))
        yield np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@pytest.mark.fault(40, 75)
@pytest.mark.parametrize("seed", range(-(-COUNT // PER_FILE)))
def test_gz_math_accepts_every_thin_plate_and_rod_that_was_filled(seed):
    data, tensors = plates(PER_FILE, np.random.default_rng(seed))
    errs = sum(not gz_accepts(tensor) for tensor in tensors)
    assert errs, "no plate on which gz-math errs in link axes: the principal form is not tried"
    changed = fill(read_document(Document.parse(data, "plates.sdf")))
    assert not changed.refused
    filled = list(written(changed.data))
    assert len(filled) == PER_FILE
    assert all(gz_accepts(tensor) for tensor in filled)
    again = read_document(Document.parse(changed.data, "again.sdf"))
    for link, body, tensor in zip(again.links, link_verdicts(again), tensors, strict=True):
        assert not body.refused  # nor do we refuse what we wrote
        np.testing.assert_allclose(link.manual.inertia, tensor, rtol=0, atol=4e-15 * np.trace(tensor))


@pytest.mark.fault(75)
@pytest.mark.parametrize("seed", range(-(-COUNT // PER_FILE)))
def test_drake_accepts_every_thin_plate_and_rod_that_was_filled(seed):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    data, _ = plates(PER_FILE, np.random.default_rng(seed))
    text = fill(read_document(Document.parse(data, "plates.sdf"))).data.decode()
    assert complaints(text) == []


@pytest.mark.fault(75)
def test_our_port_of_gz_math_says_what_drake_says():
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    names = {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2), "ixy": (0, 1), "ixz": (0, 2), "iyz": (1, 2)}
    _, tensors = plates(many(4000, 400), np.random.default_rng(0))
    tensors = [(tensor + tensor.T) / 2 for tensor in tensors]
    links = ""
    for number, tensor in enumerate(tensors):
        cells = "".join(f"<{name}>{float(tensor[cell])!r}</{name}>" for name, cell in names.items())
        links += f"<link name='l{number}'><inertial><mass>1</mass><inertia>{cells}</inertia></inertial></link>"
    said = "\n".join(complaints(f"<sdf version='1.11'><model name='m'>{links}</model></sdf>"))
    refused = {int(number) for number in re.findall(r"link named l(\d+) has invalid inertia", said)}
    assert len(refused) > 10
    assert refused == {number for number, tensor in enumerate(tensors) if not gz_accepts(tensor)}
