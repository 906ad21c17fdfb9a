# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of mesh calculators, chosen as SDFormat does: by the parameters in ``auto_inertia_params``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .arrays import TriangleArray, VertexArray
from .errors import InertiaError
from .mesh.measure import Measurement, measure_mesh

Params = Mapping[str, str]
Calculator = Callable[[VertexArray, TriangleArray, Params], Measurement]
"""A function of vertices (n, 3) [m], triangles (m, 3) and the parameters by local name. It returns a `Measurement`
of the geometry alone (the caller applies the density), or raises `InertiaError`."""

_calculators: dict[str, Calculator] = {}


def register_calculator(name: str, function: Calculator) -> None:
    """Make `function` the calculator for ``<sdf_inertia:method>name</sdf_inertia:method>``."""
    _calculators[name] = function


def chosen_method(params: Params) -> str:
    """Return the calculator's name that qualified `params`, such as ``gz:voxel_size``, ask for.

    ``sdf_inertia:method`` names it; ``gz:voxel_size`` alone means ``voxel``; nothing means ``exact``.
    """
    if "sdf_inertia:method" in params:
        return params["sdf_inertia:method"]
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


def calculate(vertices: VertexArray, triangles: TriangleArray, params: Params) -> Measurement:
    """Measure a mesh with the calculator that `params` (qualified names) ask for.

    Raises
    ------
    InertiaError
        ``unknown_method``, or what the calculator raises.
    """
    local = {name.rpartition(":")[2]: text for name, text in params.items()}
    return chosen_calculator(params)(vertices, triangles, local)


def _length(params: Params, name: str) -> float | None:
    if name not in params:
        return None
    try:
        return float(params[name])
    except ValueError:
        raise InertiaError("bad_parameter", "", f"{name} is '{params[name]}', which is no number") from None


def _built_in(method: str) -> Calculator:
    def calculator(vertices: VertexArray, triangles: TriangleArray, params: Params) -> Measurement:
        return measure_mesh(vertices, triangles, method, _length(params, "voxel_size"), _length(params, "thickness"))

    return calculator


for _method in ("exact", "voxel", "hull", "shell"):
    register_calculator(_method, _built_in(_method))
