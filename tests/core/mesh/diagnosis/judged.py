# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh of known truth, or one to be refused, held to its codes, by measuring and by checking."""

import numpy as np

from core import InertiaError, check_mesh, measure_mesh

from ....thorough import THOROUGH

LARGE = 5000 if THOROUGH else 300
"""Triangles from which a mesh is measured only: to check it too would repeat the slow union of handle.stl."""


def judge(mesh, codes, right):
    """Measure and compare: `right` raises AssertionError for a wrong number; None: it must be refused."""
    before = [array.copy() for array in map(np.asarray, mesh)]
    try:
        measured = measure_mesh(*mesh)
    except InertiaError as error:
        assert right is None
        assert {error.code} == codes
        assert error.message and error.remedy
        assert [finding.code for finding in check_mesh(*mesh) if finding.severity == "error"] == [error.code]
        return
    assert right is not None
    for array, copy in zip(mesh, before, strict=True):
        assert np.array_equal(array, copy)  # the user's mesh is never touched
    assert {finding.code for finding in measured.findings} == codes
    assert {finding.severity for finding in measured.findings} <= {"info", "warning"}
    right(measured)
    if len(mesh[1]) < LARGE:
        assert codes <= {finding.code for finding in check_mesh(*mesh)}
