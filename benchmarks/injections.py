# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults that no_harm injects into a link of a URDF or SDF file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from . import solids
from .solids import Element
from .sound_robots import Sound

UNLIKE = 10.0
"""A tensor from elsewhere does not fit a link if its trace differs by more than this factor."""
SIGN, FAR = 0.3, 0.1
"""A coordinate whose sign matters, in sides of the box; a centre whose unit matters, in diagonals."""


@dataclass(frozen=True)
class Given:
    """A link that gets a fault, its truth, and all links of its file."""

    link: Element
    sound: Sound
    links: dict[str, Element]
    rng: np.random.Generator

    def tensor(self) -> solids.Array:
        """Return ixx, iyy, izz, ixy, ixz, iyz as the file has them."""
        return solids.numbers(self.link.find("inertial"))[2]


# Each returns whether the fault was injected: it is not where it would change too little to be one.


def _impossible(given: Given) -> bool:
    six = given.tensor()
    six[2] = 1.5 * (six[0] + six[1])
    solids.change(given.link, six=six)
    return True


def _template(given: Given) -> bool:
    trace = given.tensor()[:3].sum()
    values = [value for value in (1e-3, 1.0, 0.01, 1e-6) if _unlike(3 * value, trace)]
    solids.change(given.link, six=np.array([values[0]] * 3 + [0.0] * 3))
    return True


def _same_template(given: Given) -> bool:
    unlike = _unlike(3e-3, given.tensor()[:3].sum())
    solids.change(given.link, six=np.array([1e-3] * 3 + [0.0] * 3))
    return unlike


def _missing(given: Given) -> bool:
    given.link.remove(given.link.find("inertial"))
    return True


def _grams(given: Given) -> bool:
    solids.change(given.link, mass=1000 * given.sound.body.mass, six=1000 * given.tensor())
    return True


def _millimetres(given: Given) -> bool:
    com = given.sound.body.com
    solids.change(given.link, com=1000 * com)
    return bool(np.abs(com).max() >= FAR * given.sound.solid.size)


def _sign(given: Given) -> bool:
    com, box = given.sound.body.com.copy(), given.sound.solid
    axis = int(np.argmax(np.abs(com) / (box.high - box.low)))
    significant = abs(com[axis]) >= SIGN * (box.high - box.low)[axis]
    com[axis] = -com[axis]
    solids.change(given.link, com=com)
    return bool(significant)


def _zero(given: Given) -> bool:
    solids.change(given.link, six=np.zeros(6))
    return True


def _copied(given: Given) -> bool:
    own = given.tensor()[:3].sum()
    others = [solids.numbers(link.find("inertial"))[2] for link in given.links.values() if solids.body(link)]
    others = [six for six in others if _unlike(six[:3].sum(), own)]
    if others:
        solids.change(given.link, six=others[int(given.rng.integers(len(others)))])
    return bool(others)


def _unlike(first: float, second: float) -> bool:
    return not 1 / UNLIKE < first / second < UNLIKE


SEVERAL, MISSING, WITH_DENSITY = "template in several links", "missing", "missing, --density given"
FAULTS: dict[str, Callable[[Given], bool]] = {
    "impossible moments": _impossible,
    "template": _template,
    SEVERAL: _same_template,
    MISSING: _missing,
    WITH_DENSITY: _missing,
    "grams": _grams,
    "centre in mm": _millimetres,
    "sign of the centre": _sign,
    "zero tensor": _zero,
    "copied tensor": _copied,
    "grams, not uniform": _grams,
    "centre in mm, not uniform": _millimetres,
    "sign of the centre, not uniform": _sign,
}
NOT_UNIFORM = tuple(FAULTS)[-3:]
"""Into links whose right tensor is not the geometry's: only what undoes the mistake brings them back."""
