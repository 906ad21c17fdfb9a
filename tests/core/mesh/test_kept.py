# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of remedies that were tried are kept by the content of the mesh."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core import InertiaError
from core.mesh import enclosed as module
from core.mesh.enclosed import MOST, kept
from core.mesh.surface import Surface

from ..solids import box


def surface(size):
    return Surface(*box((size, 1.0, 1.0)))


@pytest.mark.fault(163)
def test_a_result_is_computed_once_for_equal_meshes():
    computed = []
    for mesh in (surface(1.25), surface(1.25)):
        kept(mesh, "once", lambda: computed.append(1))
    assert len(computed) == 1
    kept(surface(1.5), "once", lambda: computed.append(1))
    kept(surface(1.25), "other", lambda: computed.append(1))
    assert len(computed) == 3


def test_a_mesh_of_other_types_has_a_result_of_its_own():
    vertices, triangles = box()
    wide = kept(Surface(vertices, triangles), "type", lambda: "float64")
    assert (wide, kept(Surface(vertices.astype(np.float32), triangles), "type", lambda: "float32")) == (
        "float64",
        "float32",
    )


def test_an_error_is_kept_and_raised_as_a_new_one():
    computed = []

    def fails():
        computed.append(1)
        raise InertiaError.of("zero_volume", "", "inside_out")

    errors = []
    for _ in range(2):
        with pytest.raises(InertiaError) as error:
            kept(surface(3.0), "fails", fails)
        errors.append(error.value)
    assert len(computed) == 1
    assert errors[0] is not errors[1] and str(errors[0]) == str(errors[1])


def test_only_a_few_results_are_kept():
    for number in range(3 * MOST):
        assert kept(surface(1.0 + number), "few", lambda number=number: number) == number
    assert len(module._results) == MOST


def test_many_threads_get_their_own_results():
    def one(number):
        return kept(surface(1.0 + number % 20), "thread", lambda: number % 20)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(400))) == [number % 20 for number in range(400)]
