# SPDX-License-Identifier: Apache-2.0
"""What OpenUSD makes of a stage, as plain data: the program of a child process, see `core.child`; it imports no core.

All layers reach OpenUSD as bytes, and each has a name of ours: OpenUSD gets no path of a file that a layer names.
Numbers are in the units of the stage, matrices as OpenUSD writes them: a row vector times the matrix. What is not
authored, or written out as USD's fallback, is None; what is not finite is text.
"""

from __future__ import annotations

import math
import os
import re
import tempfile
from array import array
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ["PXR_WORK_THREAD_LIMIT"] = "1"

from pxr import Gf, Pcp, Sdf, Tf, Usd, UsdGeom, UsdPhysics, UsdShade

FILES = 4
"""How many files this program may open at once beyond those of the loop: a crate layer is read from one."""

CRATE = b"PXR-USDC"

OURS = "Inertials by sdf-inertia"
"""How the documentation of a layer that we write over a file begins: see `override`."""

KINDS = {
    **{name: name.lower() for name in ("Cube", "Sphere", "Cylinder", "Capsule", "Cone", "Mesh", "Plane")},
    "Cylinder_1": "cylinder",
    "Capsule_1": "capsule",
}

NUMBERS = ("size", "radius", "height", "width", "length", "radiusTop", "radiusBottom")

LEFT_OUT_OF_COUNTS = ("", "Xform", "Scope", "Material", "Shader", "NodeGraph", "GeomSubset", "SkelRoot")
"""Types of prims that an import does not miss."""

FRICTION = ("newton:friction", "physxJoint:jointFriction", "mjc:frictionloss")
ARMATURE = ("newton:armature", "physxJoint:armature", "mjc:armature")
VELOCITY = ("newton:velocityLimit", "physxJoint:maxJointVelocity")

_LINE = re.compile(r"^:(\d+):\d+: ")
_ANONYMOUS = re.compile(r"anon:\w+:layer-(\d+)(?:\.usda)?")


def read(parent: Any, blobs: list[bytes], most: int, deepest: int) -> dict[str, Any]:
    """Return the physics of a stage.

    Parameters
    ----------
    blobs : list of bytes
        The root layer; the others are asked for.
    most, deepest : int
        Limits of the number of prims, with those of instances, and of their depth.
    """
    layers = _Layers(parent)
    root = layers.add(0, blobs[0])
    if root is None:
        parent.fail(["syntax", layers.unparsed[0][1]])
    stage = Usd.Stage.Open(root, Usd.Stage.LoadAll)
    return _Reading(parent, stage, layers).read(most, deepest) | {
        "meters_per_unit": _number(UsdGeom.GetStageMetersPerUnit(stage)),
        "meters_authored": UsdGeom.StageHasAuthoredMetersPerUnit(stage),
        "kilograms_per_unit": _number(UsdPhysics.GetStageKilogramsPerUnit(stage)),
        "up_axis": str(UsdGeom.GetStageUpAxis(stage)),
        "default_prim": root.defaultPrim,
        "problems": [_problem(error) for error in _errors(stage)[:20]],
        "unparsed": layers.unparsed,
    }


class _Layers:
    """The layers so far, each by the index that the parent gives it; arcs to layers that are not read are removed."""

    def __init__(self, parent: Any) -> None:
        self.parent = parent
        self.layers: dict[int, Any] = {}
        self.indexes: dict[str, int] = {}
        self.unparsed: list[list[Any]] = []

    def add(self, index: int, data: bytes) -> Any:
        """Return a layer after all that it names, or None if it cannot be parsed."""
        waiting = [self._parsed(index, data)]
        root = waiting[0]
        while waiting:
            layer = waiting.pop()
            for name in filter(None, layer.GetCompositionAssetDependencies() if layer else ()):
                other, blobs = self.parent.ask("layer", self.indexes[layer.identifier], name)
                if other is not None and blobs:
                    waiting.append(self._parsed(other, blobs[0]))
                named = self.layers.get(other)
                layer.UpdateCompositionAssetDependency(name, named.identifier if named else "")
        return root

    def _parsed(self, index: int, data: bytes) -> Any:
        tag = f"layer-{index}"
        try:
            if data.startswith(CRATE):
                layer = _crate(self.parent.ask("folder")[0], tag, data)
            else:
                layer = Sdf.Layer.CreateAnonymous(f"{tag}.usda")
                layer.ImportFromString(data.decode("utf-8", "surrogateescape"))
        except (Tf.ErrorException, UnicodeError) as error:
            self.unparsed.append([index, _problem(error)])
            return None
        self.layers[index], self.indexes[layer.identifier] = layer, index
        return layer


