# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches: many files at once."""

from __future__ import annotations

from .entry import Area, Entry

BATCH = Area(
    "Batches",
    "Many files at once, and what works on them.",
    (
        Entry(
            "not_in_map",
            "Not in the map",
            ("error", "warning"),
            "The map of densities has no row for this file or link, by its name, a glob or a category."
            " Nothing is guessed.",
            "Add a row.",
        ),
        Entry(
            "same_output",
            "Same output",
            ("error",),
            "The result of an input would overwrite that of another, or an input: they lie alike below two folders,"
            " their names differ only in case on a disk that ignores it, or the output is where they are.",
            "Name another --output, for each its own if need be.",
        ),
        Entry(
            "report_exists",
            "Report is there already",
            ("error",),
            "A report of this name exists: an earlier batch may have taken hours for it.",
            "Go on where it ended with --resume, or name another --report.",
        ),
        Entry(
            "state_locked",
            "Another batch at work",
            ("error",),
            "Another process writes the same report at this moment.",
            "Wait for it, or name another --report. Shards have one each.",
        ),
        Entry(
            "bad_state",
            "State not readable",
            ("error",),
            "The file beside the report, in which a batch remembers what is done, is none.",
            "Remove it; all inputs are done anew.",
        ),
        Entry(
            "no_library",
            "Library missing",
            ("error",),
            "What the work is handed out with is not installed.",
            "Install it as the message says.",
        ),
        Entry(
            "no_scheduler",
            "No scheduler",
            ("error",),
            "No Dask scheduler answers at the address given.",
            "Start one with dask scheduler, and workers with dask worker.",
        ),
        Entry(
            "no_blender",
            "No Blender",
            ("error",),
            "There is no program of that name to open .blend files with.",
            "Give its path by --blender.",
        ),
        Entry(
            "no_addon",
            "No extension",
            ("error",),
            "Blender does not have the extension SDF Inertia, or the folder given is no checkout of it.",
            "Install the extension in that Blender, or give the folder of a clone by --addon.",
        ),
    ),
)
