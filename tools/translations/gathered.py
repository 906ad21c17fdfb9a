# SPDX-License-Identifier: GPL-3.0-or-later
"""All texts of the interface."""

from __future__ import annotations

from collections.abc import Iterator

from .interface import declared, listed_in_core
from .message import Message
from .scan import marked


def messages(classes: tuple[type, ...]) -> Iterator[Message]:
    """Yield every message of the interface, in a fixed order.

    Parameters
    ----------
    classes : tuple of type
        What the add-on has registered.
    """
    found = [*declared(classes), *marked(), *listed_in_core()]
    yield from sorted((one for one in found if one.text), key=lambda one: (one.place, one.key, one.role))