def _crate(folder: str, tag: str, data: bytes) -> Any:
    """Return a layer of binary USD, which OpenUSD reads from files alone: from a copy in a folder of ours."""
    path = os.path.join(folder, "layer.usdc")
    with _files():
        try:
            Path(path).write_bytes(data)
            return Sdf.Layer.OpenAsAnonymous(path, False, tag)
        finally:
            Path(path).unlink(missing_ok=True)


@contextmanager
def _files() -> Iterator[None]:
    """Raise the limit of open files meanwhile."""
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class _Reading:
    """Reads the prims of a stage in one pass, then the joints between its bodies."""

    def __init__(self, parent: Any, stage: Any, layers: _Layers) -> None:
        self.parent, self.stage, self.layers = parent, stage, layers
        self.poses = UsdGeom.XformCache()
        self.bodies: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.joints: list[Any] = []
        self.other: Counter[str] = Counter()
        self.numbers: dict[Any, int] = {}
        self.materials: dict[Any, dict[str, Any]] = {}

    def read(self, most: int, deepest: int) -> dict[str, Any]:
        """Return what is in the stage."""
        articulations, scenes, grounds = [], 0, 0
        above: list[tuple[Any, int]] = []  # the bodies that the prim is in, the innermost last
        for count, prim in enumerate(self.stage.Traverse(Usd.TraverseInstanceProxies())):
            path = prim.GetPath()
            if count >= most:
                self.parent.fail(["prims"])
            if path.pathElementCount > deepest:
                self.parent.fail(["deep"])
            while above and not path.HasPrefix(above[-1][0]):
                above.pop()
            schemas = _schemas(prim)
            if "PhysicsRigidBodyAPI" in schemas:
                self.bodies.append(self.body(prim, above[-1][1] if above else None))
                above.append((path, len(self.bodies) - 1))
            if "PhysicsArticulationRootAPI" in schemas:
                articulations.append(str(path))
            if prim.IsA(UsdPhysics.Joint):
                self.joints.append(prim)
            elif prim.IsA(UsdPhysics.Scene):
                scenes += 1
            elif prim.IsA(UsdGeom.Gprim) or "PhysicsCollisionAPI" in schemas:
                if above:
                    self.bodies[above[-1][1]]["shapes"].append(self.shape(prim, schemas))
                elif "PhysicsCollisionAPI" in schemas:
                    grounds += 1
            elif prim.GetTypeName() not in LEFT_OUT_OF_COUNTS and not prim.GetTypeName().startswith("Physics"):
                self.other[prim.GetTypeName()] += 1
        return {
            "bodies": self.bodies,
            "meshes": self.meshes,
            "joints": [self.joint(prim) for prim in self.joints],
            "articulations": articulations,
            "other": dict(self.other),
            "scenes": scenes,
            "uninstanced_colliders": grounds,
            "overrides_by_us": self.overrides(),
        }

    def overrides(self) -> list[str]:
        """Return the bodies about which the root layer has opinions, if it is an override layer of ours."""
        root = self.stage.GetRootLayer()
        if not root.documentation.startswith(OURS):
            return []
        return [body["path"] for body in self.bodies if root.GetPrimAtPath(body["path"])]

    def body(self, prim: Any, above: int | None) -> dict[str, Any]:
        """Return a body, without its shapes."""
        mass = UsdPhysics.MassAPI(prim)
        attributes = (
            *(mass.GetMassAttr(), mass.GetDiagonalInertiaAttr(), mass.GetCenterOfMassAttr()),
            *(mass.GetPrincipalAxesAttr(), mass.GetDensityAttr(), prim.GetAttribute("newton:inertia")),
        )
        specs = [spec for attribute in attributes if _is_given(attribute) for spec in attribute.GetPropertyStack()[:1]]
        specs = specs or [spec for spec in prim.GetPrimStack() if "PhysicsRigidBodyAPI" in _listed(spec)]
        definitions = [spec for spec in prim.GetPrimStack() if spec.specifier == Sdf.SpecifierDef]
        rigid = UsdPhysics.RigidBodyAPI(prim)
        return {
            "path": str(prim.GetPath()),
            "display_name": str(prim.GetMetadata("displayName") or ""),
            "layer": self.index((specs or definitions)[0]),
            "instance": _instance(prim),
            "proto_layer": self.index(definitions[0]),
            "above": above,
            "world": self.world(prim),
            "enabled": rigid.GetRigidBodyEnabledAttr().Get() is not False,
            "kinematic": rigid.GetKinematicEnabledAttr().Get() is True,
            **_mass_values(mass),
            "newton_inertia": _values(prim.GetAttribute("newton:inertia")),
            "variants": bool(specs) and _is_chosen(prim, specs[0]),
            "resets_xform": bool(UsdGeom.Xformable(prim)) and UsdGeom.Xformable(prim).GetResetXformStack(),
            "shapes": [],
        }

    def shape(self, prim: Any, schemas: Sequence[str]) -> dict[str, Any]:
        """Return a shape of a body, whether it collides or not."""
        name, kind = prim.GetTypeName(), KINDS.get(prim.GetTypeName(), "other")
        numbers = {key: _number(value) for key in NUMBERS if (value := prim.GetAttribute(key).Get()) is not None}
        if "radiusTop" in numbers and numbers["radiusTop"] != numbers["radiusBottom"]:
            kind = "other"
        elif "radiusTop" in numbers:
            numbers = {"radius": numbers["radiusTop"], "height": numbers["height"]}
        collides = "PhysicsCollisionAPI" in schemas
        collides = collides and UsdPhysics.CollisionAPI(prim).GetCollisionEnabledAttr().Get() is not False
        binding, imageable = UsdShade.MaterialBindingAPI(prim), UsdGeom.Imageable(prim)
        physical = self.material(binding.ComputeBoundMaterial("physics")[0]) if collides else {}
        drawn = self.material(binding.ComputeBoundMaterial()[0])
        color = _first(UsdGeom.Gprim(prim).GetDisplayColorAttr()) if prim.IsA(UsdGeom.Gprim) else None
        return {
            "path": str(prim.GetPath()),
            "kind": kind,
            "type": name,
            "numbers": numbers,
            "axis": str(prim.GetAttribute("axis").Get() or "Z"),
            "world": self.world(prim),
            "collides": collides,
            "purpose": str(imageable.ComputePurpose()) if imageable else "default",
            "visible": not imageable or imageable.ComputeVisibility() != UsdGeom.Tokens.invisible,
            **_mass_values(UsdPhysics.MassAPI(prim)),
            "material_density": physical.get("density"),
            "physics_material": physical.get("path", ""),
            "material": drawn.get("path", ""),
            "approximation": str(prim.GetAttribute("physics:approximation").Get() or "none"),
            "mesh": self.mesh(prim) if kind == "mesh" else None,
            "color": drawn.get("color") or color,
            **{key: drawn.get(key) for key in ("opacity", "roughness", "metallic", "texture", "texture_layer")},
            "layer": self.index(prim.GetPrimStack()[0]),
        }

    def mesh(self, prim: Any) -> int | None:
        """Return the number of a mesh, which is the same for the same content; None if it has no numbers."""
        mesh = UsdGeom.Mesh(prim)
        names = (mesh.GetPointsAttr(), mesh.GetFaceVertexCountsAttr(), mesh.GetFaceVertexIndicesAttr())
        values = [attribute.Get() for attribute in names]
        try:
            data = tuple(_bytes(value, kind) for value, kind in zip(values, "dii", strict=True))
        except TypeError:
            return None
        left = mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded
        key = (data, left, mesh.GetSubdivisionSchemeAttr().Get() != UsdGeom.Tokens.none)
        if key not in self.numbers:
            self.numbers[key] = len(self.meshes)
            texts = (b64encode(content).decode() for content in data)
            content = dict(zip(("points", "counts", "indices"), texts, strict=True))
            self.meshes.append({**content, "left_handed": key[1], "subdivides": key[2]})
        return self.numbers[key]

    def material(self, material: Any) -> dict[str, Any]:
        """Return the density of a material, and how it is drawn."""
        if not material:
            return {}
        path = material.GetPath()
        if path not in self.materials:
            density = _values(UsdPhysics.MaterialAPI(material.GetPrim()).GetDensityAttr())
            self.materials[path] = {"path": str(path), "density": density or None, **self._drawn(material)}
        return self.materials[path]

    def _drawn(self, material: Any) -> dict[str, Any]:
        shader = material.ComputeSurfaceSource()[0]
        if not shader or shader.GetIdAttr().Get() != "UsdPreviewSurface":
            return {}
        drawn: dict[str, Any] = {
            name: _values(attribute.GetAttr())
            for name in ("opacity", "roughness", "metallic")
            if (attribute := shader.GetInput(name))
        }
        diffuse = shader.GetInput("diffuseColor")
        source = diffuse.GetConnectedSources()[0] if diffuse else ()
        if source:
            file = source[0].source.GetPrim().GetAttribute("inputs:file")
            for spec in file.GetPropertyStack()[:1] if file else ():  # `Get` would look for the file on the disk
                if isinstance(spec.default, Sdf.AssetPath):
                    drawn |= {"texture": spec.default.path, "texture_layer": self.index(spec)}
        elif diffuse:
            drawn["color"] = _values(diffuse.GetAttr())
        return drawn

    def joint(self, prim: Any) -> dict[str, Any]:
        """Return a joint; angles in degrees, as USD has them."""
        joint = UsdPhysics.Joint(prim)
        (body0, at0), (body1, at1) = (
            self.end(joint.GetBody0Rel(), joint.GetLocalPos0Attr(), joint.GetLocalRot0Attr()),
            self.end(joint.GetBody1Rel(), joint.GetLocalPos1Attr(), joint.GetLocalRot1Attr()),
        )
        targets = [*joint.GetBody0Rel().GetTargets(), *joint.GetBody1Rel().GetTargets()]
        schemas = _schemas(prim)
        drives = [name.partition(":")[2] for name in schemas if name.startswith("PhysicsDriveAPI:")]
        limits = [name.partition(":")[2] for name in schemas if name.startswith("PhysicsLimitAPI:")]
        parts = {"max_force": "maxForce", "stiffness": "stiffness", "damping": "damping"}
        parts["target_position"] = "targetPosition"
        return {
            "path": str(prim.GetPath()),
            "display_name": str(prim.GetMetadata("displayName") or ""),
            "type": prim.GetTypeName(),
            "body0": body0,
            "body1": body1,
            "missing": [str(target) for target in targets if not self.stage.GetPrimAtPath(target)],
            "at0": at0,
            "at1": at1,
            "axis": str(prim.GetAttribute("physics:axis").Get() or "X"),
            "lower": _finite(prim, "physics:lowerLimit"),
            "upper": _finite(prim, "physics:upperLimit"),
            "enabled": joint.GetJointEnabledAttr().Get() is not False,
            "excluded": joint.GetExcludeFromArticulationAttr().Get() is True,
            "break_force": _finite(prim, "physics:breakForce"),
            "drives": {
                name: {key: _finite(prim, f"drive:{name}:physics:{part}") for key, part in parts.items()}
                for name in drives
            },
            "limits": {
                name: [_finite(prim, f"limit:{name}:physics:{end}") for end in ("low", "high")] for name in limits
            },
            "damping": _finite(prim, "newton:damping"),
            "armature": _finite(prim, *ARMATURE),
            "friction": _finite(prim, *FRICTION),
            "max_velocity": _finite(prim, *VELOCITY),
            "mimic": _mimic(prim, schemas),
            "layer": self.index(prim.GetPrimStack()[0]),
        }

    def end(self, relationship: Any, position: Any, rotation: Any) -> tuple[str, list[Any]]:
        """Return the body at an end of a joint, empty for the world, and the joint's frame in that body."""
        matrix = Gf.Matrix4d(1.0)
        turned = rotation.Get()
        if turned and turned.GetLength() > 0.0:
            matrix.SetRotate(Gf.Quatd(turned).GetNormalized())
        matrix.SetTranslateOnly(Gf.Vec3d(position.Get() or (0.0, 0.0, 0.0)))
        targets = relationship.GetTargets()
        prim = named = self.stage.GetPrimAtPath(targets[0]) if targets else None
        while prim and not prim.HasAPI(UsdPhysics.RigidBodyAPI):
            prim = prim.GetParent()
        if named and named != prim:
            matrix *= self.poses.GetLocalToWorldTransform(named)
            if prim:
                matrix *= self.poses.GetLocalToWorldTransform(prim).GetInverse()
        return str(prim.GetPath()) if prim else "", _matrix(matrix)

    def world(self, prim: Any) -> list[Any]:
        return _matrix(self.poses.GetLocalToWorldTransform(prim))

    def index(self, spec: Any) -> int:
        """Return the index of the layer of an opinion."""
        return self.layers.indexes[spec.layer.identifier]


