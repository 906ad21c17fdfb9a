# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text of the interface stands in the German catalogue, and none is shown that no catalogue could have."""

import ast
import re
from string import Formatter

import blf
import bpy
import polib
import pytest

from tools.translations.gathered import messages
from tools.translations.message import CONTEXT, TOOLTIP, merged
from tools.translations.po_files import brought_up, template
from tools.translations.scan import CHECKOUT, MARKS, marked_in, unmarked, unmarked_in

from ..scenes import module

FOLDER = CHECKOUT / "sdf_inertia_addon" / "translations"
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.po"))
COMPLETE = ("de_DE",)


@pytest.fixture(scope="module")
def said(addon):
    """All messages of the interface, in their order."""
    return [*messages(module("sdf_inertia_addon").CLASSES)]


@pytest.fixture(params=LANGUAGES)
def catalogue(request, addon):
    """A language's translations by context and message, as the add-on reads them."""
    return module("sdf_inertia_addon.translations.catalogue").catalogues()[request.param]


def fields(text):
    """Return the names in braces, each as often as it occurs."""
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def test_the_catalogue_has_the_texts_of_all_buttons_settings_and_findings(said):
    keys = merged(said).keys()
    assert {
        (CONTEXT, "Tag as Link"),  # the label of an operator
        (TOOLTIP, "Remove the tags of each selected object; its settings stay"),
        (CONTEXT, "Infill"),  # a setting
        (CONTEXT, "Revolute"),  # a choice
        (CONTEXT, "Findings"),  # the heading of a section
        (CONTEXT, "{name} is in no link. Tag it as Link, or parent it to one and tag it as Collision."),
        (CONTEXT, "Impossible moments of inertia"),  # the title of a finding
        (TOOLTIP, "Select the links"),  # why a button is grey
        (CONTEXT, "{times}: hollow?"),  # what core says in the language it is given
    } <= keys
    assert len(keys) > 1000


@pytest.mark.parametrize("language", COMPLETE)
def test_every_message_has_its_translation(said, language):
    known = module("sdf_inertia_addon.translations.catalogue").catalogues()[language]
    wanted = {(context or "*", text) for context, text in merged(said)}
    assert not wanted - known.keys()


def test_a_translation_has_the_values_of_its_template(catalogue):
    assert len([text for _, text in catalogue if fields(text)]) > 100
    assert not {text: said for (_, text), said in catalogue.items() if fields(text) != fields(said)}


def test_a_translation_ends_as_its_message_does(catalogue):
    # Blender ends a tooltip with a full stop, and lines are put together.
    ends = {text: said for (_, text), said in catalogue.items() if text[-1] in ".:?" and said[-1] != text[-1]}
    assert not ends
    more = {text: said for (_, text), said in catalogue.items() if said[-1] == "." and text[-1] != "."}
    assert not more


def test_no_text_is_shown_that_is_not_marked(said):
    assert not unmarked({message.text for message in said})


@pytest.mark.parametrize(
    "source",
    [
        'layout.label(text="Links")',
        'layout.operator(NAME, text="On" if on else "Off")',
        'layout.row(heading="Overlay")',
        'layout.label(text=f"{count} links are here")',
        'self.report({"INFO"}, "Nothing was tagged")',
        'self.report({"INFO"}, f"Wrote {path}")',
        'cls.poll_message_set("Select")',
        'why = f"{name} is unknown"\nself.report({"ERROR"}, why)',
        'return Remark("INFO", "Gazebo computes the same")',
        'context.workspace.status_text_set("Esc: cancel")',
        "layout.label(text=ob.name)",  # an object called Right would be called Rechts
    ],
)
def test_a_text_that_is_not_marked_is_seen(source):
    assert [*unmarked_in(ast.parse(source), set())]


@pytest.mark.parametrize(
    "source",
    [
        'layout.label(text=iface_("Links"))',
        'layout.label(text="")',
        "layout.label(text=ob.name, translate=False)",
        'self.report({"INFO"}, rpt_("Wrote {path}", path=path))',
        'cls.poll_message_set(tip_("Select the links"))',
        'raise InertiaError("no_link", name, f"{name} has no link above it", "tag one")',
        '"""What a module is for."""',
    ],
)
def test_what_is_marked_or_not_shown_is_left_alone(source):
    assert not [*unmarked_in(ast.parse(source), set())]


