# SPDX-License-Identifier: GPL-3.0-or-later
"""The tags and settings of an object: `Object.sdf_inertia`. Users' scripts and saved files rely on every name here."""

from __future__ import annotations

from functools import partial
from typing import Any

import bpy

from ...core.body.materials import WATER
from ...core.mesh.methods import METHODS
from ..change_counter import announce, redraw
from ..names import MODEL, OVERRIDE, PROPERTIES
from ..translations.words import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    PointerProperty,
    StringProperty,
)
from . import known_materials
from .begun import begun_on, touched
from .belonging import link_above

# Of a mesh, and of each shape of the core. Blender stores the number of an item, not its name: never renumber. 7 is
# taken: Best of All, where a shape is fitted.
GEOMETRIES = (
    ("MESH", "Mesh", "The evaluated mesh, as it is", "MESH_DATA", 0),
    ("BOX", "Box", "A box that fits the object", "MESH_CUBE", 1),
    ("SPHERE", "Sphere", "A ball that fits the object; its three extents must be equal", "MESH_UVSPHERE", 2),
    ("CYLINDER", "Cylinder", "A cylinder along the object's z axis", "MESH_CYLINDER", 3),
    ("CAPSULE", "Capsule", "A capsule along the object's z axis", "MESH_CAPSULE", 4),
    ("CONE", "Cone", "A cone along the object's z axis, its apex at +z", "MESH_CONE", 5),
    ("ELLIPSOID", "Ellipsoid", "An ellipsoid that fits the object", "META_ELLIPSOID", 6),
)

# Blender stores their numbers, too.
INERTIA_MODES = (
    ("AUTO", "Auto", 'Write <inertial auto="true">: the simulator computes it from collisions and densities', 0),
    ("FILLED", "Filled", "Write the mass, centre of mass and inertia computed here", 1),
    ("MANUAL", "Manual", "Write the mass, centre of mass and inertia entered below", 2),
    ("NONE", "None", "Write no inertial: the link has no mass, as in the file that it was imported from", 3),
)

JOINT_TYPES = (
    ("NONE", "None", "The link moves freely, or is the robot's base", 0),
    ("FIXED", "Fixed", "It does not move against its parent", 1),
    ("REVOLUTE", "Revolute", "It turns about an axis, within limits", 2),
    ("CONTINUOUS", "Continuous", "It turns about an axis without end, as a wheel does", 3),
    ("PRISMATIC", "Prismatic", "It slides along an axis", 4),
    ("SCREW", "Screw", "It turns about an axis and moves along it by the pitch at each turn", 5),
    ("UNIVERSAL", "Universal", "It turns about two axes", 6),
    ("BALL", "Ball", "It turns about any axis", 7),
)

ALONG = (
    ("PLUS_X", "X", "Along x of the joint's frame", 0),
    ("PLUS_Y", "Y", "Along y of the joint's frame", 1),
    ("PLUS_Z", "Z", "Along z of the joint's frame", 2),
    ("MINUS_X", "−X", "Against x of the joint's frame", 3),
    ("MINUS_Y", "−Y", "Against y of the joint's frame", 4),
    ("MINUS_Z", "−Z", "Against z of the joint's frame", 5),
    ("OTHER", "Other", "In another direction", 6),
)

DIRECTIONS = [tuple(sign * (axis == along) for axis in range(3)) for sign in (1.0, -1.0) for along in range(3)]
"""Of all but the last."""

WRITTEN_AS = (
    ("AS_IS", "Unchanged", "The mesh as it was measured", 0),
    ("CONVEX_HULL", "Convex Hull", "Its convex hull, which every simulator is quick with", 1),
    ("SIMPLIFIED", "Simplified", "A mesh of fewer faces, within a tolerance", 2),
    ("DECOMPOSED", "Decomposed", "Cut into convex pieces by the simulator: Gazebo does that", 3),
)

METHOD_NUMBERS = {"exact": 1, "voxel": 2, "hull": 3, "shell": 4, "printed": 5}
"""Files keep the number of a method: never another one for a name that has one."""

PROPERTY_OF = {"wall": "printed_wall", "infill": "printed_infill"}
"""Parameters of methods that have another name here, where `infill` is of the whole part."""

METHOD_ITEMS = (
    ("INHERIT", "Inherit", "On a collision: as its link says. On a link: exact", 0),
    *((name.upper(), method.label, method.description, METHOD_NUMBERS[name]) for name, method in METHODS.items()),
)


