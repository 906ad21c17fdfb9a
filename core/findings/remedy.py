# SPDX-License-Identifier: Apache-2.0
"""Remedies of findings, worded for each audience: buttons and menus, options of a command, elements.

A mesh is diagnosed in one place and its remedy is read in four. So a remedy names actions, and one table has their
wording for each audience.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from shlex import quote
from string import Formatter
from types import MappingProxyType
from typing import Any, Literal

Reader = Literal["plain", "blender", "mass", "check", "repair", "sdf"]
"""Audiences: anyone; a user of Blender; of the commands ``mass`` or ``check`` on a mesh file; of ``repair``, or of an
SDF file."""

OR = "; or "
"""Separates two alternatives."""

WHERE = "elements of auto_inertia_params"
"""Added once if a remedy for an SDF file names elements."""


@dataclass(frozen=True)
class Action:
    """The wording of an action for each audience; an empty text means the plain one, None that there is no such action.

    Parameters
    ----------
    plain, blender, option, element : str or None
        ``{value}`` stands for the value, such as a length [m], that a remedy gives. An option of the command ``mass``
        begins with ``--``: users of that command and of ``repair`` are advised to use it, users of ``check`` to run
        ``mass`` with it. ``{robot}`` stands for the file of a robot.
    """

    plain: str
    blender: str | None = ""
    option: str | None = ""
    element: str | None = ""

    def words(self, reader: Reader) -> str | None:
        """Return the wording for an audience; None if it does not have the action."""
        words = {
            "plain": self.plain,
            "blender": self.blender,
            "mass": self.option,
            "check": self.option,
            "repair": self.element and (self.option or self.element),  # elements are set through its options
            "sdf": self.element,
        }[reader]
        return self.plain if words == "" else words


def _method(name: str, label: str, more: str = "") -> Action:
    option = f"--method {name}"
    element = f"<sdf_inertia:method>{name}</sdf_inertia:method>"
    return Action(
        f"choose the method {label}",
        option=option + (f" --{more} {{value}}" if more else ""),
        element=element + (f" with <sdf_inertia:{more}>" if more else ""),
    )


def _repair(plain: str) -> Action:
    """Return an action of the command ``repair``; the value of its remedy is options."""
    return Action(plain, option="run `sdf-inertia repair --in-place{value} {robot}`")


def _edit(plain: str, blender: str) -> Action:
    """Return an action on the mesh itself, without an option of a command."""
    return Action(plain, blender=blender, option=f"{plain} in a mesh editor")


ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "exact": _method("exact", "Exact"),
        "voxel": _method("voxel", "Voxels"),
        "hull": _method("hull", "Convex Hull"),
        "shell": _method("shell", "Shell", "thickness"),
        "voxel_size": Action(
            "choose a voxel size of {value} m",
            option="--voxel-size {value}",
            element="<gz:voxel_size>{value}</gz:voxel_size>",
        ),
        "finer": Action(
            "choose a smaller voxel size",
            option="use a smaller --voxel-size",
            element="use a smaller <gz:voxel_size>",
        ),
        "thickness": Action(
            "choose a thickness of {value} m",
            option="--method shell --thickness {value}",
            element="<sdf_inertia:thickness>{value}</sdf_inertia:thickness>",
        ),
        "close_holes": Action(
            "close the holes",
            blender="close the holes (Close Holes; or Mesh > Clean Up > Fill Holes)",
            option="--close-holes",
        ),
        "fill": Action(
            "fill the holes in the mesh itself",
            blender="fill the holes (Close Holes; or Mesh > Clean Up > Fill Holes)",
            option="fill the holes in a mesh editor",
        ),
        "write_out": Action(
            "write out what engines compute with `fill`",
            blender="export it again as USD",
            option="run `sdf-inertia fill --in-place {robot}`",
        ),
        "merge": _edit("merge the vertices by distance", "merge the vertices by distance (Mesh > Merge > By Distance)"),
        "outside": _edit("recalculate the normals", "recalculate the normals (Mesh > Normals > Recalculate Outside)"),
        "union": _edit("join the parts into one", "join the parts into one (Boolean modifier, Union)"),
        "remesh": _edit("remesh it", "remesh it (Remesh modifier)"),
        "solidify": _edit("give it thickness", "give it thickness (Solidify modifier)"),
        "dissolve": _edit("dissolve them", "dissolve them (Mesh > Clean Up > Degenerate Dissolve)"),
        "triangulate": _edit("triangulate the mesh", "triangulate the mesh (Triangulate modifier)"),
        "fit": Action("fit a primitive", option=None, element="take a primitive instead of the mesh"),
        "untag": Action("remove the tag", option=None, element=None),
        "unit": Action(
            "check the unit of the file (scale 0.001 for mm, 0.01 for cm, 0.0254 for inches) and the density",
            option="use --scale 0.001, 0.01 or 0.0254 if the file is in mm, cm or inches",
        ),
        "origin": Action(
            "move the mesh to its origin and place it by a pose",
            blender="move the mesh to its origin (Object > Set Origin) and place it by the object's transform",
        ),
        "library": Action(
            "run `pip install manifold3d`, in Python 3.14 or older",
            blender="install the zip of SDF Inertia that is made for this system",
        ),
        "give_folder": Action(
            "give the folder that holds it with --path",
            blender="import the robot again, and choose the folder that holds it as Packages",
        ),
        "mujoco": Action(
            "run `pip install 'sdf-inertia[mujoco]'`, or in a clone `pip install '.[mujoco]'`",
            blender="run `{value} -m pip install mujoco` in a terminal",
        ),
        "usd": Action(
            "run `pip install 'sdf-inertia[usd]'`, or in a clone `pip install '.[usd]'`",
            blender="run `{value} -m pip install usd-core` in a terminal",
        ),
        "collide": Action(
            "give it a collision, or an inertial with numbers",
            blender="tag a collision below it, or make its inertia Manual",
        ),
        "weigh_part": Action("let a collision have mass", blender="tag a part as Mass, or let a collision have mass"),
        "not_by_voxels": Action(
            "choose a smaller voxel",
            blender="choose a smaller voxel, the method Exact, or Filled",
            element="use a smaller <gz:voxel_size>, or write the numbers into the file (`sdf-inertia fill`)",
        ),
        "check": Action("check the mesh in full", blender="check the mesh in full (click Check Mesh)"),
        "compute": replace(
            _repair("compute it from the geometry"),
            blender="compute it from the geometry (click Filled; for an imported link tick it in the panel Imported)",
        ),
        "compute_missing": Action(
            "compute its inertia from its geometry",
            blender="press Compute Inertia on the link",
            option="run `sdf-inertia repair --in-place --density KG_M3 {robot}`",
        ),
        "enter": Action("give it an inertial with numbers", blender="enter its numbers (Manual)"),
        "join": Action("join them by fixed joints", blender="join them: Joints from Hierarchy, or a fixed joint"),
        "compute_both": _repair("compute both from the geometry"),
        "correct": _repair("use the numbers that fit"),
        "mirror": _repair("mirror it"),
        "slip": _repair("give it the mass of its tensor"),
        "rescale": _repair("scale the tensor to its mass"),
        "state_mass": Action(
            "give its mass or density", "enter its mass or density", "give --mass KG or --density KG_M3"
        ),
        "state_scale": Action(
            "say how many metres its unit is", "enter the metres per unit: 0.001 for mm", "give --scale, 0.001 for mm"
        ),
        "state_point": Action(
            "say about which point it is", "choose its point", "give --about center or --about origin"
        ),
        "state_products": Action(
            "say what its products are",
            "choose what its products are",
            "give --products positive or --products negative",
        ),
        "find_meshes": Action(
            "click Find Meshes in the panel Imported", option="name the folder that has it by --path"
        ),
        "agree": Action(
            "give it an inertial of 0 kg", option="run `sdf-inertia fill --in-place --for {value} {robot}`"
        ),
    }
)
"""Actions by name. The panel's first button does the first action of a remedy."""

