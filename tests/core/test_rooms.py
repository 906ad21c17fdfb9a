# SPDX-License-Identifier: GPL-3.0-or-later
"""The rooms of both trees: which may import which, no circle anywhere, and none too full to look over."""

import subprocess
import sys
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter

import pytest

from tools.house import CHECKOUT, FRONT_DOORS, imports, modules, statements

# What each room may import besides itself: the rooms named, and whatever these may import. A room is a folder with all
# below it that is no room of its own, or a module that others of its folder stand on; "" is a tree's doorstep.
CORE = {
    "units": (),
    "findings": ("units",),
    "": ("findings",),
    "body": ("",),
    "child": ("",),
    "mesh.surface": ("body",),
    "mesh.progress": ("mesh.surface",),
    "mesh.integrate": ("mesh.surface",),
    "mesh.topology": ("mesh.progress",),
    "mesh.voxels": ("mesh.progress",),
    "mesh.manifold": ("mesh.surface",),
    "mesh.winding": ("mesh.integrate", "mesh.topology", "mesh.voxels"),
    "mesh.diagnosis": ("mesh.manifold", "mesh.winding"),
    "mesh": ("mesh.diagnosis",),
    "files": ("mesh",),
    "robot": ("files",),
    "statics": ("robot",),
    "bom": ("files",),
    "printed": ("body",),
    "fit": ("robot",),
    "formats.sdf.spec.codes": ("",),
    "document": ("formats.sdf.spec.codes", "files"),
    "formats.sdf.spec": ("document",),
    "judge.geometry": ("robot",),
    "formats.file_link": ("document", "judge.geometry"),
    "formats.fused": ("formats.sdf.spec", "robot"),
    "formats.sdf": ("formats.sdf.spec", "formats.file_link", "formats.fused"),
    "formats.simulators": ("formats.sdf",),
    "formats.sdf.fill": ("formats.simulators",),
    "formats.robot_file": ("formats.sdf.fill",),
    "formats.motors": ("formats.sdf.spec", "robot"),
    "formats.sdf.model": ("formats.robot_file", "formats.motors"),
    "formats.sdf.format": ("formats.robot_file", "formats.sdf.model"),
    "formats.urdf": ("formats.robot_file", "formats.motors"),
    "formats.xacro.read": ("formats.urdf", "child"),
    "formats.urdf.format": ("formats.urdf", "formats.xacro.read"),
    "formats.xacro": ("formats.urdf.format",),
    "formats.mjcf": ("formats.urdf", "child"),
    "formats.usd": ("formats.mjcf",),
    "formats.step": ("formats.sdf.spec", "robot", "bom", "child"),
    "formats": ("formats.sdf.format", "formats.xacro", "formats.mjcf", "formats.usd", "formats.step"),
    "engines": ("formats",),
    "judge": ("engines",),
    "view": ("judge", "statics"),
    "samples": ("judge",),
    "api": ("view", "samples"),
    "cli": ("api", "fit", "printed"),
}

ADDON = {
    "translations": (),
    "": ("translations",),
    "scene": ("",),
    "live": ("scene",),
    "overlay": ("live",),
    "overlay.labels": ("overlay",),
    "mesh_tools": ("scene",),
    "viewport": ("overlay.labels",),
    "export": ("viewport",),
    "gizmos": ("viewport",),
    "importing": ("scene",),
    "panels": ("export", "gizmos", "importing", "mesh_tools"),
    "operators": ("panels",),
}

