# SPDX-License-Identifier: GPL-3.0-or-later
"""Random numbers, sound and unusual, and unusual names and texts."""

from __future__ import annotations

from random import Random

ODD_NUMBERS = (
    *("", " ", "0", "-0", "-1", "7", "0.1", "1,5", "1_0", "0x10", "0x1p3", "٣", "true", "nan", "inf", "-inf", "1 2"),
    *("255", "65536", "2147483648", "4294967295", "9223372036854775808", "-9223372036854775809", "9" * 400),
    *("-1e308", "1e308", "1e154", "1e39", "1e-39", "1e-160", "1e-320", "5e-324", "1e999", "+.5", "1e", "--1", "1e+-3"),
)
"""Numbers as texts: empty, not quite numbers, the limits of int and float of each size."""

ODD_FLOATS = (
    *(0.0, -0.0, -1.0, 1e-7, 1e-30, 1e-45, 5e-324, 1e38, 3.5e38, 1e154, 1e308, 1.7976931348623157e308),
    *(float("nan"), float("inf"), float("-inf"), 0.1, 1e9, -1e300),
)

ODD_INTEGERS = (
    *(0, 1, -1, 2, 3, 7, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63, 2**64, -(2**63)),
    *(10**6, 10**9, 10**30),
)

ODD_TEXTS = (
    *("", " ", "a b", "\t", "ü", "日本", "🤖", "a" * 300, "\u202e", "\ufeff", "..", "../..", "/etc/passwd", "a/b"),
    *("a\\b", "%00", "*", "?", "~", "$HOME"),
    *("%2e%2e/x", "file:///etc/passwd", "http://localhost/x", "data:,", "model://", "package://", "world", "__model__"),
    *("__root__", "a::b", "::", "'", '"', "<", "&", "&amp;", "]]>", "<!--", "-->", "{}", "%s", "$(x)", "nan", "None"),
)


def size(random: Random) -> float:
    """Return a length that parts of robots have [m]: a millimetre to ten metres, seldom a thousand times as much."""
    exponent = random.uniform(-3.0, 1.0) if random.random() < 0.95 else random.uniform(-6.0, 4.0)
    return float(f"{10.0**exponent:.4g}")


def coordinate(random: Random) -> float:
    """Return a coordinate [m], often 0."""
    return 0.0 if random.random() < 0.4 else float(f"{random.uniform(-2.0, 2.0):.4g}")


def angle(random: Random) -> float:
    """Return an angle [rad], often 0 or a right one."""
    kind = random.random()
    if kind < 0.4:
        return 0.0
    return (
        random.choice((1.5707963267948966, -1.5707963267948966, 3.141592653589793))
        if kind < 0.6
        else random.gauss(0, 1)
    )


def density(random: Random) -> float:
    """Return a density of a material [kg/m³]."""
    return random.choice((1000.0, 7850.0, 2700.0, 50.0, 1.0, float(f"{10.0 ** random.uniform(1, 4.2):.5g}")))


def text(number: float) -> str:
    """Return a number as written in files."""
    return repr(number) if number != int(number) or abs(number) > 1e15 else str(int(number))


def texts(*numbers: float) -> str:
    """Return numbers as a text, separated by spaces."""
    return " ".join(map(text, numbers))
