# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels say, in which words and units."""

import bpy
import pytest

from .. import panel_states
from ..scenes import add, box_mesh, empty, live_model, mesh_data, module, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def texts():
    return module("sdf_inertia_addon.panels.texts")


def units(name="SI"):
    return module("core.units").UNITS[name]


def active(name):
    select(bpy.data.objects[name])
    return module("sdf_inertia_addon.panels.active").active_of(bpy.context)


def brick():
    """Return a link of 24 kg with parts of 6 and 18, in metres."""
    link = tag(empty("brick"), "link", use_density=True, density=3, inertia="FILLED")
    tag(add(box_mesh((1, 1, 2)), "low", link), "collision")
    tag(add(box_mesh((1, 2, 3)), "high", link), "collision", geometry="BOX")
    return link


def test_the_models_total_is_that_of_its_links():
    brick()
    assert texts().model_total(live_model(), units()) == "24.00 kg"
    assert texts().model_total(live_model(), units("GRAM")) == "24000 g"
    tag(empty("lonely"), "link")
    assert texts().model_total(live_model(), units()) == "24.00 kg"  # it is not written
    tag(add(box_mesh(), "without collision"), "link")
    assert texts().model_total(live_model(), units()) == "incomplete"


def test_a_part_says_its_share():
    brick()
    found = active("high")
    assert texts().part_mass(found.part, found.link, units()) == "18.00 kg, 75 %"
    assert texts().part_facts(found.part, units()) == [
        ("Volume", "6.000 m³"),
        ("Method", "Closed form, exact"),
    ]


def test_a_link_says_its_mean_density_and_how_its_number_was_found():
    brick()
    assert texts().link_facts(active("brick").link, units()) == [
        ("Volume", "8.000 m³"),
        ("Mean Density", "3 kg/m³"),
        ("Method", "Sum of parts, exact"),
    ]


def test_a_mass_has_the_ranges_of_its_mesh_and_its_material():
    made = add(box_mesh((0.1, 0.1, 0.1), (0, 0, 0)), "print")
    tag(made, "link", "collision", geometry="MESH", method="VOXEL", voxel_size=0.011, material="PETG", inertia="FILLED")
    link = active("print").link
    (mass, mesh), (_, material) = texts().mass_facts(link.body, "PETG", units())
    assert mass == "Mass" and mesh.startswith("1.") and mesh.endswith("% (mesh)")
    assert material == "± 1.6 % (PETG)"
    assert module("sdf_inertia_addon.panels.sections.inertia")._material(active("print")) == "PETG"
    made.sdf_inertia.method = "EXACT"
    assert texts().mass_facts(active("print").link.body, "", units()) == []


def test_the_tables_are_in_the_chosen_units():
    # A box of 0.1, 0.2, 0.3 m of 6 kg about its middle: m/12 (b² + c²) and so on, in 10⁻³ kg·m².
    tag(add(box_mesh((0.1, 0.2, 0.3), (0, 0, 0.5)), "box"), "link", "collision", use_density=True, density=1000)
    tables = module("sdf_inertia_addon.panels.sections.inertia").tables
    inertial = active("box").link.body.inertial
    assert tables(inertial, units()) == [
        ("Centre of mass in link [m]", ("0", "0", "0.50000")),
        (
            "Inertia about it, link axes [kg·m²]",
            ("65.000·10⁻³", "0", "0", "", "50.000·10⁻³", "0", "", "", "25.000·10⁻³"),
        ),
        ("Principal moments [kg·m²]", ("25.000·10⁻³", "50.000·10⁻³", "65.000·10⁻³")),
    ]
    small = dict(tables(inertial, units("GRAM")))
    assert small["Centre of mass in link [mm]"][2] == "500.00"
    assert small["Principal moments [g·mm²]"] == ("25.000·10⁶", "50.000·10⁶", "65.000·10⁶")


def test_what_is_only_noise_reads_0():
    ob = tag(
        add(box_mesh((0.1, 0.1, 0.1), (7e-9, 0, 0.05)), "box"), "link", "collision", use_density=True, density=1000
    )
    ob.rotation_euler = (1.0, 2.0, 3.0)
    body = active("box").link.body
    assert body.inertial.com[0] != 0.0  # it is there, and copied and written
    (_, com), (_, tensor), _ = module("sdf_inertia_addon.panels.sections.inertia").tables(body.inertial, units())
    assert com == ("0", "0", "0.05000")
    assert [tensor[i] for i in (1, 2, 5)] == ["0", "0", "0"]


