# SPDX-License-Identifier: GPL-3.0-or-later
"""What Drake, which holds the real gz-math, says of the inertia of a file's links."""

import logging


def complaints(text):
    """Return what Drake says while it loads an SDF; it reads on with numbers of its own where it minds an inertia."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    said, plant = [], MultibodyPlant(0.0)
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())
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
