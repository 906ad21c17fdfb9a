# SPDX-License-Identifier: GPL-3.0-or-later
"""An editor of one element leaves every other byte of the file, and sets what is new as the rest is set."""

import pytest

from core.document.document import Document
from core.document.splice import Editor, Splice, spliced

BEFORE = '<sdf version="1.11">\n  <link name="é">\n    '
AFTER = "\n  </link>\n  <!-- ünd -->\n</sdf>\n"


def edited(inertial, edit, before=BEFORE, after=AFTER, codec="utf-8", end="\n"):
    """Edit the one <inertial> of a file; return how it is written afterwards."""
    texts = [text.replace("\n", end) for text in (before, inertial, after)]
    declared = {"latin-1": '<?xml version="1.0" encoding="ISO-8859-1"?>'}.get(codec, "")
    texts[0] = declared + texts[0]
    data = "".join(texts).encode(codec)
    document = Document.parse(data, "m.sdf")
    (element,) = document.root.iter("inertial")
    editor = Editor(element)
    edit(editor, element)
    found = spliced(data, [editor.splice()]).decode(codec)
    assert found.startswith(texts[0]) and found.endswith(texts[2]), "a byte outside has changed"
    Document.parse(spliced(data, [editor.splice()]), "again.sdf")
    return found[len(texts[0]) : len(found) - len(texts[2])]


def add_mass(editor, inertial):
    editor.drop_attribute("auto")
    editor.append(inertial, ["<mass>2</mass>"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<inertial auto="true"/>', "<inertial>\n      <mass>2</mass>\n    </inertial>"),
        ("<inertial\tauto = '1' />", "<inertial>\n      <mass>2</mass>\n    </inertial>"),
        ('<inertial auto="true"></inertial>', "<inertial>\n      <mass>2</mass>\n    </inertial>"),
        ('<inertial auto="true">\n    </inertial >', "<inertial>\n      <mass>2</mass>\n    </inertial >"),
        (
            '<inertial auto="true">\n       <density>6</density> <!-- steel -->\n    </inertial>',
            "<inertial>\n       <density>6</density> <!-- steel -->\n       <mass>2</mass>\n    </inertial>",
        ),
        (
            '<inertial note=" auto=\'1\' >" auto="true"><density>6</density></inertial>',
            "<inertial note=\" auto='1' >\"><density>6</density><mass>2</mass></inertial>",
        ),
        (
            '<inertial auto="true">\n\t\t<density>6</density></inertial>',
            "<inertial>\n\t\t<density>6</density>\n\t\t<mass>2</mass>\n    </inertial>",
        ),
    ],
)
def test_what_is_new_is_set_as_the_rest_is(old, new):
    assert edited(old, add_mass) == new


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_encoding_stay(codec, end):
    old = '<inertial auto="true">\n      <density>6</density>\n    </inertial>'
    new = "<inertial>\n      <density>6</density>\n      <mass>2</mass>\n    </inertial>"
    assert edited(old, add_mass, codec=codec, end=end) == new.replace("\n", end)


def test_a_file_on_one_line_stays_on_one_line():
    assert (
        edited('<inertial auto="1"/>', add_mass, "<sdf><link>", "</link></sdf>")
        == "<inertial><mass>2</mass></inertial>"
    )


def test_letters_whose_bytes_python_takes_for_white_space_stay():
    # U+0160 ends with the byte 0xA0 in UTF-8, U+0145 with 0x85.
    old = '<inertial auto="true">Š<density>6</density>Ņ</inertial>'
    assert edited(old, add_mass) == "<inertial>Š<density>6</density>Ņ<mass>2</mass></inertial>"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<mass>1</mass>", "<mass>2</mass>"),
        ("<mass/>", "<mass>2</mass>"),
        ("<mass x='>'><!-- </mass> -->1</mass >", "<mass x='>'>2</mass >"),
        ("<mass><![CDATA[1</mass>]]></mass>", "<mass>2</mass>"),
    ],
)
def test_only_the_text_of_a_leaf_is_replaced(old, new):
    def edit(editor, inertial):
        editor.set_text(inertial.find("mass"), "2")

    assert edited(f"<inertial>{old}<a/></inertial>", edit) == f"<inertial>{new}<a/></inertial>"


def test_a_child_is_removed_with_the_white_space_before_it():
    def edit(editor, inertial):
        editor.remove(inertial.find("mass"))
        editor.remove(inertial.find("pose"))
        editor.append(inertial, ["<density>3</density>"])
        editor.set_attribute("auto", "true")

    old = "<inertial>\n      <mass>1</mass> <!-- m -->\n      <pose>0 0 0 0 0 0</pose>\n    </inertial>"
    new = '<inertial auto="true"> <!-- m -->\n      <density>3</density>\n    </inertial>'
    assert edited(old, edit) == new


@pytest.mark.parametrize(
    ("old", "new"),
    [("<inertial />", '<inertial auto="1" />'), ("<inertial a='b' auto='0'/>", "<inertial a='b' auto=\"1\"/>")],
)
def test_an_attribute_is_set(old, new):
    assert edited(old, lambda editor, _: editor.set_attribute("auto", "1")) == new


def test_splices_take_their_places_in_any_order():
    assert spliced(b"abcdef", [Splice(4, 5, b""), Splice(1, 3, b"XYZ"), Splice(6, 6, b"!")]) == b"aXYZdf!"
