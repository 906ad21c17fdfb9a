# SPDX-License-Identifier: GPL-3.0-or-later
"""Densities of many things at once: by name, glob or category; nothing is guessed."""

from pathlib import Path

import pytest

from core.body.density_map import DensityMap
from core.body.materials import MATERIALS
from core.errors import InertiaError

CHECKOUT = Path(__file__).parents[3]

CSV = """match,density,material,mass,infill,source
# kitchen,,,,,
mug,,,0.35,,weighed
mug_17.obj,900,,,,
parts/*.stl,,Steel,,,
coffee mug,,ABS,,0.5,estimate
Plate?,2400,,,,
"""


@pytest.fixture
def found(tmp_path):
    path = tmp_path / "map.csv"
    path.write_text(CSV)
    return DensityMap.read(path).find


def test_a_whole_name_goes_before_globs_and_these_before_categories(found):
    assert found("set/mug_17.obj").density == 900.0
    assert found("mug_18.obj").mass == 0.35
    assert found("parts/big_mug_2.stl").density == MATERIALS["Steel"]
    assert found("other/mug.stl").mass == 0.35


def test_a_category_matches_words_of_a_name_or_folder_and_most_words_win(found):
    assert found("blue-Coffee_Mug-03.glb").density == pytest.approx(0.5 * MATERIALS["ABS"])
    assert found("objects/mug/model.obj").mass == 0.35
    assert found("smuggler.obj") is None and found("mugs.obj") is None and found("") is None
    # How an input is spelled from further up changes nothing, nor does letter case.
    assert found("/home/mug/robots/meshes/arm.stl") is None
    assert found("/home/x/mug/meshes/model.obj").mass == found("mug/model.obj").mass == 0.35
    assert found("MUG_17.OBJ").density == 900.0 and found("plateA.stl").density == 2400.0


def test_categories_that_disagree_hold_for_none(tmp_path):
    path = tmp_path / "map.json"
    path.write_text('{"cup": {"mass": 0.1}, "saucer": {"mass": 0.2}, "plate": {"mass": 0.2}}')
    densities = DensityMap.read(path)
    assert densities.find("saucer-plate.obj").mass == 0.2
    with pytest.raises(InertiaError, match="'cup', 'saucer'"):
        densities.find("cup_and_saucer.obj")


def test_remarks_may_stand_anywhere_and_lines_are_counted_with_them(tmp_path):
    path = tmp_path / "map.csv"
    path.write_text("# kitchen\n\nmatch,mass\n  # mugs, weighed\nmug,0.35\ncup,heavy\n")
    with pytest.raises(InertiaError, match="line 6: its mass 'heavy'"):
        DensityMap.read(path)
    path.write_text(path.read_text().replace("heavy", "0.2"))
    assert DensityMap.read(path).find("cup.obj").mass == 0.2


def test_a_glob_with_a_folder_fits_wherever_that_lies(found):
    assert found("/data/robots/parts/arm.stl").density == MATERIALS["Steel"]
    assert found("/data/robots/parts/deeper/arm.obj") is None


def test_rows_that_say_different_things_of_one_name_are_refused(tmp_path):
    path = tmp_path / "map.csv"
    path.write_text("match,mass\nmug,0.35\nMug,0.35\n")
    assert DensityMap.read(path).find("mug").mass == 0.35
    path.write_text("match,mass\nmug,0.35\nmug,0.4\n")
    with pytest.raises(InertiaError, match="two of its rows match 'mug'"):
        DensityMap.read(path)


@pytest.mark.fault(232)
def test_a_map_for_meshes_may_have_a_scale(tmp_path):
    path = tmp_path / "map.csv"
    path.write_text("match,mass,scale\nmug,0.35,0.05\ncup,0.2,\n")
    densities = DensityMap.read(path, with_scale=True)
    assert (densities.find("mug.obj").scale, densities.find("cup.obj").scale) == (0.05, None)
    with pytest.raises(InertiaError, match="unknown column 'scale'"):  # a robot's file has its meshes' scale
        DensityMap.read(path)
    path.write_text("match,mass,scale\nmug,0.35,0.05\nmug,0.35,0.1\n")
    with pytest.raises(InertiaError, match="two of its rows match 'mug'"):
        DensityMap.read(path, with_scale=True)


