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

from pxr import Gf, Sdf, Tf, Usd, UsdGeom, UsdPhysics, UsdShade

FILES = 4
"""How many files this program may open at once beyond those of the loop: a crate layer is read from one."""

CRATE = b"PXR-USDC"

KINDS = {
    **{name: name.lower() for name in ("Cube", "Sphere", "Cylinder", "Capsule", "Cone", "Mesh", "Plane")},
    "Cylinder_1": "cylinder",
    "Capsule_1": "capsule",
}

NUMBERS = ("size", "radius", "height", "radiusTop", "radiusBottom")

OF_MASS = (
    *("physics:mass", "physics:diagonalInertia", "physics:centerOfMass"),
    *("physics:principalAxes", "physics:density", "newton:inertia"),
)
"""Attributes of a body's mass; the layer of the first that is given is the body's."""

SCHEMAS = {"PhysicsMassAPI": OF_MASS[:5], "NewtonMassAPI": OF_MASS[5:]}
"""Attributes of a body's mass by their schema: engines ignore those of a schema that is not applied."""

NOT_MISSED = (
    *("", "Xform", "Scope", "Material", "Shader", "NodeGraph", "GeomSubset", "SkelRoot"),
    *("PhysicsScene", "PhysicsCollisionGroup"),
)
"""Types of prims that an import does not miss."""

_LINE = re.compile(r"^:(\d+):\d+: ")
_PARSER = re.compile(r"parse error matching .* at '", re.DOTALL)
_SESSION = re.compile(r",@anon:[^@]*-session[^@]*@")
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
    try:
        root = layers.add(0, blobs[0])
        if root is None:
            parent.fail(["syntax", layers.unparsed[0][1]])
        stage = Usd.Stage.Open(root, None, Usd.Stage.LoadAll)
        return {
            **_Reading(parent, stage, layers).read(most, deepest),
            "meters_per_unit": _number(UsdGeom.GetStageMetersPerUnit(stage)),
            "meters_authored": UsdGeom.StageHasAuthoredMetersPerUnit(stage),
            "kilograms_per_unit": _number(UsdPhysics.GetStageKilogramsPerUnit(stage)),
            "up_axis": str(UsdGeom.GetStageUpAxis(stage)),
            "default_prim": root.defaultPrim,
            "display_name": str(prim.GetDisplayName()) if (prim := stage.GetDefaultPrim()) else "",
            "problems": [_problem(error) for error in stage.GetCompositionErrors()[:20]],
            "unparsed": layers.unparsed,
        }
    except (Tf.ErrorException, UnicodeError) as error:  # of a broken crate, whose values are read when they are needed
        return parent.fail(["syntax", _problem(error)])  # type: ignore[no-any-return]


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
        if b"clips" in data or data.startswith(CRATE):
            _remove_clips(layer)
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
            os.rmdir(folder)  # the parent removes what a crash leaves


