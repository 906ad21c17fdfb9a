# SPDX-License-Identifier: GPL-3.0-or-later
"""What the process that stands ready does with core: it runs the command line, and exports from Python."""

import multiprocessing
import multiprocessing.popen_fork
import sys
from dataclasses import replace
from pathlib import Path

from core.__main__ import run
from core.cli.main import import_commands
from core.formats.package import Target

from ..exported import model_of, scaled, write


def prepare():
    """Import what the commands would import first of all."""
    for name in ("fill", "repair", "batch"):
        import_commands([name])


def command(*words):
    """Run the command line as the program does; its workers begin as copies of it, which need not import it again."""
    fork = multiprocessing.get_context("fork")
    multiprocessing.get_context = lambda _method=None: fork  # type: ignore[assignment]
    sys.argv = ["sdf-inertia", *words]
    return run()


def export(target, size, description="", *options):
    """Export a model of two meshes, one of that size, as a command does: exit status 2 and a message where it cannot.

    An option is as ``mesh_format=stl``.
    """
    model = model_of(("link", {"part": scaled(float(size)), "same": scaled(1.0)}))
    try:
        path = Path(target)
        named = Target.of(path, model.name) if path.suffix else path
        write(replace(model, description=description), named, **dict(option.split("=") for option in options))
    except OSError as error:
        print(f"cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0
