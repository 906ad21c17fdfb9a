# SPDX-License-Identifier: GPL-3.0-or-later
"""The export from a command line: `headless.py`, and `blender -b FILE --command sdf_inertia export`."""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

import bpy

from ...core.escapes import for_log
from ...core.files.whole_files import new_folder, write_atomic
from ...core.formats.writers import WRITERS
from ...core.robot.report import markdown, model_json, with_schema
from ...core.status import CANNOT_RUN, DONE, OUR_BUG, REFUSED
from ...core.version import version
from ..names import COMMAND
from .export_scene import Export, export_scene, thumbnail_of

_handle: object = None


def attach() -> None:
    global _handle
    _handle = bpy.utils.register_cli_command(COMMAND, _command)


def detach() -> None:
    bpy.utils.unregister_cli_command(_handle)


def _command(argv: list[str]) -> int:
    if argv[:1] != ["export"]:
        print(f"usage: blender -b FILE.blend --command {COMMAND} export --output DIR [...]", file=sys.stderr)
        return CANNOT_RUN
    return run(argv[1:], f"blender -b FILE.blend --command {COMMAND} export")


def run(argv: Sequence[str], prog: str = "headless.py") -> int:
    """Export with these arguments; return the exit status."""
    try:
        options = _parser(prog).parse_args(argv)
    except SystemExit as end:  # argparse's own: 0 after --help, 2 after a wrong option
        return end.code if isinstance(end.code, int) else CANNOT_RUN
    try:
        return _export(options)
    except Exception:  # anything else is an internal error, which has its own exit status
        traceback.print_exc()
        return OUR_BUG


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog, description="Export the links of a .blend as SDF, URDF, MJCF or USD.")
    parser.add_argument("blend", nargs="?", type=Path, help="the .blend, if Blender has not loaded one already")
    parser.add_argument("--output", required=True, type=Path, metavar="DIR", help="the folder to make MODEL/ in")
    parser.add_argument("--inertia", choices=("as-set", "auto", "filled"), default="as-set")
    parser.add_argument("--skip-invalid", action="store_true", help="export the other links if some have errors")
    parser.add_argument(
        "--trust", action="store_true", help="run the Python in the .blend; it is loaded again for that"
    )
    parser.add_argument("--strict-auto", action="store_true", help="make it an error if AUTO has to be written filled")
    parser.add_argument("--uri", choices=("relative", "model", "file"), default="relative", help="URIs of meshes")
    parser.add_argument("--format", choices=tuple(WRITERS), default="sdf", help="of the file; only SDF has auto")
    parser.add_argument("--dummy-root", action="store_true", help="in URDF, add a link without mass above the root")
    parser.add_argument("--fixed-base", action="store_true", help="fix the root to the world, if no joint does")
    parser.add_argument("--mesh-format", choices=("obj", "stl"), default="obj")
    parser.add_argument(
        "--no-drawn-collisions",
        dest="draw_collisions",
        action="store_false",
        help="write links without a visual as they are; by default their collisions are drawn",
    )
    parser.add_argument(
        "--report", type=_ending(".json"), metavar="FILE.json", help="numbers as JSON; a table beside it as .md"
    )
    parser.add_argument("--thumbnail", action="store_true", help="a picture of the model beside it, for Gazebo's lists")
    parser.add_argument("--preview", type=_ending(".png"), metavar="FILE.png", help="a picture with the inertia on top")
    return parser


def _ending(suffix: str) -> Callable[[str], Path]:
    # Under another name the table beside the report, or the picture, would overwrite a file that is none of ours.
    def path(text: str) -> Path:
        if Path(text).suffix.lower() != suffix:
            raise argparse.ArgumentTypeError(f"the file name has to end in {suffix}, and {text!r} does not")
        return Path(text)

    return path


def _export(options: argparse.Namespace) -> int:
    problem = _loaded(options.blend, options.trust)
    if problem:
        return _cannot(problem)
    try:
        result = export_scene(
            bpy.context.evaluated_depsgraph_get(),
            options.output,
            options.inertia.upper().replace("-", "_"),
            options.skip_invalid,
            options.strict_auto,
            options.uri,
            options.mesh_format,
            file_format=options.format,
            draw_collisions=options.draw_collisions,
            dummy_root=options.dummy_root,
            fixed_base=options.fixed_base,
        )
    except OSError as error:
        return _cannot(f"cannot write {error.filename or options.output}: {error.strerror}")
    _say(result)
    try:
        if options.report:
            _write_report(result, options.report)
    except OSError as error:
        return _cannot(f"cannot write {error.filename or options.report}: {error.strerror}")
    if not result.bodies:
        return _cannot("no object is tagged as a link: tag one in the SDF tab, or by object.sdf_inertia.is_link = True")
    pictures = [options.preview] if options.preview else []
    if options.thumbnail and result.sdf is not None:
        pictures.append(thumbnail_of(result.sdf))
    for path in pictures:
        _draw_preview(result, path)
    return REFUSED if result.refused else DONE


def _say(result: Export) -> None:
    for finding in result.findings:
        print(for_log(str(finding)), file=sys.stderr)
    if result.sdf is not None:
        print(for_log(f"wrote {result.sdf}"), file=sys.stderr)
    elif result.bodies:
        print("nothing was written: an input is invalid (--skip-invalid exports the others)", file=sys.stderr)


def _loaded(blend: Path | None, trust: bool) -> str:
    """Make sure that the right .blend is loaded; return what is wrong, or nothing."""
    if blend is None and not bpy.data.filepath:
        return "no .blend is loaded: name one (for Blender, before --python or --command)"
    if blend is None and trust:
        blend = Path(bpy.data.filepath)  # what did not run while it was loaded runs only when it is loaded again
    if blend is None:
        return ""
    if not blend.is_file():
        return f"there is no file {blend}"
    try:
        if trust:
            bpy.ops.wm.open_mainfile(filepath=str(blend.absolute()), use_scripts=True)
        else:  # as Blender was started: --enable-autoexec trusts every file
            bpy.ops.wm.open_mainfile(filepath=str(blend.absolute()))
    except RuntimeError as error:
        return f"cannot open {blend}: {error}"
    return ""


def _cannot(problem: str) -> int:
    print(for_log(f"error: {problem}"), file=sys.stderr)
    return CANNOT_RUN


def _write_report(result: Export, path: Path) -> None:
    data = {
        "file": Path(bpy.data.filepath).name,
        "blender": bpy.app.version_string,
        "version": version(),
        "models": [model_json(result.model, result.bodies)],
    }
    text = json.dumps(with_schema(data), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    table = markdown(result.model, result.bodies)
    with new_folder(path.parent):
        for target, content in ((path, text), (path.with_suffix(".md"), table)):
            write_atomic(target, content.encode(errors="backslashreplace"))  # the name of a file may be no text


def _draw_preview(result: Export, path: Path) -> None:
    from . import preview

    try:
        preview.write(result, path)
    except (preview.PreviewError, OSError) as error:
        print(for_log(f"warning: the preview was not drawn: {error}"), file=sys.stderr)
