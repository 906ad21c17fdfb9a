# SPDX-License-Identifier: GPL-3.0-or-later
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
    key = blake2b(name.encode())
    for array in (surface.vertices, surface.triangles):
        key.update(f"{array.dtype} {array.shape}".encode())
        key.update(array.tobytes())
    result: Any
    with _lock:
        known = key.digest() in _results
        result = _results.get(key.digest())
    if not known:
        try:
            result = compute()
        except InertiaError as error:
            result = InertiaError(*error.args)  # without the traceback, whose frames hold the surface
        with _lock:
            _results[key.digest()] = result
            while len(_results) > MOST:
                del _results[next(iter(_results))]
    if isinstance(result, InertiaError):
        raise InertiaError(*result.args)
    found: T = result
    return found