def _schemas(prim: Any) -> Sequence[str]:
    """Return the schemas that are applied to a prim, also those that this OpenUSD does not know."""
    return tuple(prim.GetPrimTypeInfo().GetAppliedAPISchemas())


def _listed(spec: Any) -> Sequence[str]:
    """Return the schemas that one layer applies to a prim."""
    schemas = spec.GetInfo("apiSchemas") if spec.HasInfo("apiSchemas") else None
    return tuple(schemas.GetAddedOrExplicitItems()) if schemas else ()


def _instance(prim: Any) -> str | None:
    """Return the instance that a prim is in, the outermost, whose prims an override does not reach."""
    if not prim.IsInstanceProxy():
        return None
    while prim.IsInstanceProxy():
        prim = prim.GetParent()
    return str(prim.GetPath())


def _is_chosen(prim: Any, spec: Any) -> bool:
    """Return True if an opinion is there only by a variant or a payload, which a user may change or unload."""
    path = spec.path.GetPrimPath()
    waiting = [(prim.GetPrimIndex().rootNode, False)]
    while waiting:
        node, is_chosen = waiting.pop()
        is_chosen = is_chosen or node.arcType in (Pcp.ArcTypeVariant, Pcp.ArcTypePayload)
        if node.path == path and spec.layer in node.layerStack.layers:
            return bool(is_chosen)
        waiting += [(child, is_chosen) for child in node.children]
    return bool(path.ContainsPrimVariantSelection())