@pytest.mark.parametrize("mark", MARKS)
def test_a_text_put_together_where_it_is_marked_is_refused(mark):
    whole = ast.parse(f'{mark}("{{name}} is unknown")')
    assert [message.text for message in marked_in("here.py", whole)] == ["{name} is unknown"]
    with pytest.raises(ValueError, match=r"here\.py:1"):
        list(marked_in("here.py", ast.parse(f'{mark}(f"{{name}} is unknown")')))


def test_blender_looks_for_labels_and_settings_in_our_context(addon):
    words = module("sdf_inertia_addon.translations.words")
    assert words.CONTEXT == CONTEXT
    assert bpy.ops.sdf_inertia.tag_link.get_rna_type().translation_context == CONTEXT
    assert bpy.types.SDF_INERTIA_PT_link.bl_translation_context == CONTEXT
    contexts = set()
    for name in dir(bpy.ops.sdf_inertia):
        rna = getattr(bpy.ops.sdf_inertia, name).get_rna_type()
        contexts.add(rna.translation_context)
    for group in (bpy.types.Object, bpy.types.Scene):
        settings = group.bl_rna.properties["sdf_inertia"].fixed_type
        own = {*settings.properties.keys()} - {*bpy.types.PropertyGroup.bl_rna.properties.keys()}
        contexts |= {settings.properties[each].translation_context for each in own}
    assert contexts == {CONTEXT}


def test_the_template_is_that_of_the_sources(said):
    known = polib.pofile(str(FOLDER / "sdf_inertia.pot"))
    assert [(entry.msgctxt, entry.msgid) for entry in known] == [(e.msgctxt, e.msgid) for e in template(said)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_read_as_gettext_reads_it(language):
    path = FOLDER / f"{language}.po"
    expected = {(each.msgctxt or "*", each.msgid): each.msgstr for each in polib.pofile(str(path)) if each.translated()}
    assert module("sdf_inertia_addon.translations.catalogue").read_po(path.read_text(encoding="utf-8")) == expected


ODD = r"""
msgid ""
msgstr "Language: de_DE\n"

#. a comment that says fuzzy
msgctxt "SDF Inertia"
msgid "Link"
msgstr ""
"Gli"
"ed"

#, fuzzy, python-brace-format
msgid "{count} links"
msgstr "{count} Links"

msgid "a \"word\",\ttwo\nlines and a \\"
msgstr "ein \"Wort\",\tzwei\nZeilen und ein \\"

#: somewhere.py
msgid "not yet"
msgstr ""

#~ msgid "gone"
#~ msgstr "weg"
"""


def test_what_is_fuzzy_empty_or_unused_is_not_said():
    found = module("sdf_inertia_addon.translations.catalogue").read_po(ODD)
    word = ('a "word",\ttwo\nlines and a \\', 'ein "Wort",\tzwei\nZeilen und ein \\')
    assert found == {("SDF Inertia", "Link"): "Glied", ("*", word[0]): word[1]}


def test_the_tool_keeps_translations_and_marks_what_is_unused(tmp_path, said):
    path = tmp_path / "de_DE.po"
    text = (FOLDER / "de_DE.po").read_text(encoding="utf-8")
    path.write_text(text + '\nmsgid "of yesterday"\nmsgstr "von gestern"\n', encoding="utf-8")
    file = brought_up(path, "de_DE", template(said))
    assert not file.untranslated_entries()
    assert [(entry.msgid, entry.msgstr) for entry in file.obsolete_entries()] == [("of yesterday", "von gestern")]
    file.save(str(path))
    assert re.sub(r"\n#~.*", "", path.read_text(encoding="utf-8")).strip() == text.strip()


def test_buttons_in_one_row_are_no_wider_than_in_english(catalogue, addon):
    # English was checked by eye in a sidebar of 290 pixels, where a wider text is cut.
    remedies = module("sdf_inertia_addon.mesh_tools.remedies").REMEDIES.values()
    ids = {operator for operators in remedies for operator in operators}
    labels = {getattr(bpy.ops.sdf_inertia, each.partition(".")[2]).get_rna_type().name for each in ids}
    rows = (
        labels,
        ("Link", "Collision", "Mass", "Visual"),
        ("Material", "Density", "Set Mass"),
        ("Exact", "Voxels", "Convex Hull"),
    )
    assert len(labels) > 5
    for row in rows:  # whose buttons are all of one width, so that the widest word counts
        widest = max(map(_width, row))
        assert not {said for text in row if _width(said := catalogue[CONTEXT, text]) > widest}


def _width(text):
    blf.size(0, 11)
    return blf.dimensions(0, text)[0]
