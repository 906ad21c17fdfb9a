# SPDX-License-Identifier: Apache-2.0
"""Keeps the last results for a surface, so that a remedy that was tried costs nothing when it is chosen."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from threading import Lock
from typing import Any, TypeVar

from ..errors import InertiaError
from .surface import Surface

T = TypeVar("T")
MOST = 8
"""Results to keep: a mesh has three, and they hold no arrays of its size."""

_results: dict[bytes, Any] = {}
_lock = Lock()


def kept(surface: Surface, name: str, compute: Callable[[], T]) -> T:
    """Return a result, or raise its error; both are computed once for the same vertices and triangles."""
    arrays = surface.vertices, surface.triangles
    key = blake2b(repr([name, *((array.dtype, array.shape) for array in arrays)]).encode())
    for array in arrays:
        key.update(array.tobytes())
    with _lock:
        result: Any = _results.get(key.digest(), _lock)
    if result is _lock:  # it is not there
        try:
            result = compute()
        except InertiaError as error:
            if error.code == "cancelled":
                raise
            result = InertiaError(*error.args)  # without the traceback, whose frames hold the surface
        with _lock:
            _results[key.digest()] = result
            while len(_results) > MOST:
                del _results[next(iter(_results))]
    if isinstance(result, InertiaError):
        raise InertiaError(*result.args)
    return result  # type: ignore[no-any-return]