@pytest.mark.fault(232)
@pytest.mark.parametrize("scale", ["0", "-1", "nan", "inf", "mm"])
@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_scale_that_is_no_length_is_refused(kind, scale, tmp_path):
    path = tmp_path / f"map.{kind}"
    path.write_text(f"match,mass,scale\nmug,1,{scale}\n")
    if kind == "json":
        path.write_text(f'{{"mug": {{"mass": 1, "scale": "{scale}"}}}}')
    with pytest.raises(InertiaError, match="'mug'|line 2|row 1") as caught:
        DensityMap.read(path, with_scale=True)
    assert caught.value.code == "bad_density_map" and "its scale" in caught.value.message


def test_json_may_be_a_list(tmp_path):
    path = tmp_path / "map.json"
    path.write_text('[{"match": "*.obj", "density": 700, "source": "sheet"}]')
    row = DensityMap.read(path).find("a/b.obj")
    assert (row.density, row.source) == (700.0, "sheet")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("match,density\nmug,heavy\n", "line 2: its density 'heavy' is not a number"),
        ("match,density\nmug,-3\n", "mug"),
        ("match,material\nmug,unobtainium\n", "no material 'unobtainium'"),
        ("match,mass,infill\nmug,1,0.5\n", "infill"),
        ("match,material,infill\nmug,ABS,20\n", "infill 20"),
        ("match,density\nmug,\n", "neither a density nor a material nor a mass"),
        ("name,density\nmug,3\n", "unknown column 'name'"),
        ('match,bogus\n"a"x,1\n', "unknown column 'bogus'"),
        ("match,density\nmug\n", "line 2 has not as many cells"),
        ("", "no column 'match'"),
        ("match,density\n", "no row"),
    ],
)
def test_a_map_with_a_fault_is_refused_with_its_line(tmp_path, text, says):
    path = tmp_path / "map.csv"
    path.write_text(text)
    with pytest.raises(InertiaError) as caught:
        DensityMap.read(path)
    assert caught.value.code == "bad_density_map" and says in caught.value.message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *((text, "neither a list of objects") for text in ('{"mug": 5}', '["mug"]', "3", "[1]", "[[]]")),
        ("{", "cannot be understood"),
        ('[{"match": "mug", "weight": 2}]', "unknown key 'weight'"),
        ('{"mug": {"mass": "x"}}', "its mass 'x' is not a number"),
        (f'{{"mug": {{"mass": {10**400}}}}}', "is not a number"),
        ('{"mug": {"mass": 0.3}, "mug": {"mass": 0.4}}', "twice"),
        ('[{"match": "mug", "mass": 0.3, "mass": 0.4}]', "twice"),
    ],
)
def test_json_with_a_fault_is_refused(tmp_path, text, says):
    path = tmp_path / "map.json"
    path.write_text(text)
    with pytest.raises(InertiaError) as caught:
        DensityMap.read(path)
    assert caught.value.code == "bad_density_map" and says in caught.value.message


def test_the_map_of_household_objects_never_disagrees_with_itself():
    densities = DensityMap.read(CHECKOUT / "docs" / "household-objects.csv")
    assert len(densities.rows) >= 200 and len({row.match for row in densities.rows}) == len(densities.rows)
    for row in densities.rows:
        assert densities.find(f"{row.match.replace(' ', '_')}_01.obj") is row
        assert row.source and (row.mass is None or 1e-4 < row.mass < 20.0)
        assert row.density is None or 20.0 < row.density < 9000.0
    assert densities.find("004_sugar_box.obj").mass == 1.01