BUDGETS = {
    "core": {
        "": (10, 450),
        "api": (9, 760),
        "body": (18, 1200),
        "bom": (4, 550),
        "child": (3, 300),
        "cli": (39, 3860),
        "document": (10, 1100),
        "engines": (12, 781),
        "files": (21, 1885),
        "findings": (5, 256),
        "fit": (3, 300),
        "formats": (81, 8620),
        "judge": (25, 2650),
        "mesh": (50, 4525),
        "printed": (3, 400),
        "robot": (13, 1330),
        "samples": (7, 480),
        "statics": (5, 560),
        "view": (7, 700),
    },
    "sdf_inertia_addon": {
        "": (8, 400),
        "export": (8, 600),
        "gizmos": (9, 550),
        "importing": (9, 950),
        "live": (11, 985),
        "mesh_tools": (8, 650),
        "operators": (28, 2150),
        "overlay": (23, 1695),
        "panels": (22, 1860),
        "scene": (21, 1565),
        "translations": (3, 100),
        "viewport": (6, 400),
    },
}
"""Modules and statements of each room with all below it. A commit that raises one names the feature that needs it."""

SMALL = 80
"""Lines below which a module belongs to the one that imports it, unless it is a row of a recipe in architecture.md."""

RECIPES = (
    "body.shapes",
    "cli",
    "engines",
    "files",
    "mesh",
    "operators",
    "operators.files",
    "panels",
    "panels.sections",
)
"""Rooms with a module for each shape, command, engine, mesh format, method, operator or panel."""

ALONE = {
    "core/body.picture",
    "sdf_inertia_addon/gizmos.mass_handle",
    "sdf_inertia_addon/translations.catalogue",
}
"""Small modules with one reader of their own kind, which stay for that."""

LARGEST = 20
"""Modules in one folder: about what a person looks over."""

OUTSIDE = {"numpy"}  # besides the standard library
BLENDER = {"bpy", "bmesh", "mathutils", "gpu", "gpu_extras", "blf", "bl_math", "aud", "idprop", "freestyle"}

TREES = {"core": CORE, "sdf_inertia_addon": ADDON}


def own_imports(tree, name):
    """Return which modules of its own tree a module imports."""
    return {target for other, target in imports(tree, name)[0] if other == tree}


@cache
def room_of(tree, name):
    """Return the room that a module is in: the longest name in the table that its own begins with."""
    parts = name.split(".")
    found = (".".join(parts[:count]) for count in range(len(parts), -1, -1))
    return next(room for room in found if room in TREES[tree] and (room or len(parts) == 1))


@cache
def allowed(tree, room):
    direct = TREES[tree][room]
    return {room, *direct, *(far for near in direct for far in allowed(tree, near))}


def permitted(tree, own, target):
    return room_of(tree, target) in allowed(tree, room_of(tree, own))


@pytest.mark.parametrize("tree", TREES)
def test_imports_run_one_way(tree):
    wrong = [
        f"{tree}/{name} imports {target}"
        for name in modules(tree)
        if name not in FRONT_DOORS
        for target in own_imports(tree, name)
        if target in FRONT_DOORS or not permitted(tree, name, target)
    ]
    assert not wrong


@pytest.mark.parametrize("tree", TREES)
def test_no_module_is_imported_by_what_it_imports(tree):
    list(TopologicalSorter({name: own_imports(tree, name) - {name} for name in modules(tree)}).static_order())


@pytest.mark.parametrize("tree", TREES)
def test_every_module_has_a_room_and_every_room_a_module(tree):
    assert {room_of(tree, name) for name in modules(tree) if name not in FRONT_DOORS} == TREES[tree].keys()


@pytest.mark.parametrize("tree", TREES)
def test_no_folder_is_too_full_to_look_over(tree):
    folders = {path.parent for path in modules(tree).values()}
    counts = {folder: len([*folder.glob("*.py")]) - (folder / "__init__.py").exists() for folder in folders}
    assert {folder.as_posix(): count for folder, count in counts.items() if count > LARGEST} == {}


