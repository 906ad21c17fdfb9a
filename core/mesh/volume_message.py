# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of a mesh in the units that its user sees, though it is known before these are."""

from __future__ import annotations

from typing import Self

from ..units import fitting_volume_text


class VolumeMessage(str):
    """A message with volumes of a mesh in it, which can be said again of the mesh under a linear map.

    A mesh is diagnosed once, in coordinates of its own, and what was found is kept; its scale and unit come later.
    It is a text, so that whoever reads a finding need not know.

    Parameters
    ----------
    template : str
        With ``{}`` for each volume.
    *volumes : float
        [m³] if a unit of the coordinates is a metre.
    """

    template: str
    volumes: tuple[float, ...]

    def __new__(cls, template: str, *volumes: float) -> Self:
        message = super().__new__(cls, template.format(*map(fitting_volume_text, volumes)))
        message.template, message.volumes = template, volumes
        return message


def scaled(message: str, factor: float) -> str:
    """Return a message about a mesh for that under a map which multiplies volumes by a factor."""
    if not isinstance(message, VolumeMessage):
        return message
    return VolumeMessage(message.template, *(factor * volume for volume in message.volumes))
