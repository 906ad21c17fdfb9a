# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties that are computed at their first use, without a lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lockfree_cached_property(Generic[Value]):  # noqa: N801  # used as `property` is
    """A property that is computed at its first use and kept.

    Up to Python 3.11, `functools.cached_property` holds a lock that all objects of a class share: while one thread
    computes for a large mesh, no other thread could read a property of a small one. This has no lock: two threads that
    read the same property at the same time both compute it.
    """

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lockfree_cached_property[Value]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> lockfree_cached_property[Value] | Value:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._work(instance)  # found there from now on
        return value
