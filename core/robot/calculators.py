# SPDX-License-Identifier: Apache-2.0
"""The registry of mesh calculators, chosen as in SDFormat by the parameters in ``auto_inertia_params``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf, isfinite

import numpy as np

from ..arrays import FloatArray, TriangleArray, VertexArray
from ..body.moments import Moments
from ..errors import InertiaError
from ..mesh.measurement import Measurement, Request
from ..mesh.methods import METHODS, PARAMETERS, Method
from ..mesh.progress import Progress
from ..mesh.surface import Surface

Params = Mapping[str, str]
Calculator = Callable[[VertexArray, TriangleArray, Params], Measurement]
"""A function of vertices (n, 3) [m], triangles (m, 3) and the parameters by local name. It returns a `Measurement`
of the geometry alone (the caller applies the density), or raises `InertiaError`."""

UNSYMMETRIC = 8 * float(np.finfo(np.float32).eps)
"""Maximum asymmetry of a covariance, relative to its trace, from calculators that sum in float32."""

_calculators: dict[str, Calculator] = {}
"""The user's calculators; the built-in ones are `METHODS`."""


def register_calculator(name: str, function: Calculator) -> None:
    """Make `function` the calculator for ``<sdf_inertia:method>name</sdf_inertia:method>``.

    The last one registered under a name applies, until `unregister_calculator`; results of an earlier one are not
    reused. The names of the built-in ones (`METHODS`) are reserved: simulators and files rely on them.

    Parameters
    ----------
    name : str
        As in the file: letters, digits, ``_``, ``-`` or ``.``, so that every file can carry it.
    function : callable
        ``function(vertices, triangles, params) -> Measurement``: vertices (n, 3) [m] and triangles (m, 3), both
        read-only; params, the text of each parameter by its name without prefix. It gives the geometry's moments in
        the mesh's frame (the caller applies the density), or raises `InertiaError`, which refuses the part by name.

    Raises
    ------
    InertiaError
        ``bad_calculator`` if the name or the function is invalid, or the name is that of a built-in one.

    Examples
    --------
    >>> from sdf_inertia import Measurement, mesh_moments, read_robot, register_calculator, unregister_calculator
    >>> def half(vertices, triangles, params):
    ...     moments = mesh_moments(vertices, triangles)
    ...     return Measurement(moments.transformed([[1, 0, 0], [0, 1, 0], [0, 0, 0.5]]), "half")
    >>> register_calculator("half", half)
    >>> robot = read_robot("examples/biped_description/urdf/biped.urdf")
    >>> change = robot.repair(["all"], mass="density", density=1000.0, links=["torso"], method="half").changes[0]
    >>> print(f"{change.new.mass:.3g} kg")
    1.63 kg
    >>> unregister_calculator("half")
    """
    if not (isinstance(name, str) and name and all(letter.isalnum() or letter in "_-." for letter in name)):
        raise InertiaError.of("bad_calculator", "", "no_name", name=name)
    if name in METHODS:
        raise InertiaError.of("bad_calculator", "", "built_in", name=name)
    if not callable(function):
        raise InertiaError.of("bad_calculator", "", "no_function", kind=type(function).__name__)
    _calculators[name] = function


def unregister_calculator(name: str) -> None:
    """Remove the calculator of that name.

    Raises
    ------
    InertiaError
        ``unknown_method`` if there is none or it is built in.

    Examples
    --------
    >>> from sdf_inertia import InertiaError, unregister_calculator
    >>> try:
    ...     unregister_calculator("half")
    ... except InertiaError as error:
    ...     print(error.code)
    unknown_method
    """
    if name not in _calculators:
        raise InertiaError.of("unknown_method", "", "not_registered", name=name)
    del _calculators[name]


def registered_calculators() -> tuple[str, ...]:
    """Return the names of the calculators that users registered."""
    return tuple(_calculators)


def chosen_method(params: Params) -> str:
    """Return the name of the calculator that qualified `params`, such as ``gz:voxel_size``, choose.

    ``sdf_inertia:method`` names it; ``gz:voxel_size`` alone means ``voxel``; the default is ``exact``.
    """
    if "sdf_inertia:method" in params:
        return params["sdf_inertia:method"].strip()
    return "voxel" if "gz:voxel_size" in params else "exact"


