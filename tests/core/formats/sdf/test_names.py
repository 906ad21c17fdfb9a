# SPDX-License-Identifier: GPL-3.0-or-later
"""Any text becomes a name that SDFormat takes, unlike its siblings', and each new name is reported."""

import re

import pytest

from core.formats.sdf.spec.names import UniqueNames

AWKWARD = [
    *(
        "a & b",
        "<a>",
        '"a"',
        "a\nb",
        "a\tb",
        "a\x00b",
        "a\x1fb",
        "a\x7fb",
        "\ud800",
        "a\udfffb",
        "",
        "   ",
        "\U0001f916",
    ),
    *("world", "__model__", "____", "::", "a::b", "..", "../../etc/passwd", "C:\\x", "\u202eabc", "x" * 300),
]


@pytest.mark.fault(52, 53)
@pytest.mark.parametrize("wanted", AWKWARD, ids=ascii)
def test_any_text_becomes_a_name_and_the_change_is_reported(wanted):
    names = UniqueNames()
    name = names.give(wanted)
    assert re.fullmatch(r"[\w-]+", name) and name != "world"
    assert not (len(name) >= 4 and name.startswith("__") and name.endswith("__"))
    name.encode()  # as a file has it
    renamed = [(finding.code, name in finding.message) for finding in names.findings]
    assert renamed == ([] if name == wanted else [("renamed", True)])
    for finding in names.findings:
        str(finding).encode()


@pytest.mark.fault(51)
def test_names_that_become_equal_stay_apart_in_the_order_of_asking():
    names = UniqueNames()
    wanted = ["a.001", "a_001", "a 001", "a_001_2", "a_001"]
    given = [names.give(one) for one in wanted]
    assert given == ["a_001", "a_001_2", "a_001_3", "a_001_2_2", "a_001_4"]
    assert len(names.findings) == 5
    again = UniqueNames()
    assert [again.give(one) for one in wanted] == given
