# SPDX-License-Identifier: GPL-3.0-or-later
"""What depends on the version of Blender, Python or numpy: tests with the mark `versions`, which run in each of them.

All else runs in one Blender and one Python. `-m versions` selects them; whole folders have the mark, and in the other
folders of `tests/blender` so many tests that each operator runs once.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]

BLENDER_FOLDERS = tuple(
    f"tests/blender/{room}" for room in ("export", "importing", "life", "live", "package", "scene", "viewport")
)
"""What reads, writes and watches Blender's own data, files and drawing (package has the tests of `saved`)."""

CORE_FOLDERS = tuple(
    f"tests/core/{room}" for room in ("api", "body", "cli", "files", "fit", "formats", "mesh", "robot", "view")
) + ("tests/core/test_arrays.py", "tests/core/test_installed.py", "tests/core/test_fuzz.py")
"""Numbers (numpy), files, processes and the command line (Python); not what reads our docs."""

ONLY_XML = tuple(f"tests/core/formats/{room}" for room in ("mjcf", "sdf", "simulators"))
"""Folders in them that only read XML and judge its numbers."""

ONCE = {
    "tests/blender/package/test_real_blender.py": "runs Debian's Blender, whichever wheel runs the test",
    "tests/blender/package/test_german.py": "runs Debian's Blender, whichever wheel runs the test",
}
"""Files in those folders that no version of the running Blender or Python changes."""

OPERATORS = frozenset(
    re.findall(r'= "sdf_inertia\.(\w+)"$', (CHECKOUT / "sdf_inertia_addon/names.py").read_text(encoding="utf-8"), re.M)
)
"""The names of all our operators."""

IN_A_WINDOW = {"show_progress": "tests/gui/test_checking.py"}
"""Operators that only a window can run, and the test of each."""


def depends_on_versions(path: str) -> bool:
    """Return True if all tests of a file have the mark; the path is relative to the checkout."""

    def is_in(folders: tuple[str, ...]) -> bool:
        return any(path == folder or path.startswith(f"{folder}/") for folder in folders)

    return path not in ONCE and is_in((*BLENDER_FOLDERS, *CORE_FOLDERS)) and not is_in(ONLY_XML)


def marked_tests(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield each test of a file that runs in every version, and the names of our operators that it calls.

    Calls are followed through the functions of the file, as text: ``bpy.ops.sdf_inertia.untag(``, or the name alone.
    """
    functions = {
        node.name: node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    everything = depends_on_versions(path.relative_to(CHECKOUT).as_posix())
    for name, function in functions.items():
        if name.startswith("test_") and (everything or any(map(_is_mark, function.decorator_list))):
            yield name, _operators(function, functions, set()) & OPERATORS


def _is_mark(decorator: ast.expr) -> bool:
    return ast.unparse(decorator) == "pytest.mark.versions"


def _operators(function: ast.FunctionDef, functions: dict[str, ast.FunctionDef], visited: set[str]) -> set[str]:
    visited.add(function.name)
    operators = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "bpy.ops.sdf_inertia":
            operators.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            operators.add(node.value.removeprefix("sdf_inertia."))
        elif isinstance(node, ast.Name) and node.id in functions and node.id not in visited:
            operators |= _operators(functions[node.id], functions, visited)
    return operators
