# SPDX-License-Identifier: Apache-2.0
"""Densities of solid materials at room temperature, each with its source, by category.

Each figure comes from the source that it names. Handbooks and standards were not read directly: the density tables of
plib's densitydb and the Physics Hypertextbook quote CRC (Handbook of Chemistry and Physics; CRC AES: its tables of
applied engineering science), ASM (Metals Handbook), Marks and Machinery's Handbook with their pages; MatWeb's and ASM's
sheets, makers' data sheets and copies of tables of the EN, ASTM and NADCA were read as web pages. Crawford: his
Plastics Engineering, table 1.8. FreeCAD: its material cards. OpenRocket: its database of materials. EN ISO 10077-2: a
copy of its table of design values, much the same as that of EN ISO 10456. TDUK: Timber Development UK. Blender: its
rigid-body presets (Object > Rigid Body > Calculate Mass), which are its own and differ in places.

Ranges are those that the sources give for the kind; without a range, the source names one grade or thing, or all
sources agree. Electronics are averages over the outline of a whole device, from its published mass and size; servos are
Robotis's.
"""

from __future__ import annotations

from typing import NamedTuple


class Material(NamedTuple):
    """A material: density and usual range [kg/m³], and their source."""

    name: str
    density: float
    low: float
    high: float
    source: str


def _of(name: str, density: float, source: str, low: float | None = None, high: float | None = None) -> Material:
    return Material(name, density, density if low is None else low, density if high is None else high, source)


PRINTED = "Plastics for printing"
BLENDER = "Blender's presets"
DEVICES = "Electronics"
LIQUIDS = "Liquids and ice"

METALS = (
    _of("Aluminium", 2700.0, "CRC AES, pure; alloys 2660-2810", 2660.0, 2810.0),
    _of("Aluminium 2024", 2770.0, "ASM; MatWeb 2780", 2770.0, 2780.0),
    _of("Aluminium 5083", 2660.0, "ASM"),
    _of("Aluminium 6061", 2700.0, "ASM, FreeCAD"),
    _of("Aluminium 7075", 2810.0, "FreeCAD, from ASM"),
    _of("Aluminium, cast A380", 2710.0, "NADCA; MatWeb 2760", 2710.0, 2760.0),
    _of("Magnesium AZ31B", 1770.0, "MatMake", 1770.0, 1780.0),
    _of("Magnesium, cast AZ91D", 1810.0, "Gurelan's data sheet; Lunt 1820", 1810.0, 1820.0),
    _of("Steel", 7850.0, "OpenRocket; CRC, ASM and others 7840-7870", 7840.0, 7870.0),
    _of("Stainless steel", 8000.0, "ASM, 316; 304 is 7900, 17-4 PH 7800, 440 7700", 7700.0, 8000.0),
    _of("Cast iron, grey", 7200.0, "FreeCAD, EN-GJL-250; ASM 6950-7350", 6950.0, 7350.0),
    _of("Cast iron, ductile", 7100.0, "table of EN 1563, EN-GJS-400; FreeCAD 7200", 7100.0, 7200.0),
    _of("Titanium", 4500.0, "Machinery's Handbook, OpenRocket; ASM 4507"),
    _of("Titanium Ti-6Al-4V", 4430.0, "ASM"),
    _of("Brass", 8500.0, "ASM, leaded; Machinery's Handbook from 8360, cartridge brass 8530", 8360.0, 8530.0),
    _of("Bronze", 8800.0, "ASM, 8 % tin; others 8780-8880", 8780.0, 8880.0),
    _of("Copper", 8960.0, "CRC, ASM"),
    _of("Zinc, cast Zamak 3", 6600.0, "die casters' tables"),
    _of("Lead", 11340.0, "ASM, Marks"),
    _of("Tin", 7290.0, "Machinery's Handbook; ASM 7300, CRC 7310", 7290.0, 7310.0),
    _of("Nickel", 8900.0, "CRC AES"),
    _of("Silver", 10500.0, "CRC AES"),
    _of("Gold", 19300.0, "Machinery's Handbook; ASM 19320"),
    _of("Tungsten", 19300.0, "CRC, ASM"),
    _of("Tungsten heavy alloy", 17000.0, "table of ASTM B777, class 1; class 4 to 18850", 16850.0, 18850.0),
    _of("Magnet, NdFeB", 7500.0, "makers' data sheets, sintered", 7500.0, 7700.0),
    _of("Magnet, ferrite", 4900.0, "makers' data sheets"),
)

