# SPDX-License-Identifier: Apache-2.0
"""What OpenCASCADE makes of a STEP file, as plain data: the program of a child process, see `core.child`; it imports
no core.

The file reaches OpenCASCADE as bytes. All lengths are in millimetres, whatever unit the file has.
"""

from __future__ import annotations

import math
from array import array
from base64 import b64encode
from collections import Counter
from collections.abc import Collection, Iterator
from io import BytesIO
from itertools import permutations
from typing import Any

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Tool
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.collections import Sequence_TDF_Label as Labels
from OCP.gp import gp_Trsf, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.Quantity import Quantity_Color, Quantity_TypeOfColor
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TCollection import TCollection_AsciiString, TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name, TDataStd_TreeNode
from OCP.TDF import TDF_Label, TDF_Tool
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import TopAbs_Orientation, TopAbs_ShapeEnum
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc, XCAFDoc_ColorType, XCAFDoc_DocumentTool, XCAFDoc_Material, XCAFDoc_ShapeTool

COARSE, FINE, FINEST = 1e-12, 1e-14, 1e-17
"""Relative tolerances of the integrals over a volume. The tensor is less exact, and the error that OpenCASCADE returns
does not hold: the difference of two results does. Without one it is off by 3 % on a cone of splines, silently."""

EXACT = 1e-9
"""Relative difference of a tensor by `COARSE` and `FINE` above which a solid is integrated by `FINEST` too, by which
splines are right to 1e-8. That takes 20 ms a face."""

FAR = 30.0
"""Distance of a shape from the origin, over its size, from which it is moved there: up to this, 1e-12 is kept."""

FEW = 100
"""Most faces of a solid that is integrated by `FINEST`."""

SOLID, SHELL, FACE = TopAbs_ShapeEnum.TopAbs_SOLID, TopAbs_ShapeEnum.TopAbs_SHELL, TopAbs_ShapeEnum.TopAbs_FACE

OF_SOLIDS = ("SolidBrep", "BrepWithVoids", "FacetedBrep")
"""What the names of STEP's solids contain, as OpenCASCADE calls them."""

SHAPES = ("COMPOUND", "COMPSOLID", "SOLID", "SHELL", "FACE", "WIRE", "EDGE", "VERTEX")
"""What OpenCASCADE calls shapes without a name."""

COLORS = (
    XCAFDoc_ColorType.XCAFDoc_ColorSurf,
    XCAFDoc_ColorType.XCAFDoc_ColorGen,
)

ANGLE = 0.35
"""Largest angle between neighbouring facets of a curved face [rad]."""

INNERMOST = 100
"""Depth of assemblies in assemblies at which a file is a cycle; the parent's limit is lower."""


