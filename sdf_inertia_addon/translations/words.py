# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates the texts of the interface into the user's language; English stays unchanged.

Blender asks the catalogues by itself for what it knows of a class, a property or a choice; all other texts pass
the three functions below, named as in Blender's own scripts. What holds a value is a template with names in braces.
"""

from __future__ import annotations

from functools import partial

import bpy
from bpy.app import translations

CONTEXT = "SDF Inertia"
"""Context of our words in the catalogue: Blender, or another add-on, may mean something else by Link, Frame or Mass.
Only tooltips are in the default context, where Blender searches for them."""


def _filled_in(template: str, values: dict[str, object]) -> str:
    return template.format(**values) if values else template


def iface_(text: str, **values: object) -> str:
    """Return a label, a heading, a line of a panel or of the viewport in the user's language."""
    return _filled_in(translations.pgettext_iface(text, CONTEXT), values)


def tip_(text: str, **values: object) -> str:
    """Return a tooltip, or why a button is grey, in the user's language."""
    return _filled_in(translations.pgettext_tip(text), values)


def rpt_(text: str, **values: object) -> str:
    """Return what an operator reports in the user's language."""
    return _filled_in(translations.pgettext_rpt(text, CONTEXT), values)


def n_(text: str) -> str:
    """Mark a text that is translated later, so that the catalogues have it."""
    return text


def nn_(count: int, singular: str, plural: str) -> str:
    """Return the text for a number of things: `singular` for 1, otherwise `plural`; marks both for the catalogues."""
    return singular if count == 1 else plural


def language() -> str:
    """Return the language of the interface: part of the key of whatever remembers texts."""
    return str(translations.locale)


def with_our_words(cls: type) -> type:
    """Return a class as it is to be registered: Blender looks for its label in our context."""
    if issubclass(cls, bpy.types.Operator | bpy.types.Panel | bpy.types.Menu):
        cls.bl_translation_context = CONTEXT
    return cls


BoolProperty = partial(bpy.props.BoolProperty, translation_context=CONTEXT)
CollectionProperty = partial(bpy.props.CollectionProperty, translation_context=CONTEXT)
EnumProperty = partial(bpy.props.EnumProperty, translation_context=CONTEXT)
FloatProperty = partial(bpy.props.FloatProperty, translation_context=CONTEXT)
FloatVectorProperty = partial(bpy.props.FloatVectorProperty, translation_context=CONTEXT)
IntProperty = partial(bpy.props.IntProperty, translation_context=CONTEXT)
PointerProperty = partial(bpy.props.PointerProperty, translation_context=CONTEXT)
StringProperty = partial(bpy.props.StringProperty, translation_context=CONTEXT)
