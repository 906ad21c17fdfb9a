# SPDX-License-Identifier: GPL-3.0-or-later
"""Bills of materials as CAD systems write them: each cell has one reading, or its line is refused."""

import random
import time

import pytest

from core.bom.bom import MAX_BYTES, read_bom
from core.bom.matching import Item, matched
from core.errors import InertiaError

ONSHAPE = """Item,Quantity,Part number,Description,Material,Mass,Name
1,2,,,Aluminum - 6061,0.3 kg,block
2,1,A-7,,- None -,No value,pin
"""

SOLIDWORKS = """ITEM NO.;PART NUMBER;DESCRIPTION;SW-Material;SW-Density;Weight;QTY.
1;B01;Träger;AISI 304;7900;"0,25 kg";2
2;B02;X;Material <not specified>;;120 g;1
3;B03;;;;1.234,5 g;1
4;B04;;;;1,234 g;1
5;B05;;;;1.234 g;1
"""

FUSION = """Component,Qty,Material,Mass (g),Density [g/cm³]
block:1,1,Steel,120.5,7.85
"a, b",1,ABS,"1,234.5",
"""

INVENTOR = """Item\tPart Number\tBOM Structure\tUnit QTY\tQTY\tStock Number\tDescription\tMaterial\tMass
1\tPlatte\tNormal\tEach\t2\t\t\tSteel, Mild\t1.250 lbmass
1.1\tBolzen\tPurchased\tEach\t4 pcs\t\t\tGeneric\t0.010 lbmass
"""

SOLID_EDGE = """Item Number,Document Number,Title,Material,Quantity,Mass (Item),Mass (Quantity)
1,D-1,Halter,Aluminum,3,0.5 kg,1.5 kg
"""

CREO = """Report: ARM, level 1

Index;Part Name;QTY;PTC_MATERIAL_NAME;MP_MASS;PRO_MP_DENSITY
1;ARM_LINK;1;AL6061;2,7000e+00;2,70e-09 t/mm^3
"""

FREECAD = """Index,Name,Description,File Name,Quantity,Masse / g
1,Körper,,a.FCStd,1,12.5
"""

GERMAN = """Pos.;Bezeichnung;Menge;Werkstoff;Gewicht in g;Dichte (kg/dm³)
1;Träger;2;EN AW-6061;12,5;2,7
"""


@pytest.fixture
def read(tmp_path):
    def read_text(text, encoding="utf-8"):
        path = tmp_path / "bom.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return read_bom(path)

    return read_text


@pytest.fixture
def refused(read):
    def reason(text):
        with pytest.raises(InertiaError) as caught:
            read(text)
        return str(caught.value)

    return reason


def masses(bom):
    return [None if row.mass is None else round(row.mass.value, 12) for row in bom.rows]


def densities(bom):
    return [None if row.density is None else round(row.density.value, 6) for row in bom.rows]


def test_onshapes_shape_is_read(read):
    bom = read(ONSHAPE)
    assert [row.names for row in bom.rows] == [("block",), ("pin", "A-7")]
    assert [(row.line, row.item, row.quantity, row.material) for row in bom.rows] == [
        (2, "1", 2.0, "Aluminum - 6061"),
        (3, "2", 1.0, ""),
    ]
    assert masses(bom) == [0.3, None] and bom.rows[0].mass.error == pytest.approx(0.05)
    assert bom.findings == ()


def test_solidworks_shape_is_read_with_decimal_commas(read):
    bom = read(SOLIDWORKS, "utf-16")
    assert masses(bom) == [0.25, 0.12, 1.2345, 1.234e-3, 1.234]
    assert densities(bom) == [7900.0, None, None, None, None]
    assert [row.material for row in bom.rows] == ["AISI 304", "", "", "", ""]
    assert [row.quantity for row in bom.rows] == [2.0, 1.0, 1.0, 1.0, 1.0]


def test_fusions_shape_is_read_with_units_in_the_head(read):
    bom = read(FUSION, "utf-8-sig")
    assert masses(bom) == [0.1205, 1.2345] and densities(bom) == [7850.0, None]
    assert [row.names for row in bom.rows] == [("block:1",), ("a, b",)]


def test_inventors_unit_column_is_no_quantity(read):
    bom = read(INVENTOR)
    assert [row.quantity for row in bom.rows] == [2.0, 4.0]
    assert masses(bom) == [round(1.25 * 0.45359237, 12), 0.0045359237]
    assert [row.material for row in bom.rows] == ["Steel, Mild", ""]


def test_solid_edges_mass_of_one_item_is_taken(read):
    bom = read(SOLID_EDGE)
    assert masses(bom) == [0.5] and bom.rows[0].names == ("Halter", "D-1") and bom.findings == ()


def test_creos_shape_is_read_below_a_title(read):
    bom = read(CREO)
    assert masses(bom) == [2.7] and densities(bom) == [2700.0] and bom.rows[0].line == 4
    assert [finding.code for finding in bom.findings] == ["bom_unit"]


