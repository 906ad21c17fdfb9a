# SPDX-License-Identifier: GPL-3.0-or-later
"""New inertials into a robot's own file: only the bytes of their ``<inertial>`` change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...body.inertial import Inertial


def write_back(path: Path, model_name: str, inertials: Mapping[str, Inertial]) -> bytes:
    """Return the bytes of a file with the inertials of some of its links in place of those it has.

    Parameters
    ----------
    path : Path
        An SDF or URDF file.
    model_name : str
        Which of its models, as `robots_of` names it.
    inertials : mapping of str to Inertial
        By link, as `robots_of` names them, each in its link's frame.

    Returns
    -------
    bytes
        All else is as it was, and so is a link that says these numbers already. ``auto`` is dropped. Written by
        ``write_whole`` of core.files.whole_files, it is there whole or not at all.

    Raises
    ------
    InertiaError
        For a link that is not in the model or stands in an included file, and what reading the file raises.
    """
    raise NotImplementedError