def _material_changed(self: SDF_INERTIA_PG_object, _context: bpy.types.Context) -> None:
    announce()
    known = known_materials.known_name(self.material)
    if known is None:
        # The density that is there is another material's. A file from a machine that knows the material comes with
        # its density, and does not pass here.
        if self.material and self.use_density:
            self.use_density = False
        return
    if known != self.material:
        self.material = known
        return
    self.density = known_materials.density_of(known)
    self.use_density = True


def _density_changed(self: SDF_INERTIA_PG_object, _context: bpy.types.Context) -> None:
    announce()
    # A density typed in by hand is no longer that of the named material.
    density = known_materials.density_of(self.material)
    if density is not None and not known_materials.same_density(self.density, density):
        self.material = ""


def _use_density_changed(self: SDF_INERTIA_PG_object, _context: bpy.types.Context) -> None:
    announce()
    # Nothing shall show a material whose density does not count.
    if not self.use_density and known_materials.density_of(self.material) is not None:
        self.material = ""


def _owner(settings: SDF_INERTIA_PG_object) -> bpy.types.Object:
    ob = settings.id_data
    assert isinstance(ob, bpy.types.Object)
    return ob


def _manual_changed(self: SDF_INERTIA_PG_object, _context: bpy.types.Context) -> None:
    announce()
    touched(_owner(self), "manual")


def _mass_changed(self: SDF_INERTIA_PG_object, _context: bpy.types.Context) -> None:
    announce()
    touched(_owner(self), "mass")


def _is_collision_changed(self: SDF_INERTIA_PG_object, _context: bpy.types.Context) -> None:
    announce()
    touched(_owner(self), "collision")
    if self.is_collision and not self.is_link:
        _take_back_own_collision(_owner(self))


def _take_back_own_collision(ob: bpy.types.Object) -> None:
    """Undo that our button made the link of a new collision its own collision, because this one was missing."""
    link = link_above(ob.parent)
    if link is not None and begun_on(link).collision:
        getattr(link, PROPERTIES).is_collision = False


def _shows(stored: str) -> dict[str, Any]:
    """Return the arguments of a property that shows another one in the scene's units, and keeps nothing itself."""
    return {
        "get": lambda self: float(getattr(self, stored)),
        "set": lambda self, value: setattr(self, stored, value),
        "options": {"SKIP_SAVE"},
        "override": OVERRIDE,
    }


def _axis_of_frame() -> dict[str, Any]:
    """Return the arguments of a property that shows a joint's axis as a choice of `ALONG`, and keeps nothing itself."""
    return {
        "get": lambda self: (*DIRECTIONS, tuple(self.joint_axis)).index(tuple(self.joint_axis)),
        "set": lambda self, number: setattr(self, "joint_axis", (*DIRECTIONS, self.joint_axis)[number]),
        "options": {"SKIP_SAVE"},
    }


def _in_grams(stored: str) -> dict[str, Any]:
    """Return the arguments of a property that shows a mass [kg] in grams, and keeps nothing itself."""
    return {
        "get": lambda self: 1e3 * float(getattr(self, stored)),
        "set": lambda self, grams: setattr(self, stored, grams / 1e3),
        "options": {"SKIP_SAVE"},
        "min": 0.0,
        "soft_max": 1e6,
        "precision": 3,
    }


def _posed(_self: SDF_INERTIA_PG_object, _context: bpy.types.Context) -> None:
    redraw()


SHARED: dict[str, Any] = {"update": announce, "override": OVERRIDE}
"""What properties of an object have in common, unless a property has its own."""

Bool = partial(BoolProperty, **SHARED)
Enum = partial(EnumProperty, **SHARED)
Float = partial(FloatProperty, **SHARED)
FloatVector = partial(FloatVectorProperty, **SHARED)
Pointer = partial(PointerProperty, **SHARED)
String = partial(StringProperty, **SHARED)

SHOWN_AT = "Where the viewport shows the links that hang on the joint; nothing is moved, nor written"