PRINTING = (
    _of("PLA", 1240.0, "NatureWorks Ingeo 4043D, 100 % infill; OpenRocket 1250", 1240.0, 1250.0),
    _of("ABS", 1040.0, "slicers' profiles, 100 % infill; OpenRocket 1050, Fillamentum 1100", 1040.0, 1100.0),
    _of("PETG", 1270.0, "Ultimaker's profile, 100 % infill; others 1250-1290", 1250.0, 1290.0),
    _of("ASA", 1070.0, "PrusaSlicer, 100 % infill; Bambu 1040, PolyLite 1130", 1040.0, 1130.0),
    _of("HIPS", 1040.0, "data sheets of sheet and granules, 100 % infill", 1030.0, 1060.0),
    _of("PVA", 1230.0, "SpoolmanDB, 100 % infill"),
    _of("PP", 900.0, "CRC AES, 100 % infill; EN ISO 10077-2: 910, FreeCAD 916", 900.0, 916.0),
    _of("TPU 95A", 1210.0, "SpoolmanDB and slicers' profiles, 100 % infill", 1200.0, 1210.0),
    _of("PA 12", 1010.0, "HP Multi Jet Fusion, dense part", 970.0, 1010.0),
    _of("PA 12, laser sintered", 930.0, "additive.tools, part", 880.0, 960.0),
    _of("Onyx", 1200.0, "Markforged's data sheet, 100 % infill"),
    _of("PEEK", 1300.0, "Crawford; FreeCAD 1340", 1300.0, 1340.0),
    _of("PEI (Ultem 1010)", 1270.0, "table of thermal data of plastics, PEI"),
    _of("UV resin", 1150.0, "trade pages, cured, middle of 1100-1200", 1100.0, 1200.0),
)

PLASTICS = (
    _of("Nylon", 1140.0, "Crawford, PA 66; CRC AES 1130-1150", 1130.0, 1150.0),
    _of("POM", 1410.0, "FreeCAD, Crawford, copolymer; homopolymer 1420", 1410.0, 1430.0),
    _of("Polycarbonate", 1200.0, "Crawford, OpenRocket, EN ISO 10077-2"),
    _of("Acrylic", 1190.0, "OpenRocket; FreeCAD 1170, CRC AES 1200", 1170.0, 1200.0),
    _of("HDPE", 950.0, "Crawford; CRC AES 941-965; EN ISO 10077-2: 980", 940.0, 980.0),
    _of("PTFE", 2170.0, "makers' data sheets, middle of 2140-2200", 2130.0, 2220.0),
    _of("PVC, rigid", 1390.0, "OpenRocket, EN ISO 10077-2"),
    _of("PET", 1380.0, "FreeCAD"),
    _of("Polystyrene", 1050.0, "Crawford, OpenRocket; CRC AES 1040-1080", 1040.0, 1080.0),
    _of("Epoxy resin", 1200.0, "Crawford, unfilled; CRC AES 1115", 1115.0, 1200.0),
    _of("Phenolic resin", 1250.0, "kraska.biz, hardened, middle of 1200-1300; moulded Bakelite 1360", 1200.0, 1360.0),
    _of("Polyester resin", 1400.0, "EN ISO 10077-2"),
)

COMPOSITES = (
    _of("Carbon fibre", 1600.0, "FreeCAD, unidirectional epoxy laminate; chopped 1550", 1550.0, 1600.0),
    _of("Glass fibre", 1890.0, "half E-glass (2580), half epoxy (1200) by volume; OpenRocket 1850", 1850.0, 2000.0),
    _of("FR4", 1850.0, "G-10 and FR-4 sheets without copper 1800-1820; OpenRocket, fibreglass: 1850", 1800.0, 1850.0),
    _of("Aluminium composite panel", 1270.0, "Dibond, 3 mm: 3.8 kg/m²"),
)

