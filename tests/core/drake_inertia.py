# SPDX-License-Identifier: GPL-3.0-or-later
"""What Drake, which holds the real gz-math, makes of a file's links, and says of their inertia."""

import logging
from contextlib import contextmanager

from core.body.inertial import Inertial
from core.body.pose import Pose


def complaints(text):
    """Return what Drake says while it loads an SDF; it reads on with numbers of its own where it minds an inertia."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    with _listening() as said:
        Parser(plant).AddModelsFromString(text, "sdf")
    return said


@contextmanager
def _listening():
    """Collect what Drake says meanwhile, and keep it off the console."""
    said = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    log = logging.getLogger("drake")
    level, handlers, propagate = log.level, log.handlers, log.propagate
    log.handlers, log.propagate = [handler], False
    log.setLevel(logging.WARNING)
    try:
        yield said
    finally:
        log.handlers, log.propagate = handlers, propagate
        log.setLevel(level)


def refusal(text):
    """Return why Drake does not load an SDF at all; nothing where it does."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    try:
        with _listening():
            Parser(plant).AddModelsFromString(text, "sdf")
            plant.Finalize()
    except (RuntimeError, ValueError) as error:  # ValueError: of a version that is no number
        return str(error)
    return ""


def placed(text):
    """Return each link's inertial, and its pose in the model at the top that it is in, by scoped name."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    with _listening():
        instances = Parser(plant).AddModelsFromString(text, "sdf")
        plant.Finalize()
    context = plant.CreateDefaultContext()
    found = {}
    for instance in instances:
        scope = plant.GetModelInstanceName(instance)
        top = plant.GetModelInstanceByName(scope.partition("::")[0])
        X_top = plant.GetFrameByName("__model__", top).CalcPoseInWorld(context)
        for index in plant.GetBodyIndices(instance):
            body = plant.get_body(index)
            X = (X_top.inverse() @ body.EvalPoseInWorld(context)).GetAsMatrix4()
            found[f"{scope}::{body.name()}"] = _inertial(body), Pose(X[:3, :3], X[:3, 3])
    return found


def _inertial(body):
    spatial = body.default_spatial_inertia()
    com = spatial.get_com()
    return Inertial(spatial.get_mass(), com, spatial.Shift(com).CalcRotationalInertia().CopyToFullMatrix3())


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
            bodies[f"{plant.GetModelInstanceName(instance)}::{body.name()}"] = _inertial(body)
    return bodies
