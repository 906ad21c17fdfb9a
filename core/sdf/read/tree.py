# SPDX-License-Identifier: Apache-2.0
"""Walks once over a file and what it includes: every model with its links, and the scope of frames of each.

An error in one element becomes a finding with its place; the rest is still read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain, count

from ...body.pose import Pose
from ...errors import InertiaError
from ..codes import sdf_error
from ..spec.values import boolean, pose, text_of
from ..spec.versions import before_1_7, relative_to_of
from ..xml.document import Document, Element, child_of
from .collision import CollisionReader
from .entries import FindingList, SdfModel
from .include import DocumentStore, File, check_placement, given_name, merge_refusals, name_of, not_read
from .joints import ends, joint_loops, late_refusals, refusals
from .link import read_link
from .locate import NotFoundError
from .mesh_source import MeshStore
from .schema import structure_findings
from .scope import Frame, Joint, Scope

MAX_MODELS_DEEP = 100
"""Maximum depth of nested models, across files: real ones have a handful."""


@dataclass
class Tree:
    """The models in document order, and the findings about files, names, joints and frames.

    If `check_schema`, files are compared with the schema of SDF; files that we wrote do not need that. Without
    `resolve`, auto links are not computed. `unread` holds the cause and the URI of each include that was not found.
    """

    meshes: MeshStore
    store: DocumentStore = field(default_factory=DocumentStore)
    check_schema: bool = True
    resolve: bool = True
    models: list[SdfModel] = field(default_factory=list)
    findings: FindingList = field(default_factory=FindingList)
    scopes: list[Scope] = field(default_factory=list)
    _compared: set[Document] = field(default_factory=set)
    unread: list[tuple[NotFoundError, str]] = field(default_factory=list)

    def walk(self, file: File) -> None:
        """Read all models and worlds of a file, then check every frame."""
        self._compare(file.document)
        for child in file.document.root:
            if child.tag == "world":
                self._world(file, child)
            elif child.tag == "model":
                self.findings.attempt(self._top_model, file, child)
            elif child.tag == "include":
                self.findings.attempt(self._top_include, file, child)
        for scope in self.scopes:
            self.findings.add_new(refusals(scope))
        for scope in self.scopes:
            for name in scope.frames:
                if name not in scope.astray:
                    self._check(scope, name)
        for scope in self.scopes:
            self.findings.add_new(late_refusals(scope))
            self.findings.add(joint_loops(scope))
        self.findings.add(not_read(self.unread))

    def _top_model(self, file: File, element: Element) -> None:
        _, scope = self._model(file, element, "", False)
        scope.placed = self._model_frame(file, element, None, scope, "").pose

    def _top_include(self, file: File, element: Element) -> None:
        around = Scope(is_world=True)
        self._include(file, element, SdfModel("", element, file.document, False, around))
        for name, scope in around.nested.items():
            scope.placed = around.pose(name)

    def _compare(self, document: Document) -> None:
        """Compare a document with the schema of SDF, once."""
        if self.check_schema and document not in self._compared:
            self._compared.add(document)
            self.findings.add_structure(structure_findings(document))

    def _check(self, scope: Scope, name: str) -> None:
        try:
            scope.pose(name)
        except InertiaError as error:
            # No link is at a joint to an unread model; elements posed relative to it are checked themselves.
            if not (scope.unread and scope.frames[name].missing == "child_not_found"):
                self.findings.add([error.finding()])

    def _world(self, file: File, element: Element) -> None:
        scope = Scope(file.document.at(element), is_world=True)
        self.scopes.append(scope)
        self._contents(file, element, SdfModel("", element, file.document, False, scope))

    def _model(
        self, file: File, element: Element, parent: str, static: bool, include: tuple[File, Element] | None = None
    ) -> tuple[str, Scope]:
        """Read a model; return its name in its parent and its content. An include may give it another name."""
        if include is None:
            name = name_of(file.document, element)
        else:
            name = given_name(file.document, element, include[0].document, include[1])
        scoped = f"{parent}::{name}" if parent else name
        if scoped.count("::") >= MAX_MODELS_DEEP:
            raise InertiaError.of("too_deep", str(file.document.at(element)), "models", limit=MAX_MODELS_DEEP)
        own_static, canonical = _static(file, element, include), element.get("canonical_link", "").strip()
        scope = Scope(file.document.at(element), False, own_static, canonical)
        self.scopes.append(scope)
        model = SdfModel(scoped, element, file.document, static or own_static, scope)
        self.models.append(model)
        self._contents(file, element, model)
        return name, scope

    def _contents(self, file: File, element: Element, into: SdfModel) -> None:
        for child in element:
            if child.tag == "link":
                self.findings.attempt(self._link, file, child, into)
            elif child.tag in ("frame", "joint"):
                self.findings.attempt(self._frame, file, child, into)
            elif child.tag == "model":
                self.findings.attempt(self._nested, file, child, into, None)
            elif child.tag == "include":
                self.findings.attempt(self._include, file, child, into)

    def _link(self, file: File, element: Element, into: SdfModel) -> None:
        name = self._free_name(file, element, into)
        # Added first: a link whose pose is wrong still has its place among the links.
        reader = CollisionReader(file.document, file.locator, self.meshes)
        into.links.append(read_link(into.name, name, element, into.static, into.scope, reader, self.resolve))
        self._add(file, element, into, name, None)

    def _frame(self, file: File, element: Element, into: SdfModel) -> None:
        name = self._free_name(file, element, into)
        if element.tag == "frame":
            self._add(file, element, into, name, element.get("attached_to", "").strip())
            return
        joint = into.scope.joints.setdefault(name, Joint(name, element, file.document, into.root))
        if child_of(element, "child") is None and element.get("type") != "ball":
            raise sdf_error("missing_element", file.document.at(element), "joint")
        self._add(file, element, into, name, ends(joint)[1], "child_not_found")

    def _free_name(self, file: File, element: Element, into: SdfModel) -> str:
        """Return the name of a link, joint or frame; in SDF 1.6 and older, a new one if the name is taken.

        libsdformat does so for siblings of different kinds; of one kind, it drops the second.
        """
        name, scope, place = name_of(file.document, element), into.scope, file.document.at(element)
        given = (str(element.tag), name)
        if given in scope.given or not before_1_7(file.document):
            _check_name(scope, name, place)
        scope.given.add(given)
        if name not in scope.frames:
            return name
        numbered = (f"{name}_{element.tag}{number}" for number in chain([""], count()))
        free = next(one for one in numbered if one not in scope.frames)
        renamed = sdf_error("renamed", place, "element", tag=element.tag, name=name, free=free)
        self.findings.add([renamed.finding("warning")])
        return free

    def _add(
        self,
        file: File,
        element: Element,
        into: SdfModel,
        name: str,
        fixed_to: str | None,
        missing: str = "attached_to_not_found",
    ) -> None:
        place = file.document.at(element)
        posed = child_of(element, "pose")
        relative_to = relative_to_of(file.document, posed)
        base = _frame_name(relative_to or fixed_to or "", into.root)
        fixed_to = None if fixed_to is None else _frame_name(fixed_to, into.root)
        missing = "frame_not_found" if relative_to else missing
        # Added before its pose is read: references to it are not wrong as well.
        frame = into.scope.frames[name] = Frame(Pose.identity, base, place, fixed_to, missing)
        frame.pose = pose(file.document, posed)

    def _include(self, file: File, element: Element, into: SdfModel) -> None:
        try:
            included = self.store.included(file, element)
        except InertiaError as error:
            into.scope.unread = True
            if not isinstance(error, NotFoundError):
                raise
            self.unread.append((error, text_of(child_of(element, "uri"))))
            return
        self._compare(included.document)
        root = included.document.root
        model = child_of(root, "model")
        if model is None:
            if child_of(root, "actor") is None and child_of(root, "light") is None:
                place, name = file.document.at(element), included.document.name
                raise sdf_error("missing_element", place, "model", codes=(8,), name=name)
            return  # a light or an actor has no inertia
        check_placement(file.document, element)
        if boolean(file.document, element, "merge"):
            self._merge(file, element, included, model, into)
        else:
            self._nested(included, model, into, (file, element))

    def _nested(self, file: File, element: Element, into: SdfModel, include: tuple[File, Element] | None) -> None:
        name, scope = self._model(file, element, into.name, into.static, include)
        posing_file, _ = include or (file, element)
        place = posing_file.document.at(include[1] if include else element)
        _check_name(into.scope, name, place)
        into.scope.nested[name] = scope
        into.scope.frames[name] = Frame(Pose.identity, into.root, place)
        into.scope.frames[name] = self._model_frame(file, element, include, scope, into.root)

    def _merge(self, file: File, include: Element, included: File, model: Element, into: SdfModel) -> None:
        name = given_name(included.document, model, file.document, include)
        place = file.document.at(include)
        self.findings.add_new(merge_refusals(included.document, model, place, into.scope.is_world))
        proxy = f"_merged__{name}__model__"
        _check_name(into.scope, proxy, place)
        frame = into.scope.frames[proxy] = Frame(Pose.identity, into.root, place, _canonical_link(model))
        self._contents(included, model, replace(into, root=proxy))
        scope = Scope()
        if model.get("placement_frame") or child_of(include, "placement_frame") is not None:
            # The pose of the model's own frame depends on its placement frame, relative to the model's own frame.
            _, scope = Tree(self.meshes, self.store, False)._model(included, model, into.name, False)
        placed = self._model_frame(included, model, (file, include), scope, into.root)
        frame.pose, frame.base = placed.pose, placed.base

    def _model_frame(
        self, file: File, element: Element, include: tuple[File, Element] | None, scope: Scope, root: str
    ) -> Frame:
        """Return the frame of a nested model; the include's values override those of the model."""
        posed, placement = child_of(element, "pose"), element.get("placement_frame", "")
        place = file.document.at(element)
        if include is not None:
            outer, including = include
            own = child_of(including, "placement_frame")
            if own is not None:
                placement = text_of(own)
            if child_of(including, "pose") is not None:
                file, posed, place = outer, child_of(including, "pose"), outer.document.at(including)
        X = pose(file.document, posed)
        if placement and placement != "__model__":
            head = placement.partition("::")[0]
            if placement not in scope.frames and head not in scope.nested:
                raise sdf_error("placement_not_found", place, placement=placement)
            X = X @ scope.pose(placement, place).inverse()
        return Frame(X, _frame_name(relative_to_of(file.document, posed), root), place)


def _frame_name(name: str, root: str) -> str:
    """Return the name of a frame in its model: contents that may have been merged call the model's own frame
    ``__model__``, which is `root` there."""
    return root if name in ("", "__model__") else name


def _check_name(scope: Scope, name: str, place: object) -> None:
    if name in scope.frames:
        raise sdf_error("duplicate_name", place, "scope", name=name)


def _canonical_link(model: Element) -> str:
    """Return the link, or the nested model, that a model's own frame is fixed to."""
    first = child_of(model, "link")
    first = child_of(model, "model") if first is None else first
    return model.get("canonical_link", "").strip() or ("" if first is None else first.get("name", ""))


def _static(file: File, element: Element, include: tuple[File, Element] | None) -> bool:
    """Return True if a model never moves; its include overrides the model's own setting."""
    for source, parent in (include, (file, element)) if include else ((file, element),):
        static = child_of(parent, "static")
        if static is not None:
            return boolean(source.document, static)
    return False
