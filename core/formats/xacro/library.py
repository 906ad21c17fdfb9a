# SPDX-License-Identifier: Apache-2.0
"""The package xacro in its child process."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...child.child import Answer, Child
from ...errors import InertiaError

_child = Child(Path(__file__).with_name("xacro_program.py"), "xacro")


def expand_in_child(values: Mapping[str, Any], data: bytes, answers: Mapping[str, Answer]) -> dict[str, Any]:
    """Return what `xacro_program.expand` returns.

    Raises
    ------
    UnfulfilledError
        For what xacro cannot expand.
    InertiaError
        ``xacro`` if it is not installed or too old, ``library_failed`` if the file takes too much time or memory.
    """
    if find_spec("xacro") is None:
        raise _unusable("is not installed")
    try:
        expanded: dict[str, Any] = _child.request("expand", values, (data,), answers)
    except ImportError:
        raise _unusable("is too old") from None
    return expanded


def _unusable(reason: str) -> InertiaError:
    return InertiaError.of("xacro", "", "package", reason=reason)
