# SPDX-License-Identifier: Apache-2.0
"""Materials by the names that CAD systems, standards and shops use: ``EN AW-6061 T6``, ``1.4301``, ``Steel, Mild``."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from .materials import ALIASES, MATERIALS

GRADES: Mapping[str, str] = MappingProxyType(
    {
        "Aluminium 2024": "2024 3.1355 alcu4mg1",
        "Aluminium 5083": "5083 3.3547 almg4.5mn0.7",
        "Aluminium 6061": "6061 3.3211 almg1sicu",
        "Aluminium 7075": "7075 3.4365 alzn5.5mgcu alzn5,5mgcu",
        "Aluminium, cast A380": "a380",
        "Aluminium": (
            "6060 6063 6082 5052 5754 1050 1060 1100 3003 3.2315 3.3206 3.3535 almgsi1 almgsi0.5 almg3 alsi1mgmn"
        ),
        "Steel": (
            "s235 s235jr s275 s275jr s355 s355jr s355j2 c45 c45e 42crmo4 16mncr5 1.0037 1.0038 1.0044 1.0045 1.0503"
            " 1.1191 1.7225 1.0577 a36 1018 1020 1045 4130 4140 st37 st52 ck45 dc01 1.0330 100cr6 1.3505"
        ),
        "Stainless steel": (
            "1.4301 1.4305 1.4307 1.4401 1.4404 1.4571 304 304l 316 316l 303 x5crni18-10 x2crnimo17-12-2"
            " x6crnimoti17-12-2 a2-70 a4-80 v2a v4a ss304 ss316 sus304 sus316"
        ),
        "Magnesium AZ31B": "az31 az31b",
        "Magnesium, cast AZ91D": "az91 az91d",
        "Titanium Ti-6Al-4V": "ti-6al-4v ti6al4v 3.7165 ti6al-4v",
        "Zinc, cast Zamak 3": "zamak3 zamak zl0400",
        "Brass": "cuzn37 cuzn39pb3 ms58 2.0401 cw614n cw508l c360 c36000",
        "Copper": "cu-etp cw004a c11000 e-cu",
        "Bronze": "cusn8 cw453k",
        "Cast iron, grey": "gg25 gg20 en-gjl-250 en-gjl-200",
        "Cast iron, ductile": "ggg40 en-gjs-400-15 en-gjs-400",
    }
)
"""Numbers and short names of grades by the material of the library whose density they have, within 1.5 %."""

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "aluminum": "Aluminium",
        "alu": "Aluminium",
        "al": "Aluminium",
        "stahl": "Steel",
        "baustahl": "Steel",
        "edelstahl": "Stainless steel",
        "stainless": "Stainless steel",
        "messing": "Brass",
        "kupfer": "Copper",
        "titan": "Titanium",
        "grauguss": "Cast iron, grey",
        **dict.fromkeys(("acetal", "delrin", "pom-c", "pom-h"), "POM"),
        **dict.fromkeys(("pmma", "plexiglas", "plexiglass"), "Acrylic"),
        **dict.fromkeys(("pc", "lexan", "makrolon"), "Polycarbonate"),
        **dict.fromkeys(("pa6", "pa66", "nylon6", "nylon66"), "Nylon"),
        "teflon": "PTFE",
        "pa12": "PA 12",
        "fr-4": "FR4",
        "gummi": "Rubber",
        "eiche": "Oak",
        "buche": "Beech",
        "kiefer": "Pine",
    }
)
"""Words of other spellings and of German."""

FILLERS = frozenset(
    (
        *("alloy", "plain", "plastic", "generic", "en", "aw", "aisi", "sae", "astm", "din", "iso", "wrought", "cast"),
        *("steel", "stahl", "aluminium", "aluminum", "al", "grade", "type", "temper", "mild", "carbon", "structural"),
        *("tool", "galvanized", "annealed", "solid", "material", "copolymer", "homopolymer", "sheet", "plate", "bar"),
        *("tube", "ss", "o", "f", "t3", "t4", "t5", "t6", "t651", "t6511", "h111", "h112"),
    )
)
"""Words that a name may have beside a grade without becoming another material."""

TREATED = frozenset(
    (
        *("stainless", "normalized", "at", "rolled", "hot", "cold", "drawn"),
        *("cd", "hr", "qt", "tempered", "quenched"),
    )
)
"""Further words beside a grade that is a mere number: with any other, the number may be that of something else."""

PHRASES: Mapping[str, str] = MappingProxyType(
    {
        "titanium grade 5": "Titanium Ti-6Al-4V",
        "gray cast iron": "Cast iron, grey",
        "ductile iron": "Cast iron, ductile",
        "rostfreier stahl": "Stainless steel",
        "nichtrostender stahl": "Stainless steel",
        "nylon 6/6": "Nylon",
        "fr-4": "FR4",
        "pet-g": "PETG",
    }
)
"""Names of several words that are no grade."""

OTHERS = frozenset(
    (
        "foam",
        "filled",
        "fibre",
        "fiber",
        "reinforced",
        "glass",
        "gf",
        "cf",
        "gf30",
        "cf30",
        "foil",
        "mesh",
        "honeycomb",
        "porous",
        "recycled",
        "wood",
        "infill",
    )
)
"""Words that make a name another material than its other words say."""


ALIKE = 1.2
"""Largest ratio of the densities of a grade and of a word beside it: "Steel 2024" is neither."""


def material_named(text: str) -> str | None:
    """Return the material of the library that a name means; None if none does for certain.

    A name of the library wins, or another name of one material; then a grade by its number; then the same words in
    another order; then a single word beside words that mean no other material.
    """
    folded = _folded(text)
    if folded in _names():
        return _names()[folded]
    words = _WORD.findall(folded)
    pieces = frozenset(_PIECE.findall(folded))
    if not words or OTHERS & pieces or ("carbon" in pieces and not {"steel", "fiber", "fibre"} & pieces):
        return None
    parts = {*words, *(part for word in words for part in word.split("-"))}
    known = _words()
    meant = {known[word] for word in parts if word in known}
    graded = {_grades()[word] for word in parts if word in _grades()}
    if graded:
        densities = [MATERIALS[name] for name in (*graded, *meant)]
        is_number = not any(word in _grades() and not word.isdecimal() for word in parts)
        others = {piece for piece in pieces if piece.isalpha() and piece not in known} - FILLERS - TREATED
        is_sure = len(graded) == 1 and max(densities) <= ALIKE * min(densities) and not (is_number and others)
        return graded.pop() if is_sure else None
    if (named := _bags().get(_bag(pieces))) is not None:
        return named
    rest = {part for part in parts if part not in known} - FILLERS
    return meant.pop() if len(meant) == 1 and not rest else None


_WORD = re.compile(r"[^\W_]+(?:[.,-][^\W_]+)*")
_PIECE = re.compile(r"[^\W_]+")


@cache
def _names() -> Mapping[str, str]:
    """Return materials by their names, and by those other names that are of one material only."""
    others = [(alias.strip(), name) for name, aliases in ALIASES.items() for alias in aliases.split(",")]
    counts = Counter(alias for alias, _ in others)
    aliases = {_folded(alias): name for alias, name in others if counts[alias] == 1 and not alias.startswith("Grade ")}
    return {**aliases, **PHRASES, **{_folded(name): name for name in MATERIALS}}


@cache
def _bags() -> Mapping[frozenset[str], str]:
    """Return materials by the words of their names but for fillers; those of several materials are left out."""
    bags = [(_bag(_PIECE.findall(name)), material) for name, material in _names().items()]
    counts = Counter(bag for bag, _ in dict.fromkeys(bags))
    return {bag: name for bag, name in bags if bag and counts[bag] == 1 and not name.startswith("Blender:")}


def _bag(pieces: Iterable[str]) -> frozenset[str]:
    """Return the words of a name that matter; of a metal, though a grade may do without it: silver steel, aluminium
    bronze."""
    return frozenset(pieces) - (FILLERS - _words().keys())


@cache
def _grades() -> Mapping[str, str]:
    return {_folded(word): name for name, words in GRADES.items() for word in words.split()}


@cache
def _words() -> Mapping[str, str]:
    """Return materials by single words: names of one word, and those of `WORDS`."""
    single = {_folded(name): name for name in MATERIALS if re.fullmatch(r"\w+", name)}
    return single | dict(WORDS)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
