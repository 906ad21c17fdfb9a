# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's links with their numbers, for panel and overlay: pulled when they draw, computed when changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy

from ..core.inertial import Inertial
from ..core.resolve import LinkBody, resolve_link
from . import evaluated_mesh, scene_read


@dataclass(frozen=True, eq=False)
class LiveLink:
    """A link as it stands now.

    Parameters
    ----------
    body : LinkBody
        Its numbers in its own frame; ``body.pose`` is that frame in the world [m].
    object : str
        Full name of the object that is the link.
    parts : mapping of str to str
        Full name of each collision's object, by the collision's name.
    stale : bool
        The numbers are from before the last change; new ones are being computed.
    """

    body: LinkBody
    object: str
    parts: Mapping[str, str]
    stale: bool = False


@dataclass(frozen=True, eq=False)
class LiveModel:
    """All links of a scene, sorted as in the file.

    Parameters
    ----------
    links : tuple of LiveLink
    metres_per_unit : float
    signature : int
        Another one whenever anything in here is other than before.
    """

    links: tuple[LiveLink, ...]
    metres_per_unit: float
    signature: int

    def link_of(self, ob: bpy.types.Object) -> LiveLink | None:
        """Return the (first) link that an object is or belongs to."""
        above: bpy.types.Object | None = ob
        while above is not None:
            for link in self.links:
                if link.object == above.name_full:
                    return link
            above = above.parent
        return None

    def total(self) -> Inertial | None:
        """Return all links together, in the world's frame [m]; None where one has no number, or there is none."""
        bodies = [link.body for link in self.links]
        if not bodies or any(body.inertial is None for body in bodies):
            return None
        total = Inertial.zero
        for body in bodies:
            assert body.inertial is not None
            total += body.inertial.transformed(body.pose)
        return total


_signature = 0


def model(depsgraph: bpy.types.Depsgraph) -> LiveModel:
    """Return the links of an evaluated scene as they stand now."""
    global _signature
    _signature += 1
    links = tuple(
        LiveLink(resolve_link(source.link), source.object, source.parts)
        for source in scene_read.read_sources(depsgraph)
    )
    return LiveModel(links, scene_read.metres_per_unit(depsgraph.scene), _signature)


def link_body(depsgraph: bpy.types.Depsgraph, ob: bpy.types.Object) -> LinkBody | None:
    """Return the link that `ob` is or belongs to, resolved; None if there is none.

    Meshes are integrated once for as long as they do not change: `evaluated_mesh` gives back the same surface, and
    the core remembers what it measured on it.
    """
    link = scene_read.read_link(depsgraph, ob)
    return None if link is None else resolve_link(link)


def forget() -> None:
    """Drop all that is remembered."""
    evaluated_mesh.forget()
