# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in German, in a Blender that has languages: the wheels of PyPI have none."""

import json
import re
import shutil

import bpy
import pytest

from ..scenes import ROOT

pytestmark = pytest.mark.skipif(bpy.app.version[:2] != (4, 5), reason="once is enough: with bpy 4.5")

RUN = ("panel_states.py", "faulty_meshes.py", "scenes.py", "in_german.py")

STATES = ("untagged", "robot", "by_hand", "imported", "faulty", "incomplete")
"""Of tests/blender/panel_states.py, all in one scene."""

ALIKE = re.compile(r"I[xyz]{2} \[kg·m²\]|[Ii][xyz]{2}|Gazebo|Rubber|Steel|Titanium|model|arm\.urdf")
"""Signs and names, which are the same in any language."""

SIGNS = ",.;:()"

IN_BUTTONS = {"Link": "Glied", "Collision": "Kollision", "Set Mass": "Massen", "Close Holes": "Löcher schließen"}
IN_LINES = {"No faces": "Keine Flächen", "Flipped normals": "Gewendete Normalen", "Volume": "Volumen"}
IN_CHOICES = {"Filled": "Ausgefüllt", "Principal Axes": "Hauptachsen", "Exact": "Exakt"}


@pytest.fixture(scope="module")
def spoken(blender, chroot, place, unpacked):
    """What all states of the panels, in one scene, look like in each language."""
    folder = chroot / place.relative_to("/") / "checkout" / "tests" / "blender"
    folder.mkdir(parents=True)
    for name in RUN:
        shutil.copy(ROOT / "tests" / "blender" / name, folder)
    script = ("--python-exit-code", "3", "--python", "checkout/tests/blender/in_german.py", "--")
    run = blender("-b", *script, *STATES)
    assert run.returncode == 0, run.stderr
    return next(json.loads(line) for line in run.stdout.splitlines() if line.startswith("{"))


def test_blender_says_each_message_as_the_catalogue_has_it(spoken):
    # Not as its own catalogue has it, where a Link is an act, and a Frame a picture of a film.
    assert spoken["wrong"] == []


@pytest.mark.parametrize("words", [IN_BUTTONS, IN_LINES, IN_CHOICES], ids=["buttons", "lines", "choices"])
def test_the_panels_speak_german(spoken, words):
    english, german = (set(spoken["drawn"][language]) for language in ("en_US", "de_DE"))
    assert {*words} <= english and {*words.values()} <= german
    assert not german & {*words} and not english & {*words.values()}


def test_nothing_is_drawn_in_english_but_names_and_values_of_findings(spoken):
    english, german = (set(spoken["drawn"][language]) for language in ("en_US", "de_DE"))
    assert len(english) > 300 and len(english - german) > 150
    # In the background the sidebar has no width: each word of a sentence stands in a line of its own.
    by_rule = {word.strip(SIGNS) for word in " ".join([*spoken["english"], *spoken["alike"]]).split()} | {
        *spoken["alike"]
    }
    left = [text for text in english & german if text.strip(SIGNS) not in by_rule and _words(text, spoken["names"])]
    assert not left


def _words(text, names):
    """Return the words of a text that are not names."""
    text = ALIKE.sub("", text)
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return re.findall(r"[^\W\d_]{3,}", text)


def test_names_of_objects_stay_as_they_are(spoken):
    # Blender knows a German word for Right.
    english, german = (set(spoken["drawn"][language]) for language in ("en_US", "de_DE"))
    assert "right" in english
    assert {name for name in spoken["names"] if name in english} <= german


def test_why_a_button_is_grey_is_reported_in_german(spoken):
    assert "Select one or more objects first" in spoken["refusal en_US"]
    assert "Erst ein oder mehrere Objekte auswählen" in spoken["refusal de_DE"]
