# SPDX-License-Identifier: GPL-3.0-or-later
"""What things weigh: densities of solid material at room temperature, each with its source, by category.

Ranges are what the source, or the trade, gives for the kind; where there is none, the source names one grade or thing.
Electronics are averages over the outline of a whole device, from its published mass and size.

Sources by short name. CRC: CRC Handbook of Chemistry and Physics, physical constants of the elements and compounds.
ASM: ASM Handbook, vols. 1 and 2. NADCA: die casting alloy properties. MatWeb: typical unfilled grade. EN 350: mean
density of wood at 12 % moisture, and its spread. EN ISO 10456: tabulated design values. Blender: its rigid-body
presets (Object > Rigid Body > Calculate Mass), which are its own and differ here and there from the others.
"""

from __future__ import annotations

from typing import NamedTuple


class Material(NamedTuple):
    """A material: density and usual range [kg/m³], and where they are from."""

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
    _of("Aluminium", 2700.0, "CRC, pure; alloys 2640-2810", 2640.0, 2810.0),
    _of("Aluminium 2024", 2780.0, "ASM"),
    _of("Aluminium 5083", 2660.0, "ASM"),
    _of("Aluminium 6061", 2700.0, "ASM"),
    _of("Aluminium 7075", 2810.0, "ASM"),
    _of("Aluminium, cast A380", 2710.0, "NADCA"),
    _of("Magnesium AZ31B", 1770.0, "ASM"),
    _of("Magnesium, cast AZ91D", 1810.0, "NADCA"),
    _of("Steel", 7850.0, "EN 1993-1-1, structural steel"),
    _of("Stainless steel", 8000.0, "EN 10088-1, 1.4401; 1.4301 is 7900", 7700.0, 8000.0),
    _of("Cast iron, grey", 7200.0, "EN 1561, EN-GJL-250", 7100.0, 7300.0),
    _of("Cast iron, ductile", 7100.0, "EN 1563, EN-GJS-400"),
    _of("Titanium", 4500.0, "CRC"),
    _of("Titanium Ti-6Al-4V", 4430.0, "ASM"),
    _of("Brass", 8500.0, "MatWeb, CuZn37 to CuZn39Pb3", 8400.0, 8500.0),
    _of("Bronze", 8800.0, "German Copper Institute, CuSn8", 8700.0, 8800.0),
    _of("Copper", 8960.0, "CRC"),
    _of("Zinc, cast Zamak 3", 6600.0, "NADCA"),
    _of("Lead", 11340.0, "CRC"),
    _of("Tin", 7290.0, "CRC, white tin"),
    _of("Nickel", 8900.0, "CRC"),
    _of("Silver", 10500.0, "CRC"),
    _of("Gold", 19300.0, "CRC"),
    _of("Tungsten", 19300.0, "CRC"),
    _of("Tungsten heavy alloy", 17000.0, "ASTM B777, class 1; class 4 is 18500", 17000.0, 18500.0),
    _of("Magnet, NdFeB", 7500.0, "Arnold Magnetic Technologies, sintered", 7400.0, 7700.0),
    _of("Magnet, ferrite", 4900.0, "Arnold Magnetic Technologies", 4800.0, 5000.0),
)