class SDF_INERTIA_PG_object(bpy.types.PropertyGroup):
    """Tags and settings of one object. Mass and density are SI; lengths are Blender units, as Blender's own are."""

    is_link: Bool(name="Link", description="The object is a link: a rigid body, together with the parts below it")
    is_collision: Bool(
        name="Collision",
        description="The object is a collision of the nearest link above it; it has mass, unless that is unticked",
        update=_is_collision_changed,
    )
    is_mass: Bool(
        name="Mass",
        description="The object has mass in the nearest link above it, whether or not it collides: a battery, or the"
        " detailed shape behind a simple collision",
    )
    has_mass: Bool(name="Has Mass", description="The collision has mass; off: it only collides", default=True)
    is_frame: Bool(
        name="Frame",
        description="The object is a named frame of the nearest link above it, such as a tool's tip: no part, no mass",
    )
    is_visual: Bool(
        name="Visual", description="The object is a visual of the nearest link above it: it is seen, and has no mass"
    )
    geometry: Enum(name="Geometry", description="The shape of the part", items=GEOMETRIES, default="MESH")

    use_density: Bool(
        name="Set Density",
        description="Give a density: on a link for all its parts, on a part for itself",
        update=_use_density_changed,
    )
    # Not unit='MASS' or 'DENSITY': Blender would scale the number by the scene's unit scale cubed.
    density: Float(
        name="Density [kg/m³]",
        description="Density in kg/m³, whatever the scene's units",
        default=WATER,
        soft_min=1.0,
        soft_max=25000.0,  # no max: an impossible density is to be refused, not clamped to a possible one
        precision=1,
        update=_density_changed,
    )
    material: String(
        name="Material",
        description="Density by material: choosing one sets the density",
        search=known_materials.search,
        update=_material_changed,
    )
    infill: Float(
        name="Infill",
        description="Mass of the part in percent of a solid one: walls, top and bottom count as well, so it is more "
        "than the slicer's infill. Weigh a print, or divide the slicer's grams by the solid's",
        default=100.0,
        soft_min=1.0,
        soft_max=100.0,
        subtype="PERCENTAGE",
        precision=1,
    )
    use_mass: Bool(
        name="Set Mass",
        description="On a link: scale it to a target mass, such as a scale's reading. On a part: its own mass",
    )
    mass: Float(
        name="Mass [kg]",
        description="In kg; on a link the target of all its parts, of which those with a mass of their own keep it",
        default=1.0,
        soft_min=0.0,
        soft_max=1000.0,
        precision=4,
        update=_mass_changed,
    )
    mass_in_grams: FloatProperty(
        name="Mass [g]",
        description="In g; on a link the target of all its parts, of which those with a mass of their own keep it",
        override=OVERRIDE,
        **_in_grams("mass"),
    )

    inertia: Enum(name="Inertia", description="How the link's inertia is written", items=INERTIA_MODES, default="AUTO")
    manual_mass: Float(
        name="Mass [kg]", description="Mass in kg", default=1.0, soft_min=0.0, precision=4, update=_manual_changed
    )
    manual_com: FloatVector(
        name="Centre of Mass",
        description="Centre of mass in the link's frame",
        size=3,
        unit="LENGTH",
        subtype="XYZ",
        update=_manual_changed,
    )
    manual_inertia: FloatVector(
        name="Inertia [kg·m²]",
        description="Ixx Iyy Izz Ixy Ixz Iyz in kg·m² about the centre of mass, in link axes; Ixy = -∫xy dm",
        size=6,
        default=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0),
        precision=6,
        update=_manual_changed,
    )

    joint_type: Enum(
        name="Joint", description="How the link is joined to its parent", items=JOINT_TYPES, default="NONE"
    )
    joint_name: String(name="Name", description="Name of the joint; empty: the link's, with _joint")
    joint_world: Bool(name="World", description="The joint holds the link to the world")
    joint_parent: Pointer(
        name="Parent",
        description="The link that it is joined to; empty: the nearest one above it",
        type=bpy.types.Object,
    )
    joint_frame: Pointer(
        name="Frame",
        description="The object whose place and axes are the joint's; empty: the link's own",
        type=bpy.types.Object,
    )
    joint_axis: FloatVector(
        name="Axis", description="Axis in the joint's frame", size=3, subtype="XYZ", default=(0.0, 0.0, 1.0)
    )
    joint_along: EnumProperty(
        name="Along",
        description="The joint's axis as an axis of its frame",
        items=ALONG,
        override=OVERRIDE,
        **_axis_of_frame(),
    )
    joint_axis2: FloatVector(
        name="Second Axis",
        description="Second axis of a universal joint, in the joint's frame",
        size=3,
        subtype="XYZ",
        default=(1.0, 0.0, 0.0),
    )
    joint_use_limits: Bool(name="Limits", description="The joint moves within limits")
    # Angles in radians, or lengths in Blender units: which, the type of the joint says. The panel shows them by the
    # properties after them, in the scene's units.
    joint_lower: Float(name="Lower", description="Lower limit")
    joint_upper: Float(name="Upper", description="Upper limit")
    joint_lower_angle: FloatProperty(name="Lower", unit="ROTATION", **_shows("joint_lower"))
    joint_upper_angle: FloatProperty(name="Upper", unit="ROTATION", **_shows("joint_upper"))
    joint_lower_length: FloatProperty(name="Lower", unit="LENGTH", **_shows("joint_lower"))
    joint_upper_length: FloatProperty(name="Upper", unit="LENGTH", **_shows("joint_upper"))
    joint_effort: Float(name="Effort", description="Largest torque in N·m, or force in N; 0: no limit", soft_min=0.0)
    joint_velocity: Float(name="Velocity", description="Largest speed in rad/s, or m/s; 0: no limit", soft_min=0.0)
    joint_damping: Float(
        name="Damping", description="Viscous damping in N·m·s/rad, or N·s/m", soft_min=0.0, precision=4
    )
    joint_friction: Float(
        name="Friction", description="Dry friction in N·m, or N. Drake ignores it", soft_min=0.0, precision=4
    )
    joint_rotor_inertia: Float(
        name="Rotor Inertia",
        description="Of the motor's rotor about its own axis, in kg·m²; 0: none",
        min=0.0,
        precision=6,
    )
    joint_gear_ratio: Float(
        name="Gear Ratio",
        description="Speed of the rotor over that of the joint; of a prismatic joint in rad/m",
        default=1.0,
    )
    joint_mimic: Pointer(
        name="Follows",
        description="The link whose joint this joint follows, or a joint that closes a loop; empty: none",
        type=bpy.types.Object,
    )
    joint_mimic_multiplier: Float(
        name="Multiplier",
        description="Position of this joint for one of the joint that it follows, in rad or m",
        default=1.0,
    )
    joint_mimic_offset: Float(
        name="Offset", description="Position of this joint where the other one is at 0, in rad or m", precision=4
    )
    joint_pitch: Float(name="Pitch", description="How far a screw moves in one turn", unit="LENGTH", precision=4)
    # What the viewport shows, and no file: an angle, or a length in Blender units.
    joint_position: Float(name="Position", description=SHOWN_AT, update=_posed)
    joint_position_angle: FloatProperty(
        name="Show At",
        description=SHOWN_AT,
        unit="ROTATION",
        soft_min=-3.141592653589793,
        soft_max=3.141592653589793,
        **_shows("joint_position"),
    )
    joint_position_length: FloatProperty(
        name="Show At",
        description=SHOWN_AT,
        unit="LENGTH",
        soft_min=-1.0,
        soft_max=1.0,
        **_shows("joint_position"),
    )
    is_joint: Bool(
        name="Joint", description="The object is a joint that closes a loop, between the link above it and another"
    )
    joint_child: Pointer(
        name="Child", description="The link that a joint which closes a loop holds", type=bpy.types.Object
    )

    sdf_name: String(name="Name in the File", description="What the object is called in the file; empty: as in Blender")
    source: StringProperty(
        name="Imported From",
        description="The file of a robot that the link was imported from, to which Write Back gives its inertia",
        subtype="FILE_PATH",
        override=OVERRIDE,
    )
    source_model: StringProperty(
        name="Imported Model", description="The link's model in the file it was imported from", override=OVERRIDE
    )
    missing: StringProperty(
        name="Missing Meshes",
        description="The parts of an imported link whose meshes were not found, one in each line",
        options={"HIDDEN"},
        override=OVERRIDE,
    )
    source_hash: StringProperty(
        name="Imported State", description="SHA-256 of the file when it was imported", override=OVERRIDE
    )

    without_inertial: Bool(
        name="Without Inertial", description="The file that the link was imported from gives it no inertial"
    )
    source_folders: StringProperty(
        name="Folders of Meshes",
        description="The folders in which the import searched for the meshes of a link, one in each line",
        options={"HIDDEN"},
        override=OVERRIDE,
    )
    source_included: StringProperty(
        name="Included Files",
        description="SHA-256 and path of each file that the file of an imported link includes, one in each line",
        options={"HIDDEN"},
        override=OVERRIDE,
    )

    accepted: Bool(
        name="Accepted",
        description="The computed inertia of the imported link was accepted, and Write Back gives it to the file",
    )
    weighed_mass: FloatProperty(
        name="Weighed [kg]",
        description="What a scale showed for the imported link, in kg; Accept gives it to the link",
        default=0.0,
        min=0.0,
        soft_max=1000.0,
        precision=4,
        override=OVERRIDE,
    )
    weighed_mass_in_grams: FloatProperty(
        name="Weighed [g]",
        description="What a scale showed for the imported link, in g; Accept gives it to the link",
        override=OVERRIDE,
        **_in_grams("weighed_mass"),
    )
    weighed: Bool(
        name="Weighed",
        description="The accepted inertia of the imported link is that of its weighed mass",
    )
    published: FloatVector(
        name="Numbers in the File",
        description="Mass, centre of mass and inertia in the file, while the link has the numbers that were accepted;"
        " zeros if the file gives none",
        size=10,
        options={"HIDDEN"},
    )

    write_as: Enum(
        name="Written As",
        description="The mesh that collides in the file; the inertia stays that of the part as modelled",
        items=WRITTEN_AS,
        default="AS_IS",
    )
    simplify_tolerance: Float(
        name="Tolerance",
        description="How far the simplified mesh may be off",
        default=0.001,
        soft_min=0.0,
        unit="LENGTH",
        precision=4,
    )

    method: Enum(
        name="Method", description="How the inertia of meshes is computed", items=METHOD_ITEMS, default="INHERIT"
    )
    voxel_size: Float(
        name="Voxel Size",
        description="Side of a voxel; 0 means the longest side divided by 128",
        default=0.0,
        soft_min=0.0,
        unit="LENGTH",
        precision=4,
    )
    thickness: Float(
        name="Thickness",
        description="Thickness of the shell: half of it lies on each side of the mesh",
        default=0.0,
        soft_min=0.0,
        unit="LENGTH",
        precision=4,
    )
    printed_wall: Float(
        name="Wall",
        description="Thickness of all perimeters of the print together, inside the mesh",
        default=0.0,
        soft_min=0.0,
        unit="LENGTH",
        precision=4,
    )
    printed_infill: Float(
        name="Infill of Print",
        description="The slicer's infill: the share of the density within the wall",
        default=20.0,
        soft_min=0.0,
        soft_max=100.0,
        subtype="PERCENTAGE",
        precision=1,
    )


