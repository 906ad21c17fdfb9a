# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts with mass properties in the shape of each CAD system, of bodies that the caller chooses."""

import numpy as np

AXES = "xyz"


def moved(mass, com, tensor):
    """Return a tensor about the origin."""
    return tensor + mass * (np.dot(com, com) * np.eye(3) - np.outer(com, com))


def printed_as(tensor, sign):
    """Return a tensor with the products as a text has them: 1 those of the tensor, -1 the integrals."""
    return tensor if sign > 0 else 2.0 * np.diag(np.diag(tensor)) - tensor


def components(tensor, letter, digits, line=3):
    cells = [f"{letter}{a}{b} = {tensor[i, j]:.{digits}f}" for i, a in enumerate(AXES) for j, b in enumerate(AXES)]
    return "".join("\t" + "\t".join(cells[start : start + line]) + "\n" for start in range(0, 9, line))


def solidworks(mass, com, tensor, sign=-1, blocks="both", digits=4):
    """Return SolidWorks' Mass Properties of a body in g, mm and g·mm²."""
    note = f"(Using {'negative' if sign > 0 else 'positive'} tensor notation.)"
    moments = np.linalg.eigvalsh(tensor)
    text = "Mass properties of forearm\n     Configuration: Default\n     Coordinate system: -- default --\n\n"
    text += f"Mass = {mass:.{digits}f} grams\n\nVolume = 1862.71 cubic millimeters\n\n"
    text += "Center of mass: ( millimeters )\n"
    text += "".join(f"\t{axis} = {value:.{digits}f}\n" for axis, value in zip("XYZ", com, strict=True))
    text += "\nPrincipal axes of inertia and principal moments of inertia: ( grams *  square millimeters )\n"
    text += "Taken at the center of mass.\n"
    text += "".join(f"\t I{a} = ( 0.00,  0.00,  1.00)   \tP{a} = {p:.2f}\n" for a, p in zip(AXES, moments, strict=True))
    if blocks in ("both", "centre"):
        text += (
            "\nMoments of inertia: ( grams *  square millimeters )\nTaken at the center of mass and aligned with the"
        )
        text += f" output coordinate system. {note}\n{components(printed_as(tensor, sign), 'L', digits)}"
    if blocks in ("both", "origin"):
        text += "\nMoments of inertia: ( grams *  square millimeters )\nTaken at the output coordinate system."
        text += f" {note}\n{components(printed_as(moved(mass, com, tensor), sign), 'I', digits)}"
    return text


def fusion(mass, com, tensor, digits=3):
    """Return Fusion's Physical Properties of a body in g, mm and g·mm²."""
    text = f"Physical\nMass\t{mass:.{digits}f} g\nVolume\t5569.49 mm^3\nDensity\t0.008 g / mm^3\n"
    text += "World X,Y,Z\t0.00 mm, 0.00 mm, 0.00 mm\n"
    text += f"Center of Mass\t{', '.join(f'{value:.{digits}f} mm' for value in com)}\n"
    text += f"Moment of Inertia at Center of Mass   (g mm^2)\n{components(tensor, 'I', digits, 1)}"
    return text + f"Moment of Inertia at Origin   (g mm^2)\n{components(moved(mass, com, tensor), 'I', digits, 1)}"


def inventor(mass, com, tensor, sign=1, digits=5):
    """Return Inventor's iProperties of a body in kg, mm and kg·mm²."""
    error = "(Relative Error = 0.000100%)"
    text = "Physical Properties for part\nGeneral Properties:\n\tDensity: 7.850 g/cm^3\n"
    text += f"\tMass: {mass:.{digits}f} kg {error}\n"
    text += "Center of Gravity:\n"
    text += "".join(f"\t{axis}: {value:.{digits}f} mm {error}\n" for axis, value in zip("XYZ", com, strict=True))
    kind = "negative" if sign > 0 else "positive"
    text += f"Mass Moments of Inertia with respect to Center of Gravity(Calculated using {kind} integral)\n"
    shown = printed_as(tensor, sign)
    for i, a in enumerate(AXES):
        text += "".join(f"\tI{a}{AXES[j]} {shown[i, j]:.{digits}f} kg mm^2 {error}\n" for j in range(i + 1))
    return text


def onshape(mass, com, tensor, digits=4):
    """Return Onshape's mass properties of a body in kg, mm and kg·mm², whose sign the text does not name."""
    text = f"Mass: {mass:.{digits}f} kg\nVolume: 100000 mm^3\nCenter of mass\n"
    text += "".join(f"{axis}: {value:.{digits}f} mm\n" for axis, value in zip("XYZ", com, strict=True))
    return text + f"Moments of inertia (kg mm^2)\nCenter of mass\n{components(tensor, 'L', digits)}"


def freecad(volume, com, tensor):
    """Return what FreeCAD's console prints of a shape [mm, mm⁵]."""
    rows = ",".join("(" + ",".join(repr(float(value)) for value in row) + ",0.0)" for row in tensor)
    return (
        f"Volume: {volume!r}\nCenterOfMass: Vector ({', '.join(map(repr, com))})\nMatrix ({rows},(0.0,0.0,0.0,1.0))\n"
    )


def meshlab(volume, com, tensor, digits=6):
    """Return MeshLab's geometric measures, without a unit."""
    rows = "".join("| " + " ".join(f"{value:.{digits}f}" for value in row) + " |\n" for row in tensor)
    text = f"Mesh Surface Area is 52.000000\nMesh Volume is {volume:.{digits}f}\n"
    text += f"Center of Mass is {' '.join(f'{value:.{digits}f}' for value in com)}\nInertia Tensor is :\n{rows}"
    return text + "Principal axes are :\n| 1 0 0 |\n| 0 1 0 |\n| 0 0 1 |\naxis momenta are :\n| 1.0 2.0 3.0 |\n"


def with_commas(text):
    """Return a text as a system writes it that has decimal commas."""
    return "".join(
        "," if mark == "." and text[place - 1 : place].isdigit() and text[place + 1 : place + 2].isdigit() else mark
        for place, mark in enumerate(text)
    )