def read(
    parent: Any, blobs: list[bytes], most: int, deepest: int, sheets: bool, tolerance: float | None
) -> dict[str, Any]:
    """Return the parts of an assembly with their moments, and the places where they are.

    Parameters
    ----------
    blobs : list of bytes
        The file.
    most, deepest : int
        Limits of the number of placements, and of the depth of assemblies in assemblies.
    sheets : bool
        Return the moments of the surfaces of a part that has no solid.
    tolerance : float or None
        Return meshes that are this close to the faces [mm].
    """
    document = TDocStd_Document(TCollection_ExtendedString("step"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    reader = STEPCAFControl_Reader()
    reader.SetNameMode(True)
    reader.SetColorMode(True)
    reader.SetMatMode(True)
    if reader.ReadStream("step", BytesIO(blobs[0])) != IFSelect_ReturnStatus.IFSelect_RetDone:
        parent.fail(["syntax"])
    if not reader.Transfer(document):
        parent.fail(["empty"])
    model, transfer = reader.Reader().StepModel(), reader.Reader().WS().TransferReader()
    numbers, solids, usages, is_split = _entities(model)
    of_items = _numbers_of_items(model) if not all(numbers.values()) else {}
    reading = _Reading(parent, document, sheets, tolerance)
    tree = _Tree(parent, reading, numbers.keys(), most, deepest)
    placements = tree.placements()
    return {
        "parts": [
            part | {"number": numbers.get(part["name"]) or _number_of(shape, transfer, of_items)}
            for part, shape in zip(reading.parts, reading.read, strict=True)
        ],
        "placements": placements,
        "assemblies": [[name, numbers.get(name, "")] for name in tree.assemblies],
        "solids": solids,
        "lost": [*(usages - tree.components).elements()] if usages.total() > tree.components.total() else [],
        "is_split": is_split,
    }


def _entities(model: Any) -> tuple[dict[str, str], int, Counter[str], bool]:
    """Return the part numbers of products by their names, empty if a name has several, the number of solids, how often
    each product is used in an assembly, and True if the file names others for its parts.
    """
    numbers: dict[str, set[str]] = {}
    solids, usages, is_split = 0, Counter[str](), False
    for index in range(1, model.NbEntities() + 1):
        entity = model.Value(index)
        kind = type(entity).__name__
        if kind == "StepBasic_Product":
            number, name = _texts(entity)
            numbers.setdefault(name or number, set()).add(number)
        elif "NextAssemblyUsageOccurrence" in kind:
            number, name = _texts(_product(entity.RelatedProductDefinition()))
            usages[name or number] += 1
        solids += any(word in kind for word in OF_SOLIDS)
        is_split = is_split or "DocumentFile" in kind
    return {name: ids.pop() if len(ids) == 1 else "" for name, ids in numbers.items()}, solids, usages, is_split


def _product(definition: Any) -> Any:
    """Return the product of a product definition; None if the file does not name it."""
    formation = None if definition is None else definition.Formation()
    return None if formation is None else formation.OfProduct()


def _texts(product: Any) -> tuple[str, str]:
    """Return a product's part number and its name, empty if they are missing."""
    texts = (None, None) if product is None else (product.Id(), product.Name())
    number, name = (text.ToCString() if text else "" for text in texts)
    return number, name


def _numbers_of_items(model: Any) -> dict[Any, str]:
    """Return the part numbers of solids and surfaces in a file, which tell products of one name apart."""
    entities = [model.Value(index) for index in range(1, model.NbEntities() + 1)]
    beside: dict[Any, list[Any]] = {}  # a product's shape may be in a second representation
    for entity in entities:
        if type(entity).__name__ == "StepRepr_ShapeRepresentationRelationship":
            for a, b in permutations((entity.Rep1(), entity.Rep2())):
                beside.setdefault(a, []).append(b)
    numbers: dict[Any, str] = {}
    for entity in entities:
        if type(entity).__name__ != "StepShape_ShapeDefinitionRepresentation":
            continue
        property_of = entity.Definition().PropertyDefinition()
        number, _ = _texts(_product(None if property_of is None else property_of.Definition().ProductDefinition()))
        representation = entity.UsedRepresentation()
        for each in (representation, *beside.get(representation, ())):
            numbers |= {each.ItemsValue(index): number for index in range(1, each.NbItems() + 1)}
    return numbers


def _number_of(shape: Any, transfer: Any, of_items: dict[Any, str]) -> str:
    """Return the part number of a shape, empty if it is not known."""
    for piece in (*_explored(shape, SOLID), *_explored(shape, SHELL)):
        if (number := of_items.get(transfer.EntityFromShapeResult(piece, 1))) is not None:
            return number
    return ""


class _Tree:
    """The assemblies of a document, down to its parts."""

    def __init__(self, parent: Any, reading: _Reading, products: Collection[str], most: int, deepest: int) -> None:
        self.parent, self.reading, self.products = parent, reading, products
        self.most, self.deepest = most, min(deepest, INNERMOST)
        self.assemblies: dict[str, None] = {}
        self.components = Counter[str]()  # how often each product is used in an assembly, each assembly once
        self._seen: set[str] = set()
        self._count = 0

    def placements(self) -> list[dict[str, Any]]:
        """Return each placement of a part: its path, the map to the root's frame, that of its branch, its colour.

        A step of a path is the name that is shown, that of the instance, and that of the product.
        """
        roots = Labels()
        self.reading.shapes.GetFreeShapes(roots)
        placements: list[dict[str, Any]] = []
        taken = set[str]()
        for root in _each(roots):
            T, name = _location(root), _name(root)
            placements += self._below(root, [_step("", name, taken)], T, T, None)
        return placements

    def _below(
        self, label: Any, path: list[list[str]], T: gp_Trsf, branch: gp_Trsf, color: list[float] | None
    ) -> Iterator[dict[str, Any]]:
        if len(path) > self.deepest:
            self.parent.fail(["deep"])
        referred = TDF_Label()
        product = referred if XCAFDoc_ShapeTool.GetReferredShape_s(label, referred) else label
        if not XCAFDoc_ShapeTool.IsAssembly_s(product) or self._is_part(product):
            self._count += 1
            if self._count > self.most:
                self.parent.fail(["many"])
            part = self.reading.part(product)
            yield {"path": path, "part": part, "map": _rows(T), "branch": _rows(branch), "color": color}
            return
        self.assemblies.setdefault(path[-1][2])
        components, taken = Labels(), set[str]()
        XCAFDoc_ShapeTool.GetComponents_s(product, components)
        is_new = _entry(product) not in self._seen
        self._seen.add(_entry(product))
        for component in _each(components):
            other = TDF_Label()
            XCAFDoc_ShapeTool.GetReferredShape_s(component, other)
            step = _step(_name(component), _name(other), taken)
            self.components[step[2]] += is_new
            placed = T.Multiplied(_location(component))
            first = placed if len(path) == 1 else branch
            yield from self._below(component, [*path, step], placed, first, color or _label_color(component))

    def _is_part(self, product: Any) -> bool:
        """Return True for a product of several shapes, which OpenCASCADE makes an assembly of unnamed parts."""
        components = Labels()
        XCAFDoc_ShapeTool.GetComponents_s(product, components)
        names = []
        for component in _each(components):
            shape = TDF_Label()
            XCAFDoc_ShapeTool.GetReferredShape_s(component, shape)
            names.append(_name(shape))
        return bool(names) and all(name in SHAPES and name not in self.products for name in names)


class _Reading:
    """The parts of a document, each read once."""

    def __init__(self, parent: Any, document: Any, sheets: bool, tolerance: float | None) -> None:
        self.parent, self.sheets, self.tolerance = parent, sheets, tolerance
        self.document = document  # its labels are empty without it
        self.shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
        self.colors = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
        self.parts: list[dict[str, Any]] = []
        self.read: list[Any] = []
        """The shape of each part."""
        self._indices: dict[str, int] = {}

    def part(self, label: Any) -> int:
        """Return the index of a label's part."""
        key = _entry(label)
        if key not in self._indices:
            self._indices[key] = len(self.parts)
            self.parts.append(self._part(label))
        return self._indices[key]

    def _part(self, label: Any) -> dict[str, Any]:
        name = _name(label)
        self.parent.ask("measures", name)  # so that the parent can name the part if it is the last
        shape = XCAFDoc_ShapeTool.GetShape_s(label)
        self.read.append(shape)
        solids = list(_explored(shape, SOLID))
        surfaces = [*_explored(shape, SHELL, SOLID), *_explored(shape, FACE, SHELL)]
        part = {
            "name": name,
            "solids": [_solid(solid) for solid in solids],
            "sheets": len(surfaces),
            "valid": BRepCheck_Analyzer(shape).IsValid(),
            "material": _material(label),
            "color": self._color(label, shape, solids),
        }
        if self.sheets and surfaces and not solids:
            part["area"] = _moments(shape, COARSE, BRepGProp.SurfaceProperties_s)
        if self.tolerance is not None:
            self.parent.ask("meshes", name)
            part["mesh"] = _mesh(shape, solids or surfaces, self.tolerance)
        return part

    def _color(self, label: Any, shape: Any, solids: list[Any]) -> list[float] | None:
        """Return a part's colour: its own, else that of its solids, else the one that most of its faces have."""
        whole = _label_color(label)
        if whole is not None:
            return whole
        for solid in solids:
            if (color := self._shape_color(solid)) is not None:
                return color
        faces = Counter(tuple(color) for face in _explored(shape, FACE) if (color := self._shape_color(face)))
        most = max(faces.values(), default=0)
        return next((list(color) for color, count in faces.items() if count == most), None)

    def _shape_color(self, shape: Any) -> list[float] | None:
        color = Quantity_Color()
        return _rgb(color) if any(self.colors.GetColor(shape, kind, color) for kind in COLORS) else None


def _solid(solid: Any) -> dict[str, Any]:
    """Return a solid's moments, the same to a coarser tolerance, and whether its shells are closed."""
    closed = all(BRep_Tool.IsClosed_s(shell) for shell in _explored(solid, SHELL))
    steps = [_moments(solid, tolerance, BRepGProp.VolumeProperties_s, True) for tolerance in (COARSE, FINE)]
    if all(steps) and _difference(*steps) > EXACT and sum(1 for _ in _explored(solid, FACE)) <= FEW:
        steps.append(_moments(solid, FINEST, BRepGProp.VolumeProperties_s, True))
    return {"closed": closed, "coarse": steps[-2], "fine": steps[-1]}


def _difference(coarse: list[Any], fine: list[Any]) -> float:
    """Return the largest difference of two tensors, relative to the trace."""
    trace = sum(fine[2][axis][axis] for axis in range(3)) or 1.0
    pairs = zip(sum(coarse[2], []), sum(fine[2], []), strict=True)
    return float(max(abs(a - b) for a, b in pairs) / abs(trace))


def _moments(shape: Any, tolerance: float, integrate: Any, *closed: bool) -> list[Any]:
    """Return volume [mm³] or area [mm²], the centroid [mm], and the tensor about it of unit density [mm⁵ or mm⁴].

    Nothing for a shape that has no end.
    """
    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box)
    if box.IsVoid() or box.IsOpen():  # a face without an end
        return []
    low, high = (np.array([corner.X(), corner.Y(), corner.Z()]) for corner in (box.CornerMin(), box.CornerMax()))
    middle = (low + high) / 2.0
    if np.linalg.norm(middle) < FAR * np.linalg.norm(high - low):
        middle[:] = 0.0
    else:  # digits are lost with the square of the distance, even from a point given to the integrals
        shift = gp_Trsf()
        shift.SetTranslation(gp_Vec(*(-middle).tolist()))
        shape = BRepBuilderAPI_Transform(shape, shift, True).Shape()
    total = GProp_GProps()
    integrate(shape, total, tolerance, *closed, False)
    centre, tensor = total.CentreOfMass(), total.MatrixOfInertia()
    rows = [[tensor.Value(row, column) for column in (1, 2, 3)] for row in (1, 2, 3)]
    centroid = (middle + [centre.X(), centre.Y(), centre.Z()]).tolist()
    numbers = total.Mass(), centroid, rows
    return [*numbers] if all(map(math.isfinite, (numbers[0], *centroid, *(n for row in rows for n in row)))) else []


def _mesh(shape: Any, bodies: list[Any], tolerance: float) -> list[str]:
    """Return vertices [mm] and triangles of some bodies of a shape, as base64 of float64 and int32 arrays."""
    BRepMesh_IncrementalMesh(shape, tolerance, False, ANGLE, False)
    points, corners = array("d"), array("i")
    for body in bodies:
        for face in _explored(body, FACE):
            place = TopLoc_Location()
            mesh = BRep_Tool.Triangulation_s(TopoDS.Face(face), place)
            if mesh is None:
                continue
            first, T = len(points) // 3 - 1, place.Transformation()
            for index in range(1, mesh.NbNodes() + 1):
                node = mesh.Node(index).Transformed(T)
                points.extend((node.X(), node.Y(), node.Z()))
            turned = face.Orientation() == TopAbs_Orientation.TopAbs_REVERSED
            for index in range(1, mesh.NbTriangles() + 1):
                a, b, c = mesh.Triangle(index).Get()
                corners.extend((first + a, first + c, first + b) if turned else (first + a, first + b, first + c))
    return [b64encode(numbers.tobytes()).decode() for numbers in (points, corners)]


def _material(label: Any) -> list[Any] | None:
    """Return the name of a part's material and its density, in a unit that the file does not always keep."""
    if not label.IsAttribute(XCAFDoc.MaterialRefGUID_s()):  # finding an absent attribute ends the process
        return None
    node, material = TDataStd_TreeNode(), XCAFDoc_Material()
    if not (label.FindAttribute(XCAFDoc.MaterialRefGUID_s(), node) and node.HasFather()):
        return None
    other = node.Father().Label()
    if not (other.IsAttribute(XCAFDoc_Material.GetID_s()) and other.FindAttribute(material.GetID_s(), material)):
        return None
    name, density = material.GetName(), material.GetDensity()
    return [name.ToCString() if name else "", density if math.isfinite(density) else 0.0]


def _label_color(label: Any) -> list[float] | None:
    color = Quantity_Color()
    tool = XCAFDoc_DocumentTool.ColorTool_s(label)
    return _rgb(color) if any(tool.GetColor_s(label, kind, color) for kind in COLORS) else None


def _rgb(color: Quantity_Color) -> list[float]:
    """Return a colour as the file has it, and as robots' files have it: OpenCASCADE keeps it linear."""
    return [round(number, 6) for number in color.Values(Quantity_TypeOfColor.Quantity_TOC_sRGB)]


def _name(label: Any) -> str:
    name = TDataStd_Name()
    known = label.IsAttribute(name.GetID_s()) and label.FindAttribute(name.GetID_s(), name)
    text = name.Get().ToExtString() if known else ""
    return "" if text.startswith("=>[") else text  # what OpenCASCADE calls a component without a name


def _step(instance: str, product: str, taken: set[str]) -> list[str]:
    """Return a step of a path; siblings of one name are numbered."""
    shown, number = instance or product, 1
    while shown in taken:
        number += 1
        shown = f"{instance or product}:{number}"
    taken.add(shown)
    return [shown, instance, product]


def _entry(label: Any) -> str:
    """Return what identifies a label in its document."""
    entry = TCollection_AsciiString()
    TDF_Tool.Entry_s(label, entry)
    text: str = entry.ToCString()
    return text


def _rows(T: gp_Trsf) -> list[list[float]]:
    return [[T.Value(row, column) for column in range(1, 5)] for row in range(1, 4)]


def _location(label: Any) -> gp_Trsf:
    return XCAFDoc_ShapeTool.GetLocation_s(label).Transformation()


def _each(labels: Any) -> Iterator[Any]:
    return (labels.Value(index) for index in range(1, labels.Length() + 1))


def _explored(shape: Any, kind: Any, outside: Any = None) -> Iterator[Any]:
    """Yield the sub-shapes of a kind that are in none of another kind."""
    explorer = TopExp_Explorer(shape, kind) if outside is None else TopExp_Explorer(shape, kind, outside)
    while explorer.More():
        yield explorer.Current()
        explorer.Next()
