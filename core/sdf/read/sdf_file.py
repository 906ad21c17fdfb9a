# SPDX-License-Identifier: GPL-3.0-or-later
"""From an SDF file to values: its models, their links, and what is wrong with them, by libsdformat's rules.

Nothing is computed, and no mesh is opened, before it is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...errors import Finding
from ..codes import SDF_CODES
from ..xml.document import Document
from .entries import File, SdfModel
from .include import DocumentStore, checked_document
from .joints import ScopeContents
from .link import SdfLink
from .locate import Locator
from .mesh_source import Loaders, MeshStore
from .tree import Tree

__all__ = ["SDF_CODES", "SdfLink", "SdfFile", "SdfModel", "read_document", "read_sdf"]


@dataclass(frozen=True, eq=False)
class SdfFile:
    """A file that was read: nested and included models are flat in `models`, in document order.

    `findings` are those about files, structure, names, joints and frames; each link has its own. What is doubtful about
    the structure, and no error, is in `noted`. `contents` is what each model or world holds, for its joints.
    """

    document: Document
    models: tuple[SdfModel, ...]
    findings: tuple[Finding, ...]
    noted: tuple[Finding, ...]
    contents: tuple[ScopeContents, ...]

    @property
    def links(self) -> tuple[SdfLink, ...]:
        """All links of all models."""
        return tuple(link for model in self.models for link in model.links)


def read_sdf(path: Path | str, roots: Sequence[Path] = (), resolve: bool = True) -> SdfFile:
    """Read an SDF file with what it includes.

    Parameters
    ----------
    roots : sequence of Path
        Where URIs are looked up besides the file's own folder, ``GZ_SIM_RESOURCE_PATH`` and ``SDF_PATH``; nothing
        outside of these is opened.
    resolve : bool
        False skips the computation: `SdfLink.body` of an auto link has no numbers then.

    Raises
    ------
    InertiaError
        Where there is nothing to read: the file, its XML or its version; or too much (``too_many_includes``,
        ``too_many_elements``). All else is a finding.
    """
    return read_document(Document.read(path), roots, resolve)


def read_document(
    document: Document,
    roots: Sequence[Path] = (),
    resolve: bool = True,
    described: bool = True,
    loaders: Loaders | None = None,
) -> SdfFile:
    """Read a document; one without a path stands in the working directory. See `read_sdf`.

    One of our own making need not be compared with the table of SDF: `described` is False for it. `loaders` read
    mesh files of some endings.
    """
    checked_document(document)
    path = Path(os.path.realpath(document.path or "stream.sdf"))
    locator = Locator.of(path.parent, roots)
    tree = Tree(MeshStore(locator.roots, loaders or {}), DocumentStore(), described, resolve)
    tree.store.spend(document, document.name)
    with np.errstate(over="ignore", invalid="ignore"):  # absurd poses overflow; what depends on them is reported
        tree.walk(File(document, locator, (path,)))
    # What is no SDF is met again where its number is needed.
    findings = dict.fromkeys([*document.findings, *tree.store.findings, *tree.findings.listed])
    return SdfFile(document, tuple(tree.models), tuple(findings), tuple(tree.findings.noted), tree.contents)
