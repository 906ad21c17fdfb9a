# SPDX-License-Identifier: GPL-3.0-or-later
"""STEP files with OpenCASCADE: solids of every kind, nested, mirrored, with materials, in any schema and unit."""

import math

from OCP.BRep import BRep_Builder
from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.Interface import Interface_Static
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_StepModelType
from OCP.TCollection import TCollection_HAsciiString
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shell
from OCP.XCAFDoc import XCAFDoc_DocumentTool

from examples.cad.make_arm import Drawing as Drawing
from examples.cad.make_arm import box as box
from examples.cad.make_arm import moved as moved

GREY = (0.5, 0.5, 0.5)


def ball(radius):
    return BRepPrimAPI_MakeSphere(radius).Shape()


SOLIDS = {
    "box": (box((3, 4, 5), (30, 50, 70)), (105000.0, (50**2 + 70**2) / 12, (30**2 + 50**2) / 12)),
    "cylinder": (BRepPrimAPI_MakeCylinder(8.0, 90.0).Shape(), (math.pi * 64 * 90, (3 * 64 + 8100) / 12, 32.0)),
    "cone": (
        BRepPrimAPI_MakeCone(5.0, 0.0, 9.0).Shape(),
        (math.pi * 75.0, 0.15 * 25 + 3.0 / 80.0 * 81, 0.3 * 25),
    ),
    "sphere": (ball(7.0), (4.0 / 3.0 * math.pi * 343, 0.4 * 49, 0.4 * 49)),
    "torus": (
        BRepPrimAPI_MakeTorus(40.0, 6.0).Shape(),
        (2 * math.pi**2 * 40 * 36, (4 * 1600 + 5 * 36) / 8, (4 * 1600 + 3 * 36) / 4),
    ),
}
"""Shapes [mm], and volume [mm³], Ixx and Izz over the mass [mm²] in closed form."""


def as_splines(shape):
    return BRepBuilderAPI_NurbsConvert(shape).Shape()


def without_a_face(shape):
    """Return the shell of a solid without its last face."""
    shell, builder, faces = TopoDS_Shell(), BRep_Builder(), explored(shape)
    builder.MakeShell(shell)
    for face in faces[:-1]:
        builder.Add(shell, face)
    return shell


def together(*shapes):
    compound, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(compound)
    for shape in shapes:
        builder.Add(compound, shape)
    return compound


def explored(shape):
    explorer, faces = TopExp_Explorer(shape, TopAbs_ShapeEnum.TopAbs_FACE), []
    while explorer.More():
        faces.append(explorer.Current())
        explorer.Next()
    return faces


def material(drawing, part, name, density):
    """Give a part a material, with a density in g/mm³, or in another unit: the file does not say which."""
    words = [TCollection_HAsciiString(word) for word in (name, "alloy", "density measure", "POSITIVE_RATIO_MEASURE")]
    tool = XCAFDoc_DocumentTool.MaterialTool_s(drawing.document.Main())
    tool.SetMaterial(part, *words[:2], density, *words[2:])


def write(drawing, path, schema="AP214IS", unit="MM"):
    drawing.shapes.UpdateAssemblies()
    Interface_Static.SetCVal_s("write.step.schema", schema)
    Interface_Static.SetCVal_s("write.step.unit", unit)
    writer = STEPCAFControl_Writer()
    writer.SetNameMode(True)
    writer.SetColorMode(True)
    writer.SetMaterialMode(True)
    writer.Transfer(drawing.document, STEPControl_StepModelType.STEPControl_AsIs)
    writer.Write(str(path))
    Interface_Static.SetCVal_s("write.step.unit", "MM")
    return path


def part_file(path, shape, name="part"):
    """Write a file of one part."""
    drawing = Drawing()
    drawing.part(name, shape, GREY)
    return write(drawing, path)


def nested():
    """Return an assembly whose parts are in sub-assemblies, turned, repeated and mirrored."""
    drawing = Drawing()
    block = drawing.part("block", SOLIDS["box"][0], (0.8, 0.1, 0.1))
    ring = drawing.part("ring", as_splines(SOLIDS["torus"][0]), GREY)
    pin = drawing.part("pin", SOLIDS["cylinder"][0], GREY)
    material(drawing, block, "Aluminium 6061", 2.7e-3)
    material(drawing, pin, "Steel", 7.85)
    inner = drawing.assembly("inner", (pin, moved((5, 6, 7), moved_axis(1, 1, 0), 0.7)), (ring, moved((0, 150, 0))))
    middle = drawing.assembly(
        "middle",
        (inner, moved((1, 2, 3), moved_axis(0, 0, 1), 0.3)),
        (block, moved((40, 0, 0), mirror=moved_axis(1, 0, 0))),
    )
    drawing.assembly(
        "outer",
        (middle, moved((0, 0, 200), moved_axis(0, 1, 0), 1.1)),
        (middle, moved((0, 0, 400), mirror=moved_axis(0, 1, 0))),
    )
    return drawing


def moved_axis(*direction):
    from OCP.gp import gp_Dir

    return gp_Dir(*map(float, direction))


def many(count):
    """Return an assembly of unlike parts: plates with a cylinder cut out, each with three splined neighbours."""
    drawing = Drawing()
    contents = []
    for number in range(count):
        shape = box((0, 0, 0), (20 + number, 30, 5))
        if number % 3 == 0:
            shape = as_splines(BRepPrimAPI_MakeCylinder(4.0 + number / 10, 20.0).Shape())
        part = drawing.part(f"part {number}", shape, GREY)
        contents.append((part, moved((number * 40, 0, 0), moved_axis(0, 1, 1), 0.1 * number)))
    drawing.assembly("many", *contents)
    return drawing
