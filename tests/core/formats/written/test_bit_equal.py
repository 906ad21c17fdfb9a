# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written of an inertial keeps 1e-9 of it, and gz-math accepts it: tensors of every size and attitude.

SDF_INERTIA_TENSORS=100000 tries that many (four minutes).
"""

import os

import numpy as np
import pytest

from core.body.gz_validity import gz_accepts
from core.body.inertial import Inertial
from core.document.document import Document
from core.formats.sdf.read import read_document
from core.formats.sdf.write import sdf_bytes
from core.judge.geometry.resolve_model import resolve_model
from core.robot.model import Link, Model

from ....thorough import many
from ...solids import rotation

COUNT = int(os.environ.get("SDF_INERTIA_TENSORS", many(5000, 400)))
KEPT = 1e-9
PER_FILE = min(COUNT // 2, 1000)


def bodies(count, rng):
    """Return bodies with extent along every axis: any second moments, from micrometres to kilometres."""
    found = []
    for _ in range(count):
        second = 10.0 ** rng.uniform(-12, 6) * rng.uniform(0.001, 1.0, 3)
        R = rotation(rng)
        tensor = R @ np.diag(second.sum() - second) @ R.T
        found.append(Inertial(10.0 ** rng.uniform(-6, 5), rng.normal(size=3), (tensor + tensor.T) / 2))
    return found


@pytest.mark.fault(40)
@pytest.mark.parametrize("seed", range(COUNT // PER_FILE))
def test_what_is_written_keeps_1e_9_and_gz_math_accepts_it(seed):
    wanted = bodies(PER_FILE, np.random.default_rng([40, seed]))
    links = tuple(Link(f"l{i}", mode="manual", manual=one) for i, one in enumerate(wanted))
    model = Model("m", links)
    data = sdf_bytes(model, resolve_model(model), {})
    read = read_document(Document.parse(data, "m.sdf"), resolve=False).links
    assert len(read) == PER_FILE
    for link, own in zip(read, wanted, strict=True):
        found = link.manual
        assert gz_accepts(found.inertia)
        assert found.mass == pytest.approx(own.mass, rel=KEPT)
        moments = np.diag(own.inertia)
        size = max(np.abs(own.com).max(), np.sqrt(moments.sum() / own.mass))
        np.testing.assert_allclose(found.com, own.com, rtol=0, atol=KEPT * size)
        assert (np.abs(found.inertia - own.inertia) <= KEPT * np.sqrt(np.outer(moments, moments))).all()