def test_freecads_and_german_heads_are_read(read):
    assert masses(read(FREECAD)) == [0.0125] and read(FREECAD).rows[0].names == ("Körper",)
    bom = read(GERMAN)
    assert masses(bom) == [0.0125] and densities(bom) == [2700.0] and bom.rows[0].material == "EN AW-6061"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_encoding_and_separator_gives_the_same_rows(read, encoding, mark, end):
    text = end.join(mark.join(cells) for cells in (("Name", "Menge", "Masse (g)"), ("Träger", "2", "12.5"))) + end
    (row,) = read(text, encoding).rows
    assert (row.line, row.names, row.quantity, row.mass.value) == (2, ("Träger",), 2.0, 0.0125)


def test_the_files_of_five_vendors_are_read_or_refused_by_line(data):
    folder = data / "robot_faults" / "cad"
    assert masses(read_bom(folder / "bom_onshape.csv")) == [0.3, None]
    assert masses(read_bom(folder / "bom_solidworks.csv")) == [0.25, 0.12, 1.2345]
    assert densities(read_bom(folder / "bom_bar.csv")) == [2700.0, 7850.0, None]
    for name, reason in (("fusion", "line 3: '1,234' has two readings"), ("solidworks2", "line 4: '2.5 stone'")):
        with pytest.raises(InertiaError, match=reason):
            read_bom(folder / f"bom_{name}.csv")


def test_a_number_with_two_readings_is_refused_unless_another_decides(read, refused):
    head = "Name,Mass (g)\n"
    assert "line 2: '1,234' has two readings, 1.234 and 1234" in refused(head + 'a,"1,234"\nb,120.5\n')
    assert masses(read(head + 'a,"1,234"\nb,"12,5"\n')) == [1.234e-3, 0.0125]
    assert masses(read(head + 'a,"1,234"\nb,"1,234.5"\n')) == [1.234, 1.2345]
    assert "line 2" in refused(head + 'a,"1,234"\nb,"1,234.5"\nc,"0,5"\n')  # its numbers disagree


def test_semicolons_decide_for_commas_and_not_for_points(read, refused):
    head = "Name;Mass (g)\n"
    assert masses(read(head + "a;1,234\n")) == [1.234e-3]
    assert "line 2: '1.234' has two readings" in refused(head + "a;1.234\n")
    assert masses(read(head + "a;1.234\nb;2.5\n")) == [1.234e-3, 2.5e-3]
    assert masses(read(head + "a;1.234\nb;2,5\n")) == [1.234, 2.5e-3]
    assert masses(read(head + "a;1.234.567\n")) == [1234.567]
    assert masses(read(head + "a;1.2345\nb;0.234\n")) == [1.2345e-3, 0.234e-3]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Name,Mass\na,2.5 stone\n", "line 2: '2.5 stone' has the unknown unit 'stone'"),
        ("Name,Mass (stone)\na,2.5\n", "line 2: '2.5' has the unknown unit 'stone'"),
        ("Name,Mass\n\n# note\na,heavy\n", "line 4: 'heavy' is not a number"),
        ("Name,Mass\na,-1 kg\n", "line 2: its mass '-1 kg' is not between 1e-09 and 1e+06 kg"),
        ('Name,Mass\n"a\nb",1 kg\nc,x\n', "line 4: 'x' is not a number"),
        ("Name,Qty\na,2 m\n", "line 2: '2 m' has the unknown unit 'm'"),
        ("a,b\n1,2\n", "Name or Part Number, and one of Quantity, Material, Density, Mass"),
        ("", "no head line"),
        ("Name,Mass\n", "it has no row"),
        ("Name,Mass\n,3 kg\n", "it has no row"),
        ("Name,Mass\na,1 kg\nb\x07,1 kg\n", "line 3: it has the control character '\\x07'"),
        (b"PK\x03\x04rest", "it is a workbook"),
        (b"Name,Mass\na\x81\x8d,1 kg\n", "it is not a text"),
        ("\n" * 20 + "Name,Mass\na,1 kg\n", "first 20 lines"),
        ("Name,Mass\n" + "a" * 200_000 + ",1 kg\n", "line 2: it cannot be understood: field larger"),
    ],
)
def test_what_has_no_one_reading_is_refused_with_its_line(refused, text, reason):
    assert reason in refused(text)


def test_a_file_above_the_limit_is_refused(refused):
    assert "file_too_large" in refused(b"Name,Mass\n" + b" " * MAX_BYTES)


def test_columns_of_one_meaning_are_compared(read):
    empty = read("Name,Mass,Weight\na,,1 kg\n")
    assert masses(empty) == [1.0] and empty.findings == ()
    alike = read("Name,Mass,Weight\na,1 kg,1 kg\n")
    assert masses(alike) == [1.0] and alike.findings == ()
    unlike = read("Name,Mass (kg),Weight (kg)\na,1,1\nb,2,3\n")
    assert masses(unlike) == [1.0, 2.0] and [finding.code for finding in unlike.findings] == ["bom_columns"]
    assert "line 3" in unlike.findings[0].message
    assert read("Name,Mass (kg),Weight (g)\na,1.2,1200\nb,2,2000.4\n").findings == ()
    assert [one.code for one in read("Name,Mass (kg),Weight (g)\na,1,1\n").findings] == ["bom_columns"]
    assert read("Name,Material,Werkstoff\na,Steel,STEEL\n").findings == ()
    assert [one.code for one in read("Name,Material,Werkstoff\na,Steel,PLA\n").findings] == ["bom_columns"]
    assert read("Name,Mass,Weight\na,1 kg,heavy\n").findings[0].code == "bom_columns"