def params_for(method: str, lengths: Mapping[str, float]) -> dict[str, str]:
    """Return the qualified params by which `chosen_method` chooses a built-in method with these `lengths` [m]."""
    params = {parameter.qualified: repr(lengths[parameter.name]) for parameter in METHODS[method].parameters}
    return params if chosen_method(params) == method else {"sdf_inertia:method": method, **params}


def lengths_of(params: Params) -> dict[str, float]:
    """Return the lengths by name that qualified `params` give, as `local_params` reads them.

    Raises
    ------
    InertiaError
        ``bad_parameter``.
    """
    given = local_params(params)
    lengths = {}
    for parameter in PARAMETERS:
        if parameter.name in given:
            try:
                lengths[parameter.name] = float(given[parameter.name])
            except ValueError:
                raise InertiaError.of("bad_parameter", name=parameter.name, text=given[parameter.name]) from None
    return lengths


def local_params(params: Params) -> dict[str, str]:
    """Return qualified `params` by local name; ``sdf_inertia:`` wins over ``gz:``, and ``gz:`` over any other
    prefix."""
    ranked = sorted(params, key=lambda name: (name.startswith("sdf_inertia:"), name.startswith("gz:")))
    return {name.rpartition(":")[2]: params[name] for name in ranked}


def chosen_calculator(params: Params) -> Method | Calculator:
    """Return the calculator that qualified `params` choose: a built-in one, or the user's function.

    Raises
    ------
    InertiaError
        ``unknown_method``.
    """
    method = chosen_method(params)
    if method in METHODS:
        return METHODS[method]
    if method not in _calculators:
        known = ", ".join(sorted({*METHODS, *_calculators}))
        raise InertiaError.of("unknown_method", "", "calculator", method=method, known=known)
    return _calculators[method]


def calculate(surface: Surface, params: Params, progress: Progress | None = None, quick: bool = False) -> Measurement:
    """Measure a surface with the calculator that qualified `params` choose.

    Built-in ones use `progress` and `quick` as `measure_surface` does; a user's calculator gets only the surface's
    read-only vertices and triangles.

    Raises
    ------
    InertiaError
        ``unknown_method``, what the calculator raises, or ``calculator_failed`` if a registered one raises anything
        else or does not return a `Measurement`, or one with an impossible volume, covariance or error.
    """
    calculator = chosen_calculator(params)
    if isinstance(calculator, Method):  # an exception here is an internal error, and must be seen
        return calculator.measure(surface, Request(lengths_of(params), progress, quick))
    method = chosen_method(params)
    try:
        measurement: object = calculator(surface.vertices, surface.triangles, local_params(params))
        off = float(measurement.error) if isinstance(measurement, Measurement) else 0.0
    except InertiaError:
        raise
    except Exception as problem:
        raise _failed(method, f"raised {type(problem).__name__}: {problem}") from problem
    if not isinstance(measurement, Measurement) or not isinstance(measurement.moments, Moments):
        raise _failed(method, f"returned {type(measurement).__name__} instead of a Measurement with Moments")
    moments = measurement.moments
    if not (isfinite(moments.volume) and moments.volume > 0.0):
        raise _failed(method, f"returned a volume of {moments.volume:g} m³")
    if not (np.isfinite(moments.centroid).all() and np.isfinite(moments.covariance).all()):
        raise _failed(method, "returned a centroid or a covariance that is not finite")
    if not 0.0 <= off < inf:
        raise _failed(method, f"returned {off:g} for the estimated relative error")
    covariance = _symmetric(moments.covariance, method)
    findings = tuple(measurement.findings)
    return replace(measurement, moments=replace(moments, covariance=covariance), error=off, findings=findings)


def _symmetric(covariance: FloatArray, method: str) -> FloatArray:
    apart = np.abs(covariance - covariance.T)
    if apart.max() > UNSYMMETRIC * abs(float(np.trace(covariance))):
        row, column = divmod(int(apart.argmax()), 3)
        above, below = covariance[row, column], covariance[column, row]
        what = f"{above:.6g} in row {row}, column {column}, {below:.6g} across"
        raise _failed(method, f"returned a covariance that is not symmetric: {what}")
    half: FloatArray = (covariance + covariance.T) / 2.0
    return half


def _failed(method: str, reason: str) -> InertiaError:
    return InertiaError.of("calculator_failed", method=method, reason=reason)
