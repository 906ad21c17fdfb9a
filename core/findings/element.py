# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements of SDF: names and values of elements: what libsdformat refuses, drops or reads otherwise."""

from __future__ import annotations

from .entry import Area, Entry

ELEMENT = Area(
    "Elements of SDF",
    "Names and values of elements: what libsdformat refuses, drops or reads otherwise.",
    (
        Entry(
            "not_sdf",
            "Not SDF",
            ("error",),
            "The root element is not <sdf>.",
            "Give an SDF file.",
        ),
        Entry(
            "bad_version",
            "Unknown version",
            ("error",),
            "The version of SDF is missing, or none of 1.0 and 1.2 to 1.12. A file of 1.0 is read, but not written.",
            "Write the version, such as version='1.11', or convert the file with 'gz sdf --print'.",
        ),
        Entry(
            "bad_number",
            "Not a number",
            ("error", "warning"),
            "A text should be a number, and is not.",
            "Write a number, such as 1.5e-3.",
        ),
        Entry(
            "bad_vector",
            "Not a vector",
            ("error",),
            "A text should be numbers with spaces between, and is not.",
            "Write as many numbers as the message names, with spaces between.",
        ),
        Entry(
            "bad_boolean",
            "Not true or false",
            ("error",),
            "A text should be true or false, and is neither.",
            "Write true or false.",
        ),
        Entry(
            "bad_pose",
            "Bad pose",
            ("error", "warning"),
            "A pose should be six numbers (metres and radians), and is not.",
            "Write x y z roll pitch yaw.",
        ),
        Entry(
            "quaternion_length",
            "Quaternion not of length 1",
            ("error",),
            "The quaternion of a pose does not have the length 1, so it is not a rotation. libsdformat reads it all the"
            " same, and moves what is placed by it.",
            "Divide its four numbers by the square root of the sum of their squares.",
        ),
        Entry(
            "bad_value",
            "Bad value",
            ("error", "warning"),
            "A value is not one that its element can have. A warning where libsdformat reads it, or a part of it,"
            " after all.",
            "Write a value of the kind that the message names.",
        ),
        Entry(
            "bad_type",
            "Unknown type",
            ("error",),
            "The type of a joint is none that SDF knows.",
            "Choose one of the types named.",
        ),
        Entry(
            "no_name",
            "No name",
            ("error",),
            "An element that needs a name has none.",
            "Give it one.",
        ),
        Entry(
            "missing_attribute",
            "Missing attribute",
            ("error",),
            "An attribute that an element needs is not there.",
            "Write it.",
        ),
        Entry(
            "attribute_form",
            "Attribute for an element",
            ("error",),
            "A value is written as an attribute, as in URDF and SDF 1.0. Simulators read the element instead, and take"
            " the default where there is none.",
            "Write it as an element, such as <mass>7.5</mass>.",
        ),
        Entry(
            "missing_element",
            "Missing element",
            ("error",),
            "An element that another one needs is not there. libsdformat refuses the file, or makes one up.",
            "Write it.",
        ),
        Entry(
            "missing_child",
            "Missing element",
            ("info",),
            "An element that the specification asks for is not there; libsdformat takes its default.",
            "Write it, if the default is not meant.",
        ),
        Entry(
            "repeated",
            "Repeated element",
            ("warning",),
            "An element that may be there once is there more often. The first counts.",
            "Remove all but one.",
        ),
        Entry(
            "misplaced",
            "Misplaced element",
            ("warning",),
            "An element stands where it counts for nothing, though SDF has it elsewhere.",
            "Move it to where the message says.",
        ),
        Entry(
            "misspelled",
            "Misspelled name",
            ("warning",),
            "An element or attribute is unknown to SDF and counts for nothing; its name is close to one that SDF has.",
            "Correct the name.",
        ),
        Entry(
            "unknown_element",
            "Unknown element",
            ("info",),
            "An element of an inertial, pose or geometry is unknown to SDF 1.12 and counts for nothing.",
            "Nothing, if a plugin of yours reads it.",
        ),
        Entry(
            "unknown_attribute",
            "Unknown attribute",
            ("info",),
            "An attribute of an inertial, pose or geometry is unknown to SDF 1.12 and counts for nothing.",
            "Nothing, if a plugin of yours reads it.",
        ),
        Entry(
            "duplicate_name",
            "Duplicate name",
            ("error",),
            "Two elements of the same place have one name, so that nothing can refer to either of them.",
            "Rename one.",
        ),
        Entry(
            "reserved_name",
            "Reserved name",
            ("error",),
            "The name is one that SDF keeps for itself or for the world.",
            "Rename it.",
        ),
        Entry(
            "renamed",
            "Renamed",
            ("info", "warning"),
            "The name was changed, since names in SDF are unique and of letters, digits, _ and -.",
            "Rename the object, if others rely on its name.",
        ),
        Entry(
            "several_models",
            "Several models",
            ("error",),
            "A file holds one model at its top; this one holds more.",
            "Put each into a file, or all into a world.",
        ),
        Entry(
            "inertial_relative_to",
            "Frame of an inertial",
            ("warning",),
            "The relative_to of an inertial's pose counts for nothing: it is always in the link's frame.",
            "Give the pose in the link's frame.",
        ),
    ),
)
