# SPDX-License-Identifier: GPL-3.0-or-later
"""Bills of materials in the shapes of five CAD systems are read; a cell with two readings is refused by its line."""

import random

import pytest

from core import InertiaError
from core.bom.bom import read_bom

ONSHAPE = (
    "Item,Quantity,Part number,Description,Material,Mass,Name\n1,2,P-1,Block,Aluminum - 6061,0.3 kg,block\n"
    "2,1,,,- None -,No value,pin\n"
)
SOLIDWORKS = (
    "ITEM NO.;PART NUMBER;DESCRIPTION;SW-Material;SW-Density;Weight;QTY.\n1;B01;Platte;AISI 304;7900;0,25 kg;2\n"
    "2;B02;X;Material <not specified>;;120 g;1\n3;B03;;;;1.234,5 g;1\n"
)
FUSION = "Component\tQty\tMaterial\tMass (g)\tDensity [g/cm³]\nblock:1\t1\tSteel\t120.5\t7.85\n"
INVENTOR = 'Bill of Materials: arm.iam\n\nItem,QTY,Part Number,Mass,Material\n1,1,"a, b",0.125 lbmass,ABS Plastic\n'
GERMAN = "Pos.;Menge;Benennung;Werkstoff;Gewicht (kg)\n1;2;Träger;S235JR;1,5\n1.1;4;Schraube;A2-70;0,003\n"


@pytest.fixture
def bom(tmp_path):
    def read(text, encoding="utf-8"):
        path = tmp_path / "bom.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return read_bom(path)

    return read


def numbers(row):
    return row.names, row.quantity, row.material, row.mass and row.mass.value, row.density and row.density.value


@pytest.mark.parametrize("encoding", ("utf-8", "utf-8-sig", "utf-16", "utf-16-le"))
def test_five_systems_in_all_encodings_are_read(bom, encoding):
    rows = [
        numbers(row) for text in (ONSHAPE, SOLIDWORKS, FUSION, INVENTOR, GERMAN) for row in bom(text, encoding).rows
    ]
    assert rows == [
        (("block", "P-1"), 2.0, "Aluminum - 6061", 0.3, None),
        (("pin",), 1.0, "", None, None),
        (("B01",), 2.0, "AISI 304", 0.25, 7900.0),
        (("B02",), 1.0, "", pytest.approx(0.12), None),
        (("B03",), 1.0, "", pytest.approx(1.2345), None),
        (("block:1",), 1.0, "Steel", pytest.approx(0.1205), 7850.0),
        (("a, b",), 1.0, "ABS Plastic", pytest.approx(0.125 * 0.45359237), None),
        (("Träger",), 2.0, "S235JR", 1.5, None),
        (("Schraube",), 4.0, "A2-70", 0.003, None),
    ]


def test_windows_western_encoding_is_read(bom):
    assert bom(GERMAN, "cp1252").rows[0].names == ("Träger",)


@pytest.mark.parametrize(
    ("text", "reason"),
    (
        ('Name,Mass (g)\nblock,120.5\npin,"1,234"\n', "line 3: '1,234' has two readings"),
        ("Part Number,Mass (g)\nA,2\nB,2.5 stone\n", "line 3: '2.5 stone' has the unknown unit 'stone'"),
        ("Part Number,Density\nA,2 kg/barrel\n", "line 2: .*unknown unit"),
        ("Part Number,Mass (g)\nA,-2\n", "line 2: its mass '-2' is not a number above 0"),
        ("Part Number,Mass (g)\nA,heavy\n", "line 2: 'heavy' is not a number"),
        ("a,b\n1,2\n", "no head line"),
        ("Name,Mass (g)\n", "no row"),
        (b"\xff\xfe\x00", "not a text"),
        (b"Name,Mass\x00\x01(g)\nA,1\n", "not a text"),
    ),
)
def test_what_has_no_single_reading_is_refused_by_its_line(bom, text, reason):
    with pytest.raises(InertiaError, match=reason) as caught:
        bom(text)
    assert caught.value.code in ("bad_bom", "bad_encoding")


def test_masses_without_a_unit_are_kilograms_with_a_warning(bom):
    read = bom("name,density,mass\nblock,2.7,\nring,,0.123\n")
    assert [finding.code for finding in read.findings] == ["bom_unit"]
    assert numbers(read.rows[1])[3] == 0.123 and numbers(read.rows[0])[4] == 2700.0  # by its size, g/cm³


def test_a_decimal_comma_elsewhere_in_the_file_decides(bom):
    read = bom("Name\tMass (g)\na\t1,234\nb\t0,5\n")
    assert [row.mass.value for row in read.rows] == pytest.approx([1.234e-3, 0.5e-3])


def test_a_mutated_bill_is_read_or_refused(bom):
    chosen = random.Random(54)
    sources = [text.encode(code) for text in (ONSHAPE, SOLIDWORKS, FUSION, GERMAN) for code in ("utf-8", "utf-16")]
    refused = 0
    for _ in range(300):
        data = bytearray(chosen.choice(sources))
        for _ in range(chosen.randrange(1, 6)):
            place = chosen.randrange(len(data))
            if chosen.random() < 0.5:
                data[place] = chosen.randrange(256)
            else:
                del data[place : place + chosen.randrange(1, 9)]
        try:
            bom(bytes(data))
        except InertiaError:
            refused += 1
    assert 0 < refused < 300