PRINTING = (
    _of("PLA", 1240.0, "NatureWorks Ingeo 4043D, 100 % infill"),
    _of("ABS", 1040.0, "makers' data sheets, 100 % infill", 1030.0, 1100.0),
    _of("PETG", 1270.0, "makers' data sheets, 100 % infill", 1230.0, 1290.0),
    _of("ASA", 1070.0, "Prusa's and Ultimaker's slicer profiles, 100 % infill", 1050.0, 1080.0),
    _of("HIPS", 1040.0, "makers' data sheets, 100 % infill"),
    _of("PVA", 1230.0, "Ultimaker's data sheet, 100 % infill"),
    _of("PP", 900.0, "makers' data sheets, 100 % infill; EN ISO 10456: 910", 890.0, 910.0),
    _of("TPU 95A", 1220.0, "Ultimaker's data sheet, 100 % infill", 1190.0, 1230.0),
    _of("PA 12", 1010.0, "EMS Grilamid L 20; HP Multi Jet Fusion parts as well"),
    _of("PA 12, laser sintered", 930.0, "EOS PA 2200, part"),
    _of("Onyx", 1200.0, "Markforged's data sheet, 100 % infill"),
    _of("PEEK", 1300.0, "Victrex 450G"),
    _of("PEI (Ultem 1010)", 1270.0, "SABIC's data sheet"),
    _of("UV resin", 1180.0, "makers' data sheets of standard resins, cured", 1150.0, 1200.0),
)

PLASTICS = (
    _of("Nylon", 1140.0, "MatWeb, PA 6 dry; EN ISO 10456: 1150", 1130.0, 1150.0),
    _of("POM", 1410.0, "makers' data sheets, copolymer; homopolymer 1420", 1410.0, 1420.0),
    _of("Polycarbonate", 1200.0, "MatWeb; EN ISO 10456 as well"),
    _of("Acrylic", 1190.0, "MatWeb, cast PMMA", 1180.0, 1190.0),
    _of("HDPE", 950.0, "MatWeb; EN ISO 10456: 980", 940.0, 980.0),
    _of("UHMW-PE", 930.0, "makers' data sheets"),
    _of("PTFE", 2170.0, "MatWeb; EN ISO 10456: 2200", 2140.0, 2200.0),
    _of("PVC, rigid", 1390.0, "EN ISO 10456"),
    _of("PET", 1380.0, "MatWeb"),
    _of("Polystyrene", 1050.0, "EN ISO 10456"),
    _of("Epoxy resin", 1200.0, "EN ISO 10456"),
    _of("Phenolic resin", 1300.0, "EN ISO 10456"),
    _of("Polyester resin", 1400.0, "EN ISO 10456"),
)

COMPOSITES = (
    _of("Carbon fibre", 1600.0, "MatWeb, epoxy laminate at 60 % fibre", 1500.0, 1600.0),
    _of("Glass fibre", 1890.0, "half E-glass (2580), half epoxy (1200) by volume", 1700.0, 2000.0),
    _of("FR4", 1850.0, "IPC-4101 laminates", 1800.0, 1900.0),
    _of("Aluminium composite panel", 1270.0, "Dibond, 3 mm: 3.8 kg/m²"),
    _of("Aramid honeycomb", 48.0, "Hexcel HRH-10, 1/8 inch cells, 3.0 lb/ft³", 29.0, 144.0),
)

WOODS = (
    _of("Balsa", 180.0, "Wood Handbook (FPL-GTR-282), 0.16 dry, x 1.12 for 12 % moisture", 100.0, 250.0),
    _of("Spruce", 460.0, "EN 350, Picea abies", 440.0, 470.0),
    _of("Pine", 520.0, "EN 350, Pinus sylvestris", 500.0, 540.0),
    _of("Lime (basswood)", 540.0, "EN 350, Tilia cordata", 520.0, 560.0),
    _of("Birch", 660.0, "EN 350, Betula pendula", 640.0, 670.0),
    _of("Beech", 710.0, "EN 350, Fagus sylvatica", 690.0, 750.0),
    _of("Oak", 710.0, "EN 350, Quercus robur", 670.0, 760.0),
    _of("Ash", 700.0, "EN 350, Fraxinus excelsior", 680.0, 750.0),
    _of("Walnut", 670.0, "EN 350, Juglans regia", 630.0, 680.0),
    _of("Plywood", 680.0, "EN 636, birch; EN 1991-1-1: 7 kN/m³", 650.0, 710.0),
    _of("Plywood, softwood", 500.0, "EN ISO 10456; EN 1991-1-1: 5 kN/m³"),
    _of("OSB", 650.0, "EN ISO 10456"),
    _of("MDF", 750.0, "makers' data sheets", 650.0, 800.0),
)

