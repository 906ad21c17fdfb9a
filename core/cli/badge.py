# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON of a badge for a README: the result of ``check`` on one or several files together."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from ..files.whole_files import write_whole
from ..robot.report import Json
from ..status import REFUSED
from .checked import UNKNOWN, CheckedFile

STANDARD_OUTPUT = "-"


def badge(files: Sequence[CheckedFile]) -> Json:
    """Return the label, message and color of a badge, in the schema of endpoint badges.

    The color is red if a file has an error, even a known one, yellow if one has a warning, and grey if one could not be
    read.
    """
    counts = [file.summary for file in files if file.summary is not None]
    links, possible, agree = (sum(getattr(one, name) for one in counts) for name in ("links", "possible", "agree"))
    color = "brightgreen"
    if any(file.known or any(one.severity == "warning" for one in file.findings) for file in files):
        color = "yellow"
    if possible < links or any(file.status == REFUSED for file in files):
        color = "red"
    message = f"{'all' if possible == links else f'{possible} of'} {links} links possible, {agree} agree with geometry"
    if not links:
        message = "refused" if color == "red" else "no links"
    unread = sum(file.status in UNKNOWN for file in files)
    if unread:
        color, message = "lightgrey", f"{unread} file{'s' * (unread > 1)} not read"
    return {"schemaVersion": 1, "label": "inertia", "message": message, "color": color}


def write_badge(target: str, files: Sequence[CheckedFile]) -> None:
    """Write the badge to a file or to standard output; raises InertiaError or OSError if it cannot be written."""
    data = json.dumps(badge(files), ensure_ascii=False) + "\n"
    if target == STANDARD_OUTPUT:
        sys.stdout.write(data)
    else:
        write_whole(Path(target), data.encode())
