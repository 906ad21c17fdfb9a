# SPDX-License-Identifier: Apache-2.0
"""The text of a finding: a template of the catalogue, filled in with the values that were seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from string import Formatter
from typing import Any

from ..units import fitting_volume_text
from .listed import Template, listed
from .remedy import ACTIONS, OR, Remedy


@dataclass(frozen=True, init=False)
class Message:
    """A sentence of the catalogue with its values: the data of a text that can be translated.

    Parameters
    ----------
    code : str
        Of a section of the catalogue; empty for a plain text, which is its only value.
    form : str
        Name of the message in the section; empty for the one without a name.
    values : mapping of str to object
        By the names in braces; SI units. Messages among them, such as reasons, are translated with it.

    Attributes
    ----------
    text : str
        The sentence in English. Messages with the same text are equal.

    Raises
    ------
    KeyError
        If the catalogue has no such message, or the message names a value that is missing.
    """

    code: str = field(compare=False)
    form: str = field(compare=False)
    values: Mapping[str, Any] = field(compare=False)
    text: str = field(init=False)
    _template: Template = field(init=False, compare=False)

    def __init__(self, code: str, form: str, values: Mapping[str, Any]) -> None:
        template = listed()[code].messages[form] if code else PLAIN
        text = filled(template.text, values)
        self.__dict__.update(code=code, form=form, values=values, text=text, _template=template)

    @classmethod
    def plain(cls, text: Message | str) -> Message:
        """Return a text that is not in the catalogue as a message; a message is returned unchanged."""
        return cls("", "", {"text": text}) if isinstance(text, str) else text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)

    def translated(self, translate: Callable[[str], str]) -> str:
        """Return the message in another language; `translate` returns the translation of a template."""
        values = {k: v.translated(translate) if isinstance(v, Message) else v for k, v in self.values.items()}
        return filled(translate(self._template.text), values)

    def remedy(self, translate: Callable[[str], str] = str) -> Remedy:
        """Return the remedy, from the same line of the catalogue; `translate` leaves the names of its actions."""
        template = self._template.remedy
        return Remedy.of(OR.join(map(translate, template.split(OR))), self.values) if template else Remedy()

    def scaled(self, factor: float) -> Message:
        """Return the same message about a mesh whose volumes are `factor` times as large."""
        powers = {name: POWERS[spec] for name, spec in re.findall(r"\{(\w+):(volume|area)\}", self._template.text)}
        reasons = {k: v.scaled(factor) for k, v in self.values.items() if isinstance(v, Message)}
        sizes = {k: factor ** powers[k] * v for k, v in self.values.items() if k in powers}
        return replace(self, values={**self.values, **reasons, **sizes})


PLAIN = Template("{text}", "")
"""The template of a plain text."""

VOLUME, AREA = "volume", "area"
"""Formats of a volume [m³], written in the unit that fits it, and of an area [m²]."""

POWERS = {VOLUME: 1.0, AREA: 2.0 / 3.0}
"""How they grow with the volume of a mesh."""


def filled(template: str, values: Mapping[str, Any]) -> str:
    """Return a template with its values filled in.

    Besides Python's own formats a value can have ``{count:hole/holes}``, the number with the noun that fits it,
    ``{count:#is/are}``, the word alone, and ``{size:volume}``, a volume [m³] in a unit that fits it. Text in brackets
    is left out if one of its values is missing, empty or zero. Brackets without a value in them are text, as in
    ``pip install 'sdf-inertia[mesh]'``.
    """
    return "".join(
        literal + (_written(values[name], spec or "", conversion) if name else "")
        for is_optional, pieces in _parts(template)
        if not is_optional or all(values.get(name) for _, name, *_ in pieces if name)
        for literal, name, spec, conversion in pieces
    )


@cache
def _parts(template: str) -> list[tuple[bool, list[tuple[str, str | None, str | None, str | None]]]]:
    """Return the parts of a template as literals and fields; True for a part in brackets, which has a field."""
    texts = re.split(r"\[([^\[\]{}]*\{[^\[\]]*)\]", template)
    return [(number % 2 == 1, list(Formatter().parse(text))) for number, text in enumerate(texts)]


def readable(template: str, value: str = "<{}>", is_remedy: bool = False) -> str:
    """Return a template for a page or a terminal: ``the mass is <mass> kg``, ``<count> holes``.

    Parameters
    ----------
    value : str
        How a value is shown, with braces for its name.
    is_remedy : bool
        True for a remedy, in which names in braces may be those of actions.
    """
    pieces = (piece for _, pieces in _parts(template) for piece in pieces)
    named = ((literal, name, spec or "") for literal, name, spec, _ in pieces)
    return "".join(literal + (_named(name, spec, is_remedy, value) if name else "") for literal, name, spec in named)


def _named(name: str, spec: str, is_remedy: bool, value: str) -> str:
    if is_remedy and name in ACTIONS:
        return ACTIONS[name].plain.format(value=value.format(spec.strip("{}").partition(":")[0]))
    word = spec.rpartition("/")[2] if "/" in spec else ""
    return word if spec.startswith("#") else f"{value.format(name)} {word}".rstrip()


def _written(value: Any, spec: str, conversion: str | None) -> str:
    if spec == VOLUME:
        return fitting_volume_text(value)
    if spec == AREA:
        return f"{value:.3g} m²"
    if "/" in spec:
        singular, plural = spec.removeprefix("#").split("/")
        word = singular if value == 1 else plural
        return word if spec.startswith("#") else f"{value:,} {word}"
    return format({"r": repr, "a": ascii}[conversion](value) if conversion else value, spec)
