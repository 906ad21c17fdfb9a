# SPDX-License-Identifier: GPL-3.0-or-later
"""The real libsdformat, which Drake's parser holds, reads what we read, and refuses what we refuse."""

from collections import Counter

import numpy as np
import pytest

pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
from core.body.compare import difference  # noqa: E402
from core.document.document import Document  # noqa: E402
from core.errors import InertiaError  # noqa: E402
from core.formats.sdf.fill import fill  # noqa: E402
from core.formats.table import read_robot_document  # noqa: E402
from core.judge.judge import judge_file  # noqa: E402

from ....thorough import many  # noqa: E402
from ...drake_inertia import loaded, placed  # noqa: E402
from ...generated_sdf import JOINTS, SHAPES, VERSIONS, Generated  # noqa: E402

SAME = 1e-12
"""Of a mass; of a centre of mass, to its distance and the radius of gyration; of a tensor, to its trace and what moving
it to the link's origin adds, where Drake keeps it; of a position, to a metre and its distance; of a rotation. The worst
of 2,000 files are some 1e-14."""

FILLED = 1e-9
"""As in test_fill_drake: of a filled file, with no regard to how far the link's origin is."""

FILES = many(2000, 20)


def read(text):
    """Return a file as we read it, and what we refuse it for; not for units, since the numbers are random."""
    try:
        file = read_robot_document(Document.parse(text.encode(), "file.sdf"))
    except InertiaError as error:
        return None, [error.finding()]
    units = ("geometry_unit", "inertial_unit")
    findings = [one for one in judge_file(file) if one.severity == "error" and one.code not in units]
    return file.for_gazebo(), findings


def assert_same(link, tops, read_by_drake, seed):
    ours, (theirs, pose) = link.body.inertial, read_by_drake
    assert abs(ours.mass - theirs.mass) <= SAME * theirs.mass, (seed, link.name)
    trace, distance = np.trace(theirs.inertia), np.linalg.norm(theirs.com)
    apart = np.abs(ours.com - theirs.com).max()
    assert apart <= SAME * (np.sqrt(trace / theirs.mass) + distance), (seed, link.name)
    apart = np.abs(ours.inertia - theirs.inertia).max()
    assert apart <= SAME * (trace + theirs.mass * distance**2), (seed, link.name)
    top, _, deeper = link.name.partition("::")
    X = tops[top].scope.pose(deeper)
    assert np.abs(X.p - pose.p).max() <= SAME * (1.0 + np.linalg.norm(pose.p)), (seed, link.name)
    assert np.abs(X.R - pose.R).max() <= SAME, (seed, link.name)


def test_libsdformat_has_our_mass_centre_tensor_and_pose_of_every_link():
    tried = Counter()
    for seed in range(FILES):
        made = Generated(seed)
        tried += made.tried
        theirs = placed(made.text)
        file, errors = read(made.text)
        assert not errors, (seed, errors)
        assert {link.name for link in file.links} == set(made.links) == set(theirs), seed
        tops = {link.name.partition("::")[0]: link for link in file.links if link.name.count("::") == 1}
        for link in file.links:
            assert_same(link, tops, theirs[link.name], seed)
        if any(link.auto for link in file.links):
            changed = fill(file)
            assert not changed.refused, seed
            bodies = loaded(changed.data.decode())
            for link in changed.links:
                assert difference(bodies[link.name], theirs[link.name][0]).worst < FILLED, (seed, link.name)
    kinds = {
        *(f"version {version}" for version in VERSIONS),
        *(f"{joint} joint" for joint in JOINTS),
        *(shape.__name__.lower() for shape in SHAPES),
        *(f"models at depth {depth}" for depth in range(3)),
        *("relative_to", "attached_to", "placement_frame", "degrees", "quaternions", "world", "static"),
        *("auto", "auto with a mass", "density of the link", "density of a collision"),
        *("inertial in numbers", "no inertial"),
    }
    assert set(tried) == kinds and min(tried.values()) > 0
