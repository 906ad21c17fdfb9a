# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes arm.step, the assembly of the tutorial, with OpenCASCADE: ``python make_arm.py``, in an environment with [cad].

Three sub-assemblies, whose frames are on the axes of the joints, with instances, a mirrored part and colours.
"""

from math import pi
from pathlib import Path

from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.Interface import Interface_Static
from OCP.Quantity import Quantity_Color, Quantity_TypeOfColor
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_StepModelType
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_ColorType, XCAFDoc_DocumentTool

X, Y, Z = gp_Dir(1, 0, 0), gp_Dir(0, 1, 0), gp_Dir(0, 0, 1)


def box(corner, size):
    return BRepPrimAPI_MakeBox(gp_Pnt(*map(float, corner)), *map(float, size)).Shape()


def cylinder(foot, axis, radius, height):
    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(*map(float, foot)), axis), float(radius), float(height)).Shape()


def cut(shape, *others):
    for other in others:
        shape = BRepAlgoAPI_Cut(shape, other).Shape()
    return shape


def fused(shape, *others):
    for other in others:
        shape = BRepAlgoAPI_Fuse(shape, other).Shape()
    return shape


def moved(shift=(0, 0, 0), turn=None, angle=0.0, mirror=None):
    total = gp_Trsf()
    total.SetTranslation(gp_Vec(*map(float, shift)))
    if turn is not None:
        rotation = gp_Trsf()
        rotation.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), turn), angle)
        total = total.Multiplied(rotation)
    if mirror is not None:
        mirrored = gp_Trsf()
        mirrored.SetMirror(gp_Ax2(gp_Pnt(0, 0, 0), mirror))
        total = total.Multiplied(mirrored)
    return TopLoc_Location(total)


class Drawing:
    """A document with named parts and assemblies."""

    def __init__(self):
        self.document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
        XCAFApp_Application.GetApplication_s().InitDocument(self.document)
        self.shapes = XCAFDoc_DocumentTool.ShapeTool_s(self.document.Main())
        self.colors = XCAFDoc_DocumentTool.ColorTool_s(self.document.Main())

    def part(self, name, shape, color):
        label = self.shapes.AddShape(shape, False)
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
        rgb = Quantity_Color(*color, Quantity_TypeOfColor.Quantity_TOC_sRGB)
        self.colors.SetColor(label, rgb, XCAFDoc_ColorType.XCAFDoc_ColorSurf)
        return label

    def assembly(self, name, *contents):
        label = self.shapes.NewShape()
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
        for part, place, *instance in contents:
            component = self.shapes.AddComponent(label, part, place)
            if instance:
                TDataStd_Name.Set_s(component, TCollection_ExtendedString(instance[0]))
        return label

    def write(self, path):
        self.shapes.UpdateAssemblies()
        Interface_Static.SetCVal_s("write.step.schema", "AP214IS")
        writer = STEPCAFControl_Writer()
        writer.SetNameMode(True)
        writer.SetColorMode(True)
        writer.Transfer(self.document, STEPControl_StepModelType.STEPControl_AsIs)
        writer.Write(str(path))


def arm():
    """Return an arm of three links: a base, an upper arm that swings about y, and a hand that turns about z."""
    drawing = Drawing()
    grey, red, black, steel = (0.75, 0.75, 0.78), (0.8, 0.15, 0.1), (0.08, 0.08, 0.09), (0.5, 0.5, 0.55)
    plate = drawing.part(
        "Base plate",
        cut(box((-60, -40, 0), (120, 80, 10)), *holes(((-50, -30), (50, -30), (-50, 30), (50, 30)), 10)),
        grey,
    )
    post = drawing.part("Post", fused(box((-18, 16, 10), (36, 8, 90)), box((-18, -24, 10), (36, 8, 90))), grey)
    screw = drawing.part("Screw M4x16", fused(cylinder((0, 0, 0), Z, 2, 16), cylinder((0, 0, 16), Z, 3.5, 4)), steel)
    motor = drawing.part(
        "Motor XM430", fused(box((-14, -14, -23), (28, 28, 46)), cylinder((0, -14, 0), gp_Dir(0, -1, 0), 9, 3)), black
    )
    beam = drawing.part("Beam", cut(box((-14, -12, 14), (28, 24, 200)), box((-10, -8, 20), (20, 16, 188))), red)
    palm = drawing.part("Palm", cut(box((-30, -20, 0), (60, 40, 12)), cylinder((0, 0, -1), Z, 6, 14)), grey)
    finger = drawing.part("Finger", fused(box((12, -8, 12), (8, 16, 60)), box((4, -8, 64), (8, 16, 8))), red)
    corners = ((-50, -30), (50, -30), (-50, 30), (50, 30))
    screws = [(screw, moved((x, y, -6)), f"Screw M4x16:{number}") for number, (x, y) in enumerate(corners, 1)]
    base = drawing.assembly("base", (plate, moved()), (post, moved()), *screws)
    upper = drawing.assembly(
        "upper_arm",
        (motor, moved(), "Motor XM430:1"),
        (beam, moved()),
        (screw, moved((8, 12, 30), X, pi / 2), "Screw M4x16:5"),
        (screw, moved((-8, 12, 30), X, pi / 2), "Screw M4x16:6"),
    )
    hand = drawing.assembly(
        "hand", (palm, moved()), (finger, moved(), "Finger:1"), (finger, moved(mirror=X), "Finger:2")
    )
    drawing.assembly(
        "arm", (base, moved(), "base"), (upper, moved((0, 0, 80)), "upper_arm"), (hand, moved((0, 0, 294)), "hand")
    )
    return drawing


def holes(places, depth):
    return [cylinder((x, y, -1), Z, 2.1, depth + 2) for x, y in places]


if __name__ == "__main__":
    arm().write(Path(__file__).with_name("arm.step"))