@pytest.mark.fault(226)
def test_a_centre_is_0_beside_the_length_of_the_link_in_the_tab():
    part = add(box_mesh((0.1, 0.1, 0.2), (0, 0, 1.6e-7)), "part")
    tag(part, "link", "collision", use_density=True, density=1000)
    body = active("part").link.body
    assert body.inertial.as_read().com[2] > 1e-7  # of its radius of gyration it is more than 1e-6
    length = module("sdf_inertia_addon.overlay.content").length_of(body)
    assert length == pytest.approx(6.0**0.5 / 10.0, rel=1e-6)
    (_, com), *_ = module("sdf_inertia_addon.panels.sections.inertia").tables(body.inertial, units(), length)
    assert com == ("0", "0", "0")


def test_findings_that_say_the_same_are_one_row_with_a_count():
    link = brick()
    link.sdf_inertia.use_density = False
    bpy.data.objects["high"].location.x = 5  # they do not overlap
    findings = module("sdf_inertia_addon.panels.sections.findings")
    for name in ("low", "high"):
        ((first, count),) = module("core.errors").grouped(findings.findings_of(active(name)))
        # Of the active object, if it is one of them: that is what a click is to fix.
        assert (first.code, first.subject, count) == ("default_density", f"brick/{name}", 2)
    assert texts().in_words(first, count).startswith("brick/high and 1 more: No density given. SDFormat's default of")


def test_a_density_that_is_inherited_says_from_where():
    link = brick()
    found = active("low")
    assert texts().inherited_density(found.part, found.link.body) == "3 kg/m³, as brick has it"
    link.sdf_inertia.use_density = False
    found = active("low")
    assert texts().inherited_density(found.part, found.link.body) == "1000 kg/m³, SDFormat's default"


def test_an_export_is_foretold():
    brick()
    assert [(r.icon, r.text) for r in texts().export_remarks(live_model().links)] == [("CHECKMARK", "1 link: Filled")]
    panel_states.by_hand()
    good, bad = texts().export_remarks(live_model().links)
    assert good.text == "2 links: 1 Filled, 1 Manual"
    assert bad.alert and bad.text.startswith("1 link with errors: impossible.")


def test_an_object_without_a_link_shows_what_to_do():
    without_link = module("sdf_inertia_addon.panels.link").without_link
    tag(add(box_mesh(), "orphan"), "collision")
    add(box_mesh(), "stranger")
    assert without_link(active("orphan")).alert
    assert "Parent it to a link" in without_link(active("orphan")).text
    assert without_link(active("stranger")).text.startswith("stranger is in no link. Tag it")


def test_an_instance_shows_the_link_it_places():
    panel_states.instanced()
    assert active("at 2").link.object == "wheel"


def test_text_is_wrapped_by_its_width_and_loses_no_word():
    text = "Nothing is written unless somebody says so with considerable emphasis"
    for width in (1, 10, 17, 1000):
        lines = texts().wrapped(text, width)
        assert " ".join(lines) == text
        assert all(len(line) <= width or " " not in line for line in lines)
    assert texts().wrapped("", 10) == [""]
    assert len(texts().wrapped("a b c", 4.0, lambda line: 2.0 * len(line))) == 3


def test_findings_stand_the_worst_first_and_each_once():
    panel_states.faulty()
    found = active("overlap").link.body.all_findings() + active("open_box").link.body.all_findings()
    ordered = texts().by_severity([*found, *found])
    severities = [finding.severity for finding in ordered]
    assert severities == sorted(severities, key=["error", "warning", "info"].index)
    assert len(severities) == len({finding for finding in found if finding.code != "part_refused"})
    assert texts().counted(ordered)[0] == ("error", severities.count("error"))
    assert {module("core.findings.listed").title_of(finding.code) for finding in found} >= {
        "Open mesh",
        "Part without inertia",
    }


def test_a_link_with_a_refused_part_shows_only_the_finding_of_the_part():
    tag(add(mesh_data([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]), "leaf"), "link", "collision")
    found = active("leaf")
    assert "part_refused" in {finding.code for finding in found.link.body.all_findings()}
    shown = module("sdf_inertia_addon.panels.sections.findings").findings_of(found)
    assert [finding.subject for finding in shown if finding.severity == "error"] == ["leaf/leaf"]
    assert texts().in_words(shown[0]).startswith("leaf: ")