def _remove_clips(layer: Any) -> None:
    """Remove value clips, whose layers OpenUSD would look for on the disk; they have nothing but animations."""
    prims: list[Any] = []
    layer.Traverse(
        Sdf.Path.absoluteRootPath,
        lambda path: prims.append(path) if path.IsPrimPath() or path.IsPrimVariantSelectionPath() else None,
    )
    for spec in map(layer.GetObjectAtPath, prims):
        if spec.HasInfo("clips"):
            spec.ClearInfo("clips")


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
        self.numbers: dict[Any, int] = {}
        self.materials: dict[Any, dict[str, Any]] = {}

    def read(self, most: int, deepest: int) -> dict[str, Any]:
        """Return what is in the stage."""
        joints, grounds = [], 0
        other: Counter[str] = Counter()
        above: list[tuple[Any, int]] = []  # the bodies that the prim is in, the innermost last
        for count, prim in enumerate(self.stage.Traverse(Usd.TraverseInstanceProxies())):
            path, schemas = prim.GetPath(), _schemas(prim)
            if count >= most:
                self.parent.fail(["prims"])
            if path.pathElementCount > deepest:
                self.parent.fail(["deep"])
            while above and not path.HasPrefix(above[-1][0]):
                above.pop()
            if "PhysicsRigidBodyAPI" in schemas:
                self.bodies.append(self.body(prim, above[-1][1] if above else None))
                above.append((path, len(self.bodies) - 1))
            if prim.IsA(UsdPhysics.Joint):
                joints.append(prim)
            elif prim.IsA(UsdGeom.Gprim):  # OpenUSD and Newton ignore a collider that is none, such as an Xform
                if above:
                    self.bodies[above[-1][1]]["shapes"].append(self.shape(prim, schemas))
                else:
                    grounds += "PhysicsCollisionAPI" in schemas
            elif prim.GetTypeName() not in NOT_MISSED:
                other[prim.GetTypeName()] += 1
        return {
            "bodies": self.bodies,
            "meshes": self.meshes,
            "joints": [self.joint(prim) for prim in joints],
            "other": dict(other),
            "uninstanced_colliders": grounds,
        }

    def body(self, prim: Any, above: int | None) -> dict[str, Any]:
        """Return a body, without its shapes."""
        world, schemas = self.poses.GetLocalToWorldTransform(prim), _schemas(prim)
        given = [
            spec
            for name in OF_MASS
            if _is_given(attribute := prim.GetAttribute(name))
            for spec in attribute.GetPropertyStack()
            if spec.HasDefaultValue()
        ]
        definition = next(spec for spec in prim.GetPrimStack() if spec.specifier == Sdf.SpecifierDef)
        rigid = (spec for spec in prim.GetPrimStack() if "PhysicsRigidBodyAPI" in _listed(spec))
        spec = given[0] if given else next(rigid, definition)
        return {
            **self.named(prim, spec),
            "instances": _instances(prim),
            "above": above,
            "world": _matrix(world),
            "scale": [_number(value) for value in Gf.Transform(world).GetScale()],
            "enabled": prim.GetAttribute("physics:rigidBodyEnabled").Get() is not False,
            "kinematic": prim.GetAttribute("physics:kinematicEnabled").Get() is True,
            **_mass(prim, schemas),
            "newton_inertia": _vector(prim, "newton:inertia", 6) if "NewtonMassAPI" in schemas else None,
            "shapes": [],
        }

    def shape(self, prim: Any, schemas: Sequence[str]) -> dict[str, Any]:
        """Return a shape of a body, whether it collides or not."""
        kind = KINDS.get(prim.GetTypeName(), "other")
        numbers = {name: _number(value) for name in NUMBERS if (value := prim.GetAttribute(name).Get()) is not None}
        if "radiusTop" in numbers and numbers.pop("radiusTop") == numbers["radiusBottom"]:
            numbers["radius"] = numbers.pop("radiusBottom")
        if "radiusBottom" in numbers or not all(isinstance(number, float) for number in numbers.values()):
            kind = "other"
        collides = "PhysicsCollisionAPI" in schemas and prim.GetAttribute("physics:collisionEnabled").Get() is not False
        binding, imageable = UsdShade.MaterialBindingAPI(prim), UsdGeom.Imageable(prim)
        physical = self.material(binding.ComputeBoundMaterial("physics")[0]) if collides else {}
        drawn = self.material(binding.ComputeBoundMaterial()[0])
        colors = _given(prim, "primvars:displayColor")
        return {
            **self.named(prim, prim.GetPrimStack()[0]),
            "kind": kind,
            "type": prim.GetTypeName(),
            "numbers": numbers,
            "axis": _axis(prim, "axis", "Z"),
            "world": _matrix(self.poses.GetLocalToWorldTransform(prim)),
            "collides": collides,
            "purpose": str(imageable.ComputePurpose()) if imageable else "default",
            "visible": not imageable or imageable.ComputeVisibility() != UsdGeom.Tokens.invisible,
            **_mass(prim, schemas),
            "material_density": physical.get("density"),
            "material": drawn.get("path", ""),
            "approximation": str(prim.GetAttribute("physics:approximation").Get() or "none"),
            "mesh": self.mesh(prim) if kind == "mesh" else None,
            "color": drawn.get("color") or _numbers(colors[0] if hasattr(colors, "__len__") and colors else (), 3),
            **{name: drawn.get(name) for name in ("opacity", "roughness", "metallic")},
        }

    def mesh(self, prim: Any) -> int | None:
        """Return the number of a mesh, which is the same for the same content; None if it has no numbers."""
        names = ("points", "faceVertexCounts", "faceVertexIndices")
        try:
            data = [_bytes(prim.GetAttribute(name).Get(), kind) for name, kind in zip(names, "dii", strict=True)]
        except (TypeError, ValueError, OverflowError, NotImplementedError):
            return None
        is_left_handed = prim.GetAttribute("orientation").Get() == UsdGeom.Tokens.leftHanded
        number = self.numbers.setdefault((*data, is_left_handed), len(self.meshes))
        if number == len(self.meshes):
            points, counts, indices = (b64encode(content).decode() for content in data)
            self.meshes.append({"points": points, "counts": counts, "indices": indices, "left_handed": is_left_handed})
        return number

    def material(self, material: Any) -> dict[str, Any]:
        """Return the density of a material, and how it is drawn."""
        if not material:
            return {}
        prim = material.GetPrim()
        path = prim.GetPath()
        if path not in self.materials:
            density = _scalar(prim, "physics:density") if "PhysicsMaterialAPI" in _schemas(prim) else None
            self.materials[path] = {"path": str(path), "density": density or None, **_drawn(material)}
        return self.materials[path]

    def joint(self, prim: Any) -> dict[str, Any]:
        """Return a joint; angles in degrees, as USD has them."""
        schemas = _schemas(prim)
        targets = [target for end in "01" for target in _targets(prim, f"physics:body{end}")]
        drives, limits = (
            [name.partition(":")[2] for name in schemas if name.startswith(f"Physics{kind}API:")]
            for kind in ("Drive", "Limit")
        )
        return {
            **self.named(prim, prim.GetPrimStack()[0]),
            "type": prim.GetTypeName(),
            **self.end(prim, "0"),
            **self.end(prim, "1"),
            "missing": [str(target) for target in targets if not self.stage.GetPrimAtPath(target)],
            "axis": _axis(prim, "physics:axis", "X"),
            "lower": _finite(prim, "physics:lowerLimit"),
            "upper": _finite(prim, "physics:upperLimit"),
            "enabled": prim.GetAttribute("physics:jointEnabled").Get() is not False,
            "excluded": prim.GetAttribute("physics:excludeFromArticulation").Get() is True,
            "effort": _finite(prim, *(f"drive:{name}:physics:maxForce" for name in drives)),
            "limits": {
                name: [_finite(prim, f"limit:{name}:physics:{end}") for end in ("low", "high")] for name in limits
            },
            "damping": _finite(prim, "newton:damping"),
            "armature": _finite(prim, "newton:armature", "physxJoint:armature", "mjc:armature"),
            "friction": _finite(prim, "newton:friction", "physxJoint:jointFriction", "mjc:frictionloss"),
            "max_velocity": _finite(prim, "newton:velocityLimit", "physxJoint:maxJointVelocity"),
            "mimic": _mimic(prim, schemas),
        }

    def end(self, joint: Any, end: str) -> dict[str, Any]:
        """Return the body at an end of a joint, empty for the world, and the joint's frame in that body."""
        matrix = Gf.Matrix4d(1.0)
        w, *vector = _vector(joint, f"physics:localRot{end}", 4) or (1.0, 0.0, 0.0, 0.0)
        if all(isinstance(number, float) for number in (w, *vector)) and any((w, *vector)):
            matrix.SetRotate(Gf.Quatd(w, *vector).GetNormalized())
        position = _vector(joint, f"physics:localPos{end}", 3) or (0.0, 0.0, 0.0)
        matrix.SetTranslateOnly(Gf.Vec3d(*map(float, position)))
        targets = _targets(joint, f"physics:body{end}")
        prim = named = self.stage.GetPrimAtPath(targets[0]) if targets else None
        while prim and not prim.HasAPI(UsdPhysics.RigidBodyAPI):
            prim = prim.GetParent()
        if named and named != prim:
            matrix *= self.poses.GetLocalToWorldTransform(named)
            if prim:
                matrix *= self.poses.GetLocalToWorldTransform(prim).GetInverse()
        return {f"body{end}": str(prim.GetPath()) if prim else "", f"at{end}": _matrix(matrix)}

    def named(self, prim: Any, spec: Any) -> dict[str, Any]:
        """Return the names of a prim, and the layer of an opinion about it."""
        name = str(prim.GetMetadata("displayName") or "")
        return {"path": str(prim.GetPath()), "display_name": name, "layer": self.index(spec)}

    def index(self, spec: Any) -> int:
        """Return the index of the layer of an opinion."""
        return self.layers.indexes[spec.layer.identifier]


