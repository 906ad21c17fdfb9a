# SPDX-License-Identifier: GPL-3.0-or-later
"""From an SDF file to values: its models, their links, and what is wrong with them, by libsdformat's rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..errors import Finding
from ..inertial import Inertial
from ..model import Link
from ..resolve import LinkBody, resolve_link
from .document import Document, Element


@dataclass(frozen=True, eq=False)
class ReadLink:
    """A link of a file.

    Parameters
    ----------
    name : str
        Scoped: ``model::nested::link``; ``world::model::link`` is written without the world.
    auto : bool
        Whether its inertial is to be computed.
    manual : Inertial or None
        The inertial that the file gives, in the link's frame; libsdformat's default (1 kg, unit moments) where it
        gives none, with the finding ``default_inertial``. None for an auto link.
    element : lxml element
        The ``<link>``.
    document : Document
        The file it stands in; an included model has its own.
    fluid_added_mass : bool
        Whether the file gives one.
    """

    name: str
    auto: bool
    manual: Inertial | None
    element: Element
    document: Document
    fluid_added_mass: bool
    _collisions: Callable[[], Link]

    @cached_property
    def link(self) -> Link:
        """The link as a value of mode ``auto`` or ``manual``, with its collisions; this reads their mesh files."""
        return self._collisions()

    @cached_property
    def body(self) -> LinkBody:
        """The link's inertial by libsdformat's rules; no mesh is read for a manual one."""
        return resolve_link(self.link)

    @cached_property
    def implied(self) -> LinkBody:
        """What its collisions alone give, at the link's or the default density, whatever inertial the file gives."""
        return resolve_link(self.link)


@dataclass(frozen=True, eq=False)
class ReadModel:
    """A model with its scoped name, its own links (nested models are entries of their own), and whether it is static."""

    name: str
    links: tuple[ReadLink, ...]
    static: bool
    element: Element
    document: Document


@dataclass(frozen=True, eq=False)
class SdfFile:
    """A file that was read: nested and included models are flat in `models`, in document order."""

    document: Document
    models: tuple[ReadModel, ...]
    findings: tuple[Finding, ...]

    @property
    def links(self) -> tuple[ReadLink, ...]:
        """All links of all models."""
        return tuple(link for model in self.models for link in model.links)


SDF_CODES: dict[str, tuple[int, ...]] = {
    "default_density": (8,),
    "no_collision": (8,),
    "unsupported_geometry": (37, 19),
    "bad_density": (19,),
}
"""What libsdformat reports where we report a code: the numbers of its sdf::ErrorCode."""


def read_sdf(path: Path | str, roots: Sequence[Path] = (), resolve: bool = True) -> SdfFile:
    """Read an SDF file with what it includes.

    Parameters
    ----------
    path : path
    roots : sequence of Path
        Where ``model://`` and relative URIs are looked up besides the file's own folder, ``GZ_SIM_RESOURCE_PATH`` and
        ``SDF_PATH``; nothing outside of these is opened.
    resolve : bool
        False skips the computation: `ReadLink.body` of an auto link is then refused with ``not_resolved``.

    Raises
    ------
    InertiaError
        Where there is nothing to read: the file, its XML or its version. All else is a finding.
    """
    raise NotImplementedError