@pytest.mark.parametrize("tree", TREES)
def test_no_room_is_larger_than_its_budget(tree):
    sizes = {room: [0, 0] for room in BUDGETS[tree]}
    for path in modules(tree).values():
        room, *below = path.relative_to(CHECKOUT / tree).parts
        size = sizes[room if below else ""]
        size[0], size[1] = size[0] + 1, size[1] + statements(path)
    larger = {
        room: (*size,)
        for room, size in sizes.items()
        if size[0] > BUDGETS[tree][room][0] or size[1] > BUDGETS[tree][room][1]
    }
    assert larger == {}, f"raise these BUDGETS of {tree} in a commit that names the feature"


def test_a_small_module_is_imported_by_two_or_is_a_row_of_a_recipe():
    known = {(tree, name): path for tree in TREES for name, path in modules(tree).items() if name not in FRONT_DOORS}
    importers = Counter(target for tree, name in known for target in imports(tree, name)[0] if target != (tree, name))
    alone = set()
    for (tree, name), path in known.items():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if (
            lines < SMALL
            and importers[tree, name] < 2
            and path.name != "__init__.py"
            and not any(name.startswith(f"{room}.") and "." not in name[len(room) + 1 :] for room in RECIPES)
        ):
            alone.add(f"{tree}/{name}")
    assert alone == ALONE, "a module this small belongs in the one that imports it"


@pytest.mark.parametrize(
    ("own", "target"),
    [
        ("body.moments", "mesh.integrate"),
        ("mesh.surface", "mesh.integrate"),
        ("mesh.measure", "robot.model"),
        ("errors", "body.pose"),
        ("mesh.topology.edges", "mesh.winding.lines"),
        ("mesh.voxels.columns", "mesh.voxel"),
        ("formats.sdf.links", "formats.simulators.verdicts"),
        ("formats.table", "judge.judge"),
        ("robot.resolve", "formats.sdf.read"),
        ("fit.primitive", "cli.main"),
    ],
)
def test_a_wrong_arrow_is_seen(own, target):
    assert {own, target} <= modules("core").keys()
    assert not permitted("core", own, target)


XML = ("document", "formats", "files.collada_file")
"""Where XML is read."""


def test_core_imports_other_libraries_only_where_they_are_needed():
    assert "manifold3d" in imports("core", "mesh.manifold")[1]
    for name in modules("core"):
        own = {"lxml"} if name.startswith(XML) else {"manifold3d"} if name == "mesh.manifold" else set()
        own |= {"rich"} if name.startswith("cli.") else set()
        own |= {"pydrake", "pinocchio"} if name == "body.inertial" else set()  # when a conversion is called
        own |= {"mujoco"} if name == "formats.mjcf.mujoco_program" else set()  # in a child process
        own |= {"pxr"} if name == "formats.usd.usd_program" else set()
        own |= {"OCP"} if name == "formats.step.step_program" else set()  # in another
        allowed = {*sys.stdlib_module_names, *OUTSIDE, *own}
        inside, outside = imports("core", name)
        assert {tree for tree, _target in inside} <= {"core"}, name
        assert outside <= allowed, name
        assert not outside & BLENDER, name


def test_each_tree_imports_itself_relatively():
    # In Blender core is called bl_ext.<repo>.sdf_inertia.core, from a wheel sdf_inertia.
    for tree in TREES:
        for name in modules(tree):
            assert not {"core", "sdf_inertia", "sdf_inertia_addon"} & imports(tree, name)[1], f"{tree}/{name}"


def test_the_walk_sees_the_imports_it_judges():
    assert {"errors", "body.moments", "mesh.policy", "mesh.diagnosis.remarks"} <= own_imports("core", "mesh.enclosed")
    assert "body.shapes" in own_imports("core", "robot.model")
    assert "numpy" in imports("core", "mesh.surface")[1]


def test_core_imports_in_a_fresh_interpreter_without_blender():
    code = (
        "import sys; sys.modules.update(bpy=None, lxml=None, manifold3d=None)  # importing one would raise\n"
        "import core, core.robot.report, core.robot.resolve\n"
        f"print(sorted({BLENDER!r} & {{name.split('.')[0] for name, module in sys.modules.items() if module}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
