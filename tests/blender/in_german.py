# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside a Blender that has languages, which the wheels have not: draws our panels in English and in German.

Prints one line of JSON: what was drawn in each, what Blender says to every message of the catalogue, what is English by
rule, and why a button is grey.
"""

import ast
import json
import os
import sys
import traceback
from typing import Any

sys.path.insert(0, "checkout")

import bpy  # noqa: E402

from tests.blender import panel_states, scenes  # noqa: E402

LANGUAGES = ("en_US", "de_DE")


def speak(language):
    view = bpy.context.preferences.view
    view.language = language
    view.use_translate_interface = view.use_translate_tooltips = view.use_translate_reports = True


def texts(layout):
    """Yield what stands in a real layout."""
    found = layout.introspect()
    waiting = ast.literal_eval(found) if isinstance(found, str) else [*found]
    while waiting:
        item = waiting.pop()
        waiting += item.get("items", ())
        if item.get("draw_string"):
            yield item["draw_string"]


def drawn(menu):
    """Yield every text of every panel, whatever is active."""
    link = scenes.module("sdf_inertia_addon.panels.link")
    active_of = scenes.module("sdf_inertia_addon.panels.active").active_of
    view_settings = scenes.module("sdf_inertia_addon.viewport.view_settings")
    overlay = scenes.module("sdf_inertia_addon.panels.overlay")
    area = next(area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "UI")
    for ob in [None, *bpy.context.view_layer.objects]:
        bpy.context.view_layer.objects.active = ob
        layout = menu.layout.column()
        with bpy.context.temp_override(area=area, region=region):
            context = bpy.context
            for kind in (
                bpy.types.SDF_INERTIA_PT_model,
                bpy.types.SDF_INERTIA_PT_tags,
                bpy.types.SDF_INERTIA_MT_object,
            ):
                kind.draw(Stand(layout), context)
            overlay.draw_settings(layout, view_settings.of(context.scene))
            if bpy.types.SDF_INERTIA_PT_published.poll(context):
                bpy.types.SDF_INERTIA_PT_published.draw(Stand(layout), context)
            if bpy.types.SDF_INERTIA_PT_link.poll(context):
                active = active_of(context)
                link.draw_brief(context, layout, active)
                for section in link.SECTIONS:  # which fold only in a panel of a window
                    if section.shown(active):
                        layout.label(text=scenes.module("sdf_inertia_addon.translations.words").iface_(section.label))
                        section.draw_header(context, layout, active)
                        section.draw(context, layout, active)
        yield from texts(layout)


class Stand:
    """What a panel draws itself into: a real layout."""

    def __init__(self, layout):
        self.layout = layout


def english_by_rule():
    """Yield what stays English in a finding: the names and numbers in its message."""
    model = scenes.live_model()
    for finding in [*model.findings, *(each for link in model.links for each in link.body.all_findings())]:
        yield finding.subject
        yield from map(str, finding.sentence.values.values())


def refusal():
    """Return why a button is grey where nothing is selected."""
    for ob in bpy.context.view_layer.objects:
        ob.select_set(False)
    try:
        bpy.ops.sdf_inertia.tag_link()
    except RuntimeError as error:
        return str(error)


def main(menu):
    catalogue = scenes.module("sdf_inertia_addon.translations.catalogue")
    answer: dict[str, Any] = {"drawn": {}, "wrong": []}
    for language in LANGUAGES:
        speak(language)
        answer["drawn"][language] = sorted(set(drawn(menu)))
        answer[f"refusal {language}"] = refusal()
    german = catalogue.catalogues()["de_DE"]
    answer["alike"] = [message for (_, message), text in german.items() if message == text]
    for (context, message), expected in german.items():
        said = bpy.app.translations.pgettext(message, context)
        if said != expected:
            answer["wrong"].append((context, message, said))
    answer["english"] = sorted(set(english_by_rule()))
    valid_name = scenes.module("core.formats.sdf.spec.names").valid_name
    answer["names"] = [each for ob in bpy.data.objects for each in {ob.name, valid_name(ob.name)}]
    print(json.dumps(answer))


def draw(menu, _context):
    status = 0
    try:
        main(menu)
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stderr.flush()
    os._exit(status)  # without a window, Blender cannot open the menu that this layout is for


headless = scenes._headless()
assert all(map(headless._provide, headless.BUNDLED))
scenes.checkout().register()
try:
    bpy.ops.wm.read_homefile(use_empty=True)
    for state in sys.argv[sys.argv.index("--") + 1 :]:
        getattr(panel_states, state)()
    bpy.context.view_layer.update()
    bpy.context.window_manager.popup_menu(draw)
finally:
    os._exit(2)
