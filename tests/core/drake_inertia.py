# SPDX-License-Identifier: GPL-3.0-or-later
"""What Drake, which holds the real libsdformat and gz-math, makes of a file, and says of it."""

import logging
from contextlib import contextmanager
from pathlib import Path

from core.body.inertial import Inertial
from core.body.pose import Pose


def parsed(file, roots=(), finalized=True):
    """Return a plant with the models of a file, or of the text of an SDF, and their instances.

    Packages are folders in `roots`, by their names.
    """
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    packages = parser.package_map()
    for package in (folder for root in roots for folder in root.iterdir() if folder.is_dir()):
        if packages.Contains(package.name):  # what Drake would fetch
            packages.Remove(package.name)
        packages.Add(package.name, str(package))
    instances = parser.AddModels(str(file)) if isinstance(file, Path) else parser.AddModelsFromString(file, "sdf")
    if finalized:
        plant.Finalize()
    return plant, instances


def complaints(text):
    """Return what Drake says while it loads an SDF; it reads on with numbers of its own where it minds an inertia."""
    with listening() as said:
        parsed(text, finalized=False)
    return said


@contextmanager
def listening():
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
    try:
        with listening():
            parsed(text)
    except (RuntimeError, ValueError) as error:  # ValueError: of a version that is not a number
        return str(error)
    return ""


def placed(text):
    """Return each link's inertial, and its pose in the model at the top that it is in, by scoped name."""
    with listening():
        plant, instances = parsed(text)
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


def loaded(file, roots=()):
    """Return what Drake makes of the links of a file, or of the text of an SDF, by scoped name."""
    plant, instances = parsed(file, roots, finalized=False)
    bodies = [plant.get_body(index) for instance in instances for index in plant.GetBodyIndices(instance)]
    return {body.scoped_name().get_full(): _inertial(body) for body in bodies}
