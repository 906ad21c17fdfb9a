# SPDX-License-Identifier: GPL-3.0-or-later
"""libsdformat 16.1's own answers to small files, and a comparison of ours with them."""

import json

import numpy as np

from core.body.pose import Pose
from core.formats.sdf.read import read_sdf


def oracle_file(data, folder, name):
    """Write the files of a case into a folder; return the one to load, and what libsdformat says of it."""
    case = json.loads((data / "sdf_oracle" / "cases.json").read_text())[name]
    for path, text in case["files"].items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder / "model_top.sdf", case["oracle"]


def assert_same_links(path, oracle):
    """Assert that we read the links that libsdformat has, with its numbers and poses."""
    links = read_sdf(path).links
    assert [link.name for link in links] == [one["name"] for one in oracle["links"]]
    for link, theirs in zip(links, oracle["links"], strict=True):
        body, com, inertia = link.body.inertial, theirs["com"], theirs["inertia"]
        assert (link.static, link.auto) == (theirs["static"], theirs["auto"])
        np.testing.assert_allclose(body.mass, theirs["mass"], rtol=1e-12)
        np.testing.assert_allclose(body.com, com, atol=1e-12)
        ours = body.inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        np.testing.assert_allclose(ours, inertia, rtol=0, atol=1e-12 * sum(inertia[:3]))
        x, y, z, w, *vector = theirs["pose"]
        pose = Pose.from_quaternion([x, y, z], [*vector, w])
        np.testing.assert_allclose(link.link.pose.p, pose.p, atol=1e-12)
        np.testing.assert_allclose(link.link.pose.R, pose.R, atol=1e-12)
