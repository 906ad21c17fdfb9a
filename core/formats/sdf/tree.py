# SPDX-License-Identifier: Apache-2.0
"""Walks once over a file and what it includes: every model with its links, and the scope of frames of each.

An error in one element becomes a finding with its place; the rest is still read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path

from ...body.pose import Pose
from ...document.document import Document
from ...document.element import Element, child_of, text_of
from ...document.locate import Locator, NotFoundError
from ...errors import Finding, InertiaError
from ...files.mesh_store import MeshStore
from .collision import CollisionReader
from .include import BeyondLimitError, DocumentStore, check_placement, given_name, merge_refusals, name_of, not_read
from .joints import joint_loops, late_refusals, refusals
from .links import SdfLink, read_link
from .schema import structure_findings
from .scope import MODEL, Frame, Joint, Scope
from .spec.codes import sdf_error
from .spec.values import boolean, pose
from .spec.versions import before_1_7, relative_to_of

MAX_MODELS_DEEP = 100
"""Maximum depth of nested models, across files: real ones have a handful."""


@dataclass(frozen=True, eq=False)
class SdfModel:
    """A model, or a world without a name.

    Parameters
    ----------
    name : str
        Its scoped name.
    static : bool
        True if it or a model around it never moves.
    scope : Scope
        Its frames and joints.
    root : str
        The meaning of ``__model__`` in contents that are merged into it.
    links : list of SdfLink
        Its own links; nested models are entries of their own.
    """

    name: str
    element: Element
    static: bool
    scope: Scope
    root: str = ""
    links: list[SdfLink] = field(default_factory=list)

    def frame(self, name: str) -> str:
        """Return the name of a frame as its scope has it."""
        return self.root if name in ("", MODEL) else name


@dataclass
class Tree:
    """The models in document order, and the findings about files, names, joints and frames.

    If `check_schema`, files are compared with the schema of SDF; files that we wrote do not need that. Without
    `resolve`, auto links are not computed.

    Attributes
    ----------
    findings, notes : list of Finding
        `notes` are doubts about the structure of files, which are not errors.
    files : list of Path
        The file that is being read, last, and those that included it.
    """

    locator: Locator
    meshes: MeshStore
    store: DocumentStore
    check_schema: bool = True
    resolve: bool = True
    models: list[SdfModel] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    _unread: list[tuple[NotFoundError, str]] = field(default_factory=list)
    _compared: set[Document] = field(default_factory=set)
    _known: set[tuple[str, str]] = field(default_factory=set)

    def walk(self, path: Path, document: Document) -> None:
        """Read all models and worlds of a file, then check every frame."""
        self.files.append(path)
        self._compare(document)
        for child in document.root:
            if child.tag == "world":
                scope = Scope(child, is_world=True)
                self.scopes.append(scope)
                self._contents(child, SdfModel("", child, False, scope))
            elif child.tag == "model":
                self._attempt(self._top_model, child)
            elif child.tag == "include":
                self._attempt(self._top_include, child)
        for scope in self.scopes:
            self._add_new(refusals(scope))
        for scope in self.scopes:
            for name, frame in scope.frames.items():
                if name not in scope.astray:
                    self._check(scope, name, frame)
        for scope in self.scopes:
            self._add_new(late_refusals(scope))
            self._add(joint_loops(scope))
        self._add(not_read(self._unread))

    def _attempt(self, step: Callable[..., object], *arguments: object) -> None:
        """Run a step; an error becomes a finding, and the walk goes on."""
        try:
            step(*arguments)
        except BeyondLimitError:
            raise
        except InertiaError as error:
            self._add([error.finding()])

    def _add(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self.findings.append(finding)
            self._known.add((finding.code, finding.subject))

    def _add_new(self, errors: Iterable[InertiaError]) -> None:
        """Add errors, except those whose code and element have a finding already."""
        self._add([error.finding() for error in errors if (error.code, error.subject) not in self._known])

    def _compare(self, document: Document) -> None:
        """Compare a document with the schema of SDF, once."""
        if self.check_schema and document not in self._compared:
            self._compared.add(document)
            findings = structure_findings(document)
            self._add(finding for finding in findings if finding.severity == "error")
            self.notes += (finding for finding in findings if finding.severity != "error")

    def _check(self, scope: Scope, name: str, frame: Frame) -> None:
        try:
            scope.pose(name)
        except InertiaError as error:
            # No link is at a joint to an unread model; elements posed relative to it are checked themselves.
            if not (scope.unread and frame.missing == "child_not_found"):
                self._add([error.finding()])

    def _top_model(self, element: Element) -> None:
        _, scope = self._model(element, "", False)
        scope.placed, _, _ = _placed(element, None, scope)

    def _top_include(self, include: Element) -> None:
        around = Scope(is_world=True)
        self._include(include, SdfModel("", include, False, around))
        for name, scope in around.nested.items():
            scope.placed = around.pose(name)

    def _model(self, element: Element, parent: str, static: bool, include: Element | None = None) -> tuple[str, Scope]:
        """Read a model; return its name in its parent and its content. An include may give it another name."""
        name = given_name(element, include)
        scoped = f"{parent}::{name}" if parent else name
        if scoped.count("::") >= MAX_MODELS_DEEP:
            raise InertiaError.of("too_deep", str(element), "models", limit=MAX_MODELS_DEEP)
        own_static = _static(element, include)
        scope = Scope(element, False, own_static, element.get("canonical_link", "").strip())
        self.scopes.append(scope)
        model = SdfModel(scoped, element, static or own_static, scope)
        self.models.append(model)
        self._contents(element, model)
        return name, scope

    def _contents(self, element: Element, into: SdfModel) -> None:
        steps: dict[str, Callable[[Element, SdfModel], None]] = {
            "link": self._link,
            "frame": self._frame,
            "joint": self._joint,
            "model": self._nested,
            "include": self._include,
        }
        for child in element:
            if child.tag in steps:
                self._attempt(steps[child.tag], child, into)

    def _link(self, element: Element, into: SdfModel) -> None:
        name = self._free_name(element, into.scope)
        # Added first: a link whose pose is wrong still has its place among the links.
        reader = CollisionReader(self.locator.inside(self.files[-1].parent), self.meshes)
        into.links.append(read_link(into.name, name, element, into.static, into.scope, reader, self.resolve))
        self._add_frame(element, into, name, None)

    def _frame(self, element: Element, into: SdfModel) -> None:
        name = self._free_name(element, into.scope)
        self._add_frame(element, into, name, element.get("attached_to", "").strip(), "attached_to_not_found")

    def _joint(self, element: Element, into: SdfModel) -> None:
        name = self._free_name(element, into.scope)
        joint = into.scope.joints.setdefault(name, Joint(name, element, into.root))
        if child_of(element, "child") is None and element.get("type") != "ball":
            raise sdf_error("missing_element", element, "joint")
        self._add_frame(element, into, name, joint.ends[1], "child_not_found")

    def _free_name(self, element: Element, scope: Scope) -> str:
        """Return the name of a link, joint or frame; in SDF 1.6 and older, a new one if the name is taken.

        libsdformat does so for siblings of different kinds; of one kind, it drops the second.
        """
        name = name_of(element)
        given = (element.tag, name)
        if given in scope.given or not before_1_7(element.document):
            _check_name(scope, name, element)
        scope.given.add(given)
        if name not in scope.frames:
            return name
        numbered = (f"{name}_{element.tag}{number}" for number in chain([""], count()))
        free = next(candidate for candidate in numbered if candidate not in scope.frames)
        renamed = sdf_error("renamed", element, "element", tag=element.tag, name=name, free=free)
        self._add([renamed.finding("warning")])
        return free

    def _add_frame(self, element: Element, into: SdfModel, name: str, fixed_to: str | None, missing: str = "") -> None:
        posed = child_of(element, "pose")
        relative_to = relative_to_of(posed)
        base = into.frame(relative_to or fixed_to or "")
        fixed_to = None if fixed_to is None else into.frame(fixed_to)
        missing = "frame_not_found" if relative_to or not missing else missing
        # Added before its pose is read: references to it are not wrong as well.
        frame = into.scope.frames[name] = Frame(Pose.identity, base, element, fixed_to, missing)
        frame.pose = pose(posed)

    def _include(self, include: Element, into: SdfModel) -> None:
        try:
            path, document = self.store.included(include, self.locator.inside(self.files[-1].parent), self.files)
        except InertiaError as error:
            into.scope.unread = True
            if not isinstance(error, NotFoundError):
                raise
            self._unread.append((error, text_of(child_of(include, "uri"))))
            return
        self._compare(document)
        model = child_of(document.root, "model")
        if model is None:
            if child_of(document.root, "actor") is None and child_of(document.root, "light") is None:
                raise sdf_error("missing_element", include, "model", codes=(8,), name=document.name)
            return  # a light or an actor has no inertia
        check_placement(include)
        self.files.append(path)
        try:
            if boolean(include, "merge"):
                self._merge(include, model, into)
            else:
                self._nested(model, into, include)
        finally:
            self.files.pop()

    def _nested(self, element: Element, into: SdfModel, include: Element | None = None) -> None:
        name, scope = self._model(element, into.name, into.static, include)
        place = element if include is None else include
        _check_name(into.scope, name, place)
        into.scope.nested[name] = scope
        frame = into.scope.frames[name] = Frame(Pose.identity, into.root, place)
        frame.pose, base, frame.place = _placed(element, include, scope)
        frame.base = into.frame(base)

    def _merge(self, include: Element, model: Element, into: SdfModel) -> None:
        name = given_name(model, include)
        self._add_new(merge_refusals(model, include, into.scope.is_world))
        proxy = f"_merged__{name}__model__"
        _check_name(into.scope, proxy, include)
        frame = into.scope.frames[proxy] = Frame(Pose.identity, into.root, include, _canonical_link(model))
        self._contents(model, replace(into, root=proxy))
        scope = Scope()
        if model.get("placement_frame") or child_of(include, "placement_frame") is not None:
            # The pose of the model's own frame depends on its placement frame, relative to the model's own frame.
            apart = Tree(self.locator, self.meshes, self.store, False, files=[*self.files])
            _, scope = apart._model(model, into.name, False)
        frame.pose, base, _ = _placed(model, include, scope)
        frame.base = into.frame(base)


def _placed(model: Element, include: Element | None, scope: Scope) -> tuple[Pose, str, Element]:
    """Return the pose of a model, the name of the frame that it is relative to, and the element with the pose.

    The include's values override those of the model.
    """
    place, placement = model, model.get("placement_frame", "")
    if include is not None:
        given = child_of(include, "placement_frame")
        placement = placement if given is None else text_of(given)
        place = model if child_of(include, "pose") is None else include
    posed = child_of(place, "pose")
    X = pose(posed)
    if placement and placement != MODEL:
        if placement not in scope.frames and placement.partition("::")[0] not in scope.nested:
            raise sdf_error("placement_not_found", place, placement=placement)
        X = X @ scope.pose(placement, place).inverse()
    return X, relative_to_of(posed), place


def _check_name(scope: Scope, name: str, place: Element) -> None:
    if name in scope.frames:
        raise sdf_error("duplicate_name", place, "scope", name=name)


def _canonical_link(model: Element) -> str:
    """Return the link, or the nested model, that a model's own frame is fixed to."""
    first = child_of(model, "link")
    first = child_of(model, "model") if first is None else first
    return model.get("canonical_link", "").strip() or ("" if first is None else first.get("name", ""))


def _static(model: Element, include: Element | None) -> bool:
    """Return True if a model never moves; its include overrides the model's own setting."""
    given = child_of(include, "static")
    given = child_of(model, "static") if given is None else given
    return given is not None and boolean(given)
