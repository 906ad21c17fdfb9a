# SPDX-License-Identifier: GPL-3.0-or-later
"""No word of the code reaches the screen: no identifier of an enum, no name with an underscore."""

import ast
import re

import bpy
import pytest

from .. import panel_states
from ..scenes import ROOT, live_model, module

NOT_ON_SCREEN = (
    "core/sdf/",
    "core/formats/",
    "core/engines/",
    "core/judge/",
    "core/findings/element.md",
    "core/findings/frame.md",
    "core/cli/",
    "core/findings/remedy.py",
    "addon/export/command.py",
    "addon/headless.py",
    "overlay/glsl.py",
)
"""What speaks of the elements of files, to the terminal, or to the GPU."""

EXAMPLES = re.compile(r"wheel_collision|visual_arm|base_link|wheel_visual|arm_link|UCX_\w*|U[BSC][PX]_\w*")
"""Names of a user's objects, in descriptions of what names mean."""


def identifiers():
    """Return the identifiers of all choices that the panels offer."""
    names = set()
    for group in (bpy.types.Object, bpy.types.Scene):
        for prop in group.bl_rna.properties["sdf_inertia"].fixed_type.properties:
            names |= {item.identifier for item in getattr(prop, "enum_items", ())}
    assert {"MESH", "MANUAL", "INHERIT", "ELLIPSOID"} <= names
    return names


def code_words(text, known=()):
    """Return what in a text only a programmer would write, but for names of the scene's own objects."""
    for name in sorted(known, key=len, reverse=True):
        text = text.replace(name, "")
    words = re.findall(r"[A-Za-z0-9_]+", EXAMPLES.sub("", text))
    return [word for word in words if word in identifiers() or "_" in word.strip("_")]


def sentences():
    """Yield file, line and text of each string with a space in it that is no documentation."""
    areas = ("mesh", "method", "body", "doubt", "scene", "simulator")  # what the panel explains
    texts = [ROOT / "core" / "findings" / f"{area}.md" for area in areas]
    for path in sorted([*(ROOT / "core").rglob("*.py"), *(ROOT / "sdf_inertia_addon").rglob("*.py"), *texts]):
        if any(part in path.as_posix() for part in NOT_ON_SCREEN):
            continue
        if path.suffix == ".md":
            lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            hidden = r"^#.*|<\w+>|^\* `\w+`|{#?\w+|--[a-z]+ [A-Z]\w+"
            yield from ((path.name, number, re.sub(hidden, "", line)) for number, line in lines)
            continue
        tree = ast.parse(path.read_text())
        documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
                yield path.name, node.lineno, node.value


def codes():
    """Return the codes of all findings and errors; tests/core sees to it that they are those which are made."""
    return module("core.findings.listed").listed().keys()


@pytest.mark.usefixtures("addon")
def test_every_code_has_a_title_of_plain_words():
    assert len(codes()) > 60 and {"open_mesh", "free_links", "default_density"} <= codes()
    title_of = module("core.findings.listed").title_of
    assert not {code: title_of(code) for code in codes() if code_words(title_of(code))}
    assert all(title_of(code)[0].isupper() for code in codes())


@pytest.mark.usefixtures("addon")
def test_no_sentence_has_a_word_of_the_code():
    texts = [(file, line, text) for file, line, text in sentences() if " " in text.strip() and "{http" not in text]
    assert len(texts) > 400
    found = [(file, line, words) for file, line, text in texts if (words := code_words(text))]
    assert not found


@pytest.mark.usefixtures("scene")
@pytest.mark.parametrize("state", [state.__name__ for state in panel_states.STATES])
def test_what_panels_labels_and_reports_say_has_no_word_of_the_code(state):
    getattr(panel_states, state)()
    bpy.context.view_layer.update()
    own = [ob.name for ob in bpy.data.objects]
    own += [f"{maker}_{name}" for maker in own for name in own]  # instances
    known = {*own, *map(module("core.formats.sdf.spec.names").valid_name, own)}
    said = list(spoken())
    assert not [(text, words) for text in said if (words := code_words(text, known))]
    assert state in ("nothing", "untagged") or len(said) > 10


def spoken():
    """Yield all texts about the scene, whatever is active."""
    texts, active_of = module("sdf_inertia_addon.panels.texts"), module("sdf_inertia_addon.panels.active").active_of
    content, style = module("sdf_inertia_addon.overlay.content"), module("sdf_inertia_addon.overlay.style")
    panels = {
        path.rpartition(".")[2]: module(f"sdf_inertia_addon.panels.{path}")
        for path in ("sections.findings", "sections.inertia", "link", "model", "rows")
    }
    units = module("core.units").SI
    model = live_model()
    yield texts.model_total(model, units)
    yield from (remark.text for remark in (*texts.model_remarks(model), *texts.export_remarks(model.links)))
    for row in panels["rows"].rows_of(model).values():
        yield from (text for wide in (False, True) for pair in panels["model"]._texts(row, wide) for text in pair)
    everything = style.OverlayStyle(show_parts=True, show_total=True)
    for view in content.content_of(model, everything, content.VisibleLinks(0), range(100)).views:
        yield from view.lines
    for finding in model.findings:
        yield texts.in_words(finding)
    for ob in bpy.data.objects:
        bpy.context.view_layer.objects.active = ob if ob.name in bpy.context.view_layer.objects else None
        active = active_of(bpy.context)
        for finding in panels["findings"].findings_of(active):
            yield texts.in_words(finding)
        if active.object is not None and active.link is None:
            yield panels["link"].without_link(active).text
        if active.link is None:
            continue
        body = active.link.body
        yield from (text for fact in texts.link_facts(active.link, units) for text in fact)
        yield texts.inherited_density(active.part, body)
        if active.part is not None:
            yield from (text for fact in texts.part_facts(active.part, units) for text in fact)
        if body.inertial is not None:
            yield from (
                text for label, cells in panels["inertia"].tables(body.inertial, units) for text in (label, *cells)
            )
            remark = texts.gazebo_remark(body, units)
            yield "" if remark is None else remark.text
