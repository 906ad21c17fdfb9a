# SPDX-License-Identifier: Apache-2.0
"""What drives the joints of a file: rotors, gears, and the joints that follow others."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from ..document.element import Element, child_of, children_of, text_of
from ..robot.model import Mimic

ROTOR_INERTIA, GEAR_RATIO, MIMIC = (f"drake:{name}" for name in ("rotor_inertia", "gear_ratio", "mimic"))
"""Drake's elements, as the tree has them."""


class Motor(NamedTuple):
    """A rotor's inertia [kg·m²] and its gear's ratio; 0 and 1 if they are not given."""

    rotor_inertia: float = 0.0
    gear_ratio: float = 1.0

    @classmethod
    def of(cls, rotor_inertia: float | None, gear_ratio: float | None) -> Motor:
        """Return a motor without what no motor has: a negative inertia, a ratio of zero."""
        return cls(max(rotor_inertia or 0.0, 0.0), gear_ratio or 1.0)


def transmissions(robot: Element) -> dict[str, tuple[Element, Motor]]:
    """Return the transmissions of a URDF with one joint, one actuator and a rotor or gear, by the name of the joint.

    Drake's elements apply before ``<mechanicalReduction>``, which Drake ignores: with a rotor's inertia and no
    ``<drake:gear_ratio>`` the ratio is 1.
    """
    read: dict[str, tuple[Element, Motor]] = {}
    for element in children_of(robot, "transmission"):
        joints, actuators = children_of(element, "joint"), children_of(element, "actuator")
        if len(joints) == len(actuators) == 1:
            rotor, ratio = (_attribute(child_of(actuators[0], tag)) for tag in (ROTOR_INERTIA, GEAR_RATIO))
            if rotor is None and ratio is None:
                reduction = (_content(holder, "mechanicalReduction") for holder in (actuators[0], element))  # the PR2's
                ratio = next((number for number in reduction if number), None)
            motor = Motor.of(rotor, ratio)
            if motor != Motor():
                read.setdefault(joints[0].get("name", ""), (element, motor))
    return read


def sdf_motor(joint: Element) -> Motor:
    """Return the motor of an SDF's joint, by Drake's elements."""
    return Motor.of(_content(joint, ROTOR_INERTIA), _content(joint, GEAR_RATIO))


def mimic_of(element: Element | None, prefix: str = "") -> Mimic | None:
    """Return what a ``<mimic>`` or ``<drake:mimic>`` gives as attributes or, in an axis of SDF, as elements.

    The `prefix` is added to the name of the joint that is followed. The name is empty, so that no joint has it, for
    another axis than its first, or if a number cannot be read.
    """
    if element is None:
        return None
    numbers = []
    for name, default in (("multiplier", 1.0), ("offset", 0.0), ("reference", 0.0)):
        text = element.get(name) or _text(element, name)
        numbers.append(as_number(text) if text else default)
    multiplier, offset, reference = numbers
    other_axis = element.get("axis", "").strip() not in ("", "axis")
    if other_axis or multiplier is None or offset is None or reference is None:
        return Mimic("")
    return Mimic(prefix + element.get("joint", "").strip(), multiplier, offset - multiplier * reference)


def as_number(text: str) -> float | None:
    """Return a text as a finite number; None for any other text."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _attribute(element: Element | None) -> float | None:
    return None if element is None else as_number(element.get("value", ""))


def _content(parent: Element, tag: str) -> float | None:
    return as_number(_text(parent, tag))


def _text(parent: Element, tag: str) -> str:
    child = child_of(parent, tag)
    return "" if child is None else text_of(child)
