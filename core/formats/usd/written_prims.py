# SPDX-License-Identifier: Apache-2.0
"""Prims as USD's text: their names and properties, strings, and poses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...body.few_digits import kept
from ...body.pose import Pose
from ...document.numbers import few, few_texts, number
from .mass_text import quaternion_text, single, values_text

INDENT = "    "

METRES = ("kilogramsPerUnit = 1", "metersPerUnit = 1", 'upAxis = "Z"')
"""What each of our layers says of its units and axes."""

UNSCALED = (1.0, 1.0, 1.0)


@dataclass(eq=False)
class WrittenPrim:
    """A prim that is being written.

    Parameters
    ----------
    head : str
        Its type and name, as ``Xform "arm"``.
    lines : list of str
        Its properties.
    schemas, metadata : list of str
        The schemas that are applied to it, and what else is in its parentheses.
    children : list of WrittenPrim
    """

    head: str
    lines: list[str] = field(default_factory=list)
    schemas: list[str] = field(default_factory=list)
    metadata: list[str] = field(default_factory=list)
    children: list[WrittenPrim] = field(default_factory=list)

    def texts(self, indent: str = "") -> Iterator[str]:
        """Yield the lines of its text."""
        metadata = [*self.metadata]
        if self.schemas:
            metadata.insert(0, f"prepend apiSchemas = [{', '.join(map(quoted, self.schemas))}]")
        yield f"{indent}def {self.head}{' (' if metadata else ''}"
        if metadata:
            yield from (f"{indent}{INDENT}{text}" for text in metadata)
            yield f"{indent})"
        yield f"{indent}{{"
        yield from (f"{indent}{INDENT}{text}" for text in self.lines)
        for index, child in enumerate(self.children):
            if index or self.lines:
                yield ""
            yield from child.texts(indent + INDENT)
        yield f"{indent}}}"


def layer_bytes(root: WrittenPrim, name: str) -> bytes:
    """Return a layer with one root prim of this name."""
    metadata = (f"{INDENT}{text}" for text in (f"defaultPrim = {quoted(name)}", *METRES))
    return ("\n".join(["#usda 1.0", "(", *metadata, ")", "", *root.texts()]) + "\n").encode()


def prim_name(wanted: str) -> str:
    """Return a name as a prim's: letters, digits and underscores of ASCII, which every USD accepts."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", wanted)
    return name if name and not name[0].isdigit() else f"_{name}"


def display_name(name: str, wanted: str) -> list[str]:
    """Return the metadata of a prim that has another name than its link, joint or part."""
    return [] if name == wanted else [f"displayName = {quoted(wanted)}"]


def quoted(text: str) -> str:
    """Return a text as a string of USD."""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda match: f"\\x{ord(match[0]):02x}", text) + '"'


def asset(path: str) -> str:
    """Return the path of a file as USD's; one in our folder from that of the layer, as archives need it."""
    path = f"./{path}" if path.startswith("meshes/") else path
    return f"@@@{path}@@@" if "@" in path else f"@{path}@"


def pose_lines(pose: Pose, scale: Sequence[float] = UNSCALED) -> list[str]:
    """Return the properties of a pose in the parent's frame, and of a scale below it."""
    lines = [f"double3 xformOp:translate = ({', '.join(few_texts(pose.p))})"]
    lines.append(f"quatd xformOp:orient = {quaternion_text(pose, lambda part: number(kept(part, 1.0)))}")
    order = ["xformOp:translate", "xformOp:orient"]
    if set(scale) != {1.0}:
        lines.append(f"double3 xformOp:scale = {values_text(scale, few)}")
        order.append("xformOp:scale")
    return [*lines, f"uniform token[] xformOpOrder = [{', '.join(map(quoted, order))}]"]


def extent_line(half_sizes: Iterable[float]) -> str:
    """Return the property of a box about the origin, in which a shape is."""
    high = [*half_sizes]
    return f"float3[] extent = [{values_text([-half for half in high], single)}, {values_text(high, single)}]"
