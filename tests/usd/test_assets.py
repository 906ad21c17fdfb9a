# SPDX-License-Identifier: GPL-3.0-or-later
"""The USD files that Newton's package brings: our numbers against those of OpenUSD and Newton."""

from pathlib import Path
from typing import Any

import newton

from core.formats.table import read_robot_file
from tests.usd import judges
from tests.usd.test_written import assert_same_body

FILES = sorted(Path(newton.__file__).parent.rglob("assets/**/*.usd*"))

UNREAD = ("curvedSurface.usd", "actuator_test.usda")
"""Newton's add_usd fails with these: normals of its own, an argument given twice."""

NO_MASS = ("sensor_contact_scene.usda /env/Anchor",)
"""Neither mass nor collider: nothing by our rules, 0 kg in Newton."""


def test_our_numbers_are_those_of_engines():
    compared = 0
    for path in FILES:
        links: dict[str, Any] = {link.element.path.strip("<>"): link for link in read_robot_file(path).links}
        for judge, read in judges.READERS.items():
            if judge == "Newton" and path.name in UNREAD:
                continue
            bodies = read(path).bodies
            assert judge == "OpenUSD" or bodies.keys() == links.keys(), path
            for prim, body in bodies.items():
                link, where = links[prim], f"{path.name} {prim}"
                if where in NO_MASS:
                    assert link.body.inertial is None and body.inertial.mass == 0.0
                elif judge == "Newton" or link.given.is_whole:
                    assert_same_body(body.inertial, link.body.inertial, f"{judge}: {where}")
                    compared += 1
    assert len(FILES) > 80 and compared > 800