_FOR = "Compare what this engine simulates"


class SDF_INERTIA_PG_model(bpy.types.PropertyGroup):
    """The settings of a scene's robot as a whole."""

    author: StringProperty(name="Author", description="Who made the model, for model.config")
    description: StringProperty(name="Description", description="What the model is, for model.config")
    static: BoolProperty(
        name="Static",
        description="The robot stands where it is, such as a building: nothing moves it",
        update=announce,
    )
    use_mass: BoolProperty(
        name="Set the Robot's Mass",
        description="Scale all links of unknown mass by one factor, so that the whole robot has a target mass",
        update=announce,
    )
    mass: FloatProperty(
        name="Mass of the Robot [kg]",
        description="Target mass of the whole robot in kg",
        default=1.0,
        soft_min=0.0,
        soft_max=1000.0,
        precision=4,
        update=announce,
    )
    mass_in_grams: FloatProperty(
        name="Mass of the Robot [g]", description="Target mass of the whole robot in g", **_in_grams("mass")
    )
    compared_format: EnumProperty(
        name="Format",
        description="The exported file that the engines read; MuJoCo, Pinocchio, PyBullet and Newton read URDF",
        items=(("sdf", "SDFormat", "As exported for Gazebo and Drake", 0), ("urdf", "URDF", "As exported for ROS", 1)),
        default="sdf",
    )
    for_gazebo: BoolProperty(name="Gazebo", description=_FOR, default=True)
    for_drake: BoolProperty(name="Drake", description=_FOR, default=True)
    for_mujoco: BoolProperty(name="MuJoCo", description=_FOR, default=True)
    for_pinocchio: BoolProperty(name="Pinocchio", description=_FOR)
    for_pybullet: BoolProperty(name="PyBullet", description=_FOR)
    for_pybullet_file: BoolProperty(name="PyBullet (File)", description="PyBullet, set to take the tensor of the file")
    for_newton: BoolProperty(name="Newton", description=_FOR)


CLASSES = (SDF_INERTIA_PG_object, SDF_INERTIA_PG_model)


def attach() -> None:
    setattr(bpy.types.Scene, MODEL, PointerProperty(type=SDF_INERTIA_PG_model, name="SDF Model"))
    pointer = PointerProperty(type=SDF_INERTIA_PG_object, name="SDF Inertia", override=OVERRIDE)
    setattr(bpy.types.Object, PROPERTIES, pointer)


def detach() -> None:
    delattr(bpy.types.Object, PROPERTIES)
    delattr(bpy.types.Scene, MODEL)
