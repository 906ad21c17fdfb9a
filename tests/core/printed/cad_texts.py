# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts in the shape of those that CAD systems print, of bodies whose numbers follow from their definition."""

from typing import NamedTuple

import numpy as np

AXES = "xyz"


class Points(NamedTuple):
    """Masses [g] at points [mm]: the integrals are sums, so that no theorem is needed for either tensor."""

    masses: np.ndarray
    places: np.ndarray

    @property
    def mass(self):
        return float(self.masses.sum())

    @property
    def center(self):
        return self.masses @ self.places / self.mass

    def tensor(self, point, products="negative"):
        """Return the printed tensor [g·mm²] about a point."""
        arms = self.places - point
        tensor = np.einsum("n,ni,nj->ij", self.masses, arms, arms)
        diagonal = np.diag(np.trace(tensor) - np.diag(tensor))
        off = tensor - np.diag(np.diag(tensor))
        return diagonal + (off if products == "positive" else -off)


def far_body(seed=0):
    """Return a body with three unlike products, half a metre from the origin."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(-1.0, 1.0, (9, 3)) * [60.0, 40.0, 25.0] + [310.0, -420.0, 150.0]
    return Points(rng.uniform(10.0, 90.0, 9), places)


def written(value, decimal, digits=2):
    return f"{value:.{digits}f}".replace(".", decimal)


def solidworks(body, products="positive", decimal=".", blocks=("center", "origin"), notation=True):
    x, y, z = (written(value, decimal, 4) for value in body.center)
    lines = ["Mass properties of far part", "     Configuration: Default", "     Coordinate system: -- default --", ""]
    lines += [f"Density = {written(0.0027, decimal, 4)} grams per cubic millimeter", ""]
    lines += [f"Mass = {written(body.mass, decimal, 4)} grams", ""]
    lines += ["Center of mass: ( millimeters )", f"\tX = {x}", f"\tY = {y}", f"\tZ = {z}", ""]
    lines += ["Principal axes of inertia and principal moments of inertia: ( grams *  square millimeters )"]
    lines += [
        "Taken at the center of mass.",
        "\t Ix = (0.00,  0.02,  1.00)   \tPx = 489421.20".replace("0.", f"0{decimal}"),
    ]
    said = f" (Using {products} tensor notation.)" if notation else ""
    headings = {
        "center": ("L", "Taken at the center of mass and aligned with the output coordinate system."),
        "origin": ("I", "Taken at the output coordinate system."),
    }
    for block in blocks:
        letter, heading = headings[block]
        lines += ["", "Moments of inertia: ( grams *  square millimeters )", heading + said]
        tensor = body.tensor(body.center if block == "center" else 0.0, products)
        lines += _rows(tensor, letter, " = ", decimal)
    return "\n".join(lines) + "\n"


def german_solidworks(body, decimal=","):
    """SolidWorks in German, which prints no notation here."""
    text = solidworks(body, "positive", decimal, notation=False)
    words = {
        "Mass = ": "Masse = ",
        " grams\n": " Gramm\n",
        "Center of mass: ( millimeters )": "Massenmittelpunkt: ( Millimeter )",
        "Principal axes of inertia and principal moments of inertia": "Hauptträgheitsachsen und Hauptträgheitsmomente",
        "Moments of inertia: ": "Trägheitsmomente: ",
        "grams *  square millimeters": "Gramm * QuadratMillimeter",
        "Taken at the center of mass.": "Bezogen auf den Massenmittelpunkt.",
        "Taken at the center of mass and aligned with the output coordinate system.": (
            "Bezogen auf den Massenmittelpunkt, ausgerichtet auf das Ausgabekoordinatensystem."
        ),
        "Taken at the output coordinate system.": "Bezogen auf das Ausgabekoordinatensystem.",
    }
    for english, german in words.items():
        text = text.replace(english, german)
    return text


def fusion(body, products="negative", decimal="."):
    assert products == "negative"
    center = ", ".join(f"{written(value, decimal, 4)} mm" for value in body.center)
    lines = [
        "far part v3",
        "",
        f"Area\t{written(5876.196, decimal, 3)} mm^2",
        f"Mass\t{written(body.mass, decimal, 4)} g",
    ]
    lines += ["Physical Material\tSteel", "", "Bounding Box", f"\tLength \t {written(43.39, decimal)} mm"]
    lines += [f"World X,Y,Z\t{', '.join([f'{written(0, decimal)} mm'] * 3)}", f"Center of Mass\t{center}"]
    for name, point in (("Center of Mass", body.center), ("Origin", 0.0)):
        lines += ["", f"Moment of Inertia at {name}   (g mm^2)"]
        tensor = body.tensor(point, products)
        cells = [(i, j) for i in range(3) for j in range(3)]
        lines += [f"\tI{AXES[i]}{AXES[j]} = {written(tensor[i, j], decimal, 3)}" for i, j in cells]
    return "\n".join(lines) + "\n"


def inventor(body, products="negative", decimal="."):
    off = f" (Relative Error = {written(0, decimal, 6)}%)"
    lines = ["Physical Properties for far part", "", "General Properties:", "\tMaterial:\t{Steel}"]
    lines += [f"\tMass:\t{written(body.mass / 1e3, decimal, 7)} kg{off}", "\tCenter of Gravity:"]
    lines += [f"\t\t{axis}:\t{written(at, decimal, 4)} mm{off}" for axis, at in zip("XYZ", body.center, strict=True)]
    for name, point in (("Center of Gravity", body.center), ("Global", 0.0)):
        lines += [f"\tMass Moments of Inertia with respect to {name}(Calculated using {products} integral)"]
        tensor = body.tensor(point, products) / 1e3
        for i in range(3):
            cells = [f"I{AXES[i]}{AXES[j]}\t{written(tensor[i, j], decimal, 4)} kg mm^2{off}" for j in range(i + 1)]
            lines += ["\t\t" + "\t".join(cells)]
    lines += [
        "\tPrincipal Moments of Inertia with respect to Center of Gravity",
        f"\t\tI1:\t{written(1, decimal)} kg mm^2",
    ]
    return "\n".join(lines) + "\n"


def onshape(body, products="positive", decimal="."):
    """Onshape does not say what the products are: here both tensors show it."""
    lines = [f"Mass: {written(body.mass / 1e3, decimal, 7)} kg", "Center of mass"]
    lines += [f"{axis}: {written(at, decimal, 4)} mm" for axis, at in zip("XYZ", body.center, strict=True)]
    for name, letter, point in (("center of mass", "L", body.center), ("origin", "I", 0.0)):
        lines += [f"Moments of inertia about the {name} (kg mm²)"]
        lines += _rows(body.tensor(point, products) / 1e3, letter, ": ", decimal, 5)
    return "\n".join(lines) + "\n"


def meshlab(body, volume, decimal="."):
    """The measures of a mesh of that volume [mm³] with the shape of the body; MeshLab prints six digits at most."""
    center = " ".join(written(at, decimal, 6) for at in body.center)
    lines = [f"Mesh Volume is {written(volume, decimal, 6)}", f"Mesh Surface is {written(12.5, decimal, 6)}"]
    lines += [f"Thin shell barycenter  {center}", f"Center of Mass is {center}", "Inertia Tensor is :"]
    tensor = body.tensor(body.center) * volume / body.mass
    lines += [f"    | {' '.join(written(cell, decimal, 6) for cell in row)} |" for row in tensor]
    lines += [
        "Principal axes are :",
        *[f"    | {' '.join(written(cell, decimal) for cell in row)} |" for row in np.eye(3)],
    ]
    lines += ["axis momenta are :", f"    | {written(1, decimal)} {written(2, decimal)} {written(3, decimal)} |"]
    return "\n".join(lines) + "\n"


def freecad(body, volume):
    """What FreeCAD's Python console prints, in mm."""
    tensor = (body.tensor(body.center) * volume / body.mass).tolist()
    rows = ",".join(f"({','.join(map(repr, [*row, 0]))})" for row in tensor)
    lines = [">>> obj.Shape.Volume", repr(volume), ">>> obj.Shape.CenterOfMass"]
    lines += [f"Vector ({', '.join(map(repr, body.center.tolist()))})", ">>> obj.Shape.MatrixOfInertia"]
    return "\n".join([*lines, f"Matrix ({rows},(0,0,0,1))"]) + "\n"


def _rows(tensor, letter, mark, decimal, digits=2):
    return [
        "".join(f"\t{letter}{AXES[i]}{AXES[j]}{mark}{written(tensor[i, j], decimal, digits)}" for j in range(3))
        for i in range(3)
    ]
