# SPDX-License-Identifier: Apache-2.0
"""The layer over a robot's file that holds new inertials: the file itself keeps its bytes, whatever its format.

It has the file as its sublayer and is stronger than all layers of that, so it works over text, crate, packages and
payloads. A layer that has only what we write is changed itself: it is read by the very lines that we write.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from shlex import quote

from ...document.document import MAX_BYTES
from ...document.numbers import number
from ...errors import InertiaError
from ...files.input_file import read_bytes
from .mass_text import MASS_SCHEMAS

SUFFIX = ".inertia.usda"
"""The end of the name of the layer, after the stem of the file's."""

TEXT = (".usda", ".usd")
"""Suffixes of files that may be text."""

_BASE = re.compile(r"        (?P<at>@|@@@)(?P<base>[^\n]+)(?P=at)")
_OVER = re.compile(r' *over "(?P<name>[^"\\\n]+)"(?P<more> \()?')
_SETTING = re.compile(r"    (?:defaultPrim = \"[^\"\\\n]+\"|(?:kilograms|meters)PerUnit = [-+.e\d]+|upAxis = \"[YZ]\")")
_MASS = re.compile(r" *(?P<line>(?:double\[\] newton|(?:point3f|float3?|quatf) physics):\w+ = [-+.,e\d ()\[\]]+)")

_DOC = '    doc = "Inertials by sdf-inertia over the layer below and all its variants; edit or remove them here."'
_SHARED = "instanceable = false"
_SCHEMAS = "prepend apiSchemas = [" + ", ".join(f'"{name}"' for name in MASS_SCHEMAS) + "]"


@dataclass(frozen=True)
class Override:
    """The layer.

    Parameters
    ----------
    settings : tuple of str
        The lines of the stage's own settings; a sublayer's do not count.
    base : str
        The file that it is over, from its folder.
    masses : mapping of str to sequence of str
        By the path of each body, its attributes as `mass_lines` returns them.
    unshared : frozenset of str
        Paths of instances that are made prims of their own: the prims in an instance cannot be changed.
    """

    settings: tuple[str, ...]
    base: str
    masses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unshared: frozenset[str] = frozenset()

    @classmethod
    def over(cls, path: PurePath, default_prim: str, meters: float, kilograms: float, up_axis: str) -> Override:
        """Return the empty layer over a file, in the units of its stage."""
        settings = [f'    defaultPrim = "{default_prim}"'] if default_prim else []
        settings += [f"    kilogramsPerUnit = {number(kilograms)}", f"    metersPerUnit = {number(meters)}"]
        return cls((*settings, f'    upAxis = "{up_axis}"'), f"./{path.name}")

    @classmethod
    def read(cls, data: bytes) -> Override | None:
        """Return the layer in a file; None if that has anything that we do not write."""
        try:
            lines = data.decode().split("\n")
        except UnicodeDecodeError:
            return None
        match = _BASE.fullmatch(lines[lines.index("    subLayers = [") + 1]) if "    subLayers = [" in lines else None
        if match is None:
            return None
        read = cls(tuple(filter(_SETTING.fullmatch, lines)), match["base"], *_bodies(lines))
        return read if read.data == data else None

    def with_masses(self, masses: Mapping[str, Sequence[str]], unshared: frozenset[str]) -> Override:
        """Return the layer with more attributes, or other ones."""
        return replace(self, masses={**self.masses, **masses}, unshared=self.unshared | unshared)

    @property
    def data(self) -> bytes:
        """Its bytes."""
        *others, up_axis = self.settings
        at = "@@@" if "@" in self.base else "@"
        sublayers = ["    subLayers = [", f"        {at}{self.base}{at}", "    ]"]
        head = ["#usda 1.0", "(", _DOC, *others, *sublayers, up_axis, ")"]
        tree: dict[str, dict] = {}  # type: ignore[type-arg]
        for path in sorted({*self.masses, *self.unshared}):
            branch = tree
            for name in path.strip("/").split("/"):
                branch = branch.setdefault(name, {})
        return "\n".join([*head, *self._overs(tree, "", 0), ""]).encode()

    def _overs(self, tree: Mapping[str, Mapping], path: str, depth: int) -> Iterator[str]:  # type: ignore[type-arg]
        """Yield the lines of some prims and those below them."""
        indent = "    " * depth
        for name, below in tree.items():
            place = f"{path}/{name}"
            masses = self.masses.get(place, ())
            more = [_SHARED] * (place in self.unshared) + [_SCHEMAS] * bool(masses)
            yield ""
            yield f'{indent}over "{name}"' + " (" * bool(more)
            yield from (f"{indent}    {line}" for line in more)
            yield from [f"{indent})"] * bool(more)
            yield f"{indent}{{"
            yield from (f"{indent}    {line}" for line in masses)
            yield from self._overs(below, place, depth + 1)
            yield f"{indent}}}"


