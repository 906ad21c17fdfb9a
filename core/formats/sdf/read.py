# SPDX-License-Identifier: Apache-2.0
"""Reads an SDF file as values: its models, their links, and what is wrong with them, by libsdformat's rules.

Inertials are computed and meshes opened only when needed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...document.document import Document
from ...document.locate import Locator
from ...errors import Finding
from ...files.mesh_store import Loaders, MeshStore
from .include import DocumentStore
from .links import SdfLink
from .scope import Scope
from .spec.versions import checked_document
from .tree import SdfModel, Tree


@dataclass(frozen=True, eq=False)
class SdfFile:
    """The content of a file: `models` lists nested and included models, too, in document order.

    `findings` are those about files, structure, names, joints and frames; each link has its own. Doubts about the
    structure, which are not errors, are in `notes`. `scopes` are those of each model and world, with their joints.
    """

    document: Document
    models: tuple[SdfModel, ...]
    findings: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    scopes: tuple[Scope, ...]

    @property
    def links(self) -> tuple[SdfLink, ...]:
        """All links of all models."""
        return tuple(link for model in self.models for link in model.links)


def read_sdf(path: Path | str, roots: Sequence[Path] = (), resolve: bool = True) -> SdfFile:
    """Read an SDF file and the files that it includes.

    Parameters
    ----------
    roots : sequence of Path
        Folders in which URIs are looked up, besides the file's own, ``GZ_SIM_RESOURCE_PATH`` and ``SDF_PATH``; no file
        outside of these is opened.
    resolve : bool
        False skips the computation: `SdfLink.body` of an auto link has no numbers then.

    Raises
    ------
    InertiaError
        If the file, its XML or its version cannot be read, or it is too large (``too_many_includes``,
        ``too_many_elements``). Anything else is a finding.
    """
    return read_document(Document.read(path), roots, resolve)


def read_document(
    document: Document,
    roots: Sequence[Path] = (),
    resolve: bool = True,
    check_schema: bool = True,
    loaders: Loaders | None = None,
    by_end: bool = False,
) -> SdfFile:
    """Read a document; without a path it is in the working directory. See `read_sdf`.

    A file that we wrote need not be compared with the schema of SDF: `check_schema` is False for it. `loaders` read
    mesh files of some suffixes. With `by_end`, meshes of links with numbers may be found as `Locator` says, but not
    those from which a simulator computes.
    """
    checked_document(document)
    path = Path(os.path.realpath(document.path or "stream.sdf"))
    locator = replace(Locator.of(path.parent, roots), by_end=by_end)
    tree = Tree(locator, MeshStore(locator.readable, loaders or {}), DocumentStore(), check_schema, resolve)
    tree.store.spend(document, document.name)
    with np.errstate(over="ignore", invalid="ignore"):  # absurd poses overflow; what depends on them is reported
        tree.walk(path, document)
    # Skip what is not SDF: it is reported when its number is needed.
    findings = dict.fromkeys([*document.findings, *tree.store.findings, *tree.findings])
    return SdfFile(document, tuple(tree.models), tuple(findings), tuple(tree.notes), tuple(tree.scopes))
