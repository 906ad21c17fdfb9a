# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of each engine against what the engine itself made of the same robots, recorded with its version."""

import json

import pytest

from core.engines.known import ENGINES
from tests.engines.bodies import by_rules, differences, recorded_robots
from tests.engines.recorded import PATH, from_json

RECORDED = json.loads(PATH.read_text())


def test_the_rules_get_what_the_engines_got(tmp_path):
    wrong, compared = [], 0
    for name, path in recorded_robots(tmp_path / "robots"):
        for engine, bodies in RECORDED["robots"][name].items():
            real = None if bodies is None else {one: from_json(numbers) for one, numbers in bodies.items()}
            _, view = by_rules(engine, path)
            compared += len(view.bodies)
            wrong += [f"{name}: {one}" for one in differences(engine, view, real)]
    assert not wrong
    assert compared > 200


@pytest.mark.parametrize("engine", RECORDED["versions"])
def test_the_title_has_the_version_that_was_recorded(engine):
    assert RECORDED["versions"][engine] in ENGINES[engine].title.split()
