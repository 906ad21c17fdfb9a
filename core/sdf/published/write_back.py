# SPDX-License-Identifier: GPL-3.0-or-later
"""New inertials into a published file: of its bytes, only those of the links' ``<inertial>`` change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...body.compare import difference
from ...body.inertial import COMPONENTS, Inertial
from ...errors import InertiaError, first_error
from ..judge.gz_validity import loadable
from ..read.sdf_file import read_document
from ..urdf.as_sdf import is_urdf
from ..urdf.robot import Robot
from ..write.edit import Editor, Layout, Splice, spliced
from ..write.fill import filled_splices
from ..write.model_sdf import number
from ..xml.document import Document, Element, child_of

SAME = 1e-12
"""An inertial this close, relatively, to what the file says is that: its bytes stay."""


def write_back(document: Document, inertials: Mapping[str, Mapping[str, Inertial]]) -> bytes:
    """Return a file's bytes with new inertials; what is written is for `write_whole`, or not at all.

    Parameters
    ----------
    document : Document
        Of an SDF or URDF file.
    inertials : mapping of str to mapping of str to Inertial
        By the name of the model, and of the link in it, in the link's frame. A URDF is one model, whatever its name.

    Raises
    ------
    InertiaError
        ``unknown_link`` for one that the file does not have, ``included_inertial`` for one of an included file, what
        no body can have of an inertial, or what the file cannot be read for.
    """
    for own in inertials.values():
        for name, inertial in own.items():
            error = first_error(inertial.findings())
            if error is not None:
                raise InertiaError(error.code, name, error.message, error.remedy)
    splices = _into_urdf(document, inertials) if is_urdf(document) else _into_sdf(document, inertials)
    return spliced(document.data, splices)


def _into_sdf(document: Document, inertials: Mapping[str, Mapping[str, Inertial]]) -> Iterator[Splice]:
    links = {link.name: link for link in read_document(document).links}
    scoped = {(model, name): given for model, own in inertials.items() for name, given in own.items()}
    for (model, name), inertial in scoped.items():
        read = links.get(f"{model}::{name}")
        if read is None:
            raise _unknown(document, name)
        if read.document is not document:
            message = f"its inertial stands in {read.document.name}, which is included and is not changed"
            raise InertiaError("included_inertial", name, message, "import that file")
        given = child_of(read.element, "inertial")
        if given is None:
            yield _inserted(document, read.element, inertial, _sdf_text)
        elif read.auto or read.manual is None or not _says(read.manual, inertial):
            yield from filled_splices(read, inertial)


def _into_urdf(document: Document, inertials: Mapping[str, Mapping[str, Inertial]]) -> Iterator[Splice]:
    links = Robot.read(document).links
    for name, inertial in {name: given for own in inertials.values() for name, given in own.items()}.items():
        link = links.get(name)
        if link is None:
            raise _unknown(document, name)
        given = child_of(link.element, "inertial")
        if given is None:
            yield _inserted(document, link.element, inertial, _urdf_text)
        elif link.inertial is None or not _says(link.inertial.transformed(link.origin), inertial):
            yield from _urdf_splices(document, given, inertial)


def _says(given: Inertial, inertial: Inertial) -> bool:
    return bool(given.is_finite() and given.mass > 0.0 and difference(given, inertial).worst <= SAME)


def _inserted(document: Document, link: Element, inertial: Inertial, text: Callable[[Inertial, Layout], str]) -> Splice:
    editor = Editor(document, link)
    editor.append(link, [text(inertial, editor.layout(link).deeper)])
    return editor.splice()


def _sdf_text(body: Inertial, layout: Layout) -> str:
    pose, tensor = loadable(body)
    inner, deeper = layout.before_child, layout.deeper.before_child
    cells = "".join(f"{deeper}<{name}>{number(tensor[cell])}</{name}>" for name, cell in COMPONENTS.items())
    return (
        f"<inertial>{inner}<mass>{number(body.mass)}</mass>"
        f"{inner}<pose>{' '.join(map(number, pose.to_sdf()))}</pose>"
        f"{inner}<inertia>{cells}{inner}</inertia>{layout.before_end}</inertial>"
    )


def _urdf_text(body: Inertial, layout: Layout) -> str:
    children = "".join(layout.before_child + _written(tag, told) for tag, told in _urdf_attributes(body).items())
    return f"<inertial>{children}{layout.before_end}</inertial>"


def _urdf_splices(document: Document, given: Element, body: Inertial) -> Iterator[Splice]:
    """Yield what makes an ``<inertial>`` say these numbers; comments and what else stands in it stay."""
    editor = Editor(document, given)
    new = []
    for tag, told in _urdf_attributes(body).items():
        child = child_of(given, tag)
        if child is None:
            new.append(_written(tag, told))
        elif not all(_reads(child.get(name), text) for name, text in told.items()):
            editor.replace(child, _written(tag, told))
    if new:
        editor.append(given, new)
    if editor.changed:
        yield editor.splice()


def _urdf_attributes(body: Inertial) -> dict[str, dict[str, str]]:
    pose, tensor = loadable(body)
    values = [number(value) for value in pose.to_sdf()]
    return {
        "origin": {"xyz": " ".join(values[:3]), "rpy": " ".join(values[3:])},
        "mass": {"value": number(body.mass)},
        "inertia": {name: number(tensor[cell]) for name, cell in COMPONENTS.items()},
    }


def _written(tag: str, told: Mapping[str, str]) -> str:
    return f"<{tag} {' '.join(f'{name}={chr(34)}{text}{chr(34)}' for name, text in told.items())}/>"


def _reads(given: str | None, text: str) -> bool:
    """Say whether an attribute already holds these numbers: then its own digits stay."""
    try:
        return given is not None and [float(word) for word in given.split()] == [float(word) for word in text.split()]
    except ValueError:
        return False


def _unknown(document: Document, name: str) -> InertiaError:
    return InertiaError("unknown_link", document.name, f"it has no link '{name}'", "import the file anew")
