# SPDX-License-Identifier: GPL-3.0-or-later
"""The wall: core never knows Blender, and inside core imports run one way."""

import ast
import subprocess
import sys
from functools import cache
from os.path import commonprefix
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"

# What each module or room may import of its neighbours, by its place in the design: the closure of these arrows and
# nothing else. A room without a table of its own leaves its modules free to import each other.
ARROWS = {
    "errors": (),
    "titles": (),
    "name_rules": (),
    "tag_rules": ("name_rules",),
    "arrays": ("errors",),
    "material_library": (),
    "materials": ("errors", "material_library"),
    "pose": ("arrays", "errors"),
    "inertial": ("pose", "arrays"),
    "moments": ("inertial", "materials"),
    "once": (),
    "mesh": ("moments", "once"),
    "primitives": ("moments",),
    "calculators": ("mesh", "primitives"),
    "model": ("mesh", "primitives"),
    "part": ("calculators", "model"),
    "pending": ("part",),
    "auto": ("part", "titles"),
    "resolve": ("auto",),
    "implied_density": ("resolve",),
    "fit": ("model",),
    "files": ("errors",),
    "report": ("resolve",),
    "table": ("report",),
    "diff": ("inertial",),
    "units": (),
    "version": (),
    "status": (),
    "extent": ("model",),
    "templates": ("inertial",),
    "check": ("extent", "templates"),
    "obj_file": ("arrays",),
    "stl_file": ("arrays",),
    "sdf": ("resolve", "files", "diff", "check", "obj_file", "stl_file"),
    "mesh_file": ("mesh", "obj_file", "stl_file"),
    "progress": ("mesh",),
    "commands": ("resolve", "report", "table", "status", "sdf", "files", "diff", "version", "mesh_file", "progress"),
    "cli": ("commands",),
    "__main__": ("cli",),
}

# Each room stands on the surface; the methods, and what picks one, stand on the rooms.
MESH = {
    "surface": (),
    "progress": (),
    "two_threads": (),
    "integrate": ("surface", "two_threads"),
    "many": ("integrate",),
    "geometry": ("surface",),
    "topology": ("geometry",),
    "voxels": ("progress", "surface"),
    "thickness": ("geometry",),
    "union": ("integrate", "topology", "voxels"),
    "diagnosis": ("union",),
    "diagnose": ("diagnosis",),
    "faulty": ("diagnose",),
    "hull": ("integrate",),
    "shell": ("progress", "thickness", "topology"),
    "voxel": ("voxels",),
    "voxel_error": ("diagnosis",),
    "measure": ("diagnose", "hull", "shell", "voxel", "voxel_error"),
}

GEOMETRY = {
    "vectors": (),
    "boxes": (),
    "probe": (),
    "oriented_boxes": ("boxes", "probe", "vectors"),
    "crossing_faces": ("oriented_boxes",),
}

TOPOLOGY = {
    "hashes": (),
    "balance": ("hashes",),
    "connected": (),
    "weld": ("balance", "connected"),
    "edges": ("weld",),
    "components": ("edges",),
    "plain": ("edges",),
    "by_turns": ("edges",),
    "joints": ("edges",),
    "orientation": ("by_turns", "joints"),
    "junctions": ("components",),
    "closing": ("junctions",),
    "single_sheets": (),
}

VOXELS = {
    "crossings": (),
    "cutting": ("crossings",),
    "crowded": ("crossings",),
    "ordered": ("crossings",),
    "sums": ("crossings",),
    "fineness": (),
    "grid": ("cutting", "fineness", "sums"),
    "columns": ("crowded", "grid", "ordered"),
    "windings": ("columns",),
    "settled": ("columns",),
    "runs": ("columns",),
    "differences": (),
    "window": ("grid",),
    "coarseness": (),
}

THICKNESS = {
    "dihedral": (),
    "bodies": ("dihedral",),
    "doubles": (),
    "sheets": ("dihedral",),
}

DIAGNOSIS = {
    "overlap": (),
    "self_crossing": (),
    "side_by_side": ("self_crossing",),
    "doubled": ("overlap", "side_by_side"),
    "quads": (),
    "remarks": ("self_crossing",),
    "closed": ("overlap", "side_by_side"),
    "mending": ("closed", "remarks"),
    "oddities": ("closed", "remarks"),
    "cracks": ("closed", "remarks"),
    "negligible": ("overlap",),
    "reading": ("closed",),
    "crossed": ("negligible", "reading", "remarks"),
}

UNION = {
    "volumes": (),
    "placed": ("volumes",),
    "between": ("placed",),
    "traces": ("between",),
    "fronts": ("traces",),
    "pieces": ("traces",),
    "buried": ("between", "fronts", "pieces"),
    "excess": ("buried",),
    "by_columns": (),
}

ROOMS = {
    "": ARROWS,
    "mesh": MESH,
    "mesh.geometry": GEOMETRY,
    "mesh.topology": TOPOLOGY,
    "mesh.voxels": VOXELS,
    "mesh.union": UNION,
    "mesh.thickness": THICKNESS,
    "mesh.diagnosis": DIAGNOSIS,
}

