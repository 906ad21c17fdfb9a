# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of twins: links that a robot has on its left and on its right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

LEFT = {
    **{"left": "right", "l": "r"},
    **{"fl": "fr", "rl": "rr", "bl": "br", "hl": "hr", "ml": "mr"},
    **{"lf": "rf", "lr": "rr", "lb": "rb", "lh": "rh", "lm": "rm"},
}
"""Words of the left, alone or with front, rear, back, hind or middle, and their twins of the right."""

OPPOSITE = {right: left for left, right in LEFT.items()} | LEFT

_WORD = re.compile(r"(?i:left|right)|[A-Z]+(?![a-z])|[A-Z]?(?:(?!left|right)[a-z])+|.")
"""A word of a name: it ends at a sign, a digit, a capital letter, or next to `left` or `right`."""


def twins(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield all pairs of a left and a right link, by their names with the model's.

    All words of a side differ, as in left_hand_left_finger and right_hand_right_finger; if no link has that name, only
    one differs.
    """
    known = dict.fromkeys(names)
    for name in known:
        model, scope, local = name.partition("::")
        words = [model, scope, *_WORD.findall(local)]
        sided = [number for number, word in enumerate(words) if number > 1 and word.lower() in OPPOSITE]
        whole = _turned(words, sided)
        if whole in known:
            choices = [sided] if sided and words[sided[0]].lower() in LEFT else []
        else:
            choices = [[number] for number in sided if words[number].lower() in LEFT]
        yield from ((name, twin) for choice in choices if (twin := _turned(words, choice)) in known)


def _turned(words: list[str], chosen: list[int]) -> str:
    return "".join(_opposite(word) if number in chosen else word for number, word in enumerate(words))


def _opposite(word: str) -> str:
    other = OPPOSITE[word.lower()]
    return other.upper() if word.isupper() else other.capitalize() if word[0].isupper() else other