WOODS = (
    _of("Balsa", 180.0, "trade page, mean when dry, from 100; TDUK 160, OpenRocket 170", 100.0, 220.0),
    _of("Spruce", 450.0, "OpenRocket; Wood Database 405, others to 470", 405.0, 470.0),
    _of("Pine", 530.0, "OpenRocket; TDUK 510, Wood Database 550", 500.0, 550.0),
    _of("Lime (basswood)", 535.0, "Wood Database; Engineering ToolBox 560", 490.0, 560.0),
    _of("Birch", 670.0, "OpenRocket; Wood Database 640", 640.0, 670.0),
    _of("Beech", 710.0, "Wood Database; others 690-720", 690.0, 720.0),
    _of("Oak", 700.0, "TDUK, 672-720; Wood Database 675", 670.0, 720.0),
    _of("Ash", 680.0, "timber merchants' tables; Engineering ToolBox 710", 680.0, 710.0),
    _of("Walnut", 640.0, "timber merchants' tables", 640.0, 680.0),
    _of("Plywood", 680.0, "data sheet of birch plywood, 650-710 by thickness", 650.0, 710.0),
    _of("Plywood, softwood", 500.0, "EN ISO 10077-2, softwood; densitydb 450-530", 450.0, 530.0),
    _of("OSB", 600.0, "Swiss Krono and Sonae Arauco, at least; Wagner Meters 620", 600.0, 620.0),
    _of("MDF", 750.0, "middle of Wikipedia's 500-1000; Kaindl from 700, Dongwha 740-880", 700.0, 880.0),
)

SOFT = (
    _of("Rubber", 1100.0, "CRC AES, soft commercial; EN ISO 10077-2, flooring: 1200", 1100.0, 1200.0),
    _of("Rubber, EPDM", 1150.0, "EN ISO 10077-2"),
    _of("Rubber, neoprene", 1240.0, "EN ISO 10077-2; CRC AES 1250", 1240.0, 1250.0),
    _of("Rubber, unfilled", 930.0, "CRC AES, natural; pure gum from 910, Marks to 960", 910.0, 960.0),
    _of("Silicone rubber", 1200.0, "EN ISO 10077-2; Simtec, liquid silicone: 1100-1500", 1100.0, 1500.0),
    _of("Polyurethane, solid", 1200.0, "EN ISO 10077-2"),
    _of("Foam rubber", 70.0, "EN ISO 10077-2, middle of 60-80", 60.0, 80.0),
    _of("Foam, polyurethane", 32.0, "Crawford; trade pages 15-80", 15.0, 80.0),
    _of("Foam, polyethylene", 33.0, "Zotefoams Plastazote LD33"),
    _of("Foam, EVA", 100.0, "trade pages: for costumes 85, for shoes 100-350", 85.0, 350.0),
    _of("Foam, EPP", 30.0, "JSP Arpro, a light grade of 18-250", 18.0, 250.0),
    _of("Foam, EPS", 20.0, "OpenRocket; other tables 16-25", 16.0, 25.0),
    _of("Foam, XPS", 32.0, "OpenRocket, blue; Depron 40", 20.0, 40.0),
)

ELECTRONICS = (
    _of("LiPo pack", 2300.0, "3 cells of 5 Ah: 376 g in 155 x 44 x 24 mm"),
    _of("Li-ion cell 18650", 2700.0, "Batemo, NCR18650-B: 45.6 g, 18.2 x 65.1 mm; -BD: 2740", 2690.0, 2740.0),
    _of("PCB with parts", 570.0, "Arduino Uno R3: 25 g, 68.6 x 53.4 mm; taken as 12 mm high, over the parts"),
    _of("Servo, metal case", 1910.0, "XM540: 165 g in 33.5 x 58.5 x 44 mm; XH430 1820, H42-20 2290", 1820.0, 2295.0),
    _of("Servo, plastic case", 830.0, "AX-12W: 52.9 g in 32 x 50 x 40 mm"),
    _of("Stepper motor, NEMA 17", 3400.0, "Mosaic 42BYG228: 240 g in 43.2 x 43.2 x 38.1 mm"),
)

MINERALS = (
    _of("Glass", 2500.0, "CRC AES, window; FreeCAD 2520", 2500.0, 2520.0),
    _of("Glass, borosilicate", 2230.0, "Schott Duran"),
    _of("Glass, quartz", 2200.0, "CRC AES"),
    _of("Alumina", 3900.0, "CRC AES, Insaco"),
    _of("Zirconia", 6050.0, "Bentham's table; Roditi, TZP: 6040", 6040.0, 6050.0),
    _of("Silicon", 2330.0, "CRC, ASM"),
    _of("Concrete", 2400.0, "FreeCAD, C25; EN ISO 10456, high density", 1800.0, 2400.0),
    _of("Granite", 2650.0, "Marks, middle of 2600-2700; CRC to 2760", 2600.0, 2760.0),
)