def _schemas(prim: Any) -> Sequence[str]:
    """Return the schemas that are applied to a prim, also those that this OpenUSD does not know."""
    return tuple(prim.GetPrimTypeInfo().GetAppliedAPISchemas())


def _listed(spec: Any) -> Sequence[str]:
    """Return the schemas that one layer applies to a prim."""
    return tuple(spec.GetInfo("apiSchemas").GetAddedOrExplicitItems()) if spec.HasInfo("apiSchemas") else ()


def _instances(prim: Any) -> list[str]:
    """Return the instances that a prim is in, also those in others: an override does not reach their prims."""
    paths = []
    while prim.IsInstanceProxy():
        prim = prim.GetParent()
        if prim.IsInstance():
            paths.append(str(prim.GetPath()))
    return paths


def _mass(prim: Any, schemas: Sequence[str]) -> dict[str, Any]:
    """Return what a prim gives of a mass, and the schemas whose attributes it has in vain: they are not applied."""
    has_attributes = (name for name in SCHEMAS if any(_is_given(prim.GetAttribute(part)) for part in SCHEMAS[name]))
    unapplied = [name for name in has_attributes if name not in schemas]
    if "PhysicsMassAPI" not in schemas:
        return {**dict.fromkeys(("mass", "density", "com", "diagonal", "axes")), "unapplied": unapplied}
    center, axes = _vector(prim, "physics:centerOfMass", 3), _vector(prim, "physics:principalAxes", 4)
    diagonal = _vector(prim, "physics:diagonalInertia", 3)
    return {
        "mass": _scalar(prim, "physics:mass") or None,
        "density": _scalar(prim, "physics:density") or None,
        "com": None if center == ["-inf"] * 3 else center,
        "diagonal": diagonal if diagonal and any(diagonal) else None,
        "axes": axes if axes and any(axes) else None,
        "unapplied": unapplied,
    }


