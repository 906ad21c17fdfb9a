# SPDX-License-Identifier: GPL-3.0-or-later
"""The Imported list is filtered and searched; Shift and Ctrl select more than one row of a list."""

import time
from types import SimpleNamespace

import bpy
import pytest

from ..importing.test_accepted import BOX, CAD, LINK
from ..scenes import imported, live_model, module, select

pytestmark = pytest.mark.usefixtures("scene")

FLAG = 1 << 30

GRAMS = LINK.format("grams", 0.0, 1e6, 1e6, 1e6, BOX.format(0))


@pytest.fixture
def cad(tmp_path):
    """A file whose checked verdicts are: an error about one link, a warning about another, none about the rest."""
    path = tmp_path / "cad.urdf"
    path.write_text(CAD.replace("</robot>", GRAMS + "</robot>"))
    imported(path)
    return path


def shown(kind="ALL", search=""):
    """Return the names that the Imported list shows, in its order."""
    ui_list = bpy.types.SDF_INERTIA_UL_imported
    state = SimpleNamespace(kind=kind, filter_name=search, opened=True, bitflag_filter_item=FLAG)
    flags, order = ui_list.filter_items(state, bpy.context, bpy.data, "objects")
    rows = sorted((place, ob.name) for flag, place, ob in zip(flags, order, bpy.data.objects, strict=True) if flag)
    return [name for _place, name in rows]


def checked(path):
    """Return the links by the severity of what the command `check` finds about them."""
    robot = module("core.api.robot").read_robot(path)
    worst = module("core.errors").worst_severity
    return {name.rpartition("::")[2]: worst(link.verdict.findings) for name, link in robot.links.items()}


@pytest.mark.parametrize(("kind", "severity"), [("WRONG", "error"), ("DOUBTFUL", "warning")])
def test_a_filter_leaves_what_the_command_check_finds(cad, kind, severity):
    expected = {name for name, worst in checked(cad).items() if worst == severity}
    assert expected and expected < {*shown()}
    assert {*shown(kind)} == expected
    bpy.ops.sdf_inertia.accept_computed()  # which judges the whole file
    assert {*shown(kind)} == expected - {ob.name for ob in bpy.data.objects if ob.sdf_inertia.accepted}


def test_imported_links_stand_in_the_order_of_the_model(cad):
    assert shown() == [link.object for link in live_model().links]


@pytest.mark.parametrize(("search", "names"), [("RIGHT", ["right"]), ("*ht", ["light", "right"]), ("nobody", [])])
def test_a_search_leaves_imported_links_by_name(cad, search, names):
    assert sorted(shown(search=search)) == names


def test_sound_links_that_differ_stay_unticked_after_accept_all(cad):
    published = module("sdf_inertia_addon.panels.published")
    comparison = module("sdf_inertia_addon.panels.compared").comparison_of
    units = module("core.units").SI
    links = [ob for ob in bpy.data.objects if ob.sdf_inertia.is_link]
    off = [ob for ob in links if published.verdict(comparison(bpy.context, ob), units)[1] == "FAKE_USER_ON"]
    assert off and bpy.ops.sdf_inertia.accept_computed() == {"FINISHED"}
    assert any(ob.sdf_inertia.accepted for ob in links) and not any(ob.sdf_inertia.accepted for ob in off)


def click(name, row="imported_row", **keys):
    bpy.ops.sdf_inertia.select_object(target=name, row=row, **keys)
    return sorted(ob.name for ob in bpy.context.selected_objects)


@pytest.mark.fault(227)
def test_shift_selects_all_rows_up_to_the_one_clicked(cad):
    names = shown()
    click(names[3])
    assert click(names[1], extend=True) == sorted(names[1:4])
    assert bpy.context.view_layer.objects.active.name == names[1]
    hidden = shown(search=names[0]) == [names[0]]  # what the list does not show is not selected
    click(names[0])
    assert hidden and click(names[2], extend=True) == sorted([names[0], names[2]])


@pytest.mark.fault(227)
def test_shift_begins_at_the_link_of_an_active_part(cad):
    names = shown()
    link = bpy.data.objects[names[1]]
    select(next(child for child in link.children if child.sdf_inertia.is_collision))
    assert set(names[1:3]) <= set(click(names[2], extend=True))


@pytest.mark.fault(227)
def test_ctrl_adds_a_row_and_takes_it_away_again(cad):
    names = shown()
    click(names[0])
    assert click(names[2], toggle=True) == sorted([names[0], names[2]])
    assert click(names[2], toggle=True) == [names[0]]


def test_the_link_of_an_active_part_is_the_active_row(cad):
    link = bpy.data.objects["right"]
    select(link.children[0])
    settings = bpy.context.scene.sdf_inertia
    assert bpy.data.objects[settings.imported_row] == link and bpy.data.objects[settings.row] == link.children[0]


def test_a_list_of_130_links_is_filtered_quickly(tmp_path):
    path = tmp_path / "many.urdf"
    links = [LINK.format(f"link_{number}", 0.0, 1000, 1000, 1000, BOX.format(0)) for number in range(130)]
    path.write_text(f"<robot name='many'>{''.join(links)}</robot>")
    imported(path)
    shown("WRONG")  # the comparisons are made once
    times = []
    for _ in range(5):
        start = time.process_time()
        assert len(shown("ALL")) == 130 and not shown("WRONG")
        times.append(time.process_time() - start)
    assert min(times) < 0.1  # of the processor's time
