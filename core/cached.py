# SPDX-License-Identifier: Apache-2.0
"""Properties that are computed at their first use, without a lock."""

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    lockfree_cached_property = cached_property
else:

    class lockfree_cached_property(cached_property):  # noqa: N801  # used as `property` is
        """A property that is computed at its first use and kept.

        Up to Python 3.11, `functools.cached_property` holds a lock that all objects of a class share: while one thread
        computes for a large mesh, no other thread could read a property of a small one. This has no lock: two threads
        that read the same property at the same time both compute it.
        """

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)  # found there from now on
            return value