OF_REPAIR = frozenset({"compute", "compute_both", "correct", "mirror", "slip", "rescale"})
"""Actions of the command ``repair``, whose values are options."""

NO_FILES: Mapping[str, str] = MappingProxyType({"robot": "FILE", "mesh": "MESH"})
"""What a command names if the file is not known."""


@dataclass(frozen=True, init=False)
class Remedy:
    """Alternatives, the best first: the data of a text that is worded for each audience by `remedy_for`.

    It is False if nothing needs doing.

    Parameters
    ----------
    *alternatives : str
        Each with ``{voxel}`` for an action of `ACTIONS`, or ``{voxel_size:0.001}`` for one with a value; all other text
        stays.

    Attributes
    ----------
    text : str
        The words for anyone. Remedies with the same text are equal.

    Raises
    ------
    KeyError
        For an unknown action.
    """

    alternatives: tuple[str, ...] = field(compare=False)
    text: str

    def __init__(self, *alternatives: str) -> None:
        self.__dict__.update(alternatives=alternatives, text=_joined(alternatives, "plain"))

    @classmethod
    def plain(cls, text: Remedy | str) -> Remedy:
        """Return a text without actions as a remedy, empty if nothing needs doing; a remedy is returned unchanged."""
        return (cls(_escaped(text)) if text else cls()) if isinstance(text, str) else text

    @classmethod
    def of(cls, template: str, values: Mapping[str, Any]) -> Remedy:
        """Return a remedy from a text of the catalogue; names in it that are not actions are values."""
        if template == "{remedy}" and isinstance(values["remedy"], cls):
            return values["remedy"]
        if "{" not in template:
            return _literal(template)
        text = ""
        for literal, name, spec, _ in Formatter().parse(template):
            text += _escaped(literal)
            if name in ACTIONS:
                value = (spec or "").format(**values)
                text += f"{{{name}:{value}}}" if value else f"{{{name}}}"
            elif name:
                text += _escaped(format(values[name], spec or ""))
        return cls(*text.split(OR))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)

    def __bool__(self) -> bool:
        return bool(self.text)

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of its actions in order, each once."""
        return tuple(dict.fromkeys(name for text in self.alternatives for name in _names(text)))

    def with_values(self, values: Mapping[str, str]) -> Remedy:
        """Return the same remedy with values for those of its actions that have none, by their names."""
        given = {f"{{{name}}}": f"{{{name}:{value}}}" for name, value in values.items() if value}
        return Remedy(*(_replaced(text, given) for text in self.alternatives))

    def without(self, actions: frozenset[str]) -> Remedy:
        """Return the alternatives that name none of these actions."""
        return Remedy(*(text for text in self.alternatives if actions.isdisjoint(_names(text))))


def remedy_for(
    reader: Reader,
    remedy: Remedy,
    translate: Callable[[str], str] = str,
    *,
    robot: str = "FILE",
    mesh: str = "MESH",
    more: str = "",
) -> str:
    """Return a remedy worded for an audience.

    Parameters
    ----------
    translate : callable
        Returns the translation of the words of an action, and of `OR`.
    robot, mesh : str
        The files that its commands name.
    more : str
        Options that its commands on a robot need, such as ``--path models``.

    Alternatives that the audience does not have are left out.
    """
    files = {"robot": f"{more} {file_word(robot)}".lstrip(), "mesh": file_word(mesh)}
    return _joined(remedy.alternatives, reader, translate, files)


def file_word(name: str) -> str:
    """Return the name of a file as a word of a command, which is never an option."""
    return quote(f"./{name}" if name.startswith("-") else name)


def _names(alternative: str) -> list[str]:
    return [name for _, name, *_ in Formatter().parse(alternative) if name]


@cache
def _literal(text: str) -> Remedy:
    """Return a text of the catalogue without names as a remedy; many findings share it."""
    return Remedy(*text.split(OR))


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _replaced(text: str, others: Mapping[str, str]) -> str:
    for old, new in others.items():
        text = text.replace(old, new)
    return text


def _joined(
    alternatives: tuple[str, ...],
    reader: Reader,
    translate: Callable[[str], str] = str,
    files: Mapping[str, str] = NO_FILES,
) -> str:
    wordings = [_worded(text, reader, translate, files) for text in alternatives]
    if reader != "plain" and not any(wordings):
        return _joined(alternatives, "plain", translate)
    joined = translate(OR).join(dict.fromkeys(text for text in wordings if text))
    is_element = reader == "sdf" and "</" in joined and any(map(_names, alternatives))
    return f"{joined} ({WHERE})" if is_element else joined


def _worded(text: str, reader: Reader, translate: Callable[[str], str], files: Mapping[str, str]) -> str:
    """Return an alternative worded for an audience; empty if the audience does not have it."""
    wording = ""
    for literal, name, value, _ in Formatter().parse(text):
        wording += literal
        if name:
            words = ACTIONS[name].words(reader)
            if words is None:
                return ""
            words = translate(words)
            if words.startswith("--"):
                words = f"run `sdf-inertia mass {words} {{mesh}}`" if reader == "check" else f"use {words}"
            given = f" {value}".rstrip() if name in OF_REPAIR else value or "M"
            wording += words.format(value=given, **files)
    return wording
