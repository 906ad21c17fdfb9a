# SPDX-License-Identifier: GPL-3.0-or-later
"""What a finding means is read from the list, by script too."""

import re
from pathlib import Path

import bpy
import pytest

from ..scenes import ROOT, module

pytestmark = pytest.mark.usefixtures("scene")


@pytest.mark.versions
def test_by_script_it_says_title_meaning_remedy_and_section(capfd):
    assert bpy.ops.sdf_inertia.explain_finding(code="open_mesh") == {"FINISHED"}
    entry = module("core.findings.listed").listed()["open_mesh"]
    said = f"Info: {entry.title}. {entry.meaning} {entry.remedy} (findings.md: open_mesh)"
    assert said in capfd.readouterr().out.splitlines()


def test_a_code_that_is_not_listed_is_refused():
    with pytest.raises(RuntimeError, match="my_own_code"):
        bpy.ops.sdf_inertia.explain_finding(code="my_own_code")


def test_the_tooltip_of_its_button_is_what_the_finding_means():
    operator = module("sdf_inertia_addon.operators.explain_finding").SDF_INERTIA_OT_explain_finding
    for entry in module("core.findings.listed").listed().values():
        said = operator.description(bpy.context, entry)  # which has a code, as properties have
        assert f"{said}." == entry.meaning


def test_the_page_that_it_opens_has_a_section_for_each_code():
    findings = module("core.findings.listed")
    page = (Path(ROOT) / findings.PAGE).read_text()
    for code in findings.listed():
        assert findings.section_url(code).endswith(f"/{findings.PAGE}#{code}")
        assert re.search(rf'^#+ .*\b{code}\b|(id|name)="{code}"', page, re.MULTILINE), code
