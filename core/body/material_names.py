# SPDX-License-Identifier: Apache-2.0
"""Materials by the names that CAD systems, standards and shops use: ``EN AW-6061 T6``, ``1.4301``, ``Steel, Mild``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from .materials import MATERIALS

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
            " x6crnimoti17-12-2 a2-70 a4-80"
        ),
        "Magnesium AZ31B": "az31 az31b",
        "Magnesium, cast AZ91D": "az91 az91d",
        "Titanium Ti-6Al-4V": "ti-6al-4v ti6al4v 3.7165 ti6al-4v",
        "Zinc, cast Zamak 3": "zamak3 zamak zl0400",
        "Brass": "cuzn37 cuzn39pb3 ms58 2.0401 cw614n cw508l c360 c36000",
        "Copper": "cu-etp cw004a c11000 e-cu",
        "Bronze": "cusn8 cusn12 cw453k",
        "Cast iron, grey": "gg25 gg20 en-gjl-250 en-gjl-200",
        "Cast iron, ductile": "ggg40 en-gjs-400-15 en-gjs-400",
    }
)
"""Numbers and short names of grades by the material of the library whose density they have, within 1.5 %."""

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "aluminum": "Aluminium",
        "alu": "Aluminium",
        "stahl": "Steel",
        "baustahl": "Steel",
        "edelstahl": "Stainless steel",
        "messing": "Brass",
        "kupfer": "Copper",
        "titan": "Titanium",
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
        "alloy",
        "plain",
        "plastic",
        "generic",
        "en",
        "aw",
        "aisi",
        "sae",
        "astm",
        "din",
        "iso",
        "wrought",
        "cast",
        "steel",
        "aluminium",
        "aluminum",
        "grade",
        "type",
        "temper",
        "mild",
        "carbon",
        "structural",
        "tool",
        "galvanized",
        "t3",
        "t4",
        "t5",
        "t6",
        "t651",
        "t6511",
        "h111",
        "h112",
        "o",
        "f",
        "annealed",
        "solid",
        "ss",
        "material",
    )
)
"""Words that a name may have beside a grade without becoming another material."""

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

    A name of the library wins, then a grade by its number, then a single word beside words that mean no other material.
    """
    folded = _folded(text)
    names = {_folded(name): name for name in MATERIALS}
    if folded in names:
        return names[folded]
    words = re.findall(r"[^\W_]+(?:[.,-][^\W_]+)*", folded)
    if not words or OTHERS & set(re.findall(r"[^\W_]+", folded)):
        return None
    parts = {*words, *(part for word in words for part in word.split("-"))}
    graded = {material for word in parts if (material := _grades().get(word)) is not None}
    known = _words()
    meant = {known[word] for word in parts if word in known}
    if "carbon" in parts and "steel" not in parts:
        return None
    if graded:
        densities = [MATERIALS[name] for name in (*graded, *meant)]
        return graded.pop() if len(graded) == 1 and max(densities) <= ALIKE * min(densities) else None
    rest = {part for part in parts if part not in known} - FILLERS
    return meant.pop() if len(meant) == 1 and not rest else None


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