@pytest.mark.parametrize(
    ("head", "right"),
    [
        ("Gesamtgewicht [g]", "Mass (g)"),
        ("Weight per unit [g]", "Mass (g)"),
        ("m [g]", "Mass (g)"),
        ("Rohmaterial", "Material"),
        ("Qty per", "Quantity"),
        ("Werkstoffdichte", "Density"),
    ],
)
def test_a_column_that_looks_like_one_of_ours_is_reported(read, head, right):
    other, value = ("Mat.", "Steel") if right == "Quantity" else ("Count", "1")
    (finding,) = read(f"Name,{other},{head}\na,{value},7\n").findings
    assert (finding.code, f"'{head}' is not read" in finding.message) == ("bom_unread", True)
    assert finding.remedy.startswith(f"write its head as {right}")
    assert ("--bom-mass row" in finding.remedy) == head.startswith("Gesamt")


def test_other_columns_are_nobodys_business(read):
    assert read("Name,Mass (g),Total Mass (g),Weight class,Material code,Material\na,7,7,B,x,Steel\n").findings == ()
    assert read("Name,Material,Unit mass of box\na,Steel,\n").findings == ()


def test_totals_and_repeated_heads_are_no_rows(read):
    bom = read("Name,Qty,Total Mass (kg),Mass (kg)\na,2,4,2\nName,Qty,Total Mass (kg),Mass (kg)\nb,1,3,3\n,,7,\n")
    assert [row.names for row in bom.rows] == [("a",), ("b",)] and masses(bom) == [2.0, 3.0]


def test_a_zero_is_no_mass(read):
    assert masses(read("Name,Mass\na,0.000 kg\nb,1 kg\n")) == [None, 1.0]


def test_masses_without_a_unit_are_kilograms_and_say_so(read):
    bom = read("name,density,mass\nring,,0.123\n")
    assert masses(bom) == [0.123] and [finding.code for finding in bom.findings] == ["bom_unit"]
    assert read("name,mass\nring,0.123 kg\n").findings == ()


def test_lines_may_end_as_on_an_old_macintosh(read):
    assert masses(read("Name,Mass\ra,1 kg\rb,2 kg\r")) == [1.0, 2.0]


@pytest.mark.parametrize(
    "text",
    [
        "Name,Mass\na," + "1" * 100_000 + "\n",
        "Name,Mass\na," + "1 " * 60_000 + "\n",
        "Name,Mass," + "(" * 60_000 + "\na,1 kg,2\n",
        "Name," + "Mass," * 100_000 + "\n" + "a,,\n" * 10_000,
        "Name,Item,Mass\n" + "a," + "1." * 60_000 + "1,1 kg\n",
        "Name,Mass\n" + "x" * 100_000 + ",1 kg\n",
    ],
    ids=len,
)
def test_a_hostile_file_ends_within_two_seconds(read, text):
    start = time.process_time()
    try:
        matched(read(text), [Item("b", "", (), 1)])
    except InertiaError as error:
        assert error.code == "bad_bom"
    assert time.process_time() - start < 2.0


def test_densities_without_a_unit_are_read_by_their_size_and_say_so(read):
    bom = read("Name,Density\na,7.85\nb,7850\nc,0.00785\n")
    assert densities(bom) == [7850.0] * 3 and bom.rows[0].density.error == pytest.approx(5.0)
    assert [(one.severity, one.code) for one in bom.findings] == [("info", "bom_unit")]
    assert densities(read("Name,Density (kg/m3)\nfoam,15\n")) == [15.0]
    assert read("Name,Density\na,7.85 g/cm3\n").findings == ()


def test_three_hundred_damaged_files_are_read_or_refused(read):
    rng = random.Random(54)
    texts = [ONSHAPE.encode(), SOLIDWORKS.encode("utf-16"), FUSION.encode("utf-8-sig"), INVENTOR.encode("cp1252")]
    texts += [SOLID_EDGE.encode(), CREO.encode("utf-16-be"), GERMAN.encode("cp1252")]
    ends = {"read": 0, "refused": 0}
    for number in range(300):
        data = bytearray(texts[number % len(texts)])
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(data))
            end = at + rng.randint(0, 12)
            data[at:end] = rng.choice(
                [b"", rng.randbytes(3), b'"', b",", b"1e999", b"9" * 40, b"\r", b"\0", data[at:end] * 3]
            )
        start = time.process_time()
        try:
            bom = read(bytes(data))
        except InertiaError as error:
            assert error.code in ("bad_bom", "bad_encoding")
            ends["refused"] += 1
        else:
            assert bom.rows and all(row.mass is None or 0.0 < row.mass.value < float("inf") for row in bom.rows)
            ends["read"] += 1
        assert time.process_time() - start < 1.0
    assert min(ends.values()) > 40
