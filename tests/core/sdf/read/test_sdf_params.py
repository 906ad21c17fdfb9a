# SPDX-License-Identifier: GPL-3.0-or-later
"""``<experimental:params>`` of an include: applied as libsdformat applies it, or refused with its code."""

import pytest

from core.sdf.read.sdf_file import read_sdf
from core.sdf.xml.document import child_of

INNER = """<sdf version='1.11'>
<model name='robot'>
<link name='base'>
<inertial><mass>2</mass></inertial>
<visual name='paint'><geometry><sphere><radius>1</radius></sphere></geometry></visual>
</link>
<link name='arm'><pose>1 0 0 0 0 0</pose></link>
<model name='tool'><link name='tip'/></model>
</model>
</sdf>"""


@pytest.fixture
def read(tmp_path):
    def of(params, merge="false"):
        (tmp_path / "inner.sdf").write_text(INNER)
        (tmp_path / "m.sdf").write_text(
            "<sdf version='1.11' xmlns:experimental='e'><model name='m'><link name='root'/>\n"
            f"<include merge='{merge}'><uri>inner.sdf</uri>\n"
            f"<experimental:params>\n{params}</experimental:params></include></model></sdf>"
        )
        return read_sdf(tmp_path / "m.sdf")

    return of


def masses(file):
    return {link.name: link.manual.mass for link in file.links}


@pytest.mark.fault(92)
@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ("", {"base": 2, "arm": 1, "tool::tip": 1}),
        ("<link element_id='arm' action='remove'/>", {"base": 2, "tool::tip": 1}),
        ("<link element_id='' name='new' action='add'><inertial><mass>5</mass></inertial></link>", {"new": 5}),
        ("<link element_id='tool' name='new' action='add'/>", {"tool::new": 1}),
        (
            "<link element_id='base' action='modify'><inertial><mass>7</mass></inertial></link>",
            {"base": 7, "arm": 1},
        ),
        ("<link element_id='base'><inertial action='remove'><mass/></inertial></link>", {"base": 1}),
        ("<link element_id='base'><inertial action='remove'/></link>", {"base": 1}),
        ("<link element_id='base'><inertial action='replace'><mass>9</mass></inertial></link>", {"base": 9}),
        ("<link element_id='arm'><inertial action='add'><mass>3</mass></inertial></link>", {"arm": 3}),
        ("<link element_id='tool::tip'><inertial action='add'><mass>4</mass></inertial></link>", {"tool::tip": 4}),
        ("<link element_id='arm' name='hand' action='replace'/>", {"hand": 1, "base": 2}),
    ],
)
@pytest.mark.parametrize("merge", ["false", "true"])
def test_the_included_model_is_as_the_params_make_it(read, params, expected, merge):
    file = read(params, merge)
    assert [finding for finding in file.findings if finding.severity == "error"] == []
    found = masses(file)
    scope = "m::" if merge == "true" else "m::robot::"
    assert {scope + name: mass for name, mass in expected.items()}.items() <= found.items()
    if "remove'/>" in params and "link element_id='arm'" in params:
        assert scope + "arm" not in found


@pytest.mark.fault(92)
@pytest.mark.parametrize(
    ("params", "code"),
    [
        ("<link name='new' action='add'/>", 4),
        ("<link element_id='' action='add'/>", 4),
        ("<link element_id='' name='' action='add'/>", 5),
        ("<link element_id='' name='base' action='add'/>", 2),
        ("<wheel element_id='' name='new' action='add'/>", 9),
        ("<visual element_id='leg' name='new' action='add'/>", 8),
        ("<link element_id='base::' action='remove'/>", 5),
        ("<link element_id='base' action='paint'/>", 5),
        ("<link element_id='leg' action='remove'/>", 8),
        ("<joint element_id='base' action='remove'/>", 8),
        ("<link element_id='base' action='modify' colour='red'/>", 5),
        ("<link element_id='arm' action='modify'><inertial><mass>1</mass></inertial></link>", 8),
        ("<link element_id='base'><inertial/></link>", 4),
        ("<link element_id='base'><inertial action='paint'/></link>", 5),
        ("<link element_id='base'><wheel action='add'/></link>", 9),
        ("<link element_id='arm'><inertial action='remove'/></link>", 8),
        ("<link element_id='base'><inertial action='replace'><mass>heavy</mass></inertial></link>", 9),
        ("<link element_id='base' action='modify'><pose>1 2</pose></link>", 8),
        ("<link element_id='arm' action='modify'><pose>1 2</pose></link>", 9),
    ],
)
def test_what_libsdformat_cannot_apply_is_refused_with_its_code(read, params, code):
    file = read(params)
    first, *_ = [finding for finding in file.findings if finding.severity == "error"]
    assert first.sdf_codes[0] == code
    assert "m.sdf:4 " in first.subject


def test_what_stands_behind_a_change_keeps_its_line(read):
    file = read(
        "<visual element_id='base::paint' action='remove'/>\n<link element_id='' name='new' action='add'>\n</link>"
    )
    arm = next(link for link in file.links if link.name == "m::robot::arm")
    assert arm.document.line(arm.element) == 7
    assert child_of(file.links[1].element, "visual") is None


def test_a_model_included_at_the_top_of_a_file_is_read(read, tmp_path):
    read("")
    (tmp_path / "top.sdf").write_text("<sdf version='1.11'><include><uri>inner.sdf</uri></include></sdf>")
    file = read_sdf(tmp_path / "top.sdf")
    assert masses(file) == {"robot::base": 2, "robot::arm": 1, "robot::tool::tip": 1}
    assert not [finding for finding in file.findings if finding.severity == "error"]
