# SPDX-License-Identifier: Apache-2.0
"""The files below a folder, without those that tools put there."""

from __future__ import annotations

import os
from collections.abc import Iterator

GENERATED = frozenset({"build", "install", "node_modules"})
"""Folders of files that tools make, such as colcon and npm: copies of what is elsewhere."""

MARKS = frozenset({"COLCON_IGNORE", "pyvenv.cfg"})
"""Files that mark a folder that is not searched: one that colcon skips, and an environment of Python."""


def files_below(folder: str, unread: list[str] | None = None, output: str = "") -> Iterator[str]:
    """Yield the paths of the files below a folder, sorted by folder; `folder` itself is always searched.

    Hidden files and folders are left out, and links to folders, which may form circles.

    Parameters
    ----------
    unread : list of str, optional
        Gets the paths of folders that cannot be read.
    output : str
        The real path of a folder whose files are left out.
    """

    def note(error: OSError) -> None:
        if unread is not None:
            unread.append(str(error.filename))

    for above, folders, names in os.walk(folder, onerror=note):
        if above != folder and not MARKS.isdisjoint(names):
            folders.clear()
            continue
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in GENERATED
            and not (output and os.path.realpath(os.path.join(above, name)) == output)
        )
        for name in sorted(names):
            if not name.startswith("."):
                yield os.path.normpath(os.path.join(above, name))
