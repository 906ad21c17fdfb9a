# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of mesh calculators, chosen as SDFormat does: by the parameters in ``auto_inertia_params``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from .arrays import TriangleArray, VertexArray
from .errors import InertiaError
from .mesh.columns import Progress
from .mesh.measure import Measurement, measure_surface
from .mesh.surface import Surface
from .moments import Moments

Params = Mapping[str, str]
Calculator = Callable[[VertexArray, TriangleArray, Params], Measurement]
"""A function of vertices (n, 3) [m], triangles (m, 3) and the parameters by local name. It returns a `Measurement`
of the geometry alone (the caller applies the density), or raises `InertiaError`."""

_calculators: dict[str, Calculator] = {}
_built_ins: dict[str, Calculator] = {}


def register_calculator(name: str, function: Calculator) -> None:
    """Make `function` the calculator for ``<sdf_inertia:method>name</sdf_inertia:method>``.

    The last one registered under a name counts, until `unregister_calculator`; what was measured with another is not
    reused. The names of the built-in ones (exact, voxel, hull, shell) are taken: simulators and files rely on them.

    Parameters
    ----------
    name : str
        As it stands in the file: letters, digits, ``_``, ``-`` or ``.``, so that every file can carry it.
    function : callable
        ``function(vertices, triangles, params) -> Measurement``: vertices (n, 3) [m] and triangles (m, 3), both
        read-only; params, the text of each parameter by its name without prefix. It gives the geometry's moments in
        the mesh's frame (the caller applies the density), or raises `InertiaError`, which refuses the part by name.

    Raises
    ------
    InertiaError
        ``bad_calculator``, if the name or the function is none, or the name is a built-in one's.
    """
    if not (isinstance(name, str) and name and all(letter.isalnum() or letter in "_-." for letter in name)):
        raise InertiaError(
            "bad_calculator", "", f"{name!r} is no name for a calculator", "use letters, digits, _, -, ."
        )
    if name in _built_ins:
        raise InertiaError("bad_calculator", "", f"'{name}' is a built-in calculator", "choose another name")
    if not callable(function):
        raise InertiaError("bad_calculator", "", f"a {type(function).__name__} is no calculator", "give a function")
    _calculators[name] = function


def unregister_calculator(name: str) -> None:
    """Forget the calculator of that name.

    Raises
    ------
    InertiaError
        ``unknown_method``, if there is none or it is built in.
    """
    if name in _built_ins or name not in _calculators:
        raise InertiaError("unknown_method", "", f"no calculator '{name}' was registered")
    del _calculators[name]


def chosen_method(params: Params) -> str:
    """Return the calculator's name that qualified `params`, such as ``gz:voxel_size``, ask for.

    ``sdf_inertia:method`` names it; ``gz:voxel_size`` alone means ``voxel``; nothing means ``exact``.
    """
    if "sdf_inertia:method" in params:
        return params["sdf_inertia:method"].strip()
    return "voxel" if "gz:voxel_size" in params else "exact"


def chosen_calculator(params: Params) -> Calculator:
    """Return the calculator that qualified `params` ask for.

    Raises
    ------
    InertiaError
        ``unknown_method``.
    """
    method = chosen_method(params)
    if method not in _calculators:
        known = ", ".join(sorted(_calculators))
        raise InertiaError("unknown_method", "", f"there is no calculator '{method}'", f"choose one of {known}")
    return _calculators[method]


def is_built_in(method: str) -> bool:
    """Say whether a calculator of that name is one of our own."""
    return method in _built_ins


def calculate(
    vertices: VertexArray, triangles: TriangleArray, params: Params, progress: Progress | None = None
) -> Measurement:
    """Measure a mesh with the calculator that `params` (qualified names) ask for.

    Built-in ones report to `progress` as `measure_surface` does.

    Where two parameters differ in their prefix only, ``sdf_inertia:`` wins over ``gz:``, and that over any other.

    Raises
    ------
    InertiaError
        ``unknown_method``, what the calculator raises, or ``calculator_failed`` where a registered one raises
        anything else or returns no `Measurement`.
    """
    calculator = chosen_calculator(params)
    ranked = sorted(params, key=lambda name: (name.startswith("sdf_inertia:"), name.startswith("gz:")))
    local = {name.rpartition(":")[2]: params[name] for name in ranked}
    method = chosen_method(params)
    if method in _built_ins:  # what goes wrong there is our own bug, and must be seen
        return _measure(method, vertices, triangles, local, progress)
    try:
        measurement: object = calculator(vertices, triangles, local)
    except InertiaError:
        raise
    except Exception as error:
        reason = f"raised {type(error).__name__}: {error}".rstrip(": ")
        raise _failed(method, reason) from error
    if not isinstance(measurement, Measurement) or not isinstance(measurement.moments, Moments):
        raise _failed(method, f"returned {type(measurement).__name__} instead of a Measurement with Moments")
    return measurement


def _failed(method: str, reason: str) -> InertiaError:
    remedy = "mend the calculator, or choose another method"
    return InertiaError("calculator_failed", "", f"the calculator '{method}' {reason}", remedy)


def _length(params: Params, name: str) -> float | None:
    if name not in params:
        return None
    try:
        return float(params[name])
    except ValueError:
        raise InertiaError("bad_parameter", "", f"{name} is '{params[name]}', which is no number") from None


def _measure(
    method: str, vertices: VertexArray, triangles: TriangleArray, params: Params, progress: Progress | None = None
) -> Measurement:
    size, thickness = _length(params, "voxel_size"), _length(params, "thickness")
    return measure_surface(Surface(vertices, triangles), method, size, thickness, progress)


for _method in ("exact", "voxel", "hull", "shell"):
    register_calculator(_method, partial(_measure, _method))
_built_ins.update(_calculators)