def _mass_values(mass: Any) -> dict[str, Any]:
    """Return what a prim gives of a mass."""
    center, axes = _values(mass.GetCenterOfMassAttr()), _values(mass.GetPrincipalAxesAttr())
    diagonal = _values(mass.GetDiagonalInertiaAttr())
    return {
        "mass_api": mass.GetPrim().HasAPI(UsdPhysics.MassAPI),
        "mass": _values(mass.GetMassAttr()) or None,
        "density": _values(mass.GetDensityAttr()) or None,
        "com": None if center == ["-inf"] * 3 else center,
        "diagonal": diagonal if diagonal and any(diagonal) else None,
        "axes": axes if axes and any(axes) else None,
    }


def _mimic(prim: Any, schemas: Sequence[str]) -> dict[str, Any] | None:
    """Return which joint a joint follows: multiplier and offset as Newton defines them."""
    for schema in schemas:
        names: Sequence[str]
        if schema == "NewtonMimicAPI":
            names = ("newton:mimicJoint", "newton:mimicCoef1", "newton:mimicCoef0")
            sign = 1.0
        elif schema.startswith("PhysxMimicJointAPI:"):
            axis = schema.partition(":")[2]
            names = tuple(f"physxMimicJoint:{axis}:{part}" for part in ("referenceJoint", "gearing", "offset"))
            sign = -1.0  # PhysX: q + gearing * reference + offset = 0
        else:
            continue
        targets = prim.GetRelationship(names[0]).GetTargets() if prim.HasRelationship(names[0]) else ()
        if targets:
            factor, offset = (_finite(prim, name) for name in names[1:])
            return {
                "joint": str(targets[0]),
                "multiplier": sign * (1.0 if factor is None else factor),
                "offset": sign * (offset or 0.0),
            }
    return None