OUTSIDE = {"numpy"}  # besides the standard library
BLENDER = {"bpy", "bmesh", "mathutils", "gpu", "gpu_extras", "blf", "bl_math", "aud", "idprop", "freestyle"}


def closure(arrows):
    reached = {}
    for name, direct in arrows.items():
        assert reached.keys() >= {*direct}, f"what {name} points at has to stand above it"
        reached[name] = {*direct, *(far for one in direct for far in reached[one])}
    return reached


REACHED = {tuple(room.split(".")) if room else (): closure(arrows) for room, arrows in ROOMS.items()}


def permitted(own, target):
    """Say whether a module of core may import another, both named by their path: an arrow of the room they part in."""
    room = commonprefix((own, target))
    if room not in REACHED:
        return own != target
    here, there = ((*path, "__init__")[len(room)] for path in (own, target))
    return there in REACHED[room].get(here, ())


@cache
def imports(path):
    """Return (module path inside core, or None; the outside module's first name) of every import, wherever it is."""
    return tuple(_walk(path))


def _walk(path):
    package = path.relative_to(CORE).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((None, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield None, node.module.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= len(package) + 1, f"{path} imports from outside core"
            base = package[: len(package) + 1 - node.level]
            module = (*base, *(node.module or "").split(".")) if node.module else base
            for alias in node.names:
                yield ((*module, alias.name) if _is_module((*module, alias.name)) else module), None


def _is_module(parts):
    return (CORE.joinpath(*parts).with_suffix(".py")).is_file() or CORE.joinpath(*parts).is_dir()


FILES = sorted(path.relative_to(CORE).as_posix() for path in CORE.rglob("*.py"))


def of_every_file(fact):
    """Turn a fact of a file into one test of all files of core; what it asserts names the file."""

    def test():
        for name in FILES:
            fact(name)

    return test


@of_every_file
def test_imports_run_one_way(name):
    path = CORE / name
    own = path.relative_to(CORE).with_suffix("").parts
    if own == ("__init__",):
        return  # the front door names them all
    for depth, place in enumerate(own):
        assert place in {"__init__", *REACHED.get(own[:depth], own)}, f"core/{name} has no place in the design"
    for inside, _ in imports(path):
        assert inside is None or permitted(own, inside), f"core/{name} imports {'.'.join(inside)}"


@pytest.mark.parametrize("room", REACHED, ids=ROOMS)
def test_every_place_in_the_design_is_taken(room):
    assert all(_is_module((*room, place)) for place in REACHED[room])


@pytest.mark.parametrize(
    ("own", "target"),
    [
        ("moments", "mesh.integrate"),
        ("mesh.surface", "mesh.integrate"),
        ("mesh.integrate", "mesh"),
        ("mesh.measure", "model"),
        ("moments", "moments"),
        ("inertial", ""),
        ("mesh.geometry.boxes", "mesh.topology.edges"),
        ("mesh.voxels.columns", "mesh.voxel"),
        ("mesh.topology.weld", "mesh.topology.edges"),
        ("mesh.topology.__init__", "mesh.topology.weld"),
    ],
)
def test_a_wrong_arrow_is_seen(own, target):
    assert not permitted(tuple(own.split(".")), tuple(target.split(".")) if target else ())


@of_every_file
def test_core_knows_numpy_and_the_standard_library_and_only_core_sdf_knows_lxml(name):
    allowed = {*sys.stdlib_module_names, *OUTSIDE, *({"lxml"} if name.startswith("sdf/") else ())}
    outside = {module for _, module in imports(CORE / name) if module is not None}
    assert outside <= allowed, name
    assert not outside & BLENDER, name


@of_every_file
def test_core_imports_itself_relatively(name):
    # In Blender it is called bl_ext.<repo>.sdf_inertia.core, from a wheel sdf_inertia.
    assert not {"core", "sdf_inertia", "sdf_inertia_addon"} & {module for _, module in imports(CORE / name)}, name


def test_the_walk_sees_the_imports_it_judges():
    seen = {inside for inside, _ in imports(CORE / "mesh" / "measure.py") if inside}
    assert {("errors",), ("moments",), ("mesh", "diagnose"), ("mesh", "diagnosis", "remarks")} <= seen
    assert ("primitives",) in {inside for inside, _ in imports(CORE / "model.py") if inside}
    assert {"resolve", "mesh/measure", "sdf"} & {name.removesuffix(".py") for name in FILES} >= {
        "resolve",
        "mesh/measure",
    }


def test_core_imports_in_a_fresh_interpreter_without_blender():
    code = (
        "import sys; sys.modules['bpy'] = sys.modules['lxml'] = None  # importing either would raise\n"
        "import core, core.report, core.resolve\n"
        f"print(sorted({BLENDER!r} & {{name.split('.')[0] for name, module in sys.modules.items() if module}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=CORE.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