FLUIDS = (
    _of("Water", 1000.0, "SDFormat's default"),
    _of("Sea water", 1025.0, "Physics Hypertextbook; CRC AES 1030", 1025.0, 1030.0),
    _of("Ethanol", 789.0, "Marks"),
    _of("Petrol", 747.5, "EN 228, middle of its range", 720.0, 775.0),
    _of("Diesel", 832.5, "EN 590, middle of its range", 820.0, 845.0),
    _of("Glycerol", 1260.0, "Physics Hypertextbook"),
    _of("Mercury", 13534.0, "CRC, at 25 °C"),
    _of("Ice", 917.0, "CRC AES"),
)

PRESETS = {
    "Air": 1.0,
    "Acrylic": 1400.0,
    "Asphalt (Crushed)": 721.0,
    "Bark": 240.0,
    "Beans (Cocoa)": 593.0,
    "Beans (Soy)": 721.0,
    "Brick (Pressed)": 2400.0,
    "Brick (Common)": 2000.0,
    "Brick (Soft)": 1600.0,
    "Brass": 8216.0,
    "Bronze": 8860.0,
    "Carbon (Solid)": 2146.0,
    "Cardboard": 689.0,
    "Cast Iron": 7150.0,
    "Chalk (Solid)": 2499.0,
    "Concrete": 2320.0,
    "Charcoal": 208.0,
    "Cork": 240.0,
    "Copper": 8933.0,
    "Garbage": 481.0,
    "Glass (Broken)": 1940.0,
    "Glass (Solid)": 2190.0,
    "Gold": 19282.0,
    "Granite (Broken)": 1650.0,
    "Granite (Solid)": 2691.0,
    "Gravel": 2780.0,
    "Ice (Crushed)": 593.0,
    "Ice (Solid)": 919.0,
    "Iron": 7874.0,
    "Lead": 11342.0,
    "Limestone (Broken)": 1554.0,
    "Limestone (Solid)": 2611.0,
    "Marble (Broken)": 1570.0,
    "Marble (Solid)": 2563.0,
    "Paper": 1201.0,
    "Peanuts (Shelled)": 641.0,
    "Peanuts (Not Shelled)": 272.0,
    "Plaster": 849.0,
    "Plastic": 1200.0,
    "Polystyrene": 1050.0,
    "Rubber": 1522.0,
    "Silver": 10501.0,
    "Steel": 7860.0,
    "Stone": 2515.0,
    "Stone (Crushed)": 1602.0,
    "Timber": 610.0,
}
"""Blender's own rigid-body presets [kg/m³], by Blender's names."""

LIBRARY: dict[str, tuple[Material, ...]] = {
    "Metals": METALS,
    PRINTED: PRINTING,
    "Plastics": PLASTICS,
    "Composites": COMPOSITES,
    "Wood": WOODS,
    "Rubber and foam": SOFT,
    DEVICES: ELECTRONICS,
    "Glass, ceramics, stone": MINERALS,
    LIQUIDS: FLUIDS,
    BLENDER: tuple(_of(f"Blender: {name}", density, "Blender") for name, density in PRESETS.items()),
}
"""Materials by category, in the order in which they are shown."""

ALIASES = {
    "Acrylic": "PMMA, Plexiglas, Perspex",
    "Aluminium": "Aluminum",
    "Carbon fibre": "Carbon fiber, CFRP",
    "FR4": "G10, Circuit board",
    "Foam, EPS": "Styrofoam",
    "Glass fibre": "Fiberglass, GFRP",
    "HDPE": "Polyethylene, PE",
    "Li-ion cell 18650": "Battery",
    "LiPo pack": "Battery",
    "Magnet, NdFeB": "Neodymium",
    "Nylon": "Polyamide, PA 6",
    "PA 12": "Nylon 12",
    "PTFE": "Teflon",
    "Petrol": "Gasoline",
    "Polycarbonate": "PC, Lexan",
    "POM": "Acetal, Delrin",
    "PP": "Polypropylene",
    "Polystyrene": "PS",
    "PVC, rigid": "Vinyl",
    "Stainless steel": "Inox, 304, 316",
    "TPU 95A": "Flexible filament",
    "Titanium Ti-6Al-4V": "Grade 5",
}
"""Other names by which people look for a material."""