def _is_given(attribute: Any) -> bool:
    return bool(attribute) and bool(attribute.HasAuthoredValue())


def _values(attribute: Any) -> Any:
    """Return the number, or the list of numbers, that is authored; None for anything else."""
    value: Any = attribute.Get() if _is_given(attribute) else None
    if isinstance(value, Gf.Quatf | Gf.Quatd | Gf.Quath):
        value = (value.GetReal(), *value.GetImaginary())
    if hasattr(value, "__len__") and not isinstance(value, str):  # OpenUSD's vectors are not Iterable
        numbers = [_number(item) for item in value]
        return None if None in numbers else numbers
    return _number(value)


def _number(value: Any) -> Any:
    """Return a number as JSON can hold it, None for what is not a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else str(float(value))


def _finite(prim: Any, *names: str) -> float | None:
    """Return the first of some attributes whose value is a finite number."""
    values = (_values(prim.GetAttribute(name)) for name in names if prim.HasAttribute(name))
    return next((value for value in values if isinstance(value, float)), None)


def _first(attribute: Any) -> Any:
    """Return the first element of an attribute that is a list of colours."""
    value = attribute.Get() if _is_given(attribute) else None
    return [_number(item) for item in value[0]] if value else None


def _matrix(matrix: Any) -> list[Any]:
    return [_number(value) for row in matrix for value in row]


def _bytes(values: Any, kind: str) -> bytes:
    """Return an array of OpenUSD in another type; raises TypeError for what is not an array of numbers."""
    view: Any = memoryview(values)
    return array(kind, view.cast("B").cast(view.format or "B")).tobytes() if view.nbytes else b""


def _errors(stage: Any) -> Sequence[Any]:
    return stage.GetCompositionErrors() if hasattr(stage, "GetCompositionErrors") else ()


def _problem(error: Any) -> str:
    """Return what OpenUSD reports first, without the names of its source; a layer as ``{layer:N}``."""
    match = re.search(r" : '(.*?)'\n", f"{error}\n", re.DOTALL)
    reason = " ".join((match[1] if match else str(error)).split())
    return _ANONYMOUS.sub(r"{layer:\1}", _LINE.sub(r"line \1: ", reason))[:300]


def _warm_up() -> None:
    """Load all that OpenUSD loads when it is first used, before the disk is closed."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "warm.usdc")
        Sdf.Layer.CreateAnonymous(".usda").Export(path)
        layer = Sdf.Layer.OpenAsAnonymous(path)
    layer = Sdf.Layer.CreateAnonymous(".usda")
    layer.ImportFromString('#usda 1.0\ndef Cube "a" (prepend apiSchemas = ["PhysicsMassAPI"])\n{\n}\n')
    stage = Usd.Stage.Open(layer)
    prim = stage.GetPrimAtPath("/a")
    UsdGeom.XformCache().GetLocalToWorldTransform(prim)
    UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")
    _schemas(prim)


_warm_up()
