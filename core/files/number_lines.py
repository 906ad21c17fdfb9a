# SPDX-License-Identifier: Apache-2.0
"""Numbers of many lines of text at once, by numpy: the same to the last bit as line by line, in a third of the time.

It takes lines as exporters write them. Any others are for a reader that goes line by line, and names the wrong one.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import Ints

PLAIN = {np.float64: (b"0123456789+-.eE \t\r\n", ord("+")), np.int64: (b"0123456789/ \t\r\n", ord("0"))}
"""The characters of coordinates, and of corners such as 1/2/3, and the lowest that is part of a number.

Numpy and Python read some others, such as in nan and 1_000, each in its own way.
"""

SLASH = ord("/")


def wrong_number(words: Sequence[str | bytes]) -> str:
    """Return a sentence about the first word that is not a number; an empty one if all are numbers."""
    for word in words:
        try:
            float(word)
        except ValueError:
            text = word if isinstance(word, str) else word.decode("utf-8", "replace")
            advice = "; decimals have a point, not a comma" if "," in text else ""
            return f"{ascii(text[:60])} is not a number{advice}"
    return ""


def numbers_of(lines: bytes, word: bytes, kind: type[np.float64] | type[np.int64]) -> tuple[npt.NDArray[Any], Ints]:
    """Return the numbers of lines that all begin with a word and a space, and how many each line has.

    Of a corner such as 1/2/3 it is the number before the first slash; the others do not count.

    Raises
    ------
    ValueError
        For lines of another form, and for what may be another number than it looks like.
    """
    text, head = b"\n" + lines, b"\n" + word + b" "
    if text.count(head) != lines.count(b"\n"):
        raise ValueError("a line with another beginning")
    allowed, lowest = PLAIN[kind]
    text = text.replace(head, b"\n ")
    if text.translate(None, allowed):
        raise ValueError("a character that is in no number")
    # What ends a number is white space or a slash. If two of them are not neighbours, there is a number between them.
    characters = np.frombuffer(text, np.uint8)
    at = np.flatnonzero(characters < lowest)
    end, is_number = characters[at], np.diff(at, append=len(text)) > 1
    is_behind = end == SLASH
    if (is_behind[1:] & ~is_behind[:-1] & ~is_number[:-1]).any():
        raise ValueError("a slash that follows no number")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpy warns where it finds no number, and stops there
        try:
            numbers = np.fromstring(text.replace(b"/", b" "), kind, sep=" ")
        except DeprecationWarning as warning:
            raise ValueError("a word that is not a number") from warning
    if len(numbers) != np.count_nonzero(is_number):  # 1-2 is two for numpy, and none for Python
        raise ValueError("a word that is not one number")
    counts = np.diff(np.cumsum(is_number & ~is_behind)[end == ord("\n")])
    return numbers[~is_behind[is_number]], counts
