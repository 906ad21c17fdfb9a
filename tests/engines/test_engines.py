# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of each engine against the engine itself: `make test-engines`."""

import json

import pytest

from core.engines.known import ENGINES
from tests.engines import generated
from tests.engines.bodies import by_rules, differences, joined, read_by, recorded_robots
from tests.engines.paths import MUJOCO, PYBULLET, write_robot
from tests.engines.real import READERS, RefusedError, version_of
from tests.engines.recorded import PATH, record

SEEDS = 300


@pytest.mark.parametrize("engine", READERS)
def test_the_rules_get_what_the_engine_gets(engine, tmp_path):
    wrong, count = [], 0
    robots = [(f"seed {seed}", generated.write(seed, tmp_path / "generated")) for seed in range(SEEDS)]
    for name, path in [*robots, *recorded_robots(tmp_path / "cases")]:
        if not read_by(engine, path):
            continue
        file, view = by_rules(engine, path)
        try:
            real = joined(file, READERS[engine](path))
        except RefusedError:
            real = None
        count += len(view.bodies)
        wrong += [f"{name}: {one}" for one in differences(engine, view, real)]
    assert not wrong, "\n".join(wrong[:10])
    assert count > SEEDS


@pytest.mark.parametrize("engine", READERS)
def test_the_version_in_the_table_is_the_one_tested(engine):
    assert version_of(engine) in ENGINES[engine].title.split()


def test_the_recorded_numbers_are_those_of_the_engines():
    known = json.loads(PATH.read_text())
    assert known["versions"] == {engine: version_of(engine) for engine in READERS}
    assert known["robots"].keys() == record()["robots"].keys()


@pytest.mark.parametrize(("engine", "paths"), [("pybullet", PYBULLET), ("mujoco", MUJOCO)])
def test_the_engine_finds_the_meshes_that_the_table_says(engine, paths, tmp_path):
    for uri, is_found in paths.items():
        try:
            loaded = bool(READERS[engine](write_robot(tmp_path, uri)))
        except RefusedError:
            loaded = False
        assert loaded == is_found, uri