def _mimic(prim: Any, schemas: Sequence[str]) -> dict[str, Any] | None:
    """Return which joint a joint follows, and how: its position is multiplier times the other's, plus offset."""
    for schema in schemas:
        kind, _, axis = schema.partition(":")
        if kind == "NewtonMimicAPI":
            sign, names = 1.0, ["newton:mimicJoint", "newton:mimicCoef1", "newton:mimicCoef0"]
        elif kind == "PhysxMimicJointAPI":  # of PhysX: position + gearing * reference + offset = 0
            sign, names = -1.0, [f"physxMimicJoint:{axis}:{part}" for part in ("referenceJoint", "gearing", "offset")]
        else:
            continue
        factor, offset = _finite(prim, names[1]), _finite(prim, names[2])
        for target in _targets(prim, names[0])[:1]:
            multiplier = sign * (1.0 if factor is None else factor)
            return {"joint": str(target), "multiplier": multiplier, "offset": sign * (offset or 0.0)}
    return None


def _drawn(material: Any) -> dict[str, Any]:
    """Return what a material's preview gives."""
    shader = material.ComputeSurfaceSource()[0]
    if not shader or shader.GetIdAttr().Get() != "UsdPreviewSurface":
        return {}
    drawn = {name: _finite(shader.GetPrim(), f"inputs:{name}") for name in ("opacity", "roughness", "metallic")}
    return {**drawn, "color": _vector(shader.GetPrim(), "inputs:diffuseColor", 3)}


def _targets(prim: Any, name: str) -> Sequence[Any]:
    relationship = prim.GetRelationship(name)
    return relationship.GetTargets() if relationship else ()


def _is_given(attribute: Any) -> bool:
    return bool(attribute) and bool(attribute.HasAuthoredValue())


def _given(prim: Any, name: str) -> Any:
    """Return the value of an attribute that is authored, whatever type the file gives it."""
    attribute = prim.GetAttribute(name)
    return attribute.Get() if _is_given(attribute) else None


def _scalar(prim: Any, name: str) -> Any:
    return _number(_given(prim, name))


def _vector(prim: Any, name: str, count: int) -> Any:
    return _numbers(_given(prim, name), count)


def _axis(prim: Any, name: str, default: str) -> str:
    axis = prim.GetAttribute(name).Get()
    return str(axis) if axis in ("X", "Y", "Z") else default


def _finite(prim: Any, *names: str) -> float | None:
    """Return the first of some attributes that is a finite number."""
    values = (_scalar(prim, name) for name in names)
    return next((value for value in values if isinstance(value, float)), None)


def _numbers(values: Any, count: int) -> Any:
    """Return so many numbers as a list, None for anything else."""
    if isinstance(values, Gf.Quatf | Gf.Quatd | Gf.Quath):
        values = (values.GetReal(), *values.GetImaginary())
    if isinstance(values, str) or not hasattr(values, "__len__") or len(values) != count:
        return None
    numbers = [_number(value) for value in values]
    return None if None in numbers else numbers


def _number(value: Any) -> Any:
    """Return a number as JSON can hold it, None for what is not a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else str(float(value))


def _matrix(matrix: Any) -> list[Any]:
    return [_number(value) for value in memoryview(matrix).cast("B").cast("d")]


def _bytes(values: Any, kind: str) -> bytes:
    """Return an array of OpenUSD in another type; raises an error for what is not an array of numbers."""
    view: Any = memoryview(values)
    return array(kind, view.cast("B").cast(view.format or "B")).tobytes() if view.nbytes else b""


def _problem(error: Any) -> str:
    """Return what OpenUSD reports first, without the names of its source; a layer as ``{layer:N}``."""
    match = re.search(r" : '(.*?)'\n", f"{error}\n", re.DOTALL)
    reason = " ".join((match[1] if match else str(error)).split())
    reason = _SESSION.sub("", _PARSER.sub("unexpected '", _LINE.sub(r"line \1: ", reason)))
    return _ANONYMOUS.sub(r"{layer:\1}", reason)[:300]


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
