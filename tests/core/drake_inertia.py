# SPDX-License-Identifier: GPL-3.0-or-later
"""What Drake, which holds the real gz-math, makes of a file's links, and says of their inertia."""

import logging

from core.body.inertial import Inertial


def complaints(text):
    """Return what Drake says while it loads an SDF; it reads on with numbers of its own where it minds an inertia."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    said, plant = [], MultibodyPlant(0.0)
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    log = logging.getLogger("drake")
    level, handlers, propagate = log.level, log.handlers, log.propagate
    log.handlers, log.propagate = [handler], False
    log.setLevel(logging.WARNING)
    try:
        Parser(plant).AddModelsFromString(text, "sdf")
    finally:
        log.handlers, log.propagate = handlers, propagate
        log.setLevel(level)
    return said


def loaded(text):
    """Return what Drake makes of the links of a file, by scoped name."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    instances = Parser(plant).AddModelsFromString(text, "sdf")
    bodies = {}
    for instance in instances:
        for index in plant.GetBodyIndices(instance):
            body = plant.get_body(index)
            spatial = body.default_spatial_inertia()
            com = spatial.get_com()
            tensor = spatial.Shift(com).CalcRotationalInertia().CopyToFullMatrix3()
            name = f"{plant.GetModelInstanceName(instance)}::{body.name()}"
            bodies[name] = Inertial(spatial.get_mass(), com, tensor)
    return bodies
