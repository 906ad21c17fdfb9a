# SPDX-License-Identifier: GPL-3.0-or-later
"""Drake, whose parser is libsdformat itself, loads every file that was filled, and agrees."""

import numpy as np
import pytest

pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
from core.body.compare import difference  # noqa: E402
from core.document.document import Document  # noqa: E402
from core.formats.sdf.fill import (
    fill,  # noqa: E402
    make_auto,  # noqa: E402
)
from core.formats.sdf.read import read_document, read_sdf  # noqa: E402

from ...drake_inertia import loaded  # noqa: E402

AGREES = 1e-9
"""Drake shifts a tensor to the link's origin and back, which costs some digits where the two are far apart."""

MODELS = [
    "inertial_stats_auto/inertial_stats_auto.sdf",
    "inertial_stats_auto_mass/inertial_stats_auto_mass.sdf",
    "auto_inertia_pendulum/auto_inertia_pendulum.sdf",
    "inertial_stats/inertial_stats.sdf",
]

SHAPES = {
    "box": "<size>1 0.2 0.3</size>",
    "sphere": "<radius>0.3</radius>",
    "cylinder": "<radius>0.3</radius><length>1.5</length>",
    "capsule": "<radius>0.3</radius><length>1.5</length>",
    "ellipsoid": "<radii>0.1 0.2 0.7</radii>",
    "cone": "<radius>0.3</radius><length>1.5</length>",
}


def assert_drake_agrees(changed):
    assert not changed.refused
    assert changed.links and all(link.done for link in changed.links)
    bodies = loaded(changed.data.decode())
    for link in changed.links:
        assert difference(bodies[link.name], link.body.inertial).worst < AGREES


@pytest.mark.fault(36)
@pytest.mark.parametrize("name", MODELS)
def test_drake_agrees_on_filled_reference_models(name, data):
    changed = fill(read_sdf(data / "models" / name))
    if not changed.links:  # nothing was auto: the file must still load
        assert loaded(changed.data.decode())
        return
    assert_drake_agrees(changed)


def random_model(random):
    links = ""
    for number in range(4):
        collisions = ""
        for index in range(random.integers(1, 4)):
            kind = random.choice(sorted(SHAPES))
            pose = " ".join(map(repr, [*random.normal(size=3).tolist(), *random.uniform(-3, 3, 3).tolist()]))
            density = f"<density>{random.uniform(10, 9000)!r}</density>" if random.random() < 0.5 else ""
            collisions += f'<collision name="c{index}"><pose>{pose}</pose>{density}'
            collisions += f"<geometry><{kind}>{SHAPES[kind]}</{kind}></geometry></collision>\n"
        mass = f"<mass>{random.uniform(0.1, 50)!r}</mass>" if random.random() < 0.5 else ""
        inner = f"<density>{random.uniform(10, 9000)!r}</density>{mass}"
        links += f'<link name="l{number}"><inertial auto="true">{inner}</inertial>{collisions}</link>\n'
    return f'<sdf version="1.11"><model name="m">{links}</model></sdf>'


@pytest.mark.parametrize("seed", range(4))
def test_drake_gets_the_mass_that_was_explicit_from_the_auto_made_of_it(seed):
    text = random_model(np.random.default_rng(seed))
    filled = fill(read_document(Document.parse(text.encode(), "m.sdf")))
    explicit = loaded(filled.data.decode())
    again = make_auto(read_document(Document.parse(filled.data, "filled.sdf")))
    computed = loaded(again.data.decode())
    done = [link for link in again.links if link.done]
    assert done
    for link in done:
        assert computed[link.name].mass == pytest.approx(explicit[link.name].mass, rel=1e-12)
        assert difference(computed[link.name], link.body.inertial).worst < AGREES
