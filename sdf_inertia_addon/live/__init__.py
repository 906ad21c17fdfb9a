# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's links with their numbers, for panel and overlay: pulled when they draw, computed when changed.

`model` costs next to nothing while nothing changes. Handlers (`change_counter`) only count changes, and whether they
may be more than transforms; what has changed is found by comparison with the last state.
"""

from __future__ import annotations

from collections import OrderedDict

import bpy

from ...core.robot.resolve import LinkBody
from ..scene.evaluated import evaluated_mesh
from . import jobs
from .follower import Follower
from .model import LiveLink, LiveModel

__all__ = ["LiveLink", "LiveModel", "forget", "link_body", "model"]

SCENES = 4
"""View layers that are followed at a time; the one that was used longest ago is dropped first."""

_followers: OrderedDict[tuple[int, str], Follower] = OrderedDict()


def model(depsgraph: bpy.types.Depsgraph) -> LiveModel:
    """Return the current links of an evaluated scene: the same object for as long as nothing changes.

    In a window, another thread does long computations; meanwhile these links are stale, or being checked.
    """
    return _follower(depsgraph).pull(depsgraph)


def link_body(depsgraph: bpy.types.Depsgraph, ob: bpy.types.Object) -> LinkBody | None:
    """Return the numbers, in full, of the link that `ob` is or belongs to, however long they take; None without one."""
    link = _follower(depsgraph).pull(depsgraph, wait=True).link_of(ob)
    return None if link is None else link.body


def forget() -> None:
    """Drop all that is remembered."""
    for follower in _followers.values():
        follower.close()
    _followers.clear()
    jobs.forget()
    evaluated_mesh.forget()


def _follower(depsgraph: bpy.types.Depsgraph) -> Follower:
    key = (depsgraph.scene.session_uid, depsgraph.view_layer.name)
    if key not in _followers:
        _close_gone()
    follower = _followers.setdefault(key, Follower())
    _followers.move_to_end(key)
    while len(_followers) > SCENES:
        _followers.popitem(last=False)[1].close()
    return follower


def _close_gone() -> None:
    """Drop scenes that no longer exist, such as another file's, and what they still want computed."""
    scenes = {scene.session_uid for scene in bpy.data.scenes}
    for key in [key for key in _followers if key[0] not in scenes]:
        _followers.pop(key).close()
