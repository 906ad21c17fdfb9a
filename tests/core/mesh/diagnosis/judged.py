# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh of known truth, or one to be refused, held to its codes; the score of a set."""

import numpy as np

from core import InertiaError, check_mesh, measure_mesh

from ....thorough import THOROUGH

TOLD = {"info", "warning"}

LARGE = 5000 if THOROUGH else 300
"""Triangles from which a mesh is measured only: to check it too would repeat the slow union of handle.stl."""

REFUSALS = {
    "open_mesh",
    "not_orientable",
    "negative_winding",
    "zero_volume",
    "no_faces",
    "not_finite",
    "index_out_of_range",
}


class Score:
    """How many meshes of a set were right, refused, or silently wrong."""

    def __init__(self):
        self.right = self.with_truth = self.refused = self.to_refuse = self.silently_wrong = 0

    def __str__(self):
        return (
            f"{self.right} of {self.with_truth} right, {self.silently_wrong} silently wrong,"
            f" {self.refused} of {self.to_refuse} that must be refused, refused"
        )

    def judge(self, mesh, codes, right):
        """Measure, keep the score, and compare: `right` raises AssertionError for a wrong number; None: refuse."""
        must_refuse = right is None and codes <= REFUSALS and bool(codes)
        self.to_refuse += must_refuse
        self.with_truth += right is not None
        before = [array.copy() for array in map(np.asarray, mesh)]
        try:
            measured = measure_mesh(*mesh)
        except InertiaError as error:
            assert {error.code} == codes
            assert error.message
            assert error.remedy
            assert "error" in {finding.severity for finding in check_mesh(*mesh)}
            self.refused += must_refuse
            return
        assert not must_refuse
        for array, copy in zip(mesh, before, strict=True):
            assert np.array_equal(array, copy)  # the user's mesh is never touched
        found = {finding.code for finding in measured.findings}
        warned = any(finding.severity == "warning" for finding in measured.findings)
        if right is not None:
            try:
                right(measured)
            except AssertionError:
                self.silently_wrong += not warned
                raise
            self.right += 1
        else:
            self.silently_wrong += not warned
            assert warned
        assert found == codes
        assert {finding.severity for finding in measured.findings} <= TOLD
        if len(mesh[1]) < LARGE:
            assert found <= {finding.code for finding in check_mesh(*mesh)}