SOFT = (
    _of("Rubber", 1100.0, "MatWeb, natural rubber, filled", 1100.0, 1200.0),
    _of("Rubber, EPDM", 1150.0, "EN ISO 10456"),
    _of("Rubber, neoprene", 1240.0, "EN ISO 10456"),
    _of("Rubber, unfilled", 910.0, "EN ISO 10456, natural"),
    _of("Silicone rubber", 1200.0, "EN ISO 10456, pure; filled 1450", 1100.0, 1450.0),
    _of("Polyurethane, solid", 1200.0, "EN ISO 10456"),
    _of("Foam rubber", 70.0, "EN ISO 10456", 60.0, 80.0),
    _of("Foam, polyurethane", 70.0, "EN ISO 10456"),
    _of("Foam, polyethylene", 33.0, "Zotefoams Plastazote LD33; LD15 to LD70", 15.0, 70.0),
    _of("Foam, EVA", 50.0, "Zotefoams Evazote EV50", 30.0, 200.0),
    _of("Foam, EPP", 30.0, "JSP Arpro, a light grade", 20.0, 200.0),
    _of("Foam, EPS", 20.0, "makers' data sheets, EPS 100", 10.0, 35.0),
    _of("Foam, XPS", 33.0, "BASF Styrodur 3035", 30.0, 45.0),
)

ELECTRONICS = (
    _of("LiPo pack", 2300.0, "3 cells of 5 Ah: 376 g in 155 x 44 x 24 mm"),
    _of("Li-ion cell 18650", 2700.0, "Batemo, NCR18650-B: 45.6 g, 18.2 x 65.1 mm; -BD: 2740", 2690.0, 2740.0),
    _of("PCB with parts", 570.0, "Arduino Uno R3: 25 g in 68.6 x 53.4 x 12 mm, over the parts"),
    _of("Servo, metal case", 1910.0, "Robotis XM540: 165 g in 33.5 x 58.5 x 44 mm; H42-20: 2290", 1900.0, 2300.0),
    _of("Servo, plastic case", 1050.0, "mean of Robotis AX-12W (52.9 g) and XL430 (57.2 g)", 830.0, 1270.0),
    _of("Stepper motor, NEMA 17", 3400.0, "42BYG228: 240 g in 43.2 x 43.2 x 38.1 mm"),
)

MINERALS = (
    _of("Glass", 2500.0, "CRC, soda-lime; EN ISO 10456 as well"),
    _of("Glass, borosilicate", 2230.0, "Schott Borofloat 33"),
    _of("Glass, quartz", 2200.0, "EN ISO 10456"),
    _of("Alumina", 3900.0, "CoorsTek AD-995"),
    _of("Zirconia", 6050.0, "makers' data sheets, 3Y-TZP; ISO 13356: at least 6000", 6000.0, 6100.0),
    _of("Silicon", 2330.0, "CRC"),
    _of("Concrete", 2400.0, "EN ISO 10456, high density", 2000.0, 2400.0),
    _of("Granite", 2600.0, "EN ISO 10456, middle of its range", 2500.0, 2700.0),
)

FLUIDS = (
    _of("Water", 1000.0, "SDFormat's default"),
    _of("Sea water", 1025.0, "CRC, 35 g/kg at 20 °C"),
    _of("Ethanol", 789.0, "CRC"),
    _of("Petrol", 747.5, "EN 228, middle of its range", 720.0, 775.0),
    _of("Diesel", 832.5, "EN 590, middle of its range", 820.0, 845.0),
    _of("Glycerol", 1261.0, "CRC"),
    _of("Mercury", 13534.0, "CRC"),
    _of("Ice", 917.0, "CRC, at 0 °C"),
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
"""Blender's own rigid-body presets [kg/m³], by its names."""

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
"""By category, in the order in which they are shown."""