def _bodies(lines: Sequence[str]) -> tuple[dict[str, list[str]], frozenset[str]]:
    """Return the attributes by body, and the instances, that lines as we write them have."""
    masses: dict[str, list[str]] = {}
    unshared, path = set[str](), list[str]()
    for line in lines:
        over, mass = _OVER.fullmatch(line), _MASS.fullmatch(line)
        if over is not None:
            path.append(over["name"])
        elif mass is not None:
            masses.setdefault("/" + "/".join(path), []).append(mass["line"])
        elif line.strip() == _SHARED:
            unshared.add("/" + "/".join(path))
        elif line.strip() == "}" and path:
            path.pop()
    return masses, frozenset(unshared)


def override_path(path: Path) -> Path:
    """Return the path of the layer over a file: ``robot.inertia.usda`` beside ``robot.usd``."""
    return path.with_name(path.stem + SUFFIX)


def check_new(data: bytes, path: Path) -> None:
    """Raise ``usd_override`` if there is a layer with other inertials at the path where this one is to be written."""
    if path.exists() and (there := read_bytes(path, MAX_BYTES)) != data:
        old, new = Override.read(there), Override.read(data)
        if old is not None and new is not None and old.base != new.base:
            raise InertiaError.of("usd_override", str(path), "other", base=old.base.removeprefix("./"))
        raise InertiaError.of("usd_override", str(path), "exists", path=quote(str(path)), name=path.name)


def merged(data: bytes, path: Path) -> bytes:
    """Return the layer with those inertials at its path that it does not have; other bytes than a layer unchanged.

    Raises
    ------
    InertiaError
        As `check_new`, if there is something there that we do not write, or a layer over another file.
    """
    layer = Override.read(data)
    if layer is None or not path.exists():
        return data
    old = Override.read(read_bytes(path, MAX_BYTES))
    if old is None or old.base != layer.base:
        check_new(data, path)
        return data
    return old.with_masses(layer.masses, layer.unshared).data


def moved(data: bytes, path: Path, target: Path) -> bytes:
    """Return the layer, written for a path, as it is at another one: with the way to its file from there.

    Raises
    ------
    InertiaError
        ``usd_override`` if that is the path of the file itself, or not that of a text.
    """
    layer = Override.read(data)
    if layer is None:
        return data
    base = path.parent / layer.base
    if target.suffix.lower() not in TEXT:
        raise InertiaError.of("usd_override", str(target), "suffix", name=target.name)
    if os.path.realpath(target) == os.path.realpath(base):
        raise InertiaError.of("usd_override", str(target), "itself", name=override_path(target).name)
    if target.parent == path.parent:
        return data
    try:
        way = PurePath(os.path.relpath(os.path.realpath(base), os.path.realpath(target.parent))).as_posix()
    except ValueError:  # on another drive
        way = base.absolute().as_posix()
    return replace(layer, base=way if way.startswith(("../", "/")) or ":" in way else f"./{way}").data
